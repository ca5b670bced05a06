// The parts of the counters panel. Every number in them is one of the summary's, a sum of its steps, or a form's.
#pragma once

#include <string>
#include <vector>

#include "app/scene/book.hpp"
#include "app/scene/draw.hpp"
#include "app/scene/views.hpp"
#include "app/study/flows.hpp"
#include "instrumentation/counters/quantities.hpp"

namespace warptree::scene {

/// How much the panel says; less in a low box.
struct Detail {
    bool why = true;    // why memory has three counts
    bool strip = true;  // the segment's cells
    bool note = true;   // the book's note
    bool book = true;
    bool whole = true;  // efficiency of the whole kernel; memory apart from the other counts
    int rows = 5;       // where not whole: rows of the one table
};

struct CountersContext {
    const Subject& subject;
    const Book& book;
    Playhead at;
    Pen& pen;
    float x, width;
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

Section efficiency_section(const CountersContext&, const Detail&);
Section book_section(const CountersContext&, const Detail&);
Section memory_section(const CountersContext&, const Detail&);
/// What came out and what is right, once it is out and wrong; no height where nothing is to be said.
Section result_section(const CountersContext&);
Section table_section(const CountersContext&, const Detail&);

/// A formula under a short tag, term by term, its value at the right; on a line of its own where it is too long.
struct Formula {
    const textbook::Form& form;
    std::string tag, value;
    Style tag_style;
};
float formula_height(const CountersContext&, const Formula&);
void draw_formula(const CountersContext&, const Formula&, float y);
/// "= 864", or "= 736, not 864".
std::string verdict_of(const textbook::Form&);

/// A table's row: a name, a remark, and two numbers; "–" for none.
struct Cells {
    std::string name, remark, step, so_far;
    Role role = Role::kText;
};
void table_head(const CountersContext&, std::string_view title, float y);
void table_row(const CountersContext&, const Cells&, float y);
inline constexpr float kRow = 27;

}  // namespace warptree::scene
