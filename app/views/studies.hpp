// Studies: the further runs that some views show beside their subject, recorded when such a view is opened.
#pragma once

#include <any>
#include <map>
#include <memory>

#include "app/kit/rooms.hpp"
#include "app/subject/rerun.hpp"
#include "app/subject/subject.hpp"

namespace warptree::study {

struct Study {
    std::shared_ptr<const Subject> subject;  // null: of no subject
    std::any facts;                          // what the runs tell: a std::shared_ptr<const Orders>, or another room's
};

struct Studies {
    std::map<scene::View, Study> of_view;
    /// What the runs tell, as the view's room has it; null: that is not there.
    template <class Facts>
    std::shared_ptr<const Facts> of() const {
        for (const auto& [view, study] : of_view)
            if (const auto* facts = std::any_cast<std::shared_ptr<const Facts>>(&study.facts)) return *facts;
        return nullptr;
    }
};

/// Whether a view's study of a subject is there; where it has none there is nothing to wait for.
bool complete(const Studies&, scene::View, const std::shared_ptr<const Subject>&);

/// Lets go of the runs beside other subjects than this one.
void drop_others(Studies&, const std::shared_ptr<const Subject>&);

/// Records what a view's study of a subject needs, and puts it into the studies.
/// request  as the subject was made by: knows an input that the trace only names
void add_study(Studies&, scene::View, std::shared_ptr<const Subject>, const kernels::Request& request,
               const Recorder& record = {});

/// What is known of a subject while its further runs are being recorded: what the subject alone tells, and that the
/// others are to come. Empty where even that would take long.
Studies meanwhile(scene::View, const std::shared_ptr<const Subject>&, const kernels::Request&);

// Each in its room
#define VIEW(...)
#define VIEW_OF_RUNS(id, room, ...) \
    Study room##_study(std::shared_ptr<const Subject>, const kernels::Request&, const Recorder&);
#include "app/views/rooms.def"

}  // namespace warptree::study
