// settings.toml.
#include "app/state/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/state/fields.hpp"
#include "app/state/key_file.hpp"
#include "instrumentation/json/fields.hpp"
#include "instrumentation/json/toml.hpp"
#include "instrumentation/request/options.hpp"
#include "instrumentation/text_file.hpp"
#include "instrumentation/trace/durable_file.hpp"

namespace warptree::state {
namespace {

namespace fs = std::filesystem;

const char* variable(const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? value : nullptr;
}

/// As files name a launch option: "warp_size".
std::string key_of(const kernels::LaunchOption& option) {
    std::string key(option.name);
    std::ranges::replace(key, '-', '_');
    return key;
}

/// A run as a file has it: its kernel and its launch options.
void run_fields(FieldReader& f, kernels::Request& request) {
    f.maybe("kernel", request.kernel);
    for (const kernels::LaunchOption& option : kernels::launch_options()) {
        const std::string key = key_of(option);
        if (!option.remembered || !f.has(key)) continue;
        if (const auto taken = option.take(option, option_text(*f.find(key)), request); !taken) {
            std::string_view why = taken.error().message;
            if (why.ends_with('.')) why.remove_suffix(1);
            f.problem(key, fmt::format("{}.{}: {}", f.name(), key, why));
        }
    }
}
void run_fields(FieldWriter& f, const kernels::Request& request) {
    f("kernel", request.kernel);
    for (const kernels::LaunchOption& option : kernels::launch_options()) {
        if (!option.remembered) continue;
        const std::string text = option.text(request);
        const std::uint64_t number = option.most == 0 ? 0 : std::stoull(text);
        if (option.most == 0 || number >> 63 != 0)  // TOML's whole numbers have a sign
            f(key_of(option), text);
        else
            f(key_of(option), number);
    }
}

template <class F>
void window_fields(F& f, WindowPlace& w) {
    constexpr int kFar = 100000;
    f.maybe("width", w.width, Range{200, kFar}), f.maybe("height", w.height, Range{150, kFar});
    f.maybe("x", w.x, Range{WindowPlace::kNoPosition, kFar}), f.maybe("y", w.y, Range{WindowPlace::kNoPosition, kFar});
    f.maybe("maximized", w.maximized);
}

/// Others, a newer version's, change nothing.
void read(FieldReader& file, Settings& s) {
    file.section("window", [&](FieldReader& f) { window_fields(f, s.window); });
    for (const FieldRow& row : field_rows()) {
        if (row.section.empty()) continue;
        file.section(row.section, [&](FieldReader& f) {
            const bool grows = (row.uses & FieldRow::kGrows) != 0 && f.has(row.name) && f.find(row.name)->is_string();
            const auto read = [&] { row.read(f, row.name, s.state); };
            grows ? static_cast<void>(refusal_of(read)) : read();
        });
    }
    file.section("run", [&](FieldReader& f) { run_fields(f, s.state.request); });
    std::vector<kernels::Request> columns;
    if (file.has("compare"))
        file.rows(
            "compare", columns, [](FieldReader& f, kernels::Request& request) { run_fields(f, request); },
            scene::kMostColumns - 1, "a list of up to three columns");
    for (kernels::Request& column : columns) s.state.others.push_back({std::move(column), "", nullptr});
    if (!nothing_of(s.state, s.state.view).empty()) s.state.view = scene::View::kTree;
}

/// Renames a damaged file to a name that is free.
std::string set_aside(const fs::path& path, const std::string& why) {
    std::error_code error;
    for (int i = 1; i < 1000; ++i) {
        fs::path aside = path;
        aside += i == 1 ? ".damaged" : fmt::format(".damaged.{}", i);
        if (fs::exists(aside, error)) continue;
        fs::rename(path, aside, error);
        if (error) break;
        return fmt::format(
            "The settings file could not be used: {}. It is kept as {}, and the usual settings are used.", why,
            aside.string());
    }
    return fmt::format(
        "The settings file {} could not be used ({}), nor moved aside ({}); the usual settings are used.",
        path.string(), why, error ? error.message() : "every name for it is taken");
}

/// Whether a request's input says where its numbers are from.
bool can_be_read(const kernels::Request& request) {
    return !request.numbers || request.numbers.are_of(request.input);
}

}  // namespace

std::filesystem::path settings_path() {
#ifdef _WIN32
    if (const char* data = variable("APPDATA")) return fs::path(data) / "warptree" / "settings.toml";
#else
    const char* config = variable("XDG_CONFIG_HOME");
    if (config && fs::path(config).is_absolute()) return fs::path(config) / "warptree" / "settings.toml";
    if (const char* home = variable("HOME")) return fs::path(home) / ".config" / "warptree" / "settings.toml";
#endif
    return {};
}

std::filesystem::path keys_path() {
    const fs::path settings = settings_path();
    return settings.empty() ? settings : settings.parent_path() / kKeyFile;
}

Settings load_settings(const std::filesystem::path& path) {
    Settings usual, loaded;
    std::error_code error;
    if (path.empty() || !fs::exists(path, error)) return usual;
    const auto without = [&](std::string why) {
        usual.messages.push_back(std::move(why));
        return usual;
    };
    if (!fs::is_regular_file(path, error))
        return without(fmt::format("The settings {} are not a file, so the usual settings are used.", path.string()));
    const auto text = text_of_file(path);
    if (!text)
        return without(
            fmt::format("The settings file {} cannot be read, so the usual settings are used.", path.string()));
    const std::string wrong = refusal_of([&] {
        try {
            const Document document = parse_toml(*text);
            FieldReader reader(document, "it", nullptr, /*strict=*/false);
            read(reader, loaded);
            loaded.kept = document.json;
        } catch (const TextProblem& bad) {
            refuse("{}", said(bad));
        }
    });
    if (wrong.empty()) return loaded;
    return without(set_aside(path, wrong));
}

AppState state_from(const Json& kept) {
    const Document document{kept, {}};
    FieldReader reader(document, "it", nullptr, /*strict=*/false);
    Settings settings;
    read(reader, settings);
    return settings.state;
}

Json remembered(const AppState& state, const WindowPlace& window, Json before) {
    AppState s = state;
    if (s.lesson.lesson) static_cast<scene::ViewChoices&>(s) = s.lesson.own;  // its scenes' are nobody's choice
    const auto keep = [&](std::string_view section, const auto& write) {
        FieldWriter writer;
        write(writer);
        before[std::string(section)].update(writer.json);
    };
    keep("window", [&](FieldWriter& f) { window_fields(f, const_cast<WindowPlace&>(window)); });
    for (const FieldRow& row : field_rows())
        if (!row.section.empty()) keep(row.section, [&](FieldWriter& f) { row.write(f, row.name, s); });
    // A file's run is not what was chosen, and a trace may call its input anything
    if (s.file.empty() && can_be_read(s.request)) keep("run", [&](FieldWriter& f) { run_fields(f, s.request); });
    Json& columns = before["compare"] = Json::array();
    for (const Column& column : s.others) {
        if (!column.file.empty() || !can_be_read(column.request)) continue;
        FieldWriter writer;
        run_fields(writer, column.request);
        columns.push_back(std::move(writer.json));
    }
    return before;
}

Result<void> save_settings(const Json& kept, const std::filesystem::path& path) {
    if (path.empty()) return failure("The settings cannot be kept: neither XDG_CONFIG_HOME nor HOME says where.");
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) {
        return failure(fmt::format("The settings will not be remembered: the folder {} cannot be made ({}).",
                                   path.parent_path().string(), error.message()));
    }
    const std::string bytes = "# Written by Warptree whenever what it shows changes.\n" + toml_text(kept) + "\n";
    const auto saved = trace::write_durably(path, std::as_bytes(std::span(bytes)));
    if (!saved) return failure("The settings will not be remembered: " + saved.error().message);
    return {};
}

}  // namespace warptree::state
