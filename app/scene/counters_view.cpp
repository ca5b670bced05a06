// The cost so far: efficiency, the book against the measurement, memory, and what each step counted.
#include "app/scene/counters_parts.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "app/study/words.hpp"
#include "kernels/measured.hpp"

namespace warptree::scene {
namespace {

constexpr float kNumberColumn = 84;               // each of the two columns of numbers, usually
constexpr std::uint64_t kMostNarrow = 1'000'000;  // numbers below are shrunk to fit such a column
constexpr float kBriefEfficiency = 96, kTableHead = 20;

void efficiency_bar(const CountersContext& c, const study::Useful& useful, Box box) {
    const float used = box.w * static_cast<float>(useful.efficiency());
    if (useful.slots == 0) {
        c.pen.framed(box, {Role::kRaised}, {Role::kLine}, 1, 4);
        return;
    }
    c.pen.fill({box.x, box.y, used, box.h}, {Role::kActive}, 4);
    if (box.w - used < 4) return;
    c.pen.add(Rect{.box = {box.x + used + 2, box.y, box.w - used - 2, box.h},
                   .ink = {Role::kDivergent},
                   .fill = Fill::kHatched,
                   .radius = 4,
                   .outline = {Role::kDivergent},
                   .outline_width = 1.4f});
}

/// "4e 34.6 %, 5e 29.5 %": what the book gives for the whole kernel; "" where it gives nothing.
std::string book_efficiency(const Book& book) {
    std::string text;
    for (const textbook::Form& form : book.forms()) {
        if (form.quantity != "efficiency" || form.note_only() || !book.shows(form)) continue;
        const std::size_t space = form.edition.rfind(' ');
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                            form.edition.substr(space == std::string::npos ? 0 : space + 1), percent(form.value));
    }
    return text;
}

std::string slots_sentence(const Subject& s, const study::Useful& useful) {
    if (s.on_host()) return "the CPU pays no slots";
    if (useful.slots == 0) return "no slot of a step that adds is spent yet";
    const std::uint64_t idle = useful.slots - std::min(useful.operations, useful.slots);
    return fmt::format("{} in {}, {}", counted(useful.operations, useful.known ? "useful operation" : "operation"),
                       counted(useful.slots, "slot"),
                       !useful.known ? "useful or not"
                       : idle == 0   ? "none wasted"
                                     : grouped(idle) + " wasted");
}

/// "255 / 864 = 29.5 %".
std::string fraction(std::uint64_t operations, std::uint64_t slots) {
    return fmt::format("{} / {} = {}", grouped(operations), grouped(slots),
                       percent(static_cast<double>(operations) / static_cast<double>(slots)));
}

/// The whole launch, and, where those are others, the figures of the tree's steps alone, which books count by.
std::vector<std::pair<std::string, std::string>> whole_kernel(const Subject& s) {
    const study::Useful useful = s.useful_up_to(s.steps());
    const counters::Counters& tree = s.summary.tree;
    std::vector<std::pair<std::string, std::string>> rows{
        {"whole kernel", useful.slots == 0 ? "no slot that adds" : fraction(useful.operations, useful.slots)}};
    if (tree.consumed_slots > 0 && (tree.operations != useful.operations || tree.consumed_slots != useful.slots))
        rows.push_back({"as books count", fraction(tree.operations, tree.consumed_slots)});
    return rows;
}

/// What the panel would say with less and less detail.
constexpr Detail kDetails[] = {{true, true, true, true, true},
                               {false, true, true, true, true},
                               {false, false, true, true, true},
                               {false, false, false, true, true},
                               {false, false, false, false, true}};

/// What is said where not even that fits: efficiency and one table, as long as the room.
Detail brief(float height) {
    const float rows = (height - kBriefEfficiency - kRule - kTableHead) / kRow;
    return {false, false, false, false, false, std::clamp(static_cast<int>(rows), 2, 8)};
}

/// A green tick, as wide as a small letter.
void tick(Pen& pen, Vec at) {
    const auto stroke = [&](Vec from, Vec to) {
        pen.add(
            Curve{.from = from, .control_a = from, .control_b = to, .to = to, .ink = {Role::kSegment}, .width = 2.5f});
    };
    stroke({at.x - 6, at.y}, {at.x - 2, at.y + 4});
    stroke({at.x - 2, at.y + 4}, {at.x + 6, at.y - 5});
}

float total_height(const std::vector<Section>& sections) {
    float height = kRule * static_cast<float>(sections.size() - 1);
    for (const Section& section : sections) height += section.height;
    return height;
}

std::vector<Section> sections_of(const CountersContext& c, const Detail& detail) {
    std::vector<Section> sections;
    if (Section badge = result_section(c); badge.height > 0) sections.push_back(std::move(badge));
    sections.push_back(efficiency_section(c, detail));
    if (detail.book && c.tells_all() && !c.book.forms().empty()) sections.push_back(book_section(c, detail));
    if (detail.whole) sections.push_back(memory_section(c, detail));
    sections.push_back(table_section(c, detail));
    return sections;
}

}  // namespace

/// The width of each column of numbers: wide enough for the largest of the whole run.
float number_column(const CountersContext& c) {
    const counters::Counters& all = c.subject.summary.totals;
    using namespace counters;
    const std::uint64_t most = std::max({kConsumedSlots(all), kActiveThreads(all), kRequests(all), kSectors(all),
                                         kSharedRequests(all), kBankConflicts(all), kBlockBarriers(all)});
    const float needed = c.pen.width(grouped(most), Face::kMono, 18) + 18;
    return most < kMostNarrow ? kNumberColumn : std::clamp(needed, kNumberColumn, 0.34f * c.width);
}

void table_head(const CountersContext& c, std::string_view title, float y) {
    const float right = c.x + c.width, column = number_column(c);
    c.pen.line({c.x, y}, title, {Face::kSansBold, 17, {Role::kText}}, c.width - 2 * column - 8);
    c.pen.line({right - column, y}, "step", kFine, column - 8, Align::kRight);
    c.pen.line({right, y}, "so far", kFine, column - 8, Align::kRight);
}

void table_row(const CountersContext& c, const Cells& cells, float y) {
    const float right = c.x + c.width, column = number_column(c);
    const float gap = column > kNumberColumn ? 8 : 22;  // before the numbers of the step
    const float names = c.width - 2 * column + gap - 8;
    const float used = c.pen.line({c.x, y}, cells.name, {Face::kSans, 17, {Role::kText}}, names);
    const float left = names - used - 12;
    if (!cells.remark.empty() && c.pen.width(cells.remark, Face::kSans, kLeast) <= left) {
        c.pen.line({c.x + used + 12, y}, cells.remark, kFine, left);
    }
    c.pen.line({right - column, y}, cells.step, {Face::kMonoBold, 18, {cells.role}}, column - gap, Align::kRight);
    c.pen.line({right, y}, cells.so_far, {Face::kMono, 18, {cells.role}}, column - 8, Align::kRight);
}

Section efficiency_section(const CountersContext& c, const Detail& detail) {
    const bool whole = detail.whole && c.tells_all();
    auto rows = whole ? whole_kernel(c.subject) : std::vector<std::pair<std::string, std::string>>{};
    if (const std::string book = whole ? book_efficiency(c.book) : std::string(); !book.empty())
        rows.push_back({"in the book", book});
    const auto draw = [&c, rows](float top) {
        const study::Useful useful = c.subject.useful_up_to(c.at.position);
        const float right = c.x + c.width;
        const std::string share = useful.slots == 0 ? std::string("–") : percent(useful.efficiency());
        const float used =
            c.pen.line({right, top + 18}, share, {Face::kMonoBold, 40, {Role::kText}}, 0.6f * c.width, Align::kRight);
        c.pen.line({c.x, top + 18}, "Efficiency", {Face::kSans, 20, {Role::kText}}, c.width - used - 12);
        efficiency_bar(c, useful, {c.x, top + 46, c.width, 20});
        std::string slots = slots_sentence(c.subject, useful);  // without what is wasted where there is no room for it
        if (c.pen.width(slots, Face::kSans, kLeast) > c.width) slots = slots.substr(0, slots.rfind(", "));
        c.pen.line({c.x, top + 86}, slots, {Face::kSans, kSmall, {Role::kText}}, c.width);
        float y = top + 112;
        for (const auto& [name, figures] : rows) {
            const Role role = name == "whole kernel" ? Role::kText : Role::kBook;
            const float number =
                c.pen.line({right, y}, figures, {Face::kMono, kSmall, {role}}, c.width - 110, Align::kRight);
            c.pen.line({c.x, y}, name, kDim, c.width - number - 12);
            y += 26;
        }
    };
    return {kBriefEfficiency + 26 * static_cast<float>(rows.size()), 0, draw};
}

/// What the table ends with: that the warp is a teaching one, or that a GPU counted the same.
std::string table_note(const trace::Launch& launch) {
    if (launch.warp_size != 32) return fmt::format("Teaching warp of {} lanes; CUDA has 32.", launch.warp_size);
    const auto check = kernels::hardware_check(launch);
    if (!check) return "";
    const auto is_model = [](char c) { return c >= '0' && c <= '9'; };
    std::string device = check->device;  // "NVIDIA H100 80GB HBM3": the word with the number is enough here
    std::istringstream words(check->device);
    for (std::string word; words >> word;)
        if (word.size() > 1 && std::ranges::any_of(word, is_model)) {
            device = word;
            break;
        }
    const std::string when = fmt::format("{}, {}", device, check->date);
    if (check->equal == check->figures) return fmt::format("Equal to hardware: {}", when);
    return fmt::format("{} of {} equal to hardware: {}", check->equal, check->figures, when);
}

Section table_section(const CountersContext& c, const Detail& detail) {
    const std::string note = detail.whole ? table_note(c.subject.trace.launch) : "";
    const auto draw = [&c, note, detail](float top) {
        const bool some = c.has_step();
        const counters::Counters step = some ? c.step() : counters::Counters{}, sum = c.so_far();
        float y = top + 10;
        int left = detail.rows;
        table_head(c, c.subject.trace.launch.grid > 1 ? "Counted, all blocks" : "Counted", y);
        const auto row = [&](const counters::Quantity& of, const std::string& remark = "") {
            if (left-- <= 0) return;
            y += kRow;
            table_row(c, {std::string(of.name), remark, some ? grouped(of(step)) : "–", some ? grouped(of(sum)) : "–"},
                      y);
        };
        row(counters::kActiveThreads);
        row(counters::kActiveWarps);
        row(counters::kDivergentWarps);
        if (!detail.whole) row(counters::kSegments);
        const std::uint64_t moving = sum.consumed_slots - c.subject.useful_up_to(c.at.position).slots;
        row(counters::kConsumedSlots,
            moving == 0 || c.subject.on_host() ? "" : fmt::format("{} only move data", grouped(moving)));
        row(counters::kBlockBarriers,
            sum.cluster_barriers == 0 ? "" : fmt::format("+ {} of clusters", grouped(sum.cluster_barriers)));
        if (!detail.whole) row(counters::kRequests);
        if (!detail.whole) row(counters::kSectors);
        if (note.empty()) return;
        const bool measured = c.subject.trace.launch.warp_size == 32;
        if (measured) tick(c.pen, {c.x + 7, y + kRow - 1});
        const float inset = measured ? 22.0f : 0.0f;
        c.pen.line({c.x + inset, y + kRow - 1}, note, {Face::kSans, 15, {Role::kTextDim}}, c.width - inset,
                   Align::kLeft, measured ? pack({.kind = Target::Kind::kHardware}) : 0);
    };
    return {kTableHead + static_cast<float>(detail.rows) * kRow + (note.empty() ? 0.0f : kRow - 1), 1, draw};
}

Scene counters_view(const Subject& s, Playhead at, Box box, const Measure& measure, const Target& hover,
                    const std::string& edition) {
    Scene scene;
    if (box.w <= 0 || box.h <= 0) return scene;
    Pen pen(scene, measure);
    panel_ground(pen, box);
    const std::string steps =
        at.has_step() ? fmt::format("step {} of {}", at.position, s.steps()) : fmt::format("{} steps", s.steps());
    const bool alone = s.run().launches.size() == 1;
    panel_title(pen, box, "Cost so far", alone ? steps : fmt::format("launch {}, its {}", s.launch + 1, steps));
    const Book book(s, edition);
    const Box inside{box.x + kPad, box.y + kTitleHeight, box.w - 2 * kPad, box.h - kTitleHeight - 16};
    const CountersContext context{s, book, at, pen, inside.x, inside.w, hover};
    std::vector<Section> sections;
    for (const Detail& detail : kDetails) {
        sections = sections_of(context, detail);
        if (total_height(sections) <= inside.h) break;
    }
    if (total_height(sections) > inside.h) sections = sections_of(context, brief(inside.h));
    stack(pen, std::move(sections), inside, 36);
    return scene;
}

}  // namespace warptree::scene
