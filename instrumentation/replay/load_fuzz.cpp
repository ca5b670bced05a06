// libFuzzer's target for files of runs, and for all that is asked of a run that was read. Archives are changed member
// by member and put together again with true check sums.
#include <utility>

#include <zlib.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/counters/parallelism.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/refusal.hpp"
#include "instrumentation/replay/replay.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/fuzz_testing.hpp"
#include "instrumentation/trace/npy.hpp"

using namespace warptree;

namespace {

using Members = std::vector<std::pair<std::string, std::string>>;

// By hand: libzip takes as long for an archive as all that is fuzzed.

template <class T>
T number_at(std::string_view bytes, std::size_t at) {
    T number = 0;
    if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;

/// Stored members, as they lie one behind the other.
Members taken_apart(std::string_view file) {
    constexpr std::size_t kHeader = 30;
    Members members;
    for (std::size_t at = 0; number_at<std::uint32_t>(file, at) == kLocal;) {
        const auto name = number_at<std::uint16_t>(file, at + 26), extra = number_at<std::uint16_t>(file, at + 28);
        const std::size_t size = number_at<std::uint32_t>(file, at + 18), data = at + kHeader + name + extra;
        if (data > file.size() || size > file.size() - data) break;
        members.emplace_back(file.substr(at + kHeader, name), file.substr(data, size));
        at = data + size;
    }
    return members;
}

/// returns  its size; 0 where it does not fit
std::size_t put_together(const Members& members, std::uint8_t* to, std::size_t most) {
    std::string file, directory;
    const auto add = [](std::string& bytes, auto... numbers) {
        (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
    };
    using U16 = std::uint16_t;
    using U32 = std::uint32_t;
    for (const auto& [name, text] : members) {
        const auto offset = static_cast<U32>(file.size()), size = static_cast<U32>(text.size());
        const auto sum = static_cast<U32>(::crc32(0, reinterpret_cast<const Bytef*>(text.data()), size));
        const auto length = static_cast<U16>(name.size());
        const auto place = [&](std::string& bytes) {
            add(bytes, U16{10}, U16{0}, U16{0}, U16{0}, U16{33}, sum, size, size, length, U16{0});
        };
        add(file, kLocal);
        place(file);
        file += name + text;
        add(directory, kCentral, U16{10});
        place(directory);
        add(directory, U16{0}, U16{0}, U16{0}, U32{0}, offset);
        directory += name;
    }
    const auto count = static_cast<U16>(members.size());
    const auto size = static_cast<U32>(directory.size()), offset = static_cast<U32>(file.size());
    file += directory;
    add(file, kEnd, U16{0}, U16{0}, count, count, size, offset, U16{0});
    if (file.size() > most) return 0;
    std::memcpy(to, file.data(), file.size());
    return file.size();
}

void change(std::string& member, fuzzing::Random& random) {
    if (member.starts_with("{")) return fuzzing::change_text(member, random);
    trace::NpyHeader header;
    std::uint64_t size = 0;
    refusal_of([&] { header = trace::read_npy_header(member), size = header.size(); });
    if (size == 0 || random() % 16 == 0) return fuzzing::change_bytes(member);
    fuzzing::change_entries(member, header.data_at, (member.size() - header.data_at) / size, random);
}

void look_at_blocks(const trace::Trace& trace) {
    for (std::size_t i = 0; i < std::min<std::size_t>(trace.blocks_held(), 4); ++i) {
        const std::uint32_t block = trace.block_held(i);
        counters::count_block(trace, block);
        for (std::uint32_t step = 0; step < trace.steps.size(); ++step) {
            counters::lane_states(trace, block, step);
            counters::accesses(trace, block, step);
        }
        for (const replay::Hazard& hazard : replay::hazards(trace, block))
            fuzzing::expect_sentence(replay::describe(trace, hazard));
        const replay::Memory memory(trace, block);
        for (std::size_t array = 0; array < trace.arrays.size(); ++array)
            for (std::uint32_t at = 0; at < std::min<std::uint32_t>(trace.arrays[array].extent, 64); ++at)
                memory.text(static_cast<std::uint8_t>(array), at, trace.steps.size());
    }
}

void look_at(const trace::Run& run) {
    std::vector<counters::Summary> summaries;
    for (const trace::Trace& trace : run.launches) {
        summaries.push_back(counters::count(trace));
        look_at_blocks(trace);
    }
    counters::parallelism(summaries);
    const graph::Graph graph = graph::build(run);
    graph::depths(graph);
    graph::leaves(graph);
    graph::usefulness(graph);
    graph::roundings(graph, run.input()->size());
    for (const auto& result : graph.results) graph::expression(graph, result.launch, result.row, 256);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    fuzzing::Random random(seed);
    Members members = taken_apart({reinterpret_cast<const char*>(data), size});
    if (members.empty() || random() % 32 == 0) return LLVMFuzzerMutate(data, size, most);
    for (unsigned changes = 1 + random() % 2; changes > 0; --changes)  // the manifest comes first
        change(members[random() % 2 == 0 ? 0 : random() % members.size()].second, random);
    const std::size_t made = put_together(members, data, most);
    return made > 0 ? made : LLVMFuzzerMutate(data, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto run = trace::load(std::as_bytes(std::span(data, size)), "a.wtrace");
    if (!run) return fuzzing::expect_sentence(run.error().message), 0;
    look_at(*run);
    return 0;
}
