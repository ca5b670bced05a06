// Files that people have at hand and give as results: each is named, and what takes it.
#include "app/results/recognised.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/results/measurements.hpp"

namespace warptree::study {
namespace {

using ::testing::HasSubstr;

TEST(Recognised, WhatIsNoResultsFileIsNamedForWhatItIs) {
    using namespace std::string_literals;
    constexpr const char* kDetails =
        "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
        "Size\",\"Grid "
        "Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";
    constexpr const char* kRaw =
        "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
        "Size\",\"Grid "
        "Size\",\"Device\",\"CC\",\"gpu__time_duration.sum\"\n\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\","
        "\"ns\"\n";
    const std::pair<std::string, const char*> all[] = {
        {kDetails, "it is of NVIDIA's profiler (ncu --csv, its page of details)"},
        {"==PROF== Connected to process 7 (/a/b)\n==PROF== Disconnected\n"s + kDetails, "its page of details"},
        {kRaw, "its raw page"},
        {"==PROF== Connected to process 7\n[7] a@127.0.0.1\n", "a report of NVIDIA's profiler (ncu)"},
        {R"({"context": {"date": "", "caches": []}, "benchmarks": [{"name": "BM_a/8", "real_time": 1.5}]})",
         "it is Google Benchmark's"},
        {"name,iterations,real_time,cpu_time,time_unit,bytes_per_second\n\"BM_a/8\",1,2,3,ns,\n", "Google Benchmark's"},
        {"Time (%),Total Time (ns),Instances,Avg (ns),Name\n1,2,3,4,a\n", "NVIDIA Nsight Systems"},
        {R"({"device": "A", "driver": "1", "date": "", "figures": []})", "it is of `warptree verify`"},
        {R"([{"name": "a", "removes": "b"}])", "`warptree list --json`"},
        {"\x93NUMPY\x01\x00v\x00{'descr'"s, "it is a NumPy array (.npy), which holds values: --input takes it"},
        {"PK\x03\x04 manifest.json {}"s, "it is a trace (.wtrace)"},
        {"PK\x03\x04 arr_0.npy"s, "it is a zip archive, as .npz"},
        {"title = \"T\"\nteaches = \"S\"\n[[scene]]\nkernel = \"gather\"\n",
         "it is a lesson (TOML): --lesson takes it"},
        {"# A lesson\n\n[[scene]]\n", "it is a lesson"},
        {"\x89PNG\r\n", "it is a picture"},
        {"3,1,7,0\n", "it is neither a JSON object nor CSV: line 1 should name columns"},
    };
    for (const auto& [text, part] : all) {
        const auto read = read_measurements(text, "a.csv");
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(read.error().message, HasSubstr("a.csv cannot be read as results: "));
        EXPECT_THAT(read.error().message, HasSubstr(part));
    }
    EXPECT_THAT(read_measurements(kDetails, "a").error().message, HasSubstr("`warptree verify KERNEL` starts that"));
}

TEST(Recognised, WhatIsNoTraceIsNamedForWhatItIs) {
    using namespace std::string_literals;
    EXPECT_EQ(recognised_source("3,1,7,0\n"), "it holds values: --input takes it, after a kernel's name");
    EXPECT_EQ(recognised_source("a\n1,5\n"), "it holds values: --input takes it, after a kernel's name");
    EXPECT_THAT(recognised_source("\x93NUMPY\x01\x00v\x00{"s), HasSubstr("--input takes it"));
    EXPECT_THAT(recognised_source("teaches = \"S\"\n[[scene]]\n"), HasSubstr("--lesson takes it"));
    EXPECT_THAT(recognised_source("{\"device\": \"A\", \"runs\": []}"), HasSubstr("--results takes it"));
    EXPECT_EQ(recognised_source("PK\x03\x04 manifest.json {}"s), "") << "one that is damaged says how";
    EXPECT_EQ(recognised_source("__global__ void sum(float* x) {}\n"),
              "it is a CUDA program: the window, report, record, render, run and diff take it");
    EXPECT_EQ(recognised_source("xPK\x03\x04\x00\x00 __global__ void sum(float* x) {}"s), "")
        << "a trace with a byte before it, which holds a listing";
    EXPECT_EQ(recognised_source("Dear reader"), "");
}

}  // namespace
}  // namespace warptree::study
