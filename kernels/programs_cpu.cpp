// The host functions, compiled for the CPU.
#include "kernels/host_functions.cuh"

namespace warptree::kernels {

// In programs_cpu_elements.cpp
extern template void run_over<probe::Dynamic>(const Kernel&, Machine&);
extern template void run_over<probe::Recorded<probe::Dynamic>>(const Kernel&, Machine&);
extern template void run_over<probe::Recorded<std::int32_t>>(const Kernel&, Machine&);

inline namespace cpu {

void run_on_cpu(const Kernel& kernel, Elements elements, bool recorded, Machine& machine) {
    switch (elements) {
        case Elements::kFloat:
            return recorded ? run_over<probe::Recorded<float>>(kernel, machine) : run_over<float>(kernel, machine);
        case Elements::kInt32:
            return recorded ? run_over<probe::Recorded<std::int32_t>>(kernel, machine)
                            : run_over<std::int32_t>(kernel, machine);
        case Elements::kAny:
            return recorded ? run_over<probe::Recorded<probe::Dynamic>>(kernel, machine)
                            : run_over<probe::Dynamic>(kernel, machine);
    }
}

}  // namespace cpu
}  // namespace warptree::kernels
