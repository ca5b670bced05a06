// The part of the CPU backend that is waited for less: plans, and the kernels over all elements but plain numbers and
// recorded floats. It is optimised less, and compiles beside backend_cpu.cpp.
#include "kernels/runner.cuh"

namespace warptree::kernels {

template void run_over<probe::Dynamic>(const Kernel&, Machine&);
template void run_over<probe::Recorded<probe::Dynamic>>(const Kernel&, Machine&);
template void run_over<probe::Recorded<std::int32_t>>(const Kernel&, Machine&);

namespace {

/// Notes what a program asks for.
class PlanMachine : public Machine {
public:
    using Machine::Machine;

private:
    Cells make(std::uint32_t) override { return {nullptr, nullptr}; }
    void run(const LaunchRow&, const simt::Body&) override {}
};

}  // namespace

Result<Program> plan(const Kernel& kernel, const Request& request, bool recorded) try {
    PlanMachine machine(Program(request, recorded));
    run_over<probe::Recorded<probe::Dynamic>>(kernel, machine);  // as of any element that records
    return std::move(machine.program());
} catch (const Refusal& refusal) {
    return usage_error(refusal.why);
}

}  // namespace warptree::kernels
