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

constexpr float kAir = 18, kCloser = 12, kLeastTree = kOrderCells + 38, kMostTree = kOrderCells + 250;
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

/// A picture with its heading, and its parentheses as text below.
struct Part {
    const OrderOf* of;
    std::string name;
    int lines = 0;  // of the expression; 0: left out
};

class OrderPage {
public:
    OrderPage(const Orders& orders, Playhead at, Box box, Pen& pen) : c_{orders, at, pen}, box_(box) {
        op_ = kernels::find_operator(orders.subject->trace.launch);
        c_.minds = op_ != nullptr && !op_->commutative;
    }

    void draw() {
        panel_ground(c_.pen, box_);
        panel_title(c_.pen, box_, "", remark());
        const float title = std::max(50.0f, TreeLayout::title_height(box_.h));
        inside_ = {box_.x + kPad, box_.y + title, box_.w - 2 * kPad, box_.h - title - 14};
        choose();
        lay_out();
    }

private:
    std::string remark() const {
        const trace::Launch& launch = c_.orders.subject->trace.launch;
        if (op_ == nullptr) return launch.op;
        const std::string what = fmt::format("{} {}", launch.op, trace::name(launch.type));
        const std::string identity = kernels::identity_text(*op_, launch.type);
        return identity.size() > 8 ? what : what + " · identity " + identity;
    }

    std::vector<std::string> wrapped(std::string_view text, float size) const {
        return wrap(c_.pen.measure(), text, Face::kSans, size, inside_.w);
    }

    /// What there is room for, the least needed left out first: help, table, expressions, the sequential order.
    void choose() {
        const Orders& o = c_.orders;
        const Part own{&o.own, o.own.name}, sequential{&o.sequential, "sequential"};
        verdict_ = wrapped(order_sentence(o), kBody);
        help_ = wrapped(help().full, kSmall);
        table_ = true;
        if (!o.own_is_sequential() && o.sequential.present()) parts_.push_back(sequential);
        parts_.push_back(own);
        for (Part& part : parts_) part.lines = lines_of(part);
        const auto fits = [&] { return height(kLeastTree) <= inside_.h; };
        if (!fits()) help_ = shorter_help();
        const bool one_line = !help_.empty();
        if (!fits()) help_.clear();
        if (!fits())
            for (Part& part : parts_) part.lines = 0;
        if (!fits() && parts_.size() > 1) parts_.erase(parts_.begin());
        if (!fits()) table_ = false;
        if (!fits()) verdict_.clear();
        if (parts_.size() == 1 && fits()) parts_[0].lines = lines_of(parts_[0]);
        if (!fits()) parts_[0].lines = 0;
        if (!help_.empty() || !one_line) return;
        help_ = shorter_help();  // other parts have gone: there may be room for it again
        if (!fits()) help_.clear();
    }
    const Help& help() const {
        const bool moved = c_.orders.own.moved_before.back() > 0;
        switch (operand_grain(c_.orders.own, inside_.w)) {
            case OperandGrain::kBar:
                return moved ? kBarHelp : kPlainBarHelp;
            case OperandGrain::kCells:
                return moved ? kCellsHelp : kPlainHelp;
            default:
                return moved ? kNamedHelp : kPlainHelp;
        }
    }
    std::vector<std::string> shorter_help() const {
        const std::string text = fitting(c_.pen, {help().brief, help().briefest}, Face::kSans, kSmall, inside_.w);
        return text.empty() ? std::vector<std::string>{} : std::vector{text};
    }
    int lines_of(const Part& part) const {
        const int lines = expression_lines(c_, *part.of, inside_.w, kMostLines);
        return lines > kMostLines ? 0 : lines;  // a long one is a page of parentheses
    }

    float height(float tree) const {
        float h = 0;
        if (table_) h += order_table_height(c_.orders) + kAir + (fewer().empty() ? 0 : kOrderLine);
        for (const Part& part : parts_)
            h += kOrderTitle + tree + kOrderLine * static_cast<float>(part.lines) + (part.lines > 0 ? 12 : 0) + kAir;
        if (!verdict_.empty()) h += line_height(kBody) * static_cast<float>(verdict_.size()) + kAir;
        if (!verdict_.empty() && !c_.orders.own.correct) h += kOrderLine + 4;  // kept free until the end
        if (!help_.empty()) h += line_height(kSmall) * static_cast<float>(help_.size()) - kCloser;
        return h;
    }
    std::string fewer() const { return fewer_sentence(c_.orders.sequential.parallelism, c_.orders.own.parallelism); }
    bool shows_results() const { return !verdict_.empty() && c_.finished() && !c_.orders.own.correct; }

    void lay_out() {
        const auto count = static_cast<float>(parts_.size());
        const float spare = std::max(0.0f, inside_.h - height(kLeastTree));
        const float tree = std::min(kMostTree, kLeastTree + spare / count);
        float y = inside_.y;
        if (table_) {
            draw_order_table(c_, {inside_.x, y, inside_.w, 0});
            y += order_table_height(c_.orders);
            const std::string sentence = fewer();
            if (!sentence.empty()) {
                c_.pen.line({inside_.x, y + 12}, sentence + ".", kDim, inside_.w);
                y += kOrderLine;
            }
            y += kAir;
        }
        for (const Part& part : parts_) y = draw_part(part, y, tree);
        y = draw_verdict(y);
        if (help_.empty()) return;
        y = std::max(y - kCloser, inside_.bottom() - line_height(kSmall) * static_cast<float>(help_.size())) + 8;
        for (const std::string& line : help_) {
            c_.pen.line({inside_.x, y}, line, kDim, inside_.w);
            y += line_height(kSmall);
        }
    }

    float draw_part(const Part& part, float y, float tree) {
        const Rounds rounds = rounds_of(c_, *part.of);
        const bool own = part.of == &c_.orders.own;
        const float middle = y + 12;
        const float used =
            c_.pen.line({inside_.x, middle}, part.name, {Face::kSansBold, kBody, {Role::kText}}, 0.6f * inside_.w);
        std::string remark = fmt::format("{} of {} steps", grouped(rounds.done), grouped(part.of->parallelism.steps()));
        if (!part.of->combination.known) remark = "not all of its operands can be followed";
        c_.pen.line({inside_.x + used + 14, middle}, remark, kDim, inside_.w - used - 14 - 0.3f * inside_.w);
        if (c_.finished()) {
            const bool wrong = own && !part.of->correct;
            c_.pen.line({inside_.right(), middle}, fmt::format("{}= {}", wrong ? "✗ " : "", part.of->result),
                        {Face::kMonoBold, kBody, {wrong ? Role::kWrong : Role::kText}}, 0.3f * inside_.w,
                        Align::kRight);
        }
        y += kOrderTitle;
        draw_combination(c_, *part.of, {inside_.x, y, inside_.w, tree});
        y += tree;
        if (part.lines > 0) {
            draw_expression(c_, *part.of, {inside_.x, y + 16}, inside_.w, part.lines);
            y += kOrderLine * static_cast<float>(part.lines) + 12;
        }
        return y + kAir;
    }

    float draw_verdict(float y) {
        if (verdict_.empty()) return y;
        if (shows_results()) {
            c_.pen.line({inside_.x, y + 10},
                        fmt::format("Wrong: {}. Right, from left to right: {}.", c_.orders.own.result,
                                    c_.orders.subject->verdict.expected),
                        {Face::kSansBold, kBody, {Role::kWrong}}, inside_.w);
            y += kOrderLine + 4;
        }
        c_.pen.paragraph({inside_.x, y + 10}, order_sentence(c_.orders), {Face::kSans, kBody, {Role::kText}},
                         inside_.w);
        return y + line_height(kBody) * static_cast<float>(verdict_.size()) + kAir;
    }

    OrderContext c_;
    Box box_, inside_{};
    const kernels::Operator* op_ = nullptr;
    std::vector<Part> parts_;
    std::vector<std::string> verdict_, help_;
    bool table_ = true;
};

}  // namespace

Scene order_view(const Orders& orders, Playhead at, Box box, const Measure& measure, const Target&) {
    Scene scene;
    if (box.w <= 0 || box.h <= 0) return scene;
    Pen pen(scene, measure);
    if (orders.subject->trace.launch.scans()) {
        instead_of_view(pen, box, "This view takes one result apart; a scan has one for each element.");
        return scene;
    }
    OrderPage(orders, at, box, pen).draw();
    return scene;
}

}  // namespace warptree::scene
