// Work beside the caller's, wherever threads are to be had.
#pragma once

#include <cstddef>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

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

/// Does work(0) to work(count - 1), each on a thread of its own, this one among them: on as many as the system gives.
template <class Work>
void on_threads(std::size_t count, const Work& work) {
    std::vector<std::thread> others;
    others.reserve(count);
    for (std::size_t i = 1; i < count; ++i) others.push_back(beside([&work, i] { work(i); }));
    if (count > 0) work(0);
    for (std::thread& other : others)
        if (other.joinable()) other.join();
}

/// Whether the system gives so many threads at once.
inline bool gives_threads(unsigned count) {
    std::promise<void> over;
    const std::shared_future<void> is_over = over.get_future().share();
    std::vector<std::jthread> all;
    try {
        while (all.size() < count) all.emplace_back([is_over] { is_over.wait(); });
    } catch (const std::system_error&) {
    }
    over.set_value();
    return all.size() == count;
}

/// Begins work on a thread of its own, or, where the system gives none, has it done when it is asked for.
template <class Work>
auto later(const Work& work) {
    if (!gives_threads(1)) return std::async(std::launch::deferred, work);  // libc++ would wait for one for ever
    try {
        return std::async(std::launch::async, work);
    } catch (const std::system_error&) {
        return std::async(std::launch::deferred, work);
    }
}

}  // namespace warptree
