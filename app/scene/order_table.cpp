// The order view's table: how parallel the three runs are.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/scene/order_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kRowHeight = 28, kNames = 178, kNumbers = 122;

struct TableColumn {
    std::string_view head;
    int rank;  // with little room, those with the highest go first
    std::string (*text)(const OrderOf&, const OrderOf& sequential);
};

constexpr std::array<TableColumn, 5> kColumns = {{
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

}  // namespace

float order_table_height(const Orders& orders) {
    return 22 + kRowHeight * static_cast<float>(rows_of(orders).size());
}

void draw_order_table(const OrderContext& c, Box box) {
    std::vector<Column> columns{{"", 0, Align::kLeft}};
    for (const TableColumn& column : kColumns) columns.push_back({column.head, kNumbers, Align::kRight, column.rank});
    Table table(c.pen, {box.x, box.y - 2, box.w, box.h}, columns, kRowHeight, kNames);
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
        for (std::size_t i = 0; i < kColumns.size(); ++i) {
            const Style style = chosen_style({Face::kMono, 18, {Role::kText}}, row.own);
            std::string text = kColumns[i].text(*row.of, base);
            if (c.pen.width(text, style.face, kLeast) > kNumbers - 8)  // "1,044,480 + 4,096" as one
                text = grouped(row.of->parallelism.work() + row.of->afterwards());
            table.text(i + 1, text, style);
        }
    }
}

}  // namespace warptree::scene
