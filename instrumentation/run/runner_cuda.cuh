// A run on the GPU: its arrays there, and its launches one by one. CUDA backend alone.
#pragma once

#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

#include "instrumentation/run/backend.hpp"
#include "instrumentation/run/device.cuh"
#include "instrumentation/run/machine_cuda.cuh"
#include "instrumentation/run/references_cuda.cuh"

namespace warptree::kernels {

inline namespace cuda {
template <class T>
using Plain = T;
/// Runs a host function on a machine: with the kernels, in kernels/backend_cuda.cu.
/// Element  what becomes of the run's own type, Plain or probe::Recorded
template <template <class> class Element>
void run_program(const Prepared&, Machine&);
}  // namespace cuda

/// The arrays of a run on the device, and its launches there. What becomes of a launch, the derived machines say.
class CudaMachine : public Machine {
public:
    CudaMachine(const Prepared& prepared, bool recorded)
        : Machine(Program(prepared.request, recorded)), prepared_(prepared), recorded_(recorded) {
        const int devices = static_cast<int>(devices_);
        most_devices = std::max(most_devices, devices);
        const probe::ActiveOperator active{prepared.value_type, prepared.op,
                                           value::identity(prepared.value_type, prepared.op),
                                           static_cast<unsigned>(value::size_bytes(prepared.value_type))};
        for (int device = 0; device < devices; ++device) {
            const OnDevice on(device);
            CUDA_CHECK(cudaMemcpyToSymbol(probe::active_operator, &active, sizeof active));
            for (int peer = 0; peer < devices; ++peer)
                if (const cudaError_t error = peer == device ? cudaSuccess : cudaDeviceEnablePeerAccess(peer, 0);
                    error == cudaErrorPeerAccessAlreadyEnabled)
                    cudaGetLastError();
                else
                    CUDA_CHECK(error);
        }
    }
    static inline int most_devices = 1;  // that any run has used

    /// Of the last launch, Launch::waits and Launch::told: see probe/tiles.cuh.
    void note_tiles(trace::Launch& launch) const {
        const auto waits = cells<std::uint32_t>("waits");
        if (std::ranges::any_of(waits, [](auto count) { return count > 0; })) launch.waits = waits;
        launch.told = cells<std::uint64_t>("told");
        if (launch.told.empty()) return;
        auto first = launch.told[launch.grid];
        for (const auto moment : launch.told) first = moment == 0 ? first : std::min(first, moment);
        for (auto& moment : launch.told) moment -= moment == 0 ? 0 : first;
    }
    /// What an array of chance holds; nothing where there is none of that name.
    template <class U>
    std::vector<U> cells(std::string_view name) const {
        const auto at = std::ranges::find(program().arrays(), name, &ArrayRow::name);
        if (at == program().arrays().end()) return {};
        std::vector<U> all(at->extent);
        memory_[static_cast<std::size_t>(at - program().arrays().begin())].cells.download(all.data());
        return all;
    }

    /// The launch that the program is at.
    std::size_t index() const { return program().launches().size() - 1; }
    const LaunchRow& row() { return program().launches().back(); }
    /// The arrays that it takes, as planned: a plain program does not know.
    const std::vector<std::uint32_t>& arrays() const { return prepared_.plan.launches()[index()].arrays; }

    /// One array.
    struct Memory {
        /// cell  bytes of one
        Memory(std::size_t bytes, std::size_t extent, std::size_t cell = 1, Split split = {})
            : cells(bytes, {split.devices, split.stride * cell}), origins(extent, split) {}
        DeviceArray<std::byte> cells;
        DeviceArray<std::uint64_t> origins;  // empty where nothing is recorded
        bool as_made = true;                 // it holds what first_contents() says
    };
    /// What the launch's arrays hold, to be put back before it is made again.
    std::deque<Memory> saved() {
        std::deque<Memory> all;
        for (const std::uint32_t array : arrays()) all.push_back(memory_[array]);
        return all;
    }
    void restore(const std::deque<Memory>& before) {
        for (std::size_t i = 0; i < before.size(); ++i) memory_[arrays()[i]] = before[i];
    }
    /// After a launch: what it left as it was need not come home.
    void compare(const std::deque<Memory>& before) {
        for (std::size_t i = 0; i < before.size(); ++i) {
            Memory& now = memory_[arrays()[i]];
            now.as_made = before[i].as_made && now.cells.equals(before[i].cells, equal_on_device);
        }
    }
    void execute(const void* kernel, Arguments arguments) {
        check_code(kernel);
        forget_chance();
        for (const std::uint32_t array : arrays()) memory_[array].as_made = false;
        wait();
        launch(kernel, arguments);
        wait();
    }
    /// Until all devices have done what they were given.
    void wait() const {
        for (unsigned device = 0; device < devices_; ++device) {
            const OnDevice on(static_cast<int>(device));
            CUDA_CHECK(cudaDeviceSynchronize());
        }
    }
    /// Arrays of chance are 0 before a launch.
    void forget_chance() {
        for (std::size_t array = 0; array < program().arrays().size(); ++array)
            if (program().arrays()[array].chance_bytes != 0) memory_[array].cells.zero();
    }
    /// The same, and does not wait for it.
    void launch(const void* kernel, Arguments arguments) {
        const LaunchRow& known = row();
        cudaLaunchAttribute asked[2] = {};
        cudaLaunchConfig_t shape{};
        shape.gridDim = known.grid / static_cast<unsigned>(arguments.size());
        shape.blockDim = known.block;
        shape.attrs = asked;
        if (known.with_cluster) {
            cudaLaunchAttribute& clusters = asked[shape.numAttrs++];
            clusters.id = cudaLaunchAttributeClusterDimension;
            clusters.val.clusterDim = {known.cluster, 1, 1};
        }
        if (known.early && !recorded_ && code_of(kernel) >= 90) {  // older code does not wait: it comes in its turn
            cudaLaunchAttribute& early = asked[shape.numAttrs++];
            early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            early.val.programmaticStreamSerializationAllowed = 1;
        }
        if (index() != 0) meeting_.meet();
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const OnDevice on(static_cast<int>(known.device(i)));
            CUDA_CHECK(cudaLaunchKernelExC(&shape, kernel, const_cast<void**>(arguments[i].data())));
        }
    }
    /// What an array holds.
    value::Values contents(std::uint32_t array) const {
        const ArrayRow& row = program().arrays()[array];
        const std::size_t size = row.extent;
        if (memory_[array].as_made) return prepared_.first_contents(row);
        if (!prepared_.has_true_size(row)) {
            std::vector<std::uint64_t> wide(size);
            memory_[array].cells.download(wide.data());
            return true_size(wide, prepared_.value_type);
        }
        value::Values values(row.type.value_or(prepared_.value_type));
        values.resize(size);
        memory_[array].cells.download(values.bytes.data());
        return values;
    }
    /// What the launch's arrays hold.
    std::vector<value::Values> contents() const {
        std::vector<value::Values> all;
        for (const std::uint32_t array : arrays()) all.push_back(contents(array));
        return all;
    }

protected:
    Cells make(std::uint32_t array) override {
        const ArrayRow& row = program().arrays()[array];
        if (row.chance_bytes != 0) return {memory_.emplace_back(row.extent * row.chance_bytes, 0).cells.get(), nullptr};
        const bool is_input = row.role == trace::Role::kInput && row.extent == prepared_.input.size();
        const value::Values other = is_input ? value::Values(prepared_.value_type) : prepared_.first_contents(row);
        const value::Values& values = is_input ? prepared_.input : other;
        const std::size_t bytes =
            prepared_.has_true_size(row) ? values.bytes.size() : values.size() * sizeof(probe::Dynamic);
        const Split split =
            row.extent == prepared_.request.n ? Split{devices_, stride(row.extent / devices_)} : Split{};
        Memory& memory = memory_.emplace_back(bytes, recorded_ ? values.size() : 0, bytes / row.extent, split);
        put(array, values);
        if (recorded_) memory.origins.zero();
        return {memory.cells.get(), memory.origins.get()};
    }
    void run_on_cpu() override { run_by_cpu(); }
    /// The host's own work: brings home what it needs, and puts back what became of it.
    /// returns  its rows, where the run is recorded
    record::Piece run_by_cpu() {
        Alone alone{.launch = index(), .memory = contents(), .blocks = {}};
        if (recorded_)
            for (const std::uint32_t array : arrays()) memory_[array].origins.download(alone.origins.emplace_back());
        Ran ran = given(recorded_ ? record_alone(prepared_, std::move(alone)) : run_alone(prepared_, std::move(alone)));
        for (std::size_t i = 0; i < arrays().size(); ++i) {
            put(arrays()[i], ran.memory[i]);
            memory_[arrays()[i]].as_made = false;
            if (recorded_) memory_[arrays()[i]].origins.upload(ran.origins[i].data());
        }
        return std::move(ran.piece);
    }

    std::uint64_t resident(const void* kernel, unsigned block, std::uint64_t usual) override {
        if (recorded_ || std::getenv("WARPTREE_USUAL_GRID") != nullptr) return usual;  // verify sets it
        const auto known = std::ranges::find(resident_, std::pair(kernel, block), &Resident::of);
        if (known != resident_.end()) return known->blocks;
        int device = 0, multiprocessors = 0, each = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
        CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, static_cast<int>(block), 0));
        resident_.push_back({{kernel, block}, static_cast<std::uint64_t>(std::max(1, multiprocessors * each))});
        return resident_.back().blocks;
    }
    void put(std::uint32_t array, const value::Values& values) {
        DeviceArray<std::byte>& cells = memory_[array].cells;
        if (prepared_.has_true_size(program().arrays()[array])) return cells.upload(values.bytes.data());
        cells.upload(wide_cells(values).data());
    }
    /// Of a build's code for several GPUs the driver takes the newest that this one can run. Where that was compiled
    /// for older GPUs than the kernel needs, it has a trap where the instructions should be.
    void check_code(const void* kernel) const {
        const int least = static_cast<int>(prepared_.kernel->sizes.needs.capability), code = code_of(kernel);
        const auto dotted = [](int of) { return std::to_string(of / 10) + "." + std::to_string(of % 10); };
        if (code >= least) return;
        throw CudaFailure(std::string(prepared_.kernel->name) +
                          " cannot run: the newest code of this build that this GPU takes is for compute capability " +
                          dotted(code) + ", and it needs " + dotted(least) +
                          "; build with -DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(least) + "-virtual.");
    }
    /// For which GPUs what this one runs of a kernel was compiled: 90 of 9.0.
    static int code_of(const void* kernel) {
        cudaFuncAttributes attributes{};
        CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
        return attributes.ptxVersion;
    }

    const Prepared& prepared_;
    const bool recorded_;
    const unsigned devices_ = std::max(1u, prepared_.request.devices);
    const Meeting meeting_{devices_};
    std::deque<Memory> memory_;  // (program().arrays())

private:
    struct Resident {
        std::pair<const void*, unsigned> of;  // kernel, block
        std::uint64_t blocks;
    };
    std::vector<Resident> resident_;
};

}  // namespace warptree::kernels
