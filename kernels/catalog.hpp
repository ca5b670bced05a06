// The catalog: whoever includes this has it to run. Rows, and what becomes of requests: see request/registry.hpp.
#pragma once

#include "instrumentation/run/run.hpp"

namespace warptree::kernels {

/// Gives the catalog's kernels to whoever runs them.
struct CatalogGiven {
    CatalogGiven();
};
inline const CatalogGiven kCatalogGiven;

}  // namespace warptree::kernels
