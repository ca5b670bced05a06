// Shared memory: 32 banks as columns; the words that lanes ask of one bank stack up, a pass each.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/memory_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kPassName = 64, kBankRow = 22, kRemark = 28;

struct Grid {
    Box area;
    float pitch = 0, row = 0;
    std::uint32_t passes = 1;
    float span = 1;  // banks that an element covers
    float text = 0;  // size of the words' indices; 0: no room for the longest, so for none
    Box cell(const BankWord& w) const {
        const float gap = pitch > 12 ? 3.0f : 1.0f;
        return {area.x + pitch * static_cast<float>(w.bank), area.y + row * static_cast<float>(w.pass),
                pitch * span - gap, row - (row > 14 ? 3.0f : 1.0f)};
    }
};

/// The index of the element, or how many lanes share it.
std::string label_of(const trace::Trace& t, const BankWord& word) {
    return word.rows.size() > 1 ? fmt::format("×{}", word.rows.size()) : fmt::format("{}", t.index[word.rows.front()]);
}

/// The largest letters in which every word's label has room; 0: there are none.
float text_size(const MemoryContext& c, const Grid& g, const std::vector<BankWord>& words) {
    std::size_t longest = 0;
    for (const BankWord& w : words) {
        const std::string text = label_of(c.subject().trace, w);
        longest = std::max(longest, text.size() - (text.starts_with("×") ? 1 : 0));
    }
    const float room = g.pitch * g.span - (g.pitch > 12 ? 3.0f : 1.0f) - 1;
    return fitting_size(c.pen, std::string(longest, '0'), Face::kMonoBold, kLeast, kIndex, room);
}

void draw_word(const MemoryContext& c, const Grid& g, const BankWord& word, bool first_of_half) {
    const Box box = g.cell(word);
    const trace::Trace& t = c.subject().trace;
    const std::uint32_t row = word.rows.front();
    const Id id = cell_id(t.step[row] + 1, t.array(row), t.index[row]);
    c.pen.mark(box, {first_of_half ? c.role() : Role::kDivergent}, first_of_half ? Fill::kSolid : Fill::kHatched,
               box.h > 6 ? 1.2f : 0.0f, std::min({4.0f, 0.2f * box.w, 0.2f * box.h}), id);
    if (g.text == 0 || box.h < g.text + 2) return;
    const std::string text = label_of(t, word);
    const float width = c.pen.width(text, Face::kMonoBold, g.text);
    if (!first_of_half)
        c.pen.fill({box.centre().x - width / 2 - 1, box.y + 1, width + 2, box.h - 2}, {Role::kPanel, 0.8f}, 3, id);
    c.pen.put(box.centre(), text, {Face::kMonoBold, g.text, {first_of_half ? c.on_role() : Role::kOnDivergent}},
              Align::kCentre, id);
}

/// Grounds and numbers of the banks, names of the passes.
void draw_frame(const MemoryContext& c, const Grid& g) {
    for (std::uint32_t bank = 0; bank < counters::kBanks; ++bank) {
        const float x = g.area.x + g.pitch * static_cast<float>(bank);
        c.pen.fill({x, g.area.y, g.pitch - (g.pitch > 12 ? 3.0f : 1.0f), g.row * static_cast<float>(g.passes)},
                   {Role::kRaised, 0.6f}, 3);
        const std::uint32_t every = g.pitch >= 22 ? 1 : g.pitch >= 11 ? 2 : 4;
        if (bank % every != 0) continue;
        c.pen.put({x + 0.45f * g.pitch, g.area.y + g.row * static_cast<float>(g.passes) + 12}, fmt::format("{}", bank),
                  {Face::kMono, kIndex, {Role::kTextDim}}, Align::kCentre);
    }
    const auto every = static_cast<std::uint32_t>(std::ceil(17 / g.row));
    for (std::uint32_t pass = 0; pass < g.passes; pass += every) {
        c.pen.line({g.area.x - 10, g.area.y + g.row * (static_cast<float>(pass) + 0.45f)},
                   fmt::format("pass {}", pass + 1), kFine, kPassName - 8, Align::kRight);
    }
    c.pen.line({g.area.x - 10, g.area.y + g.row * static_cast<float>(g.passes) + 12}, "bank", kFine, kPassName - 8,
               Align::kRight);
}

std::string sentence(const MemoryContext& c, const std::vector<BankWord>& words) {
    const std::uint64_t conflicts = c.accesses.conflicts(c.shown), passes = c.accesses.passes(c.shown);
    const std::size_t lanes = c.accesses.access(c.shown).rows.size();
    if (words.size() == 1 && lanes > 1) return fmt::format("{} lanes want one word: a broadcast, one pass.", lanes);
    if (words.size() == 1) return "One lane wants one word: one pass, no conflict.";
    if (conflicts == 0 && passes == 1)
        return fmt::format("{} in as many banks: one pass, no conflict.", counted(words.size(), "word"));
    if (conflicts == 0) return "Elements of 8 bytes: each half of the warp takes a pass of its own; no conflict.";
    return fmt::format("Words in one bank are served one after the other: {} passes, {}.", passes,
                       counted(conflicts, "conflict"));
}

}  // namespace

void draw_banks(const MemoryContext& c, Box box) {
    const std::vector<BankWord> words = bank_words(c.accesses, c.shown);
    const trace::Trace& t = c.subject().trace;
    Grid g;
    g.passes = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, c.accesses.passes(c.shown)));
    g.span = c.element_bytes() == 8 ? 2.0f : 1.0f;
    g.pitch = (box.w - kPassName) / static_cast<float>(counters::kBanks);
    const float lane_h = std::clamp(0.12f * box.h, 22.0f, 36.0f);
    const float room = box.h - lane_h - kBankRow - kRemark;
    float wires = std::clamp(0.34f * room, 20.0f, 130.0f);
    g.row = std::min(40.0f, (room - wires) / static_cast<float>(g.passes));
    wires = std::clamp(room - g.row * static_cast<float>(g.passes), wires, 300.0f);
    g.text = text_size(c, g, words);
    g.area = {box.x + kPassName, box.y + lane_h + wires, box.w - kPassName, g.row * static_cast<float>(g.passes)};
    const LaneRow lanes =
        draw_lane_row(c, {g.area.x, box.y, g.area.w, lane_h}, t.launch.warp_size == counters::kBanks ? g.pitch : 64);
    draw_frame(c, g);
    // The halves of a warp with 8-byte elements have a first pass each
    std::uint32_t second = g.passes;
    for (const BankWord& w : words) {
        const bool upper =
            c.element_bytes() == 8 && t.thread[w.rows.front()] % t.launch.warp_size >= counters::kBanks / 2;
        if (upper) second = std::min(second, w.pass);
    }
    for (const BankWord& w : words) {
        const bool first = w.pass == 0 || w.pass == second;
        const Box cell = g.cell(w);
        for (const std::uint32_t row : w.rows) {
            draw_wire(c, {lanes.middle(t.thread[row] % t.launch.warp_size), lanes.bottom + 2},
                      {cell.centre().x, cell.y - 1}, !first);
        }
    }
    for (const BankWord& w : words) draw_word(c, g, w, w.pass == 0 || w.pass == second);
    c.pen.line({box.x, g.area.bottom() + kBankRow + kRemark / 2}, sentence(c, words), kEntry, box.w);
}

}  // namespace warptree::scene
