// The devices of a collective: columns, with a bar for what each holds; rounds are rows, and between two rows stands
// what went from whom to whom.
#include "app/views/devices/parts.hpp"

namespace warptree::scene {
namespace {

constexpr float kNames = 26, kWanted = 200, kLinksPart = 190;
constexpr float kLeastRow = 18, kMostRow = 110;  // units a round
constexpr float kBarShare = 0.42f, kLegibleBar = 18;

const LegendItem& like_of(const Piece& piece, std::uint32_t devices) {
    return kDeviceLegend[piece.count() == devices ? 2 : piece.count() == 1 ? 0 : 1];
}

struct DeviceRows : DeviceContext {
    Box inside;
    Shown shown = shown_about(done, rounds + 1, inside.h, kLeastRow);
    float pitch = std::min(kMostRow, inside.h / shown.count()), width = inside.w / all.devices;

    float middle(std::uint32_t device) const { return inside.x + (device + 0.5f) * width; }
    Box bar(std::size_t row, std::uint32_t device) const {
        const float gap = std::min(24.0f, 0.12f * width);
        return {inside.x + device * width + gap / 2, inside.y + (row - shown.first) * pitch, width - gap,
                std::max(4.0f, std::min(kBarShare * pitch, 40.0f))};
    }
    bool has(std::size_t row) const { return row >= shown.first && row < shown.end; }
};

/// What went over the links in a round, from a device's bar down to another's; of the round on show, up to the step.
void draw_messages(const DeviceRows& c, std::size_t round) {
    const float strong = c.present(round) ? 1.0f : 0.55f, width = c.present(round) ? 2.6f : 1.6f;
    const About about(c.pen, Word::kMessage);
    for (const counters::Message& one : c.messages(round)) {
        if (!c.draws(one)) continue;
        const Box from = c.bar(round, one.from), to = c.bar(round + 1, one.to);
        const float piece = (one.first + one.end) / 2.0f / c.all.part;  // it lies on both at the same place
        const Vec a{from.x + from.w * piece, from.bottom() + 2}, b{to.x + to.w * piece, to.y - 2};
        if (b.y - a.y >= 6) draw_arrow(c.pen, a, b, {kActive, strong}, width, std::min(7.0f, 0.25f * (b.y - a.y)));
    }
}

void draw_row_name(const DeviceRows& c, std::size_t row, Box names) {
    const Box bar = c.bar(row, 0);
    const bool chosen = row == c.done;
    const std::string name = row == 0 ? "before" : fmt::format("round {}", row);
    const About about(c.pen, Word::kRound);
    c.pen.line({names.x, bar.centre().y}, name, chosen_style(kDim, chosen), names.w - 8);
}

}  // namespace

void draw_pieces(const DeviceContext& c, Box whole, std::size_t rounds, std::uint32_t device) {
    const trace::Launch& launch = c.s.run().launches[rounds == 0 ? 0 : rounds - 1].launch;
    const auto block = launch.first_block_of(device);
    const Id id = block ? target_id(Target::Kind::kBlock, *block, rounds == 0 ? 0 : rounds - 1) : 0;
    for (const Piece& piece : c.all.held[rounds][device]) {
        const float begin = whole.w * piece.first / c.all.part, end = whole.w * piece.end / c.all.part;
        const Box box{whole.x + begin, whole.y, end - begin, whole.h};
        const LegendItem& like = like_of(piece, c.all.devices);
        c.pen.button(
            box, {.action = Action::kGoTo, .value = static_cast<double>(c.s.run().first_step(rounds))},
            fmt::format("Device {} {}: its elements {} to {}\n{} of {}", device,
                        rounds == 0 ? "before the first round" : fmt::format("after round {}", rounds), piece.first,
                        piece.end - 1, piece.count() == 1 ? "elements" : "sums", over_text(piece, c.all.devices)),
            4, Reach::kPointer);
        c.pen.mark(box, {like.role}, like.fill, whole.h < 10 ? 0.0f : 1.2f, std::min({4.0f, box.w / 3, box.h / 3}), id);
        const std::string count = std::to_string(piece.count());
        const float size = std::clamp(0.55f * box.h, kLeast, kSmall), text = c.pen.width(count, kMonoBold, size);
        if (box.h < kLegibleBar || text + 8 > box.w) continue;
        if (like.fill == kHatched)
            c.pen.fill({box.centre().x - text / 2 - 4, box.y + 2, text + 8, box.h - 4}, {kPanel}, 3);
        c.pen.put(box.centre(), count, {kMonoBold, size, {like.fill == kSolid ? kOnSegment : kText}}, kCentre, id);
    }
}

DevicesScene devices_view(const Subject& s, const Devices& all, Playhead at, Box box, const Measure& measure,
                          const Target& hover) {
    DevicesScene out;
    out.scene = on_panel(box, measure, [&](Pen& pen) {
        const DeviceContext of{{s, at, pen}, all};
        const Box inside = panel_inside(box);
        const auto head = [&](Box row) {
            const std::string round = fmt::format("Round {} of {}", s.launch + 1, of.rounds);
            draw_head(pen, row,
                      {round + ": " + s.trace.launch.function + (of.few ? "" : "; of links " + of.whose()), round},
                      fmt::format("{} of {} results are there", grouped(all.finished(of.done)),
                                  grouped(all.finished(of.rounds))));
        };
        const auto draw_picture = [&](Box picture) {
            Box heads = cut_top(picture, kNames);
            cut_bottom(picture, 8);
            const Box names = cut_left(picture, std::min(0.14f * box.w, 90.0f));
            const DeviceRows c{of, picture};
            Ruler ruler{pen, heads.y + 8, picture.x};
            for (std::uint32_t device = 0; device < all.devices; ++device) {
                const About about(pen, Word::kADevice);
                const bool roomy = c.width > pen.width("device 00", kDim.face, kDim.size);
                ruler.put(c.middle(device), (roomy ? "device " : "") + std::to_string(device), kDim);
            }
            for (std::size_t row = c.shown.first; row < c.shown.end; ++row) {
                draw_row_name(c, row, names);
                if (row > c.done) continue;
                for (std::uint32_t device = 0; device < all.devices; ++device)
                    draw_pieces(c, c.bar(row, device), row, device);
            }
            for (std::size_t round = 0; round < std::max(c.done, s.launch + std::size_t{1}); ++round)
                if (c.has(round) && c.has(round + 1)) draw_messages(c, round);
            const std::size_t row = std::clamp(s.launch + std::size_t{1}, c.shown.first, c.shown.end - 1);
            out.shown = c.bar(row, s.trace.launch.device_of_block(s.block));
        };
        const auto draw_below = [&](Box below) {
            draw_device_shape(of, cut_right(below, std::clamp(0.3f * below.w, 220.0f, 360.0f), 24));
            draw_links_over_time(of, below, hover);
        };
        constexpr float kLegibleRow = 38, kFoot = 50, kLeastLinks = 130;
        const float left = inside.h - kPictureHead - kNames - (of.rounds + 1) * kLegibleRow - kFoot;
        std::vector<Section> sections = {{kPictureHead, 1, head},
                                         {kWanted, 0, draw_picture, kClose, kRest, kNames + 2 * kLeastRow}};
        if (left >= kLeastLinks) sections.push_back({std::min(left, kLinksPart), 2, draw_below, kClose});
        stack_panel(
            pen, box, 0, std::move(sections), inside, kDeviceLegend,
            "Columns are devices, rows are rounds: a round is a launch on several devices at once. A bar is what "
            "a device holds; the number in a piece says the elements of how many devices it is the sum of. The wheel "
            "or "
            "Enter goes on into the grid.");
    });
    return out;
}

}  // namespace warptree::scene
