// What NCCL writes into its log, with NCCL_DEBUG=INFO and the subsystems INIT, GRAPH and TUNING, as facts.
#pragma once

#include <string_view>

#include "instrumentation/request/timing.hpp"

namespace warptree::kernels {

/// Lines of other kinds, also of versions that say it otherwise, are passed over. Of several communicators the last
/// one's channels, of several works of as many bytes the last one's way.
/// devices  that NCCL was given, numbered from 0
NcclNotes read_nccl_log(std::string_view log, std::uint32_t devices);

}  // namespace warptree::kernels
