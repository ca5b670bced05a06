// What can be set of how things look, one row each: its name, what it can be, whether it is remembered, announced and
// undone, and the option that a picture takes it from. Settings, undo, --announce, render's options and the commands
// kSet and kTurn all read this table.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "app/state/app_state.hpp"
#include "app/views/choices.hpp"
#include "instrumentation/json/fields.hpp"

namespace warptree::state {

struct FieldRow : scene::FieldUse {
    Field field;
    std::string_view name, section;  // of settings.toml; without a section it is not remembered
    unsigned uses;
    std::function<void(FieldReader&, std::string_view key, AppState&)> read;
    std::function<void(FieldWriter&, std::string_view key, const AppState&)> write;
    std::function<void(scene::Turn&, std::string_view key, AppState&)> turn;
    scene::FieldOption option;
    scene::View of;  // the one view that it changes anything in; kCount: all

    template <class State>
    explicit FieldRow(const scene::RowOf<State>& row)
        : field(row.field),
          name(row.name),
          section(row.section),
          uses(row.uses),
          read(row.read),
          write(row.write),
          turn(row.turn),
          option(row.option),
          of(row.of) {}
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
