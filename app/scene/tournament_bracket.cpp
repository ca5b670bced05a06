// The bracket: teams at the left, a column for each round, winners to the right. Of many teams the last rounds alone.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/tournament_view.hpp"
#include "app/study/words.hpp"
#include "kernels/world_cup.hpp"

namespace warptree::scene {
namespace {

constexpr float kHead = 54, kLeastPitch = 19;

class BracketPainter {
public:
    BracketPainter(Pen& pen, const TournamentStudy& study, Playhead at, Box box, const Target& hover)
        : pen_(pen), study_(study), s_(*study.subject), at_(at), hover_(hover) {
        const auto& levels = study.bracket.levels;
        head_ = box.h < 260 ? 26 : kHead;
        area_ = {box.x, box.y + head_, box.w, box.h - head_};
        while (first_ + 1 < levels.size() && area_.h / levels[first_].size() < kLeastPitch) ++first_;
        column_ = area_.w / (levels.size() - first_);
        gap_ = std::clamp(0.26f * column_, 30.0f, 92.0f);
        place();
        codes_ = needs_codes();
    }

    void draw() {
        const auto& levels = study_.bracket.levels;
        for (std::size_t r = first_; r < levels.size(); ++r) draw_head(r);
        for (std::size_t r = first_ + 1; r < levels.size(); ++r)
            for (std::size_t i = 0; i < levels[r].size(); ++i) draw_join(r, i);
        for (std::size_t r = first_; r < levels.size(); ++r)
            for (std::size_t i = 0; i < levels[r].size(); ++i) draw_entry(r, i);
        for (std::size_t r = first_ + 1; r < levels.size(); ++r)
            for (std::size_t i = 0; i < levels[r].size(); ++i) draw_venue(r, i);
    }

private:
    /// Whether a team's name finds no room: then all are codes.
    bool needs_codes() const {
        const Box box = box_of(first_, 0);
        if (s_.trace.launch.op != "beats") return false;
        if (box.h < 20) return true;
        const float size = std::min(17.0f, 0.62f * box.h + 3);
        constexpr std::size_t kAsked = 64;  // of thousands the first stand for all: they are numbered
        for (std::size_t i = 0; i < std::min(kAsked, study_.bracket.levels[0].size()); ++i)
            if (pen_.width(name(0, i, false), Face::kSansBold, size) > box.w - 12) return true;
        return false;
    }
    const Entry& entry(std::size_t r, std::size_t i) const { return study_.bracket.levels[r][i]; }
    float pitch(std::size_t r) const { return area_.h / study_.bracket.levels[r].size(); }
    float left(std::size_t r) const { return area_.x + (r - first_) * column_; }
    Box box_of(std::size_t r, std::size_t i) const {
        const float h = std::min(r == first_ ? 44.0f : 48.0f, 0.84f * pitch(first_));
        return {left(r), middle_[r - first_][i] - h / 2, column_ - gap_, h};
    }

    /// Middles: teams side by side, winners between those who met.
    void place() {
        const auto& levels = study_.bracket.levels;
        for (std::size_t r = first_; r < levels.size(); ++r) {
            std::vector<float> middles;
            for (std::size_t i = 0; i < levels[r].size(); ++i) {
                const Entry& e = levels[r][i];
                if (r == first_) {
                    middles.push_back(area_.y + (i + 0.5f) * pitch(r));
                } else {
                    const auto& below = middle_.back();
                    const float a = below[static_cast<std::size_t>(e.first)];
                    middles.push_back(e.second < 0 ? a : (a + below[static_cast<std::size_t>(e.second)]) / 2);
                }
            }
            middle_.push_back(std::move(middles));
        }
    }

    /// The combine that stands behind an entry: its own, or the one it had a bye after; -1: none.
    const Entry& decided(std::size_t r, std::size_t i) const {
        const Entry* e = &entry(r, i);
        while (e->row < 0 && e->first >= 0) e = &entry(--r, static_cast<std::size_t>(e->first));
        return *e;
    }

    float presence(const Entry& e) const {
        if (e.row < 0) return 1;
        const When now = when(at_, e.step);
        if (now == When::kFuture) return kFaint;
        return now == When::kPast ? 1 : kFaint + (1 - kFaint) * std::clamp(2 * at_.progress - 1, 0.0f, 1.0f);
    }
    bool known(const Entry& e) const {
        if (e.row < 0) return true;
        const When now = when(at_, e.step);
        return now == When::kPast || (now == When::kPresent && at_.progress > 0.5f);
    }
    /// Whether an entry has lost its next match already.
    bool lost(std::size_t r, std::size_t i) const {
        if (r + 1 >= study_.bracket.levels.size()) return false;
        const Entry& next = entry(r + 1, i / 2);
        if (next.row < 0 || !known(next)) return false;
        return entrant(s_, next.row, 0) != name(r, i, false);
    }
    std::string name(std::size_t r, std::size_t i, bool code) const {
        const Entry& e = decided(r, i);
        return entrant(s_, e.row, e.index, code);
    }

    void draw_head(std::size_t r) {
        const auto& level = study_.bracket.levels[r];
        const float width = column_ - 12, x = left(r), y = area_.y - head_;
        std::string title, remark;
        if (r == 0) {
            title = s_.trace.launch.op == "beats" ? "Teams" : "Elements";
            remark = grouped(level.size());
        } else {
            std::uint64_t played = 0;
            std::uint32_t begin = 0xffffffffu, end = 0;
            for (const Entry& e : level) {
                if (e.row < 0) continue;
                ++played;
                begin = std::min(begin, e.step);
                end = std::max(end, e.step);
            }
            const auto words = s_.trace.launch.op == "beats" ? kernels::round_name(played) : std::string_view();
            title = words.empty() || column_ < 130 ? fmt::format("Round {}", r) : std::string(words);
            if (played > 0)
                remark = begin == end ? fmt::format("step {}", begin + 1)
                                      : fmt::format("steps {} to {}", begin + 1, end + 1);
            if (r == first_) title = fmt::format("After round {}", r);
        }
        const bool present = !level.empty() && r > 0 && at_.has_step() && has_step(level, at_.step());
        pen_.line({x, y + 12}, title, {Face::kSansBold, 17, {present ? Role::kText : Role::kTextDim}}, width);
        if (head_ >= kHead)
            pen_.line({x, y + 34}, remark, {Face::kMono, kSmall, {present ? Role::kText : Role::kTextFaint}}, width);
    }
    static bool has_step(const std::vector<Entry>& level, std::size_t step) {
        return std::any_of(level.begin(), level.end(), [step](const Entry& e) { return e.row >= 0 && e.step == step; });
    }

    /// The lines from those who met to the one who goes on.
    void draw_join(std::size_t r, std::size_t i) {
        const Entry& e = entry(r, i);
        const float y = middle_[r - first_][i], x = left(r) - gap_ / 2, to = left(r);
        const When now = e.row < 0 ? When::kFuture : when(at_, e.step);
        const bool hot = e.row >= 0 && hover_.kind == Target::Kind::kEdge && hover_.index == e.row;
        const Ink ink = hot                    ? Ink{Role::kText}
                        : now == When::kFuture ? Ink{Role::kTextFaint, 0.6f}
                                               : Ink{Role::kActive, now == When::kPast ? 0.75f : 1.0f};
        const float w = now == When::kPresent || hot ? 3.0f : 1.6f;
        const Id id = e.row < 0 ? 0 : edge_id(e.row);
        const auto bar = [&](Box box) { pen_.fill(box, ink, 0, id); };
        for (const std::int32_t met : {e.first, e.second}) {
            if (met < 0) continue;
            const float from = middle_[r - 1 - first_][static_cast<std::size_t>(met)];
            const float start = left(r - 1) + column_ - gap_;
            bar({start, from - w / 2, x - start, w});
            bar({x - w / 2, std::min(from, y), w, std::abs(from - y)});
        }
        bar({x, y - w / 2, to - x, w});
    }

    /// The venue of a match: the thread that combined, at work.
    void draw_venue(std::size_t r, std::size_t i) {
        const Entry& e = entry(r, i);
        if (e.row < 0) return;
        const float radius = std::min({15.0f, 0.36f * pitch(first_), 0.3f * gap_});
        const Vec at{left(r) - gap_ / 2, middle_[r - first_][i]};
        const When now = when(at_, e.step);
        const Id id = edge_id(e.row);
        pen_.disc(at, radius, {Role::kPanel}, id);
        pen_.ring(at, radius, {Role::kActive, now == When::kFuture ? kFaint : 1.0f}, {Role::kText},
                  now == When::kPresent ? 2.5f : 0.0f, id);
        const std::string number = fmt::format("{}", e.venue);
        if (radius >= 9 && pen_.width(number, Face::kMonoBold, kLeast) < 1.7f * radius && now != When::kFuture)
            pen_.put(at, number, {Face::kMonoBold, kLeast, {Role::kOnActive}}, Align::kCentre, id);
    }

    void draw_entry(std::size_t r, std::size_t i) {
        const Entry& e = decided(r, i);
        const Box box = box_of(r, i);
        const bool start = e.row < 0, gone = lost(r, i), here = known(e);
        const bool present = !start && r > 0 && entry(r, i).row >= 0 && when(at_, e.step) == When::kPresent;
        const float shown = presence(e);
        const Id id = start ? 0 : edge_id(e.row);
        const bool bye = r > 0 && entry(r, i).row < 0;
        Rect rect{
            .box = box, .ink = {Role::kRaised}, .radius = 6, .outline = {Role::kLine}, .outline_width = 1, .id = id};
        if (!start && !gone && !bye) rect.ink = {Role::kWritten, shown};
        if (bye) rect.fill = Fill::kNone;
        if (present) {
            rect.outline = {Role::kText, shown};
            rect.outline_width = 3;
        }
        pen_.add(rect);
        if (!here) return;
        const bool blue = !start && !gone && !bye;
        const Ink ink = blue ? Ink{Role::kOnWritten} : gone || bye ? Ink{Role::kTextDim} : Ink{Role::kText};
        draw_name(r, i, box, gone ? Face::kSans : Face::kSansBold, ink, id);
        if (entry(r, i).row >= 0 && r > first_) draw_result(r, i, box);
    }

    void draw_name(std::size_t r, std::size_t i, Box box, Face face, Ink ink, Id id) {
        if (box.h < 15) return;
        const bool beats = s_.trace.launch.op == "beats";
        if (!beats) face = face == Face::kSans ? Face::kMono : Face::kMonoBold;
        const float size = std::min(19.0f, 0.62f * box.h + 3), width = box.w - 12;
        const std::string text = name(r, i, codes_);
        if (pen_.width(text, face, kLeast) > width) return;
        pen_.line(box.centre(), text, {face, std::max(kLeast, size), ink}, width, Align::kCentre, id);
    }

    /// Score, how it was decided, and where: below the winner, as far as there is room.
    void draw_result(std::size_t r, std::size_t i, Box box) {
        const std::uint32_t row = entry(r, i).row;
        const std::string result = score(s_, row);
        const kernels::Match* match = match_of_row(s_, row);
        if (!match) return;
        // Half the distance to the next box below, less what this one takes.
        const float room = pitch(first_) * (1u << (r - first_)) / 2 - box.h / 2;
        float y = box.bottom() + 15;
        const auto fits = [&](std::string_view text, Face face, float size) {
            return y + 9 <= std::min(box.bottom() + room, area_.bottom()) && pen_.width(text, face, size) <= box.w + 4;
        };
        const auto put = [&](std::string_view text, Style style) {
            if (text.empty() || !fits(text, style.face, kLeast)) return;
            pen_.line({box.centre().x, y}, text, style, box.w + 4, Align::kCentre, edge_id(row));
            y += 21;
        };
        const std::string full = match->decided.empty() ? result : fmt::format("{}, {}", result, match->decided);
        const Style strong{Face::kSansBold, 17, {Role::kText}};
        put(fits(full, strong.face, kSmall) ? full : result, strong);
        put(match->city, kDim);
    }

    Pen& pen_;
    const TournamentStudy& study_;
    const Subject& s_;
    Playhead at_;
    Target hover_;
    Box area_;
    std::size_t first_ = 0;  // the level in the first column
    bool codes_ = false;
    float head_ = kHead, column_ = 0, gap_ = 0;
    std::vector<std::vector<float>> middle_;  // (level - first_, entry)
};

}  // namespace

void draw_bracket(Pen& pen, const TournamentStudy& study, Playhead at, Box box, const Target& hover) {
    BracketPainter(pen, study, at, box, hover).draw();
}

}  // namespace warptree::scene
