// Studies: the further runs that some views show beside their subject, recorded when such a view is opened.
#pragma once

#include <memory>

#include "app/kit/rooms.hpp"
#include "app/views/accuracy/facts.hpp"
#include "app/views/coarsening/facts.hpp"
#include "app/views/hazards/facts.hpp"
#include "app/views/ladder/facts.hpp"
#include "app/views/order/facts.hpp"
#include "app/views/tournament/facts.hpp"

namespace warptree::study {

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
