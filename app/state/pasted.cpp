// What is pasted: digits, a link, a program, or values. Long ones are kept in a file beside the settings.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>

#include <fmt/format.h>

#include "app/lesson/hand_in.hpp"
#include "app/state/link.hpp"
#include "app/state/menus.hpp"
#include "app/state/session.hpp"
#include "app/state/settings.hpp"
#include "instrumentation/request/options.hpp"
#include "instrumentation/trace/durable_file.hpp"

namespace warptree::state {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostValues = 1 << 16;  // characters that settings and links carry

/// The file that holds a text: each text has its own.
Result<fs::path> kept(const std::string& text, std::string_view ending) {
    const fs::path folder = settings_path().parent_path(),
                   path = folder / fmt::format("pasted-{:.8}{}", lesson::checksum_of(text), ending);
    std::error_code none;
    fs::create_directories(folder, none);
    if (fs::exists(path, none)) return path;
    return trace::write_durably(path, std::as_bytes(std::span(text))).map([&] { return path; });
}

/// Written, and then read, beside the window.
void paste_many(Session& app, std::string text) {
    write_beside(app, {.text = "Pasting",
                       .write =
                           [text = std::move(text)](const auto&, const auto&) {
                               return kept(text, ".txt").map([](const fs::path& path) { return path.string(); });
                           },
                       .then =
                           [](Session& session, const Result<std::string>& path) {
                               if (!path) return say(session, path.error().message, true);
                               apply(session, {.action = Action::kInput, .text = *path});
                           }});
}

}  // namespace

void paste(Session& app, std::string text) {
    AppState& s = app.state;
    const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    text.erase(text.begin(), std::ranges::find_if_not(text, blank));
    while (!text.empty() && blank(text.back())) text.pop_back();
    if (text.empty())
        return say(app, "The clipboard has no text to paste; copy values first, such as 3, 1, 7, 0.", true);
    if (takes_digits(s.menu) && text.size() <= kMostDigits && kernels::parse_whole_number(text, "N", 16)) {
        s.typed = text;
        s.menu_row = 0;
        return;
    }
    s.menu = Menu::kNone;
    if (text.find("__global__") != text.npos) {
        const auto path = kept(text, ".cu");
        return path ? open_program(app, path->string()) : say(app, path.error().message, true);
    }
    if (is_link(text)) return open_link(app, text);
    if (text.size() > kMostValues && !app.services.begin) return paste_many(app, std::move(text));
    apply(app, {.action = Action::kInput, .text = text});
}

}  // namespace warptree::state
