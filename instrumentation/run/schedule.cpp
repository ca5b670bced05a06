// Blocks that note where and when they run: what is added to a kernel's PTX, and the run.
#include "instrumentation/run/schedule.hpp"

#include <charconv>

#include <fmt/format.h>

#include "instrumentation/run/backend.hpp"

namespace warptree::kernels {
namespace {

constexpr std::string_view kEntry = ".visible .entry ";
constexpr std::string_view kWhere = R"(	mov.u32 	%wt_r1, %ctaid.x;
	ld.global.u64 	%wt_d1, [warptree_notes];
	mad.wide.u32 	%wt_d2, %wt_r1, 24, %wt_d1;
	mov.u64 	%wt_d0, %globaltimer;
)";
// Thread 0 begins its block; each warp's first lane says when it is done, and the last of these ends it.
constexpr std::string_view kBegin = R"(	.reg .pred 	%wt_p;
	.reg .b32 	%wt_r<3>;
	.reg .b64 	%wt_d<4>;
	mov.u32 	%wt_r0, %tid.x;
	setp.ne.u32 	%wt_p, %wt_r0, 0;
	@%wt_p bra 	$WT_RUN;
)";
constexpr std::string_view kNoteBegin = R"(	mov.u32 	%wt_r2, %smid;
	cvt.u64.u32 	%wt_d3, %wt_r2;
	st.global.u64 	[%wt_d2], %wt_d0;
	st.global.u64 	[%wt_d2+16], %wt_d3;
$WT_RUN:
)";
constexpr std::string_view kEnd = R"(	mov.u32 	%wt_r0, %tid.x;
	and.b32 	%wt_r0, %wt_r0, 31;
	setp.ne.u32 	%wt_p, %wt_r0, 0;
	@%wt_p bra 	$WT_END;
)";
constexpr std::string_view kNoteEnd = R"(	red.global.max.u64 	[%wt_d2+8], %wt_d0;
$WT_END:
	ret;
)";

/// Whether a mangled name is that of a function over float or int, and of that block where it is a constant of it.
bool names(std::string_view mangled, std::string_view function, std::uint32_t block) {
    const std::string begin = fmt::format("{}{}I", function.size(), function);
    const std::size_t at = mangled.find(begin);
    if (at == mangled.npos) return false;
    std::string_view rest = mangled.substr(at + begin.size());
    if (!rest.starts_with("f") && !rest.starts_with("i")) return false;
    rest.remove_prefix(1);
    if (!rest.starts_with("Lj")) return true;
    constexpr std::uint32_t kLeastBlock = 64;  // smaller constants are something else
    std::uint32_t constant = 0;
    std::from_chars(rest.data() + 2, rest.data() + rest.size(), constant);
    return constant < kLeastBlock || constant == block;
}

}  // namespace

Result<NotedKernel> noted_kernel(std::string_view ptx, std::string_view function, std::uint32_t block) {
    const std::size_t first = ptx.find(kEntry);
    for (std::size_t at = first; at != ptx.npos; at = ptx.find(kEntry, at + 1)) {
        const std::size_t name = at + kEntry.size(), end = ptx.find("\n}\n", at);
        const std::string_view mangled = ptx.substr(name, ptx.find('(', at) - name);
        if (end == ptx.npos || !names(mangled, function, block)) continue;
        std::string body(ptx.substr(at, end + 3 - at));
        const std::size_t open = body.find("\n{\n"), last = body.rfind("\tret;\n");
        if (open == body.npos || last == body.npos || body.find("ret;") != last + 1) break;
        body.replace(last, std::string_view("\tret;\n").size(), fmt::format("{}{}{}", kEnd, kWhere, kNoteEnd));
        body.insert(open + 3, fmt::format("{}{}{}", kBegin, kWhere, kNoteBegin));
        return NotedKernel{std::string(mangled), fmt::format("{}.visible .global .align 8 .u64 warptree_notes;\n\n{}",
                                                             ptx.substr(0, first), body)};
    }
    return failure(fmt::format("There is no PTX of {} for blocks of {} that could be noted.", function, block));
}

Result<Schedule> noted_schedule(const Request& request) {
    const auto prepared =
        check(request, false).and_then([](const Request& checked) { return prepare(checked, false); });
    if (!prepared) return tl::unexpected(prepared.error());
    constexpr std::uint32_t kOfThePtx = 75;
    if (prepared->kernel->sizes.needs.capability > kOfThePtx)
        return failure(fmt::format("{} has no schedule: its PTX here is for GPUs that lack an instruction it needs.",
                                   prepared->kernel->name));
    if (!prepared->native() || prepared->value_type != value::Type::kFloat32)
        return usage_error("A schedule is of a sum of float32; leave --op and --type out.");
    return cuda_backend().schedule(*prepared);
}

}  // namespace warptree::kernels
