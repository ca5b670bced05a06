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
constexpr std::string_view kJoins = "A line joins two values in the step in which they meet.",
                           kPlaces = " Operands stand from left to right as the run takes them.",
                           kBar = " Lines that lie close run into one.";

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
        const auto lines = wrap(c_.pen.measure(), order_sentence(o), Face::kSans, kBody, width_).size();
        sections.push_back({line_height(kBody) * static_cast<float>(lines) + (wrong ? kOrderLine + 4 : 0), 2,
                            [&](Box verdict) { draw_verdict(verdict); }, kAir});
        add_help(sections, inside.h);
        stack(c_.pen, sections, inside, 0);
    }

private:
    std::string remark() const {
        const trace::Launch& launch = c_.orders.subject->trace.launch;
        if (op_ == nullptr) return launch.op;
        const std::string what = fmt::format("operator: {} {}", launch.op, trace::name(launch.type));
        const std::string identity = kernels::identity_text(*op_, launch.type);
        return identity.size() > 8 ? what : what + " · identity " + identity;
    }

    std::string help() const {
        const OperandGrain grain = operand_grain(c_.orders.own, width_);
        const bool bar = grain == OperandGrain::kBar, moved = c_.orders.own.moved_before.back() > 0;
        const std::string_view mark = !moved                          ? ""
                                      : bar                           ? "Filled: the share that changed places. "
                                      : grain == OperandGrain::kCells ? "Operands in colour changed places. "
                                                                      : "Marked operands changed places. ";
        return fmt::format("{}{}{}{}", mark, kJoins, kPlaces, bar ? kBar : "");
    }

    /// All of it where all else has room too, else its first sentence.
    void add_help(std::vector<Section>& sections, float room) {
        for (const Section& one : sections) room -= one.height + one.above;
        const std::string all = help();
        const Section full = words(c_.pen, all, kDim, width_, 7, kCloser);
        const bool fits = full.height + full.above <= room + sections[0].above;
        const std::string_view brief = first_sentences(c_.pen.measure(), all, width_, 1);
        sections.push_back(fits ? full : words(c_.pen, std::string(brief), kDim, width_, 7, kCloser));
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
