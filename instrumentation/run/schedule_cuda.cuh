// Running a kernel whose blocks note where and when they run: see schedule.hpp. Part of backend_cuda.cu.
#pragma once

#include "instrumentation/run/runner_cuda.cuh"
#include "instrumentation/run/schedule.hpp"

namespace warptree::kernels {

/// A kernel that the driver made of PTX.
class PtxKernel {
public:
    explicit PtxKernel(const NotedKernel& kernel) {
        call_driver<decltype(&cuModuleLoadData)>("cuModuleLoadData", &module_, kernel.ptx.c_str());
        call_driver<decltype(&cuModuleGetFunction)>("cuModuleGetFunction", &function_, module_, kernel.entry.c_str());
    }
    ~PtxKernel() {
        if (module_ != nullptr) call_driver<decltype(&cuModuleUnload)>("cuModuleUnload", module_);
    }
    PtxKernel(const PtxKernel&) = delete;
    PtxKernel& operator=(const PtxKernel&) = delete;

    /// Has blocks leave their notes there.
    void note_to(const void* notes) {
        CUdeviceptr place = 0;
        std::size_t bytes = 0;
        call_driver<CUresult (*)(CUdeviceptr*, std::size_t*, CUmodule, const char*)>("cuModuleGetGlobal_v2", &place,
                                                                                     &bytes, module_, "warptree_notes");
        CUDA_CHECK(cudaMemcpy(reinterpret_cast<void*>(place), &notes, sizeof notes, cudaMemcpyHostToDevice));
    }
    void launch(std::uint32_t grid, std::uint32_t block, void** arguments) {
        call_driver<decltype(&cuLaunchKernel)>("cuLaunchKernel", function_, grid, 1u, 1u, block, 1u, 1u, 0u, nullptr,
                                               arguments, nullptr);
    }

private:
    CUmodule module_ = nullptr;
    CUfunction function_ = nullptr;
};

class ScheduleMachine : public CudaMachine {
public:
    ScheduleMachine(const Prepared& prepared, std::string_view ptx) : CudaMachine(prepared, false), ptx_(ptx) {}

    Schedule schedule;

private:
    struct Note {
        std::uint64_t begin, end, place;
    };
    void run(const void* kernel, Arguments arguments) override {
        if (arguments.size() > 1)
            throw CudaFailure("A schedule is of one device's blocks; choose a kernel that runs on one.");
        if (index() != 0) return execute(kernel, arguments);
        const LaunchRow& shape = row();
        if (shape.grid > Schedule::kMostBlocks)
            throw CudaFailure("A schedule is of up to " + std::to_string(Schedule::kMostBlocks) + " blocks, and " +
                              std::string(prepared_.kernel->name) + " takes " + std::to_string(shape.grid) +
                              "; choose a smaller N or larger blocks.");
        const NotedKernel noted = given(noted_kernel(ptx_, shape.function, shape.block));
        PtxKernel with_notes(noted);
        DeviceArray<Note> notes(shape.grid);
        with_notes.note_to(notes.get());
        execute(kernel, arguments);  // to warm up
        for (int i = 0; i < 2; ++i) {
            notes.zero();
            forget_chance();
            with_notes.launch(shape.grid, shape.block, const_cast<void**>(arguments[0].data()));
            CUDA_CHECK(cudaDeviceSynchronize());
        }
        take(shape, notes);
    }
    void take(const LaunchRow& shape, const DeviceArray<Note>& notes) {
        std::vector<Note> all;
        notes.download(all);
        int device = 0, places = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&places, cudaDevAttrMultiProcessorCount, device));
        schedule = {std::string(prepared_.kernel->name),
                    shape.function,
                    prepared_.request.n,
                    shape.block,
                    prepared_.request.coarsen,
                    static_cast<std::uint32_t>(places),
                    {}};
        const auto first = std::ranges::min_element(all, {}, &Note::begin)->begin;
        for (const Note& note : all)
            schedule.blocks.push_back({static_cast<std::uint32_t>(note.place), note.begin - first, note.end - first});
    }

    std::string_view ptx_;
};

}  // namespace warptree::kernels
