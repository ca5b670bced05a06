// Loaded before the program (LD_PRELOAD): a system that gives no more threads after the first few, as one that is full
// does. FAULT_THREADS  how many it gives
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*begin)(void*), void* with) {
    static std::atomic<int> made = 0;
    const char* most = std::getenv("FAULT_THREADS");
    if (most != nullptr && ++made > std::atoi(most)) return EAGAIN;
    using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create*>(dlsym(RTLD_NEXT, "pthread_create"));
    return create(thread, how, begin, with);
}
