// NCCL, NVIDIA's library for several GPUs, asked for at run time: where it is not installed, the program does without.
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include "instrumentation/run/device.cuh"
#include "instrumentation/run/references_cuda.cuh"

namespace warptree::kernels {
namespace {

// Its interface, as nccl.h of version 2 has it.
using Communicator = void*;
std::optional<int> type_number(value::Type type) {
    using value::Type;
    switch (type) {
        case Type::kInt8:
            return 0;
        case Type::kInt32:
            return 2;
        case Type::kInt64:
            return 4;
        case Type::kFloat16:
            return 6;
        case Type::kFloat32:
            return 7;
        case Type::kFloat64:
            return 8;
        case Type::kBfloat16:
            return 9;
        default:
            return {};
    }
}
std::optional<int> op_number(value::Op op) {
    using value::Op;
    return op == Op::kSum       ? std::optional(0)
           : op == Op::kProduct ? std::optional(1)
           : op == Op::kMax     ? std::optional(2)
           : op == Op::kMin     ? std::optional(3)
                                : std::nullopt;
}

/// Where NCCL writes what it does: into memory, unless the user has it elsewhere. It asks for that once, at its start.
class Log {
public:
    Log() {
        setenv("NCCL_SOCKET_IFNAME", "lo", 0);  // all devices are here: nothing goes over a network
        setenv("NCCL_RAS_ENABLE", "0", 0);      // nor is there somebody to listen to
        if (std::getenv("NCCL_DEBUG") != nullptr) return;
        file_ = memfd_create("nccl", MFD_CLOEXEC);
        if (file_ < 0) return;
        setenv("NCCL_DEBUG", "INFO", 1);
        setenv("NCCL_DEBUG_SUBSYS", "INIT,GRAPH,TUNING", 1);
        setenv("NCCL_DEBUG_FILE", ("/proc/self/fd/" + std::to_string(file_)).c_str(), 1);
    }
    std::string text() const {
        std::string all;
        char piece[65536];
        while (file_ >= 0) {
            const ssize_t got = pread(file_, piece, sizeof piece, static_cast<off_t>(all.size()));
            if (got <= 0) break;
            all.append(piece, static_cast<std::size_t>(got));
        }
        return all;
    }

private:
    int file_ = -1;
};
const Log& log_of_nccl() {
    static const Log log;
    return log;
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
    static void* const library = (log_of_nccl(), dlopen("libnccl.so.2", RTLD_NOW));
    if (library == nullptr)
        throw CudaFailure(
            "NCCL is not installed here: libnccl.so.2 was not found; put its folder into LD_LIBRARY_PATH.");
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
    /// input  (n,) of the host or a device, dealt out
    Collective(bool to_all, value::Type type, value::Op op, std::uint64_t n, unsigned devices, const void* input)
        : to_all_(to_all), type_(type), count_(n / devices), ranks_(devices) {
        const std::optional<int> number = type_number(type), operation = op_number(op);
        if (!number || !operation)
            throw CudaFailure("NCCL has no such operator over " + std::string(value::name(type)) + ".");
        number_ = *number, op_ = *operation;
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
                all_reduce_(from, to, count_, number_, op_, ranks_[device], nullptr);
            else
                reduce_(from, to, count_, number_, op_, 0, ranks_[device], nullptr);
        }
        end_();
    }
    /// What every device has at the end, one after the other.
    value::Values results() const {
        value::Values all(type_, count_ * arrays_.size());
        std::byte* to = all.bytes.data();
        for (const auto& [input, sums] : arrays_) {
            CUDA_CHECK(cudaMemcpy(to, sums->get(), sums->bytes(), cudaMemcpyDeviceToHost));
            to += sums->bytes();
        }
        return all;
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
    value::Type type_;
    int number_ = 0, op_ = 0;  // NCCL's
    std::size_t count_;        // of a device
    Communicators ranks_;
    std::vector<std::array<std::unique_ptr<DeviceArray<std::byte>>, 2>> arrays_;  // (devices,) what each gives and gets
};

}  // namespace

DeviceReference nccl_reference(std::string_view name, value::Type type, std::uint64_t n, unsigned devices,
                               const void* input) {
    const auto collective =
        std::make_shared<Collective>(name == "nccl-all-reduce", type, value::Op::kSum, n, devices, input);
    return {[=](const void*) { collective->run(); }, [=] { return collective->result(); }};
}

value::Values all_reduced_by_nccl(const value::Values& input, value::Op op, std::uint64_t n, unsigned devices) {
    const Collective collective(true, input.type(), op, n, devices, input.bytes.data());
    collective.run();
    return collective.results();
}

std::string nccl_log() {
    return log_of_nccl().text();
}

}  // namespace warptree::kernels
