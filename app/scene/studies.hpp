// Studies: the further runs that some views show beside their subject, each kind recorded when its view is opened.
#pragma once

#include <memory>

#include "app/scene/coarsening.hpp"
#include "app/scene/orders.hpp"
#include "app/scene/races.hpp"
#include "app/scene/tournament.hpp"

namespace warptree::scene {

struct Studies {
    std::shared_ptr<const Orders> orders;
    std::shared_ptr<const CoarsenStudy> coarsening;
    std::shared_ptr<const TournamentStudy> tournament;
    std::shared_ptr<const RaceStudy> races;
    std::shared_ptr<const Subject> races_of;  // the subject that `races` are of; the others know theirs
};

/// Whether a view has all that it shows of a subject: it needs no further runs, or they are there.
bool complete(const Studies&, View, const std::shared_ptr<const Subject>&);

/// Lets go of the runs beside other subjects than this one.
void keep_only(Studies&, const std::shared_ptr<const Subject>&);

/// Records what a view shows of a subject beside it, and puts it into the studies.
/// request  as the subject was made by: knows an input that the trace only names
void add_study(Studies&, View, std::shared_ptr<const Subject>, const kernels::Request& request,
               const Recorder& record = {});

/// What a view shows of a subject while its further runs are being recorded: what the subject alone tells, and that the
/// others are to come. Empty where even that would take long.
Studies meanwhile(View, const std::shared_ptr<const Subject>&, const kernels::Request&);

}  // namespace warptree::scene
