// What can be read off a state.
#include "app/state/app_state.hpp"

#include <algorithm>
#include <cmath>

#include "app/lesson/run_question.hpp"
#include "app/results/measurements.hpp"

namespace warptree::state {

study::Playhead AppState::playhead() const {
    const double position = std::ceil(time - 1e-9);
    study::Playhead at;
    at.position = std::min(static_cast<std::size_t>(std::max(0.0, position)), steps());
    at.open = open();
    at.told = told();
    if (at.position > 0) {
        const study::Fold row = row_of(at.position - 1);
        at.position = row.end;
        at.progress = static_cast<float>((time - static_cast<double>(row.first)) / static_cast<double>(row.steps()));
        at.progress = std::clamp(at.progress, 0.0f, 1.0f);
    }
    return comparing() ? at : local(at);
}

study::Fold AppState::row_of(std::size_t step) const {
    if (!subject || comparing()) return {step, step + 1};
    return study::row_of(subject->facts->folds, open(), step);
}

std::size_t AppState::next_stop(std::size_t position) const {
    return position < steps() ? row_of(position).end : steps();
}

std::size_t AppState::previous_stop(std::size_t position) const {
    return position > 0 ? row_of(position - 1).first : 0;
}

std::string LessonPlace::points() const {
    double all = 0;
    for (const Answer& answer : answers) all += answer.points();
    const std::string whole = all >= 1 || all == 0 ? std::to_string(static_cast<int>(all)) : "";
    return all == std::floor(all) ? whole : whole + "½";
}

std::vector<std::size_t> LessonPlace::missed() const {
    std::vector<std::size_t> missed;
    for (std::size_t i = 0; i < answers.size(); ++i)
        if (answers[i].revealed && !answers[i].right) missed.push_back(i);
    return missed;
}

kernels::Request LessonPlace::request_of(std::size_t at) const {
    const lesson::Scene& one = lesson->scenes[at];
    if (!one.question || !one.question->of_run()) return one.request;
    const Answer& answer = answers[at];
    const bool told = answer.revealed && !answer.right;
    const auto run = lesson::with_options(one.request, told ? one.question->answer : answer.given);
    return run && kernels::check(*run) ? *run : one.request;
}

kernels::Request LessonPlace::within(const kernels::Request& run) const {
    const lesson::Scene& one = *on_show();
    return lesson::with_options(one.request, lesson::changed_options(*one.question, one.request, run))
        .value_or(one.request);
}

std::pair<std::size_t, std::size_t> AppState::bounds() const {
    const lesson::Scene* scene = lesson.on_show();
    if (scene == nullptr || lesson.of_run() || comparing() != (scene->view == scene::View::kCompare))
        return {0, steps()};
    std::size_t last = std::min(scene->to, steps());
    if (lesson.gated()) last = std::min(last, scene->question->step - 1);
    return {std::min(scene->from, last), last};
}

std::optional<double> AppState::late() const {
    const CoursePlace& place = lesson.course;
    if (!place.course || !lecture) return {};
    return minutes + place.ahead - place.course->planned(place.part, lesson.scene);
}

std::vector<std::filesystem::path> AppState::watched() const {
    if (!awaited.empty()) return {awaited};
    if (version > 0) return sources;
    const auto is_shipped = [&](const lesson::Shipped& one) { return one.name == lesson.source; };
    if (lesson.lesson && std::ranges::none_of(lesson::shipped(), is_shipped)) return {lesson.source};
    return {};
}

std::optional<double> AppState::level_of(scene::View one) const {
    const bool devices = subject && subject->trace.launch.is_collective();
    if (one == scene::View::kNetwork && devices) return -1;
    if (one == scene::View::kGrid) return 0;
    return one == scene::View::kTree ? std::optional(1.0) : std::nullopt;
}

std::size_t AppState::told() const {
    const lesson::Scene* const scene = lesson.on_show();
    if (lesson.gated()) return scene->question->step - 1;
    std::size_t told = study::Playhead::kAllTold;
    if (scene == nullptr) return told;
    const std::size_t shown = bounds().second;
    for (std::size_t i = lesson.scene + 1; i < lesson.lesson->scenes.size(); ++i) {  // what will be asked of this run
        const lesson::Scene& later = lesson.lesson->scenes[i];
        if (later.question && !lesson.answers[i].revealed && later.request == request && later.question->step > shown)
            told = std::min(told, later.question->step - 1);
    }
    return told;
}

study::Playhead AppState::local(study::Playhead at) const {
    if (!subject) return at;
    const std::size_t first = subject->first_step;
    if (at.told < study::Playhead::kAllTold) at.told -= std::min(at.told, first);
    if (at.position <= first) return {.open = at.open, .told = at.told};
    at.position = std::min(at.position - first, subject->steps());
    return at;
}

void keep_recent(AppState& s, const std::string& path) {
    constexpr std::size_t kMostRecent = 10;
    std::error_code error;
    const std::string whole = std::filesystem::absolute(path, error).lexically_normal().string();
    if (error) return;
    std::erase(s.recent, whole);
    s.recent.insert(s.recent.begin(), whole);
    s.recent.resize(std::min(s.recent.size(), kMostRecent));
}

std::optional<lesson::Fact> number_on_show(const AppState& s) {
    if (!s.of_one_run() || s.goal == 0) return {};
    const lesson::Scene* scene = s.lesson.on_show();
    const bool named = scene != nullptr && !scene->number.empty();
    auto fact = lesson::fact(named ? scene->number : "efficiency_so_far", *s.subject->facts, s.goal);
    if (!fact) return {};
    return std::move(*fact);
}

const study::Measurements* unsaved_results(const AppState& state, std::string_view device) {
    for (const study::Measurements& m : *state.results)
        if (m.file == kMeasuredHere && (device.empty() || m.device == device)) return &m;
    return nullptr;
}

std::string nothing_of(const AppState& state, scene::View view) {
    if (view != scene::View::kLadder || !state.results->empty()) return {};
    return "The ladder draws times of the program's kernels, and this program has none.";
}

std::size_t put_results(AppState& state, study::Measurements results) {
    auto all = std::make_shared<std::vector<study::Measurements>>(*state.results);
    auto at = std::ranges::find_if(*all, [&](const study::Measurements& m) {
        return m.file == results.file && m.path == results.path &&
               (m.device == results.device || m.file != kMeasuredHere);
    });
    if (at == all->end()) at = all->insert(at, study::Measurements());
    *at = std::move(results);
    const auto place = static_cast<std::size_t>(at - all->begin());
    state.results = std::move(all);
    return place;
}

Result<scene::View> open_results(AppState& state, const std::string& path) {
    auto loaded = study::load_results(path);
    if (!loaded) return tl::unexpected(loaded.error());
    const std::size_t place = put_results(state, std::move(*loaded));
    const study::Measurements& m = (*state.results)[place];
    if (m.runs.empty())
        state.accuracy = m.repeats.empty() ? study::AccuracyPicture::kBandwidth : study::AccuracyPicture::kRepeats;
    else
        state.ladder = {.device = place, .picture = state.ladder.picture, .others = state.ladder.others};
    return m.runs.empty() ? scene::View::kAccuracy : scene::View::kLadder;
}

kernels::Request follow(kernels::Request other, const kernels::Request& before, const kernels::Request& after) {
    using kernels::Request;
    const auto take = [&](auto member) {
        if (other.*member == before.*member) other.*member = after.*member;
    };
    if (other.n == before.n && before.n != after.n) other.block = 0;
    take(&Request::n);
    take(&Request::warp_size);
    take(&Request::type);
    take(&Request::op);
    take(&Request::input);
    take(&Request::numbers);
    take(&Request::seed);
    take(&Request::backend);
    take(&Request::thread_order);
    return other;
}

AppState of_column(const AppState& state) {
    AppState one = state;
    if (!state.comparing() || state.column == 0 || state.column > state.others.size()) return one;
    static_cast<Column&>(one) = state.others[state.column - 1];
    one.column = 0;
    return one;
}

std::size_t next_phase(const AppState& state, std::size_t position) {
    if (state.comparing()) return state.comparison->next_phase(position);
    const std::size_t steps = state.steps();
    if (position >= steps) return steps;
    std::size_t at = position + 1;
    while (at < steps && study::same_phase(state.subject->run(), at, position)) ++at;
    return at;
}

std::size_t previous_phase(const AppState& state, std::size_t position) {
    if (state.comparing()) return state.comparison->previous_phase(position);
    if (position == 0) return 0;
    std::size_t at = position - 1;
    while (at > 0 && study::same_phase(state.subject->run(), at - 1, position - 1)) --at;
    return at;
}

}  // namespace warptree::state
