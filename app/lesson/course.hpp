// A course: lessons in order, in one or more lectures, each lesson with its minutes. Plain data, read from TOML.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/lesson/lesson.hpp"

namespace warptree::lesson {

struct Course {
    /// A lesson of it.
    struct Part {
        std::string source{};             // the lesson's name or file
        int minutes = 0;                  // at least 1
        std::vector<std::size_t> skip{};  // scenes that can go when time is short, from 0, ascending
        std::size_t lecture = 0;
        TextPlace at{};
        std::shared_ptr<const Lesson> lesson{};
    };
    std::string title, teaches;         // teaches: one sentence
    std::vector<std::string> lectures;  // (lectures,) their titles
    std::vector<Part> parts;            // at least one a lecture, in order

    /// Of a whole lecture.
    int minutes(std::size_t lecture) const;
    /// That have passed of a part's lecture as one of its scenes begins, if all goes as planned.
    double planned(std::size_t part, std::size_t scene) const;
    /// A scene's share of its lesson's minutes.
    double minutes_of_scene(std::size_t part) const;
    bool can_go(std::size_t part, std::size_t scene) const;
};

struct CourseReading {
    Course course;
    std::vector<Problem> problems;  // none: it can be given
};
/// Reads a course and its lessons.
/// folder  that paths of lessons are in
CourseReading read_course(std::string_view text, const std::string& folder);
/// Whether a text is a course rather than a lesson: whether it has lectures.
bool is_course(std::string_view text);

/// A course that is compiled in, of assets/courses.
struct ShippedCourse {
    std::string name;  // "ninety-minutes"
    std::string text;
    Course course;
};
/// In the order of their files' names, "1-ninety-minutes.toml".
std::span<const ShippedCourse> shipped_courses();
/// "90 min, 10 lessons", "3 × 45 min, 14 lessons"
std::string length_of(const Course&);
/// The text of a shipped lesson or course, by its name, or of a file.
/// errors  usage: neither there is; what cannot be read
Result<std::string> any_text_of(const std::string& source);
/// In which a course's paths are; "": it comes along.
std::string folder_of(const std::string& source);
/// errors  as any_text_of(); what is wrong with it, the first problem
Result<std::shared_ptr<const Course>> open_course(const std::string& source);

}  // namespace warptree::lesson
