// NVTX: names of ranges for a profiler, which is not there. Ranges do nothing.
#pragma once

#include <cstdint>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE static_cast<std::uint16_t>(sizeof(nvtxEventAttributes_t))
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#define NVTX3_FUNC_RANGE() static_cast<void>(0)
#define NVTX3_FUNC_RANGE_IN(domain) static_cast<void>(0)

enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
};
enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
};
using nvtxRangeId_t = std::uint64_t;
using nvtxDomainHandle_t = struct nvtxDomainRegistration_st*;
using nvtxStringHandle_t = struct nvtxStringRegistration_st*;
struct nvtxEventAttributes_t {
    std::uint16_t version, size;
    std::uint32_t category;
    std::int32_t colorType;
    std::uint32_t color;
    std::int32_t payloadType, reserved0;
    union {
        std::uint64_t ullValue;
        std::int64_t llValue;
        double dValue;
        std::uint32_t uiValue;
        std::int32_t iValue;
        float fValue;
    } payload;
    std::int32_t messageType;
    union {
        const char* ascii;
        const wchar_t* unicode;
        nvtxStringHandle_t registered;
    } message;
};

#define WT_NOTHING(R, name) \
    template <class... A>   \
    R name(A&&...) {        \
        return R();         \
    }
WT_NOTHING(void, nvtxMarkA)
WT_NOTHING(void, nvtxMarkW)
WT_NOTHING(void, nvtxMarkEx)
WT_NOTHING(int, nvtxRangePushA)
WT_NOTHING(int, nvtxRangePushW)
WT_NOTHING(int, nvtxRangePushEx)
WT_NOTHING(int, nvtxRangePop)
WT_NOTHING(nvtxRangeId_t, nvtxRangeStartA)
WT_NOTHING(nvtxRangeId_t, nvtxRangeStartW)
WT_NOTHING(nvtxRangeId_t, nvtxRangeStartEx)
WT_NOTHING(void, nvtxRangeEnd)
WT_NOTHING(void, nvtxNameOsThreadA)
WT_NOTHING(void, nvtxNameCategoryA)
WT_NOTHING(nvtxDomainHandle_t, nvtxDomainCreateA)
WT_NOTHING(void, nvtxDomainDestroy)
WT_NOTHING(nvtxStringHandle_t, nvtxDomainRegisterStringA)
WT_NOTHING(void, nvtxDomainMarkEx)
WT_NOTHING(int, nvtxDomainRangePushEx)
WT_NOTHING(int, nvtxDomainRangePop)
WT_NOTHING(nvtxRangeId_t, nvtxDomainRangeStartEx)
WT_NOTHING(void, nvtxDomainRangeEnd)
WT_NOTHING(void, nvtxInitialize)
#undef WT_NOTHING

namespace nvtx3 {
struct scoped_range {
    template <class... A>
    explicit scoped_range(A&&...) {}
    ~scoped_range() {}
};
template <class D>
struct scoped_range_in : scoped_range {
    using scoped_range::scoped_range;
};
template <class... A>
void mark(A&&...) {}
}  // namespace nvtx3
