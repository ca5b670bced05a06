// The order view and its parts. Every number is the summary's of a run, every line a join of its combination.
#pragma once

#include "app/scene/kit.hpp"
#include "app/study/orders.hpp"

namespace warptree::scene {

/// Sequential order, this kernel's order, and the ideal tree: figures, parentheses, and operands that changed places.
Scene order_view(const Orders&, Playhead, Box, const Measure&, const Target& hover = {});

// What the files of this view share

struct OrderContext {
    const Orders& orders;
    Playhead at;
    Pen& pen;
    bool minds = false;  // the operator does not commute: operands that changed places matter
    bool finished() const { return at.position >= orders.subject->steps(); }
};

/// How far a run is, in rounds, when as many have been made as of the run on show.
struct Rounds {
    std::size_t done = 0;
    bool moving = false;  // the last of them is being made now
    float progress = 1;
};
Rounds rounds_of(const OrderContext&, const OrderOf&);

inline constexpr float kOrderTitle = 30, kOrderCells = 52, kOrderLine = 24;

/// How operands are drawn in a width: cells with values, bare cells, or one bar for all.
enum class OperandGrain : std::uint8_t { kNamed, kCells, kBar };
OperandGrain operand_grain(const OrderOf&, float width);

/// Operands in the order in which the run takes them, and below them which met when. In a box of any size.
void draw_combination(const OrderContext&, const OrderOf&, Box);

/// The same as text, in at most `most` lines.
void draw_expression(const OrderContext&, const OrderOf&, Vec top, float width, int most);
/// How many lines it takes; most + 1 if more than `most`.
int expression_lines(const OrderContext&, const OrderOf&, float width, int most);

/// Steps, operations, peak, average and speed-up of the three runs.
void draw_order_table(const OrderContext&, Box);
float order_table_height(const Orders&);

}  // namespace warptree::scene
