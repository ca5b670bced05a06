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
    constexpr unsigned kAnnounced = FieldUse::kAnnounced, kUndone = FieldUse::kUndone, kGrows = FieldUse::kGrows,
                       kLinked = FieldUse::kLinked;
    static const RowOf<ViewChoices> kRows[] = {
        {kErrors,
         "errors",
         "look",
         kAnnounced | kLinked,
         View::kTree,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.errors); },
         {"--errors", "of the tree: how far each sum is off, and where most was lost"}},
        {kAllSteps,
         "all_steps",
         "look",
         kAnnounced | kLinked,
         View::kWarps,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.all_steps); },
         {"--one-step", "of --view warps: the lanes of this step alone, not all steps"}},
        {kAccess, "access", "", kAnnounced | kUndone | kLinked, View::kMemory,
         [](auto& f, auto key, auto& s) {
             through(f, key, text_of(s.access), warptree::Text{},
                     [&](const auto& text) { s.access = access_of(text); });
         }},
        {kByTime,
         "by_time",
         "look",
         kAnnounced | kLinked,
         View::kCompare,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.by_time); },
         {"--by-time", "compare by time, not in step: a step takes its active warps"}},
        {kFactor, "factor", "look", kLinked, View::kCoarsening,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.coarsening.factor); }},
        {kResident, "at_once", "look", kLinked, View::kCoarsening,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.coarsening.resident); }},
        {kAccuracy,
         "accuracy",
         "look",
         kAnnounced | kGrows | kLinked,
         View::kAccuracy,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.accuracy, OneOf{study::kAccuracyPictures}); },
         {"--picture",
          "of the ladder view bandwidth (the usual), time, schedule, tuning, devices or nccl; of the accuracy view "
          "worst (the usual), rms, bandwidth or repeats"}},
        {kLadderPicture,
         "picture",
         "ladder",
         kAnnounced | kUndone | kGrows | kLinked,
         View::kLadder,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.picture, OneOf{study::kLadderPictures}); },
         {"--picture", ""}},
        {kLadderType, "type", "ladder", kAnnounced | kUndone | kGrows | kLinked, View::kLadder,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.type, OneOf{type_names()}); }},
        {kCold, "cold", "ladder", kAnnounced | kUndone | kLinked, View::kLadder,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.cold); }},
        {kOthers, "others", "ladder", kAnnounced | kUndone | kLinked, View::kLadder,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.others); }},
        {kLadderDevices, "devices", "ladder", kAnnounced | kUndone | kLinked, View::kLadder,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.devices); }},
        {kLadderN, "n", "ladder", kAnnounced | kUndone | kLinked, View::kLadder,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.n, kWhole); }},
        {kSizes, "sizes", "ladder", kAnnounced | kUndone | kLinked, View::kLadder,
         [](auto& f, auto key, auto& s) {
             through(f, key, std::vector{s.ladder.least, s.ladder.most}, ListOf{"two N, 0 for no end", kWhole, 2},
                     [&](const auto& ends) { s.ladder.least = ends.front(), s.ladder.most = ends.back(); });
         }},
        {kHidden, "hidden", "ladder", kAnnounced | kUndone | kLinked, View::kLadder,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.ladder.hidden, ListOf<warptree::Text>{"texts in quotes"}); }},
    };
    return kRows;
}

}  // namespace warptree::scene
