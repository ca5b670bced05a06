// libFuzzer's target for settings.toml: settings that were read come back as they were when they are saved and read
// again.
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "app/state/settings.hpp"
#include "instrumentation/trace/fuzzing.hpp"

using namespace warptree;

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    fuzzing::Random random(seed);
    std::string text(reinterpret_cast<const char*>(data), size);
    fuzzing::change_text(text, random);
    if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
    std::memcpy(data, text.data(), text.size());
    return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path saved =
        std::filesystem::temp_directory_path() / fmt::format("warptree_settings_fuzz_{}.toml", ::getpid());
    const int file = ::memfd_create("settings", 0);
    if (::write(file, data, size) != static_cast<::ssize_t>(size)) std::abort();
    const state::LoadedSettings loaded = state::load_settings(fmt::format("/proc/self/fd/{}", file));
    ::close(file);
    for (const std::string& message : loaded.messages) fuzzing::expect_sentence(message);
    if (!loaded.messages.empty() || loaded.settings == state::Settings()) return 0;
    if (!state::save_settings(loaded.settings, saved)) std::abort();
    const state::LoadedSettings again = state::load_settings(saved);
    std::filesystem::remove(saved);
    if (!again.messages.empty() || again.settings != loaded.settings) std::abort();
    return 0;
}
