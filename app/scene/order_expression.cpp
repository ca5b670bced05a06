// An order as text: "((3 max 1) max 7) max 0", what has met so far in bold.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/order_view.hpp"
#include "kernels/operators.hpp"

namespace warptree::scene {
namespace {

constexpr float kSize = 17, kNarrowest = 9;  // of a letter

struct Token {
    std::string text;
    Style style;
    float x;
};
using Line = std::vector<Token>;

class Writer {
public:
    Writer(const OrderContext& c, const OrderOf& of) : c_(c), of_(of), rounds_(rounds_of(c, of)) {}

    /// Pieces in lines; neighbours that look alike are one text.
    /// returns  one line more than `most` if there is no room for all
    std::vector<Line> lines(float width, int most) {
        const bool values = !c_.minds && c_.orders.brief;
        const auto limit = static_cast<std::size_t>(most * static_cast<int>(width / kNarrowest));
        std::vector<Line> out(1);
        float x = 0;
        for (const kernels::Token& token : kernels::tokens(of_.combination, of_.run(), values, limit)) {
            const Style style = style_of(token);
            // A symbol at the end of a line leaves its blank behind.
            const auto without_blank = [&x](std::string text) {
                return x == 0 && text.front() == ' ' ? text.substr(1) : text;
            };
            std::string text = without_blank(token.join == kernels::Token::kOperand ? operand(token.text) : token.text);
            float w = c_.pen.width(text, style.face, kSize);
            constexpr float kHangs = 12;  // a parenthesis that closes does not begin a line
            if (x + w > width + (text.front() == ')' ? kHangs : 0)) {
                out.emplace_back();
                x = 0;
                if (static_cast<int>(out.size()) > most) return out;
                text = without_blank(std::move(text));
                w = c_.pen.width(text, style.face, kSize);
            }
            Line& line = out.back();
            if (line.empty() || line.back().style.face != style.face || line.back().style.ink != style.ink)
                line.push_back({"", style, x});
            line.back().text += text;
            x += w;
        }
        return out;
    }

private:
    /// An operand, the first one with the identity that stands before it, where that is not the same.
    std::string operand(const std::string& name) const {
        const kernels::Operator* op = kernels::find_operator(of_.run().launch());
        const bool counts = op != nullptr && !op->associative && of_.combination.identity_first;
        if (place_ != 1 || !counts) return name;
        return fmt::format("({} {} {})", kernels::identity_text(*op, of_.run().launch().type), value::sign(op->name),
                           name);
    }

    Style style_of(const kernels::Token& token) {
        const auto& operands = of_.combination.operands;
        const bool known = rounds_.done > 0 && c_.orders.own.present();
        if (token.join == kernels::Token::kOperand) {
            const bool moved = place_ < operands.size() && operands[place_] != place_;
            ++place_;
            if (moved && c_.minds) return {Face::kMonoBold, kSize, {Role::kWrong}};
            return {Face::kMono, kSize, {Role::kText}};
        }
        bool met = c_.finished() && rounds_.done >= of_.parallelism.steps();
        if (token.join >= 0) {
            const auto& join = of_.combination.joins[static_cast<std::size_t>(token.join)];
            met = known && join.step <= of_.parallelism.step[rounds_.done - 1];
        }
        return {met ? Face::kMonoBold : Face::kMono, kSize, {met ? Role::kText : Role::kTextFaint}};
    }

    const OrderContext& c_;
    const OrderOf& of_;
    Rounds rounds_;
    std::size_t place_ = 0;  // of the next operand
};

}  // namespace

int expression_lines(const OrderContext& c, const OrderOf& of, float width, int most) {
    return static_cast<int>(Writer(c, of).lines(width, most).size());
}

void draw_expression(const OrderContext& c, const OrderOf& of, Vec top, float width, int most) {
    const std::vector<Line> lines = Writer(c, of).lines(width, most);
    for (int i = 0; i < std::min(most, static_cast<int>(lines.size())); ++i) {
        for (const Token& run : lines[static_cast<std::size_t>(i)])
            c.pen.put({top.x + run.x, top.y}, run.text, {run.style.face, kSize, run.style.ink});
        top.y += kOrderLine;
    }
}

}  // namespace warptree::scene
