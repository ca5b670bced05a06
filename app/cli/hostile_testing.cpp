// Runs one command after another in one process, for hostile_test.py: a start costs more than what is tested.
// in   a line a command: its words, each after a tab
// out  for each: exit code, seconds of processor time, how long what it said is; on the next line what it said
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include "app/cli/commands.hpp"
#include "kernels/catalog.hpp"

namespace {

double seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto of = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return of(used.ru_utime) + of(used.ru_stime);
}

}  // namespace

int main() {
    std::FILE* const reply = fdopen(dup(STDOUT_FILENO), "w");
    std::FILE* const said = std::tmpfile();
    dup2(fileno(said), STDOUT_FILENO);
    dup2(fileno(said), STDERR_FILENO);
    for (std::string line; std::getline(std::cin, line);) {
        std::vector<std::string> words = {"warptree"};
        std::istringstream rest(line);
        for (std::string word; std::getline(rest, word, '\t');) words.push_back(word);
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        const double before = seconds();
        const int code = warptree::cli::run(static_cast<int>(argv.size()), argv.data());
        const double took = seconds() - before;
        std::fflush(nullptr);
        const long size = lseek(fileno(said), 0, SEEK_CUR);
        std::string text(static_cast<std::size_t>(size), '\0');
        lseek(fileno(said), 0, SEEK_SET);
        if (read(fileno(said), text.data(), text.size()) != size || ftruncate(fileno(said), 0) != 0) return 1;
        lseek(fileno(said), 0, SEEK_SET);
        std::fprintf(reply, "%d %f %ld\n%s", code, took, size, text.c_str());
        std::fflush(reply);
    }
}
