// The page is the web edition's, made with it; what it opens is put into its last element. Neighbour:
// shell/web/page.js.
#include "app/cli/page.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/errors.hpp"
#include "app/cli/pictured.hpp"
#include "app/cli/words.hpp"
#include "app/lesson/course.hpp"
#include "app/state/link.hpp"
#include "instrumentation/foreign/program.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/text.hpp"
#include "instrumentation/trace/durable_file.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOpenedEnd = "</script><!-- opened -->";  // what is opened goes before it
constexpr std::string_view kOpened = "/Opened";                      // the page's folder of files

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) refuse("{} cannot be read.", path.string());
    return text;
}

/// The web edition's page, beside this program: where both were built, or installed.
std::string read_page() {
    std::error_code error;
    const fs::path beside = fs::canonical("/proc/self/exe", error).parent_path();
    for (const fs::path& place : {beside / ".." / "web", beside / ".." / "share" / "warptree"})
        if (fs::exists(place / "warptree.html", error)) return read_file(place / "warptree.html");
    throw Error{Error::Kind::kFailed,
                "A page holds the web edition, and that is not there; ./launch web builds it, in the sources' folder."};
}

/// A run as its file has it.
std::string bytes_of(const trace::Run& run) {
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::tmpfile(), &std::fclose);
    if (!file) refuse("There is no room for the run in the folder of temporary files.");
    taken(trace::save(run, fileno(file.get())));
    std::string bytes(static_cast<std::size_t>(lseek(fileno(file.get()), 0, SEEK_END)), 0);
    const auto read = pread(fileno(file.get()), bytes.data(), bytes.size(), 0);
    if (read != static_cast<ssize_t>(bytes.size())) refuse("The run could not be read back.");
    return bytes;
}

/// Adds a file of the user's own. returns  its path in the page
std::string add_file(Opened& opened, const fs::path& file, const fs::path& folder) {
    const fs::path within =
        fs::absolute(file).lexically_normal().lexically_relative(fs::absolute(folder).lexically_normal());
    if (within.empty() || *within.begin() == "..")
        refuse("{} lies outside of the course's folder, {}; put it there.", file.string(), folder.string());
    const std::string path = fmt::format("{}/{}", kOpened, within.generic_string());
    opened.files.emplace_back(path, read_file(file));
    return path;
}

/// A lesson, or a course with its lessons: those that come along are named.
Opened lesson_of(const std::string& source) {
    Opened opened{{"--lesson", source}, {}};
    const std::string text = taken(lesson::any_text_of(source));
    if (ending_of(source) == ".toml") {
        const fs::path folder = fs::absolute(source).parent_path();
        opened.arguments[1] = add_file(opened, source, folder);
        if (!lesson::is_course(text)) return opened;
        for (const lesson::Course::Part& part : taken(lesson::open_course(source))->parts)
            if (ending_of(part.source) == ".toml") add_file(opened, part.source, folder);
    }
    return opened;
}

/// What is on show: a link where that says all, else the run as a file.
Opened run_of(const SourceOptions& source, const RenderOptions& options) {
    RenderOptions first = options;
    if (first.step == RenderOptions().step) first.step = "0";  // it is there to be stepped through
    const auto app = pictured(source, first);
    const auto sources = options.compare.empty() ? std::vector{source} : compared_sources(source, options.compare);
    const bool named = std::ranges::none_of(
        sources, [](const SourceOptions& one) { return is_file(one.source) || foreign::is_program(one.source); });
    if (named) return {{taken(state::link_to(app->state()))}, {}};
    if (sources.size() > 1) refuse("A page compares kernels of the catalog alone; export one file at a time.");
    Opened opened{{fmt::format("{}/{}.wtrace", kOpened, fs::path(source.source).stem().string())}, {}};
    opened.files.emplace_back(opened.arguments.front(), bytes_of(app->state().subject->run()));
    return opened;
}

}  // namespace

std::string base64(std::string_view bytes) {
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned three = 0;
        for (std::size_t k = 0; k < 3; ++k)
            three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
        for (int shift = 18; shift >= 0; shift -= 6) text += kLetters[three >> shift & 63];
    }
    const std::size_t missing = (3 - bytes.size() % 3) % 3;
    return text.replace(text.size() - missing, missing, missing, '=');
}

std::string with_opened(std::string page, const Opened& opened) {
    const std::size_t end = page.rfind(kOpenedEnd);
    if (end == std::string::npos)
        throw Error{Error::Kind::kFailed, "The web edition is of another version; ./launch web builds it."};
    Json all{{"arguments", opened.arguments}, {"files", Json::object()}};
    for (const auto& [path, bytes] : opened.files) all["files"][path] = base64(bytes);
    std::string text = all.dump();
    for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");  // no tag
    return page.insert(end, text);
}

std::string export_page(const SourceOptions& source, const RenderOptions& options, const std::string& out) {
    std::string page = read_page();  // what takes no time is refused first
    const Opened opened = options.lesson.empty() ? run_of(source, options) : lesson_of(options.lesson);
    page = with_opened(std::move(page), opened);
    taken(trace::write_durably(out, std::as_bytes(std::span(page))));
    return fmt::format("{} is a page for any browser, {:.1f} MB.", out, static_cast<double>(page.size()) / 1e6);
}

}  // namespace warptree::cli
