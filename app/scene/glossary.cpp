// One table of words, and which of them is meant at a point of a panel.
#include "app/scene/views.hpp"

#include <cctype>
#include <cmath>

namespace warptree::scene {
namespace {

/// Which figures beside a word are of it.
enum class Figures : std::uint8_t { kAll, kShares, kNone };  // shares: "16 of 32"

/// Words as panels print them, or how such words begin, with "|" between those that mean the same.
struct Word {
    std::string_view begins, means;
    Figures figures = Figures::kAll;
};
constexpr Word kGlossary[] = {
    // Costs
    {"efficiency|efficient|% efficient",
     "Of all lane slots that were paid for, the share in which a lane did work that the result needs."},
    {"whole kernel", "Useful operations over slots, when the run has ended."},
    {"as books count", "As the book counts: steps that only move data are left out."},
    {"in the book", "What the book's formula gives for this N."},
    {"requests", "One warp's instruction that asks memory for something, as NVIDIA's profiler counts."},
    {"segments", "Aligned pieces of 128 bytes of global memory that requests touched: the book's requests."},
    {"sectors", "Pieces of 32 bytes: what is really moved between memory and the GPU."},
    {"atomic requests", "Warps' instructions that add to global memory in one go, so that no other comes between."},
    {"shared requests|shared-memory requests", "Warps' instructions that read or write the block's own fast memory."},
    {"shared loads", "Warps' instructions that read the block's own fast memory."},
    {"shared stores", "Warps' instructions that write the block's own fast memory."},
    {"global loads", "Warps' instructions that read global memory."},
    {"global stores", "Warps' instructions that write global memory."},
    {"global reductions", "Atomic adds to global memory that give nothing back."},
    {"bank conflicts|extra passes",
     "Passes beyond the first that an access takes, as several of its words lie in one bank."},
    {"bytes used|asked for", "Bytes that the lanes asked for."},
    {"moved, not used|not asked", "Bytes of a sector that came along, though no lane asked for them."},
    {"moved", "Bytes that came with all sectors touched, asked for or not."},
    {"active threads", "Threads that do this step's work, added up over the steps."},
    {"active warps|warp active|warps active", "Warps in which at least one lane works: these cost time."},
    {"divergent warps", "Warps in which some lanes work while others of the same warp wait."},
    {"slots|consumed slots", "Lanes of all warps that run, working or not: what the step costs."},
    {"at work", "Slots in which a lane works."},
    {"barriers", "Times that a block's threads wait for one another."},
    {"shuffles", "Warps' instructions by which lanes hand values to one another."},
    {"operations", "Additions, or what else the run's operator is."},
    {"so far", "From the first step to the one on show."},
    {"counted", "What the recorded rows add up to."},
    {"steps that add", "Steps of the tree, without those that only move data."},
    {"all steps so far", "With the steps that only move data."},
    {"stride", "A step of the tree: what is added lies so many places apart.", Figures::kShares},
    {"scan", "A step of the scan: what is added lies so many places apart.", Figures::kShares},
    {"upsweep", "A step that adds pairs, as in a reduction.", Figures::kShares},
    {"downsweep", "A step that hands partial results back to the cells between.", Figures::kShares},
    {"load", "A step that moves elements, and adds none or some of them.", Figures::kShares},
    {"rows above|row above|rows below|row below|runs above|run above|runs below|run below|additions above|addition "
     "above",
     "They find no room here; those about the present step are in sight."},
    {"step ×", "How many times as fast as the row before."},
    {"cumulative ×", "How many times as fast as the first row."},
    {"step", "A load, an addition or a store by each thread that works in it; one step follows another.",
     Figures::kNone},
    // Marks of legends
    {"works", "A lane that does this step's work."},
    {"waits", "A lane without work in a warp that runs: its slot is paid for all the same."},
    {"idle", "A lane of a warp that does not run: it costs nothing."},
    {"written in its step", "A cell that got its value in the row's step."},
    {"written", "A cell that got its value in the present step."},
    {"finished|prefix finished", "A cell that holds its final result: all elements up to its own."},
    {"unused|word left unused", "A word that is skipped, so that those behind it fall into other banks."},
    {"has told nothing", "The tile's block has not told its sum yet."},
    {"has told its sum", "The tile's sum is known; the sum of all before it is not."},
    {"has told its prefix", "The sum of all elements up to the tile's end is known."},
    {"window", "The tiles whose sums and prefix a block took to make its own prefix."},
    {"add|an add", "One addition of two partial results.", Figures::kShares},
    {"to come", "Has not run yet at the step on show."},
    {"block on show", "The block that the other views show."},
    {"done", "A block whose work has ended."},
    {"asks|lane asks", "A lane that takes part in this access."},
    {"lane waits", "A lane of the same warp that takes no part, and waits."},
    {"word", "A word that the bank gives in the first pass."},
    {"conflict", "A word that has to wait for a further pass: its bank is busy with another."},
    {"bank", "One of 32 parts of shared memory; each gives one word a pass."},
    {"pass", "One go at shared memory: each bank gives one word."},
    {"used", "Of the time, the share in which it did something."},
    {"work|threads that work", "Threads of the block that do the step's work."},
    {"threads of the block that wait", "Threads without work while the block runs: their place is taken all the same."},
    {"a match, at its venue", "A match is one operation; its venue is the thread that does it."},
    {"idle venue|a venue that stands idle", "A venue at which no match is played in that step."},
    {"who goes on", "The winner: the value that the operation leaves."},
    {"wrong value", "A cell that holds another value than with the barrier in place."},
    {"read at the wrong time", "A read that came before, or after, the write that it should follow."},
    {"the sum's digits", "Binary digits that the addition's result holds."},
    {"lost, and caught", "Digits that rounding cut off, and that the kernel added back elsewhere."},
    {"lost", "Digits that rounding cut off."},
    {"correctly rounded", "No other number of the type lies nearer to the exact result."},
    {"off by more",
     "Another number of the type lies nearer to the exact result; an ulp is the distance of two neighbours."},
    // Heads and names of tables
    {"warp", "Threads that share one instruction: they run it together, or some of them wait."},
    {"tile", "The elements that one block scans; at its right what the block had told, and when."},
    {"x", "Elements of the input, from the first number to the last."},
    {"round", "What can happen at one time: nothing in it waits for another of the same round."},
    {"venue", "A place where matches are played: a thread."},
    {"launch", "One start of a kernel: all its blocks run before the next begins."},
    {"by", "With this coarsening factor."},
    {"÷", "Against the kernel before: so many times less."},
    {"×", "Against the kernel before: so many times as much."},
    {"book", "What the book counts, in pieces of 128 bytes."},
    {"PMPP Fig", "Printed in Programming Massively Parallel Processors, by Hwu, Kirk and El Hajj."},
    {"Harris, kernel", "Printed in Optimizing Parallel Reduction in CUDA, by Mark Harris."},
    {"float32", "Floating-point numbers of 32 bits: sums of them round."},
    {"int32", "Whole numbers of 32 bits: sums of them are exact."},
    {"NVIDIA H200", "The GPU that these were measured on."},
    {"output", "Where the kernel leaves its results: an array, or the step that writes it.", Figures::kShares},
    {"log₂", "How many times the number can be halved until 1 is left: a tree over so many has that many levels."},
    {"order of threads", "In which order the threads of a block ran between two barriers."},
    {"which came first", "The order of a write and a read of one cell that no barrier keeps apart."},
    {"result", "What the run leaves as its result."},
    {"factor|coarsening factor", "How many elements each thread adds by itself before its block's tree begins."},
    {"at once|blocks that run at once", "How many blocks the GPU has room for at one time; the others wait."},
    {"matches at once", "How many matches can be played at one time: threads of the block."},
    {"of them with all threads", "Steps in which every thread of the block works."},
    {"blocks", "Groups of threads that share memory and can wait for one another."},
    {"GB/s", "Billions of bytes a second: of a reduction's input, of scans and copies read and written."},
    {"operands changed places|changed places",
     "Operands that the run takes elsewhere than where they stand in the input."},
    {"operands", "The elements, from left to right as the run takes them."},
    {"operator", "What joins two values into one, and what they are; the identity changes nothing."},
    {"steps", "How many steps it takes, one after the other."},
    {"busiest step", "The most operations that any one step does side by side."},
    {"average a step", "Operations over steps: how many are done side by side, on the average."},
    {"speed-up", "How many times as many steps the sequential order takes."},
};

/// Of a text that begins with such a word; of several the longest. "scan-coarsened" and "warp reduce" are other words
/// than "scan" and "warp". A figure before its word, as in "29.5 % efficient", is passed over.
const Word* find(std::string_view text) {
    for (std::size_t figure = 0;
         (figure = text.find_first_not_of("0123456789.,")) != 0 && figure < text.size() && text[figure] == ' ';) {
        text.remove_prefix(figure + 1);
        if (text.starts_with("of ")) text.remove_prefix(3);
    }
    std::string word(text);
    if (!word.empty()) word[0] = std::tolower(static_cast<unsigned char>(word[0]));
    const Word* found = nullptr;
    std::size_t longest = 0;
    for (const Word& one : kGlossary)
        for (std::size_t from = 0, end = 0; end < one.begins.size(); from = end + 1) {
            end = std::min(one.begins.find('|', from), one.begins.size());
            const std::string_view begins = one.begins.substr(from, end - from);
            if (begins.size() <= longest || (!word.starts_with(begins) && !text.starts_with(begins))) continue;
            const std::size_t next = std::min(word.find_first_not_of(' ', begins.size()), word.size());  // 0 ends it
            const unsigned char after = word[next];
            if (std::isalpha(after) != 0 || after == '-' || after == '_') continue;
            found = &one, longest = begins.size();
        }
    return found;
}

struct Placed {
    const Text* text;
    Box box;
};

/// What a word, or a text that begins with it, means; empty where it has no meaning here.
std::vector<std::string> told(const Text* text) {
    const Word* word = text == nullptr ? nullptr : find(text->text);
    return word == nullptr ? std::vector<std::string>{} : std::vector{text->text, std::string(word->means)};
}

/// What stands in a scene, as its reader sees it.
struct Reader {
    Reader(const Scene& scene, const Measure& measure) {
        const Rect* last = nullptr;
        for (const Shape& shape : scene.shapes) {
            const Rect* before = std::exchange(last, std::get_if<Rect>(&shape));
            const auto* text = std::get_if<Text>(&shape);
            if (text == nullptr) continue;
            const float beside = before == nullptr ? -1 : text->at.x - before->box.right();
            if (beside > 0 && beside <= 10 && before->box.w == before->box.h && text->align == kLeft &&
                std::abs(text->at.y - before->box.centre().y) < 1)
                marks_.emplace_back(before, text);
            const float w = measure.width(text->text, text->face, text->size);
            const float left = text->align == kLeft ? 0 : text->align == kCentre ? w / 2 : w;
            texts_.push_back({text, {text->at.x - left, text->at.y - text->size / 2, w, text->size}});
        }
    }

    /// Of the text at a point: its own meaning; of a figure, of the name at its left and the head above.
    std::vector<std::string> text_at(Vec at) const {
        const auto under =
            std::ranges::find_if(texts_, [&](const Placed& one) { return one.box.inset(-3).contains(at); });
        if (under == texts_.end()) return {};
        const auto& [text, figure] = *under;
        const bool is_figure = text->text == "–" || std::isdigit(static_cast<unsigned char>(text->text[0])) != 0;
        if (auto own = told(text); !own.empty() || !is_figure || text->text.size() > 14) return own;
        const Text* name = nearest(text->text, [&](const Placed& one) {
            const bool same = std::abs(one.box.centre().y - figure.centre().y) < 0.4f * figure.h;
            return same ? figure.x - one.box.right() : -1;
        });
        const Text* head = nearest(text->text, [&](const Placed& one) {
            const bool same = one.text->align == text->align && std::abs(one.text->at.x - text->at.x) < 2;
            return same ? figure.y - one.box.bottom() : -1;
        });
        auto lines = told(name != nullptr ? name : head);
        if (name != nullptr && head != nullptr) lines.front() += ": " + head->text, lines.push_back(told(head).back());
        if (name != nullptr && find(name->text)->figures == Figures::kShares)
            lines.push_back(text->text + ": threads that work, of all.");
        return lines;
    }

    /// Of a legend's mark, or a shape that looks like one; where there is no legend, of a bar below its heading.
    std::vector<std::string> look_of(const Rect& rect) const {
        const auto role = [](const Rect& of) { return of.fill == kNone ? of.outline.role : of.ink.role; };
        const auto mark = std::ranges::find_if(
            marks_, [&](const auto& one) { return one.first->fill == rect.fill && role(*one.first) == role(rect); });
        if (!marks_.empty()) return mark == marks_.end() ? std::vector<std::string>{} : told(mark->second);
        constexpr float kHeadAbove = 40;  // at most: the heading of a bar
        return told(nearest("", [&](const Placed& one) {
            const float above = rect.box.y - one.box.bottom();
            return one.box.x < rect.box.x + 2 && above < kHeadAbove ? above : -1;
        }));
    }

    /// Whether a figure beside a word is of it; "": no figure.
    static bool explains(const Word& word, const std::string& figure) {
        return figure.empty() || word.figures == Figures::kAll ||
               (word.figures == Figures::kShares && figure.find(" of ") != figure.npos);
    }
    /// The nearest that explains a figure, or anything (""), by a distance; where that is negative it does not count.
    template <class Distance>
    const Text* nearest(const std::string& figure, Distance&& distance) const {
        const Text* best = nullptr;
        float least = 1e9f;
        for (const Placed& one : texts_)
            if (const float d = distance(one); d >= 0 && d < least)
                if (const Word* word = find(one.text->text); word != nullptr && explains(*word, figure))
                    best = one.text, least = d;
        return best;
    }

    std::vector<Placed> texts_;
    std::vector<std::pair<const Rect*, const Text*>> marks_;  // of legends
};

}  // namespace

std::vector<std::string> meaning(const Scene& scene, const Measure& measure, Vec at) {
    const Reader reader(scene, measure);
    std::vector<std::string> lines = reader.text_at(at);
    if (lines.empty())
        scene.each_at(at, [&](const Shape& shape) {
            const auto* rect = std::get_if<Rect>(&shape);
            if (rect == nullptr || rect->id != 0 || !rect->box.contains(at)) return;
            if (auto said = reader.look_of(*rect); !said.empty()) lines = std::move(said);
        });
    return lines;
}

}  // namespace warptree::scene
