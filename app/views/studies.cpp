// Which study is which.
#include "app/views/studies.hpp"

#include "instrumentation/result.hpp"

namespace warptree::study {

bool complete(const Studies& s, Study study, const std::shared_ptr<const Subject>& subject) {
    const auto is_of = [&](const auto& one) { return one && one->subject == subject; };
    switch (study) {
        case Study::kOrders:
            return is_of(s.orders);
        case Study::kCoarsening:
            return is_of(s.coarsening);
        case Study::kTournament:
            return is_of(s.tournament);
        case Study::kRoundings:
            return is_of(s.roundings);
        case Study::kRaces:
            return is_of(s.races);
        case Study::kLadder:
            return s.ladder != nullptr;
        default:
            return true;
    }
}

void drop_others(Studies& s, const std::shared_ptr<const Subject>& subject) {
    const auto drop = [&](auto&... all) { ((all = all && all->subject == subject ? all : nullptr), ...); };
    drop(s.orders, s.coarsening, s.tournament, s.roundings, s.races);
}

void add_study(Studies& s, Study study, std::shared_ptr<const Subject> subject, const kernels::Request& request,
               const Recorder& record) {
    if (study == Study::kOrders) s.orders = make_orders(subject, request, record);
    if (study == Study::kCoarsening) s.coarsening = study_coarsening(subject, request, record);
    if (study == Study::kTournament) s.tournament = study_tournament(subject, request, record);
    if (study == Study::kRoundings) s.roundings = study_roundings(subject);
    if (study == Study::kLadder) s.ladder = study_ladder(record);
    if (study != Study::kRaces) return;
    auto races = std::make_shared<RaceStudy>(study_races(*subject, request.input, record));
    races->subject = std::move(subject);
    s.races = std::move(races);
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
