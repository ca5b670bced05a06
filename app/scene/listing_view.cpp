// The kernel's own lines: cut into words of one style, broken to the panel's width, the running one marked; and what
// the branch did to each lane.
#include "app/scene/listing_parts.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "app/study/flows.hpp"

namespace warptree::scene {
namespace {

constexpr std::array<std::string_view, 16> kKeywords = {
    "__global__", "__shared__", "void", "for",   "if",       "else",  "while", "return",
    "unsigned",   "int",        "auto", "const", "template", "class", "float", "__syncthreads"};

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return lines;
}

std::size_t indent_of(std::string_view line) {
    const std::size_t at = line.find_first_not_of(' ');
    return at == std::string_view::npos ? 0 : at;
}

/// Whether a line only reports to the recorder and is not in the book.
bool is_probe(std::string_view line) {
    const std::string_view body = line.substr(indent_of(line));
    return body.starts_with("step<") || body.starts_with("step(") || body.starts_with("probe.");
}

void add_runs(std::vector<Run>& runs, std::size_t column, std::string_view text, bool probe) {
    for (std::size_t at = 0; at < text.size();) {
        if (text.substr(at).starts_with("//")) {
            runs.push_back({column + at, std::string(text.substr(at)), Syntax::kComment});
            return;
        }
        const bool word = is_word(text[at]);
        std::size_t end = at;
        while (end < text.size() && is_word(text[end]) == word && !text.substr(end).starts_with("//")) ++end;
        const std::string_view part = text.substr(at, end - at);
        const bool key = word && std::find(kKeywords.begin(), kKeywords.end(), part) != kKeywords.end();
        const Syntax syntax = probe ? Syntax::kProbe : key ? Syntax::kKeyword : Syntax::kPlain;
        if (!runs.empty() && runs.back().syntax == syntax &&
            runs.back().column + runs.back().text.size() == column + at) {
            runs.back().text += part;
        } else {
            runs.push_back({column + at, std::string(part), syntax});
        }
        at = end;
    }
}

/// The place to break `text` so that at most `room` characters stay: after a separator where there is one.
std::size_t break_at(std::string_view text, std::size_t room) {
    if (text.size() <= room) return text.size();
    for (const std::string_view separator : {"; ", ", "}) {
        const std::size_t found = text.rfind(separator, room - 1);
        if (found != std::string_view::npos && found > room / 3) return found + 1;
    }
    const std::size_t space = text.rfind(' ', room);
    if (space != std::string_view::npos && space > room / 3) return space;
    const std::size_t open = text.rfind('(', room - 1);
    if (open != std::string_view::npos && open > room / 3) return open + 1;
    return std::max<std::size_t>(1, room);
}

constexpr float kGutter = 34;  // line numbers
constexpr float kLargest = 18, kSmallest = 14, kWindowed = 15, kLineAir = 1.52f;

struct Setting {
    float size = kSmallest, advance = 8;
    std::vector<ListingRow> rows;
    float height() const { return rows.size() * size * kLineAir; }
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
    for (const replay::Hazard& hazard : s.hazards)
        if (at.has_step() && step_of(s, hazard) == at.step())
            return {s.trace.line(hazard.first), s.trace.line(hazard.second)};
    return {};
}

/// A sign at the end of a line on which threads race, where the line leaves room for it.
void mark_race(Pen& pen, const Setting& setting, const ListingRow& row, Box ground, Id id) {
    constexpr std::string_view kRace = "race";
    const std::size_t end = row.runs.empty() ? 0 : row.runs.back().column + row.runs.back().text.size();
    const float text = ground.x + 10 + kGutter + end * setting.advance;
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
        const float x = at.x + kGutter + (part.column + lead) * setting.advance;
        const Face face = part.syntax == Syntax::kKeyword ? Face::kMonoBold : Face::kMono;
        pen.put({x, at.y}, text, {face, setting.size, {role}}, Align::kLeft, id);
        if (!marks.left_out) continue;
        const float width = text.size() * setting.advance;
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

std::vector<ListingRow> listing_rows(const Subject& s, std::size_t columns) {
    constexpr std::size_t kNarrow = 56;
    const std::vector<std::string> lines = split_lines(s.listing());
    const kernels::Lines function = s.function_lines();
    std::vector<ListingRow> rows;
    for (int number = std::max(1, function.first); number <= function.last; ++number) {
        if (static_cast<std::size_t>(number) > lines.size()) break;
        const std::string_view line = lines[static_cast<std::size_t>(number) - 1];
        const std::size_t deep = indent_of(line), indent = columns < kNarrow ? deep / 2 : deep;
        const bool probe = is_probe(line);
        std::string_view rest = line.substr(deep);
        bool continued = false;
        do {
            const std::size_t at = indent + (continued ? 4 : 0);
            const std::size_t room = columns > at + 8 ? columns - at : 8;
            const std::size_t end = break_at(rest, room);
            ListingRow row{number, continued, {}};
            add_runs(row.runs, at, rest.substr(0, end), probe);
            rows.push_back(std::move(row));
            rest.remove_prefix(end);
            rest.remove_prefix(std::min(rest.size(), indent_of(rest)));
            continued = true;
        } while (!rest.empty());
    }
    return rows;
}

std::string branch_condition(const Subject& s, std::size_t step) {
    const std::vector<std::string> lines = split_lines(s.listing());
    const int line = s.trace.steps[step].line;
    for (int at = line; at > line - 3 && at >= 1; --at) {
        if (static_cast<std::size_t>(at) > lines.size()) continue;
        const std::string& text = lines[static_cast<std::size_t>(at) - 1];
        const std::size_t found = text.find("if (");
        if (found == std::string::npos) {
            if (at < line && !is_probe(text) && !text.empty()) break;
            continue;
        }
        std::size_t end = found + 4;
        for (int open = 1; end < text.size() && open > 0; ++end)
            open += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        std::string condition = text.substr(found + 4, end - found - 5);
        if (condition.starts_with("warpSize")) break;  // which is the same for all threads
        for (const auto& [name, value] :
             {std::pair<std::string_view, std::uint32_t>{"stride", s.trace.steps[step].stride},
              {"warpSize", s.trace.launch.warp_size}})
            for (std::size_t p = condition.find(name); value > 0 && p != std::string::npos;
                 p = condition.find(name, p + 1)) {
                const bool alone = (p == 0 || !is_word(condition[p - 1])) &&
                                   (p + name.size() == condition.size() || !is_word(condition[p + name.size()]));
                if (alone) condition.replace(p, name.size(), std::to_string(value));
            }
        return condition;
    }
    return "";
}

std::set<int> lines_run(const Subject& s, Playhead at) {
    std::set<int> lines;
    if (!at.has_step() || at.step() >= s.steps()) return lines;
    const auto range = s.trace.range(s.block, static_cast<std::uint32_t>(at.step()));
    for (std::uint32_t row = range.begin; row < range.end; ++row) lines.insert(s.trace.line(row));
    return lines;
}

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
