// What the tests of the trace's file share: a trace with every kind of event, a folder of its own, and archives taken
// apart, changed and put together again.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/npy.hpp"
#include "instrumentation/trace/testing.hpp"
#include "instrumentation/trace/zip_archive.hpp"

namespace warptree::trace::testing {

/// Two blocks of four threads add up 16 elements: shared memory, a barrier, a shuffle and atomics, all once.
inline Trace every_kind_trace(Type type = Type::kFloat32) {
    Launch launch;
    launch.kernel = "by-hand";
    launch.n = 16;
    launch.grid = 2;
    launch.block = 4;
    launch.warp_size = 4;
    launch.type = type;
    launch.device = "Grafikkarte \xc3\xbc";
    launch.build = "0.1.0";
    TraceBuilder builder(launch);
    const auto input = builder.array("input", Space::kGlobal, Role::kInput, 16, textbook_input(16));
    const auto tile = builder.array("input_s", Space::kShared, Role::kScratch, 4);
    const auto output = builder.array("output", Space::kGlobal, Role::kOutput, 1);
    const auto load = builder.step(Phase::kLoad, 0, 8), tree = builder.step(Phase::kTree, 2, 11);
    const auto last = builder.step(Phase::kTree, 1, 13), store = builder.step(Phase::kOutput, 0, 15);
    for (std::uint32_t block = 0; block < 2; ++block) {
        for (std::uint16_t t = 0; t < 4; ++t) {
            const At at{block, load, t, 8};
            const Register left = builder.read(at, input, 8 * block + t);
            builder.write(at, tile, t, builder.combine(at, left, builder.read(at, input, 8 * block + t + 4)));
        }
        builder.barrier({block, load, 0, 9});
        Register sums[2];
        for (std::uint16_t t = 0; t < 2; ++t) {
            const At at{block, tree, t, 11};
            const Register left = builder.read(at, tile, t);
            sums[t] = builder.combine(at, left, builder.read(at, tile, t + 2u));
        }
        builder.warp_sync({block, tree, 0, 12});
        const Register taken = builder.shuffle({block, last, 0, 13}, 1, sums[1]);
        const Register sum = builder.combine({block, last, 0, 13}, sums[0], taken);
        builder.reduction({block, store, 0, 15}, output, 0, sum);
    }
    return builder.build();
}

/// The listing of the next: its lines are where the rows say.
inline const std::string kByHand =
    "__global__ void partial_sums();\n\n\n\n\n\n\n"
    "    input_s[t] = input[i] + input[i + 2];\n"
    "    __syncthreads();\n\n"
    "    partial[blockIdx.x] = input_s[0] + input_s[1];\n\n\n\n\n\n\n\n\n"
    "    *output = input_s[0] = partial[0] + partial[1];\n";

/// Two blocks leave a partial sum each, a third adds them up, the host doubles the sum. Every launch numbers its arrays
/// its own way, and both kernels have an array of shared memory by the same name.
inline Run three_launches() {
    Launch launch{.kernel = "by-hand", .function = "partial_sums", .n = 8, .grid = 2, .block = 2, .warp_size = 4};
    TraceBuilder first(launch);
    const auto tile = first.array("input_s", Space::kShared, Role::kScratch, 2);
    const auto input = first.array("input", Space::kGlobal, Role::kInput, 8, textbook_input(8));
    const auto partial = first.array("partial", Space::kGlobal, Role::kPartial, 2);
    const auto load = first.step(Phase::kLoad, 0, 8), tree = first.step(Phase::kTree, 1, 11);
    double sums[2];
    for (std::uint32_t block = 0; block < 2; ++block) {
        for (std::uint16_t t = 0; t < 2; ++t) {
            const At at{block, load, t, 8};
            const Register left = first.read(at, input, 4 * block + t);
            first.write(at, tile, t, first.combine(at, left, first.read(at, input, 4 * block + t + 2)));
        }
        first.barrier({block, load, 0, 9});
        const At at{block, tree, 0, 11};
        const Register left = first.read(at, tile, 0), sum = first.combine(at, left, first.read(at, tile, 1));
        first.write(at, partial, block, sum);
        sums[block] = sum.value;
    }
    launch.function = "sum_of_partials";
    launch.grid = 1;
    TraceBuilder second(launch);
    const auto output = second.array("output", Space::kGlobal, Role::kOutput, 1);
    const auto read_back = second.array("partial", Space::kGlobal, Role::kPartial, 2, sums);
    const auto other_tile = second.array("input_s", Space::kShared, Role::kScratch, 2);
    const At at{0, second.step(Phase::kTree, 1, 20), 0, 20};
    const Register left = second.read(at, read_back, 0);
    const Register sum = second.combine(at, left, second.read(at, read_back, 1));
    second.write(at, other_tile, 0, sum);
    second.write(at, output, 0, second.read(at, other_tile, 0));
    launch.function = "double_on_host";
    launch.processor = Processor::kHost;
    launch.block = 1;
    TraceBuilder third(launch);
    const auto result = third.array("output", Space::kGlobal, Role::kOutput, 1, {{sum.value}});
    const At then{0, third.step(Phase::kOutput, 0, 30), 0, 30};
    const Register found = third.read(then, result, 0);
    third.write(then, result, 0, third.combine(then, found, found));
    Run run{{first.build(), second.build(), third.build()},
            {{"kernels/by_hand.cuh", kByHand},
             {"kernels/host.cpp", "\u03a3\t// host\n" + std::string(28, '\n') + "*output += *output;\n"}}};
    carry(run);
    return run;
}

/// A new empty folder, removed with all that is in it.
class Folder {
public:
    Folder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "warptree-test-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }
    std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (const auto& entry : std::filesystem::directory_iterator(path_))
            result.push_back(entry.path().filename().string());
        return result;
    }

private:
    std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline Result<Run> load_bytes(const std::string& bytes) {
    return load(std::as_bytes(std::span(bytes)), "a.wtrace");
}

inline std::string saved_bytes(const Run& run) {
    const Folder folder;
    const auto saved = save(run, folder / "a.wtrace");
    EXPECT_TRUE(saved) << saved.error().message;
    return bytes_of(folder / "a.wtrace");
}

inline std::string saved_bytes(const Trace& trace) {
    return saved_bytes(run_of(trace));
}

/// What save() says to every_kind_trace(); "saved" if it does not refuse.
inline std::string save_message(const std::filesystem::path& path) {
    const auto saved = save(every_kind_trace(), path);
    return saved ? "saved" : saved.error().message;
}

/// The bytes of every_kind_trace() in a file.
inline const std::string& good_file() {
    static const std::string bytes = saved_bytes(every_kind_trace());
    return bytes;
}

/// What load() says; "loaded" if it does not refuse.
inline std::string refusal_of(const std::string& archive) {
    const auto loaded = load_bytes(archive);
    return loaded ? "loaded" : loaded.error().message;
}

/// The dtype of columns and of plain values.
template <class T>
std::string_view dtype() {
    if constexpr (std::is_floating_point_v<T>)
        return npy_dtype(value::type_of<T>());
    else
        return npy_dtype<T>();
}

/// The members of an archive, in order, to be changed at will.
class Members {
public:
    explicit Members(const std::string& archive) {
        const ZipReader reader(std::as_bytes(std::span(archive)));
        for (const ZipMember& member : reader.members()) {
            std::string text(member.size, '\0');
            auto from = reader.reader(member);
            from.read(text.data(), text.size());
            from.finish();
            all_.emplace_back(member.name, std::move(text));
        }
    }

    std::string& operator[](const std::string& name) {
        for (auto& [its_name, text] : all_)
            if (its_name == name) return text;
        return all_.emplace_back(name, "").second;
    }
    void remove(const std::string& name) {
        std::erase_if(all_, [&](const auto& member) { return member.first == name; });
    }
    /// Replaces the first occurrence of a text, which has to be there.
    void replace(const std::string& name, const std::string& text, const std::string& by) {
        std::string& member = (*this)[name];
        const std::size_t at = member.find(text);
        ASSERT_NE(at, std::string::npos) << text << " is not in " << name;
        member.replace(at, text.size(), by);
    }
    /// Overwrites one entry of a column.
    template <class T>
    void set(const std::string& name, std::size_t row, T entry) {
        std::string& member = (*this)[name];
        const NpyHeader header = read_npy_header(member);
        ASSERT_EQ(header.dtype, dtype<T>());
        ASSERT_LT(row, header.size());
        std::memcpy(member.data() + header.data_at + row * sizeof(T), &entry, sizeof(T));
    }

    /// (name, contents) in the order of the archive
    const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }

    std::string archive() const {
        const Folder folder;
        const auto path = folder / "made.zip";
        std::FILE* const file = std::fopen(path.c_str(), "w+b");
        ZipWriter writer(fileno(file));
        for (const auto& [name, text] : all_) writer.add(name, text);
        EXPECT_EQ(writer.finish(), 0);
        std::fclose(file);
        return bytes_of(path);
    }

private:
    std::vector<std::pair<std::string, std::string>> all_;
};

/// A file changed so that it is refused.
struct Refusal {
    const char* name;
    std::function<void(Members&)> change;
    const char* message;  // a part of it
};
inline std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
    return out << refusal.name;
}
inline std::string refusal_name(const ::testing::TestParamInfo<Refusal>& info) {
    return info.param.name;
}
inline std::function<void(Members&)> manifest(const std::string& text, const std::string& by) {
    return [=](Members& members) { members.replace("manifest.json", text, by); };
}
template <class T>
std::function<void(Members&)> entry(const std::string& member, std::size_t row, T value) {
    return [=](Members& members) { members.set<T>(member, row, value); };
}

}  // namespace warptree::trace::testing
