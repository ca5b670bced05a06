// Exercises in which a student writes the kernel: the command `grade`.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warptree::cli {

struct GradeOptions {
    std::string exercise, jobs;
    std::vector<std::string> files;
    bool list = false, json = false, csv = false;
};
void add_grade_options(CLI::App& command, GradeOptions& options);

struct GradeReport {
    std::string text;
    bool good = true;  // all pass
};
/// errors  usage: no such exercise, or what is wrong in it; a number of jobs that is none. cancelled: by Ctrl-C
GradeReport grade_report(const GradeOptions& options);

}  // namespace warptree::cli
