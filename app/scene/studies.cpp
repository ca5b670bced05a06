// Which view needs which further runs.
#include "app/scene/studies.hpp"

#include "instrumentation/result.hpp"

namespace warptree::scene {

bool complete(const Studies& s, View view, const std::shared_ptr<const Subject>& subject) {
    switch (view) {
        case View::kOrder:
            return s.orders && s.orders->subject == subject;
        case View::kCoarsening:
            return s.coarsening && s.coarsening->subject == subject;
        case View::kTournament:
            return s.tournament && s.tournament->subject == subject;
        case View::kHazards:
            return s.races && s.races_of == subject;
        default:
            return true;
    }
}

void keep_only(Studies& s, const std::shared_ptr<const Subject>& subject) {
    if (!complete(s, View::kOrder, subject)) s.orders = nullptr;
    if (!complete(s, View::kCoarsening, subject)) s.coarsening = nullptr;
    if (!complete(s, View::kTournament, subject)) s.tournament = nullptr;
    if (complete(s, View::kHazards, subject)) return;
    s.races = nullptr;
    s.races_of = nullptr;
}

void add_study(Studies& s, View view, std::shared_ptr<const Subject> subject, const kernels::Request& request,
               const Recorder& record) {
    switch (view) {
        case View::kOrder:
            s.orders = make_orders(std::move(subject), request, record);
            return;
        case View::kCoarsening:
            s.coarsening = study_coarsening(std::move(subject), request, record);
            return;
        case View::kTournament:
            s.tournament = study_tournament(std::move(subject), request, record);
            return;
        case View::kHazards:
            s.races = std::make_shared<const RaceStudy>(study_races(*subject, request.input, record));
            s.races_of = std::move(subject);
            return;
        default:
            return;
    }
}

Studies meanwhile(View view, const std::shared_ptr<const Subject>& subject, const kernels::Request& request) {
    constexpr std::size_t kMostRows = 300'000;
    Studies studies;
    if (subject && subject->trace.rows() <= kMostRows)
        add_study(studies, view, subject, request, [](const kernels::Request&) -> Result<trace::Trace> {
            return failure("The runs beside this one are being recorded.");
        });
    return studies;
}

}  // namespace warptree::scene
