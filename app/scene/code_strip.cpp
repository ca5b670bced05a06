// Lines of the listing, as listing_rows() cuts them, and a number at the right.

#include <algorithm>
#include <set>

#include "app/scene/listing_parts.hpp"

namespace warptree::scene {
namespace {

constexpr float kCode = 16, kPitch = 1.5f * kCode, kGutter = 34, kAir = 12;

/// The rows of a strip, in the listing's order.
std::vector<ListingRow> rows_of(const Subject& s, const std::set<int>& run, std::size_t columns, std::size_t room) {
    std::vector<ListingRow> all = listing_rows(s, columns);
    const auto runs = [&](const ListingRow& row) { return run.contains(row.line); };
    const auto first = std::ranges::find_if(all, runs);
    std::size_t missing = room - std::min(room, static_cast<std::size_t>(std::ranges::count_if(all, runs)));
    std::vector<ListingRow> rows;
    if (first == all.end()) {
        rows.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(room, all.size())));
        return rows;
    }
    const auto says_something = [](const ListingRow& row) {  // of the book, and not a brace or a comment alone
        return std::ranges::any_of(row.runs, [](const Run& part) {
            return part.syntax < Syntax::kComment && part.text.find_first_not_of(" {}") != std::string::npos;
        });
    };
    for (auto end = first; end != all.begin() && missing > 0;) {
        auto begin = end - 1;
        while (begin->continued) --begin;
        const std::size_t parts = end - begin;
        if (says_something(*begin) && parts > missing) break;
        if (says_something(*begin)) rows.insert(rows.begin(), begin, end), missing -= parts;
        end = begin;
    }
    std::copy_if(first, all.end(), std::back_inserter(rows), runs);
    if (rows.size() > room) rows.resize(room);
    return rows;
}

std::size_t indent_of(const std::vector<ListingRow>& rows) {
    std::size_t least = std::string::npos;
    for (const ListingRow& row : rows)
        if (!row.continued && !row.runs.empty()) least = std::min(least, row.runs.front().column);
    return least;
}

void draw_code(Pen& pen, const ListingRow& row, std::size_t indent, Vec at, bool present, bool run) {
    const float advance = pen.width("0", Face::kMono, kCode);
    if (!row.continued)
        pen.put({at.x + kGutter - 14, at.y}, std::to_string(row.line), {Face::kMono, kIndex, {Role::kTextDim}},
                Align::kRight);
    for (const Run& part : row.runs) {
        const std::size_t lead = part.text.find_first_not_of(' ');
        if (lead == std::string::npos) continue;
        const bool dim = !run || part.syntax >= Syntax::kComment;
        pen.put({at.x + kGutter + (part.column + lead - indent) * advance, at.y}, part.text.substr(lead),
                {present || part.syntax == Syntax::kKeyword ? Face::kMonoBold : Face::kMono,
                 kCode,
                 {dim ? Role::kTextDim : Role::kText}});
    }
}

/// returns  the width used
float draw_number(Pen& pen, const LargeNumber& number, Box box) {
    const float large = std::min(48.0f, 0.56f * box.h), right = box.right() - kPad;
    const float called = pen.line({right, box.bottom() - 13}, number.called, kFine, box.w / 3, Align::kRight);
    const float width = pen.line({right, box.y + 4 + large / 2}, number.text, {Face::kSansBold, large, {Role::kText}},
                                 box.w / 3, Align::kRight);
    return std::max(called, width) + kPad;
}

}  // namespace

float strip_height(float window) {
    return (window >= 560 ? 3 : 2) * kPitch + kAir;
}

Scene code_strip(const Subject& s, Playhead at, const LargeNumber& number, Box box, const Measure& measure) {
    return on_panel(box, measure, [&](Pen& pen) {
        const float used = number.text.empty() ? 0 : draw_number(pen, number, box);
        const Box inside{box.x + kPad, box.y + kAir / 2, box.w - 2 * kPad - used, box.h - kAir};
        const bool step = at.has_step() && at.step() < s.steps();
        const int present = step ? s.trace.steps[at.step()].line : 0;
        const std::set<int> run = step ? lines_run(s, at) : std::set<int>();
        const std::size_t columns = (inside.w - kGutter) / measure.width("0", Face::kMono, kCode);
        const auto rows = rows_of(s, run, columns, static_cast<std::size_t>(inside.h / kPitch + 0.5f));
        const std::size_t indent = indent_of(rows);
        Vec row_at{inside.x, inside.y + kPitch / 2};
        for (const ListingRow& row : rows) {
            const bool now = row.line == present;
            if (now) pen.fill({row_at.x - 10, row_at.y - kPitch / 2, inside.w + 10, kPitch}, {Role::kRaisedHover}, 4);
            draw_code(pen, row, indent, row_at, now, !step || run.contains(row.line));
            row_at.y += kPitch;
        }
    });
}

}  // namespace warptree::scene
