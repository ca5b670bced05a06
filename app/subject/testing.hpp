// Recorded subjects, for tests of studies and of the scenes drawn from them.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/subject/subject.hpp"
#include "kernels/catalog.hpp"

namespace warptree::study::testing {

inline std::shared_ptr<const Subject> subject(const kernels::Request& request, std::uint32_t block = 0) {
    auto run = kernels::record(request);
    if (!run) throw std::runtime_error(run.error().message);
    return make_subject(std::move(*run), 0, block);
}

inline std::shared_ptr<const Subject> subject(const std::string& kernel, std::uint64_t n, std::uint32_t warp) {
    return subject({.kernel = kernel, .n = n, .warp_size = warp});
}

}  // namespace warptree::study::testing
