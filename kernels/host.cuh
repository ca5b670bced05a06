// What a kernel file includes: CUDA's words over elements that may record, and the host that its host function runs on.
#pragma once

#include "instrumentation/run/host.cuh"
