// The catalog's rows, and what is given with them.
#include "kernels/catalog.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/run/backend.hpp"
#include "kernels/catalog.cuh"
#include "kernels/listings.hpp"

namespace warptree::kernels {

inline namespace cpu {
void run_on_cpu(const Kernel&, Elements, bool recorded, Machine&);  // in programs_cpu.cpp
}

namespace {

/// A kernel's file, which is called as the kernel is.
std::string_view file_called(std::string_view kernel) {
    std::string end = fmt::format("/{}.cuh", kernel);
    std::ranges::replace(end, '-', '_');
    const auto file = std::ranges::find_if(kListings, [&](const Embedded& one) { return one.name.ends_with(end); });
    return file->name;
}

std::span<const Kernel> rows() {
    static const std::vector<Kernel> all_rows = [] {
        std::vector<Kernel> all;
        each_kernel([&](const Kernel& row, auto) { all.push_back(row); });
        for (Kernel& kernel : all) {
            kernel.file = file_called(kernel.name);
            if (kernel.file.starts_with("kernels/scan/")) kernel.problem = Problem::kInclusiveScan;
            if (kernel.file.starts_with("kernels/devices/"))
                kernel.problem = kernel.name.starts_with("all-") ? Problem::kAllReduce : Problem::kReduceToRoot;
            Request usual{.kernel = std::string(kernel.name)};
            if (const auto planned = plan(kernel, usual)) kernel.sizes = planned->sizes();
        }
        return all;
    }();
    return all_rows;
}

}  // namespace

CatalogGiven::CatalogGiven() {
    give(run_on_cpu);
    give({.rows = rows,
          .listings = kListings,
          .check = checked,
          .record = recorded,
          .with_block = opened,
          .run_untraced = ran,
          .barriers = sighted_barriers,
          .cuda_status = queried_cuda,
          .end_cuda = leave_cuda,
          .bench = made_bench,
          .copy_rate = measured_copy_rate,
          .schedule = noted_schedule,
          .ready = made_ready});
}

}  // namespace warptree::kernels
