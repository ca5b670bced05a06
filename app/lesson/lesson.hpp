// A lesson: scenes in order, each a run, a view of it, and what is said and asked there. Plain data, read from TOML.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/kit/rooms.hpp"
#include "app/lesson/facts.hpp"
#include "app/views/choices.hpp"
#include "instrumentation/request/registry.hpp"
#include "instrumentation/text.hpp"

namespace warptree::lesson {

/// Asked before a step, and answered by a fact of the run: see facts.hpp. Or answered by another run: run_question.hpp.
struct Question {
    std::string ask{};
    std::size_t step = 0;  // from 1
    std::string fact{};    // the right answer's name
    std::string why{};     // the reason, told after the answer; "{fact}" stands for a fact
    struct Wrong {
        std::string fact{};  // another fact's name
        std::string why{};   // that is not the answer; "": not said
    };
    std::vector<Wrong> wrong{};  // the other choices; none: a number is typed
    // Of one that a run answers
    std::vector<std::string> change{};  // options that may be changed for it
    std::vector<std::string> holds{};   // what has to be so in it: see comparison.hpp
    std::string answer{};               // one that does: "block 64"
    TextPlace at = {};

    bool of_run() const { return !change.empty(); }
};

struct Scene {
    kernels::Request request;
    std::vector<kernels::Request> compare;  // of the view compare: the other columns
    std::vector<std::string> rows;          // and the figures that come first there, by their keys
    scene::View view = scene::View::kTree;
    scene::ViewChoices show;          // what is chosen in it; all else is as usual
    std::uint32_t block = 0;          // of the first launch: the one on show
    std::size_t from = 0, to = kEnd;  // positions: steps that are over
    std::string caption;              // stands above what the trace says
    std::string note;                 // for the speaker
    std::string number;               // the fact that a lecture shows large; empty: efficiency_so_far
    std::optional<Question> question;
    TextPlace at;
    static constexpr std::size_t kEnd = static_cast<std::size_t>(-1);
};

struct Lesson {
    std::string title, teaches;  // teaches: one sentence
    bool exercises = false;      // to work through alone: each scene asks
    std::vector<Scene> scenes;   // at least one
};

/// "13 scenes"; of exercises "12 questions".
std::string length_of(const Lesson&);

/// What is wrong, where, and what would be right.
using Problem = TextProblem;

struct Reading {
    Lesson lesson;
    std::vector<Problem> problems;  // none: the lesson can be played
};
/// Reads a lesson; finds all that can be found without running anything.
Reading read(std::string_view text);
/// Runs every scene: steps past the end, answers that are no answers, choices that are alike.
std::vector<Problem> check(const Lesson&);
/// The text of a lesson's file with one more scene, its last; "" begins a lesson. Of a scene without its question.
/// errors  failed: what is wrong with the file, or what of the scene no lesson can say
Result<std::string> with_scene(std::string text, const Scene&);
/// "line 12, column 1: scene has no field 'kernle'; ..."
std::string line_of(const Problem&);

/// A lesson that is compiled in, of assets/lessons.
struct Shipped {
    std::string name;  // "tree"
    std::string text;
    Lesson lesson;
};
/// In teaching order: by the number that their files' names begin with.
std::span<const Shipped> shipped();
/// The text of a shipped lesson, by its name, or of a file.
/// errors  usage: neither there is; what cannot be read
Result<std::string> text_of(const std::string& source);
/// errors  the same, and the first problem
Result<Lesson> open(const std::string& source);

/// A question with its answers, of a run.
struct Posed {
    Fact right;
    std::vector<std::string> choices;  // ascending; none: a number is typed
    std::vector<std::string> reasons;  // (choices,) why each is wrong; "": not said
    std::size_t correct = 0;           // among the choices
    std::string why;
    bool held = false;  // of a question that a run answers: this one does
    std::string found;  // and what holds in it, what does not

    /// What has to be given.
    std::string answer() const;
    /// Why an answer that was given is wrong; "": not said.
    std::string reason_against(std::string_view given) const;
};
/// errors  what is wrong with the question in this run
Result<Posed> pose(const Question&, const study::RunFacts&);
/// Whether a view shows nothing of the steps that are hidden behind a question.
bool can_ask(scene::View);

}  // namespace warptree::lesson
