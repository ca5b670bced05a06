// The kernel's own lines: cut into words of one style, broken to the panel's width, the running one marked; and the
// lecture's code: the lines that a step runs, and a number at the right.
#include <cctype>
#include <ranges>
#include <regex>
#include <set>

#include "app/kit/kit.hpp"
#include "app/kit/layout.hpp"
#include "app/views/listing/view.hpp"

namespace warptree::scene {
namespace {

enum class Syntax : std::uint8_t { kPlain, kKeyword, kComment, kProbe };

/// Part of a line in one style, at a column.
struct Run {
    std::size_t column = 0;
    std::string text;
    Syntax syntax = Syntax::kPlain;
};

/// One row: a line of the file, or what is left of one that was too long.
struct ListingRow {
    int line = 0;
    bool continued = false;
    std::vector<Run> runs{};
};

constexpr std::string_view kKeywords[] = {"__global__", "__shared__", "void",     "for",          "if",   "else",
                                          "while",      "return",     "unsigned", "int",          "auto", "const",
                                          "template",   "class",      "float",    "__syncthreads"};
constexpr float kGutter = 34, kSign = 24;  // of line numbers; of what is wrong, at the right

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    for (const auto line : std::views::split(text, '\n')) lines.emplace_back(line.begin(), line.end());
    return lines;
}

std::size_t indent_of(std::string_view line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

/// Whether a line only reports to the recorder and is not in the book.
bool is_probe(std::string_view line) {
    const std::string_view body = line.substr(indent_of(line));
    return body.starts_with("step<") || body.starts_with("step(") || body.starts_with("probe.");
}

std::vector<Run> runs_of(std::size_t column, std::string_view text, bool probe) {
    std::vector<Run> runs;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
        const bool comment = text.substr(at).starts_with("//"), word = is_word(text[at]);
        end = comment ? text.size() : at;
        while (end < text.size() && is_word(text[end]) == word && !text.substr(end).starts_with("//")) ++end;
        const std::string_view part = text.substr(at, end - at);
        const bool key = std::ranges::find(kKeywords, part) != std::end(kKeywords);
        using enum Syntax;
        const Syntax syntax = comment ? kComment : probe ? kProbe : key ? kKeyword : kPlain;
        if (runs.empty() || runs.back().syntax != syntax) runs.push_back({column + at, "", syntax});
        runs.back().text += part;
    }
    return runs;
}

/// The kernel function's lines, broken to `columns` characters; indents halved when that is narrow.
std::vector<ListingRow> listing_rows(const Subject& s, std::size_t columns) {
    constexpr std::size_t kNarrow = 56;
    const std::vector<std::string> lines = split_lines(s.listing());
    const kernels::Lines function = s.function_lines();
    std::vector<ListingRow> rows;
    for (int number = std::max(1, function.first); number <= std::min<int>(function.last, lines.size()); ++number) {
        std::string_view rest = lines[number - 1];
        const bool probe = is_probe(rest);
        const std::size_t deep = indent_of(rest), indent = columns < kNarrow ? deep / 2 : deep;
        bool continued = false;
        do {
            rest.remove_prefix(indent_of(rest));
            const std::size_t at = indent + (continued ? 4 : 0), room = columns > at + 8 ? columns - at : 8;
            std::size_t end = std::min(rest.size(), room);  // after a separator where there is one
            for (const auto& [separator, from, kept] :
                 {std::tuple{"; ", room - 1, 1}, {", ", room - 1, 1}, {" ", room, 0}, {"(", room - 1, 1}}) {
                const std::size_t found = rest.size() <= room ? rest.npos : rest.rfind(separator, from);
                if (found == rest.npos || found <= room / 3) continue;
                end = found + kept;
                break;
            }
            rows.push_back({number, std::exchange(continued, true), runs_of(at, rest.substr(0, end), probe)});
            rest.remove_prefix(end);
        } while (rest.find_first_not_of(' ') != rest.npos);
    }
    return rows;
}

/// Lines on which something was recorded in the present step, in the block on show.
std::set<int> lines_run(const Subject& s, Playhead at) {
    std::set<int> lines;
    if (!at.has_step() || at.step() >= s.steps()) return lines;
    const auto range = s.trace.range(s.block, at.step());
    for (std::uint32_t row = range.begin; row < range.end; ++row) lines.insert(s.trace.line(row));
    return lines;
}

int present_line(const Subject& s, Playhead at) {
    return at.has_step() && at.step() < s.steps() ? s.trace.steps[at.step()].line : 0;
}

/// A row's number and its parts; what is wrong is struck out.
/// look  how a part looks
template <class Look>
void draw_row(Pen& pen, const ListingRow& row, Vec at, Role number, Id id, std::size_t indent, Look look) {
    if (!row.continued)
        pen.put({at.x + kGutter - 14, at.y}, std::to_string(row.line), {kMono, kIndex, {number}}, kRight, id);
    for (const Run& part : row.runs) {
        const std::size_t lead = part.text.find_first_not_of(' ');
        if (lead == std::string::npos) continue;
        const std::string text = part.text.substr(lead, part.text.find_last_not_of(' ') - lead + 1);
        const Style style = look(part);
        const float advance = pen.width("0", kMono, style.size);
        const float x = at.x + kGutter + (part.column + lead - indent) * advance;
        pen.put({x, at.y}, text, style, kLeft, id);
        if (style.ink.role == kWrong) pen.fill({x - 2, at.y, text.size() * advance + 4, 2}, style.ink, 0, id);
    }
}

struct Setting {
    float size;
    std::vector<ListingRow> rows;
    float pitch() const { return size * 1.52f; }
    float height() const { return rows.size() * pitch(); }
};

/// The largest letters with which the listing fits the height; where none do, the rows around the present line.
Setting set_listing(const Pen& pen, const Subject& s, int present, float width, float height) {
    constexpr float kLargest = 18, kSmallest = 14, kWindowed = 15;
    const auto setting_of = [&](float size) {
        const float signs = s.facts->faults.empty() ? 0 : kSign;
        const float columns = std::max(20.0f, (width - kGutter - signs) / pen.width("0", kMono, size));
        return Setting{size, listing_rows(s, columns)};
    };
    for (float size = kLargest; size >= kSmallest; size -= 1) {
        Setting setting = setting_of(size);
        const auto broken = std::ranges::count(setting.rows, true, &ListingRow::continued);
        if (setting.height() <= height && (broken <= 3 || size <= kWindowed)) return setting;
    }
    Setting setting = setting_of(kWindowed);
    const auto at = std::ranges::find(setting.rows, present, &ListingRow::line);
    const std::size_t line = at == setting.rows.end() ? 0 : at - setting.rows.begin();
    const float room = std::max(3 * setting.pitch(), height);
    auto [first, end] = shown_about(line, setting.rows.size(), room, setting.pitch());
    // Whole lines alone: one that is cut off above or below is left out, unless it is the present one.
    const std::vector<ListingRow>& rows = setting.rows;
    while (end - first < rows.size() && first + 1 < end && rows[first].continued && rows[first].line != present)
        ++first;
    if (end < rows.size() && rows[end].continued && rows[end].line != present)
        for (const int cut = rows[end].line; end > first + 1 && rows[end - 1].line == cut;) --end;
    setting.rows = {rows.begin() + first, rows.begin() + end};
    return setting;
}

/// At the end of a line: that threads race there in the present step, where the line leaves room for it; or what was
/// found to be wrong there, which leads to the block where the first of that was. end  of the line's text
void draw_sign(Pen& pen, const Subject& s, const std::vector<study::Fault>& faults, float end, Box ground, Id id) {
    const std::string sign = faults.empty() ? "race" : faults.front().kind;
    const float wide = pen.width(sign, kSansBold, kLeast), y = ground.centre().y;
    const bool room = end + 8 <= ground.right() - 40 - wide;
    if (!room && faults.empty()) return;
    const float x = ground.right() - (room ? 40 + wide : kSign + 4);
    std::string all;
    for (const study::Fault& fault : faults) all += (all.empty() ? "" : "\n") + fault.text;
    if (!faults.empty()) {
        const std::int64_t block = faults.front().block;
        id = pen.button({x - 4, ground.y, ground.right() - x, ground.h},
                        {.action = Action::kShowBlock,
                         .value = double(block < 0 ? s.block : block),
                         .launch = faults.front().launch},
                        all, 4, Spot::Reach::kPointer);
    }
    pen.add(Triangle{{x, y + 7}, {x + 18, y + 7}, {x + 9, y - 9}, {kWrong}, id});
    if (room) pen.put({x + 24, y}, sign, {kSansBold, kLeast, {kWrong}}, kLeft, id);
}

void draw_listing(Pen& pen, const Subject& s, Playhead at, const Setting& setting, Box box, const Target& hover) {
    const std::set<int> run = lines_run(s, at);
    const auto race = std::ranges::find_if(s.hazards, [&](const replay::Hazard& hazard) {  // the first in this step
        return at.has_step() && step_of(s, hazard) == at.step();
    });
    const float pitch = setting.pitch();
    float y = box.y + pitch / 2;
    for (const ListingRow& row : setting.rows) {
        const bool strong = row.line == present_line(s, at), soft = run.contains(row.line);
        const Target target{Target::Kind::kLine, 0, 0, std::uint32_t(row.line)};
        const Box ground{box.x - 10, y - pitch / 2, box.w + 20, pitch};
        const Id id = pack(target);
        if (strong || soft || hover == target)
            pen.fill(ground, {strong ? kRaisedHover : kRaised, strong ? 1.0f : 0.55f}, strong ? 4.0f : 0.0f, id);
        if (strong) pen.fill({ground.x, ground.y, 4, ground.h}, {kActive}, 0, id);
        const bool bright = soft || strong, left_out = row.line == s.trace.launch.without_barrier_line;
        draw_row(pen, row, {box.x, y}, strong ? kTextDim : kTextFaint, id, 0, [&](const Run& part) {
            const bool faint = part.syntax == Syntax::kComment || (part.syntax == Syntax::kProbe && !bright);
            const Role plain = faint ? kTextFaint : bright ? kText : kTextDim;
            return Style{
                part.syntax == Syntax::kKeyword ? kMonoBold : kMono, setting.size, {left_out ? kWrong : plain}};
        });
        const bool races = race != s.hazards.end() &&
                           (row.line == s.trace.line(race->first) || row.line == s.trace.line(race->second));
        std::vector<study::Fault> faults;
        for (const study::Fault& one : s.facts->faults)
            if (one.line == row.line && (one.launch < 0 || std::size_t(one.launch) == s.launch)) faults.push_back(one);
        const std::size_t last = row.runs.empty() ? 0 : row.runs.back().column + row.runs.back().text.size();
        const float end = box.x + kGutter + last * pen.width("0", kMono, setting.size);
        if ((races || !faults.empty()) && !row.continued) draw_sign(pen, s, faults, end, ground, id);
        y += pitch;
    }
}

/// The rows of the lecture's code, in the listing's order.
std::vector<ListingRow> code_rows(const Subject& s, const std::set<int>& run, std::size_t columns, std::size_t room) {
    std::vector<ListingRow> all = listing_rows(s, columns), rows;
    const auto runs = [&](const ListingRow& row) { return run.contains(row.line); };
    const auto first = std::ranges::find_if(all, runs);
    if (first == all.end()) {
        all.resize(std::min(room, all.size()));
        return all;
    }
    const auto says_something = [](const ListingRow& row) {  // of the book, and not a brace or a comment alone
        return std::ranges::any_of(row.runs, [](const Run& part) {
            return part.syntax < Syntax::kComment && part.text.find_first_not_of(" {}") != std::string::npos;
        });
    };
    std::size_t missing = room - std::min<std::size_t>(room, std::ranges::count_if(all, runs));
    for (auto end = first, begin = end; end != all.begin() && missing > 0; end = begin) {
        do --begin;
        while (begin->continued);
        if (!says_something(*begin)) continue;
        const std::size_t parts = end - begin;
        if (parts > missing) break;
        rows.insert(rows.begin(), begin, end), missing -= parts;
    }
    std::copy_if(first, all.end(), std::back_inserter(rows), runs);
    rows.resize(std::min(room, rows.size()));
    return rows;
}

}  // namespace

std::string branch_condition(const Subject& s, std::size_t step) {
    const std::vector<std::string> lines = split_lines(s.listing());
    const int line = s.trace.steps[step].line;
    for (int at = line; at > line - 3 && at >= 1; --at) {
        if (at > int(lines.size())) continue;
        const std::string& text = lines[at - 1];
        const std::size_t found = text.find("if (");
        if (found == text.npos) {
            if (at < line && !is_probe(text) && !text.empty()) break;
            continue;
        }
        std::size_t end = found + 4;
        for (int open = 1; end < text.size() && open > 0; ++end)
            open += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        std::string condition = text.substr(found + 4, end - found - 5);
        if (condition.starts_with("warpSize")) break;  // which is the same for all threads
        const std::pair<const char*, std::uint32_t> known[] = {{"\\bstride\\b", s.trace.steps[step].stride},
                                                               {"\\bwarpSize\\b", s.trace.launch.warp_size}};
        for (const auto& [name, value] : known)
            if (value > 0) condition = std::regex_replace(condition, std::regex(name), std::to_string(value));
        return condition;
    }
    return "";
}

Scene listing_view(const Subject& s, Playhead at, Box box, const Measure& measure, const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        const bool shared = kernels::file_of(*s.kernel, s.trace.launch.function) != s.kernel->file;  // by several
        {
            const std::string_view source = shared ? "" : s.kernel->source;
            const About about(pen, source.starts_with("PMPP")     ? Word::kPmpp
                                   : source.starts_with("Harris") ? Word::kHarris
                                                                  : Word::kNone);
            panel_title(pen, box, "Listing", source);
        }
        Box inside = panel_inside(box, 16);
        constexpr float kBranch = 190;  // what the branch should have at least
        const Box foot = cut_bottom(inside, 22, kRule);
        const float room = std::max(0.45f * (inside.h + foot.h + kRule), inside.h - kBranch - kRule);
        const Setting setting = set_listing(pen, s, present_line(s, at), inside.w, room);
        stack(pen,
              {{setting.height(), 0, [&](Box listing) { draw_listing(pen, s, at, setting, listing, hover); }},
               branch_section(pen, s, at, inside.w, inside.h - setting.height() - kRule)},
              inside, 40);
        separator(pen, inside.x, foot.y - kRule / 2, inside.w);
        draw_legend(pen, {foot.x, foot.y + 11}, foot.w, kTreeLegend);
    });
}

Scene lecture_code(const Subject& s, Playhead at, const LargeNumber& number, Box box, const Measure& measure) {
    return on_panel(box, measure, [&](Pen& pen) {
        const float large = std::min(48.0f, 0.56f * box.h), right = box.right() - kPad;
        const float called = pen.line({right, box.bottom() - 13}, number.called, kFine, box.w / 3, kRight);
        const float said =
            pen.line({right, box.y + 4 + large / 2}, number.text, {kSansBold, large, {kText}}, box.w / 3, kRight);
        const float used = number.text.empty() ? 0 : std::max(called, said) + kPad;
        const Box inside{box.x + kPad, box.y + kCodeAir / 2, box.w - 2 * kPad - used, box.h - kCodeAir};
        const int present = present_line(s, at);
        const std::set<int> run = lines_run(s, at);
        const std::size_t columns = (inside.w - kGutter) / measure.width("0", kMono, kCode);
        const auto rows = code_rows(s, run, columns, inside.h / kCodePitch + 0.5f);
        std::size_t indent = std::string::npos;
        for (const ListingRow& row : rows)
            if (!row.continued && !row.runs.empty()) indent = std::min(indent, row.runs.front().column);
        float y = inside.y + kCodePitch / 2;
        for (const ListingRow& row : rows) {
            const bool now = row.line == present, bright = present == 0 || run.contains(row.line);
            if (now) pen.fill({inside.x - 10, y - kCodePitch / 2, inside.w + 10, kCodePitch}, {kRaisedHover}, 4);
            draw_row(pen, row, {inside.x, y}, kTextDim, 0, indent, [&](const Run& part) {
                const bool dim = !bright || part.syntax >= Syntax::kComment;
                const Face face = now || part.syntax == Syntax::kKeyword ? kMonoBold : kMono;
                return Style{face, kCode, {dim ? kTextDim : kText}};
            });
            y += kCodePitch;
        }
    });
}

}  // namespace warptree::scene
