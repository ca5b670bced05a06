// The memory view: a bar an access, the chosen access in full, and the step's counts by kind; and while nobody asks for
// anything, how the arrays lie in segments and sectors, and over the banks.
#include "app/views/memory/view.hpp"

namespace warptree::scene {
namespace {

constexpr float kHeadRow = 30, kSegmentPitch = 34, kSegmentGap = 14, kWidestSegment = 230;
constexpr float kWordPitch = 18, kAirBelow = 18;
constexpr std::size_t kMostWordRows = 8, kSectors = counters::kSegmentBytes / counters::kSectorBytes, kWordBytes = 4;

std::size_t pieces(std::size_t all, std::size_t each) {
    return (all + each - 1) / each;
}

/// An array: its name and what it is; and as many rows as there is room for of its segments, each of four sectors, or
/// of its words, each under the bank that serves it. Which part of it that is where it is not all, before all else.
/// returns  the height used
float draw_array(Pen& pen, const trace::Trace& t, const trace::Array& array, Box box) {
    const bool shared = array.space == trace::Space::kShared;
    const Vec head{box.x, box.y + 12};
    cut_top(box, kHeadRow);
    const std::size_t size = value::size_bytes(array.type.value_or(t.value.type())), bytes = array.extent * size;
    const std::size_t parts = shared ? 1 : kSectors, each = shared ? kWordBytes : counters::kSectorBytes,
                      all = pieces(bytes, each * parts);
    const float high = shared ? kWordPitch : kSegmentPitch, gap = shared ? 0 : kSegmentGap;
    const std::size_t across = shared ? counters::kBanks : std::max(1.0f, box.w / kWidestSegment),
                      room = std::max(0.0f, box.h / high - (shared ? 1 : 0)),
                      rows = std::min({pieces(all, across), room, shared ? kMostWordRows : room});
    const std::size_t drawn = std::min(all, rows * across);
    const float pitch = (box.w + gap) / across, part = (pitch - gap) / parts;
    for (std::size_t i = 0; i < (shared ? rows * across : drawn) * parts; ++i) {
        const std::size_t piece = i / parts;
        const float w = part - 3;
        pen.framed({box.x + piece % across * pitch + part * (i % parts), box.y + piece / across * high, w,
                    high - (shared ? 4 : 10)},
                   {kRaised, i * each < bytes ? 1.0f : 0.4f}, {kLine}, w > 5 ? 1.2f : 0.0f, std::min(4.0f, 0.2f * w));
    }
    for (std::size_t bank = 0; shared && rows > 0 && bank < across; ++bank)
        pen.line({box.x + pitch * bank + (pitch - 3) / 2, box.y + high * rows + 6}, std::to_string(bank),
                 {kMono, kIndex, {kTextDim}}, pitch, kCentre);
    const float used = pen.line(head, array.name, {kMonoBold, kBody, {kText}}, box.w / 3) + 14;
    const std::string brief = fmt::format("{} of {}", counted(array.extent, "element"), counted(size, "byte"));
    const std::string facts = shared ? fmt::format("{} over {} banks of 4 bytes", brief, counters::kBanks)
                                     : fmt::format("{} in {} of 128 bytes, {} of 32", brief, counted(all, "segment"),
                                                   counted(pieces(bytes, counters::kSectorBytes), "sector"));
    const std::string_view piece = shared ? "word" : "segment";
    const std::string part_of = all <= drawn ? "" : fmt::format("; drawn: the first {}", counted(drawn, piece));
    const std::string alone =
        all <= drawn ? "" : fmt::format("the first {} of {}", grouped(drawn), counted(all, piece));
    pen.either({head.x + used, head.y}, {facts + part_of, brief + part_of, alone}, kDim, box.w - used);
    return kHeadRow + high * (rows + (shared && rows > 0 ? 1 : 0));
}

/// The arrays as they lie in memory, while no lane asks for any of it.
void draw_memory_at_rest(Pen& pen, const Subject& subject, Box inside) {
    const auto& arrays = subject.trace.arrays;
    if (inside.h >= 300) {
        const Box row = cut_bottom(inside, kHeadRow);
        pen.either({row.x, row.y + 14},
                   {"A box of global memory is a sector of 32 bytes, four are a segment; a box of shared memory is a "
                    "word, in the column of its bank.",
                    "Boxes are sectors of global memory, words of shared memory.", "Boxes: sectors and words."},
                   kDim, row.w);
    }
    for (std::size_t left = arrays.size(); const trace::Array& array : arrays) {  // heads and first rows want room too
        Box box = inside;
        cut_bottom(box, --left * (kHeadRow + 2 * kSegmentPitch + kAirBelow));
        if (box.h < kHeadRow + kSegmentPitch) box = inside;
        if (box.h < kHeadRow + kSegmentPitch) return;
        cut_top(inside, draw_array(pen, subject.trace, array, box), kAirBelow);
    }
}

constexpr float kMostBar = 46, kNames = 46, kHeadline = 36, kName = 164, kNarrowName = 130, kRow = 25,
                kLeastTable = 420;

/// Each doubling of the price is a step in height, so that 2 against 1 shows as well as 32 against 16.
float bar_height(const MemoryAccess& one) {
    return std::min(kMostBar, 18 + 5.6f * std::log2(std::max(1.0f, one.price() * 1.0f)));
}

void draw_bar(const MemoryContext& c, const MemoryAccess& one, Box box) {
    const bool wastes = one.excess > 0, slow = wastes && one.shared, read = one.kind == trace::Kind::kRead;
    const Role role = slow ? kDivergent : read ? kSegment : kWritten;
    const Role on = slow ? kOnDivergent : read ? kOnSegment : kOnWritten;
    const Id id = target_id(Target::Kind::kAccess, &one - c.all.data());
    const bool chosen = &one == &c.shown, hot = pack(c.hover) == id;
    c.pen.spot(box.inset(-2), id);
    const Box bar = cut_bottom(box, std::min(bar_height(one), box.h));
    c.pen.mark(bar, {role}, wastes ? kHatched : kSolid, bar.w > 5 ? 1.2f : 0.0f, std::min(3.0f, 0.2f * bar.w));
    c.pen.frame(bar.inset(-3), {chosen ? kText : kTextDim}, chosen ? 2.0f : hot * 1.5f, 5);
    const std::string text = std::to_string(one.price());
    if (c.pen.width(text, kMonoBold, kIndex) > bar.w - 2 || bar.h < 16) return;
    const Ink ground = slow ? Ink{kPanel, 0.8f} : Ink{role};
    if (wastes) c.pen.fill({bar.x + 1.5f, bar.centre().y - 8, bar.w - 3, 16}, ground, 3);
    c.pen.put(bar.centre(), text, {kMonoBold, kIndex, {on}}, kCentre);
}

/// The bars of accesses at one site, in order of warps: where they are more than fit, the worst of several stands for
/// them, or the one on show.
void draw_group(const MemoryContext& c, std::span<const MemoryAccess> group, Box box) {
    const std::size_t room = std::max(1.0f, box.w / 6), each = (group.size() + room - 1) / room,
                      bars = (group.size() + each - 1) / each;
    const float pitch = std::min(30.0f, box.w / bars), high = box.h - kNames;
    for (std::size_t bar = 0; bar < bars; ++bar) {
        const auto some = group.subspan(bar * each, std::min(each, group.size() - bar * each));
        const auto need = [&](const MemoryAccess& of) { return std::pair(&of == &c.shown, of.excess); };
        draw_bar(c, *std::ranges::max_element(some, {}, need),
                 {box.x + 3 + pitch * bar, box.y + 3, pitch - (pitch > 10 ? 5.0f : 1.5f), high});
    }
    // What the first does, and to which elements its first lanes do it: tells the two reads of one line apart.
    const MemoryAccess& one = group.front();
    const auto index = [&](std::size_t i) { return c.trace().index[one.rows[i]]; };
    const std::size_t lanes = c.trace().sites[one.site].array == trace::Site::kNoArray ? 0 : one.rows.size();
    std::string full = lanes == 0 ? one.words : fmt::format("{}[{}]", one.words, index(0));
    if (lanes > 2 && index(1) != index(0) + 1) full += fmt::format(", [{}]", index(1));
    if (lanes > 1) full += fmt::format("{} [{}]", lanes == 2 ? "," : " to", index(lanes - 1));
    const std::string bar = each > 1 ? fmt::format("1 bar = {} warps", each) : "", with = each > 1 ? ", " + bar : "",
                      name = fitting(c.pen, {full + with, one.words + with, bar, full, one.words}, kSans, kLeast,
                                     box.w - 8);
    c.pen.line({box.x + 2, box.y + high + 22}, name, kFine, box.w - 8, kLeft,
               target_id(Target::Kind::kAccess, group.data() - c.all.data()));
}

void draw_bars(const MemoryContext& c, Box row) {
    std::vector<std::span<const MemoryAccess>> groups;
    std::size_t shown = 0;  // the group of the chosen access
    for (auto first = c.all.begin(), end = first; first != c.all.end(); first = end) {
        while (end != c.all.end() && end->site == first->site) ++end;
        if (&*first <= &c.shown) shown = groups.size();
        groups.emplace_back(&*first, static_cast<std::size_t>(end - first));
    }
    const std::size_t fit = std::clamp<std::size_t>(row.w / 66, 1, groups.size());
    const std::size_t first = shown < fit ? 0 : shown + 1 - fit;
    const float width = row.w / fit;
    for (std::size_t i = 0; i < fit; ++i)
        draw_group(c, groups[first + i], {row.x + width * i, row.y, width - 12, row.h});
}

/// One kind of access over the whole step, as the counters have it.
struct KindRow {
    Word word;
    std::uint64_t requests;
    const counters::Global* global = nullptr;  // null: not of global memory
    std::uint64_t conflicts = 0;
};

std::vector<KindRow> kind_rows(const counters::Counters& step) {
    std::vector<KindRow> rows{{Word::kGlobalLoads, step.global_ld.requests, &step.global_ld},
                              {Word::kGlobalStores, step.global_st.requests, &step.global_st},
                              {Word::kGlobalReductions, step.global_red.requests, &step.global_red},
                              {Word::kTickets, step.global_atom.requests, &step.global_atom},
                              {Word::kSharedLoads, step.shared_ld.requests, nullptr, step.shared_ld.conflicts},
                              {Word::kSharedStores, step.shared_st.requests, nullptr, step.shared_st.conflicts},
                              {Word::kRemoteShared, step.remote_ld}};
    std::erase_if(rows, [](const KindRow& row) { return row.requests == 0; });
    return rows;
}

void draw_table(const MemoryContext& c, const std::vector<KindRow>& rows, Box box) {
    const bool global = std::ranges::any_of(rows, [](const KindRow& row) { return row.global != nullptr; });
    const float column = std::min(116.0f, (box.w - (box.w < 580 ? kNarrowName : kName)) / 5);
    const auto head = [&](Word word) {
        Column one = column_of(word, column);
        if (!global) one.head = "";
        return one;
    };
    Table table(c.pen, box,
                {{"", 0, kLeft},
                 column_of(Word::kRequests, column),
                 head(Word::kSegments),
                 head(Word::kSectors),
                 head(Word::kBytesUsed),
                 head(Word::kMoved)},
                kRow);
    table.heads();
    table.text(0, c.trace().launch.grid > 1 ? fmt::format("step, block {}", c.s.block) : "in this step",
               chosen_style(kEntry, true), word_id(Word::kStepCost));
    if (!global) table.text(5, "extra passes", kFine, word_id(Word::kBankConflicts), 1.5f * column);
    const Style used{kMonoBold, kSmall, {kText}}, asked{kMonoBold, kSmall, {kSegment}};
    for (const KindRow& row : rows) {
        table.next(row.word);
        table.row(kEntry, asked, {meaning_of(row.word).name, grouped(row.requests)});
        if (const counters::Global* g = row.global) {
            table.row({}, asked, {"", "", grouped(g->segments), grouped(g->sectors)});
            table.row({}, used, {"", "", "", "", grouped(g->bytes), grouped(g->sectors * counters::kSectorBytes)});
        } else if (row.word != Word::kRemoteShared) {
            table.text(5, global ? counted(row.conflicts, "conflict") : grouped(row.conflicts), used,
                       word_id(row.word, Word::kBankConflicts), 1.5f * column);
        }
    }
}

/// Of the marks that this access makes.
std::vector<LegendItem> legend_of(const MemoryContext& c) {
    const MemoryAccess& one = c.shown;
    const std::size_t lanes = std::min(c.warp_size(), c.trace().launch.block - one.warp * c.warp_size());
    std::vector<LegendItem> items = {{Word::kAsks, kActive}};
    if (one.rows.size() < lanes) items.push_back({Word::kLaneWaits, kDivergent, kHatched});
    items.push_back(one.shared ? LegendItem{Word::kBankWord, c.role()} : LegendItem{Word::kBytesUsed, c.role()});
    if (one.conflicts > 0) items.push_back({Word::kConflict, kDivergent, kHatched});
    if (!one.shared && one.global.bytes < one.moved_bytes()) items.push_back({Word::kNotUsed, c.role(), kHatched});
    return items;
}

/// Why it costs that, in one sentence that fits.
std::string_view why(const MemoryContext& c) {
    if (!c.shown.shared)
        return "Segments are the book's requests. Requests are the profiler's, one warp's instruction each. Segments, "
               "of 128 bytes, move in sectors of 32.";
    if (c.element_bytes() > 4)
        return "Half a warp goes at a time. Passes beyond its first are conflicts. Elements of 8 bytes take two banks.";
    return "Each further pass is a conflict. 32 banks give a word each a pass, and lanes on the same word share it.";
}

}  // namespace

Scene memory_view(const Subject& subject, Playhead at, const MemoryChoice& choice, Box box, const Measure& measure,
                  const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        if (subject.on_host()) return draw_on_host(pen, box, subject.launch);
        const float remark = panel_title(pen, box, "", block_remark(subject));
        Box inside = panel_inside(box);
        const std::vector<MemoryAccess> all = memory_accesses(subject, at);
        if (all.empty()) {
            const std::string text = !at.has_step()
                                         ? "Nothing has run yet. Step forward to see what the lanes ask of memory."
                                         : "In this step the block leaves memory alone.";
            cut_top(inside, pen.paragraph({inside.x, inside.y + 16}, text, kSaid, inside.w, 3) + 12 - inside.y);
            return draw_memory_at_rest(pen, subject, inside);
        }
        const MemoryContext c{{subject, at, pen, hover}, all, all[shown_access(all, choice)]};
        const float highest = bar_height(*std::ranges::max_element(all, {}, bar_height));
        const auto rows = kind_rows(subject.block_summary.steps[at.step()]);
        const auto draw_headline = [&](Box row) {
            const MemoryAccess& one = c.shown;
            const std::string segments = counted(one.global.segments, "segment"),
                              price = one.shared ? counted(one.passes, "pass", "passes")
                                                 : segments + " · " + counted(one.global.sectors, "sector");
            const float y = row.y + 14, used = pen.either({row.right(), y}, {"1 request · " + price},
                                                          {kMono, kSmall, {c.role()}}, 0.55f * row.w, kRight);
            pen.line({row.x, y},
                     fmt::format("Warp {} {}, line {}", one.warp, one.words, c.trace().sites[one.site].line), kTopic,
                     row.w - used - 14);
        };
        std::vector<Section> sections{
            {highest + kNames, kLate, [&](Box row) { draw_bars(c, row); }},
            {kHeadline, 0, draw_headline, kClose},
            {130, 1, [&](Box picture) { c.shown.shared ? draw_banks(c, picture) : draw_segments(c, picture); }, kClose,
             kRest, 96}};
        if (inside.w >= kLeastTable)
            sections.push_back(
                {12 + kRow * (rows.size() + 1), kLate + 1, [&](Box table) { draw_table(c, rows, table); }, kRule});
        stack_panel(pen, box, remark, std::move(sections), inside, legend_of(c), why(c));
    });
}

}  // namespace warptree::scene
