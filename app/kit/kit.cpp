// The kit's parts: what fits is drawn, the rest gives way.
#include "app/kit/kit.hpp"

#include <numeric>

namespace warptree::scene {

Shown shown_about(std::size_t at, std::size_t all, float room, float each) {
    const auto fitting = std::clamp<std::size_t>(std::max(0.0f, room / each), 1, all);
    const std::size_t first = std::min(at > fitting / 2 ? at - fitting / 2 : 0, all - fitting);
    return {first, first + fitting};
}

std::vector<Box> stacked(std::vector<Section> sections, Box inside, float loose) {
    std::vector<bool> in(sections.size());
    const auto total = [&] {
        float height = 0, above = 0;
        for (std::size_t i = 0; i < sections.size(); ++i)
            if (in[i]) height += sections[i].height + std::exchange(above, 1.0f) * sections[i].above;
        return height;
    };
    std::vector<std::size_t> by_rank(sections.size());
    std::iota(by_rank.begin(), by_rank.end(), 0);
    std::ranges::stable_sort(by_rank, {}, [&](std::size_t i) { return sections[i].rank; });
    for (const std::size_t i : by_rank) {
        std::size_t head = i;  // of the parts that belong together
        while (head > 0 && sections[head].above == 0) --head;
        in[i] = head == i || in[head];
        Section& one = sections[i];
        if (in[i] && one.least > 0)
            one.height = std::max(one.least, std::min(one.height, one.height + inside.h - total()));
        in[i] = in[i] && total() <= inside.h + kClose;  // one that shrank comes to it but for rounding
    }
    std::vector<std::size_t> growing;  // those that need least of the spare height take it first
    for (std::size_t i = 0; i < sections.size(); ++i)
        if (in[i] && sections[i].most > sections[i].height) growing.push_back(i);
    std::ranges::sort(growing, {}, [&](std::size_t i) { return sections[i].most - sections[i].height; });
    for (std::size_t left = growing.size(); const std::size_t i : growing)
        sections[i].height = std::min(sections[i].most, sections[i].height + (inside.h - total()) / left--);
    auto gaps = std::ranges::count_if(by_rank, [&](std::size_t i) { return in[i] && sections[i].above > 0; }) - 1;
    const float spare = std::min(loose, (inside.h - total()) / std::max<std::ptrdiff_t>(1, gaps)), top = inside.y;
    std::vector<Box> boxes(sections.size());
    for (std::size_t i = 0; i < sections.size(); ++i) {
        if (in[i] && sections[i].above > 0 && inside.y > top) cut_top(inside, sections[i].above + spare);
        if (in[i]) boxes[i] = cut_top(inside, sections[i].height);
    }
    return boxes;
}

Section together(std::vector<Section> parts, int rank, float above) {
    float height = 0;
    for (const Section& part : parts) height += part.height;
    const auto draw = [parts = std::move(parts)](Box box) {
        for (const Section& part : parts) part.draw(cut_top(box, part.height));
    };
    return {height, rank, draw, above};
}

void stack(Pen& pen, const std::vector<Section>& sections, Box inside, float loose) {
    const std::vector<Box> boxes = stacked(sections, inside, loose);
    float bottom = inside.y;
    for (std::size_t i = 0; i < sections.size(); ++i) {
        if (boxes[i].h <= 0) continue;
        if (sections[i].above == kRule && bottom > inside.y)
            separator(pen, inside.x, (bottom + boxes[i].y) / 2, inside.w);
        sections[i].draw(boxes[i]);
        bottom = boxes[i].bottom();
    }
}

Section words(Pen& pen, std::string text, Style style, float width, int rank, float above, float air, int most) {
    const int lines = std::min(most, line_count(pen.measure(), text, style, width));
    const auto draw = [&pen, text = std::move(text), style, air, most](Box box) {
        pen.paragraph({box.x, box.y + air + line_height(style.size) / 2}, text, style, box.w, most);
    };
    return {air + lines * line_height(style.size), rank, draw, above};
}

void draw_head(Pen& pen, Box row, std::initializer_list<std::string_view> wordings, const std::string& count) {
    const float y = row.y + 12;
    const float used = pen.line({row.right(), y}, count, {kMonoBold, kSmall, {kText}}, row.w / 2, kRight);
    pen.either({row.x, y}, wordings, chosen_style(kEntry, true), row.w - used - 20);
}

void draw_words(Pen& pen, const std::function<std::vector<std::string>(int brief)>& wordings, Style style, float least,
                Box box, std::span<const std::string> tags) {
    constexpr float kTag = 26;
    const float largest = style.size, left = tags.empty() ? 0 : kTag;
    std::vector<std::string> texts;
    const auto height = [&] {
        int lines = 0;
        for (const std::string& text : texts) lines += line_count(pen.measure(), text, style, box.w - left);
        return lines * line_height(style.size);
    };
    for (int brief = 0; brief <= kBriefest; ++brief) {
        texts = wordings(brief);
        for (style.size = largest; style.size > least && height() > box.h;) style.size -= 1;
        if (height() <= box.h) break;
    }
    float y = box.y + std::max(0.0f, box.h - height()) / 2 + line_height(style.size) / 2;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const int room = (box.bottom() - y) / line_height(style.size) + 0.5f;
        if (room < 1) return;
        if (i < tags.size()) pen.line({box.x, y}, tags[i], {kMonoBold, style.size, {kTextDim}}, kTag);
        y = pen.paragraph({box.x + left, y}, texts[i], style, box.w - left, room);
    }
}

Table::Table(Pen& pen, Box box, std::vector<Column> columns, float pitch, float least)
    : pen_(pen), box_(box), columns_(std::move(columns)), pitch_(pitch), y_(box.y + 10) {
    const auto rest = std::ranges::find(columns_, 0.0f, &Column::width);
    for (;;) {
        float used = 0;
        for (const Column& column : columns_) used += std::max(0.0f, column.width);
        if (rest != columns_.end()) rest->width = box.w - used;
        const auto last = std::ranges::max_element(
            columns_, {}, [](const Column& column) { return column.width > 0 ? column.rank : 0; });
        if (rest == columns_.end() || rest->width >= least || last->rank == 0 || last->width <= 0) break;
        rest->width = last->width = 0;
    }
    for (const Column& column : columns_) x_.push_back(std::exchange(box.x, box.x + std::max(0.0f, column.width)));
}

void Table::heads(Style style) {
    for (std::size_t i = 0; i < columns_.size(); ++i) text(i, columns_[i].head, style);
}

bool Table::next(Word name) {
    name_ = name;
    y_ += pitch_;
    return y_ + pitch_ / 2 <= box_.bottom();
}

float Table::text(std::size_t column, std::string_view text, Style style, Id id, float room) {
    constexpr float kAir = 8;
    const auto& [head, width, align, rank, word] = columns_[column];
    if (width <= 0) return 0;
    const float left = align == kLeft ? 0 : align == kRight ? width : width / 2;
    return pen_.line({x_[column] + left, y_}, text, style, width + room - kAir, align,
                     id != 0 ? id : word_id(name_, word));
}

void Table::row(Style name, Style figures, std::initializer_list<std::string_view> texts) {
    for (std::size_t i = 0; const std::string_view text : texts) this->text(i, text, i == 0 ? name : figures), ++i;
}

void draw_left_out(Pen& pen, Box line, std::size_t above, std::size_t below, std::string_view what) {
    constexpr float kToText = 18, kApart = 22;
    const About about(pen, Word::kLeftOut);
    const float y = line.centre().y;
    for (const float up : {1.0f, -1.0f}) {
        const std::size_t count = up > 0 ? above : below;
        if (count == 0 || line.w <= kToText) continue;
        const float x = line.x + 6;
        pen.add(Triangle{{x - 5, y + 3 * up}, {x + 5, y + 3 * up}, {x, y - 4 * up}, {kTextDim}});
        const std::string text = counted(count, what) + (up > 0 ? " above" : " below");
        cut_left(line, kToText + pen.either({line.x + kToText, y}, {text}, kFine, line.w - kToText), kApart);
    }
}

Remark block_remark(const Subject& s) {
    const std::uint32_t grid = s.trace.launch.grid;
    Remark remark;
    if (grid > 1)
        remark.add(block_name(s.trace.launch, s.block) +
                       (s.trace.launch.devices > 1 ? "" : fmt::format(" of {}", grouped(grid))),
                   {.action = Action::kMenu, .menu = Menu::kShown}, "Another block of the grid (↑ ↓)");
    return remark;
}

std::string block_scope(const Subject& s) {
    return s.trace.launch.grid > 1 ? block_name(s.trace.launch, s.block) : "";
}
std::string grid_scope(const Subject& s) {
    return s.trace.launch.grid > 1 ? "whole grid" : "";
}

std::string moved_text(std::uint64_t used_bytes, std::uint64_t moved_bytes) {
    return fmt::format("{} of {} bytes moved are used: {}", grouped(used_bytes), grouped(moved_bytes),
                       percent(used_bytes, moved_bytes));
}

float draw_legend(Pen& pen, Vec at, float width, std::span<const LegendItem> items, bool brief) {
    constexpr float kMark = 16, kToText = kMark + 8, kLoose = 22, kTight = 12;
    const auto text = [&brief](const LegendItem& item) {
        const Meaning& word = meaning_of(item.word);
        return brief && !word.brief.empty() ? word.brief : word.name;
    };
    const auto needed = [&](float between) {
        float all = -between;
        for (const LegendItem& item : items) all += kToText + pen.width(text(item), kSans, kLeast) + between;
        return all;
    };
    brief = brief || needed(kTight) > width;
    const float gap = needed(kLoose) <= width ? kLoose : kTight, right = at.x + width;
    float x = at.x;
    for (const LegendItem& item : items) {
        const About about(pen, item.word);
        const float w = pen.width(text(item), kSans, kLeast);
        if (x + kToText + w > right) break;
        pen.mark({x, at.y - kMark / 2, kMark, kMark}, {item.role}, item.fill, 1.2f, 3);
        pen.line({x + kToText, at.y}, text(item), kFine, w + 1);
        x += kToText + w + gap;
    }
    return std::max(0.0f, x - at.x - gap);
}

bool title_legend(Pen& pen, Box panel, float remark, std::span<const LegendItem> items, std::size_t least) {
    constexpr float kBetween = 28;
    const float tabs = tab_row(pen.measure(), panel.w).width;
    const float right = panel.right() - kPad - (remark > 0 ? remark + kBetween : 0);
    std::vector<LegendItem> some(items.begin(), items.end());
    for (bool brief = false;; brief = true) {
        Scene unused;
        Pen trial(unused, pen.measure());
        const float width = draw_legend(trial, {0, 0}, right - panel.x - kPad - tabs - kBetween, some, brief);
        if (unused.shapes.size() == 2 * some.size()) {  // a mark and a text each
            draw_legend(pen, {right - width, panel.y + kTitleY}, width + 0.5f, some, brief);
            return true;
        }
        if (brief) some.pop_back();
        if (some.empty() || some.size() < (least == 0 ? items.size() : least)) return false;
    }
}

std::string_view first_sentences(const Measure& measure, std::string_view help, float width, int lines) {
    for (std::string_view text = help; line_count(measure, text, kDim, width) > lines;) {
        const std::size_t sentence = text.rfind(". ") + 1, clause = text.rfind("; ") + 1;  // 0: there is none
        if (sentence == 0 && clause == 0) break;
        text = text.substr(0, sentence > clause ? sentence : clause - 1);
        if (line_count(measure, text, kDim, width) <= lines) return text;
    }
    return help;
}

void stack_panel(Pen& pen, Box panel, float remark, std::vector<Section> sections, Box inside,
                 std::span<const LegendItem> items, std::string_view help) {
    constexpr float kShare = 0.3f, kLegendRow = 26, kHelpLine = line_height(kSmall), kAround = 6;
    constexpr int kMostLines = 3;
    float spare = inside.h, late = 0;
    for (const Section& one : sections) {
        if (one.rank < kLate) spare -= one.height + one.above;
        if (one.rank == kLate) late += one.height + one.above;
    }
    const auto take = [&](float height) { return spare >= height && (spare -= height, true); };
    const int most = std::min(kMostLines, line_count(pen.measure(), help, kDim, inside.w));
    int lines = !help.empty() && take(kHelpLine + kAround) ? 1 : 0;
    spare = kShare * (spare - late);
    const bool above = title_legend(pen, panel, remark, items, kInFull), below = !above && take(kLegendRow);
    if (!above && !below) title_legend(pen, panel, remark, items);
    while (lines > 0 && lines < most && take(kHelpLine)) ++lines;
    const Box foot = cut_bottom(inside, lines > 0 ? lines * kHelpLine + kAround : 0);
    if (below) {
        const Box row = cut_bottom(inside, kLegendRow);
        draw_legend(pen, {row.x, row.y + 14}, row.w, items);
    }
    stack(pen, std::move(sections), inside, 0);
    if (lines > 0)
        pen.paragraph({foot.x, foot.y + 14}, first_sentences(pen.measure(), help, foot.w, lines), kDim, foot.w, lines);
}

void draw_use(Pen& pen, Box box, const Use& use, Id id) {
    const float all = use.up ? box.h : box.w, used = all * use.share, rest = all - used - use.gap;
    Box work = box, waste = box;
    use.up ? work = cut_bottom(waste, used, use.gap) : work = cut_left(waste, used, use.gap);
    if (rest > 1)
        pen.hatched(waste, {kDivergent, use.waste * use.presence}, use.outline, use.radius,
                    id != 0 ? id : word_id(use.waits));
    if (used > 0) pen.fill(work, {kActive, use.presence}, use.radius, id != 0 ? id : word_id(use.works));
}

void draw_efficiency(Pen& pen, const Useful& useful, Box box) {
    if (useful.slots == 0) return pen.framed(box, {kRaised}, {kLine}, 1, 4);
    draw_use(pen, box, {.share = useful.efficiency(), .radius = 4, .outline = 1.4f, .gap = 2},
             word_id(Word::kEfficiency));
}

void Ruler::put(float x, const std::string& text, Style style) {
    const float width = pen.width(text, style.face, style.size);
    if (x - width / 2 < free) return;
    free = x + width / 2 + air;
    pen.line({x, y}, text, style, width + 1, kCentre);
}

void draw_fold_mark(Pen& pen, const Subject& s, std::uint64_t open, Fold steps, Box label, Ink ink) {
    const auto& folds = s.facts->folds;
    const std::size_t step = s.first_step + steps.first;
    const auto fold = std::ranges::find_if(folds, [&](Fold f) { return f.holds(step); });
    if (fold == folds.end()) return;
    const std::size_t which = fold - folds.begin();
    const Vec at{label.x + kFoldMark / 2, label.centre().y};
    constexpr float kSize = 5;
    pen.add(steps.steps() > 1  // closed: it points to the name; open: down
                ? Triangle{{at.x - kSize, at.y - kSize}, {at.x + kSize, at.y}, {at.x - kSize, at.y + kSize}, ink}
                : Triangle{{at.x - kSize, at.y - kSize}, {at.x + kSize, at.y - kSize}, {at.x, at.y + kSize}, ink});
    pen.button(label, {.action = Action::kFold, .value = static_cast<double>(which)},
               open >> which & 1 ? "Show these steps as one row (R)" : "Show its steps one by one (R)", 6,
               Reach::kPointer);
}

std::string useful_text(const Useful& useful) {
    return fmt::format("{} in {}", counted(useful.operations, useful.known ? "useful operation" : "operation"),
                       counted(useful.slots, "slot"));
}

}  // namespace warptree::scene
