// The files of a program: the sources and those that they include from their own folders.
#include "instrumentation/foreign/rewrite/rewrite.hpp"

#include <iomanip>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "instrumentation/foreign/rewrite/file.hpp"
#include "instrumentation/text_file.hpp"

namespace warptree::foreign {
namespace {

namespace fs = std::filesystem;

/// What stands in the place of a header of CUDA's; "": it is another one's.
std::string in_place_of(std::string_view name) {
    static const Words kHost = {"cuda.h",
                                "cuda_runtime.h",
                                "cuda_runtime_api.h",
                                "device_launch_parameters.h",
                                "driver_types.h",
                                "driver_functions.h",
                                "vector_types.h",
                                "vector_functions.h",
                                "device_functions.h",
                                "host_defines.h",
                                "math_functions.h",
                                "cuda_profiler_api.h",
                                "device_atomic_functions.h",
                                "math_constants.h",
                                "sm_20_atomic_functions.h",
                                "sm_35_intrinsics.h",
                                "sm_60_atomic_functions.h",
                                "sm_30_intrinsics.h",
                                "sm_61_intrinsics.h",
                                "cuda_device_runtime_api.h"};
    static const Words kHelpers = {"helper_cuda.h", "helper_functions.h", "helper_string.h", "helper_timer.h",
                                   "exception.h"};
    const std::size_t slash = name.rfind('/');
    const std::string_view last = name.substr(slash == name.npos ? 0 : slash + 1);
    if (last == "helper_math.h" || last == "cutil_math.h" || last == "cuComplex.h") return "#include \"wt_math.h\"";
    if (has(kHost, last)) return "#include \"warptree/host.hpp\"";
    if (has(kHelpers, last)) return "#include \"wt_helper.h\"";
    if (name.starts_with("cooperative_groups/")) return "#include <cooperative_groups.h>";
    if (name.starts_with("thrust/")) return "#include \"wt_thrust.h\"";
    static const Words kHalves = {"cuda_fp16.h", "cuda_bf16.h", "cuda_fp16.hpp", "mma.h"};
    static const Words kBlas = {"cublas_v2.h", "cublas.h",  "cublas_api.h", "cublasLt.h",  "library_types.h",
                                "cufft.h",     "cufftXt.h", "cusparse.h",   "cusolverDn.h"};
    if (has(kHalves, last)) return "#include \"wt_half.h\"";
    if (has(kBlas, last)) return "#include \"wt_cublas.h\"";
    if (last.starts_with("curand")) return "#include \"wt_curand.h\"";
    if (name.starts_with("nvtx3/") || last == "nvToolsExt.h") return "#include \"wt_nvtx.h\"";
    if (name.starts_with("cub/")) return "#include \"wt_cub.h\"";
    if (name.starts_with("cuda/")) return "#include \"wt_libcu.h\"";
    static const Words kBooks = {"book.h", "common.h", "freshman.h", "error.cuh", "timer.h", "gputimer.h"};
    if (has(kBooks, last)) return "#include \"wt_books.h\"";
    if (last == "wb.h") return "#include \"wt_wb.h\"";
    if (last == "cuda_pipeline.h" || last == "cuda_pipeline_primitives.h") return "#include \"wt_libcu.h\"";
    return "";
}

class Files {
public:
    Files(const std::vector<fs::path>& folders, const std::vector<std::string>& macros, Recording what)
        : folders_(folders), what_(what) {
        for (const std::string& one : macros) shared_.macros[one.substr(0, one.find('='))];
    }

    /// source   it is to be compiled by itself, unless another one includes it
    /// returns  the name that it will have
    std::string add(const fs::path& path, bool source = false) {
        for (Entry& one : files_)
            if (one.path == path) {
                one.source = one.source && source;
                return one.name;
            }
        const auto text = text_of_file(path);
        if (!text) {
            unread_ = path;
            return {};
        }
        std::string all = *text;
        if (all.starts_with("\xef\xbb\xbf")) all.erase(0, 3);
        if (all.starts_with("%%")) all.insert(0, "//");  // the first line of a notebook's cell
        std::erase(all, '\r');
        const std::string name = fmt::format("wt_{}_{}", files_.size(), path.filename().string());
        files_.push_back({path, name, source, std::make_unique<File>(all, shared_)});
        File& file = *files_.back().file;
        file.survey();
        file.includes([&](const std::string& included, bool own) { return include(path, included, own); });
        return name;
    }
    std::vector<Rewritten> all() {
        std::vector<Rewritten> out;
        shared_.narrow = what_ == Recording::kAll;
        for (Entry& one : files_)
            if (what_ == Recording::kAll) one.file->settle();
        const auto facts = [&] {
            std::size_t count = shared_.data_returns.size();
            for (const auto& [name, parameters] : shared_.data_parameters) count += parameters.size();
            return count;
        };
        for (std::size_t before = ~std::size_t{0}; what_ != Recording::kNothing && before != facts();) {
            before = facts();
            for (Entry& one : files_) one.file->infer_all();
        }
        for (Entry& one : files_) {
            std::ostringstream text;
            text << "#line 1 " << std::quoted(one.path.string()) << '\n'
                 << (what_ == Recording::kNothing ? one.file->launched() : one.file->rewritten());
            out.push_back({one.name, text.str(), one.path, one.source, one.file->has_main(),
                           one.file->may_record_less(), one.file->kernels()});
        }
        return out;
    }
    const fs::path& unread() const { return unread_; }
    std::string unsupported() const {
        for (const Entry& one : files_)
            if (const auto line = one.file->inner_launch(); line > 0)
                return fmt::format(
                    "{}:{}: a kernel launches a kernel, which is not understood here: launches are the host's.",
                    one.path.string(), line);
        return {};
    }

private:
    struct Entry {
        fs::path path;
        std::string name;
        bool source;
        std::unique_ptr<File> file;
    };
    static bool is_nvidias(const fs::path& path) {
        return text_of_file(path).value_or("").find("NVIDIA") != std::string::npos;
    }
    /// own  in quotes: it may be beside the file
    std::string include(const fs::path& from, const std::string& name, bool own) {
        const std::string ours = in_place_of(name);
        std::vector<fs::path> places = folders_;
        if (own || name.ends_with(".cuh")) places.insert(places.begin(), from.parent_path());  // no system has these
        for (const fs::path& folder : places) {
            std::error_code ignored;
            const fs::path path = (folder / name).lexically_normal();
            if (!fs::is_regular_file(path, ignored)) continue;
            // NVIDIA's helpers fit each other, so ours come all together or not at all
            if (!ours.empty() && name.find("helper_") != name.npos && is_nvidias(path)) break;
            return fmt::format("#include \"{}\"", add(path));
        }
        return ours;
    }

    const std::vector<fs::path>& folders_;
    Recording what_;
    Shared shared_;
    std::vector<Entry> files_;
    fs::path unread_;
};

}  // namespace

Result<std::vector<Rewritten>> rewrite(const std::vector<fs::path>& sources, const std::vector<fs::path>& folders,
                                       const std::vector<std::string>& macros, Recording what) {
    Files files(folders, macros, what);
    for (const fs::path& source : sources) files.add(source, true);
    if (!files.unread().empty()) return failure(fmt::format("{} cannot be read.", files.unread().string()));
    if (const std::string why = files.unsupported(); !why.empty()) return usage_error(why);
    return files.all();
}

std::string rewritten(std::string_view text) {
    Shared shared;
    File file(text, shared);
    file.survey();
    file.settle();
    return file.rewritten();
}

}  // namespace warptree::foreign
