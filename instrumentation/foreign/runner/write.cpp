// The trace of what a result was made of: the launches that it hangs on, the arrays' roles, and their rows.
#include <algorithm>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "instrumentation/foreign/runner/state.hpp"
#include "instrumentation/record/canonical.hpp"
#include "instrumentation/refusal.hpp"
#include "instrumentation/text.hpp"
#include "instrumentation/text_file.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/run.hpp"
#include "instrumentation/trace/validate.hpp"
#include "instrumentation/value/operator.hpp"
#include "instrumentation/version.hpp"

namespace warptree::foreign {
namespace {

using trace::Role;
using value::Type;

/// Types as a run has them: whole numbers with their sign, whose sums have the same bits.
Type signed_of(Type type) {
    return type == Type::kUint32 ? Type::kInt32 : type == Type::kUint64 ? Type::kInt64 : type;
}

/// What the launches of a result did with an array.
struct Use {
    bool reads_first = false;  // what no launch of these wrote
    bool written = false;
    bool handed = false;     // from one launch to a later one
    bool exchanged = false;  // a block read what another one of its launch wrote
    std::uint32_t read_end = 0;
    std::vector<std::uint32_t> made = {};  // (cells,) of elements, as source_of() has them of which arrays
    std::set<std::uint32_t> reduced = {};  // cells that atomics add to
    std::uint64_t members = 0;             // of structs as elements: those that are used, a bit each
    Role role = Role::kScratch;
};

class Writer {
public:
    Writer(const Copied& result, std::string file, Purpose purpose)
        : result_(result), file_(std::move(file)), purpose_(purpose) {}

    /// errors  thrown: why there is no trace
    trace::Run run() {
        for (const std::size_t i : result_.launches)
            if (const LaunchRecord& launch = state().launches[i]; !launch.kept)
                refuse("what launch {} ({}) did is more than is kept here, or it did not end; a smaller N can be shown",
                       i + 1, launch.function);
        for (const std::size_t i : result_.launches) look_at(state().launches[i]);
        choose_roles();
        if (is_copied() && result_.origins.empty())
            refuse("{}{} elements of {}{}, which are a part of it, or lie where the input stood; up to {} can be shown",
                   result_.by_main ? "main() takes " : "", result_.bytes / size(result_.array),
                   array(result_.array).name, result_.by_main ? "" : " were written",
                   kMostCopied * kCell / size(result_.array));
        for (const std::size_t i : result_.launches) {  // the first's, unless that combines nothing of other threads
            const Folds folds = folds_of(state().launches[i], result_.array);
            if (i == *result_.launches.begin() || (!folds_.crossing && folds.crossing)) folds_ = folds;
            if (folds_.crossing) break;
        }
        std::vector<record::Piece> pieces;
        std::uint32_t earlier = 0;
        for (const std::size_t i : result_.launches) {
            pieces.push_back(piece(state().launches[i], earlier));
            earlier += state().launches[i].blocks;
        }
        if (is_copied()) pieces.push_back(copy_to_host(pieces, earlier));
        record::connect(pieces);
        trace::Run run;
        for (record::Piece& one : pieces) {
            one.trace.launch.op = std::string(value::kOpNames[folds_.op]);
            run.launches.push_back(std::move(one.trace));
        }
        for (const std::size_t i : result_.launches)
            if (!state().launches[i].copy) add_listing(run, file_of(state().launches[i].function));
        return run;
    }

private:
    /// Whether the copy to the host is a launch of its own.
    bool is_copied() const { return (in_place_ || part_) && purpose_ != Purpose::kAccesses; }
    static std::string last_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }
    std::string name() const { return last_of(file_); }
    static void add_listing(trace::Run& run, const std::string& path) {
        const std::string name = last_of(path);
        if (std::ranges::find(run.listings, name, &trace::Listing::file) != run.listings.end()) return;
        std::string listing = text_of_file(path).value_or("");
        std::erase(listing, '\r');
        for (std::size_t at = 0; (at += utf8_size(std::string_view(listing).substr(at))) < listing.size(); at += 2) {
            const auto byte = static_cast<unsigned char>(listing[at]);  // of an older text: Latin-1
            listing.replace(at, 1, {static_cast<char>(0xC0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3F))});
        }
        run.listings.push_back({name, listing});
    }
    const GlobalArray& array(std::size_t number) const { return state().arrays[number]; }
    Type type(std::size_t number) const { return signed_of(array(number).type.type()); }
    std::size_t size(std::size_t number) const { return array(number).type.bytes(); }
    /// Whether an array's elements are shown as the run's: those of its type, or of a smaller one.
    bool fits(std::size_t number) const {
        const Type own = type(number);
        return own == type_ || (value::is_float(type_) && (number == input_ || number == result_.array)) ||
               (value::is_float(own) == value::is_float(type_) && value::size_bytes(own) < value::size_bytes(type_));
    }
    std::uint32_t extent(std::size_t number) const {
        return static_cast<std::uint32_t>(array(number).bytes / size(number));
    }

    /// How many numbers an array's elements have, if these are structs; else 1.
    std::size_t members_of(std::size_t number) const {
        const std::size_t all = array(number).element / size(number);
        constexpr std::size_t kMost = 64;
        return all <= kMost && all * size(number) == array(number).element ? std::max<std::size_t>(all, 1) : 1;
    }
    /// Whether a cell is a member that no launch uses, or that is of another type.
    bool is_unused(std::size_t number, std::size_t cell) const {
        const std::size_t all = members_of(number);
        const auto use = uses_.find(number);
        return all > 1 && use != uses_.end() && (use->second.members >> cell % all & 1) == 0;
    }

    void look_at(const LaunchRecord& launch) {
        if (launch.arrays.size() > probe::kFirstShared)
            refuse("{} uses {} arrays; up to {} can be shown", launch.function, launch.arrays.size(),
                   probe::kFirstShared);
        for (const Touched& one : launch.arrays)
            if (one.read_end > 0) {
                uses_[one.array].reads_first = true;
                uses_[one.array].read_end = std::max(uses_[one.array].read_end, one.read_end);
            }
        for (const RawBlock& block : launch.logs) {
            note_made(launch, block);
            for (RawEvent event : block.events) {
                const RawKind kind = probe::kind_of(event.what);
                const std::uint32_t number = probe::array_of(event.what);
                if (kind == RawKind::kEmpty || number >= launch.arrays.size() ||
                    !(probe::is_read(kind) || probe::stores(kind)))
                    continue;
                Use& use = uses_[launch.arrays[number].array];
                if (const std::size_t all = members_of(launch.arrays[number].array); all > 1)
                    use.members |= std::uint64_t{1} << event.index % all;
                use.written |= probe::stores(kind);
                if (kind == RawKind::kOwnReduction) use.reduced.insert(event.index);
                if (!probe::is_read(kind)) continue;
                if (event.a != kNone && event.b >= launch.blocks && !owner_here(launch.earlier + event.b, 0))
                    event.a = kNone;  // what a launch filled that is not of these
                if (event.a == kNone && !use.reduced.contains(event.index)) {
                    use.reads_first = true;
                    use.read_end = std::max(use.read_end, event.index + 1);
                }
                use.handed |= event.a != kNone && event.b != block.block && event.b >= launch.blocks;
                use.exchanged |= event.a != kNone && event.b != block.block && event.b < launch.blocks;
            }
        }
    }

    /// Of what goes into a value one bit an array; of very many arrays some have the same.
    static std::uint32_t source_of(std::size_t number) { return std::uint32_t{1} << number % 32; }

    /// Notes the cells into which elements go that some launch found in memory.
    void note_made(const LaunchRecord& launch, const RawBlock& block) {
        std::vector<std::uint32_t> made(block.events.size());
        for (std::size_t at = 0; at < made.size(); ++at) {
            const RawEvent& event = block.events[at];
            const RawKind kind = probe::kind_of(event.what);
            const std::uint32_t number = probe::array_of(event.what);
            const auto made_of = [&](std::uint32_t operand) { return operand < at ? made[operand] : 0; };
            const bool global = number < launch.arrays.size() && (probe::is_read(kind) || probe::stores(kind));
            std::vector<std::uint32_t>* const cells = global ? &uses_[launch.arrays[number].array].made : nullptr;
            if (global) cells->resize(std::max<std::size_t>(cells->size(), event.index + 1u));
            if (probe::stores(kind))
                made[at] = made_of(event.a) | (kind == RawKind::kOwnReduction && global ? (*cells)[event.index] : 0);
            else if (probe::is_read(kind) && global)
                made[at] = (*cells)[event.index] |
                           (event.a == kNone || (event.b >= launch.blocks && !owner_here(launch.earlier + event.b, 0))
                                ? source_of(launch.arrays[number].array)
                                : 0);
            else
                made[at] = made_of(event.a) | (kind == RawKind::kCombine ? made_of(event.b) : 0);
            if (global && probe::stores(kind)) (*cells)[event.index] = made[at];
        }
    }

    void choose_roles() {
        const std::size_t out = result_.array;
        if (std::ranges::all_of(result_.launches, [](std::size_t i) { return state().launches[i].copy; }))
            refuse("{} was copied from what no kernel made of elements", array(out).name);
        std::uint32_t sources = 0;
        for (const std::uint32_t made : uses_[out].made) sources |= made;
        const bool followed = (sources & ~source_of(out)) != 0;  // not only what stood in the result before
        const auto is_source = [&](std::size_t number) { return !followed || (sources & source_of(number)) != 0; };
        for (const auto& [number, use] : uses_)  // no flags, keys or indices, which choose elements alone
            if (number != out && use.reads_first && is_source(number) &&
                (input_ == kNobody || use.read_end > uses_[input_].read_end))
                input_ = number;
        // Of more elements than any other array, what stood in the result before is the input: the host made the other
        in_place_ = input_ == kNobody || (uses_[out].reads_first && uses_[out].read_end > uses_[input_].read_end);
        if (purpose_ == Purpose::kElements && ((in_place_ && !uses_[out].reads_first) || sources == 0))
            refuse("{} is not made of elements that a kernel read", array(out).name);
        // Else a kernel makes its numbers itself, or adds them to what was set to zero
        in_place_ = in_place_ && uses_[out].reads_first && !(input_ == kNobody && begins_at_zero(out));
        if (in_place_) input_ = out;
        type_ = type(out);
        if (input_ != kNobody)
            type_ = std::max(type_, type(input_), [](Type x, Type y) {  // floats before whole numbers, then by size
                return std::pair(value::is_float(x), value::size_bytes(x)) <
                       std::pair(value::is_float(y), value::size_bytes(y));
            });
        part_ = result_.bytes / size(out) < extent(out);
        for (auto& [number, use] : uses_) {
            const bool same = fits(number);
            use.role = number == input_                                                            ? Role::kInput
                       : number == out && !part_                                                   ? Role::kOutput
                       : same && use.written && (use.handed || !use.reads_first) && !use.exchanged ? Role::kPartial
                       : same && input_ != kNobody && use.reads_first && is_source(number) && !use.written &&
                               use.read_end >= uses_[input_].read_end
                           ? Role::kInput
                           : Role::kScratch;
        }
    }

    /// Whether there was nothing but zeros in an array before its first launch.
    bool begins_at_zero(std::size_t number) const {
        for (const std::size_t i : result_.launches)
            for (const Touched& one : state().launches[i].arrays)
                if (one.array == number && one.before != nullptr)
                    return std::ranges::all_of(*one.before, [](auto byte) { return static_cast<int>(byte) == 0; });
        return false;
    }

    /// Of an array that tickets alone are drawn from there is no row.
    Role role_of(std::size_t number) const {
        const auto use = uses_.find(number);
        return use == uses_.end() ? Role::kScratch : use->second.role;
    }
    trace::Array described(std::size_t number) const {
        const std::string& given = array(number).name;
        trace::Array out{given.empty() ? fmt::format("array {}", number + 1) : given,
                         trace::Space::kGlobal,
                         role_of(number),
                         std::max(extent(number), 1u),
                         {}};
        if (!fits(number)) out.type = array(number).type.type();
        return out;
    }
    value::Values contents(std::size_t number, const Contents& bytes) const {
        const ElementType& element = array(number).type;
        const Type own = element ? element.type() : type_;
        const bool same = signed_of(own) == type_;
        value::Values out(same ? type_ : own, std::max(extent(number), 1u));
        if (element.bytes() == value::size_bytes(out.type()))
            std::memcpy(out.bytes.data(), bytes->data(), std::min(out.bytes.size(), bytes->size()));
        else
            for (std::size_t i = 0; i < extent(number); ++i)
                out.set_bits(i, bits_at(bytes->data() + i * element.bytes(), *element.said));
        for (std::size_t i = 0; i < out.size(); ++i)
            if (is_unused(number, i)) out.set_bits(i, value::identity(out.type(), static_cast<value::Op>(folds_.op)));
        if (same || !fits(number)) return out;
        value::Values wide(type_, out.size());
        for (std::size_t i = 0; i < out.size(); ++i) wide.set_bits(i, converted(out.bits(i), own));
        return wide;
    }

    /// Of an array that the host fills in parts between launches: all of them.
    Contents filled(std::size_t number) const {
        Contents last;
        for (const std::size_t i : result_.launches)
            for (const Touched& one : state().launches[i].arrays)
                if (one.array == number) last = one.before;
        return last;
    }
    record::Piece piece(const LaunchRecord& launch, std::uint32_t earlier) {
        std::vector<RawBlock> logs = with_rounds(launch, result_.array);
        trace::Trace out;
        out.launch.kernel = name();
        out.launch.function = launch.function;
        out.launch.n = input_ == kNobody ? 1 : std::max(1u, uses_[input_].read_end);
        if (input_ != kNobody) out.launch.members = static_cast<std::uint32_t>(members_of(input_));
        if (const std::uint64_t rest = out.launch.n % out.launch.members; rest > 0)  // the last struct's
            out.launch.n = std::min<std::uint64_t>(out.launch.n + out.launch.members - rest, extent(input_));
        if (out.launch.n % out.launch.members > 0) out.launch.members = 1;
        if (input_ == kNobody) out.launch.unjudged = "its kernels read no elements: they make the numbers themselves";
        const std::size_t whole = array(result_.array).element;
        if (result_.bytes < whole && input_ != kNobody)
            out.launch.unjudged = fmt::format("of the {} bytes of an element of {} {} were copied back", whole,
                                              array(result_.array).name, result_.bytes);
        out.launch.grid = launch.blocks, out.launch.block = launch.threads;
        out.launch.type = type_;
        out.launch.input = "values";
        out.launch.build = kBuild;
        out.value = value::Values(type_);
        for (const Touched& one : launch.arrays) {
            out.arrays.push_back(described(one.array));
            const bool is_input = role_of(one.array) == Role::kInput && !uses_[one.array].written;
            out.initial.push_back(contents(one.array, is_input ? filled(one.array) : one.before));
            out.final.push_back(contents(one.array, is_input ? filled(one.array) : one.after));
        }
        if (purpose_ == Purpose::kAccesses && std::ranges::find(out.arrays, Role::kOutput, &trace::Array::role) ==
                                                  out.arrays.end()) {  // it is none's, but a trace has one
            out.arrays.push_back({"no output", trace::Space::kGlobal, Role::kOutput, 1, {}});
            out.initial.emplace_back(type_, 1), out.final.emplace_back(type_, 1);
        }
        for (const SharedArray& one : launch.shared) {
            const std::size_t size = one.type ? one.type.bytes() : std::max<std::size_t>(one.element, 4);
            out.arrays.push_back({one.name,
                                  trace::Space::kShared,
                                  Role::kScratch,
                                  std::max(1u, static_cast<std::uint32_t>(one.bytes / size)),
                                  {}});
        }
        if (logs.size() < launch.blocks) {
            out.kept.emplace();
            for (const RawBlock& block : logs) out.kept->blocks.push_back(block.block);
        }
        std::vector<record::Assembler> parts;
        parts.emplace_back(out.arrays, launch.threads, type_, static_cast<std::uint32_t>(logs.size()));
        for (RawBlock& block : logs) {
            as_rows(launch, block, folds_.op, earlier);
            parts[0].add_block(block.block, block.events.data(), static_cast<std::uint32_t>(block.events.size()));
        }
        auto made = record::assemble(std::move(out), std::move(parts));
        if (!made) refuse("{} does more than a trace holds; a smaller N can be shown", launch.function);
        if (made->trace.kept) count_blocks(*made, launch);
        return std::move(*made);
    }

    /// Bits of another type as the run's type has the number.
    std::uint64_t converted(std::uint64_t bits, Type from) const {
        if (signed_of(from) == type_) return bits;
        const value::Values one = value::value_of(from, bits);
        if (value::is_float(type_))
            return value::float_bits(type_,
                                     value::is_float(from) ? one.as_double(0) : static_cast<double>(one.as_integer(0)));
        const std::int64_t whole =
            value::is_float(from) ? static_cast<std::int64_t>(one.as_double(0)) : one.as_integer(0);
        return static_cast<std::uint64_t>(whole) & (value::size_bytes(type_) == 8 ? ~std::uint64_t{0} : 0xffffffffu);
    }
    /// The block's number as this run counts it, from its launch's first on; none: it is of no launch of this run.
    /// block  counted over all launches
    std::optional<std::uint32_t> owner_here(std::uint32_t block, std::uint32_t earlier) const {
        std::uint32_t before = 0;
        for (const std::size_t i : result_.launches) {
            const LaunchRecord& other = state().launches[i];
            if (block - other.earlier < other.blocks) return before + (block - other.earlier) - earlier;
            before += other.blocks;
        }
        return std::nullopt;
    }

    /// Places become lines, operators the launch's where they are, and what is of another type nobody's operand.
    void as_rows(const LaunchRecord& launch, RawBlock& block, unsigned op, std::uint32_t earlier) const {
        std::vector<bool> dead(block.events.size());
        const auto live = [&](std::uint32_t event) { return event < dead.size() && !dead[event] ? event : kNone; };
        for (std::size_t at = 0; at < block.events.size(); ++at) {
            RawEvent& event = block.events[at];
            RawKind kind = probe::kind_of(event.what);
            if (kind == RawKind::kEmpty || kind == RawKind::kMarker) continue;
            if (kind == RawKind::kClusterBarrier) kind = RawKind::kBarrier;  // of the grid
            std::uint32_t number = probe::array_of(event.what);
            const bool access = probe::is_read(kind) || probe::stores(kind);
            const bool global = access && number < probe::kFirstShared,
                       own = global && !fits(launch.arrays[number].array);
            if (access && !own) {
                const auto& from =
                    global ? array(launch.arrays[number].array).type : launch.shared[number - probe::kFirstShared].type;
                event.value = converted(event.value, from ? from.type() : type_);
            }
            if (probe::is_read(kind)) {
                dead[at] = own;
                if (event.a != kNone && event.b != block.block && event.b >= launch.blocks) {
                    const auto owner = owner_here(launch.earlier + event.b, earlier);
                    event.a = owner ? event.a : kNone;
                    event.b = owner.value_or(kNone);
                }
            } else if (probe::has_operator(kind)) {
                const auto from = static_cast<Type>(event.index);
                event.index = 0;
                event.a = live(event.a);
                if (kind == RawKind::kCombine) event.b = live(event.b);
                if (kind == RawKind::kCombine && event.a == kNone && event.b == kNone) {
                    event.what = 0;  // of indices and the like
                    dead[at] = true;
                    continue;
                }
                event.value = converted(event.value, from);
                if (number == op) number = probe::kLaunchOperator;
            } else if (kind == RawKind::kShuffle) {
                event.value = converted(event.value, static_cast<Type>(event.b));
                event.b = kNone;
                event.a = live(event.a);
            } else if (probe::stores(kind)) {
                event.a = own ? kNone : live(event.a);
                if (kind == RawKind::kOwnReduction && event.b == op && !own)
                    kind = RawKind::kReduction, event.b = kNone;
            }
            event.what =
                probe::pack_what(kind, number, static_cast<std::uint32_t>(line_of_place(probe::line_of(event.what))),
                                 probe::thread_of(event.what));
        }
    }

    /// What the host did with a result that stands where the input stood, or is a part of an array: it took it back.
    record::Piece copy_to_host(const std::vector<record::Piece>& pieces, std::uint32_t earlier) const {
        trace::Trace out;
        out.launch = pieces.back().trace.launch;
        out.launch.last_block.reset();
        out.launch.processor = trace::Processor::kHost;
        out.launch.function = result_.by_main ? "cudaMemcpy" : "what is left";
        out.launch.grid = out.launch.block = 1;
        const std::size_t size = array(result_.array).type.bytes();
        const auto first = static_cast<std::uint32_t>(result_.first / size),
                   count = static_cast<std::uint32_t>(result_.bytes / size);
        out.arrays = {described(result_.array),
                      {result_.by_main ? "copied back" : "left", trace::Space::kGlobal, Role::kOutput, count, {}}};
        value::Values found(type_);
        for (const record::Piece& piece : pieces)
            for (std::size_t at = 0; at < piece.trace.final.size(); ++at)
                if (piece.trace.arrays[at].name == out.arrays[0].name) found = piece.trace.final[at];
        out.value = value::Values(type_);
        out.initial = out.final = {found, value::Values(type_, count)};
        std::vector<RawEvent> events;
        constexpr std::uint32_t kCopiedInAStep = 8192;  // what one thread does in a step is told apart
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint64_t bits = found.bits(first + i);
            out.final[1].set_bits(i, bits);
            const bool unused = is_unused(result_.array, first + i);
            out.initial[1].set_bits(i, unused ? bits : 0);
            if (unused) continue;
            const Origin& from = result_.origins[i * size / kCell];
            const auto owner = from.position == 0 ? std::nullopt : owner_here(from.owner - 1, earlier);
            const std::uint64_t clock = i / kCopiedInAStep * probe::kOneMarker;
            events.push_back({clock, bits, probe::pack_what(RawKind::kRead, 0, 0, 0), first + i,
                              owner ? from.position - 1 : kNone, owner.value_or(kNone)});
            const auto read = static_cast<std::uint32_t>(events.size() - 1);
            events.push_back({clock, bits, probe::pack_what(RawKind::kWrite, 1, 0, 0), i, read});
        }
        std::vector<record::Assembler> parts;
        parts.emplace_back(out.arrays, 1, type_, 1);
        parts[0].add_block(0, events.data(), static_cast<std::uint32_t>(events.size()));
        auto made = record::assemble(std::move(out), std::move(parts));
        if (!made) refuse("more was copied back than a trace holds; a smaller N can be shown");
        return std::move(*made);
    }

    static constexpr std::size_t kNobody = ~std::size_t{0};
    const Copied& result_;
    std::string file_;
    Purpose purpose_;
    std::map<std::size_t, Use> uses_;
    std::size_t input_ = kNobody;
    bool in_place_ = false, part_ = false;  // the result stands where the input stood; is not all of its array
    Type type_ = Type::kFloat32;
    Folds folds_;  // the run's
};

}  // namespace

trace::Run run_of(const Copied& result, const std::string& user_file, Purpose purpose) {
    return Writer(result, user_file, purpose).run();
}

}  // namespace warptree::foreign
