// A request: what to launch, on which elements. Plain data, which neither kernels nor anything that runs them has to be
// there for.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/value/operator.hpp"
#include "instrumentation/value/values.hpp"

namespace warptree::kernels {

using value::Op;
using value::Problem;

enum class Backend : std::uint8_t { kCpu, kCuda };
std::string_view name(Backend);  // "cpu", "cuda"

/// In which order the CPU executor runs the threads of a block between two barriers.
enum class ThreadOrder : std::uint8_t { kAscending, kDescending, kShuffled };
std::string_view name(ThreadOrder);  // "ascending", "descending", "shuffled"
std::optional<ThreadOrder> thread_order_named(std::string_view);

/// A number as it was typed or read: whole ones keep all 64 bits.
struct Number {
    double real = 0;
    std::optional<std::int64_t> whole;
    /// What is not a number is the same as itself.
    bool operator==(const Number& other) const {
        return std::bit_cast<std::uint64_t>(real) == std::bit_cast<std::uint64_t>(other.real) && whole == other.whole;
    }
};

/// Numbers that requests share: all that were typed in or read, or the first of them; and what each check of a request
/// asks of them, found once. They are the same where they have the same, whoever made them.
class Numbers {
public:
    Numbers(std::nullptr_t = nullptr) {}
    /// own   the type that a file has them in; none: they were written in decimal
    /// name    the input that they were read from, and can be again; "": none
    /// rests   places of those that a double is not either, and what was given less the double
    /// remark  what of them was not taken as it stands there: a sentence, or ""
    explicit Numbers(std::vector<Number> all, std::optional<value::Type> own = {}, std::string name = {},
                     std::vector<std::pair<std::size_t, double>> rests = {}, std::string remark = {});

    explicit operator bool() const { return given_ != nullptr; }
    std::span<const Number> all() const;
    std::size_t size() const { return size_; }
    Numbers first(std::size_t count) const;
    /// The place of the first that cannot be an element; size() where all can.
    std::size_t misfit(value::Type, value::Op) const;
    std::optional<value::Type> own() const;
    std::span<const std::pair<std::size_t, double>> rests() const;
    std::string_view remark() const;
    /// Whether an input of this name gives just these.
    bool are_of(std::string_view input) const;
    bool operator==(const Numbers& other) const;

private:
    struct Given;
    std::shared_ptr<const Given> given_;
    std::size_t size_ = 0;
};

/// How files and texts of values are to be read, where they do not say it themselves.
struct InputFormat {
    std::string column = {};   // of several: a name in the header, or a number from 1 on
    std::string decimal = {};  // "comma", "point"
    bool operator==(const InputFormat&) const = default;
};

/// What to launch. Zero means "the usual for this kernel".
struct Request {
    std::string kernel = "pmpp-simple";
    std::uint64_t n = 256;
    std::uint32_t block = 0;  // threads a block
    std::uint32_t warp_size = 32;
    std::uint32_t coarsen = 1;
    std::uint32_t devices = 0;  // each has as many of the elements; of kernels that run on several
    bool exclusive = false;     // of scans: element i is left out of result i
    value::Type type = value::Type::kFloat32;
    std::string op = "sum";  // see operators.hpp
    std::string input =
        "textbook";           // a rule (textbook, ramp, ones, random), values typed in, or a file: see inputs.hpp
    InputFormat format = {};  // of an input that is no rule
    /// What an input that is no rule consists of, where that is known: then `input` is its name, and nothing is opened.
    Numbers numbers = {};
    std::uint64_t seed = 1;
    Backend backend = Backend::kCpu;
    ThreadOrder thread_order = ThreadOrder::kAscending;  // CPU only
    std::uint32_t workers = 0;                           // CPU threads; 0: one a core
    std::uint16_t without_barrier_line = 0;              // leave out the barrier on this line; 0: none
    std::uint64_t shuffle_blocks = 0;  // plain, CPU: a seed: blocks begin in its order; 0: as numbered
    bool by_library = false;           // plain: of an all-reduce, by NCCL where that can
    bool operator==(const Request&) const = default;
};

/// How far a recording is, and how to stop it. Shared by the thread that records and one that watches.
struct Progress {
    std::atomic<std::uint64_t> done{0};       // blocks that have run
    std::atomic<std::uint64_t> all{0};        // blocks of the launch; 0: not known yet
    std::atomic<bool> cancel{false};          // set by the watcher: no further block begins
    void (*each)(const Progress&) = nullptr;  // called as a block has run, where no thread can look on

    void add_block() {
        done.fetch_add(1, std::memory_order_relaxed);
        if (each != nullptr) each(*this);
    }

    /// 0..1; of a launch whose size is not known yet 0.
    double share() const {
        const std::uint64_t blocks = all.load(std::memory_order_relaxed);
        return blocks == 0 ? 0
                           : static_cast<double>(done.load(std::memory_order_relaxed)) / static_cast<double>(blocks);
    }
};

}  // namespace warptree::kernels
