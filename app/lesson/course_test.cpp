// Courses: what their files say, what is wrong with them, and the plan of minutes.
#include "app/lesson/course.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warptree::lesson {
namespace {

using ::testing::HasSubstr;

std::string head() {
    return "title = \"C\"\nteaches = \"One thing.\"\n[[lecture]]\ntitle = \"L\"\n";
}
std::string part(const std::string& name, const std::string& rest) {
    return "[[lecture.lesson]]\nname = \"" + name + "\"\n" + rest + "\n";
}
std::string first_problem(const std::string& text) {
    const CourseReading reading = read_course(text, "");
    return reading.problems.empty() ? "" : line_of(reading.problems.front());
}

TEST(Course, PlansEachLectureByItself) {
    const CourseReading reading =
        read_course(head() + part("tree", "minutes = 6\nskip = [12, 3]") + part("divergence", "minutes = 13") +
                        "[[lecture]]\ntitle = \"M\"\n" + part("scans", "minutes = 7"),
                    "");
    ASSERT_TRUE(reading.problems.empty()) << line_of(reading.problems.front());
    const Course& course = reading.course;
    EXPECT_EQ(course.lectures, (std::vector<std::string>{"L", "M"}));
    EXPECT_EQ(course.minutes(0), 19);
    EXPECT_EQ(course.minutes(1), 7);
    EXPECT_DOUBLE_EQ(course.planned(0, 4), 2) << "a third of twelve scenes in a third of six minutes";
    EXPECT_DOUBLE_EQ(course.planned(1, 0), 6);
    EXPECT_DOUBLE_EQ(course.planned(1, 2), 8);
    EXPECT_DOUBLE_EQ(course.planned(2, 0), 0) << "the second lecture has a clock of its own";
    EXPECT_TRUE(course.can_go(0, 2) && course.can_go(0, 11));
    EXPECT_FALSE(course.can_go(0, 3) || course.can_go(1, 2));
    EXPECT_EQ(length_of(course), "26 min, 3 lessons");
}

TEST(Course, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(first_problem(head() + part("tree", "minutes = 6")), "");
    EXPECT_THAT(first_problem(head() + part("trees", "minutes = 6")),
                HasSubstr("line 6, column 8: There is no lesson 'trees'"));
    EXPECT_THAT(first_problem(head() + part("tree", "minutes = 0")), HasSubstr("line 7, column 11"));
    EXPECT_THAT(first_problem(head() + part("tree", "minutes = 0")), HasSubstr("whole minutes, at least 1"));
    EXPECT_THAT(first_problem(head() + part("tree", "minutes = 6\nskip = [13]")),
                HasSubstr("scene 13, but tree has 12 scenes"));
    EXPECT_THAT(first_problem(head() + part("tree", "minutes = 6\nskip = [1,2,3,4,5,6,7,8,9,10,11,12]")),
                HasSubstr("leave the whole lesson out"));
    EXPECT_THAT(first_problem(head() + part("tree", "minute = 6")), HasSubstr("minutes"));
    EXPECT_THAT(first_problem(head()), HasSubstr("lesson"));
    EXPECT_THAT(first_problem("title = \"C\"\nteaches = \"T.\"\nlecture = []\n"), HasSubstr("a course has a lecture"));
    EXPECT_THAT(open_course("ninety").error().message, HasSubstr("The courses are ninety-minutes, three-lectures."));
}

TEST(Course, LessonsOfItsOwnStandBesideIt) {
    const auto folder = std::filesystem::temp_directory_path() / "warptree-course";
    std::filesystem::create_directories(folder);
    const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
    write("mine.toml", "title = \"M\"\nteaches = \"One thing.\"\n[[scene]]\nkernel = \"pmpp-simple\"\nn = 16\n");
    write("course.toml", head() + part("mine.toml", "minutes = 1") + part("tree", "minutes = 2"));
    const auto course = open_course((folder / "course.toml").string());
    ASSERT_TRUE(course) << course.error().message;
    EXPECT_EQ((*course)->parts[0].lesson->title, "M");
    EXPECT_EQ((*course)->parts[1].source, "tree");
    std::filesystem::remove_all(folder);
}

TEST(Course, ThoseThatComeAlongHaveNothingWrongAndTheirMinutes) {
    ASSERT_EQ(shipped_courses().size(), 2u);
    for (const ShippedCourse& one : shipped_courses()) {
        EXPECT_TRUE(is_course(one.text));
        EXPECT_TRUE(open_course(one.name)) << one.name;
    }
    EXPECT_EQ(shipped_courses()[0].course.minutes(0), 90);
    const Course& three = shipped_courses()[1].course;
    ASSERT_EQ(three.lectures.size(), 3u);
    for (const std::size_t lecture : {0u, 1u, 2u}) EXPECT_EQ(three.minutes(lecture), 45);
    for (const Shipped& lesson : shipped()) EXPECT_FALSE(is_course(lesson.text)) << lesson.name;
}

}  // namespace
}  // namespace warptree::lesson
