// Where one stands, as a line of text: "#kernel=harris-3&n=256&view=tree&step=4". What it may say are the launch
// options and the rows of fields.hpp that are linked; what is as usual is left out. Nothing is opened: a link names
// kernels of the catalog, values and lessons that come along, so it leads to the same anywhere.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/state/fields.hpp"
#include "instrumentation/request/options.hpp"
#include "instrumentation/result.hpp"

namespace warptree::state {

/// As it was typed, its names known, its values not looked at.
struct Link {
    struct Run {
        std::string kernel;
        kernels::OptionTexts launch;
    };
    std::vector<Run> runs;  // the one on show, then those beside it; the first names none where a lesson does
    std::vector<std::pair<const FieldRow*, std::string>> fields;
    bool says(std::string_view field) const;
};

/// Whether a text is meant as one: it begins with #, or an address stands in front of that; no blanks.
bool is_link(std::string_view text);
/// errors  usage: no link; a field that there is not, and which there are; one that is there twice or has no value
Result<Link> parse_link(std::string_view text);
/// The run of one, but for those beside it. errors  usage: as kernels::request_from(); a file in place of values
Result<kernels::Request> request_of(const Link::Run&);
/// Puts a state where a link leads; its runs are still to be recorded.
/// errors  usage: a value that cannot be, and what can; fields that do not go together; the state is as it was
Result<void> stand_in(AppState&, const Link&);
/// The way back.
/// errors  what is on show was read from a file; more values than a link can hold
Result<std::string> link_to(const AppState&);

}  // namespace warptree::state
