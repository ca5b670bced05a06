// What one chooses in views, one row each: its name, what it can be, whether it is remembered, announced and undone,
// the option that a picture takes it from. A lesson's scene sets all of them, and state/fields.cpp has them among its
// own.
#pragma once

#include <cmath>
#include <iterator>
#include <span>
#include <string_view>

#include "app/kit/command.hpp"
#include "app/kit/rooms.hpp"
#include "app/views/accuracy/facts.hpp"
#include "app/views/coarsening/facts.hpp"
#include "app/views/ladder/facts.hpp"
#include "app/views/memory/choice.hpp"
#include "instrumentation/json/fields.hpp"

namespace warptree::scene {

struct ViewChoices {
    bool errors = false;    // of the tree: how far sums are off
    bool all_steps = true;  // of the warps: every step at once
    bool by_time = false;   // of the comparison
    MemoryChoice access;
    study::CoarsenChoice coarsening;
    study::AccuracyPicture accuracy = study::AccuracyPicture::kWorst;
    study::LadderChoice ladder;
};

/// Numbers that one goes through by steps.
struct Stepped : Range<double> {
    double step;
};
struct Stops : Range<double> {
    std::span<const double> at;
};

/// Goes on from one thing that a field can be to the next: as a reader and a writer go through its row.
class Turn {
public:
    static constexpr bool kReads = true;
    explicit Turn(double by) : by_(by) {}

    template <class T, class Rule = Any>
    void maybe(std::string_view, T& value, const Rule& rule = {}) const {
        if constexpr (std::is_same_v<T, bool>) {
            value = !value;
        } else if constexpr (requires { rule.names; }) {
            const auto count = std::ssize(rule.names);
            const auto now = std::ranges::find(rule.names, value, [](const auto& row) { return row.first; });
            const auto next = (now - std::begin(rule.names) + static_cast<std::ptrdiff_t>(by_) + count) % count;
            value = std::next(std::begin(rule.names), next)->first;
        } else if constexpr (requires { rule.step; }) {
            value = std::clamp(value + by_ * rule.step, rule.least, rule.most);
        } else if constexpr (requires { rule.at; }) {
            const auto far = [&](double stop) { return std::abs(std::log(stop / value)); };
            const auto now = std::ranges::min_element(rule.at, {}, far) - rule.at.begin();
            const auto next =
                std::clamp<std::ptrdiff_t>(now + static_cast<std::ptrdiff_t>(by_), 0, std::ssize(rule.at) - 1);
            value = rule.at[static_cast<std::size_t>(next)];
        }
    }

private:
    double by_;
};

/// A field that is kept in another form than it is said in: that form, and what takes it.
template <class Visitor, class Value, class Rule>
void through(Visitor& f, std::string_view key, Value value, const Rule& rule, auto put) {
    f.maybe(key, value, rule);
    if constexpr (Visitor::kReads) put(std::move(value));
}

/// As render takes a field: a flag is the opposite of what it usually is.
struct FieldOption {
    const char *name = nullptr, *help = "";
};

/// What becomes of a field, beside being set: any of these.
struct FieldUse {
    static constexpr unsigned kAnnounced = 1, kUndone = 2,
                              kGrows = 4,  // a name that is not known, a newer version's, changes nothing in a file
        kLinked = 8,                       // a link says it: see state/link.hpp
        kFromOne = 16;                     // that counts it from 1
};

/// A field of some state.
template <class State>
struct RowOf {
    Field field;
    std::string_view name, section;  // of settings.toml; without a section it is not remembered
    unsigned uses;
    void (*read)(FieldReader&, std::string_view key, State&);
    void (*write)(FieldWriter&, std::string_view key, const State&);
    void (*turn)(Turn&, std::string_view key, State&);
    FieldOption option;
    View of;  // the one view that it changes anything in; kCount: all

    template <class All>
    RowOf(Field f, std::string_view called, std::string_view in, unsigned used, View only, All all,
          FieldOption asked = {})
        : field(f), name(called), section(in), uses(used), read(all), write(all), turn(all), option(asked), of(only) {}
    template <class All>
    RowOf(Field f, std::string_view called, std::string_view in, unsigned used, All all, FieldOption asked = {})
        : RowOf(f, called, in, used, View::kCount, all, asked) {}
};

std::span<const RowOf<ViewChoices>> choice_rows();

}  // namespace warptree::scene
