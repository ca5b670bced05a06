#include "app/views/choices.hpp"

#include <limits>
#include <vector>

namespace warptree::scene {
namespace {

constexpr Range<std::uint64_t> kWhole{0, std::numeric_limits<std::int64_t>::max()};

const auto& type_names() {
    static const auto all = [] {
        std::vector<std::pair<value::Type, std::string_view>> names;
        for (const value::Type type : value::kChosenTypes) names.emplace_back(type, value::name(type));
        return names;
    }();
    return all;
}

}  // namespace

std::span<const RowOf<ViewChoices>> choice_rows() {
    using enum Field;
    constexpr unsigned kShown = FieldUse::kSaid, kUndone = FieldUse::kUndone, kGrows = FieldUse::kGrows;
    static const RowOf<ViewChoices> kRows[] = {
        {kErrors,
         "errors",
         "look",
         kShown,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.errors); },
         {"--errors", "of the tree: how far each sum is off, and where most was lost"},
         View::kTree},
        {kAllSteps,
         "all_steps",
         "look",
         kShown,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.all_steps); },
         {"--one-step", "of --view warps: the lanes of this step alone, not all steps"},
         View::kWarps},
        {kAccess,
         "access",
         "",
         kShown | kUndone,
         [](auto& f, auto key, auto& s) {
             through(f, key, text_of(s.access), warptree::Text{},
                     [&](const auto& text) { s.access = access_of(text); });
         },
         {},
         View::kMemory},
        {kByTime,
         "by_time",
         "look",
         kShown,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.by_time); },
         {"--by-time", "compare by time, not in step: a step takes its active warps"},
         View::kCompare},
        {kFactor,
         "factor",
         "look",
         0,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.coarsening.factor); },
         {},
         View::kCoarsening},
        {kResident,
         "at_once",
         "look",
         0,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.coarsening.resident); },
         {},
         View::kCoarsening},
        {kAccuracy,
         "accuracy",
         "look",
         kShown | kGrows,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.accuracy, OneOf{study::kAccuracyPictures}); },
         {"--picture",
          "of the ladder view bandwidth (the usual), time, schedule or tuning; of the accuracy view worst (the usual), "
          "rms, bandwidth or repeats"},
         View::kAccuracy},
        {kLadderPicture,
         "picture",
         "ladder",
         kShown | kUndone | kGrows,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.picture, OneOf{study::kLadderPictures}); },
         {"--picture", ""},
         View::kLadder},
        {kLadderType,
         "type",
         "ladder",
         kShown | kUndone | kGrows,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.type, OneOf{type_names()}); },
         {},
         View::kLadder},
        {kCold,
         "cold",
         "ladder",
         kShown | kUndone,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.cold); },
         {},
         View::kLadder},
        {kOthers,
         "others",
         "ladder",
         kShown | kUndone,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.others); },
         {},
         View::kLadder},
        {kLadderN,
         "n",
         "ladder",
         kShown | kUndone,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.n, kWhole); },
         {},
         View::kLadder},
        {kSizes,
         "sizes",
         "ladder",
         kShown | kUndone,
         [](auto& f, auto key, auto& s) {
             through(f, key, std::vector{s.ladder.least, s.ladder.most}, ListOf{"two N, 0 for no end", kWhole, 2},
                     [&](const auto& ends) { s.ladder.least = ends.front(), s.ladder.most = ends.back(); });
         },
         {},
         View::kLadder},
        {kHidden,
         "hidden",
         "ladder",
         kShown | kUndone,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.hidden, ListOf<warptree::Text>{"texts in quotes"}); },
         {},
         View::kLadder},
    };
    return kRows;
}

}  // namespace warptree::scene
