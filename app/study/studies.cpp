// Which study is which.
#include "app/study/studies.hpp"

#include "instrumentation/result.hpp"

namespace warptree::study {

bool complete(const Studies& s, Study study, const std::shared_ptr<const Subject>& subject) {
    switch (study) {
        case Study::kOrders:
            return s.orders && s.orders->subject == subject;
        case Study::kCoarsening:
            return s.coarsening && s.coarsening->subject == subject;
        case Study::kTournament:
            return s.tournament && s.tournament->subject == subject;
        case Study::kRoundings:
            return s.roundings && s.roundings->subject == subject;
        case Study::kRaces:
            return s.races && s.races_of == subject;
        case Study::kLadder:
            return s.ladder != nullptr;
        default:
            return true;
    }
}

void drop_others(Studies& s, const std::shared_ptr<const Subject>& subject) {
    if (!complete(s, Study::kOrders, subject)) s.orders = nullptr;
    if (!complete(s, Study::kCoarsening, subject)) s.coarsening = nullptr;
    if (!complete(s, Study::kTournament, subject)) s.tournament = nullptr;
    if (!complete(s, Study::kRoundings, subject)) s.roundings = nullptr;
    if (complete(s, Study::kRaces, subject)) return;
    s.races = nullptr;
    s.races_of = nullptr;
}

void add_study(Studies& s, Study study, std::shared_ptr<const Subject> subject, const kernels::Request& request,
               const Recorder& record) {
    switch (study) {
        case Study::kOrders:
            s.orders = make_orders(std::move(subject), request, record);
            return;
        case Study::kCoarsening:
            s.coarsening = study_coarsening(std::move(subject), request, record);
            return;
        case Study::kTournament:
            s.tournament = study_tournament(std::move(subject), request, record);
            return;
        case Study::kRoundings:
            s.roundings = study_roundings(std::move(subject));
            return;
        case Study::kLadder:
            s.ladder = study_ladder(record);
            return;
        case Study::kRaces:
            s.races = std::make_shared<const RaceStudy>(study_races(*subject, request.input, record));
            s.races_of = std::move(subject);
            return;
        default:
            return;
    }
}

Studies meanwhile(Study study, const std::shared_ptr<const Subject>& subject, const kernels::Request& request) {
    constexpr std::size_t kMostRows = 300'000;
    Studies studies;
    if (subject && subject->trace.rows() <= kMostRows)
        add_study(studies, study, subject, request, [](const kernels::Request&) -> Result<trace::Run> {
            return failure("The runs beside this one are being recorded.");
        });
    return studies;
}

}  // namespace warptree::study
