#include "app/views/ladder/model.hpp"

#include <algorithm>

#include "instrumentation/counters/links.hpp"

namespace warptree::study {
namespace {

constexpr double kElement = 4;  // bytes

counters::LinksForm form_of(std::string_view kernel, std::uint32_t devices) {
    trace::Launch launch;
    launch.kernel = kernel, launch.devices = devices;
    return counters::links_form(launch);
}
}  // namespace

double LinkModel::ms(std::string_view kernel, std::uint32_t devices, std::uint64_t elements) const {
    const counters::LinksForm form = form_of(kernel, devices);
    const auto n = static_cast<double>(elements);
    return static_cast<double>(form.rounds_value) * alpha +
           n * std::max(form.received_value * kElement / beta, form.adds_value / gamma);
}

std::optional<LinkModel> link_model(const Ladder& ladder) {
    if (ladder.problem != value::Problem::kAllReduce || ladder.sizes.size() < 2) return std::nullopt;
    LinkModel model{.gamma = ladder.of->limit_gb_per_s * 1e6 / (3 * kElement)};
    const auto each = [&](std::uint64_t n, auto use) {
        for (const kernels::Timing& t : ladder.of->runs)
            if (const kernels::Kernel* kernel = kernels::find(t.kernel);
                kernel != nullptr && kernel->problem == ladder.problem && t.correct && t.n == n &&
                t.devices == ladder.devices && t.type == ladder.choice.type)
                use(t, form_of(t.kernel, t.devices), static_cast<double>(n / t.devices));
    };
    each(ladder.sizes.front(), [&](const kernels::Timing& t, const counters::LinksForm& form, double) {
        const double round = t.ms_median / static_cast<double>(form.rounds_value);
        if (model.alpha == 0 || round < model.alpha) model.alpha = round;
    });
    each(ladder.sizes.back(), [&](const kernels::Timing& t, const counters::LinksForm& form, double n) {
        const double on_links = t.ms_median - static_cast<double>(form.rounds_value) * model.alpha;
        const double beta = form.received_value * n * kElement / on_links;
        if (on_links > 0) model.beta = std::max(model.beta, beta);
    });
    if (model.alpha == 0 || model.beta == 0 || model.gamma == 0) return std::nullopt;
    return model;
}

std::vector<Fastest> fastest_of(const Ladder& ladder, const LinkModel& model, std::uint64_t elements) {
    std::vector<Fastest> all;
    for (std::uint32_t devices = 2; devices <= kMostModelled; devices *= 2) {
        const Rung* best = nullptr;
        for (const Rung& rung : ladder.rungs)
            if (!rung.reference &&
                (best == nullptr || model.ms(rung.name, devices, elements) < model.ms(best->name, devices, elements)))
                best = &rung;
        if (best == nullptr) return all;
        if (all.empty() || all.back().kernel != best->name) all.push_back({best->name, devices, devices});
        all.back().last = devices;
    }
    return all;
}

}  // namespace warptree::study
