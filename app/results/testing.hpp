// Results files for tests, and the devices that are shipped.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "app/results/measurements.hpp"
#include "instrumentation/json/json.hpp"
#include "kernels/catalog.hpp"

namespace warptree::study::testing {

inline Json run(const char* kernel, std::uint64_t n, double ms, bool correct = true) {
    const double gb = kernels::bytes_moved(kernel, value::Type::kFloat32, n, 1) / ms / 1e6;
    return {{"kernel", kernel}, {"type", "float32"}, {"n", n},       {"block", 128},   {"cache", "warm"},
            {"ms_min", ms},     {"ms_median", ms},   {"ms_max", ms}, {"gb_per_s", gb}, {"correct", correct}};
}
inline Json file() {
    return {{"device", "A"},           {"driver", "CUDA"},
            {"date", "2026-01-02"},    {"command", "c"},
            {"limit_gb_per_s", 100.0}, {"runs", {run("harris-1", 1024, 4), run("harris-2", 1024, 2)}}};
}
inline Measurements made(const Json& text) {
    const auto read = read_measurements(json_text(text), "a.json");
    EXPECT_TRUE(read) << read.error().message;
    return read ? *read : Measurements{};
}

inline std::size_t device(std::string_view part) {
    const auto& all = shipped_measurements();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].device.find(part) != std::string::npos) return i;
    ADD_FAILURE() << part;
    return 0;
}

}  // namespace warptree::study::testing
