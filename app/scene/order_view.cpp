// The order view: how parallel the run is, in which order and with which parentheses it was put together beside the
// sequential order, and what the operator says to that.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/order_view.hpp"
#include "app/scene/tree_layout.hpp"
#include "app/study/words.hpp"
#include "kernels/operators.hpp"

namespace warptree::scene {
namespace {

constexpr float kAir = 18, kCloser = 6, kLeastTree = kOrderCells + 38, kMostTree = kOrderCells + 250;
constexpr int kMostLines = 3;
/// What a picture shows, in full and ever shorter. Which it is depends on how wide an operand is, and on whether one
/// changed places.
struct Help {
    std::string_view full, brief, briefest;
};
constexpr Help kNamedHelp = {
    "Operands from left to right as the run takes them; a line joins two values in the step in which they meet. A "
    "corner marks an operand that changed places.",
    "A line joins two values in the step in which they meet; marked operands changed places.",
    "Marked operands changed places."};
constexpr Help kCellsHelp = {
    "Operands from left to right as the run takes them; a line joins two values in the step in which they meet. "
    "Operands in colour changed places.",
    "A line joins two values in the step in which they meet; operands in colour changed places.",
    "Operands in colour changed places."};
constexpr Help kBarHelp = {
    "The bar is all operands from left to right as the run takes them, filled as high as the share of them that "
    "changed places. A line joins two values in the step in which they meet; lines that lie close run into one.",
    "Filled in the bar: the share of operands that changed places. Lines join values that meet.",
    "Filled in the bar: the share that changed places."};
constexpr Help kPlainHelp = {
    "Operands from left to right as the run takes them; a line joins two values in the step in which they meet.",
    "A line joins two values in the step in which they meet.", "Lines join values that meet."};
constexpr Help kPlainBarHelp = {
    "The bar is all operands from left to right as the run takes them. A line joins two values in the step in which "
    "they meet; lines that lie close run into one.",
    kPlainHelp.brief, kPlainHelp.briefest};

class OrderPage {
public:
    OrderPage(const Orders& orders, Playhead at, Box box, Pen& pen) : c_{orders, at, pen}, box_(box) {
        op_ = kernels::find_operator(orders.subject->trace.launch);
        c_.minds = op_ != nullptr && !op_->commutative;
    }

    /// What gives way, first what is needed least: help, the parentheses, the sequential order, the table, the verdict.
    void draw() {
        panel_title(c_.pen, box_, "", remark());
        const float title = std::max(50.0f, TreeLayout::title_height(box_.h));
        Box inside{box_.x + kPad, box_.y + title, box_.w - 2 * kPad, box_.h - title - 14};
        width_ = inside.w;
        const Orders& o = c_.orders;
        std::vector<Section> sections;
        const std::string fewer = fewer_sentence(o.sequential.parallelism, o.own.parallelism);
        sections.push_back({order_table_height(o) + (fewer.empty() ? 0 : kOrderLine), 3, [&](Box table) {
                                draw_order_table(c_, table);
                                if (!fewer.empty())
                                    c_.pen.line({table.x, table.bottom() - 12}, fewer + ".", kDim, table.w);
                            }});
        if (!o.own_is_sequential() && o.sequential.present()) add_part(sections, o.sequential, "sequential", 4);
        add_part(sections, o.own, o.own.name, 0);
        const bool wrong = !o.own.correct;  // a line is kept free for it until the end
        sections.push_back({lines_height(order_sentence(o), kBody) + (wrong ? kOrderLine + 4 : 0), 2,
                            [&](Box verdict) { draw_verdict(verdict); }, kAir});
        add_help(sections, inside.h);
        stack(c_.pen, std::move(sections), inside, 0);
    }

private:
    std::string remark() const {
        const trace::Launch& launch = c_.orders.subject->trace.launch;
        if (op_ == nullptr) return launch.op;
        const std::string what = fmt::format("operator: {} {}", launch.op, trace::name(launch.type));
        const std::string identity = kernels::identity_text(*op_, launch.type);
        return identity.size() > 8 ? what : what + " · identity " + identity;
    }

    float lines_height(std::string_view text, float size) const {
        return line_height(size) * static_cast<float>(wrap(c_.pen.measure(), text, Face::kSans, size, width_).size());
    }

    const Help& help() const {
        const bool moved = c_.orders.own.moved_before.back() > 0;
        switch (operand_grain(c_.orders.own, width_)) {
            case OperandGrain::kBar:
                return moved ? kBarHelp : kPlainBarHelp;
            case OperandGrain::kCells:
                return moved ? kCellsHelp : kPlainHelp;
            default:
                return moved ? kNamedHelp : kPlainHelp;
        }
    }
    /// In full where all has room, else in one line.
    void add_help(std::vector<Section>& sections, float room) {
        float height = lines_height(help().full, kSmall) + kCloser;
        for (const Section& one : sections) height += one.height + one.above;
        const std::string text = height - sections[0].above <= room
                                     ? std::string(help().full)
                                     : fitting(c_.pen, {help().brief, help().briefest}, Face::kSans, kSmall, width_);
        if (!text.empty())
            sections.push_back({lines_height(text, kSmall), 7,
                                [this, text](Box box) {
                                    c_.pen.paragraph({box.x, box.y + 8}, text, kDim, box.w);
                                },
                                kCloser});
    }

    /// A picture with its heading, and its parentheses as text below, unless they are a page.
    void add_part(std::vector<Section>& sections, const OrderOf& of, const std::string& name, int rank) {
        sections.push_back({kOrderTitle + kLeastTree, rank, [this, &of, name](Box box) { draw_part(of, name, box); },
                            kAir, kOrderTitle + kMostTree});
        const int lines = expression_lines(c_, of, width_, kMostLines);
        if (lines > 0 && lines <= kMostLines)
            sections.push_back({kOrderLine * static_cast<float>(lines) + 12, rank == 0 ? 5 : 6,
                                [this, &of, lines](Box box) {
                                    draw_expression(c_, of, {box.x, box.y + 16}, box.w, lines);
                                },
                                0});
    }

    void draw_part(const OrderOf& of, const std::string& name, Box box) {
        const Rounds rounds = rounds_of(c_, of);
        const Box head = cut_top(box, kOrderTitle);
        const float y = head.y + 12, used = c_.pen.line({head.x, y}, name, kTopic, 0.6f * head.w);
        const std::string remark =
            of.combination.known ? fmt::format("{} of {} steps", grouped(rounds.done), grouped(of.parallelism.steps()))
                                 : "not all of its operands can be followed";
        c_.pen.line({head.x + used + 14, y}, remark, kDim, 0.7f * head.w - used - 14);
        const bool wrong = &of == &c_.orders.own && !of.correct;
        if (c_.finished())
            c_.pen.line({head.right(), y}, fmt::format("{}= {}", wrong ? "✗ " : "", of.result),
                        {Face::kMonoBold, kBody, {wrong ? Role::kWrong : Role::kText}}, 0.3f * head.w, Align::kRight);
        draw_combination(c_, of, box);
    }

    void draw_verdict(Box box) {
        if (c_.finished() && !c_.orders.own.correct)
            c_.pen.line({box.x, cut_top(box, kOrderLine + 4).y + 10},
                        fmt::format("Wrong: {}. Right, from left to right: {}.", c_.orders.own.result,
                                    c_.orders.subject->verdict.expected),
                        {Face::kSansBold, kBody, {Role::kWrong}}, box.w);
        c_.pen.paragraph({box.x, box.y + 10}, order_sentence(c_.orders), kSaid, box.w);
    }

    OrderContext c_;
    Box box_;
    float width_ = 0;
    const kernels::Operator* op_ = nullptr;
};

}  // namespace

Scene order_view(const Orders& orders, Playhead at, Box box, const Measure& measure, const Target&) {
    return on_panel(box, measure, [&](Pen& pen) {
        if (orders.subject->trace.launch.scans())
            return instead_of_view(pen, box, "This view takes one result apart; a scan has one for each element.");
        OrderPage(orders, at, box, pen).draw();
    });
}

}  // namespace warptree::scene
