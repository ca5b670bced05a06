// Work beside the caller's, wherever threads are to be had.
#pragma once

#include <future>
#include <system_error>
#include <thread>

namespace warptree {

/// Begins work on a thread of its own. Where the system gives none, as in a browser's page, the work is done when this
/// returns, and the thread is not joinable().
template <class Work>
std::thread beside(const Work& work) {
    try {
        return std::thread(work);
    } catch (const std::system_error&) {
        work();
        return {};
    }
}

/// How std::async is to be called: on a thread of its own, or, where the system gives none, when it is asked for.
inline std::launch launch_policy() {
    static const bool threads = [] {
        std::thread one = beside([] {});
        const bool begun = one.joinable();
        if (begun) one.join();
        return begun;
    }();
    return threads ? std::launch::async : std::launch::deferred;
}

}  // namespace warptree
