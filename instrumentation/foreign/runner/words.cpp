// What the threads of a block and of a warp do together, and launches.
#include <sys/time.h>
#include <algorithm>
#include <chrono>
#include <map>
#include <span>

#include <fmt/format.h>

#include "instrumentation/foreign/runner/state.hpp"
#include "instrumentation/simt/shuffle.hpp"

namespace warptree::foreign {
namespace {

const auto kBegun = std::chrono::steady_clock::now();

simt::Lane& self() {
    return *simt::current_lane;
}
std::uint16_t place_16(const void* caller) {
    return static_cast<std::uint16_t>(place_number(caller));
}
std::uint32_t add(RawKind kind, const void* caller, std::uint32_t index, std::uint32_t a, std::uint64_t bits,
                  std::uint32_t b = kNone, std::uint32_t array = probe::kNoArray) {
    const simt::Lane& lane = self();
    return lane.block->log->add(
        {lane.clock, bits, probe::pack_what(kind, array, place_number(caller), lane.thread()), index, a, b});
}

/// Barriers of one meeting have to be one barrier of the code.
void look_at_barrier(const void* caller) {
    static std::uint32_t stamp = 0, generation = 0, place = 0;
    const simt::Block& block = *self().block;
    const std::uint32_t here = place_number(caller);
    if (stamp == block.stamp && generation == block.generation && place != here) {
        const int line = line_of_place(here), other = line_of_place(place);
        if (line != other)
            note("undefined", line,
                 fmt::format("{} waits at this __syncthreads(), others of the block at the one on line {}: all have to "
                             "come to the same",
                             who(), other));
    }
    stamp = block.stamp, generation = block.generation, place = here;
}

/// Threads that go round a loop as often as others, but without the barriers that these come to in it.
void look_at_loops(std::span<const RawEvent> events, std::uint32_t threads, std::uint32_t block) {
    struct Turns {
        std::uint32_t count = 0, first = 0,
                      last = 0;  // how often; barriers that are passed at the first and at the last
        std::uint32_t barriers() const { return last - first; }
    };
    std::map<std::uint32_t, std::vector<Turns>> loops;  // place -> (threads,)
    std::vector<Turns>* loop = nullptr;
    std::uint32_t place = 0;  // of that
    for (const RawEvent& event : events) {
        if (probe::kind_of(event.what) != RawKind::kEmpty) continue;
        if (loop == nullptr || place != probe::line_of(event.what)) {
            loop = &loops[place = probe::line_of(event.what)];
            loop->resize(threads);
        }
        Turns& one = (*loop)[probe::thread_of(event.what)];
        one.last = probe::barrier_of(event.clock);
        if (one.count++ == 0) one.first = one.last;
    }
    for (const auto& [at, all] : loops) {
        const auto most = std::ranges::max_element(all, {}, &Turns::barriers);
        const auto skips = std::ranges::find_if(
            all, [&](const Turns& one) { return one.count == most->count && one.barriers() != most->barriers(); });
        if (skips == all.end()) continue;
        const auto thread = skips - all.begin();
        foreign::add(Note{
            .line = line_of_place(at),
            .launch = static_cast<int>(state().launches.size()) - 1,
            .block = block,
            .thread = thread,
            .kind = "undefined",
            .text = fmt::format("thread {} of block {} goes round this loop without coming to each barrier in it that "
                                "thread {} comes to: all threads of the block have to",
                                thread, block, most - all.begin())});
    }
}

/// Lines in a sentence of the executor's are numbers of places.
/// first  where the first of them goes
std::string with_lines(const std::string& text, int& first) {
    constexpr std::string_view kWord = "line ";
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (text.compare(i, kWord.size(), kWord) != 0) {
            out += text[i++];
            continue;
        }
        i += kWord.size();
        std::uint32_t place = 0;
        for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
            place = place * 10 + static_cast<std::uint32_t>(text[i] - '0');
        const int line = line_of_place(place);
        if (first == 0) first = line;
        out += fmt::format("line {}", line);
    }
    return out;
}

/// Why a launch cannot be; "" where it can.
std::string refusal_of(const wt::Call& call) {
    const std::uint64_t threads = std::uint64_t{call.block.x} * call.block.y * call.block.z;
    const std::uint64_t blocks = std::uint64_t{call.grid.x} * call.grid.y * call.grid.z;
    if (threads > simt::kMaxBlock)
        return fmt::format("{} threads a block; up to {} are possible", threads, simt::kMaxBlock);
    if (threads == 0 || blocks == 0) return blocks == 0 ? "no blocks" : "no threads";
    if (blocks > 0x7fffffff) return fmt::format("{} blocks; up to 2147483647 are possible", blocks);
    constexpr std::size_t kMostShared = 99 << 10;
    if (call.shared > kMostShared)
        return fmt::format("{} bytes of shared memory; up to {} are possible", call.shared, kMostShared);
    return {};
}

/// Of a launch that was stopped: its blocks that ended, the first ones.
std::uint32_t blocks_done(const LaunchRecord& launch) {
    std::uint64_t done = 0;
    std::uint32_t last = 0;
    for (const RawBlock& one : launch.logs) done += one.times, last = std::max(last, one.block);
    return last < done ? static_cast<std::uint32_t>(done) : launch.blocks;
}

}  // namespace

void break_device(int error) {
    State& all = state();
    if (all.broken == 0) all.broken = error;
    all.last_error = all.broken;
}

std::string late_text(const char* does) {
    const std::uint32_t done = self().block->block_index.x;
    state().done = static_cast<double>(done) / state().now->blocks;
    return fmt::format("after {:.3g} s the kernel still runs; {} {}", state().seconds, who(), does) +
           (done == 0 ? "" : fmt::format("; {} of {} blocks are done", done, state().now->blocks));
}

const char* late_kind() {
    return wt::now_ms() - state().since < 500 * state().seconds ? "too-long" : "hang";
}

std::string who() {
    return fmt::format("thread {} of block {}", self().thread(), self().block->block_index.x);
}

}  // namespace warptree::foreign

using namespace warptree;
using namespace warptree::foreign;

namespace wt {

bool loop() {
    if (state().now == nullptr) return true;
    static std::uint32_t turns = 0;
    state().last_caller = __builtin_return_address(0);
    if ((++turns & 1023) == 0 && now_ms() > state().seconds * 1000) {
        state().late = true;
        note(late_kind(), line_of_address(__builtin_return_address(0)), late_text("goes round in this loop"));
        stop_block();
    }
    if ((turns & 1023) == 0) look_at_size();
    if (state().recording) add(RawKind::kEmpty, __builtin_return_address(0), 0, kNone, 0);
    return true;
}

void block_barrier() {
    const void* const caller = __builtin_return_address(0);
    look_at_barrier(caller);
    simt::wait_for_block(place_16(caller));
}
void warp_barrier(unsigned mask) {
    simt::meet(mask, {}, place_16(__builtin_return_address(0)), true);
}
void grid_barrier() {
    const void* const caller = __builtin_return_address(0);
    if (state().now->blocks == 1) return block_barrier();
    if (state().now->interleaved) return simt::wait_for_cluster(place_16(caller));
    note("unsupported", line_of_address(caller),
         fmt::format("grid.sync() asks for a launch by cudaLaunchCooperativeKernel, here of up to {} blocks and {} "
                     "threads: the launch is stopped",
                     kSlots, kMostThreads));
    stop_block();
}

Word shuffle_bits(Shuffle kind, unsigned mask, std::uint64_t bits, std::uint32_t event, unsigned by, unsigned width,
                  Access access) {
    const void* const caller = __builtin_return_address(0);
    constexpr std::uint32_t kWarp = 32;
    const std::uint32_t lane = self().thread() % kWarp;
    if (width == 0 || width > kWarp) width = kWarp;
    std::uint32_t source = kind == Shuffle::kIndex  ? simt::index_source(lane, by, width)
                           : kind == Shuffle::kUp   ? simt::up_source(lane, by, width)
                           : kind == Shuffle::kDown ? simt::down_source(lane, by, width)
                                                    : simt::xor_source(lane, by, width);
    simt::Parcel parcel;
    parcel.bits = bits;
    parcel.event = event;
    if ((mask >> lane & 1) == 0)
        note("undefined", line_of_address(caller),
             fmt::format("{} is not in the mask {:#x} that it gives", who(), mask));
    const simt::Handed& handed = simt::meet(mask | 1u << lane, parcel, place_16(caller), false);
    parcel = {};
    parcel.event = kNone;
    if ((handed.lanes >> source & 1) == 0) {
        note("undefined", line_of_address(caller),
             fmt::format("{} takes the value of lane {}, which is not there: what it gets is undefined, here 0", who(),
                         source));
    } else {
        parcel = handed.parcels[source];
    }
    if (!state().recording || (access & kUnrecorded) != 0) return {parcel.bits, parcel.event};
    return {parcel.bits, add(RawKind::kShuffle, caller, source, parcel.event, parcel.bits, access & kTypeOf)};
}

Word warp_reduce(unsigned op, unsigned mask, std::uint64_t bits, std::uint32_t event, Access access) {
    const auto type = static_cast<warptree::value::Type>(access & kTypeOf);
    simt::Parcel parcel;
    parcel.bits = bits;
    const void* const caller = __builtin_return_address(0);
    const simt::Handed& handed = simt::meet(mask, parcel, place_16(caller), false);
    bool first = true;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < handed.parcels.size(); ++i)
        if ((handed.lanes >> i & 1) != 0) {
            sum = first ? handed.parcels[i].bits : applied(op, type, sum, handed.parcels[i].bits);
            first = false;
        }
    if (!state().recording) return {sum, kNone};
    return {sum, add(RawKind::kWarpReduce, caller, access & kTypeOf, event < self().block->log->size() ? event : kNone,
                     sum, kNone, op)};
}

unsigned vote(Vote kind, unsigned mask, bool mine) {
    const void* const caller = __builtin_return_address(0);
    simt::Parcel parcel;
    parcel.bits = mine ? 1 : 0;
    const simt::Handed& handed = simt::meet(mask | 1u << self().thread() % 32, parcel, place_16(caller), false);
    unsigned yes = 0;
    for (unsigned i = 0; i < 32; ++i)
        if ((handed.lanes >> i & 1) != 0 && handed.parcels[i].bits != 0) yes |= 1u << i;
    const unsigned gave = kind == Vote::kBallot ? yes : yes == handed.lanes ? 1 : 0;
    if (state().recording) add(RawKind::kVote, caller, gave, kNone, 0);
    return gave;
}

int block_vote(BlockVote kind, bool mine) {
    const void* const caller = __builtin_return_address(0);
    simt::Block& block = *self().block;
    simt::Votes& votes = block.votes[block.generation % 2];
    if (block.arrived == 0) votes = {};
    ++votes.all;
    votes.yes += mine ? 1 : 0;
    look_at_barrier(caller);
    simt::wait_for_block(place_16(caller), true);
    if (kind == BlockVote::kCount) return static_cast<int>(votes.yes);
    return (kind == BlockVote::kAnd ? votes.yes == votes.all : votes.yes != 0) ? 1 : 0;
}

void trap(const char* what) {
    note("trap", line_of_address(__builtin_return_address(0)), fmt::format("{} comes to {}", who(), what));
    break_device(719);
    stop_block();
}
void no_return() {
    if (state().now == nullptr) return;  // the host's: what is returned is whatever stands there, as with nvcc
    note("crash", line_of_address(__builtin_return_address(0)),
         fmt::format("{} comes to the end of a function without its return", who()));
    break_device(719);
    stop_block();
}
void fence() {
    state().fenced = true;
}
void printed() {
    state().printed = true;
    if (state().now != nullptr) state().now->repeatable = false;
}
void looked() {
    state().looked = true;
}

uint3 thread_index() {
    const unsigned t = self().thread();
    const dim3& b = state().now->block;
    return {t % b.x, t / b.x % b.y, t / (b.x * b.y)};
}
uint3 block_index() {
    const unsigned t = self().block->block_index.x;
    const dim3& g = state().now->grid;
    return {t % g.x, t / g.x % g.y, t / (g.x * g.y)};
}
uint3 block_size() {
    return state().now->block;
}
uint3 grid_size() {
    return state().now->grid;
}
unsigned lane() {
    return self().thread() % 32;
}
unsigned live_lanes() {
    return simt::live_mask();
}

int launch(const Call& call, void (*body)(void*), void* what) {
    State& all = state();
    if (const std::string why = refusal_of(call); !why.empty()) {
        note("launch", call.line, fmt::format("{} is launched with {}: it does not run", call.name, why));
        return all.last_error = 9;
    }
    if (all.late) break_device(719);
    if (all.broken != 0) return all.broken;
    if (call.word_count > 0 && !all.untracked && repeat(call, body)) return 0;
    const std::uint32_t earlier = all.launches.empty() ? 0 : all.launches.back().end();
    LaunchRecord& record = all.launches.emplace_back();
    record.function = call.name;
    record.line = call.line;
    record.grid = call.grid, record.block = call.block;
    record.shared_bytes = call.shared;
    record.blocks = call.grid.x * call.grid.y * call.grid.z;
    record.threads = call.block.x * call.block.y * call.block.z;
    record.earlier = earlier;
    record.repeatable = call.word_count > 0;
    record.body = body;
    record.words.assign(call.words, call.words + call.word_count);
    record.changes = all.changes;
    forget_shared();
    simt::Launch launch{.grid = record.blocks, .block = record.threads, .workers = 1, .earlier = earlier};
    launch.stacks = stacks();
    record.interleaved = call.cooperative && record.blocks > 1 && record.blocks <= kSlots &&
                         std::size_t{record.blocks} * record.threads <= kMostThreads;
    if (record.interleaved) launch.cluster = record.blocks;
    launch.order = all.order;
    all.now = &record;
    all.recording = true;
    all.fenced = record.interleaved;
    all.since = now_ms();
    const auto done = [](std::uint32_t, std::uint32_t block, probe::BlockLog& log) {
        state().since = now_ms();
        tell_unknown(false);
        if (state().recording) look_at_loops({log.data(), log.size()}, state().now->threads, block);
        keep_block(block, log);
    };
    const DeviceMemory open;
    auto run = [&] { body(what); };
    const std::string error = simt::run(launch, run, done);
    tell_unknown(true);
    all.recording = false;
    all.now = nullptr;
    if (!record.logs.empty())
        record.generates = std::ranges::all_of(record.logs, [](const RawBlock& one) { return fills(one.events); });
    if (record.overflowed && (error.empty() || !all.late)) forget(record);
    if (!error.empty()) {
        record.kept = record.kept && all.late && !record.logs.empty();  // what there is of it by now
        if (record.kept) record.blocks = blocks_done(record);
        break_device(719);
        if (all.notes.empty() || all.notes.back().launch + 1 != static_cast<int>(all.launches.size())) {
            int line = 0;
            const std::string text = with_lines(error, line);
            note("hang", line, text);
        }
    }
    all.now = &record;  // it may be too much to keep
    for (Touched& array : record.arrays)
        if (record.kept) array.after = contents_of(all.arrays[array.array]);
    all.now = nullptr;
    if (!record.kept)
        for (Touched& array : record.arrays) array.before = array.after = {};
    record.generates =
        record.generates && std::ranges::none_of(record.arrays, [&](const Touched& one) {  // beside what others left
            return holds_results(all.arrays[one.array], record.earlier);
        });
    if (record.kept && record.repeatable) note_left(record);
    if (all.late) report();
    return 0;
}

int synchronise() {
    note_host_sees();
    return last_error(false);
}
int last_error(bool clear) {
    const int error = state().last_error;
    if (clear) state().last_error = state().broken;
    return error;
}
double now_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - kBegun).count();
}

}  // namespace wt
