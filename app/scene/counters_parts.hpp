// The parts of the counters panel. Every number in them is one of the summary's, a sum of its steps, or a form's.
#pragma once

#include <string>
#include <vector>

#include "app/scene/book.hpp"
#include "app/scene/kit.hpp"
#include "app/study/flows.hpp"
#include "instrumentation/counters/quantities.hpp"

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

/// What the panel says, the least needed with the highest ranks.
void add_book_sections(const CountersContext&, std::vector<Section>&);
void add_memory_sections(const CountersContext&, std::vector<Section>&);

/// A formula under a short tag, term by term, its value at the right; on a line of its own where it is too long.
struct Formula {
    const textbook::Form& form;
    std::string tag, value;
    Style tag_style;
};
float formula_height(const CountersContext&, const Formula&);
void draw_formula(const CountersContext&, const Formula&, Vec at);
/// "= 864", or "= 736, not 864".
std::string verdict_of(const textbook::Form&);

/// Counters of the step and so far, a line each.
class CountTable {
public:
    CountTable(const CountersContext&, std::string_view title, Box);
    void row(const counters::Quantity&, const std::string& remark = "", Role = Role::kText);
    static float height(int rows) { return 20 + kRow * static_cast<float>(rows); }
    static constexpr float kRow = 27;

private:
    const CountersContext& c_;
    Table table_;
};

}  // namespace warptree::scene
