// libFuzzer's target for files of runs, and for all that is asked of a run that was read. Archives are changed member
// by member and put together again with true check sums.
#include <utility>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/counters/open.hpp"
#include "instrumentation/counters/parallelism.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/replay/replay.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/fuzz_testing.hpp"
#include "instrumentation/trace/npy.hpp"
#include "instrumentation/trace/zip_archive.hpp"

using namespace warptree;

namespace {

using Members = std::vector<std::pair<std::string, std::string>>;

Members taken_apart(std::span<const std::byte> file) {
    Members members;
    const auto archive = trace::ZipReader::open(file);
    if (!archive) return members;
    for (const trace::ZipMember& member : archive->members()) {
        auto& [name, text] = members.emplace_back(member.name, std::string(member.size, '\0'));
        if (!archive->reader(member).read(text.data(), text.size()).empty()) members.pop_back();
    }
    return members;
}

/// returns  its size; 0 where it does not fit
std::size_t put_together(const Members& members, std::uint8_t* to, std::size_t most) {
    const fuzzing::MemoryFile file;
    ::ssize_t size = 0;
    trace::ZipWriter writer(file.descriptor);
    for (const auto& [name, text] : members) writer.add(name, text);
    if (writer.finish() == 0 && static_cast<std::size_t>(::lseek(file.descriptor, 0, SEEK_END)) <= most)
        size = ::pread(file.descriptor, to, most, 0);
    return static_cast<std::size_t>(std::max<::ssize_t>(size, 0));
}

void change(std::string& member, fuzzing::Random& random) {
    if (member.starts_with("{")) return fuzzing::change_text(member, random);
    const auto header = trace::read_npy_header(member);
    if (!header || header->size == 0 || random() % 16 == 0) return fuzzing::change_bytes(member);
    fuzzing::change_entries(member, header->data_at, (member.size() - header->data_at) / header->size, random);
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
    Members members = taken_apart(std::as_bytes(std::span(data, size)));
    if (members.empty() || random() % 32 == 0) return LLVMFuzzerMutate(data, size, most);
    for (unsigned changes = 1 + random() % 2; changes > 0; --changes)  // the manifest comes first
        change(members[random() % 2 == 0 ? 0 : random() % members.size()].second, random);
    const std::size_t made = put_together(members, data, most);
    return made > 0 ? made : LLVMFuzzerMutate(data, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto run = trace::load(std::as_bytes(std::span(data, size)), "a.wtrace");
    if (!run) return fuzzing::expect_sentence(run.error().message), 0;
    if (const std::string problem = counters::problem(*run); !problem.empty())
        return fuzzing::expect_sentence(problem), 0;
    look_at(*run);
    return 0;
}
