// The host functions that are waited for less: plans, and the kernels over all elements but plain numbers and recorded
// floats. They are optimised less, and compile beside programs_cpu.cpp.
#include "kernels/host_functions.cuh"

namespace warptree::kernels {

template void run_over<probe::Dynamic>(const Kernel&, Machine&);
template void run_over<probe::Recorded<probe::Dynamic>>(const Kernel&, Machine&);
template void run_over<probe::Recorded<std::int32_t>>(const Kernel&, Machine&);

}  // namespace warptree::kernels
