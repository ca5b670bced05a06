// One launch on the GPU: its arrays there, and the catalog's row that is launched on them. CUDA backend alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/device.cuh"
#include "kernels/runner.cuh"

namespace warptree::kernels {

/// The arrays of one launch on the device, and the launch itself as a row of the catalog calls it.
class Runner : public RowArguments<Runner> {
public:
    /// recorded  false: without room for where values came from
    explicit Runner(const Prepared& prepared, bool recorded = true) : RowArguments(prepared), recorded_(recorded) {
        for (const value::Values& values : prepared.memory) {
            const std::size_t bytes = prepared.native() ? values.bytes.size() : values.size() * sizeof(probe::Dynamic);
            memory_.push_back(std::make_unique<DeviceArray<std::byte>>(bytes));
            origins_.push_back(std::make_unique<DeviceArray<std::uint64_t>>(recorded ? values.size() : 0));
        }
        const probe::ActiveOperator active{prepared.value_type, prepared.op,
                                           value::identity(prepared.value_type, prepared.op),
                                           static_cast<unsigned>(value::size_bytes(prepared.value_type))};
        CUDA_CHECK(cudaMemcpyToSymbol(probe::active_operator, &active, sizeof active));
        reset();
    }
    /// Puts the arrays back to what they held before the launch.
    void reset() {
        tickets_.zero();
        for (std::size_t i = 0; i < memory_.size(); ++i) {
            if (prepared_.native()) {
                memory_[i]->upload(prepared_.memory[i].bytes.data());
            } else {
                memory_[i]->upload(wide_cells(prepared_.memory[i]).data());
            }
            if (recorded_) origins_[i]->zero();
        }
    }
    template <class T>
    Tickets<T> tickets() {
        return {tickets_.get()};
    }
    template <class... Parameters, class... Arguments>
    void operator()(void (*kernel)(Parameters...), Arguments... arguments) {
        check_code(reinterpret_cast<const void*>(kernel));
        cudaLaunchAttribute clusters{};
        clusters.id = cudaLaunchAttributeClusterDimension;
        clusters.val.clusterDim.x = prepared_.cluster;
        clusters.val.clusterDim.y = clusters.val.clusterDim.z = 1;
        cudaLaunchConfig_t shape{};
        shape.gridDim = prepared_.grid;
        shape.blockDim = prepared_.block;
        shape.attrs = &clusters;
        shape.numAttrs = prepared_.kernel->sizes.cluster > 1 ? 1 : 0;
        timer_.start();
        const cudaError_t launched = cudaLaunchKernelEx(&shape, kernel, arguments...);
        timer_.stop();
        CUDA_CHECK(launched);
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    /// Of the last launch.
    double milliseconds() const { return timer_.milliseconds(); }
    std::vector<value::Values> download() const {
        std::vector<value::Values> all;
        for (std::size_t i = 0; i < memory_.size(); ++i) all.push_back(download(i));
        return all;
    }
    /// What one array holds.
    value::Values download(std::size_t i) const {
        const std::size_t size = prepared_.memory[i].size();
        if (!prepared_.native()) {
            std::vector<std::uint64_t> cells(size);
            memory_[i]->download(cells.data());
            return true_size(cells, prepared_.value_type);
        }
        value::Values values(prepared_.value_type);
        values.resize(size);
        memory_[i]->download(values.bytes.data());
        return values;
    }

private:
    friend RowArguments<Runner>;

    /// Of a build's code for several GPUs the driver takes the newest that this one can run. Where that was compiled
    /// for older GPUs than the kernel needs, it has a trap where the instructions should be.
    void check_code(const void* kernel) const {
        cudaFuncAttributes attributes{};
        CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
        const std::uint32_t least = prepared_.kernel->least_capability;
        if (static_cast<std::uint32_t>(attributes.ptxVersion) >= least) return;
        throw CudaFailure(std::string(prepared_.kernel->name) +
                          " cannot run: the newest code of this build that this " +
                          "GPU takes is for compute capability " + std::to_string(attributes.ptxVersion / 10) + "." +
                          std::to_string(attributes.ptxVersion % 10) + ", and it needs " + std::to_string(least / 10) +
                          "." + std::to_string(least % 10) +
                          "; build with -DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(least) + "-virtual.");
    }

    template <class T>
    Global<T> array(std::uint32_t id) {
        using Traits = probe::ElementTraits<T>;
        auto* data = reinterpret_cast<typename Traits::Plain*>(memory_[id]->get());
        if constexpr (Traits::kRecorded) {
            return {data, origins_[id]->get(), prepared_.arrays[id].extent, id};
        } else {
            return data;
        }
    }

    bool recorded_;
    std::vector<std::unique_ptr<DeviceArray<std::byte>>> memory_;
    std::vector<std::unique_ptr<DeviceArray<std::uint64_t>>> origins_;
    DeviceArray<unsigned> tickets_{1};
    Timer timer_;
};

}  // namespace warptree::kernels
