// Recordings beside the page, in a browser's worker, so that the page goes on and can cancel them. A page has one
// thread, and may not wait: a job whose recording is still on its way is given up, and done again from its beginning
// when that has come; what it needed before is kept until it ends.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/state/app.hpp"

namespace warptree::shell {

class Worker {
public:
    /// Has these services record here what takes no time, and all else there. Outlives them.
    void serve(state::Services& services);
    /// Goes on with what waits, where a recording has come or is no longer wanted. returns  whether it did
    bool go_on();

private:
    struct Unready {};  // thrown by what cannot be had yet
    struct Recording {
        std::string command;  // lines: a command's words
        kernels::Progress* progress;
    };
    struct Made {
        std::filesystem::path file;  // without a name: it failed
        std::string why;
    };
    void begin(std::function<void()> work);
    Result<trace::Run> record(const kernels::Request&, const std::string& block, kernels::Progress&);

    std::optional<Recording> recording_;
    std::map<std::string, Made> made_;            // of commands
    std::vector<std::function<void()>> waiting_;  // jobs
};

/// In the worker: tells the page how far its recording is.
void tell_page(const kernels::Progress&);

}  // namespace warptree::shell
