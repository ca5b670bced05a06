// From rung to rung of the ladder, by the two keys of a remote: at a kernel's end what it removed and what remains,
// then the next kernel, at a size that fits a slide.
#include <algorithm>

#include "app/state/nearest.hpp"
#include "app/state/session.hpp"
#include "instrumentation/request/inputs.hpp"

namespace warptree::state {

kernels::Request on_a_slide(const kernels::Kernel& kernel, const kernels::Request& now) {
    constexpr std::uint32_t kOne = 16, kThreads = 8, kBlocks = 4, kWarp = 4;
    kernels::Request wanted{.kernel = std::string(kernel.name)};
    kernels::take_usual(kernel, wanted);
    if (kernel.usual != kernels::Usual{}) return wanted;
    const kernels::Kernel* before = kernels::find(now.kernel);
    if (before != nullptr && before->usual == kernels::Usual{}) {
        const bool usual = now.type == kernels::usual_type(*before, now.op);  // and nobody's choice
        const value::Type type = usual ? kernels::usual_type(kernel, now.op) : now.type;
        if (kernels::unsuited(kernel, now.op, type).empty()) wanted.op = now.op, wanted.type = type;
        if (kernels::is_rule(now.input)) wanted.input = now.input, wanted.seed = now.seed;
    }
    const kernels::Sizes& sizes = kernel.sizes;
    wanted.warp_size = kWarp;
    wanted.n = kOne;
    const bool tiles = !kernel.scans() || sizes.any_warps;
    if (tiles && !sizes.single_block && !sizes.takes_turns) {
        wanted.block = kThreads;
        wanted.n = std::uint64_t{kBlocks} * wanted.block * sizes.per_thread * wanted.coarsen;
    }
    if (kernels::check(wanted)) return wanted;
    const auto near = nearest(wanted);
    return near ? near->request : wanted;
}

bool is_on_a_slide(const kernels::Request& now) {
    const kernels::Kernel* kernel = kernels::find(now.kernel);
    if (kernel == nullptr || !kernels::is_rule(now.input)) return false;
    const kernels::Request slide = on_a_slide(*kernel, now);
    const auto like = [&](std::uint64_t n, std::uint32_t warp, std::uint32_t block) {
        return now.n == n && now.warp_size == warp && now.block == block;
    };
    return like(slide.n, slide.warp_size, slide.block) || like(16, 4, 0);
}

kernels::Request with_kernel(const kernels::Request& now, const kernels::Kernel& kernel) {
    if (now.kernel != kernel.name && is_on_a_slide(now)) return on_a_slide(kernel, now);
    kernels::Request wanted = now;
    wanted.kernel = kernel.name;
    wanted.block = 0;  // the usual one for what is chosen now
    wanted.exclusive = wanted.exclusive && kernel.scans();
    if (!kernel.sizes.devices) wanted.devices = 0;
    return wanted;
}

const kernels::Kernel* next_kernel(const std::string& name, int by) {
    const auto rows = kernels::catalog();
    const auto at = std::ranges::find(rows, name, &kernels::Kernel::name) - rows.begin();
    return at == std::ssize(rows) || at + by < 0 || at + by >= std::ssize(rows)
               ? nullptr
               : &rows[static_cast<std::size_t>(at + by)];
}

namespace {

/// Shows a neighbour in the catalog: the next one before its first step, the one before with its card.
void climb(Session& app, int by) {
    AppState& s = app.state;
    const kernels::Kernel* to = next_kernel(s.request.kernel, by);
    if (to == nullptr) return;
    const kernels::Request from = s.request;
    const bool known = by < 0 && !s.climbed.empty() && s.climbed.back().kernel == to->name;
    const kernels::Request wanted = known ? s.climbed.back() : on_a_slide(*to, from);
    request(app, wanted);
    if (s.request != wanted) return;  // a message says why
    if (known) s.climbed.pop_back();
    if (by > 0) s.climbed.push_back(from);
    step_to(app, by > 0 ? 0 : s.steps(), false);
    s.card = by < 0;
}

}  // namespace

void climb_or_step(Session& app, bool on) {
    AppState& s = app.state;
    const bool climbs =
        s.subject && kernels::find(s.request.kernel) != nullptr && !s.comparing() && s.view != scene::View::kLadder;
    if (climbs && on && s.goal == s.steps()) {
        s.card ? climb(app, 1) : void(s.card = true);
    } else if (climbs && s.card) {
        s.card = false;
    } else if (climbs && !on && s.goal == 0) {
        climb(app, -1);
    } else if (!ladder_mode(app, {.action = on ? Action::kForward : Action::kBack})) {
        go(app, on ? s.next_stop(s.goal) : s.previous_stop(s.goal), true);
    }
}

}  // namespace warptree::state
