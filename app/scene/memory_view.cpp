// The memory view: a bar an access, the chosen access in full, and the step's counts by kind.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/memory_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kMostBar = 46, kNames = 46, kHeadline = 36, kName = 164, kRow = 25, kLeastTable = 420;

/// Accesses at one site: a group of bars, in order of warps.
struct Group {
    std::size_t first = 0, end = 0;
};

std::vector<Group> groups_of(const StepAccesses& a) {
    std::vector<Group> groups;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (i == 0 || a.access(i).site != a.access(i - 1).site) groups.push_back({i, i});
        groups.back().end = i + 1;
    }
    return groups;
}

/// Passes or sectors: what one access costs, in one number.
std::uint64_t price(const StepAccesses& a, std::size_t i) {
    return a.shared(i) ? a.passes(i) : a.global(i).sectors;
}

/// Each doubling of the price is a step in height, so that 2 against 1 shows as well as 32 against 16.
float bar_height(const StepAccesses& a, std::size_t i) {
    return std::min(kMostBar, 18 + 5.6f * std::log2(static_cast<float>(std::max<std::uint64_t>(1, price(a, i)))));
}

float highest_bar(const StepAccesses& a) {
    float height = 0;
    for (std::size_t i = 0; i < a.size(); ++i) height = std::max(height, bar_height(a, i));
    return height;
}

Id access_id(std::size_t access) {
    return pack({Target::Kind::kAccess, 0, 0, static_cast<std::uint32_t>(access)});
}

void draw_bar(const MemoryContext& c, std::size_t i, Box box) {
    const StepAccesses& a = c.accesses;
    const bool wastes = a.excess(i) > 0, shared = a.shared(i);
    const float h = bar_height(a, i);
    const bool read = a.kind(i) == trace::Kind::kRead;
    const Role good = read ? Role::kSegment : Role::kWritten;
    const Role role = wastes && shared ? Role::kDivergent : good;
    const Id id = access_id(i);
    const Box bar{box.x, box.bottom() - std::min(h, box.h), box.w, std::min(h, box.h)};
    const bool chosen = i == c.shown, hot = pack(c.hover) == id;
    c.pen.mark(bar, {role}, wastes ? Fill::kHatched : Fill::kSolid, bar.w > 5 ? 1.2f : 0.0f,
               std::min(3.0f, 0.2f * bar.w));
    c.pen.frame(bar.inset(-3), {chosen ? Role::kText : Role::kTextDim}, chosen ? 2.0f : hot * 1.5f, 5);
    c.pen.spot(box.inset(-2), id);
    const std::string text = fmt::format("{}", price(a, i));
    if (c.pen.width(text, Face::kMonoBold, kIndex) > bar.w - 2 || bar.h < 16) return;
    const Role on = wastes && shared ? Role::kOnDivergent : read ? Role::kOnSegment : Role::kOnWritten;
    if (wastes)
        c.pen.fill({bar.x + 1.5f, bar.centre().y - 8, bar.w - 3, 16},
                   {shared ? Role::kPanel : role, shared ? 0.8f : 1.0f}, 3);
    c.pen.put(bar.centre(), text, {Face::kMonoBold, kIndex, {on}}, Align::kCentre);
}

/// What an access does, and to which elements its first lanes do it: tells the two reads of one line apart.
std::string site_name(const MemoryContext& c, std::size_t access, float width) {
    const trace::Trace& t = c.subject().trace;
    const std::string words = c.accesses.words(access);
    const auto& rows = c.accesses.access(access).rows;
    if (rows.empty() || t.sites[c.accesses.access(access).site].array == trace::Site::kNoArray) return words;
    std::string full = fmt::format("{}[{}]", words, t.index[rows.front()]);
    if (rows.size() > 2 && t.index[rows[1]] != t.index[rows[0]] + 1) full += fmt::format(", [{}]", t.index[rows[1]]);
    if (rows.size() > 1) full += fmt::format("{} [{}]", rows.size() == 2 ? "," : " to", t.index[rows.back()]);
    return fitting(c.pen, {full, words}, Face::kSans, kLeast, width);
}

/// The bars that stand for a group: where they are more than fit, the worst of several stands for them.
void draw_group(const MemoryContext& c, const Group& g, Box box) {
    const std::size_t count = g.end - g.first;
    const auto room = static_cast<std::size_t>(std::max(1.0f, box.w / 6));
    const std::size_t each = (count + room - 1) / room, bars = (count + each - 1) / each;
    const float pitch = std::min(30.0f, box.w / static_cast<float>(bars));
    const float high = highest_bar(c.accesses);
    const Box area{box.x + 3, box.y + 3, box.w, high};
    for (std::size_t bar = 0; bar < bars; ++bar) {
        const std::size_t first = g.first + bar * each, end = std::min(first + each, g.end);
        std::size_t worst = first;
        for (std::size_t i = first; i < end; ++i) {
            if (c.accesses.excess(i) > c.accesses.excess(worst)) worst = i;
            if (i == c.shown) worst = i;
            if (worst == c.shown) break;
        }
        draw_bar(c, worst,
                 {area.x + pitch * static_cast<float>(bar), area.y, pitch - (pitch > 10 ? 5.0f : 1.5f), area.h});
    }
    std::string name = site_name(c, g.first, box.w - 8);
    if (each > 1) name += fmt::format(", 1 bar = {} warps", each);
    c.pen.line({box.x + 2, box.y + high + 22}, name, kFine, box.w - 8, Align::kLeft, access_id(g.first));
}

void draw_strip(const MemoryContext& c, Box row) {
    const std::vector<Group> groups = groups_of(c.accesses);
    const auto fit = std::min<std::size_t>(groups.size(), static_cast<std::size_t>(std::max(1.0f, row.w / 66)));
    const float width = row.w / static_cast<float>(fit);
    std::size_t shown = 0;  // the group of the chosen access
    while (shown + 1 < groups.size() && c.shown >= groups[shown].end) ++shown;
    const std::size_t first = shown < fit ? 0 : shown + 1 - fit;
    for (std::size_t i = 0; i < fit; ++i)
        draw_group(c, groups[first + i], {row.x + width * static_cast<float>(i), row.y, width - 12, row.h});
}

void draw_headline(const MemoryContext& c, Box row) {
    const StepAccesses& a = c.accesses;
    const counters::Access& access = a.access(c.shown);
    const counters::Global cost = a.global(c.shown);
    const std::string price = a.shared(c.shown) ? "1 request · " + counted(a.passes(c.shown), "pass", "passes")
                                                : fmt::format("1 request · {} · {}", counted(cost.segments, "segment"),
                                                              counted(cost.sectors, "sector"));
    const bool fits = c.pen.width(price, Face::kMono, kSmall) < 0.55f * row.w;
    const float used = !fits ? 0
                             : c.pen.line({row.right(), row.y + 14}, price, {Face::kMono, kSmall, {c.role()}},
                                          row.w / 1.5f, Align::kRight);
    c.pen.line(
        {row.x, row.y + 14},
        fmt::format("Warp {} {}, line {}", access.warp, a.words(c.shown), c.subject().trace.sites[access.site].line),
        kTopic, row.w - used - 14);
}

/// One kind of access over the whole step, as the counters have it.
struct KindRow {
    const char* name;
    std::array<std::string, 5> numbers;  // requests, segments, sectors, bytes used, bytes moved; conflicts instead
};

std::vector<KindRow> kind_rows(const counters::Counters& step) {
    std::vector<KindRow> rows;
    const auto global = [&](const char* name, const counters::Global& g) {
        if (g.requests == 0) return;
        rows.push_back({name,
                        {grouped(g.requests), grouped(g.segments), grouped(g.sectors), grouped(g.bytes),
                         grouped(g.sectors * counters::kSectorBytes)}});
    };
    const auto shared = [&](const char* name, const counters::Shared& s) {
        if (s.requests == 0) return;
        rows.push_back({name, {grouped(s.requests), "", "", "", counted(s.conflicts, "conflict")}});
    };
    global("global loads", step.global_ld);
    global("global stores", step.global_st);
    global("global reductions", step.global_red);
    global("tickets", step.global_atom);
    shared("shared loads", step.shared_ld);
    shared("shared stores", step.shared_st);
    if (step.remote_ld > 0) rows.push_back({"other blocks' shared", {grouped(step.remote_ld), "", "", "", ""}});
    return rows;
}

void draw_table(const MemoryContext& c, const std::vector<KindRow>& rows, Box box) {
    const bool shared_alone = std::ranges::all_of(rows, [](const KindRow& row) { return row.numbers[3].empty(); });
    const float column = std::min(116.0f, (box.w - kName) / 5);
    const std::string title =
        c.subject().trace.launch.grid > 1 ? fmt::format("this step, block {}", c.subject().block) : "this step, in all";
    Table table(c.pen, box,
                {{"", 0, Align::kLeft},
                 {"requests", column},
                 {shared_alone ? "" : "segments", column},
                 {shared_alone ? "" : "sectors", column},
                 {shared_alone ? "" : "bytes used", column},
                 {shared_alone ? "" : "moved", column}},
                kRow);
    table.heads();
    table.text(0, title, chosen_style(kEntry, true));
    if (shared_alone) table.text(5, "extra passes", kFine, 0, 1.5f * column);
    for (const KindRow& row : rows) {
        table.next();
        table.text(0, row.name, kEntry);
        for (std::size_t i = 0; i < row.numbers.size(); ++i) {
            const bool wide = row.numbers[3].empty() && i == 4;
            const std::string& number = row.numbers[i];
            table.text(i + 1, shared_alone ? number.substr(0, number.find(' ')) : number,
                       {Face::kMonoBold, kSmall, {i < 3 ? Role::kSegment : Role::kText}}, 0, wide ? 1.5f * column : 0);
        }
    }
}

/// Of the marks that this access makes.
std::vector<LegendItem> legend_of(const MemoryContext& c) {
    const std::size_t i = c.shown;
    const bool shared = c.accesses.shared(i);
    const counters::Access& access = c.accesses.access(i);
    const trace::Launch& launch = c.subject().trace.launch;
    const std::size_t lanes = std::min<std::size_t>(launch.warp_size, launch.block - access.warp * launch.warp_size);
    std::vector<LegendItem> items = {{"lane asks", Role::kActive, Fill::kSolid, "asks"}};
    if (access.rows.size() < lanes) items.push_back({"lane waits", Role::kDivergent, Fill::kHatched, "waits"});
    items.push_back(
        {shared ? "word, first pass" : "bytes used", c.role(), Fill::kSolid, shared ? "word" : "asked for"});
    if (shared && c.accesses.conflicts(i) > 0)
        items.push_back({"conflict: one pass more", Role::kDivergent, Fill::kHatched, "conflict"});
    const counters::Global cost = c.accesses.global(i);
    if (!shared && cost.bytes < cost.sectors * counters::kSectorBytes)
        items.push_back({"moved, not used", c.role(), Fill::kHatched, "not asked"});
    return items;
}

/// Why it costs that, in one sentence that fits.
std::string_view why(const MemoryContext& c, bool shared) {
    if (!shared)
        return "Segments are the book's requests. Requests are the profiler's, one warp's instruction each. Segments, "
               "of "
               "128 bytes, move in sectors of 32.";
    if (c.element_bytes() > 4)
        return "Half a warp goes at a time. Passes beyond its first are conflicts. Elements of 8 bytes take two banks.";
    return "Each further pass is a conflict. 32 banks give a word each a pass, and lanes on the same word share it.";
}

/// remark  the width of what stands at the right of the panel's title
void draw_access(const MemoryContext& c, Playhead at, Box panel, float remark) {
    const bool shared = c.accesses.shared(c.shown);
    const std::vector<LegendItem> legend = legend_of(c);
    const Box inside = panel_inside(panel);
    const auto rows = kind_rows(c.subject().block_summary.steps[at.step()]);
    std::vector<Section> sections{
        {highest_bar(c.accesses) + kNames, kLate, [&](Box row) { draw_strip(c, row); }},
        {kHeadline, 0, [&](Box row) { draw_headline(c, row); }, kClose},
        {130, 1, [&](Box picture) { shared ? draw_banks(c, picture) : draw_segments(c, picture); }, kClose, kRest, 96}};
    if (inside.w >= kLeastTable)
        sections.push_back({12 + kRow * static_cast<float>(rows.size() + 1), kLate + 1,
                            [&](Box table) { draw_table(c, rows, table); }, kRule});
    stack_panel(c.pen, panel, remark, std::move(sections), inside, legend, why(c, shared));
}

}  // namespace

Scene memory_view(const Subject& subject, Playhead at, const MemoryChoice& choice, Box box, const Measure& measure,
                  const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        if (subject.on_host()) return draw_on_host(pen, box);
        const float remark = panel_title(pen, box, "", block_remark(subject));
        const Box inside = panel_inside(box);
        const StepAccesses accesses(subject, at);
        if (accesses.size() == 0) {
            const std::string text = !at.has_step()
                                         ? "Nothing has run yet. Step forward to see what the lanes ask of memory."
                                         : "In this step the block leaves memory alone.";
            const float y = pen.paragraph({inside.x, inside.y + 16}, text, kSaid, inside.w, 3);
            draw_memory_at_rest(pen, subject, {inside.x, y + 12, inside.w, inside.bottom() - y - 12});
            return;
        }
        const MemoryContext c{accesses, accesses.shown(choice), at.progress, pen, hover};
        draw_access(c, at, box, remark);
    });
}

}  // namespace warptree::scene
