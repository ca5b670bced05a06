// The CUDA backend: a module beside the program, compiled with the kernels, loaded where NVIDIA's driver is.
#include <utility>

#include <dlfcn.h>

#include "instrumentation/run/backend.hpp"
#include "instrumentation/run/schedule.hpp"
#include "instrumentation/run/timed.hpp"

namespace warptree::kernels {
namespace {

std::string reason;
/// Stands in where no module is: says why.
constexpr Cuda kStandIn{
    .query = [] { return CudaStatus{.device = {}, .driver = {}, .module = {}, .reason = reason}; },
    .start = [] {},
    .end = [] {},
    .record = [](const Prepared&, const Keeping&, Progress*) -> Result<Recorded> { return failure(reason); },
    .run_plain = [](const Prepared&) -> Result<value::Values> { return failure(reason); },
    .run_library = [](const Prepared&) -> Result<value::Values> { return failure(reason); },
    .timed_input = [](const value::Values&) -> Result<std::unique_ptr<TimedInput>> { return failure(reason); },
    .schedule = [](const Prepared&) -> Result<Schedule> { return failure(reason); }};

const Cuda& load() {
    if (dlopen("libcuda.so.1", RTLD_LAZY) == nullptr) {
        reason = "CUDA is not available: this machine has no NVIDIA driver; the CPU runs the same kernels.";
        return kStandIn;
    }
    auto loaded = load_cuda_module();
    if (loaded) return **loaded;
    reason = std::move(loaded.error().message);
    return kStandIn;
}

}  // namespace

Result<const Cuda*> load_cuda_module() {
    void* const module = dlopen(kCudaModule, RTLD_NOW | RTLD_LOCAL);
    const void* const backend = module != nullptr ? dlsym(module, "warptree_cuda") : nullptr;
    if (backend != nullptr) return static_cast<const Cuda*>(backend);
    const std::string said = dlerror();
    if (said.starts_with(kCudaModule) && said.find("No such file") != said.npos)  // itself, not what it needs
        return failure(
            "This Warptree was built without CUDA; install the CUDA Toolkit, version 12 or newer, and build "
            "again to use a GPU. The CPU runs the same kernels.");
    return failure("CUDA is not available: the module " + std::string(kCudaModule) + " cannot be used (" + said +
                   "); build Warptree again. The CPU runs the same kernels.");
}

const Cuda& cuda_backend() {
    static const Cuda& backend = load();
    return backend;
}
CudaStatus queried_cuda() {
    return cuda_backend().query();
}
void leave_cuda() {
    cuda_backend().end();
}

}  // namespace warptree::kernels
