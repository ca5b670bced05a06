// The parts of a launch, each a range of its blocks, joined into one trace; and what launches, or some of the blocks of
// one, need of each other.
#include <atomic>
#include <unordered_map>

#include <fmt/format.h>

#include "instrumentation/beside.hpp"
#include "instrumentation/record/canonical_state.hpp"
#include "instrumentation/trace/layout.hpp"
#include "instrumentation/trace/validate.hpp"

namespace warptree::record {

using probe::kNone;

namespace {

/// All parts' steps, in order, with what the table says of each.
struct Union {
    std::vector<std::uint64_t> keys;               // sorted
    std::vector<Site> sites;                       // sorted
    std::vector<std::vector<std::uint16_t>> step;  // (part, id) -> place in keys
    std::vector<std::vector<std::uint16_t>> site;  // (part, id) -> place in sites
};

template <class T>
void sort_unique(std::vector<T>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

template <class T>
std::vector<std::uint16_t> places(const std::vector<T>& values, const std::vector<T>& sorted) {
    std::vector<std::uint16_t> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        result[i] =
            static_cast<std::uint16_t>(std::lower_bound(sorted.begin(), sorted.end(), values[i]) - sorted.begin());
    return result;
}

Union unite(const std::vector<Assembler>& parts) {
    Union all;
    for (const Assembler& part : parts) {
        const auto& s = *part.state;
        for (std::size_t id = 0; id < s.steps.keys.size(); ++id)
            if (s.steps.rows[id] != 0) all.keys.push_back(s.steps.keys[id]);
        all.sites.insert(all.sites.end(), s.sites.sites.begin(), s.sites.sites.end());
    }
    sort_unique(all.keys);
    sort_unique(all.sites);
    for (const Assembler& part : parts) {
        all.step.push_back(places(part.state->steps.keys, all.keys));
        all.site.push_back(places(part.state->sites.sites, all.sites));
    }
    return all;
}

bool is_identity(const std::vector<std::uint16_t>& places) {
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i] != i) return false;
    return true;
}

/// What the parts' markers say, taken together.
/// errors  blocks that disagree about a round
Result<std::vector<Marker>> unite_markers(std::vector<Assembler>& parts) {
    Assembler::State& first = *parts.front().state;
    for (std::size_t p = 1; p < parts.size(); ++p) {
        const std::vector<Marker>& others = parts[p].state->markers;
        for (std::uint32_t ordinal = 0; ordinal < others.size(); ++ordinal)
            if (others[ordinal].seen) first.note_marker(ordinal, others[ordinal]);
        if (first.wrong.empty()) first.wrong = parts[p].state->wrong;
    }
    if (!first.wrong.empty()) return failure(first.wrong);
    return first.markers;
}

/// The table of steps.
void fill_steps(Trace& trace, const std::vector<Assembler>& parts, const Union& all,
                const std::vector<Marker>& markers) {
    for (const std::uint64_t key : all.keys) {
        const std::uint32_t marker = marker_part(key);
        trace.steps.push_back(step_of(key, marker < markers.size() ? markers[marker] : Marker{}));
    }
    std::vector<std::uint32_t> line(all.keys.size(), kNone);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const StepRegistry& steps = parts[p].state->steps;
        for (std::size_t id = 0; id < steps.keys.size(); ++id)
            if (steps.rows[id] != 0) line[all.step[p][id]] = std::min(line[all.step[p][id]], steps.line[id]);
    }
    for (std::size_t place = 0; place < line.size(); ++place)
        trace.steps[place].line = static_cast<std::uint16_t>(line[place]);
}

/// Renames the steps and sites of one part's rows, where its names are not the trace's.
void rename(Trace& columns, std::size_t first, std::size_t rows, const std::vector<std::uint16_t>& step,
            const std::vector<std::uint16_t>& site) {
    if (!is_identity(step))
        for (std::size_t row = first; row < first + rows; ++row) columns.step[row] = step[columns.step[row]];
    if (!is_identity(site))
        for (std::size_t row = first; row < first + rows; ++row) columns.site[row] = site[columns.site[row]];
}

void join(Trace& trace, const std::vector<Assembler>& parts, const Union& all, std::size_t rows) {
    trace.value = Values(value_type(trace.launch));
    resize(trace, rows);
    std::vector<std::size_t> bases = {0};
    for (const Assembler& part : parts) bases.push_back(bases.back() + part.state->part.rows());
    std::atomic<std::size_t> next = 0;
    const std::size_t cores = parts.size() > 1 ? value::cores() : 1;
    on_threads(std::min(cores, parts.size()), [&](std::size_t) {
        for (std::size_t p = next++; p < parts.size(); p = next++) {
            const Trace& part = parts[p].state->part;
            copy_rows(part, 0, trace, bases[p], part.rows());
            rename(trace, bases[p], part.rows(), all.step[p], all.site[p]);
        }
    });
}

/// Whether every part's rows stand in the whole's columns, one part behind the other and nothing between.
bool stand_together(const std::vector<Assembler>& parts) {
    std::size_t next = 0;
    for (const Assembler& part : parts) {
        const Assembler::State& s = *part.state;
        if (!s.is_shared() || s.first_row != next || s.rows != s.most_rows) return false;
        next += s.rows;
    }
    return next == parts.front().state->columns().rows();
}

/// All parts' columns become one trace's: without a copy where they stand together already.
void gather(Trace& trace, std::vector<Assembler>& parts, const Union& all, std::size_t rows,
            std::vector<std::size_t>& bases) {
    const bool together = stand_together(parts);
    if (!together) {
        for (Assembler& part : parts)
            if (part.state->is_shared()) part.state->unshare();
        if (parts.size() > 1) return join(trace, parts, all, rows);
    }
    Trace& columns = parts.front().state->columns();
    for (std::size_t p = 0; p < parts.size(); ++p)
        rename(columns, together ? bases[p] : 0, parts[p].state->rows, all.step[p], all.site[p]);
    each_column([](auto& to, auto& from) { to = std::move(from); }, trace, columns);
    trace.value = std::move(columns.value);
    bases.assign(parts.size(), 0);  // rows are the trace's already
}

/// What all parts noted of some rows, with the numbers that these have now.
template <class T>
std::vector<T> gathered(const std::vector<Assembler>& parts, const std::vector<std::size_t>& bases,
                        std::vector<T> Assembler::State::*what) {
    std::vector<T> all;
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (T entry : (*parts[p].state).*what) {
            entry.row += static_cast<std::uint32_t>(bases[p]);
            all.push_back(entry);
        }
    return all;
}

/// Reads of what other blocks wrote, found by the writes that they want.
class Readers {
public:
    /// block  that wrote it, counted from wherever add() and each() both count
    void add(std::uint64_t block, const ForeignRead& read) { rows_[block << 32 | read.position].push_back(read.row); }
    /// Calls with(row that reads, row that wrote) for each read of some writes.
    /// first  the block that these count from
    template <class With>
    void each(const std::vector<GlobalWrite>& writes, std::uint64_t first, With&& with) const {
        if (rows_.empty()) return;
        for (const GlobalWrite& write : writes)
            if (const auto found = rows_.find((first + write.block) << 32 | write.position); found != rows_.end())
                for (const std::uint32_t row : found->second) with(row, write.row);
    }

private:
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> rows_;  // by block << 32 | position
};

/// Reads of values that another block wrote get their rows once every block has its place; those of earlier launches
/// stay unresolved.
void resolve_foreign_reads(Piece& piece, const std::vector<ForeignRead>& reads) {
    Readers readers;
    for (const ForeignRead& read : reads) {
        if (static_cast<std::int32_t>(read.block) < 0) {
            piece.unresolved.push_back(read);
        } else {
            readers.add(read.block, read);
        }
    }
    readers.each(piece.writes, 0, [&piece](std::uint32_t row, std::uint32_t from) {
        piece.trace.a[row] = static_cast<std::int32_t>(from);
    });
}

/// Of clusters: whose shared memory each row is about.
void fill_owners(Trace& trace, const std::vector<Assembler>& parts, const std::vector<std::size_t>& bases) {
    trace.owner = {};
    if (trace.launch.cluster == 1) return;
    trace.owner.resize(trace.rows());
    std::copy(trace.block.begin(), trace.block.end(), trace.owner.begin());
    for (const RemoteRead& read : gathered(parts, bases, &Assembler::State::remote_reads))
        trace.owner[read.row] = read.owner;
}

/// Of arrays with a type of their own: what their rows have goes to a column of its own.
void fill_bits(Trace& trace, const std::vector<Assembler>& parts, const std::vector<std::size_t>& bases) {
    trace.bits = {};
    if (!has_own({&trace, 1})) return;
    trace.bits = value::zeros<std::uint64_t>(trace.rows());
    for (const OwnValue& own : gathered(parts, bases, &Assembler::State::own_values)) {
        trace.bits[own.row] = own.bits;
        trace.value.set_bits(own.row, 0);
    }
}

/// A shared array that no block came by is none of the launch's.
void drop_untouched(Trace& trace) {
    std::vector<std::uint8_t> id;
    std::uint8_t left = 0;
    for (const Array& array : trace.arrays) {
        id.push_back(left);
        left = static_cast<std::uint8_t>(left + (array.extent != 0 ? 1 : 0));
    }
    std::erase_if(trace.arrays, [](const Array& array) { return array.extent == 0; });
    for (Site& site : trace.sites)
        if (site.array != Site::kNoArray) site.array = id[site.array];
}

}  // namespace

Result<Piece> assemble(Trace header, std::vector<Assembler> parts) {
    Piece piece{std::move(header)};
    Trace& trace = piece.trace;
    std::vector<std::size_t> bases;
    std::size_t rows = 0;
    const auto markers = unite_markers(parts);
    if (!markers) return tl::unexpected(markers.error());
    for (const Assembler& part : parts) {
        bases.push_back(rows);
        rows += part.state->rows;
    }
    if (rows > std::size_t{0x7fffffff})
        return failure(
            fmt::format("The launch left {} events; a trace holds up to 2,147,483,647. Choose a smaller N.", rows));
    const Union all = unite(parts);
    std::size_t steps = all.keys.size();
    for (const Assembler& part : parts) steps = std::max(steps, part.state->steps.keys.size());
    if (all.sites.size() > trace::kMostSites)
        return failure(fmt::format("The launch does {} things apart; a trace tells up to {} apart. Choose a smaller N.",
                                   all.sites.size(), trace::kMostSites));
    if (steps > 65535)
        return failure(fmt::format("The launch took {} steps; a trace holds up to 65,535. Choose a smaller N.", steps));
    if (!trace::can_index(trace.blocks_held(), all.keys.size(), rows))
        return failure(fmt::format(
            "The launch took {} steps in {} blocks, most of them in few of the blocks: too many to keep. Choose larger "
            "blocks or a smaller N.",
            all.keys.size(), trace.blocks_held()));
    fill_steps(trace, parts, all, *markers);
    trace.sites = all.sites;
    drop_untouched(trace);
    piece.keys = all.keys;
    gather(trace, parts, all, rows, bases);
    piece.writes = gathered(parts, bases, &Assembler::State::global_writes);
    resolve_foreign_reads(piece, gathered(parts, bases, &Assembler::State::foreign_reads));
    fill_owners(trace, parts, bases);
    fill_bits(trace, parts, bases);
    trace.index_rows();
    settle_tickets(piece, gathered(parts, bases, &Assembler::State::tickets));
    return piece;
}

void connect(std::vector<Piece>& launches) {
    std::vector<std::uint64_t> bases = {0};  // (launches so far + 1,) the first block of each, counted over the run
    for (Piece& piece : launches) {
        Readers readers;
        for (const ForeignRead& read : piece.unresolved)
            readers.add(bases.back() - (std::uint32_t{0} - read.block), read);
        for (std::uint32_t from = 0; from + 1 < bases.size(); ++from)
            readers.each(launches[from].writes, bases[from], [&](std::uint32_t row, std::uint32_t from_row) {
                piece.trace.carried.push_back({row, from, from_row});
            });
        std::ranges::sort(piece.trace.carried, {}, &Carried::row);
        bases.push_back(bases.back() + piece.trace.launch.grid);
    }
}

Trace under_all_steps(Piece piece, const std::vector<std::uint64_t>& keys, const std::vector<Step>& steps) {
    const std::vector<std::uint16_t> place = places(piece.keys, keys);
    for (std::uint16_t& step : piece.trace.step) step = place[step];
    piece.trace.steps = steps;
    piece.trace.index_rows();
    return std::move(piece.trace);
}

}  // namespace warptree::record
