// What nvcc compiles, known without it: its files and all that they include.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warptree::kernels {
namespace {

/// The files of this project that `first` includes, itself among them, and what they include in angle brackets, each
/// with the file that does so. Made files, which no checkout has, are left out.
struct Closure {
    std::set<std::string> files;
    std::vector<std::pair<std::string, std::string>> system;  // of what, by which file
};

void follow(const std::string& path, Closure& closure) {
    if (!std::filesystem::exists(path) || !closure.files.insert(path).second) return;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        constexpr std::string_view kInclude = "#include ";
        if (!line.starts_with(kInclude) || line.size() < kInclude.size() + 2) continue;
        const char open = line[kInclude.size()];
        const std::size_t begin = kInclude.size() + 1;
        const std::string name = line.substr(begin, line.find(open == '<' ? '>' : open, begin) - begin);
        if (open == '"')
            follow(name, closure);
        else
            closure.system.emplace_back(name, path);
    }
}

/// nvcc 12 does not take these libraries' headers in C++20; a build without nvcc, CI's, would not notice one more.
TEST(CudaIncludes, are_free_of_libraries_that_nvcc_does_not_take) {
    Closure closure;
    for (const char* path : {"kernels/backend_cuda.cu", "instrumentation/run/references_cuda.cu"}) {
        ASSERT_TRUE(std::filesystem::exists(path)) << path;
        follow(path, closure);
    }
    EXPECT_GT(closure.files.size(), 60u) << "the files were not followed";
    EXPECT_TRUE(closure.files.contains("kernels/reduce/cluster.cuh")) << "the kernels are not among them";
    for (const auto& [name, path] : closure.system)
        EXPECT_FALSE(name.starts_with("fmt/") || name.starts_with("nlohmann/")) << path << " includes " << name;
}

}  // namespace
}  // namespace warptree::kernels
