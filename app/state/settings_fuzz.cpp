// libFuzzer's target for settings.toml: settings that were read come back as they were when they are saved and read
// again.
#include <fmt/format.h>

#include "app/state/settings.hpp"
#include "instrumentation/json/toml.hpp"
#include "instrumentation/trace/fuzz_text_testing.hpp"
#include "kernels/catalog.hpp"

using namespace warptree;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path saved =  // in memory: what is saved is synced
        fmt::format("/dev/shm/warptree_settings_fuzz_{}.toml", ::getpid());
    const fuzzing::MemoryFile file({reinterpret_cast<const char*>(data), size});
    const state::Settings loaded = state::load_settings(file.path());
    for (const std::string& message : loaded.messages) fuzzing::expect_sentence(message);
    if (!loaded.messages.empty() || loaded.kept.empty()) return 0;
    const Json kept = state::remembered(loaded.state, loaded.window, loaded.kept);
    if (!state::save_settings(kept, saved)) std::abort();
    const state::Settings again = state::load_settings(saved);
    std::filesystem::remove(saved);
    if (!again.messages.empty() || toml_text(again.kept) != toml_text(kept)) std::abort();
    return 0;
}
