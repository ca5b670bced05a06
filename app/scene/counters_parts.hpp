// What the files of the counters panel share. Every number is one of the summary's, a sum of its steps, or a form's.
#pragma once

#include <string>
#include <vector>

#include "app/scene/book.hpp"
#include "app/scene/kit.hpp"

namespace warptree::scene {

struct CountersContext {
    const Subject& subject;
    const Book& book;
    Playhead at;
    Pen& pen;
    float width;
    Target hover;
    /// Whether figures of the whole run may be said.
    bool tells_all() const { return at.told == Playhead::kAllTold; }
    bool has_step() const { return at.has_step() && at.step() < subject.steps(); }
    /// Of the present step, or of all that are stepped over as one.
    counters::Counters step() const {
        counters::Counters sum;
        const Fold row = subject.steps_with(at.step(), at.open);
        for (std::size_t step = row.first; step < row.end; ++step) sum += subject.summary.steps[step];
        return sum;
    }
    counters::Counters so_far() const {
        return has_step() ? counters::up_to(subject.summary, at.step()) : counters::Counters{};
    }
};

/// What the book says of slots, else of other quantities; and of requests.
void add_book_sections(const CountersContext&, std::vector<Section>&);
void add_request_section(const CountersContext&, std::vector<Section>&);

}  // namespace warptree::scene
