// The host's part of a kernel file: a function that makes arrays and launches kernels on them, like the host listing of
// a textbook.
//
//   template <class T>
//   void sum_by_two_launches(Host<T>& host) {
//       auto input = host.input(host.n()), output = host.output();
//       auto sums = host.partial("sums", blocks);
//       host.launch("block_sums", block_sums<T>, {blocks, block}, input, sums);
//       host.cpu("add_up", add_up<T>, sums, output, blocks);
//   }
//
// The same function serves every host: a plan notes what it asks for (program.hpp), the CPU executor and CUDA run it,
// with or without recording. A host function does the same each time: it decides by sizes alone, never by values.
#pragma once

#include <tuple>
#include <vector>

#include "instrumentation/probe/element.cuh"

#include WARPTREE_MACHINE

namespace warptree::kernels::inline WARPTREE_BACKEND {

template <class T>
class Host {
public:
    explicit Host(Machine& machine) : machine_(machine) {
        if (probe::ElementTraits<T>::kRecorded && machine.program().is_timed())
            throw Refusal{"A build that records is not timed: its kernels do other work."};
    }

    /// What the program takes; a request that does not fit is refused in a sentence. Called before n() is used.
    void takes_n(const NRange& range) { machine_.program().takes_n(range); }
    /// What the GPU and the elements have to be.
    void needs(const Needs& needs) { machine_.program().needs(needs); }
    std::uint64_t n() const { return machine_.program().request().n; }
    /// Lanes a warp: on a GPU 32.
    unsigned warp_size() const { return machine_.program().request().warp_size; }
    /// Threads a block: as asked for, else the usual.
    unsigned block(const BlockRange& range) { return machine_.program().block(range); }
    /// The same where N leaves no choice.
    unsigned only_block(std::uint64_t threads) { return machine_.program().only_block(threads); }
    /// The same where any block will do, since its threads take one element after another.
    unsigned turns(std::uint64_t usual) { return machine_.program().turns(usual); }
    /// Elements that a thread takes beyond the usual, --coarsen. Who does not ask takes no such option.
    unsigned coarsen() { return machine_.program().coarsen(); }
    /// Elements of a pack of 16 bytes.
    unsigned pack_size() {
        const Request& request = machine_.program().request();
        return probe::kPackBytes /
               static_cast<unsigned>(value::size_bytes(value::value_type(request.type, request.op)));
    }
    /// How many devices there are, --devices, two or more: each has N / devices of the elements, and the same part of
    /// each array.
    unsigned devices(bool power_of_two = false) { return machine_.program().devices(power_of_two); }
    /// An array of N elements as its parts, one a device: on any device parts[rank][i] is element i of that of `rank`.
    Parts<T> parts(Global<T> whole) {
        const auto extent = static_cast<unsigned>(n() / devices());
        return {whole, extent, machine_.stride(extent)};
    }
    /// Of a scan, --exclusive: 1 where an element is left out of its own sum, else 0.
    unsigned exclusive() { return machine_.program().exclusive(); }
    /// Blocks a cluster: a power of two, at most `most`, and no more than there are blocks.
    unsigned cluster(std::uint64_t blocks, unsigned most) { return machine_.program().cluster(blocks, most); }

    /// The elements to reduce; past N the identity.
    Global<T> input(std::uint64_t extent) { return values("input", trace::Role::kInput, extent); }
    /// Where the result belongs. It and the arrays below hold the identity before the first run.
    Global<T> output(std::uint64_t extent = 1) { return values("output", trace::Role::kOutput, extent); }
    /// What one launch leaves for a later one, or for the CPU.
    Global<T> partial(const char* name, std::uint64_t extent) { return values(name, trace::Role::kPartial, extent); }
    /// Memory that a launch uses for itself.
    Global<T> scratch(const char* name, std::uint64_t extent) { return values(name, trace::Role::kScratch, extent); }
    /// The same, in which each block leaves a value in the cell of its number for other blocks of its launch.
    Global<T> exchange(const char* name, std::uint64_t extent) {
        return values(name, trace::Role::kScratch, extent, true);
    }
    /// An array of elements of a type of its own, such as indices: a whole number, a float or a double.
    /// first  (i) -> what element i holds before the first launch
    template <class U, class First>
    Global<T, U> array(const char* name, std::uint64_t extent, First first) {
        ArrayRow row{name, trace::Role::kScratch, extent};
        row.type = value::type_of<U>();
        row.first = [first, extent](void* cells) {
            for (std::uint64_t i = 0; i < extent; ++i) static_cast<U*>(cells)[i] = first(i);
        };
        return made<U, Global<T, U>>(std::move(row));
    }
    /// An array whose contents are chance, such as who came first: 0 before a launch; of a run that is repeated, what
    /// the one before left. Of what is done with it tickets alone are recorded: atomics whose old value is used.
    /// found  makes of it what a block finds that is run alone, without those before it
    template <class U>
    Chance<T, U> chance(const char* name, std::uint64_t extent, void (*found)(U* cells, std::uint64_t block)) {
        ArrayRow row{name, trace::Role::kScratch, extent};
        row.chance_bytes = sizeof(U);
        row.found = [found](void* cells, std::uint64_t block) { found(static_cast<U*>(cells), block); };
        return {static_cast<U*>(machine_.make(machine_.program().add(std::move(row))).data)};
    }
    /// A counter that blocks draw tickets from.
    Tickets<T> tickets() {
        return chance<unsigned>("tickets", 1, [](unsigned* drawn, std::uint64_t block) { *drawn = unsigned(block); });
    }
    /// How often the program has run on this memory.
    unsigned runs() const { return machine_.runs(); }

    /// Has a result that launches add to hold the identity before each run, as cudaMemset does.
    void clear(Global<T> result) {
        if constexpr (!probe::ElementTraits<T>::kRecorded) machine_.clear(result, sizeof(T));
    }
    /// Blocks of a kernel whose threads stride over the grid: as many as the device runs at a time; where all machines
    /// are to leave the same trace, `usual`.
    template <class... Parameters>
    std::uint64_t resident_blocks(void (*kernel)(Parameters...), unsigned block, std::uint64_t usual = 64) {
        return machine_.resident_blocks(kernel, block, usual);
    }

    /// kernel(arguments...) on the device. name: as in the kernel's file.
    template <class... Parameters, class... Arguments>
    void launch(const char* name, void (*kernel)(Parameters...), const Grid& grid, Arguments... arguments) {
        LaunchRow& row = machine_.program().add(name, trace::Processor::kDevice, grid);
        std::tuple<Parameters...> ready{localised<Parameters>(row, arguments)...};  // in their order
        std::apply([&](auto... argument) { machine_.launch(row, kernel, argument...); }, ready);
    }
    /// The same on several devices at once; it has ended when it has on all of them.
    /// grid       of each; `on`: which devices, ascending; empty: all
    /// arguments  (device) -> a tuple of what the kernel is given there
    template <class... Parameters, class Arguments>
    void launch_on_each(const char* name, void (*kernel)(Parameters...), Grid grid, Arguments arguments) {
        const std::vector<unsigned>& on = grid.on;
        const std::size_t working = on.empty() ? devices() : on.size();
        grid.blocks *= working;
        LaunchRow& row = machine_.program().add(name, trace::Processor::kDevice, grid);
        std::vector<std::tuple<Parameters...>> of_device;
        for (std::size_t i = 0; i < working; ++i)
            of_device.push_back(std::apply(
                [&](auto... argument) { return std::tuple<Parameters...>{localised<Parameters>(row, argument)...}; },
                arguments(static_cast<unsigned>(on.empty() ? i : on[i]))));
        machine_.launch_on_each(row, kernel, of_device);
    }
    /// function(arguments...) on the host: a function of one thread, recorded like any other.
    template <class... Parameters, class... Arguments>
    void cpu(const char* name, void (*function)(Parameters...), Arguments... arguments) {
        LaunchRow& row = machine_.program().add(name, trace::Processor::kHost, {});
        std::tuple<Parameters...> ready{localised<Parameters>(row, arguments)...};
        std::apply([&](auto... argument) { machine_.cpu(row, function, argument...); }, ready);
    }

private:
    Global<T> values(const char* name, trace::Role role, std::uint64_t extent, bool exchanged = false) {
        return made<typename probe::ElementTraits<T>::Plain, Global<T>>({name, role, extent, exchanged});
    }
    /// An array of cells, as kernels take it.
    template <class Cell, class Array>
    Array made(ArrayRow row) {
        const auto extent = static_cast<std::uint32_t>(row.extent);
        const std::uint32_t id = machine_.program().add(std::move(row));
        const Cells cells = machine_.make(id);
        auto* data = static_cast<Cell*>(cells.data);
        if constexpr (probe::ElementTraits<T>::kRecorded) {
            return {data, cells.origins, extent, id};
        } else {
            return data;
        }
    }
    /// An argument as the launch takes it: recorded arrays go by their place among those of the launch, also those that
    /// an argument is made of.
    template <class Parameter, class Argument>
    static Parameter localised(LaunchRow& row, Argument argument) {
        if constexpr (probe::ElementTraits<T>::kRecorded) {
            if constexpr (requires { argument.origins; }) argument.array = row.local(argument.array);
            if constexpr (requires { argument.values(); })
                for (Global<T>* array : argument.values()) array->array = row.local(array->array);
        }
        return static_cast<Parameter>(argument);
    }

    Machine& machine_;
};

/// Blocks of `size` that hold `n`, and what they hold.
constexpr std::uint64_t ceil_div(std::uint64_t n, std::uint64_t size) {
    return (n + size - 1) / size;
}
constexpr std::uint64_t round_up(std::uint64_t n, std::uint64_t size) {
    return ceil_div(n, size) * size;
}

/// What kernels of one block of N / 2 threads ask of N.
inline constexpr NRange kOneBlock{.least = 2,
                                  .most = 2048,
                                  .power_of_two = true,
                                  .why = "one block of N / 2 threads, at most 1,024",
                                  .most_plain = 2048};
inline constexpr std::uint64_t kMostInStrides =
    kMostElements - (std::uint64_t{1} << 20);  // as far as an unsigned counts

/// What kernels that run on several devices ask of N: rows of all blocks are kept.
inline constexpr NRange kOfDevices{.most = 1 << 18, .why = "every access on every device is kept"};

/// What kernels of one thread ask of N: every add is a step; and no stride that doubles passes what an unsigned counts.
constexpr NRange of_one_thread(std::uint64_t most, std::string_view why) {
    return {.most = most,
            .why = why,
            .most_plain = std::uint64_t{1} << 31,
            .most_of_gpu = std::uint64_t{1} << 20};  // in a second
}

/// For kernels whose block size is a template parameter: calls use.operator()<B>() with the block, which is a power of
/// two, of two warps or more.
template <unsigned B = 2 * Machine::kLeastWarp, class Use>
void with_constant(std::uint32_t block, Use&& use) {
    if (block == B) {
        use.template operator()<B>();
    } else if constexpr (B < kMaxBlock) {
        with_constant<2 * B>(block, use);
    }
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
