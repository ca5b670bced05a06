// Studies: the further runs that some views show beside their subject, recorded when such a view is opened.
#pragma once

#include <memory>

#include "app/study/coarsening.hpp"
#include "app/study/ladder.hpp"
#include "app/study/orders.hpp"
#include "app/study/races.hpp"
#include "app/study/roundings.hpp"
#include "app/study/tournament.hpp"

namespace warptree::study {

/// What can be recorded beside a subject.
enum class Study : std::uint8_t { kNone, kOrders, kCoarsening, kTournament, kRaces, kLadder, kRoundings };

struct Studies {
    std::shared_ptr<const Orders> orders;
    std::shared_ptr<const CoarsenStudy> coarsening;
    std::shared_ptr<const TournamentStudy> tournament;
    std::shared_ptr<const RoundingStudy> roundings;
    std::shared_ptr<const LadderStudy> ladder;  // of no subject
    std::shared_ptr<const RaceStudy> races;
};

/// Whether a study of a subject is there; of none there is nothing to wait for.
bool complete(const Studies&, Study, const std::shared_ptr<const Subject>&);

/// Lets go of the runs beside other subjects than this one.
void drop_others(Studies&, const std::shared_ptr<const Subject>&);

/// Records what a study of a subject needs, and puts it into the studies.
/// request  as the subject was made by: knows an input that the trace only names
void add_study(Studies&, Study, std::shared_ptr<const Subject>, const kernels::Request& request,
               const Recorder& record = {});

/// What is known of a subject while its further runs are being recorded: what the subject alone tells, and that the
/// others are to come. Empty where even that would take long.
Studies meanwhile(Study, const std::shared_ptr<const Subject>&, const kernels::Request&);

}  // namespace warptree::study
