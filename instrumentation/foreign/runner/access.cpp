// What the user's elements ask: where an address is, who wrote there, what an access leaves in the log, and what is
// wrong with it. Events have the number of a place in the code where a trace has lines.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "instrumentation/foreign/runner/state.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::foreign {
namespace {

using value::Type;

alignas(4096) char shared_memory[kSlots * kSharedBytes];
Origin shared_origins[kSlots * kSharedBytes / kCell];
std::uint32_t* register_events = nullptr;  // (bytes of all stacks / kCell,) the event's position plus one
std::uintptr_t stacks_begin = 0, stacks_bytes = 0;
std::size_t shared_top = 0;  // bytes of a block's static arrays, as they would lie close together

std::set<const void*> volatiles;  // where they return to

const char kZeros[64] = {};
char sink[64];

std::uintptr_t address(const void* p) {
    return reinterpret_cast<std::uintptr_t>(p);
}

enum class Where { kRegister, kGlobal, kShared, kNowhere };
struct Spot {
    Where where = Where::kNowhere;
    GlobalArray* global = nullptr;
    std::uint32_t array = 0;  // as events have it
    std::uint32_t index = 0;
    std::size_t cell = 0;  // of the array
    Origin* origin = nullptr;
    std::size_t cells = 1, step = 1;  // that it takes, and of them those that something is noted of
};

/// An access to an array is of fewer bytes than those before: what is known of larger cells is known of their parts.
template <class Array>
void narrow(Array& array, Origin* cells, std::size_t bytes, std::size_t size) {
    for (std::size_t cell = 0; array.least != 0 && cell < bytes; cell += array.least)
        for (std::size_t part = size; part < array.least && cell + part < bytes && cells[cell].owner != 0; part += size)
            cells[cell + part].note_writer(0, cells[cell].owner, cells[cell].is_atomic());
    array.least = size;
}

/// The running block's shared memory.
char* slot() {
    const std::size_t block = state().now->interleaved ? simt::current_lane->block->block_index.x : 0;
    return shared_memory + block * kSharedBytes;
}

bool on_stack(std::uintptr_t p) {
    return p - stacks_begin < stacks_bytes;
}
std::uint32_t& register_at(std::uintptr_t p) {
    return register_events[(p - stacks_begin) / kCell];
}

simt::Lane& self() {
    return *simt::current_lane;
}

/// The number that events of this launch have for an array; the launch's first access to it keeps what it found.
std::uint32_t number_of(GlobalArray& array) {
    LaunchRecord& launch = *state().now;
    for (std::size_t i = 0; i < launch.arrays.size(); ++i)
        if (&state().arrays[launch.arrays[i].array] == &array) return static_cast<std::uint32_t>(i);
    constexpr std::size_t kMostKept = std::size_t{256} << 20;  // bytes
    launch.arrays.push_back({number_of_array(array)});
    if (array.bytes <= kMostKept && state().recording)
        launch.arrays.back().before = contents_of(array);
    else
        launch.kept = false;
    return static_cast<std::uint32_t>(launch.arrays.size() - 1);
}

Spot spot_of(std::uintptr_t p, wt::Access access) {
    const std::size_t size = bytes_of(access);
    if (on_stack(p)) return {Where::kRegister};
    const std::uintptr_t whole = p - address(shared_memory), offset = whole % kSharedBytes;
    if (whole < sizeof shared_memory) {
        LaunchRecord& launch = *state().now;
        for (std::size_t i = 0; i < launch.shared.size(); ++i) {
            SharedArray& array = launch.shared[i];
            if (offset - array.begin >= array.bytes || offset - array.begin + size > array.bytes) continue;
            array.type.note(access);
            if (array.least == 0 || size < array.least)
                for (std::size_t block = 0; block < (launch.interleaved ? launch.blocks : 1); ++block)
                    narrow(array, &shared_origins[(block * kSharedBytes + array.begin) / kCell], array.bytes, size);
            return {Where::kShared,
                    nullptr,
                    static_cast<std::uint32_t>(probe::kFirstShared + i),
                    static_cast<std::uint32_t>((offset - array.begin) / size),
                    0,
                    &shared_origins[whole / kCell],
                    size / kCell,
                    array.least};
        }
        return {};
    }
    GlobalArray* const array = array_at(p);
    if (array == nullptr || array->freed || p - array->begin + size > array->bytes) return {};
    array->type.note(access);
    const std::size_t cell = (p - array->begin) / kCell;
    if (array->least == 0 || size < array->least) narrow(*array, array->origins, array->bytes, size);
    return {Where::kGlobal,
            array,
            number_of(*array),
            static_cast<std::uint32_t>((p - array->begin) / size),
            cell,
            array->origins + cell,
            size / kCell,
            array->least};
}

std::uint32_t add(RawKind kind, std::uint32_t array, const void* caller, std::uint32_t index, std::uint32_t a,
                  std::uint32_t b, std::uint64_t bits) {
    const simt::Lane& lane = self();
    const auto size = lane.block->log->size();
    const auto sound = [size](std::uint32_t event) { return event < size ? event : kNone; };
    if (probe::has_operator(kind) || kind == RawKind::kWrite) a = sound(a);
    if (kind == RawKind::kCombine) b = sound(b);
    return lane.block->log->add(
        {lane.clock, bits, probe::pack_what(kind, array, place_number(caller), lane.thread()), index, a, b});
}

bool is_known(const GlobalArray& array, std::size_t cell) {
    return (array.known[cell / 64] >> cell % 64 & 1) != 0;
}

const char* called(const std::string& name) {
    return name.empty() ? "an array" : name.c_str();
}

std::string counted(std::size_t elements) {
    return fmt::format("{} element{}", elements, elements == 1 ? "" : "s");
}

[[gnu::noinline, gnu::cold]] void bad_address(std::uintptr_t p, wt::Access access, const void* caller, bool writes) {
    const int line = line_of_address(caller);
    const std::size_t size = bytes_of(access);
    const std::string does = who() + (writes ? " writes " : " reads ");
    const LaunchRecord& launch = *state().now;
    const std::uintptr_t whole = p - address(shared_memory), offset = whole % kSharedBytes;
    const GlobalArray* const nearest = in_arena(p) ? array_near(p) : nullptr;
    constexpr std::uintptr_t kNear = 65536;
    const bool shared = whole < sizeof shared_memory || address(shared_memory) - p < kNear;
    const bool between =  // arrays of a block: on a GPU another one may lie there
        whole < sizeof shared_memory && std::ranges::any_of(launch.shared, [&](const SharedArray& array) {
            return array.id != kDynamic && array.begin > offset;
        });
    if (nearest == nullptr && !between) break_device(700);  // near an array a GPU goes on: its pages are larger
    if (shared) {
        // The nearest array before it; else one that it is before
        const auto past = [&](const SharedArray& array) { return p - address(slot()) - array.begin; };
        const SharedArray *before = nullptr, *behind = nullptr;
        for (const SharedArray& array : launch.shared) {
            const bool own = (offset >= kDynamicAt - kNear) == (array.id == kDynamic);
            if (own && past(array) < array.bytes + kNear && (before == nullptr || past(array) < past(*before)))
                before = &array;
            if (behind == nullptr && ~past(array) + 1 < kNear && (own || array.begin == 0)) behind = &array;
        }
        if (before != nullptr)
            return note("out-of-bounds", line,
                        fmt::format("{}{}[{}], which has {}{}", does, called(before->name), past(*before) / size,
                                    counted(before->bytes / size),
                                    between ? "; on a GPU another shared array may lie there" : ""));
        if (behind != nullptr)
            return note("out-of-bounds", line,
                        fmt::format("{}{}[-{}]", does, called(behind->name), (~past(*behind) + size) / size));
        return note("out-of-bounds", line, does + "shared memory that no array has");
    }
    if (nearest != nullptr) {
        const auto index = (static_cast<std::int64_t>(p) - static_cast<std::int64_t>(nearest->begin)) /
                           static_cast<std::int64_t>(size);
        return note(nearest->freed ? "use-after-free" : "out-of-bounds", line,
                    fmt::format("{}{}[{}], which {}{}", does, called(nearest->name), index,
                                nearest->freed ? "was freed" : "has " + counted(nearest->bytes / size),
                                writes ? "" : "; here it gets 0, on a GPU whatever stands there"));
    }
    if (in_arena(p)) return note("out-of-bounds", line, does + "global memory far outside of every array");
    constexpr std::uintptr_t kFirstPages = 1 << 20;
    if (p < kFirstPages)
        return note("null-pointer", line, fmt::format("{}through a null pointer; was the array allocated?", does));
    note("host-pointer", line,
         fmt::format("{}the host's memory: the kernel got a pointer that cudaMalloc did not make", does));
}

/// Lanes of a warp take turns access by access, as on hardware that keeps them in step; others where all do.
void step_aside(wt::Access access, const void* caller) {
    State& all = state();
    if ((access & wt::kVolatile) == 0) {
        if (all.in_step && !all.now->interleaved)
            simt::keep_in_step(static_cast<std::uint64_t>(line_of_address(caller)) << 32 | (address(caller) & kNone));
        return;
    }
    volatiles.insert(caller);
    simt::Lane* const lane = simt::current_lane;
    ++lane->block->meetings;
    simt::yield(lane);
}

Touch touch_of(const Spot& spot, const void* caller) {
    const bool global = spot.where == Where::kGlobal;
    return {spot.origin, global, spot.index,
            global ? &spot.global->name : &state().now->shared[spot.array - probe::kFirstShared].name, caller};
}

/// Notes that the launch reads what an earlier one left.
void note_need(std::uint32_t owner) {
    State& all = state();
    if (owner == 0 || owner > all.now->earlier) return;
    static std::uint32_t last = 0;
    static const LaunchRecord* of = nullptr;
    if (owner == last && of == all.now) return;
    last = owner;
    of = all.now;
    all.now->needs.insert(launch_of(owner));
}

void mark_written(const Spot& spot, std::uint32_t position, bool atomic) {
    const simt::Block& block = *self().block;
    const bool shared = spot.where == Where::kShared;
    const std::uint32_t by = shared ? block.stamp : block.run_block + 1;
    spot.origin->note_writer(position + 1, by, atomic);
    for (std::size_t i = spot.step; i < spot.cells;
         i += spot.step)  // what begins inside of it is no value that anybody made
        spot.origin[i].note_writer(0, by, atomic);
    if (shared) return;
    if (!atomic) spot.origin->note_stored(by, state().now->earlier);
    spot.global->known[spot.cell / 64] |= ((std::uint64_t{1} << spot.cells) - 1) << spot.cell % 64;
    spot.global->written = true;
    ++spot.global->version;
}

}  // namespace

std::uint64_t applied(unsigned op, value::Type type, std::uint64_t a, std::uint64_t b) {
    if (op == wt::kExchange) return b;
    const auto low = static_cast<std::uint32_t>(a), limit = static_cast<std::uint32_t>(b);
    if (op == wt::kIncrement) return low >= limit ? 0 : low + 1;
    if (op == wt::kDecrement) return low == 0 || low > limit ? limit : low - 1;
    return value::apply(type, static_cast<value::Op>(op), a, b);
}

void stop_block() {
    simt::give_up(simt::current_lane);
}

void forget_shared() {
    shared_top = 0;
}

std::set<int> lines_of_volatiles() {
    std::set<int> lines;
    for (const void* const caller : volatiles) lines.insert(line_of_address(caller));
    return lines;
}

void begin_registers() {
    const simt::Stacks all = stacks();
    stacks_begin = address(all.begin);
    stacks_bytes = kMostThreads * all.between();
    register_events = static_cast<std::uint32_t*>(map_memory(0, stacks_bytes / kCell * sizeof(std::uint32_t)));
    if (register_events == nullptr) std::abort();
}

}  // namespace warptree::foreign

using namespace warptree;
using namespace warptree::foreign;

namespace wt {

Seen take(const void* at, Access access) {
    if (state().now == nullptr) return {at, kNone};
    const auto p = address(at);
    if (on_stack(p)) {
        const std::uint32_t event = state().recording ? register_at(p) - 1 : kNone;
        return {at, event};
    }
    const void* const caller = state().last_caller = __builtin_return_address(0);
    step_aside(access, caller);
    const Spot spot = spot_of(p, access);
    if (spot.where == Where::kNowhere) {
        bad_address(p, access, caller, false);
        return {kZeros, kNone};
    }
    const simt::Block& block = *self().block;
    std::uint32_t position = spot.origin->position - 1, owner = spot.origin->owner;
    const void* seen = at;
    if (spot.where == Where::kShared) {
        if (owner != block.stamp) {
            note_unknown(touch_of(spot, caller), "reads");
            position = kNone;
            seen = kZeros;
        }
        owner = block.block_index.x;
    } else {
        if (!is_known(*spot.global, spot.cell)) note_unknown(touch_of(spot, caller), "reads");
        if ((access & kVolatile) == 0) look_at_read(touch_of(spot, caller), true);
        state().now->arrays[spot.array].read = true;
        note_need(owner);
        owner = owner - 1 - (block.run_block - block.block_index.x);
    }
    if (!state().recording) return {seen, kNone};
    const std::uint64_t bits = bits_at(seen, access);
    const bool wide = (access & kWide) != 0 && spot.where == Where::kGlobal;
    return {seen, add(wide ? RawKind::kReadWide : RawKind::kRead, spot.array, caller, spot.index, position,
                      position == kNone ? kNone : owner, bits)};
}

void* put(void* at, std::uint64_t bits, std::uint32_t event, Access access) {
    if (state().now == nullptr) return at;
    const auto p = address(at);
    if (on_stack(p)) {
        if (state().recording) {
            std::fill_n(&register_at(p), bytes_of(access) / kCell, 0u);
            register_at(p) = event + 1;
        }
        return at;
    }
    const void* const caller = state().last_caller = __builtin_return_address(0);
    step_aside(access, caller);
    const Spot spot = spot_of(p, access);
    if (spot.where == Where::kNowhere) {
        bad_address(p, access, caller, true);
        return sink;
    }
    std::uint32_t position = kNone;
    const bool wide = (access & kWide) != 0 && spot.where == Where::kGlobal;
    if (state().recording)
        position = add(RawKind::kWrite, spot.array, caller, spot.index, event, wide ? probe::kWideWrite : kNone, bits);
    if ((access & kVolatile) == 0) {
        look_at_write(touch_of(spot, caller), bits_at(at, access) != bits);
    }
    mark_written(spot, position, false);
    return at;
}

std::uint32_t combine(unsigned op, std::uint64_t bits, std::uint32_t a, std::uint32_t b, Access access) {
    if (!state().recording) return kNone;
    if (op == kOpaque) return a != kNone ? a : b;
    return add(RawKind::kCombine, op, __builtin_return_address(0), access & kTypeOf, a, b, bits);
}

void* shared_begin() {
    return slot();
}

void fresh(void* at, unsigned bytes) {
    if (state().recording && on_stack(address(at))) std::fill_n(&register_at(address(at)), bytes / kCell, 0u);
}

Word atomic(unsigned op, void* at, std::uint64_t bits, std::uint64_t compare, std::uint32_t event, Access access) {
    const auto p = address(at);
    const void* const caller = __builtin_return_address(0);
    step_aside(access, caller);
    const Spot spot = spot_of(p, access);
    if (spot.where == Where::kNowhere || spot.where == Where::kRegister) {
        bad_address(p, access, caller, true);
        return {0, kNone};
    }
    const std::size_t size = bytes_of(access);
    std::uint64_t old = 0;
    std::memcpy(&old, at, size);
    const bool unknown =
        spot.where == Where::kShared ? spot.origin->owner != self().block->stamp : !is_known(*spot.global, spot.cell);
    const char* const does = op == unsigned(value::Op::kSum) ? "adds to" : "changes";
    if (unknown) {
        note_unknown(touch_of(spot, caller), does);
        if (spot.where == Where::kShared) old = 0;
    }
    if (spot.where == Where::kGlobal) {
        note_need(spot.origin->owner);
        state().now->arrays[spot.array].read = true;
        look_at_add(touch_of(spot, caller), does,
                    op < value::kOpNames.size() && op != unsigned(value::Op::kMin) && op != unsigned(value::Op::kMax));
    }
    const std::uint64_t now = op == kCompare ? (old == compare ? bits : old) : applied(op, type_of(access), old, bits);
    std::memcpy(at, &now, size);
    const bool stores = op == kExchange || op == kCompare, folds = op < value::kOpNames.size();
    std::uint32_t position = kNone;
    if (stores) fence();  // blocks may lock what they share
    if (state().recording) {
        if (folds)
            position = add(RawKind::kOwnReduction, spot.array, caller, spot.index, event, op, bits);
        else if (stores && (op == kExchange || old == compare))
            position = add(RawKind::kWrite, spot.array, caller, spot.index, event, probe::kSwapWrite, now);
        else
            position = add(RawKind::kTicket, probe::kNoArray, caller, 0, kNone, kNone, old);
    }
    if (!stores || position != kNone || !state().recording) mark_written(spot, stores ? position : kNone, true);
    return {old, stores ? kNone : position};
}

void used(std::uint32_t event) {
    if (!state().recording || event >= self().block->log->size()) return;
    auto& of = const_cast<RawEvent&>(self().block->log->data()[event]);
    if (probe::kind_of(of.what) != RawKind::kOwnReduction) return;
    look_at_use();
    of.what = probe::pack_what(RawKind::kTicket, probe::kNoArray, probe::line_of(of.what), probe::thread_of(of.what));
    of.index = 0;
    of.a = of.b = kNone;
}

void* shared(int id, const char* name, std::size_t bytes, std::size_t element) {
    LaunchRecord& launch = *state().now;
    for (const SharedArray& array : launch.shared)
        if (array.id == id) return slot() + array.begin;
    constexpr std::size_t kAlign = 128;  // all banks
    const std::size_t begin = (shared_top + kAlign - 1) / kAlign * kAlign;
    if (begin + bytes > kStaticLimit || launch.shared.size() >= probe::kMostShared) {
        note("too-much-shared", line_of_address(__builtin_return_address(0)),
             begin + bytes > kStaticLimit
                 ? fmt::format("{} and the arrays before it have {} bytes; static shared memory ends at 49152 a block",
                               name, begin + bytes)
                 : fmt::format("{} is one shared array too many to record; {} are possible", name, probe::kMostShared));
        if (2 * (begin + bytes) > kDynamicAt || launch.shared.size() >= probe::kMostShared) stop_block();
    }
    shared_top = begin + bytes;
    // Behind each array as much lies free again, so that what goes past its end is not in the next one
    return slot() + launch.shared.emplace_back(SharedArray{id, name, 2 * begin, bytes, element}).begin;
}

void* dynamic_shared(const char* name) {
    LaunchRecord& launch = *state().now;
    for (const SharedArray& array : launch.shared)
        if (array.id == kDynamic) return slot() + kDynamicAt;
    launch.shared.push_back({kDynamic, name, kDynamicAt, launch.shared_bytes});
    if (launch.shared_bytes == 0)
        note("no-dynamic-shared", launch.line,
             fmt::format("{} has extern __shared__ {}[], but this launch gives it no bytes: they are the third "
                         "argument in <<< >>>",
                         launch.function, name));
    return slot() + kDynamicAt;
}

}  // namespace wt
