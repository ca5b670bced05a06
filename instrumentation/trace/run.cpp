// Steps and arrays of a run, looked up over its launches.
#include "instrumentation/trace/run.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace warptree::trace {
namespace {

/// The contents of the first global array that is one of those.
template <class Is>
const Values* contents(const Trace& trace, const std::vector<Values>& of, Is is) {
    std::size_t global = 0;
    for (const Array& array : trace.arrays) {
        if (array.space != Space::kGlobal) continue;
        if (is(array) && global < of.size()) return &of[global];
        ++global;
    }
    return nullptr;
}

auto has_role(Role role) {
    return [role](const Array& array) { return array.role == role; };
}

}  // namespace

std::size_t Run::steps() const {
    return first_step(launches.size());
}

std::size_t Run::first_step(std::size_t launch) const {
    std::size_t steps = 0;
    for (std::size_t i = 0; i < launch; ++i) steps += launches[i].steps.size();
    return steps;
}

Run::Place Run::place(std::size_t step) const {
    std::size_t launch = 0;
    while (launch + 1 < launches.size() && step >= launches[launch].steps.size())
        step -= launches[launch++].steps.size();
    return {launch, step};
}

bool Run::complete() const {
    return std::none_of(launches.begin(), launches.end(), [](const Trace& trace) { return trace.kept.has_value(); });
}

const Values* Run::input() const {
    for (const Trace& trace : launches)
        if (const Values* found = contents(trace, trace.initial, has_role(Role::kInput))) return found;
    return nullptr;
}

const Values* Run::before(std::string_view array) const {
    const auto is = [&](const Array& one) { return one.name == array; };
    for (const Trace& trace : launches)
        if (const Values* found = contents(trace, trace.initial, is)) return found;
    return nullptr;
}

const Values* Run::output() const {
    for (std::size_t i = launches.size(); i-- > 0;)
        if (const Values* found = contents(launches[i], launches[i].final, has_role(Role::kOutput))) return found;
    return nullptr;
}

Run run_of(Trace trace) {
    Run run;
    run.launches.push_back(std::move(trace));
    return run;
}

}  // namespace warptree::trace
