// Where to save: a field for a file's name, over everything.
#include "app/chrome/overlays.hpp"

namespace warptree::chrome {
namespace {

/// Of each thing that can be saved: what the field is called, and what the file is for.
constexpr std::pair<const char*, const char*> kSaved[] = {
    {"Save this run as", "A trace file, .wtrace: every access of the run; dropped on the window, it is shown again."},
    {"Save these results as", "A results file, .json or .csv: dropped on the window, it is shown again."},
    {"Save these answers under your name", "A page to print and to hand in, .html: what was asked and answered."},
    {"Add what is on show to the lesson",
     "A lesson, .toml, made or longer by a scene: fill in its caption with an editor."},
    {"Write a kernel into the file",
     "A CUDA file, .cu: it is shown here, and again each time that an editor saves it."},
    {"Save this picture as", "A picture of what is on show, marks too: .png, or .svg and .pdf, whose text is text."},
    {"Export as", ""}};

constexpr float kSavingText = 18, kSavingInside = 22, kSavingField = 44, kSavingLine = 26, kSavingWidest = 1100;

/// The name and the caret in it, as far as the field has room: what is about the caret.
void draw_field(Pen& pen, const Measure& measure, const state::Saving& saving, Box box) {
    pen.framed(box, {Role::kPanel}, {Role::kAccent}, 2, 8);
    const Box inside = box.inset(10);
    const auto width = [&](const std::string& text) { return measure.width(text, Face::kMono, kSavingText); };
    const float before = width(saving.name.substr(0, saving.caret)), all = width(saving.name);
    const float moved = std::clamp(before - 0.9f * inside.w, 0.0f, std::max(0.0f, all - inside.w + 2));
    pen.add(scene::ClipBegin{{inside.x - 2, box.y, inside.w + 4, box.h}});
    pen.put({inside.x - moved, box.centre().y}, saving.name, {Face::kMono, kSavingText, {Role::kText}});
    pen.fill({inside.x - moved + before - 1, box.y + 9, 2, box.h - 18}, {Role::kAccent});
    pen.add(scene::ClipEnd{});
}

}  // namespace

Scene saving_scene(const AppState& state, const Measure& measure, Box window) {
    Scene scene;
    if (!state.saving) return scene;
    const state::Saving& saving = *state.saving;
    const auto& [title, about] = kSaved[static_cast<std::size_t>(saving.what)];
    const float width = std::min(kSavingWidest, window.w - 40), room = width - 2 * kSavingInside;
    const std::string what = saving.what == state::Saved::kExport ? state::exported(state, saving.name) : about;
    const auto says = scene::wrap(measure, !saving.says.empty() ? saving.says : what, Face::kSans, kSavingText, room);
    const float height = 2 * kSavingInside + 34 + kSavingField + 14 + kSavingLine * static_cast<float>(says.size());
    const Box box{window.centre().x - width / 2, window.centre().y - height / 2, width, height};
    Pen pen(scene, measure);
    pen.fill(window, {Role::kBackground, 0.6f});
    pen.framed(box, {Role::kRaisedHover}, {Role::kIdle}, 1.5f, 12);
    Box inside = box.inset(kSavingInside);
    const char* keys = "Enter saves, Esc cancels";
    const float y = inside.y + 10, taken = measure.width(keys, Face::kSans, scene::kSmall);
    pen.line({inside.x, y}, title, {Face::kSansBold, kSavingText, {Role::kText}}, room - taken - 24);
    pen.line({inside.right(), y}, keys, scene::kDim, taken + 1, scene::Align::kRight);
    const Box field{inside.x, inside.y + 34, inside.w, kSavingField};
    draw_field(pen, measure, saving, field);
    float line = field.bottom() + 14 + kSavingLine / 2;
    for (const std::string& text : says) {
        pen.line({inside.x, line}, text,
                 {Face::kSans, kSavingText, {saving.says.empty() ? Role::kTextDim : Role::kText}}, room + 1);
        line += kSavingLine;
    }
    return scene;
}

}  // namespace warptree::chrome
