// A scene as a lesson's file has it: the way back of lesson.cpp's reader.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "app/lesson/lesson.hpp"
#include "instrumentation/json/fields.hpp"
#include "instrumentation/json/toml.hpp"
#include "instrumentation/request/options.hpp"

namespace warptree::lesson {
namespace {

Json shown(const scene::ViewChoices& choices, scene::View view) {
    FieldWriter all;
    for (const auto& row : scene::choice_rows())
        if (row.of == view) row.write(all, row.name, choices);
    return all.json;
}

Json json_of(const Scene& scene) {
    Json json{{"kernel", scene.request.kernel}, {"view", scene::view_row(scene.view).name}};
    const auto usual = kernels::request_from(scene.request.kernel, {});
    for (const kernels::LaunchOption& option : kernels::launch_options()) {
        const std::string text = option.text(scene.request);
        if (!option.remembered || (option.name != "n" && usual && text == option.text(*usual))) continue;
        Json& field = json[std::string(option.name)] = text;
        if (option.flag) field = true;
        if (option.most > 0) field = std::strtoll(text.c_str(), nullptr, 10);
    }
    for (const kernels::Request& beside : scene.compare) json["compare"].push_back(beside.kernel);
    if (!scene.rows.empty()) json["rows"] = scene.rows;
    Json show = shown(scene.show, scene.view);
    const Json plain = shown({}, scene.view);
    for (auto at = show.begin(); at != show.end();) at = *at == plain[at.key()] ? show.erase(at) : std::next(at);
    if (scene.block != 0) show["block"] = scene.block;
    if (!show.empty()) json["show"] = show;
    if (scene.view != scene::View::kLadder) {
        if (scene.from != 0) json["from"] = scene.from;
        if (scene.to != Scene::kEnd) json["to"] = scene.to;
    }
    for (const auto& [key, text] :
         {std::pair("caption", &scene.caption), {"note", &scene.note}, {"number", &scene.number}})
        if (!text->empty()) json[key] = *text;
    return json;
}

}  // namespace

Result<std::string> with_scene(std::string text, const Scene& scene) {
    if (text.empty()) text = toml_text({{"title", "My lesson"}, {"teaches", "What it shows, in one sentence."}}) + "\n";
    text += "\n" + toml_text({{"scene", Json::array({json_of(scene)})}}) + "\n";
    const Reading reading = read(text);
    if (!reading.problems.empty()) return failure(line_of(reading.problems.front()));
    return text;
}

}  // namespace warptree::lesson
