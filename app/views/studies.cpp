// Which view has which study.
#include "app/views/studies.hpp"

#include "instrumentation/result.hpp"

namespace warptree::study {
namespace {

/// returns  null: the view shows no further runs
decltype(&order_study) study_of(scene::View view) {
    switch (view) {
#define VIEW(...)
#define VIEW_OF_RUNS(id, room, ...) \
    case scene::View::id:           \
        return room##_study;
#include "app/views/rooms.def"
        default:
            return nullptr;
    }
}

}  // namespace

bool complete(const Studies& s, scene::View view, const std::shared_ptr<const Subject>& subject) {
    const auto there = s.of_view.find(view);
    if (there == s.of_view.end()) return study_of(view) == nullptr;
    return there->second.subject == nullptr || there->second.subject == subject;
}

void drop_others(Studies& s, const std::shared_ptr<const Subject>& subject) {
    std::erase_if(s.of_view, [&](const auto& one) { return one.second.subject && one.second.subject != subject; });
}

void add_study(Studies& s, scene::View view, std::shared_ptr<const Subject> subject, const kernels::Request& request,
               const Recorder& record) {
    if (const auto study = study_of(view)) s.of_view[view] = study(std::move(subject), request, record);
}

Studies meanwhile(scene::View view, const std::shared_ptr<const Subject>& subject, const kernels::Request& request) {
    constexpr std::size_t kMostRows = 300'000;
    Studies studies;
    if (subject && subject->trace.rows() <= kMostRows)
        add_study(studies, view, subject, request, [](const kernels::Request&) -> Result<trace::Run> {
            return failure("The runs beside this one are being recorded.");
        });
    return studies;
}

}  // namespace warptree::study
