// What can be set of how things look, one row each: its name, what it can be, whether it is remembered, announced and
// undone, and the option that a picture takes it from. Settings, undo, --announce, render's options and the commands
// kSet and kTurn all read this table.
#pragma once

#include <span>
#include <string_view>

#include "app/state/app_state.hpp"
#include "instrumentation/json/fields.hpp"

namespace warptree::state {

/// Goes on from one thing that a field can be to the next.
class Turn;

/// As render takes a field: a flag is the opposite of what it usually is.
struct FieldOption {
    const char *name = nullptr, *help = "";
    scene::View of = scene::View::kCount;  // the one view that it changes anything in; kCount: all
};

struct FieldRow {
    /// What becomes of it, beside being set: any of these.
    static constexpr unsigned kSaid = 1, kUndone = 2,
                              kGrows = 4;  // a name that is not known, a newer version's, changes nothing in a file
    Field field;
    std::string_view name, section;  // of settings.toml; without a section it is not remembered
    unsigned uses;
    void (*read)(FieldReader&, std::string_view key, AppState&);
    void (*write)(FieldWriter&, std::string_view key, const AppState&);
    void (*turn)(Turn&, std::string_view key, AppState&);
    FieldOption option;

    template <class All>
    FieldRow(Field f, std::string_view called, std::string_view in, unsigned used, All all, FieldOption asked = {})
        : field(f), name(called), section(in), uses(used), read(all), write(all), turn(all), option(asked) {}
};

std::span<const FieldRow> field_rows();
const FieldRow& field_row(Field);
Json value_of(const FieldRow&, const AppState&);

/// What a command says of it: a text, a list's with commas between; "": the number, or whether it is above 0.
Json json_of(const FieldRow&, const AppState&, std::string_view text, double number);
/// called  how a sentence names the field
/// errors  what it is, and what it has to be
Result<void> set_field(AppState&, const FieldRow&, const Json& value, std::string_view called);
/// by  how many further of those that it can be; round and round where these have names, else to an end; 0: the usual
void turn_field(AppState&, const FieldRow&, double by);

}  // namespace warptree::state
