// A user's CUDA program, compiled by the system's g++ for the executor.
#include <algorithm>
#include <fstream>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/foreign/child.hpp"
#include "instrumentation/foreign/program.hpp"
#include "instrumentation/foreign/rewrite/rewrite.hpp"
#include "instrumentation/foreign/running.hpp"
#include "instrumentation/text_file.hpp"

namespace warptree::foreign {
namespace fs = std::filesystem;
namespace {

/// Whether a macro of the command line is one of the system's headers.
bool is_systems(const std::string& define) {
    return define.starts_with('_');
}
/// The others come after our headers, in which they may be other words.
void write_defines(const Sources& program, const fs::path& folder) {
    std::ofstream macros(folder / "wt_defines.h");
    for (const std::string& one : program.defines)
        if (const std::size_t equals = one.find('='); !is_systems(one))
            macros << "#define " << one.substr(0, equals) << ' ' << (equals == one.npos ? "1" : one.substr(equals + 1))
                   << '\n';
}

/// All of the user's files as they are to be compiled; also written into the folder.
Result<std::vector<Rewritten>> write_sources(const Sources& program, const fs::path& folder, Recording what) {
    std::vector<fs::path> sources, folders;
    for (const fs::path& source : program.files) sources.push_back(fs::absolute(source).lexically_normal());
    for (const std::string& one : program.folders) folders.push_back(fs::absolute(one));
    auto files = rewrite(sources, folders, program.defines, what);
    if (!files) return files;
    for (const Rewritten& file : *files) std::ofstream(folder / file.name, std::ios::binary) << file.text;
    return files;
}

/// The compiler's command.
std::vector<std::string> compiler(const Sources& program, const std::vector<Rewritten>& files, const fs::path& home,
                                  const fs::path& folder, Recording what) {
    std::vector<std::string> words = {"g++",
                                      "-std=c++20",
                                      "-w",
                                      "-fpermissive",
                                      "-fwrapv",  // as a GPU's integers do
                                      "-fmax-errors=5",
                                      "-fdiagnostics-color=never",
                                      "-fno-diagnostics-show-caret",
                                      "-include",
                                      "warptree/host.hpp"};
    const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
    if (what == Recording::kLess) add({"-DWT_LESS"});
    if (what == Recording::kNothing)
        add({"-fsyntax-only", "-DWT_PLAIN"});
    else
        add({"-O1", "-g1", "-fPIC", "-shared", "-fno-gnu-unique", "-fstack-clash-protection", "-fsanitize=unreachable",
             "-fsanitize-undefined-trap-on-error", "-Wl,-Bsymbolic", "-Wl,-z,muldefs", "-o", folder / "program.so"});
    add({"-isystem", home / "cuda", "-I", folder});
    for (const Rewritten& file : files)
        if (file.source) add({"-iquote", file.path.parent_path()});
    for (const std::string& one : program.folders) add({"-I", one});
    for (const std::string& one : program.defines)
        if (is_systems(one)) add({"-D" + one});
    add({"-include", folder / "wt_defines.h"});
    add({"-x", "c++"});
    for (const Rewritten& file : files)
        if (file.source) add({folder / file.name});
    add({"-Wl,--as-needed", "-lgomp"});  // omp_get_wtime()
    return words;
}

/// Where each kernel is: the runner's lines are of that file.
void write_kernels(const std::vector<Rewritten>& files, const fs::path& folder) {
    std::ofstream out(folder / "kernels");
    for (const Rewritten& file : files)
        for (const std::string& kernel : file.kernels) out << kernel << ' ' << file.path.string() << '\n';
}

/// What the compiler says, without where our own headers come into it.
std::string message_of(const std::string& output, const fs::path& folder) {
    std::string out;
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        std::string line = output.substr(at, end - at);
        if (const std::size_t ours = line.find("; did you mean ‘wt::"); ours != line.npos) line.resize(ours);
        at = end + 1;
        static constexpr std::string_view kOurs[] = {
            "/warptree/", "compilation terminated", "In file included", "In instantiation",
            "required ",  "                 from ", "/usr/include/",    "skipping "};
        const bool ours = line.empty() || std::ranges::any_of(kOurs, [&](std::string_view word) {
                              return line.find(word) != line.npos;
                          });
        // An error that comes up in our own headers is told without its place
        const std::size_t error = line.find(": error: ");
        if (ours && error != line.npos)
            out += line.substr(error + 2) + "\n";
        else if (!ours && line.find(folder.string()) == line.npos)
            out += line + "\n";
    }
    return out.empty() ? output : out;
}

std::string line_of(const fs::path& file, int number) {
    std::istringstream all(text_of_file(file).value_or(""));
    std::string line;
    while (number-- > 0 && std::getline(all, line)) {
    }
    return line;
}

/// The first error, if it is a word that looks like CUDA's: what comes after it follows from it. Else ""
std::string unknown_word(const std::string& message) {
    static const std::regex kUnknown(
        "^(.*:\\d+):\\d+: error: ‘((?:make_)?cu[A-Zd_]\\w*|(cu(?:blas|rand|solver|sparse|fft)|nvtx)\\w*|__[a-z0-9]"
        "\\w*)’ (?:was not declared in this scope|does not name a type|has not been declared)"
        "(?:; did you mean ‘(\\w+)’\\?)?");
    static const std::regex kNoMember(
        "^(.*:\\d+):\\d+: error: ‘(\\w+)’ is not a member of "
        "‘((?:nvcuda|cuda|cub|thrust|cooperative_groups)(?:::\\w+)*)’");
    const std::size_t error = message.find(": error: ");
    const std::size_t begin = error == message.npos ? 0 : message.rfind('\n', error) + 1;
    std::smatch found;
    const std::string line = message.substr(begin, message.find('\n', begin) - begin);
    if (std::regex_search(line, found, kNoMember))
        return fmt::format("{}: {}::{} is no word of CUDA that is understood here.", found[1].str(), found[3].str(),
                           found[2].str());
    static const std::regex kTexture("^(.*):(\\d+):\\d+: error: ‘(?:texture|cudaTextureType|cudaReadMode)");
    if (std::regex_search(line, found, kTexture) &&
        line_of(found[1].str(), std::stoi(found[2].str())).find("texture<") != line.npos)
        return fmt::format("{}:{}: texture<> is not known here; CUDA 12 has removed it.", found[1].str(),
                           found[2].str());
    if (!std::regex_search(line, found, kUnknown)) return {};
    return fmt::format("{}: {} is no word of CUDA that is understood here{}", found[1].str(), found[2].str(),
                       found[4].matched && !found[3].matched ? fmt::format("; is {} meant?", found[4].str()) : ".");
}

/// A main() has to be there, and one alone.
Result<void> look_for_main(const std::vector<Rewritten>& files) {
    std::vector<std::string> mains;
    for (const Rewritten& file : files)
        if (file.source && file.has_main) mains.push_back(file.path.filename().string());
    if (mains.size() > 1)
        return usage_error(fmt::format("{} have a main() each: name one of them, with the files that it needs.",
                                       fmt::join(mains, ", ")));
    if (mains.empty() && std::ranges::none_of(files, &Rewritten::has_main))
        return usage_error(fmt::format("{} has no main(): name the file that has it, too, or their folder.",
                                       files.front().path.filename().string()));
    return {};
}

/// returns  the user's files
Result<std::vector<Rewritten>> build(const Sources& program, const fs::path& home, const fs::path& folder) {
    write_defines(program, folder);
    auto files = write_sources(program, folder, Recording::kAll);
    if (!files) return files;
    if (auto found = look_for_main(*files); !found) return tl::unexpected<Error>(found.error());
    Ended built = run_child({compiler(program, *files, home, folder, Recording::kAll)});
    if (!built.started)
        return usage_error(
            "A CUDA file is compiled by g++, which is not there; install it, for example with 'apt install g++'.");
    write_kernels(*files, folder);
    if (built.exit != 0 && std::ranges::any_of(*files, &Rewritten::may_record_less)) {
        // Structs and strings may be used in ways that recording ones are not made for
        files = write_sources(program, folder, Recording::kLess);
        const Ended without = run_child({compiler(program, *files, home, folder, Recording::kLess)});
        if (without.exit == 0) built = without;
    }
    if (built.exit == 0) return files;
    // Once more with the user's own types: then its messages name them
    if (auto written = write_sources(program, folder, Recording::kNothing); !written) return written;
    const Ended plain = run_child({compiler(program, *files, home, folder, Recording::kNothing)});
    const std::string name = program.files.front().filename().string();
    const std::string unknown = plain.exit != 0 ? unknown_word(message_of(plain.output, folder)) : "";
    if (!unknown.empty()) return usage_error(unknown);
    if (plain.exit != 0)
        return usage_error(fmt::format("{} does not compile:\n{}", name, message_of(plain.output, folder)));
    return usage_error(fmt::format("{} uses something of CUDA that is not understood here:\n{}", name,
                                   message_of(built.output, folder)));
}

/// The sources in a folder, by name.
std::vector<fs::path> files_of(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.is_regular_file(error) && is_program_file(entry.path())) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

}  // namespace

bool is_program_file(const fs::path& source) {
    static constexpr std::string_view kEndings[] = {".cu", ".cpp", ".cc", ".cxx", ".c"};
    return std::ranges::find(kEndings, source.extension().string()) != std::end(kEndings);
}

bool is_program(const std::string& source) {
    std::error_code none;
    if (!fs::is_directory(source, none)) return is_program_file(source);
    const auto files = files_of(source);
    return std::ranges::any_of(files, [](const fs::path& file) { return file.extension() == ".cu"; });
}

fs::path find_home(const fs::path& program) {
    std::error_code error;
    const fs::path beside = fs::canonical(program, error).parent_path();
    for (const fs::path& place : {beside / "foreign", beside / WARPTREE_FOREIGN_INSTALLED})
        if (fs::exists(place / "runner", error)) return place;
    return {};
}

Result<Compiled> compile(const Sources& program, const fs::path& home) {
    if (home.empty()) return failure(WARPTREE_FOREIGN_MISSING);
    Sources all = program;
    all.files.clear();
    for (const fs::path& source : program.files) {
        std::error_code ignored;
        const bool folder = fs::is_directory(source, ignored);
        if (!folder && !fs::is_regular_file(source, ignored))
            return usage_error(fmt::format("{} is not there, or is no file.", source.string()));
        const auto files = folder ? files_of(source) : std::vector{source};
        if (files.empty()) return usage_error(fmt::format("{} is a folder without a CUDA file.", source.string()));
        all.files.insert(all.files.end(), files.begin(), files.end());
    }
    const auto folder = std::make_shared<const Folder>();
    if (folder->path().empty())
        return failure(fmt::format("There is no room for a program in {}.", fs::temp_directory_path().string()));
    const auto built = build(all, home, folder->path());
    if (!built) return tl::unexpected<Error>(built.error());
    Compiled out{home, built->front().path, {}, folder, all};
    for (const Rewritten& file : *built) out.files.push_back(file.path);
    const auto shown = std::ranges::find_if(*built, [](const Rewritten& file) { return !file.kernels.empty(); });
    if (shown != built->end()) out.file = shown->path;
    return out;
}

}  // namespace warptree::foreign
