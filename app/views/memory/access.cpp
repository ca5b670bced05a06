// The accesses of a step: which, what they cost, and which is worth showing. And one in full: the segments of global
// memory that it touches, with the lanes that asked; or the banks of shared memory as columns, a row a pass.
#include <map>
#include <set>

#include "app/kit/strip.hpp"
#include "app/views/memory/view.hpp"
#include "instrumentation/counters/counters.hpp"
#include "instrumentation/text.hpp"

namespace warptree::scene {
namespace {

constexpr std::uint32_t kHalfWarp = 16;

std::uint32_t half_of(const Subject& s, std::uint32_t row) {
    if (value::size_bytes(s.trace.value.type()) <= 4) return 0;
    return s.trace.thread[row] % s.trace.launch.warp_size / kHalfWarp;
}

constexpr float kMostLane = 64, kNumberedLanes = 26;  // from that height on, narrow lanes are numbered above them

constexpr float kApart = 3;  // at most, between lanes, cells or words

/// What keeps neighbouring cells apart.
float apart(float pitch) {
    return std::min(kApart, gap_of(pitch));
}

/// The warp's lanes in a row: those that ask, and those that wait meanwhile.
/// widest   of a lane's pitch
/// returns  where they stand: of a whole warp
Strip draw_lane_row(const MemoryContext& c, Box row, float widest) {
    const std::size_t first = c.shown.warp * c.warp_size(),
                      end = std::min<std::size_t>(first + c.warp_size(), c.trace().launch.block);
    const float width = std::min(widest * c.warp_size(), row.w);
    Strip strip = strip_in({row.centre().x - width / 2, row.y, width, row.h}, c.warp_size(), kApart);
    std::vector<LaneState> states(end - first, LaneState::kDiverged);
    for (const std::uint32_t r : c.shown.rows) states[c.trace().thread[r] - first] = LaneState::kActive;
    if (strip.number_size(c.pen, end) == 0 && row.h >= kNumberedLanes) {  // some have room above
        cut_top(strip.box, kIndex);
        draw_numbers(c.pen, strip, row.y + 4, {0, states.size()}, end - 1, first, row.inset(-kPad));
    }
    const std::size_t step = c.trace().step[c.shown.rows.front()];
    const auto id = [&](std::size_t thread, std::size_t last) {
        return last == thread + 1 ? lane_id(step, thread) : warp_id(step, c.shown.warp);
    };
    draw_lanes(c.pen, strip, {states, first, end, id, 1, false});
    return strip;
}
/// The lower middle of a thread's lane, from where its wire leads.
Vec below(const Strip& lanes, std::size_t thread) {
    return {lanes.middle(thread % lanes.count), lanes.box.bottom() + 2};
}

void draw_wire(const MemoryContext& c, Vec from, Vec to, bool wrong) {
    const Ink ink{wrong ? kDivergent : c.role(), 0.85f};
    c.pen.add(edge_curve(from, to, ink, 1.6f, eased(c.at.progress / 0.7f)));
}

/// The segments that an access touches beside one another, and the cells that it asks for.
struct Segments {
    std::uint32_t per_segment, per_sector, width;  // cells; width: of one lane's
    std::uint8_t array;
    std::set<std::uint32_t> cells{};
    std::map<std::uint32_t, std::size_t> places{};  // by number
    Box row{};
    float segment = 0, gap = 0, cell = 0;
    float left(std::uint32_t index) const {
        return row.x + places.at(index / per_segment) * (segment + gap) + cell * (index % per_segment);
    }
    std::uint32_t first_of(std::uint32_t index) const { return index / width * width; }
};

Segments segments_of(const MemoryContext& c, Box row) {
    const std::uint32_t size = c.element_bytes();
    const trace::Site& site = c.trace().sites[c.shown.site];
    Segments s{counters::kSegmentBytes / size, counters::kSectorBytes / size, site.width, site.array};
    for (const std::uint32_t r : c.shown.rows)
        for (std::uint32_t i = 0; i < s.width; ++i) s.cells.insert(s.first_of(c.trace().index[r]) + i);
    for (const std::uint32_t cell : s.cells) s.places.try_emplace(cell / s.per_segment, s.places.size());
    const std::size_t count = s.places.size();
    s.row = row;
    s.gap = count <= 4 ? 18 : count <= 12 ? 8 : 4;
    s.segment = std::min(row.w, (row.w - (count - 1.0f) * s.gap) / count);
    s.cell = s.segment / s.per_segment;
    return s;
}

/// A sector: moved whole if one byte of it is asked for; of cells too small to tell apart, the share that is used.
void draw_sector(const MemoryContext& c, const Segments& s, std::uint32_t first, bool numbers) {
    const std::uint32_t end = first + s.per_sector;
    const auto used = std::distance(s.cells.lower_bound(first), s.cells.lower_bound(end));
    const float w = s.cell * s.per_sector;
    const Box box{s.left(first), s.row.y, w - apart(w), s.row.h};
    const Id id = pack({Target::Kind::kSegment, 0, s.array, first / s.per_segment * s.per_segment});
    const auto outline = [](Box of) { return of.w <= 5 ? 0.0f : 1.2f; };
    const auto radius = [](Box of) { return std::min(4.0f, 0.2f * of.w); };
    if (used == 0) return c.pen.framed(box, {kRaised, 0.5f}, {kLine}, outline(box), radius(box), id);
    if (s.cell < 3) {
        const float h = box.h * used / s.per_sector;
        c.pen.hatched(box, {c.role(), 0.75f}, outline(box), radius(box), id);
        return c.pen.fill({box.x, box.bottom() - h, box.w, h}, {c.role()}, 0, id);
    }
    c.pen.spot(box, id);
    for (std::uint32_t cell = first, next = first; cell < end; cell = next) {
        const bool asked = s.cells.contains(cell);
        do ++next;
        while (!asked && next < end && !s.cells.contains(next));  // those that nobody asked for as one
        const Box part{s.left(cell), s.row.y, s.cell * (next - cell) - apart(s.cell), s.row.h};
        c.pen.mark(part, {c.role(), asked ? 1.0f : 0.75f}, asked ? kSolid : kHatched, outline(part), radius(part), id);
        if (asked && numbers)
            c.pen.put(part.centre(), std::to_string(cell), {kMonoBold, kIndex, {c.on_role()}}, kCentre, id);
    }
}

constexpr float kPassName = 64, kBankRow = 22, kRemark = 28;

struct BankGrid {
    Strip banks;  // as high as all passes
    float row = 0;
    std::uint64_t passes = 1;
    std::size_t span = 1;  // banks that an element covers
    float text = 0;        // size of the words' indices; 0: no room for the longest, so for none
    Box cell(const BankWord& w) const {
        const Box all = banks.cells(w.bank, w.bank + span);
        return {all.x, all.y + row * w.pass, all.w, row - apart(row)};
    }
};

/// The index of the element, or how many lanes share it.
std::string label_of(const MemoryContext& c, const BankWord& word) {
    return word.rows.size() > 1 ? fmt::format("×{}", word.rows.size())
                                : std::to_string(c.trace().index[word.rows.front()]);
}

void draw_word(const MemoryContext& c, const BankGrid& g, const BankWord& word) {
    const Box box = g.cell(word);
    const std::uint32_t row = word.rows.front();
    const Id id = cell_id(c.trace().step[row] + 1, c.trace().array(row), c.trace().index[row]);
    c.pen.mark(box, {word.first ? c.role() : kDivergent}, word.first ? kSolid : kHatched, box.h > 6 ? 1.2f : 0.0f,
               std::min({4.0f, 0.2f * box.w, 0.2f * box.h}), id);
    if (g.text == 0 || box.h < g.text + 2) return;
    const std::string text = label_of(c, word);
    const float width = c.pen.width(text, kMonoBold, g.text) + 2;
    if (!word.first) c.pen.fill({box.centre().x - width / 2, box.y + 1, width, box.h - 2}, {kPanel, 0.8f}, 3, id);
    c.pen.put(box.centre(), text, {kMonoBold, g.text, {word.first ? c.on_role() : kOnDivergent}}, kCentre, id);
}

/// Grounds and numbers of the banks, names of the passes.
void draw_frame(const MemoryContext& c, const BankGrid& g) {
    const Box area = g.banks.box;
    const float below = area.bottom() + 12, left = area.x - 10;
    for (std::size_t bank = 0; bank < counters::kBanks; ++bank) c.pen.fill(g.banks.cell(bank), {kRaised, 0.6f}, 3);
    draw_numbers(c.pen, g.banks, below, {0, counters::kBanks}, counters::kBanks - 1, 0, area.inset(-kPad));
    for (std::uint64_t pass = 0, every = std::ceil(17 / g.row); pass < g.passes; pass += every)
        c.pen.line({left, area.y + g.row * (pass + 0.45f)}, fmt::format("pass {}", pass + 1), kFine, kPassName - 8,
                   kRight, word_id(Word::kPass));
    c.pen.line({left, below}, "bank", kFine, kPassName - 8, kRight, word_id(Word::kBank));
}

std::string sentence(const MemoryAccess& access, std::size_t words) {
    const std::size_t lanes = access.rows.size();
    if (words == 1 && lanes > 1) return fmt::format("{} lanes want one word: a broadcast, one pass.", lanes);
    if (words == 1) return "One lane wants one word: one pass, no conflict.";
    if (access.passes == 1) return fmt::format("{} in as many banks: one pass, no conflict.", counted(words, "word"));
    if (access.conflicts == 0)
        return "Elements of 8 bytes: each half of the warp takes a pass of its own; no conflict.";
    return fmt::format("Words in one bank are served one after the other: {} passes, {}.", access.passes,
                       counted(access.conflicts, "conflict"));
}

}  // namespace

std::vector<MemoryAccess> memory_accesses(const Subject& s, Playhead at) {
    if (!at.has_step() || at.step() >= s.steps()) return {};
    std::vector<counters::Access> accesses;
    for (counters::Access& access : counters::accesses(s.trace, s.block, at.step())) {
        const trace::Site& site = s.trace.sites[access.site];  // another block's memory has neither segments nor banks
        if (site.kind != trace::Kind::kShuffle && !site.remote) accesses.push_back(std::move(access));
    }
    std::ranges::stable_sort(accesses, {}, &counters::Access::site);
    const auto costs = counters::access_costs(s.trace, accesses);
    std::vector<MemoryAccess> all;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const counters::Counters& cost = costs[i];
        const trace::Site& site = s.trace.sites[accesses[i].site];
        const bool ticket = site.kind == trace::Kind::kTicket || site.array == trace::Site::kNoArray;
        const bool reads = site.kind == trace::Kind::kRead, writes = site.kind == trace::Kind::kWrite;
        MemoryAccess one{std::move(accesses[i]), site.kind, reads ? "reads " : writes ? "writes " : "adds to "};
        one.words = ticket ? "draws a ticket" : one.words + s.trace.arrays[site.array].name;
        one.shared = cost.shared_ld.requests + cost.shared_st.requests > 0;
        for (const counters::Global& part : {cost.global_ld, cost.global_st, cost.global_red, cost.global_atom})
            one.global += part;
        std::set<std::uint32_t> halves;
        for (const std::uint32_t row : one.rows) halves.insert(half_of(s, row));
        one.conflicts = cost.shared_ld.conflicts + cost.shared_st.conflicts;
        one.passes = one.conflicts + halves.size();
        const std::uint64_t needed = (one.global.bytes + counters::kSectorBytes - 1) / counters::kSectorBytes;
        one.excess = one.shared ? one.conflicts : one.global.sectors - std::min(one.global.sectors, needed);
        all.push_back(std::move(one));
    }
    return all;
}

std::size_t shown_access(const std::vector<MemoryAccess>& all, const MemoryChoice& choice) {
    const auto chosen = std::ranges::find_if(all, [&](const MemoryAccess& one) {
        return choice.made && one.site == choice.site && one.warp == choice.warp;
    });
    const auto shown = chosen != all.end() ? chosen : std::ranges::max_element(all, {}, &MemoryAccess::excess);
    return shown - all.begin();
}

std::vector<BankWord> bank_words(const Subject& s, const MemoryAccess& access) {
    const std::uint32_t size = value::size_bytes(s.trace.value.type());
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> words;  // (half, first word)
    for (const std::uint32_t row : access.rows) words[{half_of(s, row), s.trace.index[row] * size / 4}].push_back(row);
    std::vector<BankWord> out;
    std::uint32_t first_pass = 0, used[counters::kBanks] = {}, half = 0;
    for (auto& [key, rows] : words) {
        if (key.first != half) {  // the other half of the warp begins after the last pass of this
            first_pass = *std::ranges::max_element(used);
            std::ranges::fill(used, first_pass);
            half = key.first;
        }
        const std::uint32_t bank = key.second % counters::kBanks, pass = used[bank]++;
        out.push_back({bank, pass, pass == first_pass, std::move(rows)});
    }
    return out;
}

std::string text_of(const MemoryChoice& choice) {
    return choice.made ? fmt::format("{}/{}", choice.site, choice.warp) : "";
}

MemoryChoice access_of(const std::string& text) {
    const std::string_view all = text, before = all.substr(0, all.find('/')), after = all.substr(all.find('/') + 1);
    const auto site = number_in<std::uint16_t>(before);
    const auto warp = number_in<std::uint32_t>(after);
    return site && warp ? MemoryChoice{true, *site, *warp} : MemoryChoice();
}

MemoryChoice choice_of(const Subject& s, Playhead at, const Target& target) {
    const auto all = memory_accesses(s, at);
    if (target.kind != Target::Kind::kAccess || target.index >= all.size()) return {};
    return {true, all[target.index].site, all[target.index].warp};
}

std::vector<std::string> access_story(const Subject& s, Playhead at, const Target& target) {
    const auto all = memory_accesses(s, at);
    if (target.kind != Target::Kind::kAccess || target.index >= all.size()) return {};
    const MemoryAccess& one = all[target.index];
    return said({fmt::format("Warp {} {}, line {}, with {}", one.warp, one.words, s.trace.sites[one.site].line,
                             counted(one.rows.size(), "lane")),
                 one.shared ? fmt::format("{} over the 32 banks, {}", counted(one.passes, "pass", "passes"),
                                          counted(one.conflicts, "conflict"))
                            : fmt::format("{}, {}", counted(one.global.segments, "segment"),
                                          counted(one.global.sectors, "sector")),
                 one.shared ? "" : moved_text(one.global.bytes, one.moved_bytes()), "Click to see it"});
}

void draw_segments(const MemoryContext& c, Box box) {
    if (c.trace().sites[c.shown.site].array == trace::Site::kNoArray)
        return say(c.pen, {box.x, box.y + 8, box.w, box.h},
                   "An atomic on a counter of the grid's: one request, whoever asks.", kSaid);
    const float use = box.h >= 190 ? 56 : 0, cell = std::clamp(0.2f * box.h, 22.0f, 60.0f);
    const Strip lanes = draw_lane_row(c, {box.x, box.y, box.w, std::clamp(0.12f * box.h, 22.0f, 36.0f)}, kMostLane);
    const Segments s = segments_of(c, {box.x, box.bottom() - use - 30 - cell, box.w, cell});
    for (const std::uint32_t row : c.shown.rows)
        draw_wire(c, below(lanes, c.trace().thread[row]),
                  {s.left(s.first_of(c.trace().index[row])) + 0.42f * s.cell * s.width, s.row.y - 2}, false);
    const std::string widest(std::to_string(*s.cells.rbegin()).size(), '0');  // cells are all numbered, or none
    const bool numbers = c.pen.width(widest, kMonoBold, kIndex) <= s.cell - 4;
    for (const auto& [number, place] : s.places)
        for (std::uint32_t i = 0; i < s.per_segment; i += s.per_sector)
            draw_sector(c, s, number * s.per_segment + i, numbers);
    const std::string& array = c.trace().arrays[s.array].name;
    const float y = s.row.bottom() + 16;
    if (s.segment < 190)
        c.pen.line(
            {s.row.x, y},
            fmt::format("{} of 128 bytes, {} cells each, from {}[{}] to {}[{}]", counted(s.places.size(), "segment"),
                        s.per_segment, array, *s.cells.begin(), array, *s.cells.rbegin()),
            kFine, s.row.w);
    for (const auto& [number, place] : s.places)
        if (s.segment >= 190)
            c.pen.line({s.left(number * s.per_segment), y},
                       fmt::format("segment {}: from {}[{}]", number, array, number * s.per_segment), kFine,
                       s.segment - 6);
    const std::uint64_t used = c.shown.global.bytes, moved = c.shown.moved_bytes();
    if (use == 0 || moved == 0) return;
    const Box bar{box.x, box.bottom() - use + 6, box.w, 14};
    c.pen.hatched(bar, {c.role(), 0.75f}, 1.2f, 3, word_id(Word::kNotUsed));
    c.pen.fill({bar.x, bar.y, bar.w * used / moved, bar.h}, {c.role()}, 3, word_id(Word::kBytesUsed));
    c.pen.line({bar.x, bar.y + 30}, moved_text(used, moved), kEntry, bar.w);
}

void draw_banks(const MemoryContext& c, Box box) {
    const std::vector<BankWord> words = bank_words(c.s, c.shown);
    const float lane_h = std::clamp(0.12f * box.h, 22.0f, 36.0f), room = box.h - lane_h - kBankRow - kRemark;
    const float least = std::clamp(0.34f * room, 20.0f, 130.0f);  // of the wires
    BankGrid g;
    g.passes = std::max<std::uint64_t>(1, c.shown.passes);
    g.span = c.element_bytes() == 8 ? 2 : 1;
    g.row = std::min(40.0f, (room - least) / g.passes);
    const float wires = std::clamp(room - g.row * g.passes, least, 300.0f);
    std::size_t longest = 0;  // a label's letters
    for (const BankWord& w : words) longest = std::max(longest, label_of(c, w).size() - (w.rows.size() > 1 ? 1 : 0));
    const Box area{box.x + kPassName, box.y + lane_h + wires, box.w - kPassName, g.row * g.passes};
    g.banks = strip_in(area, counters::kBanks, kApart);
    g.text = fitting_size(c.pen, std::string(longest, '0'), kMonoBold, kLeast, kIndex, g.banks.cells(0, g.span).w - 1);
    const Strip lanes = draw_lane_row(c, {area.x, box.y, area.w, lane_h},
                                      c.warp_size() == counters::kBanks ? area.w / counters::kBanks : kMostLane);
    draw_frame(c, g);
    for (const BankWord& w : words)
        for (const std::uint32_t row : w.rows)
            draw_wire(c, below(lanes, c.trace().thread[row]), {g.cell(w).centre().x, g.cell(w).y - 1}, !w.first);
    for (const BankWord& w : words) draw_word(c, g, w);
    c.pen.line({box.x, area.bottom() + kBankRow + kRemark / 2}, sentence(c.shown, words.size()), kEntry, box.w);
}

}  // namespace warptree::scene
