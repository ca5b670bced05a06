// The network of a scan: what the cells that a block works on hold after each step, whose values went into them, and
// which hold their prefix for good. Derived from the rows and the graph alone.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "app/subject/flows.hpp"

namespace warptree::study {

/// Elements [first, end) of the input, each of them once; none: an identity.
struct Elements {
    std::uint32_t first = 0, end = 0;
    bool known = true;  // else not such a range, or of rows that are not there
    bool empty() const { return first == end; }
    bool operator==(const Elements&) const = default;
};

/// Cells of an array after a step.
struct NetworkRow {
    Fold steps;               // of the launch, that led here; of what the launch found none
    std::uint32_t state = 0;  // steps done
    std::uint8_t array = 0;
    std::uint32_t first = 0, extent = 0;  // cells
    bool spare = false;                   // the second half of a double buffer
    bool holds(replay::Place p) const { return p.array == array && p.index >= first && p.index - first < extent; }
};

/// One operand's way to the cell that its flow wrote.
struct NetworkEdge {
    const Flow* flow = nullptr;
    std::size_t from_row = 0;  // the row of the flow itself, where steps shown as one made the operand, too
    replay::Place from;
};

class Network {
public:
    explicit Network(std::shared_ptr<const Subject>);

    std::shared_ptr<const Subject> subject;
    std::uint8_t work = 0;  // the array that most adds write
    bool doubled = false;   // of two halves: each step reads one of them and writes the other
    std::uint32_t columns = 1;
    std::uint32_t lead = 0;   // columns before that of cell 0
    std::size_t results = 0;  // that the block is to give, each with a column

    /// open  as Playhead has it
    std::vector<NetworkRow> rows(std::uint64_t open) const;
    /// (rows,) what was drawn on for each.
    std::vector<std::vector<NetworkEdge>> edges(const std::vector<NetworkRow>&) const;
    /// Where a cell stands; arrays that have the same element in the same place share its column.
    std::uint32_t column(replay::Place) const;
    Elements held(replay::Place, std::uint32_t state) const;
    /// Whether a cell holds the result that is read from its place in the end, and that result is a prefix.
    bool finished(replay::Place, std::uint32_t state) const;
    std::size_t finished(std::uint32_t state) const;
    /// A word of the working array that the kernel leaves alone.
    bool padding(replay::Place) const;

private:
    struct Columns : Window {
        std::int64_t origin = 0;  // index - origin is the column
    };
    void find_elements();
    void find_found();
    void find_arrays();
    void find_halves();
    void find_columns();
    void find_goals();
    Elements of(graph::Operand) const;
    void add_row(std::vector<NetworkRow>&, Fold steps, std::uint32_t state, std::uint8_t array) const;

    std::vector<Elements> of_node_;
    std::vector<Columns> windows_;                                      // (arrays,) what the block touches
    std::map<std::pair<std::uint8_t, std::uint32_t>, Elements> found_;  // cells that it read as it found them
    std::uint8_t out_ = 0;                                              // the global array that it fills
    std::map<std::pair<std::uint8_t, std::uint32_t>, Elements> goals_;  // by array, and column or index
    std::pair<std::uint8_t, std::uint32_t> goal_of(replay::Place) const;
};

}  // namespace warptree::study
