// The badge of a wrong result: what came out, what would be right, and why.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/counters_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kHead = 34, kWhy = 15;

/// Why a result is wrong, as far as the trace tells.
std::string why(const Subject& s) {
    if (!s.hazards.empty())
        return fmt::format("Threads race: {} {} read and written with no barrier between.",
                           counted(s.hazards.size(), "cell"), s.hazards.size() == 1 ? "is" : "are");
    return s.verdict.note;
}

}  // namespace

Section result_section(const CountersContext& c) {
    const kernels::Verdict& v = c.subject.verdict;
    if (v.correct || c.at.position < c.subject.steps()) return {};
    const std::string reason = why(c.subject);
    const float inside = c.width - 24;
    const std::string came = v.result.empty() ? "none" : v.result;
    const bool scans = c.subject.trace.launch.scans();
    const std::string whole =
        scans ? "Wrong: " + v.wrong : fmt::format("Wrong result: {}, right would be {}", came, v.expected);
    const bool one_line = scans || c.pen.width(whole, Face::kSansBold, kLeast) <= inside;
    const auto lines = wrap(c.pen.measure(), reason, Face::kSans, kWhy, inside);
    const int shown = static_cast<int>(std::min<std::size_t>(lines.size(), 4));
    const float head = one_line ? kHead : 2 * kHead - 10;
    const float height = head + static_cast<float>(shown) * line_height(kWhy) + 6;
    const auto draw = [=, &c, right = v.expected](float top) {
        c.pen.framed({c.x, top, c.width, height}, {Role::kRaised}, {Role::kWrong}, 2, 8);
        const Style wrong{Face::kSansBold, 17, {Role::kWrong}}, plain{Face::kSansBold, 17, {Role::kText}};
        c.pen.line({c.x + 12, top + 19}, one_line ? whole : "Wrong result " + came, wrong, inside);
        if (!one_line) c.pen.line({c.x + 12, top + 43}, "right would be " + right, plain, inside);
        c.pen.paragraph({c.x + 12, top + head + 9}, reason, {Face::kSans, kWhy, {Role::kText}}, inside, shown);
    };
    return {height, 0, draw, false};
}

}  // namespace warptree::scene
