// Global memory: an arena at a place of its own, so that an address tells which array it is in.
#include <sys/mman.h>
#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "instrumentation/foreign/runner/state.hpp"

namespace warptree::foreign {
namespace {

constexpr std::uintptr_t kArena = 0x100000000000;
constexpr std::size_t kArenaBytes = std::size_t{1} << 30,            // and as much again for what the host sees, too
    kPage = 4096, kGap = 64 << 10;                                   // between arrays
constexpr std::size_t kMostContents = std::size_t{1} << 30;          // bytes, of arrays as launches found and left them
constexpr std::size_t kStackBytes = (64 << 10) + simt::kGuardBytes;  // with what staggering takes

Origin* origins = nullptr;                                // (kArenaBytes / kCell,)
std::vector<std::uint16_t> page_owner;                    // the number of an array, plus one
constexpr std::uintptr_t kShared = kArena + kArenaBytes;  // what the host sees, too, begins here
std::uintptr_t next_free = kArena + kPage, next_shared = kShared + kPage;
simt::StackMemory stack_memory;
std::map<std::uintptr_t, std::size_t> registered;  // bytes of the host's that the device may see

std::uintptr_t address(const void* p) {
    return reinterpret_cast<std::uintptr_t>(p);
}

/// Whether [p, p + bytes) leaves the array that it begins in, which is noted.
bool leaves(const GlobalArray* array, const void* p, std::size_t bytes, const char* what, const void* caller) {
    if (array == nullptr) return false;
    const std::size_t offset = address(p) - array->begin;
    if (!array->freed && offset + bytes <= array->bytes) return false;
    note(array->freed ? "use-after-free" : "out-of-bounds", line_of_address(caller),
         array->freed ? fmt::format("{} {}, which was freed", what, array->name)
                      : fmt::format("{} {} bytes from byte {} on, but {} has {}", what, bytes, offset,
                                    array->name.empty() ? "the array" : array->name, array->bytes));
    return true;
}

/// Cells of an array that the host filled.
void set_known(GlobalArray& array, std::uintptr_t p, std::size_t bytes) {
    const std::size_t first = (p - array.begin) / kCell, end = (p - array.begin + bytes + kCell - 1) / kCell;
    for (std::size_t cell = first; cell < end;)
        if (cell % 64 == 0 && end - cell >= 64) {
            array.known[cell / 64] = ~std::uint64_t{0};
            cell += 64;
        } else {
            array.known[cell / 64] |= std::uint64_t{1} << cell % 64;
            ++cell;
        }
    if (array.written) std::fill(array.origins + first, array.origins + end, Origin{});
    ++array.version;
}

/// Where an array was that is no more, and as many bytes have room. Taken where no other place is left: what is used
/// after it was freed is found. 0: there is none
/// begin  of the half of the arena
std::uintptr_t freed_place(std::size_t bytes, std::uintptr_t begin) {
    std::size_t number = 0;
    for (const GlobalArray& array : state().arrays)
        if (++number; array.freed && array.bytes >= bytes && array.begin - begin < kArenaBytes &&
                      page_owner[(array.begin - kArena) / kPage] == number)
            return array.begin;
    return 0;
}

/// What the host has the device do with its memory is a launch of its own. arrays  before it
LaunchRecord& host_launch(const char* function, int line, std::size_t cells, std::vector<Touched> arrays) {
    State& all = state();
    const std::uint32_t earlier = all.launches.empty() ? 0 : all.launches.back().end();
    LaunchRecord& record = all.launches.emplace_back();
    record.function = function;
    record.line = line;
    record.copy = true;
    record.blocks = 1;
    record.threads = static_cast<std::uint32_t>(std::clamp<std::size_t>(cells, 1, simt::kMaxBlock));
    record.earlier = earlier;
    record.arrays = std::move(arrays);
    record.logs.emplace_back();
    return record;
}
void end_host_launch(LaunchRecord& record, GlobalArray& to) {
    ++to.version;
    record.arrays.back().after = contents_of(to);
    record.events = record.logs.front().events.size();
    state().events += record.events;
    to.written = true;
    make_room();
}

/// A copy from device to device: reads and writes.
/// at, first  bytes, where it begins in either
void record_copy(GlobalArray& to, std::size_t at, GlobalArray& from, std::size_t first, std::size_t bytes, int line) {
    const std::size_t size = from.type.bytes(), cells = size / kCell;
    if (!to.type) to.type = from.type;
    const Origin* const made = from.origins + first / kCell;
    LaunchRecord& record = host_launch(
        "cudaMemcpy", line, bytes / size,
        {{number_of_array(from), contents_of(from), contents_of(from)}, {number_of_array(to), contents_of(to)}});
    record.needs = makers_of({made, bytes / kCell});
    std::memcpy(reinterpret_cast<char*>(to.begin + at), reinterpret_cast<const char*>(from.begin + first), bytes);
    std::vector<RawEvent>& events = record.logs.front().events;
    for (std::uint32_t i = 0; i < bytes / size; ++i) {
        const Origin origin = made[i * cells];
        const std::uint64_t bits = bits_at(reinterpret_cast<const char*>(to.begin + at + i * size), *from.type.said);
        const std::uint32_t thread = i % record.threads;
        events.push_back({0, bits, probe::pack_what(RawKind::kRead, 0, 0, thread),
                          static_cast<std::uint32_t>(first / size) + i, origin.position - 1,
                          origin.position == 0 ? kNone : origin.owner - 1 - record.earlier});
        events.push_back({0, bits, probe::pack_what(RawKind::kWrite, 1, 0, thread),
                          static_cast<std::uint32_t>(at / size) + i, 2 * i});
        std::fill_n(to.origins + at / kCell + i * cells, cells, Origin{2 * i + 2, record.earlier + 1});
    }
    end_host_launch(record, to);
}

/// A part of an array is filled beside what launches left in it: writes. at  bytes, where it begins
void record_fill(GlobalArray& array, std::size_t at, std::size_t bytes, int line) {
    const std::size_t size = array.type.bytes(), cells = size / kCell;
    LaunchRecord& record =
        host_launch("cudaMemset", line, bytes / size, {{number_of_array(array), contents_of(array)}});
    std::memset(reinterpret_cast<char*>(array.begin + at), 0, bytes);
    for (std::uint32_t i = 0; i < bytes / size; ++i) {
        record.logs.front().events.push_back({0, 0, probe::pack_what(RawKind::kWrite, 0, 0, i % record.threads),
                                              static_cast<std::uint32_t>(at / size) + i, kNone});
        std::fill_n(array.origins + at / kCell + i * cells, cells, Origin{i + 1, record.earlier + 1});
    }
    end_host_launch(record, array);
}

}  // namespace

void* map_memory(std::uintptr_t at, std::size_t bytes) {
    void* const got = mmap(reinterpret_cast<void*>(at), bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at != 0 ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    return got == MAP_FAILED ? nullptr : got;
}

DeviceMemory::DeviceMemory() {
    mprotect(reinterpret_cast<void*>(kArena), next_free - kArena, PROT_READ | PROT_WRITE);
}
DeviceMemory::~DeviceMemory() {
    mprotect(reinterpret_cast<void*>(kArena), kArenaBytes, PROT_NONE);
}

State& state() {
    static State one;
    return one;
}

std::size_t launch_of(std::uint32_t owner) {
    const auto& all = state().launches;
    const auto after = std::ranges::upper_bound(all, owner - 1, {}, &LaunchRecord::earlier);
    return static_cast<std::size_t>(after - all.begin()) - 1;
}

void reserve_memory() {
    if (map_memory(kArena, 2 * kArenaBytes) == nullptr) std::abort();
    origins = static_cast<Origin*>(map_memory(0, 2 * kArenaBytes / kCell * sizeof(Origin)));
    page_owner.resize(2 * kArenaBytes / kPage);
    if (origins == nullptr) std::abort();
    stack_memory = simt::StackMemory(kMostThreads, kStackBytes, simt::kMaxBlock);  // guards for those of one block
}

simt::Stacks stacks() {
    return stack_memory.stacks();
}
std::size_t running_thread() {
    const simt::Lane& lane = *simt::current_lane;
    return (state().now->interleaved ? std::size_t{lane.block->block_index.x} * state().now->threads : 0) +
           lane.thread();
}
bool in_guard(std::uintptr_t p) {
    return stacks().in_guard(reinterpret_cast<const void*>(p), simt::kMaxBlock);
}

bool in_arena(std::uintptr_t p) {
    return p - kArena < 2 * kArenaBytes;
}

bool holds_results(const GlobalArray& array, std::uint32_t last) {
    return array.written &&
           std::ranges::any_of(std::span(array.origins, (array.bytes + kCell - 1) / kCell),
                               [&](const Origin& cell) { return cell.owner != 0 && cell.owner <= last; });
}

std::size_t number_of_array(const GlobalArray& array) {
    const auto& all = state().arrays;
    return static_cast<std::size_t>(std::ranges::find(all, &array, [](const GlobalArray& one) { return &one; }) -
                                    all.begin());
}

GlobalArray* array_at(std::uintptr_t p) {
    if (in_arena(p)) {
        const std::uint16_t owner = page_owner[(p - kArena) / kPage];
        return owner == 0 ? nullptr : &state().arrays[owner - 1u];
    }
    // Variables of the device, which come first, and the host's that was registered
    const auto holds = [p](const GlobalArray& array) { return p - array.begin < array.bytes && !array.freed; };
    const auto found = std::ranges::find_if(state().arrays, holds);
    return found == state().arrays.end() ? nullptr : &*found;
}

const GlobalArray* array_near(std::uintptr_t p) {
    const GlobalArray* best = nullptr;
    for (const GlobalArray& array : state().arrays)
        if (array.begin <= p + kGap && p < array.begin + array.bytes + kGap && (best == nullptr || array.begin <= p))
            best = &array;
    return best;
}

Contents contents_of(GlobalArray& array) {
    static std::size_t kept = 0;  // bytes, of all contents
    if (array.copied_version != array.version || array.host_sees) {
        array.copied = {};
        for (LaunchRecord& launch : state().launches)
            if (kept + array.bytes > kMostContents && &launch != state().now && launch.kept) forget(launch);
        if (LaunchRecord* const now = state().now; now != nullptr && kept + array.bytes > kMostContents) {
            forget(*now);
            return {};
        }
        const char* const at = reinterpret_cast<const char*>(array.begin);
        array.copied = Contents(new std::vector<char>(at, at + array.bytes), [](const std::vector<char>* contents) {
            kept -= contents->size();
            delete contents;
        });
        kept += array.bytes;
        array.copied_version = array.version;
    }
    return array.copied;
}

}  // namespace warptree::foreign

using namespace warptree;
using namespace warptree::foreign;

namespace wt {

Variable::Variable(void* at, std::size_t bytes, std::size_t element, const char* name, bool managed) {
    state().untracked |= at == nullptr;
    if (at == nullptr) return;
    GlobalArray& array = state().arrays.emplace_back(GlobalArray{address(at), bytes, element, name});
    array.origins = new Origin[(bytes + kCell - 1) / kCell]();
    array.host_sees = managed;
    array.known.assign((bytes + kCell - 1) / kCell / 64 + 1, ~std::uint64_t{0});
}

void register_host(void* p, std::size_t bytes) {
    if (bytes > 0) return void(registered[address(p)] = bytes);
    registered.erase(address(p));
    if (GlobalArray* const array = array_at(address(p)); array != nullptr && !in_arena(address(p))) {
        note_host_sees();
        array->freed = true;
    }
}

void* device_pointer(void* p) {
    if (array_at(address(p)) != nullptr) return p;
    const auto behind = registered.upper_bound(address(p));
    if (behind == registered.begin()) return nullptr;
    const auto [begin, bytes] = *std::prev(behind);
    if (address(p) - begin >= bytes) return nullptr;
    const Variable seen(reinterpret_cast<void*>(begin), bytes, 0, "", true);
    return p;
}

void* allocate(std::size_t bytes, Space space) {
    std::uintptr_t& next = space == Space::kDevice ? next_free : next_shared;
    const std::uintptr_t end = space == Space::kDevice ? kShared : kShared + kArenaBytes;
    const std::uintptr_t fresh = next + bytes + 2 * kGap > end ? freed_place(bytes, end - kArenaBytes) : next;
    if (bytes > kArenaBytes || fresh == 0 || state().arrays.size() > 60000) {
        note("out-of-memory", line_of_address(__builtin_return_address(0)),
             fmt::format("{} of {} bytes fails: there is 1 GB of {} memory here",
                         space == Space::kDevice    ? "cudaMalloc"
                         : space == Space::kManaged ? "cudaMallocManaged"
                                                    : "cudaMallocHost",
                         bytes, space == Space::kDevice ? "device" : "managed and pinned"));
        state().last_error = 2;
        state().wanted = std::max(state().wanted, bytes);
        return nullptr;
    }
    GlobalArray& array = state().arrays.emplace_back(GlobalArray{fresh, bytes});
    array.host_sees = space != Space::kDevice;
    array.origins = origins + (fresh - kArena) / kCell;
    const std::size_t cells = (bytes + kCell - 1) / kCell;
    array.known.assign(cells / 64 + 1, array.host_sees ? ~std::uint64_t{0} : 0);
    const auto number = static_cast<std::uint16_t>(state().arrays.size());
    for (std::uintptr_t p = array.begin; p < array.begin + std::max<std::size_t>(bytes, 1); p += kPage)
        page_owner[(p - kArena) / kPage] = number;
    if (fresh == next)
        next = (array.begin + bytes + kGap + kPage - 1) / kPage * kPage;
    else
        std::fill_n(array.origins, cells, Origin{});
    return reinterpret_cast<void*>(array.begin);
}

int release(void* p, bool) {
    const bool by_a_thread = state().now != nullptr;  // the destructor of its copy of an argument, which no GPU runs
    if (p == nullptr || by_a_thread) return 0;
    GlobalArray* const array = array_at(address(p));
    if (array == nullptr || address(p) != array->begin) {
        if (!state().untracked)
            note("host-pointer", line_of_address(__builtin_return_address(0)),
                 array == nullptr ? "what is freed is a pointer that cudaMalloc did not make: nothing is freed"
                                  : fmt::format("what is freed lies within {}, not where that begins: nothing is freed",
                                                array->name.empty() ? "an array" : array->name));
        return state().last_error = 1;
    }
    if (array->freed) {
        note("double-free", line_of_address(__builtin_return_address(0)), array->name + " is freed a second time");
        return 1;
    }
    if (array->host_sees) note_host_sees();
    array->freed = true;
    return 0;
}

int copy(void* to, const void* from, std::size_t bytes, int kind) {
    GlobalArray *const target = array_at(address(to)), *const source = array_at(address(from));
    const void* const caller = __builtin_return_address(0);
    constexpr int kHostToDevice = 1, kDeviceToHost = 2, kDeviceToDevice = 3;
    const bool to_device = kind == kHostToDevice || kind == kDeviceToDevice,
               from_device = kind == kDeviceToHost || kind == kDeviceToDevice;
    const bool wrong_to = to_device && target == nullptr, wrong_from = from_device && source == nullptr;
    if ((wrong_to || wrong_from) && !state().untracked) {  // in all other cases a GPU sees by itself what is where
        note("direction", line_of_address(caller),
             fmt::format("the copy fails: its direction says {} the device, but its {} argument is the host's memory",
                         wrong_to ? "to" : "from", wrong_to ? "first" : "second"));
        return state().last_error = 1;
    }
    if (leaves(target, to, bytes, "the copy writes", caller) || leaves(source, from, bytes, "the copy reads", caller))
        return state().last_error = 1;
    if (bytes == 0) return 0;
    state().changes += target == nullptr && source == nullptr;
    if (to == nullptr || from == nullptr) return state().last_error = 1;
    const bool comes_back = source != nullptr && (target == nullptr || target->host_sees);
    if (comes_back) note_copied(*source, address(from) - source->begin, bytes);
    const DeviceMemory open;
    if (comes_back && state().broken != 0) return state().broken;  // as on a GPU, for the rest of the program
    const bool recorded = target != nullptr && source != nullptr && target != source && source->written &&
                          source->type && bytes / kCell <= kMostCopied;
    if (!recorded) std::memmove(to, from, bytes);
    if (target != nullptr) set_known(*target, address(to), bytes);
    if (recorded)
        record_copy(*target, address(to) - target->begin, *source, address(from) - source->begin, bytes,
                    line_of_address(caller));
    return 0;
}

int fill(void* at, int byte, std::size_t bytes) {
    GlobalArray* const array = array_at(address(at));
    const void* const caller = __builtin_return_address(0);
    if (leaves(array, at, bytes, "the fill writes", caller)) return state().last_error = 1;
    if (at == nullptr) return state().last_error = 1;
    if (array == nullptr && !state().untracked) {
        note("host-pointer", line_of_address(caller),
             "cudaMemset gets a pointer that cudaMalloc did not make: nothing is set");
        return state().last_error = 1;
    }
    const DeviceMemory open;
    if (array != nullptr) set_known(*array, address(at), bytes);
    constexpr std::size_t kMostFilled = 4096;  // bytes that are shown
    const std::size_t size = array != nullptr && array->type ? array->type.bytes() : 0;
    const std::size_t begin = array != nullptr ? address(at) - array->begin : 0;
    if (size >= kCell && byte == 0 && bytes % size == 0 && begin % size == 0 && bytes <= kMostFilled &&
        holds_results(*array, ~0u))
        record_fill(*array, begin, bytes, line_of_address(caller));
    else
        std::memset(at, byte, bytes);
    return 0;
}

void name_array(const void* at, const char* names, int argument, unsigned element, std::size_t bytes) {
    GlobalArray* const array = array_at(address(at));
    if (array == nullptr) return;
    if (element != 0) array->type.note(element - 1);
    if (array->element == 0) array->element = bytes;
    if (!array->name.empty()) return;
    int depth = 0, at_argument = 0;
    std::string name;
    for (const char* c = names; *c != '\0' && at_argument <= argument; ++c) {
        depth += *c == '(' || *c == '[' || *c == '<' ? 1 : *c == ')' || *c == ']' || *c == '>' ? -1 : 0;
        if (*c == ',' && depth == 0)
            ++at_argument;
        else if (at_argument == argument)
            name += *c;
    }
    constexpr std::string_view kWrapper = "raw_pointer_cast(", kOf = ".data()";  // of thrust
    if (const auto begin = name.find(kWrapper); begin != name.npos) name = name.substr(begin + kWrapper.size());
    if (const auto end = name.find(kOf); end != name.npos) name.resize(end);
    const bool of_cell = name.starts_with('&');  // `&d[at]`, `d + at`: it is d
    if (of_cell) name.erase(0, 1);
    name.resize(std::min({name.find('+'), of_cell ? name.find('[') : name.npos, name.size()}));
    if (name.empty()) return;
    static std::unordered_map<std::string, int> times;
    constexpr int kFew = 3;
    const int before = times[name]++;
    array->name =
        name + (before < kFew ? std::string(static_cast<std::size_t>(before), '\'') : fmt::format(" #{}", before + 1));
}

}  // namespace wt
