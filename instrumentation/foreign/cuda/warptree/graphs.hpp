// CUDA graphs: what is captured is done when the graph is launched, in the order in which it came.
#pragma once

#include "warptree/host.hpp"

using cudaGraph_t = wt::Graph*;
using cudaGraphExec_t = wt::Graph*;
using cudaGraphNode_t = wt::Graph::Step*;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
inline cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned = 0) {
    return *graph = new wt::Graph, wt::error();
}
inline cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode = cudaStreamCaptureModeGlobal) {
    return cudaGraphCreate(&wt::capturing);
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
    return *graph = wt::capturing, wt::capturing = nullptr, wt::error();
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
    return *status = wt::capturing != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone,
           wt::error();
}
template <class... A>
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, A&&...) {
    return *exec = graph, wt::error();
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
    return cudaGraphInstantiate(exec, graph);
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t) {
    for (wt::Graph::Step* step = exec->first; step != nullptr; step = step->next) step->run(*step);
    return wt::error(wt::last_error(false));
}
inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    std::size_t n = 0;
    for (wt::Graph::Step* step = graph->first; step != nullptr; step = step->next, ++n)
        if (nodes != nullptr) nodes[n] = step;
    return *count = n, wt::error();
}
/// Adds what a call does to a graph.
template <class Call>
cudaError_t wt_add_node(cudaGraphNode_t* node, cudaGraph_t graph, Call call) {
    wt::capturing = graph;
    const cudaError_t error = call();
    wt::capturing = nullptr;
    return *node = graph->last, error;
}
struct cudaKernelNodeParams {
    void* func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaHostNodeParams {
    void (*fn)(void*);
    void* userData;
};
struct cudaMemsetParams {
    void* dst;
    std::size_t pitch;
    unsigned value, elementSize;
    std::size_t width, height;
};
inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, std::size_t,
                                          const cudaKernelNodeParams* p) {
    return wt_add_node(node, graph, [&] {
        return wt::launch_kernel(0, false, p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes);
    });
}
inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                                            std::size_t, void* d, const void* s, std::size_t n, cudaMemcpyKind kind) {
    return wt_add_node(node, graph, [&] { return cudaMemcpyAsync(d, s, n, kind); });
}
inline cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, std::size_t,
                                          const cudaMemcpy3DParms* p) {
    return wt_add_node(node, graph, [&] { return cudaMemcpy3DAsync(p); });
}
inline cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, std::size_t,
                                          const cudaMemsetParams* p) {
    return wt_add_node(node, graph, [&] {
        return cudaMemsetAsync(p->dst, static_cast<int>(p->value), p->width * p->elementSize * p->height);
    });
}
inline cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, std::size_t,
                                        const cudaHostNodeParams* p) {
    return wt_add_node(node, graph, [&] { return cudaLaunchHostFunc(nullptr, p->fn, p->userData); });
}
