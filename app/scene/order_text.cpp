// The order view's table, how parallel the three runs are, and an order as text: "((3 max 1) max 7) max 0", what has
// met so far in bold.
#include "app/scene/order_view.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/study/words.hpp"
#include "kernels/operators.hpp"

namespace warptree::scene {
namespace {

constexpr float kRowHeight = 28, kOrderNames = 178, kNumbers = 122;

struct TableColumn {
    std::string_view head;
    int rank;  // with little room, those with the highest go first
    std::string (*text)(const OrderOf&, const OrderOf& sequential);
};

constexpr std::array<TableColumn, 5> kOrderColumns = {{
    {"steps", 1, [](const OrderOf& o, const OrderOf&) { return grouped(o.parallelism.steps()); }},
    {"operations", 5,
     [](const OrderOf& o, const OrderOf&) {
         return o.afterwards() == 0 ? grouped(o.parallelism.work())
                                    : fmt::format("{} + {}", grouped(o.parallelism.work()), o.afterwards());
     }},
    {"busiest step", 3, [](const OrderOf& o, const OrderOf&) { return grouped(o.parallelism.peak()); }},
    {"average a step", 4,
     [](const OrderOf& o, const OrderOf&) {
         const double average = o.parallelism.average();
         return average < 1000 ? fmt::format("{:.1f}", average) : grouped(static_cast<std::uint64_t>(average + 0.5));
     }},
    {"speed-up", 2,
     [](const OrderOf& o, const OrderOf& sequential) {
         const double speed = counters::speed_up(sequential.parallelism, o.parallelism);
         return speed == 0 ? std::string("–") : times(speed) + "×";
     }},
}};

struct TableRow {
    const OrderOf* of;
    std::string name;
    bool own;
};

std::vector<TableRow> rows_of(const Orders& o) {
    std::vector<TableRow> rows;
    rows.push_back({o.own_is_sequential() ? &o.own : &o.sequential, "sequential", o.own_is_sequential()});
    if (!o.own_is_sequential() && !o.own_is_ideal()) rows.push_back({&o.own, o.own.name, true});
    rows.push_back({o.own_is_ideal() ? &o.own : &o.ideal, "ideal tree (PRAM)", o.own_is_ideal()});
    return rows;
}

/// A sentence, or as many of its clauses as have room.
std::string clause(const Pen& pen, std::string text, float width) {
    for (const std::string_view end : {" (", "; "}) {
        if (pen.width(text, Face::kSans, kLeast) <= width) return text;
        const std::size_t cut = text.find(end);
        if (cut != text.npos) text = text.substr(0, cut) + ".";
    }
    return text;
}

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

float order_table_height(const Orders& orders) {
    return 22 + kRowHeight * static_cast<float>(rows_of(orders).size());
}

void draw_order_table(const OrderContext& c, Box box) {
    std::vector<Column> columns{{"", 0, Align::kLeft}};
    for (const TableColumn& column : kOrderColumns)
        columns.push_back({column.head, kNumbers, Align::kRight, column.rank});
    Table table(c.pen, {box.x, box.y - 2, box.w, box.h}, columns, kRowHeight, kOrderNames);
    table.heads();
    const OrderOf& base = c.orders.own_is_sequential() ? c.orders.own : c.orders.sequential;
    for (const TableRow& row : rows_of(c.orders)) {
        table.next();
        const Box line = table.line();
        if (row.own) c.pen.fill({line.x - 10, line.y + 1, 4, line.h - 2}, {Role::kAccent}, 2);
        table.text(0, row.name, chosen_style({Face::kSans, 17, {Role::kText}}, row.own));
        if (!row.of->present()) {
            const float room = line.w - table.cell(0).w;
            c.pen.line({line.right(), table.y()}, clause(c.pen, row.of->problem, room), kDim, room, Align::kRight);
            continue;
        }
        for (std::size_t i = 0; i < kOrderColumns.size(); ++i) {
            const Style style = chosen_style({Face::kMono, 18, {Role::kText}}, row.own);
            std::string text = kOrderColumns[i].text(*row.of, base);
            if (c.pen.width(text, style.face, kLeast) > kNumbers - 8)  // "1,044,480 + 4,096" as one
                text = grouped(row.of->parallelism.work() + row.of->afterwards());
            table.text(i + 1, text, style);
        }
    }
}

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
