// Golden pictures: each view's window, painted and made small, against assets/golden/pictures. Fonts and drivers move
// single pixels; a panel that is missing, displaced or of another colour moves whole blocks of them.
//
//   1280 x 720 pixels -> 64 x 36 blocks of 20 x 20, each the mean of its pixels; at other sizes as many, larger ones
//   a block differs where a channel is off by more than kChannel; pictures agree where at most kShare of them differ
#include <cairo.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/kit/draw.hpp"
#include "app/shell/frame.hpp"
#include "app/shell/offscreen.hpp"
#include "app/state/testing.hpp"

namespace warptree::shell {
namespace {

using namespace state;

namespace fs = std::filesystem;

constexpr int kAcross = 64, kChannel = 12;
constexpr double kShare = 0.03;

Image made_small(const Image& image) {
    const int block = image.width / kAcross;
    Image small{kAcross, image.height / block, {}};
    for (int y = 0; y < small.height; ++y)
        for (int x = 0; x < small.width; ++x)
            for (int channel = 0; channel < 3; ++channel) {
                long sum = 0;
                for (int i = 0; i < block * block; ++i) {
                    const int px = x * block + i % block, py = y * block + i / block;
                    sum += image.rgb[static_cast<std::size_t>((py * image.width + px) * 3 + channel)];
                }
                small.rgb.push_back(static_cast<std::uint8_t>(sum / (block * block)));
            }
    return small;
}

/// The share of blocks that differ; 1 where the sizes do.
double difference(const Image& a, const Image& b) {
    if (a.width != b.width || a.height != b.height || a.rgb.size() != b.rgb.size()) return 1;
    std::size_t differ = 0;
    for (std::size_t i = 0; i + 2 < a.rgb.size(); i += 3) {
        int most = 0;
        for (std::size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(int{a.rgb[i + c]} - int{b.rgb[i + c]}));
        differ += most > kChannel;
    }
    return static_cast<double>(differ) / static_cast<double>(a.rgb.size() / 3);
}

Image read_png(const fs::path& path) {
    Image image;
    cairo_surface_t* surface = cairo_image_surface_create_from_png(path.c_str());
    if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
        image.width = cairo_image_surface_get_width(surface);
        image.height = cairo_image_surface_get_height(surface);
        const int stride = cairo_image_surface_get_stride(surface);
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x) {
                const unsigned char* p = cairo_image_surface_get_data(surface) + y * stride + 4 * x;  // BGRx
                for (const int channel : {2, 1, 0}) image.rgb.push_back(p[channel]);
            }
    }
    cairo_surface_destroy(surface);
    return image;
}

/// A window whose picture is kept.
struct KeptWindow {
    std::string name;
    scene::View view;
    kernels::Request request = teaching_state().request;
    int width = 1280, height = 720;
};
std::ostream& operator<<(std::ostream& out, const KeptWindow& picture) {
    return out << picture.name;
}

kernels::Request usual(const char* kernel) {
    kernels::Request request = teaching_state().request;
    request.kernel = kernel;
    kernels::take_usual(*kernels::find(kernel), request);
    return request;
}

/// Each view, and what scans look like at the sizes of a laptop, a projector and a large screen.
std::vector<KeptWindow> pictures() {
    std::vector<KeptWindow> all;
    for (const scene::ViewRow& row : scene::view_rows())
        all.push_back({std::string(row.name), row.view,
                       row.view == scene::View::kTournament ? usual("tournament") : teaching_state().request});
    const kernels::Request blocks{.kernel = "kogge-stone", .n = 64, .block = 16, .warp_size = 4};
    const kernels::Request tiles{.kernel = "look-back", .n = 1024, .block = 32};
    for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1920, 1080), std::pair(3840, 2160)})
        for (const KeptWindow& scan : {KeptWindow{"scan", scene::View::kNetwork, usual("brent-kung")},
                                       KeptWindow{"scan-blocks", scene::View::kGrid, blocks},
                                       KeptWindow{"scan-tiles", scene::View::kNetwork, tiles}})
            all.push_back({scan.name + "-" + std::to_string(width), scan.view, scan.request, width, height});
    return all;
}

class GoldenPicture : public ::testing::TestWithParam<KeptWindow> {
protected:
    void SetUp() override {
        auto made = Offscreen::make(fonts);
        ASSERT_TRUE(made) << made.error().message;
        offscreen = std::move(*made);
    }
    /// The window at its second step, of scans in the middle, scene by scene.
    std::vector<scene::Scene> window(const KeptWindow& picture) {
        AppState state = teaching_state();
        state.request = picture.request;
        state.view = picture.view;
        state.theme = "light";
        App app(std::move(state), files.services());
        const bool scan = app.state().subject->trace.launch.scans();
        const std::size_t middle = 2 * app.state().subject->run().steps() / 3;
        app.apply({.action = Action::kGoTo, .value = scan ? static_cast<double>(middle) : 2});
        Frame frame(fonts);
        const auto width = static_cast<float>(picture.width), height = static_cast<float>(picture.height);
        const float unit = pixels_per_unit(picture.width, picture.height, 1);
        std::vector<scene::Scene> scenes;
        for (const scene::Scene* one : frame.compose(app.state(), {width / unit, height / unit}))
            scenes.push_back(*one);
        return scenes;
    }
    Image paint(const KeptWindow& picture, const std::vector<scene::Scene>& scenes) {
        std::vector<const scene::Scene*> all;
        for (const scene::Scene& one : scenes) all.push_back(&one);
        const auto image =
            offscreen->draw(all, picture.width, picture.height, pixels_per_unit(picture.width, picture.height, 1),
                            paint::theme_or_default("light"));
        EXPECT_TRUE(image) << image.error().message;
        return image ? made_small(*image) : Image{};
    }
    FakeFiles files;
    paint::Fonts fonts;
    std::unique_ptr<Offscreen> offscreen;
};

TEST_P(GoldenPicture, IsUnchanged) {
    const KeptWindow& row = GetParam();
    const fs::path path = fs::path("assets/golden/pictures") / (row.name + ".png");
    const Image now = paint(row, window(row));
    if (std::getenv("WARPTREE_UPDATE_GOLDENS") != nullptr) {
        fs::create_directories(path.parent_path());
        const auto bytes = encode_png(now);
        ASSERT_TRUE(bytes);
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
        return;
    }
    const Image golden = read_png(path);
    ASSERT_GT(golden.width, 0) << path << " is missing; write it with WARPTREE_UPDATE_GOLDENS=1.";
    EXPECT_LE(difference(golden, now), kShare) << row.name << " looks different; look at it, then rewrite " << path;
}

/// A scene moved to the right.
scene::Scene moved(scene::Scene scene, float dx) {
    for (scene::Shape& shape : scene.shapes) {
        std::visit(
            [dx](auto& s) {
                if constexpr (requires { s.box; }) s.box.x += dx;
                if constexpr (requires { s.centre.x; }) s.centre.x += dx;
                if constexpr (requires { s.at.x; }) s.at.x += dx;
                if constexpr (requires { s.control_a; })
                    for (scene::Vec* p : {&s.from, &s.control_a, &s.control_b, &s.to}) p->x += dx;
                if constexpr (requires { s.c; })
                    for (scene::Vec* p : {&s.a, &s.b, &s.c}) p->x += dx;
            },
            shape);
    }
    return scene;
}

TEST_P(GoldenPicture, TellsWhenAPanelIsMissingOrDisplaced) {
    const KeptWindow& row = GetParam();
    if (row.width > 1920) return;  // it is a share of the picture, whatever its size
    const auto whole = window(row);
    const Image right = paint(row, whole);
    EXPECT_EQ(difference(right, paint(row, whole)), 0);
    int panels = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const auto* ground = whole[i].shapes.empty() ? nullptr : std::get_if<scene::Rect>(&whole[i].shapes.front());
        const bool panel = ground != nullptr && ground->ink.role == scene::Role::kPanel && ground->box.w > 300;
        if (!panel) continue;
        ++panels;
        auto without = whole, displaced = whole;
        without[i] = {};
        displaced[i] = moved(whole[i], 40);
        EXPECT_GT(difference(right, paint(row, without)), kShare) << row.name << " without its part " << i;
        EXPECT_GT(difference(right, paint(row, displaced)), kShare)
            << row.name << " with its part " << i << " displaced";
    }
    EXPECT_GE(panels, row.view == scene::View::kLadder ? 1 : 2) << row.name << ": the ladder has no transport";
}

INSTANTIATE_TEST_SUITE_P(Windows, GoldenPicture, ::testing::ValuesIn(pictures()), [](const auto& one) {
    std::string name = one.param.name;
    std::ranges::replace(name, '-', '_');
    return name;
});

}  // namespace
}  // namespace warptree::shell
