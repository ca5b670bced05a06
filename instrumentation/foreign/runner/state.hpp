// What the runner knows of the user's program while that runs: arrays, launches, what was copied back, and what was
// found to be wrong. One of it: the user's code calls plain functions (../cuda/warptree/runtime.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "instrumentation/foreign/cuda/warptree/runtime.hpp"
#include "instrumentation/foreign/note.hpp"
#include "instrumentation/log/raw.hpp"
#include "instrumentation/simt/executor.hpp"
#include "instrumentation/value/type.hpp"

namespace warptree::record {
struct Piece;
}
namespace warptree::trace {
struct Run;
}
namespace warptree::foreign {

using probe::kNone;
using probe::RawEvent;
using probe::RawKind;

inline constexpr std::size_t kCell = 1;  // bytes that share what is known of them

/// Who wrote a cell last, and read it.
struct Origin {
    std::uint32_t position = 0;  // of the write in its block's log, plus one; 0: none, or an atomic
    std::uint32_t owner = 0;     // global: the block, counted over all launches, plus one; shared: the block's stamp
    std::uint32_t reader = 0;    // likewise the first block of a launch that read it, or stored into it with no atomic;
                                 // and whether the write was atomic

    static constexpr std::uint32_t kAtomic = 1u << 31, kStored = 1u << 30;
    bool is_atomic() const { return (reader & kAtomic) != 0; }
    bool was_stored() const { return (reader & kStored) != 0; }
    std::uint32_t reader_block() const { return reader & ~(kAtomic | kStored); }
    void note_reader(std::uint32_t block, std::uint32_t earlier) {
        if (reader_block() <= earlier) reader = (reader & kAtomic) | block;
    }
    void note_stored(std::uint32_t block, std::uint32_t earlier) {
        if (reader_block() <= earlier || reader_block() == block) reader = (reader & kAtomic) | kStored | block;
    }
    void note_writer(std::uint32_t at, std::uint32_t by, bool atomic) {
        position = at, owner = by;
        reader = (reader & ~kAtomic) | (atomic ? kAtomic : 0);
    }
};
using Contents = std::shared_ptr<const std::vector<char>>;

/// What an access is of: its type, and its bytes, which of chars and shorts are fewer than the type's.
constexpr value::Type type_of(wt::Access access) {
    return static_cast<value::Type>(access & wt::kTypeOf);
}
inline std::size_t bytes_of(wt::Access access) {
    return (access & wt::kOneByte) != 0 ? 1 : (access & wt::kTwoBytes) != 0 ? 2 : value::size_bytes(type_of(access));
}
/// That of an array's elements, by the first who says it.
struct ElementType {
    std::optional<wt::Access> said = {};
    explicit operator bool() const { return said.has_value(); }
    void note(wt::Access access) {
        if (!said) said = access & (wt::kTypeOf | wt::kOneByte | wt::kTwoBytes);
    }
    value::Type type() const { return type_of(said.value_or(0)); }
    std::size_t bytes() const { return bytes_of(said.value_or(0)); }
};
/// What stands in memory, as 64 bits.
inline std::uint64_t bits_at(const void* at, wt::Access access) {
    std::uint64_t bits = 0;
    const std::size_t size = bytes_of(access);
    std::memcpy(&bits, at, size);
    const std::size_t above = 8 * (4 - std::min<std::size_t>(size, 4));  // a char's sign
    return type_of(access) == value::Type::kInt32
               ? static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits) << above) >>
                                            above)
               : bits;
}

/// What cudaMalloc gave, or a variable of the device.
struct GlobalArray {
    std::uintptr_t begin = 0;
    std::size_t bytes = 0, element = 0;  // element: bytes, 0 before anybody says
    std::string name = {};
    ElementType type = {};
    std::size_t least = 0;  // bytes of an access to it: cells between have nothing noted
    bool freed = false;
    bool host_sees = false;                 // the host reads and writes it, too, and nobody tells of it
    bool written = false;                   // by a launch, since the host filled it
    Origin* origins = nullptr;              // (bytes / kCell,)
    std::vector<std::uint64_t> known = {};  // a bit a cell: somebody put something there
    std::uint64_t version = 1;              // rises with each change
    std::uint64_t copied_version = 0;       // that `copied` is of
    Contents copied = {};
};

struct SharedArray {
    int id = 0;  // of its declaration; kDynamic
    std::string name = {};
    std::size_t begin = 0, bytes = 0, element = 0;
    ElementType type = {};
    std::size_t least = 0;
};
inline constexpr int kDynamic = -1;

struct RawBlock {
    std::uint32_t block = 0;
    std::vector<RawEvent> events = {};
    std::uint64_t times = 1;  // it, and later blocks that did alike
};

/// A global array as a launch found and left it.
struct Touched {
    std::size_t array = 0;  // of all
    Contents before = {}, after = {};
    bool read = false;                 // and not written alone
    std::uint32_t read_end = 0;        // of what the launch found there, where not all events are kept
    std::vector<Origin> origins = {};  // after it, of arrays that it wrote to
};

struct LaunchRecord {
    std::string function = {};
    int line = 0;
    dim3 grid = {}, block = {};
    std::size_t shared_bytes = 0;
    std::uint32_t blocks = 0, threads = 0;
    std::uint32_t earlier = 0;  // blocks of the launches before
    bool interleaved = false;   // its blocks run at the same time, to wait for each other
    bool copy = false;          // it is no kernel: from device to device
    bool generates = false;     // what it writes is of no other's making: it fills arrays
    bool kept = true;           // its events are there: all, or
    bool alike = false;         // of blocks that did alike those of the first
    bool overflowed = false;    // a block did more than is kept of all
    std::vector<RawBlock> logs = {};
    std::unordered_map<std::uint64_t, std::size_t> shapes = {};  // -> place in logs
    std::uint64_t events = 0;
    std::vector<Touched> arrays = {};  // by the number that its events have
    std::vector<SharedArray> shared = {};
    std::set<std::size_t> needs = {};  // launches whose results it read
    // What another launch has to have in common with it to do what it did
    bool repeatable = false;
    void (*body)(void*) = nullptr;
    std::vector<std::uint64_t> words = {};  // its arguments
    std::uint64_t changes = 0;

    std::uint32_t end() const { return earlier + blocks; }
    /// Whether the user launched it: libraries know no line.
    bool is_own() const { return !copy && line != 0; }
};

/// What the host took back, with the launches that made it.
struct Copied {
    std::size_t array = 0;
    std::size_t first = 0, bytes = 0;
    std::set<std::size_t> launches = {};
    std::vector<Origin> origins = {};  // of its cells, where they are not too many
    bool by_main = false;              // main() copied it; else it is what is left, or what main() can look at
};
inline constexpr std::size_t kMostCopied = 1 << 19;  // cells: 65536 elements of 8 bytes, as smaller programs have

struct State {
    std::deque<GlobalArray> arrays;
    std::deque<LaunchRecord> launches;
    std::vector<Copied> copied;
    std::vector<Note> notes;
    LaunchRecord* now = nullptr;  // the launch that runs
    bool recording = false;
    bool fenced = false;                // its blocks may wait for each other
    int last_error = 0, broken = 0;     // broken: by a fault that no later call gets over
    bool looked = false;                // elements decide what threads do
    bool printed = false;               // a kernel prints
    std::uint64_t events = 0;           // of all launches that are kept
    std::uint64_t repeats = 0;          // launches that did what an earlier one did
    std::uint64_t changes = 0;          // by the host, of memory that nobody follows
    std::size_t wanted = 0;             // bytes: the largest array that there was no room for
    bool untracked = false;             // kernels have variables that nobody follows
    double seconds = 10;                // after which a kernel is stopped
    double processor_seconds = 0;       // of the processor, after which the program is; 0: it is not
    bool late = false;                  // they have passed
    double since = 0;                   // as now_ms(), when the block that runs began
    double done = 1;                    // of the kernel that was stopped: the share of its blocks that are done
    const void* last_caller = nullptr;  // of those that ask most
    simt::Order order = simt::Order::kAscending;
    bool in_step = false;  // lanes of a warp, at each access
};
State& state();

// ---- memory.cpp
void reserve_memory();
/// returns  null where there is none
void* map_memory(std::uintptr_t at, std::size_t bytes);
/// While one is there, arrays of the device can be read and written: the host's code cannot, as on a GPU.
class DeviceMemory {
public:
    DeviceMemory();
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
};
/// The array at an address; null: none. Freed ones, too.
GlobalArray* array_at(std::uintptr_t);
/// Whether some cells hold what blocks up to the last, counted over all launches, wrote.
bool holds_results(const GlobalArray&, std::uint32_t last);
/// Its place among all.
std::size_t number_of_array(const GlobalArray&);
/// The array with an address within it, or the one nearest before it.
const GlobalArray* array_near(std::uintptr_t);
Contents contents_of(GlobalArray&);
/// The launch of the block that is an Origin's owner.
std::size_t launch_of(std::uint32_t owner);

// ---- access.cpp
inline constexpr std::size_t kSlots = 64;  // blocks that run at the same time
inline constexpr std::size_t kSharedBytes = 512 << 10, kDynamicAt = 256 << 10, kStaticLimit = 48 << 10;
bool in_arena(std::uintptr_t);
void begin_registers();
void forget_shared();  // a launch begins
/// Of accesses that are volatile.
std::set<int> lines_of_volatiles();
/// What an operator makes of two elements.
std::uint64_t applied(unsigned op, value::Type, std::uint64_t a, std::uint64_t b);
/// Stops the running block; does not return.
[[noreturn]] void stop_block();

// ---- alike.cpp
/// Keeps what a block of the running launch did, if there is room.
void keep_block(std::uint32_t block, const probe::BlockLog&);
/// Whether nothing that is stored is made of elements.
bool fills(std::span<const RawEvent>);
/// Gives up what is kept of a launch; of the one that runs, what it still does, too.
void forget(LaunchRecord&);
/// Of the largest launches of which all is kept that of alike blocks; then the oldest are forgotten.
void make_room();
/// Whether launches are of the same line, with the same grid and arguments, as turns of a loop are.
bool is_again(const LaunchRecord&, const LaunchRecord&);
/// What all blocks of a launch cost, of which the piece has the rows of some.
void count_blocks(record::Piece&, const LaunchRecord&);
/// Gives up recording where the running block alone does more than is kept.
void look_at_size();

// ---- repeat.cpp
/// A launch has ended: notes what it left, for those that repeat it.
void note_left(LaunchRecord&);
/// returns  whether an earlier launch did the same: then its arrays are as it left them
bool repeat(const wt::Call&, void (*body)(void*));

// ---- races.cpp
/// An access to a cell of an array.
struct Touch {
    Origin* cell;
    bool global;
    std::uint32_t index;
    const std::string* name;
    const void* caller;
};
/// A cell is read that nobody wrote: who writes it with nothing between has a race with the reader.
void note_unknown(const Touch&, const char* does);
/// What is left of them was never written.
/// global  the launch has ended; else the block
void tell_unknown(bool global);
/// Global memory, and what other blocks of the launch do there.
/// marks  it is no atomic
void look_at_read(const Touch&, bool marks);
void look_at_write(const Touch&, bool changes);
/// Of an atomic. grows  not of min, max or a swap, which may look before
void look_at_add(const Touch&, const char* does, bool grows);
/// What the last of these found is taken.
void look_at_use();

// ---- stacks
inline constexpr std::size_t kMostThreads = 16384;  // that run at the same time
simt::Stacks stacks();
/// The thread that runs, of those that do so at the same time.
std::size_t running_thread();
/// Whether an address is in the guard of a thread's stack.
bool in_guard(std::uintptr_t);

// ---- lines.cpp: the user's lines
/// library  the user's code; own  the user's file, as the compiler was told
void begin_lines(const std::string& library, const std::string& own);
/// The user's file that defines a kernel.
const std::string& file_of(const std::string& kernel);
/// The place where a function was called, as a number that fits an event.
std::uint32_t place_number(const void* return_address);
/// returns  a line of the file that has the kernel which ran; 0: it is in another one
int line_of_place(std::uint32_t place);
int line_of_address(const void* return_address);

// ---- notes.cpp
/// The device is of no use from here on.
void break_device(int error);
/// Adds a note once a line and kind.
/// line  0: unknown
void note(const char* kind, int line, std::string text);
void add(Note);
/// One of the running thread.
Note note_here(const char* kind, int line, std::string text);
/// "thread 3 of block 0"; also fills the note's block and thread.
std::string who();
/// That a kernel is stopped, where, and how far it came: it may be slow, and need not be endless.
std::string late_text(const char* does);
/// "hang", or "too-long" where its block has taken less than half of the time: others did before.
const char* late_kind();
inline constexpr std::size_t kMostNotes = 50;

// ---- rounds.cpp, write.cpp
/// By what a launch folds, as value::Op, and whether it takes what other threads made.
struct Folds {
    unsigned op = 0;
    bool crossing = false;
};
/// result  the array of the result on show: of several operators that which makes it is taken
Folds folds_of(const LaunchRecord&, std::size_t result);
/// Sorts a launch's logs into rounds.
std::vector<RawBlock> with_rounds(const LaunchRecord&, std::size_t result);
/// Which traces of a result there are.
enum class Purpose {
    kElements,  // of one that is made of elements
    kAny,       // of what there is
    kAccesses,  // of how its launch used memory, whatever came of it
};
/// errors  thrown: why there is none
trace::Run run_of(const Copied& result, const std::string& user_file, Purpose);

// ---- results.cpp
/// The launches that wrote cells.
std::set<std::size_t> makers_of(std::span<const Origin> cells);
/// A result: what main() copies back.
/// whole  the array was not copied: what of it launches wrote is as good as copied
void note_copied(const GlobalArray&, std::size_t first, std::size_t bytes, bool whole = false);
/// A managed array is as good as copied whenever the host looks.
/// any  any array is
void note_host_sees(bool any = false);
struct Written {
    std::string untraced = {};                     // why no result left a trace; "": one did
    std::size_t left = 0;                          // results, and launches that none hangs on, that are too much for it
    std::string passed = {};                       // why that is not the last one; "": it is
    std::size_t before = 0;                        // earlier turns' launches, which are too much to be shown with it
    std::vector<std::set<std::size_t>> runs = {};  // the launches of each; the first is that of the last result
    std::size_t taken = 0;                         // so many of results; the others are of what no result needs
    std::vector<std::size_t> places = {};          // of these among all that main() took
};
/// Writes traces: of the last result, of earlier ones, and of launches that no result hangs on.
/// descriptors  where they go, one each; there may be fewer
Written write_traces(const std::vector<int>& descriptors, const std::string& user_file);

// ---- main.cpp
/// Writes what is known, once: at the program's end, or where it was stopped, whatever it does then.
void report();

// ---- fence.cpp
/// From here on nothing outside of the folder can be written, nothing started, reached or signalled.
/// returns  why the fence cannot be closed; "": it is
std::string close_fence(const std::string& folder);

}  // namespace warptree::foreign
