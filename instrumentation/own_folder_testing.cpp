// Linked into every program of tests: files that it names in the folder for temporary ones lie in a folder of its own,
// so that two programs, or two parts of one, can run at the same time. It is removed when the program ends.
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace {

struct OwnFolder {
    OwnFolder() {
        std::error_code none;
        auto pattern = (std::filesystem::temp_directory_path(none) / "warptree-tests-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) return;
        path = pattern;
        std::filesystem::permissions(path, std::filesystem::perms(0755), none);  // of tests that become somebody else
        setenv("TMPDIR", path.c_str(), 1);
    }
    ~OwnFolder() {
        std::error_code ignored;
        if (!path.empty()) std::filesystem::remove_all(path, ignored);
    }
    std::filesystem::path path;
} own_folder;

}  // namespace
