// The kernel's own lines, the running one marked, and what the branch did to each lane.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/listing_parts.hpp"
#include "app/scene/views.hpp"
#include "app/study/flows.hpp"

namespace warptree::scene {

std::set<int> lines_run(const Subject& s, Playhead at) {
    std::set<int> lines;
    if (!at.has_step() || at.step() >= s.steps()) return lines;
    const auto range = s.trace.range(s.block, static_cast<std::uint32_t>(at.step()));
    for (std::uint32_t row = range.begin; row < range.end; ++row) lines.insert(s.trace.line(row));
    return lines;
}

namespace {

constexpr float kGutter = 34;  // line numbers
constexpr float kLargest = 18, kSmallest = 14, kWindowed = 15, kLineAir = 1.52f;

struct Setting {
    float size = kSmallest, advance = 8;
    std::vector<ListingRow> rows;
    float height() const { return static_cast<float>(rows.size()) * size * kLineAir; }
};

Setting setting_of(const Pen& pen, const Subject& s, float width, float size) {
    Setting setting{size, pen.width("0", Face::kMono, size), {}};
    setting.rows = listing_rows(s, static_cast<std::size_t>(std::max(20.0f, (width - kGutter) / setting.advance)));
    return setting;
}

/// Rows from first to end, but whole lines alone: one that is cut off above or below is left out, unless it is the
/// present one.
std::vector<ListingRow> whole_lines(const std::vector<ListingRow>& rows, std::size_t first, std::size_t end,
                                    int present) {
    while (first + 1 < end && rows[first].continued && rows[first].line != present) ++first;
    if (end < rows.size() && rows[end].continued && rows[end].line != present) {
        const int cut = rows[end].line;
        while (end > first + 1 && rows[end - 1].line == cut) --end;
    }
    const auto at = [&rows](std::size_t i) { return rows.begin() + static_cast<std::ptrdiff_t>(i); };
    return {at(first), at(end)};
}

/// The largest letters with which the listing fits the height; where none do, the rows around the present line.
Setting set_listing(const Pen& pen, const Subject& s, int present, float width, float height) {
    for (float size = kLargest; size >= kSmallest; size -= 1) {
        Setting setting = setting_of(pen, s, width, size);
        const auto broken =
            std::count_if(setting.rows.begin(), setting.rows.end(), [](const ListingRow& r) { return r.continued; });
        if (setting.height() <= height && (broken <= 3 || size <= 15)) return setting;
    }
    Setting setting = setting_of(pen, s, width, kWindowed);
    const auto at = std::ranges::find(setting.rows, present, &ListingRow::line);
    const auto line = at == setting.rows.end() ? std::size_t{0} : static_cast<std::size_t>(at - setting.rows.begin());
    constexpr float kPitch = kWindowed * kLineAir;
    const Shown shown = shown_about(line, setting.rows.size(), std::max(3 * kPitch, height), kPitch);
    if (shown.count() < setting.rows.size()) setting.rows = whole_lines(setting.rows, shown.first, shown.end, present);
    return setting;
}

/// Lines of the first race that shows in the present step.
std::set<int> racing_lines(const Subject& s, Playhead at) {
    for (const replay::Hazard& hazard : s.hazards) {
        if (at.has_step() && step_of(s, hazard) == at.step())
            return {s.trace.line(hazard.first), s.trace.line(hazard.second)};
    }
    return {};
}

/// A sign at the end of a line on which threads race, where the line leaves room for it.
void mark_race(Pen& pen, const Setting& setting, const ListingRow& row, Box ground, Id id) {
    constexpr std::string_view kRace = "race";
    const std::size_t end = row.runs.empty() ? 0 : row.runs.back().column + row.runs.back().text.size();
    const float text = ground.x + 10 + kGutter + static_cast<float>(end) * setting.advance;
    const float width = pen.width(kRace, Face::kSansBold, kLeast) + 30;
    const float x = ground.right() - 10 - width, y = ground.centre().y;
    if (text + 8 > x) return;
    pen.add(Triangle{{x, y + 7}, {x + 18, y + 7}, {x + 9, y - 9}, {Role::kWrong}, id});
    pen.put({x + 24, y}, std::string(kRace), {Face::kSansBold, kLeast, {Role::kWrong}}, Align::kLeft, id);
}

/// How a line stands out: where something was recorded, the step's own line, a barrier that this run left out.
struct Marks {
    bool run = false, strong = false, left_out = false;
};

void draw_row(Pen& pen, const Setting& setting, const ListingRow& row, Vec at, Marks marks) {
    const Id id = pack({Target::Kind::kLine, 0, 0, static_cast<std::uint32_t>(row.line)});
    if (!row.continued) {
        const Role role = marks.strong ? Role::kTextDim : Role::kTextFaint;
        const Vec gutter{at.x + kGutter - 14, at.y};
        pen.put(gutter, fmt::format("{}", row.line), {Face::kMono, kIndex, {role}}, Align::kRight, id);
    }
    for (const Run& part : row.runs) {
        const std::size_t lead = part.text.find_first_not_of(' ');
        if (lead == std::string::npos) continue;
        const std::string text = part.text.substr(lead, part.text.find_last_not_of(' ') - lead + 1);
        const bool bright = marks.run || marks.strong;
        const bool faint = part.syntax == Syntax::kComment || (part.syntax == Syntax::kProbe && !bright);
        const Role role = marks.left_out ? Role::kWrong
                          : faint        ? Role::kTextFaint
                          : bright       ? Role::kText
                                         : Role::kTextDim;
        const float x = at.x + kGutter + static_cast<float>(part.column + lead) * setting.advance;
        const Face face = part.syntax == Syntax::kKeyword ? Face::kMonoBold : Face::kMono;
        pen.put({x, at.y}, text, {face, setting.size, {role}}, Align::kLeft, id);
        if (!marks.left_out) continue;
        const float width = static_cast<float>(text.size()) * setting.advance;
        pen.fill({x - 2, at.y, width + 4, 2}, {Role::kWrong}, 0, id);
    }
}

void draw_listing(Pen& pen, const Subject& s, Playhead at, const Setting& setting, Box box, const Target& hover) {
    const std::set<int> run = lines_run(s, at);
    const int present = at.has_step() && at.step() < s.steps() ? s.trace.steps[at.step()].line : 0;
    const std::set<int> racing = racing_lines(s, at);
    const float pitch = setting.size * kLineAir;
    float y = box.y + pitch / 2;
    for (const ListingRow& row : setting.rows) {
        const bool strong = row.line == present, soft = run.count(row.line) > 0;
        const bool over = hover.kind == Target::Kind::kLine && hover.index == static_cast<std::uint32_t>(row.line);
        const Box ground{box.x - 10, y - pitch / 2, box.w + 20, pitch};
        const Id id = pack({Target::Kind::kLine, 0, 0, static_cast<std::uint32_t>(row.line)});
        if (strong || soft || over) {
            pen.fill(ground, {strong ? Role::kRaisedHover : Role::kRaised, strong ? 1.0f : 0.55f}, strong ? 4.0f : 0.0f,
                     id);
        }
        if (strong) pen.fill({ground.x, ground.y, 4, ground.h}, {Role::kActive}, 0, id);
        draw_row(pen, setting, row, {box.x, y}, {soft, strong, row.line == s.trace.launch.without_barrier_line});
        if (!row.continued && racing.count(row.line) > 0) mark_race(pen, setting, row, ground, id);
        y += pitch;
    }
}

}  // namespace

Scene listing_view(const Subject& s, Playhead at, Box box, const Measure& measure, const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        const bool own =
            kernels::file_of(*s.kernel, s.trace.launch.function) == s.kernel->file;  // else shared by several
        panel_title(pen, box, "Listing", own ? s.kernel->source : std::string_view());
        Box inside = panel_inside(box, 16);
        constexpr float kBranch = 190;  // what the branch should have at least
        const Box foot = cut_bottom(inside, 22, kRule);
        const float room = std::max(0.45f * (inside.h + foot.h + kRule), inside.h - kBranch - kRule);
        const int present = at.has_step() && at.step() < s.steps() ? s.trace.steps[at.step()].line : 0;
        const Setting setting = set_listing(pen, s, present, inside.w, room);
        stack(pen,
              {{setting.height(), 0, [&](Box listing) { draw_listing(pen, s, at, setting, listing, hover); }},
               branch_section(pen, s, at, inside.w, inside.h - setting.height() - kRule)},
              inside, 40);
        separator(pen, inside.x, foot.y - kRule / 2, inside.w);
        draw_legend(pen, {foot.x, foot.y + 11}, foot.w, kTreeLegend);
    });
}

}  // namespace warptree::scene
