// NCCL, NVIDIA's library for several GPUs, asked for at run time: where it is not installed, the program does without.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <dlfcn.h>

#include "instrumentation/run/device.cuh"
#include "instrumentation/run/references_cuda.cuh"

namespace warptree::kernels {
namespace {

// Its interface, as nccl.h of version 2 has it.
using Communicator = void*;
constexpr int kSum = 0;
constexpr int type_number(value::Type type) {
    return type == value::Type::kInt32 ? 2 : 7;  // ncclInt32, ncclFloat32
}

/// A function of the library.
template <class... Parameters>
class Function {
public:
    Function(void* library, const char* name)
        : name_(name), call_(reinterpret_cast<int (*)(Parameters...)>(dlsym(library, name))) {
        if (call_ == nullptr) throw CudaFailure("NCCL has no " + std::string(name) + ".");
    }
    void operator()(Parameters... arguments) const {
        if (const int error = call_(arguments...); error != 0)
            throw CudaFailure("NCCL failed: " + std::string(name_) + " gave error " + std::to_string(error) + ".");
    }

private:
    const char* name_;
    int (*call_)(Parameters...);
};

void* loaded() {
    static void* const library = dlopen("libnccl.so.2", RTLD_NOW);
    if (library == nullptr)
        throw CudaFailure(
            "NCCL is not installed here: libnccl.so.2 was not found; put its folder into LD_LIBRARY_PATH, or name "
            "other "
            "--references.");
    return library;
}

/// Communicators of the first devices, made once: that takes a second.
class Communicators {
public:
    explicit Communicators(unsigned devices) : all_(devices) {
        Function<Communicator*, int, const int*>(loaded(), "ncclCommInitAll")(all_.data(), static_cast<int>(devices),
                                                                              nullptr);
    }
    ~Communicators() {
        for (Communicator one : all_) reinterpret_cast<int (*)(Communicator)>(dlsym(loaded(), "ncclCommDestroy"))(one);
    }
    Communicators(const Communicators&) = delete;
    Communicator operator[](unsigned device) const { return all_[device]; }

private:
    std::vector<Communicator> all_;
};

class Collective {
public:
    Collective(std::string_view name, value::Type type, std::uint64_t n, unsigned devices, const void* input)
        : to_all_(name == "nccl-all-reduce"), type_(type_number(type)), count_(n / devices), ranks_(devices) {
        const std::size_t bytes = count_ * value::size_bytes(type);
        for (unsigned device = 0; device < devices; ++device) {
            const OnDevice on(static_cast<int>(device));
            arrays_.push_back(
                {std::make_unique<DeviceArray<std::byte>>(bytes), std::make_unique<DeviceArray<std::byte>>(bytes)});
            CUDA_CHECK(cudaMemcpy(arrays_.back()[0]->get(), static_cast<const std::byte*>(input) + device * bytes,
                                  bytes, cudaMemcpyDefault));
        }
    }
    void run() const {
        start_();
        for (unsigned device = 0; device < arrays_.size(); ++device) {
            const OnDevice on(static_cast<int>(device));
            const void* from = arrays_[device][0]->get();
            void* to = arrays_[device][1]->get();
            if (to_all_)
                all_reduce_(from, to, count_, type_, kSum, ranks_[device], nullptr);
            else
                reduce_(from, to, count_, type_, kSum, 0, ranks_[device], nullptr);
        }
        end_();
    }
    /// The bits of the root's last.
    std::uint64_t result() const {
        std::uint32_t bits = 0;
        const DeviceArray<std::byte>& sums = *arrays_.front()[1];
        CUDA_CHECK(cudaMemcpy(&bits, sums.get() + sums.bytes() - sizeof bits, sizeof bits, cudaMemcpyDeviceToHost));
        return bits;
    }

private:
    const Function<> start_{loaded(), "ncclGroupStart"}, end_{loaded(), "ncclGroupEnd"};
    const Function<const void*, void*, std::size_t, int, int, Communicator, cudaStream_t> all_reduce_{loaded(),
                                                                                                      "ncclAllReduce"};
    const Function<const void*, void*, std::size_t, int, int, int, Communicator, cudaStream_t> reduce_{loaded(),
                                                                                                       "ncclReduce"};
    bool to_all_;
    int type_;
    std::size_t count_;  // of a device
    Communicators ranks_;
    std::vector<std::array<std::unique_ptr<DeviceArray<std::byte>>, 2>> arrays_;  // (devices,) what each gives and gets
};

}  // namespace

DeviceReference nccl_reference(std::string_view name, value::Type type, std::uint64_t n, unsigned devices,
                               const void* input) {
    const auto collective = std::make_shared<Collective>(name, type, n, devices, input);
    return {[=](const void*) { collective->run(); }, [=] { return collective->result(); }};
}

}  // namespace warptree::kernels
