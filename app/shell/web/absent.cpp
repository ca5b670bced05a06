// What the web edition has not, and says so: pictures of pixels and pages, other programs, modules.
#include <bit>
#include <cerrno>
#include <compare>
#include <limits>

#include <dlfcn.h>
#include <spawn.h>

#include "app/paint/vector_painters.hpp"
#include "app/shell/offscreen.hpp"

namespace warptree {
namespace {

Error no_pixels() {
    return {Error::Kind::kFailed,
            "The web edition draws pictures as .svg alone; PNG, PDF and films are the desktop's."};
}

}  // namespace

namespace shell {

struct Offscreen::State {};
Offscreen::Offscreen(std::unique_ptr<State> state) : state_(std::move(state)) {}
Offscreen::~Offscreen() = default;
Result<std::unique_ptr<Offscreen>> Offscreen::make(const paint::Fonts&, Prefer) {
    return tl::unexpected(no_pixels());
}
Result<Image> Offscreen::draw(std::span<const scene::Scene* const>, int, int, float, const paint::Theme&) {
    return tl::unexpected(no_pixels());
}
Result<std::vector<std::byte>> encode_png(const Image&) {
    return tl::unexpected(no_pixels());
}

}  // namespace shell

namespace paint {

struct PdfPages::State {};
PdfPages::PdfPages() = default;
PdfPages::~PdfPages() = default;
PdfPages::PdfPages(PdfPages&&) noexcept = default;
Result<void> PdfPages::add(std::span<const scene::Scene* const>, Vec, float, const Theme&, const Fonts&) {
    return tl::unexpected(no_pixels());
}
Result<std::vector<std::byte>> PdfPages::finish() {
    return tl::unexpected(no_pixels());
}
Result<std::vector<std::byte>> paint_pdf(std::span<const scene::Scene* const>, Vec, float, const Theme&, const Fonts&) {
    return tl::unexpected(no_pixels());
}

}  // namespace paint
}  // namespace warptree

/// Declared by libc++ 13 and not defined: -0 before 0, NaN beyond infinity.
template <>
std::strong_ordering std::strong_order(const double& a, const double& b) {
    const auto key = [](double value) {
        const auto bits = std::bit_cast<std::int64_t>(value);
        return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
    };
    return key(a) <=> key(b);
}

// The C library's: what starts programs and opens modules fails, and who calls it says what that means.
extern "C" {

int posix_spawnp(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*,
                 char* const*) {
    return ENOSYS;
}
int memfd_create(const char*, unsigned) {
    errno = ENOSYS;
    return -1;
}
void* dlopen(const char*, int) {
    return nullptr;
}
void* dlsym(void*, const char*) {
    return nullptr;
}

}  // extern "C"
