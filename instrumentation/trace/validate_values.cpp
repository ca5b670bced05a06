// Whether values follow from each other: what an operator makes of its operands, what a read sees, what is left at the
// end. Neighbours: validate.cpp, whose checks come first; validate_moments.cpp, which asks when rows happened.
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "instrumentation/trace/validate.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::trace {
namespace {

using value::Op;

/// What a site's rows have in common.
struct SiteFacts {
    Kind kind;
    bool global;           // of memory, which all blocks see
    Type type;             // of its rows
    bool own;              // an array's, see Trace::bits
    std::optional<Op> op;  // none: negation, or no operator
    std::size_t ordinal;   // of a global array among those of its launch
};

/// Functions return whether a row follows; refuse_row() says why one does not.
template <std::size_t Size>
class ValueChecker {
public:
    explicit ValueChecker(const Trace& trace) : trace_(trace), type_(trace.value.type()) {
        std::vector<std::size_t> ordinals;
        for (const Array& array : trace.arrays) {
            ordinals.push_back(globals_.size());
            if (array.space == Space::kGlobal) globals_.push_back({static_cast<std::uint8_t>(ordinals.size() - 1)});
        }
        const std::optional<Op> own = value::op_named(trace.launch.op);
        for (const Site& site : trace.sites) {
            const bool global = site.array != Site::kNoArray && trace.arrays[site.array].space == Space::kGlobal;
            const std::optional<Op> op = site.op == Operator::kLaunch   ? own
                                         : site.op == Operator::kNegate ? std::nullopt
                                                                        : std::optional(static_cast<Op>(site.op));
            const Type type = trace.type_of(site.array);
            sites_.push_back({site.kind, global, type, global && trace.arrays[site.array].type, op,
                              global ? ordinals[site.array] : 0});
            if (global && stores(site.kind))
                (site.kind == Kind::kWrite ? globals_[sites_.back().ordinal].written
                                           : globals_[sites_.back().ordinal].reduced) = true;
        }
        literals_.resize(trace.sites.size());
    }

    void check() {
        for (std::size_t row = 0; row < trace_.bits.size(); ++row) check_bits(row);
        for (std::size_t row = 0; row < trace_.rows(); ++row)
            if (!follows(row)) refuse_row(row);
        for (const Contents& contents : globals_) check_final(contents);
    }

private:
    using Bits = std::uint64_t;
    /// A global array, and whether any row writes to it or has it changed by an atomic.
    struct Contents {
        std::uint8_t id;
        bool written = false, reduced = false;
    };
    /// A literal of the listing is the same in all rows of its site.
    struct Literal {
        bool seen = false;
        Bits bits = 0;
    };

    static Bits element(const Values& values, std::size_t i) {
        Bits bits = 0;
        std::memcpy(&bits, values.bytes.data() + i * Size, Size);
        return bits;
    }
    Bits bits(std::size_t row) const { return element(trace_.value, row); }

    /// The columns `bits` and `value` are for one sort of rows each.
    void check_bits(std::size_t row) const {
        const SiteFacts& site = sites_[trace_.site[row]];
        const std::size_t size = site.own ? size_bytes(site.type) : 0;
        if (site.own && bits(row) != 0)
            refuse("value.npy, row {}: it is {}, but the row is of {}, whose values stand in bits.npy", row,
                   trace_.value.text(row), trace_.arrays[trace_.array(row)].name);
        if (size == 8 || trace_.bits[row] >> 8 * size == 0) return;
        refuse("bits.npy, row {}: it is {}, but {}", row, trace_.bits[row],
               site.own ? fmt::format("a {} has {} bytes", name(site.type), size)
                        : std::string("the row is of no array with a type of its own"));
    }

    /// A row of an array with a type of its own. What is written or added there was made by bookkeeping, which leaves
    /// no rows.
    bool own_follows(std::size_t row, const SiteFacts& site) const {
        const std::int32_t a = trace_.a[row];
        if (site.kind != Kind::kRead) return a == kNoEvent;
        if (a != kNoEvent)
            return trace_.kind(static_cast<std::size_t>(a)) != Kind::kWrite ||
                   trace_.bits[row] == trace_.bits[static_cast<std::size_t>(a)];
        return globals_[site.ordinal].reduced ||
               trace_.bits[row] == trace_.initial[site.ordinal].bits(trace_.index[row]);
    }

    bool follows(std::size_t row) {
        const std::int32_t a = trace_.a[row];
        const SiteFacts& site = sites_[trace_.site[row]];
        if (site.own) return own_follows(row, site);
        switch (site.kind) {
            case Kind::kRead:
                return a == kNoEvent ? saw_initial(row, site) : saw_write(row, static_cast<std::size_t>(a));
            case Kind::kWrite:
            case Kind::kReduction:
                return a == kNoEvent ? is_literal(row, bits(row)) : bits(row) == bits(static_cast<std::size_t>(a));
            case Kind::kShuffle:
                return a == kNoEvent || bits(row) == bits(static_cast<std::size_t>(a));
            case Kind::kCombine:
                return is_result(row, site);
            case Kind::kWarpReduce:
                return is_total(row, site);
            default:
                return true;
        }
    }

    bool is_literal(std::size_t row, Bits found) {
        Literal& literal = literals_[trace_.site[row]];
        if (!literal.seen) literal = {true, found};
        return literal.bits == found;
    }

    /// What a cell held before the launch, unless an atomic has changed it.
    bool saw_initial(std::size_t row, const SiteFacts& site) const {
        return !site.global || globals_[site.ordinal].reduced ||
               bits(row) == element(trace_.initial[site.ordinal], trace_.index[row]);
    }
    bool saw_write(std::size_t row, std::size_t from) const {
        return sites_[trace_.site[from]].kind != Kind::kWrite || bits(row) == bits(from);
    }

    static bool is_nan(Type type, Bits value) {
        return value::is_float(type) && value::compare(type, value, value) != 0;
    }
    static bool equal(Type type, Bits x, Bits y) { return x == y || (is_nan(type, x) && is_nan(type, y)); }

    bool is_result(std::size_t row, const SiteFacts& site) const {
        const std::int32_t a = trace_.a[row], b = trace_.b[row];
        if (a == kNoEvent) return true;
        const Bits left = bits(static_cast<std::size_t>(a));
        if (trace_.sites[trace_.site[row]].op == Operator::kNegate)
            return equal(type_, bits(row), value::negate(type_, left));
        if (b == kNoEvent || !site.op) return true;
        return equal(type_, bits(row), value::apply(type_, *site.op, left, bits(static_cast<std::size_t>(b))));
    }

    /// Of the rows of one instruction the first is asked for all. In which order it combined them is not known; over
    /// integers it does not matter.
    bool is_total(std::size_t row, const SiteFacts& site) const {
        const auto together = [&](std::size_t other) {
            return trace_.block[other] == trace_.block[row] && trace_.step[other] == trace_.step[row] &&
                   trace_.warp(other) == trace_.warp(row);
        };
        // A warp's rows stand together, each lane with those of other sites: up to its first row, and from there on.
        if (trace_.a[row] == kNoEvent || !site.op || !value::is_integer(type_)) return true;
        std::optional<Bits> total;
        for (std::size_t at = row; at-- > 0 && together(at);)
            if (trace_.site[at] == trace_.site[row]) return bits(at) == bits(row);
        for (std::size_t at = row; at < trace_.rows() && together(at); ++at) {
            if (trace_.site[at] != trace_.site[row]) continue;
            if (trace_.a[at] == kNoEvent) return true;
            const Bits own = bits(static_cast<std::size_t>(trace_.a[at]));
            total = total ? value::apply(type_, *site.op, *total, own) : own;
        }
        return bits(row) == *total;
    }

    void refuse_row(std::size_t row) const {
        const SiteFacts& site = sites_[trace_.site[row]];
        const std::int32_t a = trace_.a[row], b = trace_.b[row];
        const auto text = [&](std::int32_t of) { return trace_.text(static_cast<std::size_t>(of)); };
        const auto refuse_since = [&](std::string_view why) {
            refuse("{}.npy, row {}: the {} has {}, but {}", site.own ? "bits" : "value", row, name(site.kind),
                   trace_.text(row), why);
        };
        if (site.own && site.kind != Kind::kRead)
            refuse_since(fmt::format("names row {}; of {} nothing is written that a row made", a,
                                     trace_.arrays[trace_.array(row)].name));
        if (site.kind == Kind::kCombine && b != kNoEvent)
            refuse_since(fmt::format("{} of {} and {}, rows {} and {}, is another value", trace_.op(row), text(a),
                                     text(b), a, b));
        if (site.kind == Kind::kWarpReduce)
            refuse_since(fmt::format("{} of what its warp's lanes handed in is another value", trace_.op(row)));
        if (a != kNoEvent) refuse_since(fmt::format("row {}, which it takes its value from, has {}", a, text(a)));
        if (site.kind == Kind::kRead)
            refuse_since(fmt::format("the cell held {} before the launch, and no row wrote to it what the read saw",
                                     trace_.initial[site.ordinal].text(trace_.index[row])));
        refuse_since("names no row that made it, and a literal is the same in all rows of its site");
    }

    /// The last write to each cell, by step; where none is, what was there before.
    void check_final(const Contents& contents) const {
        const std::size_t ordinal = static_cast<std::size_t>(&contents - globals_.data());
        if (contents.reduced) {
            if (!contents.written && !trace_.kept) check_atomics(contents.id, ordinal);
            return;
        }
        const Array& array = trace_.arrays[contents.id];
        const Values &before = trace_.initial[ordinal], &after = trace_.final[ordinal];
        if (!contents.written && after == before) return;
        std::vector<std::int32_t> last;
        if (contents.written) last = last_writes(contents.id);
        for (std::size_t i = 0; i < array.extent; ++i) {
            const std::int32_t row = last.empty() ? kNoEvent : last[i];
            const bool known = row != kNoEvent || !trace_.kept || !contents.written;  // else others may have written it
            if (!known || (row == kNoEvent ? after.same(i, before, i) : holds(after, i, static_cast<std::size_t>(row))))
                continue;
            if (row != kNoEvent && is_of_a_race(contents.id, i, row, after)) continue;
            refuse("final_{}.npy, entry {}: {}[{}] is {} after the launch, but {} {}", contents.id, i, array.name, i,
                   after.text(i),
                   row == kNoEvent ? "no row writes to it, and before it is" : fmt::format("row {} wrote", row),
                   row == kNoEvent ? before.text(i) : trace_.text(static_cast<std::size_t>(row)));
        }
    }
    /// Whether a cell holds what a row wrote.
    bool holds(const Values& after, std::size_t cell, std::size_t row) const {
        return sites_[trace_.site[row]].own ? after.bits(cell) == trace_.bits[row]
                                            : after.same(cell, trace_.value, row);
    }
    /// What atomics made of an array that nothing else writes to. In which order they came is not known: where it would
    /// matter, floating point may be off by as much as rounding can add up to.
    void check_atomics(std::uint8_t id, std::size_t ordinal) const {
        struct Cell {
            Bits bits;
            double magnitude, count;
        };
        const Values &before = trace_.initial[ordinal], &after = trace_.final[ordinal];
        const Type type = before.type();
        std::vector<Cell> cells(trace_.arrays[id].extent);
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = {before.bits(i), std::abs(before.as_double(i)), 1};
        bool rounds = false;
        for (std::size_t row = 0; row < trace_.rows(); ++row) {
            const SiteFacts& site = sites_[trace_.site[row]];
            if (site.kind != Kind::kReduction || trace_.array(row) != id) continue;
            if (!site.op || *site.op == Op::kMatrix) return;
            const bool adds = *site.op == Op::kSum || *site.op == Op::kSubtract;
            if (value::is_float(type) && *site.op == Op::kProduct) return;
            rounds |= value::is_float(type) && adds;
            Cell& cell = cells[trace_.index[row]];
            cell.bits = value::apply(type, *site.op, cell.bits, site.own ? trace_.bits[row] : bits(row));
            cell.magnitude +=
                std::abs(site.own ? value::value_of(type, trace_.bits[row]).as_double(0) : trace_.value.as_double(row));
            ++cell.count;
        }
        Values made(type);
        made.resize(1);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            made.set_bits(0, cells[i].bits);
            // Half a unit in the last place of 1, and the largest number: of float64, float32, bfloat16, float16
            const auto [unit, most] = size_bytes(type) == 8     ? std::pair(0x1p-53, 0x1p1023)
                                      : size_bytes(type) == 4   ? std::pair(0x1p-24, 0x1p127)
                                      : type == Type::kBfloat16 ? std::pair(0x1p-8, 0x1p127)
                                                                : std::pair(0x1p-11, 0x1p15);
            const double bound = 2 * cells[i].count * unit * cells[i].magnitude;
            const bool overflows = rounds && !(cells[i].magnitude < most);
            if (overflows || equal(type, after.bits(i), cells[i].bits)) continue;
            if (rounds && std::abs(after.as_double(i) - made.as_double(0)) <= bound) continue;
            refuse("final_{}.npy, entry {}: {}[{}] is {} after the launch, but its atomics make {} of {}", id, i,
                   trace_.arrays[id].name, i, after.text(i), made.text(0), before.text(i));
        }
    }

    std::vector<std::int32_t> last_writes(std::uint8_t id) const {
        std::vector<std::int32_t> last(trace_.arrays[id].extent, kNoEvent);
        for (std::size_t row = 0; row < trace_.rows(); ++row) {
            const Site& site = trace_.sites[trace_.site[row]];
            if (site.kind != Kind::kWrite || site.array != id) continue;
            std::int32_t& before = last[trace_.index[row]];
            if (before == kNoEvent || trace_.step[row] >= trace_.step[static_cast<std::size_t>(before)])
                before = static_cast<std::int32_t>(row);
        }
        return last;
    }
    /// Whether another thread wrote what is there: which of the two came last, rows do not say.
    bool is_of_a_race(std::uint8_t id, std::size_t cell, std::int32_t last, const Values& after) const {
        const auto latest = static_cast<std::size_t>(last);
        for (std::size_t row = 0; row < trace_.rows(); ++row) {
            const Site& site = trace_.sites[trace_.site[row]];
            const bool other = trace_.block[row] != trace_.block[latest] || trace_.thread[row] != trace_.thread[latest];
            if (site.kind == Kind::kWrite && site.array == id && trace_.index[row] == cell && other &&
                holds(after, cell, row))
                return true;
        }
        return false;
    }

    const Trace& trace_;
    Type type_;
    std::vector<SiteFacts> sites_;
    std::vector<Contents> globals_;
    std::vector<Literal> literals_;
};

}  // namespace

void check_contents(const Trace& trace, const std::vector<Values>& contents, std::string_view when) {
    std::size_t ordinal = 0;
    for (std::size_t id = 0; id < trace.arrays.size(); ++id) {
        if (trace.arrays[id].space != Space::kGlobal) continue;
        if (ordinal >= contents.size()) refuse("{}_{}.npy is missing", when, id);
        const Values& values = contents[ordinal++];
        const Type type = trace.arrays[id].type.value_or(value_type(trace.launch));
        if (values.type() != type || values.bytes.size() != trace.arrays[id].extent * size_bytes(values.type()))
            refuse("{}_{}.npy holds {} values of type {}, but {} has {} of type {}", when, id, values.size(),
                   name(values.type()), trace.arrays[id].name, trace.arrays[id].extent, name(type));
    }
    if (ordinal != contents.size()) refuse("there are more {} contents than global arrays", when);
}

void check_values(const Trace& trace) {
    switch (size_bytes(trace.value.type())) {
        case 1:
            return ValueChecker<1>(trace).check();
        case 2:
            return ValueChecker<2>(trace).check();
        case 4:
            return ValueChecker<4>(trace).check();
        default:
            return ValueChecker<8>(trace).check();
    }
}

}  // namespace warptree::trace
