// cuBLAS, cuBLASLt and cuFFT, as far as headers with helpers mention them: types, errors, handles. What computes is not
// there, so a program that calls it is told the function's name and the line.
#pragma once

#include "wt_half.h"
#include "wt_math.h"

#define WT_STATUSES(X)      \
    X(SUCCESS, 0)           \
    X(NOT_INITIALIZED, 1)   \
    X(ALLOC_FAILED, 3)      \
    X(INVALID_VALUE, 7)     \
    X(ARCH_MISMATCH, 8)     \
    X(MAPPING_ERROR, 11)    \
    X(EXECUTION_FAILED, 13) \
    X(INTERNAL_ERROR, 14)   \
    X(NOT_SUPPORTED, 15)    \
    X(LICENSE_ERROR, 16)
enum cublasStatus_t {
#define WT_STATUS(name, number) CUBLAS_STATUS_##name = number,
    WT_STATUSES(WT_STATUS)
#undef WT_STATUS
};
inline const char* cublasGetStatusName(cublasStatus_t status) {
#define WT_STATUS(name, number) \
    if (status == number) return "CUBLAS_STATUS_" #name;
    WT_STATUSES(WT_STATUS)
#undef WT_STATUS
    return "";
}
#undef WT_STATUSES
inline const char* cublasGetStatusString(cublasStatus_t status) {
    return cublasGetStatusName(status);
}
using cublasStatus = cublasStatus_t;
struct cublasContext {};
struct cublasLtContext {};
using cublasHandle_t = cublasContext*;
using cublasLtHandle_t = cublasLtContext*;
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3
};
enum cublasGemmAlgo_t { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
enum cudaDataType_t {
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_R_8I = 3,
    CUDA_C_32F = 4,
    CUDA_C_64F = 5,
    CUDA_R_8U = 8,
    CUDA_R_32I = 10,
    CUDA_R_32U = 12,
    CUDA_R_16BF = 14,
    CUDA_R_8F_E4M3 = 28,
    CUDA_R_8F_E5M2 = 29
};
using cudaDataType = cudaDataType_t;
using cublasDataType_t = cudaDataType_t;
using cublasLtMatmulDesc_t = struct cublasLtMatmulDescOpaque*;
using cublasLtMatrixLayout_t = struct cublasLtMatrixLayoutOpaque*;
using cublasLtMatmulPreference_t = struct cublasLtMatmulPreferenceOpaque*;
struct cublasLtMatmulAlgo_t {
    std::uint64_t data[8];
};
struct cublasLtMatmulHeuristicResult_t {
    cublasLtMatmulAlgo_t algo;
    std::size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
};
enum cublasLtEpilogue_t {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36
};

inline cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
    static cublasContext one;
    return *handle = &one, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
    static cublasLtContext one;
    return *handle = &one, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
    return *version = 120000, CUBLAS_STATUS_SUCCESS;
}
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define WT_NOTHING(name)              \
    template <class... A>             \
    cublasStatus_t name(A&&...) {     \
        return CUBLAS_STATUS_SUCCESS; \
    }
WT_NOTHING(cublasDestroy_v2)
WT_NOTHING(cublasLtDestroy)
WT_NOTHING(cublasSetStream_v2)
WT_NOTHING(cublasSetPointerMode_v2)
WT_NOTHING(cublasSetWorkspace_v2)
WT_NOTHING(cublasSetMathMode)
WT_NOTHING(cublasSetAtomicsMode)
WT_NOTHING(cublasInit)
WT_NOTHING(cublasShutdown)
#undef WT_NOTHING

enum cufftResult_t {
    CUFFT_SUCCESS,
    CUFFT_INVALID_PLAN,
    CUFFT_ALLOC_FAILED,
    CUFFT_INVALID_TYPE,
    CUFFT_INVALID_VALUE,
    CUFFT_INTERNAL_ERROR,
    CUFFT_EXEC_FAILED,
    CUFFT_SETUP_FAILED,
    CUFFT_INVALID_SIZE,
    CUFFT_UNALIGNED_DATA,
    CUFFT_INCOMPLETE_PARAMETER_LIST,
    CUFFT_INVALID_DEVICE,
    CUFFT_PARSE_ERROR,
    CUFFT_NO_WORKSPACE,
    CUFFT_NOT_IMPLEMENTED,
    CUFFT_LICENSE_ERROR,
    CUFFT_NOT_SUPPORTED
};
using cufftResult = cufftResult_t;
using cufftHandle = int;
