// What a user's program asks of the runner that loads it: the words behind Value, CUDA's device words and its host API.
// Functions that leave events know their line by the address that they return to, so those that call them are always
// inlined. Light: it is compiled with each of the user's files. Neighbours: ../../runner has the other side.
#pragma once

#include <cstddef>
#include <cstdint>

#define WT_INLINE [[gnu::always_inline]] inline
#define WT_CALL [[gnu::noinline]]

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 u) : x(u.x), y(u.y), z(u.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
    friend bool operator==(const dim3&, const dim3&) = default;
};

namespace wt {

inline constexpr std::uint32_t kNone = 0xffffffffu;  // no event made a value

/// What an access is of: the type of its elements, by number as value::Type has it, and how it is made.
using Access = unsigned;
inline constexpr Access kTypeOf = 0xff, kVolatile = 0x100, kWide = 0x200;
inline constexpr Access kOneByte = 0x800, kTwoBytes = 0x1000;  // of chars and shorts, which are ints in 1 byte or 2

struct Seen {
    const void* at;  // where the value is to be read: another place where the access is a fault
    std::uint32_t event;
};
struct Word {
    std::uint64_t bits;
    std::uint32_t event;
};
enum class Shuffle : int { kIndex, kUp, kDown, kXor };
enum class Vote : int { kBallot, kAll };
enum class BlockVote : int { kCount, kAnd, kOr };
/// Operators, by number as value::Op has them; above them what no trace has an operator for.
enum Operator : unsigned {
    kSum = 0,
    kProduct = 1,
    kMin = 2,
    kMax = 3,
    kAnd = 4,
    kOr = 5,
    kXor = 6,
    kSubtract = 11,
    kNegate = 14,
    kIncrement = 20,  // atomicInc, atomicDec
    kDecrement = 21,
    kExchange = 22,
    kCompare = 23,
    kOpaque = 99,
};

// ---- device
WT_CALL Seen take(const void* at, Access);
WT_CALL void* put(void* at, std::uint64_t bits, std::uint32_t event, Access);
WT_CALL std::uint32_t combine(unsigned op, std::uint64_t bits, std::uint32_t a, std::uint32_t b, Access);
WT_CALL void fresh(void* at, unsigned bytes);  // a variable without a value begins
WT_CALL bool loop();                           // a loop goes round once more
WT_CALL void block_barrier();
WT_CALL void warp_barrier(unsigned mask);
WT_CALL void grid_barrier();
WT_CALL Word shuffle_bits(Shuffle, unsigned mask, std::uint64_t bits, std::uint32_t event, unsigned by, unsigned width,
                          Access);
inline constexpr Access kUnrecorded = 0x400;  // of a shuffle of what is no element
WT_CALL unsigned vote(Vote, unsigned mask, bool mine);
WT_CALL int block_vote(BlockVote, bool mine);
WT_CALL Word warp_reduce(unsigned op, unsigned mask, std::uint64_t bits, std::uint32_t event, Access);
/// returns  the old value, and the event
WT_CALL Word atomic(unsigned op, void* at, std::uint64_t bits, std::uint64_t compare, std::uint32_t event, Access);
WT_CALL void* shared(int id, const char* name, std::size_t bytes, std::size_t element);
WT_CALL void* dynamic_shared(const char* name);
void* shared_begin();  // of the block
WT_CALL void trap(const char* what);
WT_CALL void no_return();        // a function ends that was to give back a value
void looked();                   // an element decides what a thread does
void used(std::uint32_t event);  // somebody looks at what an atomic found
void printed();                  // a kernel prints
void fence();
uint3 thread_index();
uint3 block_index();
uint3 block_size();
uint3 grid_size();
unsigned lane();
unsigned live_lanes();

// ---- host
struct Call {
    const char* name;
    int line;
    dim3 grid, block;
    std::size_t shared;
    const std::uint64_t* words;  // the arguments
    std::size_t word_count;      // 0 where they cannot be compared with another launch's
    bool cooperative;
};
int launch(const Call&, void (*body)(void*), void* what);
/// element, bytes  what it holds, if its type has a number, and how large
void name_array(const void* at, const char* names, int argument, unsigned element, std::size_t bytes);
enum class Space : int { kDevice, kManaged, kPinned };
void* allocate(std::size_t bytes, Space);
int release(void*, bool pinned);
/// Memory of the host that the device may see (bytes: 0: no longer), and where that is for the device; null: it may
/// not.
void register_host(void* p, std::size_t bytes);
void* device_pointer(void* p);
int copy(void* to, const void* from, std::size_t bytes, int kind);
int fill(void* at, int byte, std::size_t bytes);
int synchronise();
int last_error(bool clear);
double now_ms();
/// A variable of the device, there from the program's begin to its end; at null: one that nobody follows.
struct Variable {
    Variable(void* at, std::size_t bytes, std::size_t element, const char* name, bool managed = false);
};

}  // namespace wt
