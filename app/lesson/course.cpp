#include "app/lesson/course.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/subject/words.hpp"
#include "instrumentation/embedded.hpp"
#include "instrumentation/json/fields.hpp"
#include "instrumentation/json/toml.hpp"

namespace warptree::lesson {
namespace {

constexpr Text kTitle{.least = 1};
constexpr Text kSentence{.what = "one sentence in quotes", .least = 1};

/// A shipped lesson's name, or a file that stands where the course's does.
std::string beside(const std::string& folder, const std::string& source) {
    const bool ours = std::ranges::find(shipped(), source, &Shipped::name) != shipped().end();
    return ours || folder.empty() ? source : (std::filesystem::path(folder) / source).string();
}

void read_part(FieldReader& table, Course::Part& part, const std::string& folder) {
    part.at = table.place();
    std::string name;
    table("name", name, kTitle);
    table("minutes", part.minutes, Range{1, 600, "whole minutes, at least 1"});
    std::vector<std::size_t> skip;
    table.maybe("skip", skip, ListOf<Range<std::size_t>>{"scenes' numbers", {1, Scene::kEnd}});
    if (name.empty()) return;
    part.source = beside(folder, name);
    auto lesson = open(part.source);
    if (!lesson) return table.problem("name", lesson.error().message);
    for (const std::size_t scene : skip)
        if (scene > lesson->scenes.size())
            table.problem("skip", fmt::format("skip names scene {}, but {} has {}", scene, name, length_of(*lesson)));
    std::ranges::sort(skip);
    for (const std::size_t scene : skip) part.skip.push_back(scene - 1);
    if (part.skip.size() >= lesson->scenes.size())
        table.problem("skip", "skip names every scene; leave the whole lesson out");
    part.lesson = std::make_shared<const Lesson>(std::move(*lesson));
}

std::vector<ShippedCourse> read_shipped_courses() {
    std::vector<ShippedCourse> all;
    for (const auto& [path, text] : embedded("assets/courses/")) {
        const std::size_t begin = path.find('-') + 1, end = path.rfind('.');
        all.push_back({std::string(path.substr(begin, end - begin)), text, read_course(text, "").course});
    }
    return all;
}

}  // namespace

int Course::minutes(std::size_t lecture) const {
    int sum = 0;
    for (const Part& part : parts) sum += part.lecture == lecture ? part.minutes : 0;
    return sum;
}

double Course::minutes_of_scene(std::size_t part) const {
    return static_cast<double>(parts[part].minutes) / static_cast<double>(parts[part].lesson->scenes.size());
}

double Course::planned(std::size_t part, std::size_t scene) const {
    double sum = minutes_of_scene(part) * static_cast<double>(scene);
    for (std::size_t i = 0; i < part; ++i) sum += parts[i].lecture == parts[part].lecture ? parts[i].minutes : 0;
    return sum;
}

bool Course::can_go(std::size_t part, std::size_t scene) const {
    return std::ranges::binary_search(parts[part].skip, scene);
}

CourseReading read_course(std::string_view text, const std::string& folder) {
    CourseReading reading;
    Course& course = reading.course;
    try {
        const Document file = parse_toml(text);
        FieldReader table(file, "the course", &reading.problems);
        table("title", course.title, kTitle);
        table("teaches", course.teaches, kSentence);
        const auto read_lecture = [&](FieldReader& lecture, std::string& title) {
            lecture("title", title, kTitle);
            std::vector<Course::Part> parts;
            const auto read = [&](FieldReader& one, Course::Part& part) { read_part(one, part, folder); };
            lecture.rows("lesson", parts, read, 100, "a list of tables: a [[lecture.lesson]] for each lesson",
                         "lecture.lesson");
            for (Course::Part& part : parts) {
                part.lecture = course.lectures.size() - 1;
                course.parts.push_back(std::move(part));
            }
        };
        table.rows("lecture", course.lectures, read_lecture, 100,
                   "a list of tables: a [[lecture]] for each time that the course meets", "lecture");
        table.finish();
        if (reading.problems.empty() && course.lectures.empty()) table.problem("lecture", "a course has a lecture");
    } catch (const TextProblem& bad) {
        reading.problems.push_back(bad);
    }
    std::ranges::stable_sort(reading.problems, {}, [](const Problem& problem) { return problem.at.line; });
    return reading;
}

bool is_course(std::string_view text) {
    try {
        return parse_toml(text).json.contains("lecture");
    } catch (const TextProblem&) {
        return false;
    }
}

std::span<const ShippedCourse> shipped_courses() {
    static const std::vector<ShippedCourse> all = read_shipped_courses();
    return all;
}

std::string length_of(const Course& course) {
    const std::size_t lectures = course.lectures.size();
    std::vector<int> minutes(lectures);
    for (std::size_t i = 0; i < lectures; ++i) minutes[i] = course.minutes(i);
    const bool alike = std::ranges::equal_range(minutes, minutes.front()).size() == lectures;
    const int sum = std::accumulate(minutes.begin(), minutes.end(), 0);
    const std::string time =
        lectures > 1 && alike ? fmt::format("{} × {} min", lectures, minutes.front()) : fmt::format("{} min", sum);
    return fmt::format("{}, {}", time, study::counted(course.parts.size(), "lesson"));
}

Result<std::string> any_text_of(const std::string& source) {
    const auto known = std::ranges::find(shipped_courses(), source, &ShippedCourse::name);
    if (known != shipped_courses().end()) return known->text;
    auto text = text_of(source);
    if (text) return text;
    std::vector<std::string_view> names;
    for (const ShippedCourse& one : shipped_courses()) names.push_back(one.name);
    return usage_error(fmt::format("{} The courses are {}.", text.error().message, fmt::join(names, ", ")));
}

std::string folder_of(const std::string& source) {
    const bool ours = std::ranges::find(shipped_courses(), source, &ShippedCourse::name) != shipped_courses().end();
    return ours ? "" : std::filesystem::path(source).parent_path().string();
}

Result<std::shared_ptr<const Course>> open_course(const std::string& source) {
    const auto text = any_text_of(source);
    if (!text) return tl::unexpected(text.error());
    CourseReading reading = read_course(*text, folder_of(source));
    if (reading.problems.empty()) return std::make_shared<const Course>(std::move(reading.course));
    return usage_error(fmt::format("The course {} cannot be given: {} 'warptree lesson check' says all.", source,
                                   line_of(reading.problems.front())));
}

}  // namespace warptree::lesson
