// The program that runs kernels, beside showing runs: it is given the catalog.
#include "kernels/catalog.hpp"
