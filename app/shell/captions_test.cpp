// Captions in small windows with large text: of every kernel and step, none ends in an ellipsis.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/paint/fonts.hpp"
#include "app/subject/testing.hpp"
#include "app/views/compare/view.hpp"
#include "app/views/transport/view.hpp"
#include "kernels/catalog.hpp"

namespace warptree::shell {
namespace {

/// What of a scene is cut off.
std::string cut_off(const scene::Scene& scene) {
    for (const scene::Shape& shape : scene.shapes)
        if (const auto* text = std::get_if<scene::Text>(&shape); text && text->text.ends_with("…")) return text->text;
    return "";
}

TEST(Captions, HaveRoomForTheirWordingInEveryWindow) {
    const paint::Fonts fonts;
    std::size_t steps = 0;
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        kernels::Request request{.kernel = std::string(kernel.name)};
        kernels::take_usual(kernel, request);
        auto run = kernels::record(request);
        ASSERT_TRUE(run) << kernel.name;
        const auto facts = std::make_shared<const study::RunFacts>(std::move(*run));
        std::vector<std::shared_ptr<const study::Subject>> launches;
        for (std::size_t launch = 0; launch < facts->run.launches.size(); ++launch)
            launches.push_back(study::make_subject(facts, launch, 0));
        const study::Comparison two({launches[0], launches[0]}), four({4, launches[0]});
        for (const scene::Vec size : {scene::Vec{1280, 720}, {1920, 1080}})
            for (std::size_t row = 0; row < scene::text_rows().size(); ++row) {
                SCOPED_TRACE(fmt::format("{}, {} x {}, text {}", kernel.name, size.x, size.y, row));
                const float text = scene::text_scale(row, size);
                const scene::TransportState look{.text = text};
                const auto box = [&](scene::View view) { return scene::layout(size, view, {}, text).transport; };
                for (const auto& s : launches)
                    for (std::size_t at = 0; at <= std::min<std::size_t>(40, s->steps()); ++at, ++steps)
                        EXPECT_EQ(cut_off(transport_view(*s, {at, 1}, look, box(scene::View::kTree), fonts)), "");
                for (const study::Comparison* c : {&two, &four})
                    for (std::size_t at = 0; at <= std::min<std::size_t>(40, c->moments()); ++at)
                        EXPECT_EQ(cut_off(compare_transport_view(*c, {at, 1}, look, box(scene::View::kCompare), fonts)),
                                  "");
            }
    }
    EXPECT_GT(steps, 1000u);
}

}  // namespace
}  // namespace warptree::shell
