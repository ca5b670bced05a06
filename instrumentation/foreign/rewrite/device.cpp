// Device code: its elements get recording types, its loops are counted, and maxima by hand become max and min, so that
// both operands are known.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "instrumentation/foreign/rewrite/file.hpp"

namespace warptree::foreign {
namespace {

const std::map<std::string_view, std::string_view> kWords = {
    {"threadIdx", " ::wt::tid()"},
    {"blockIdx", " ::wt::bid()"},
    {"blockDim", " ::wt::bdim()"},
    {"gridDim", " ::wt::gdim()"},
    {"printf", " ::wt::print"},
    {"__half2float", " ::wt::element_of"},
    {"__bfloat162float", " ::wt::element_of"},
};
const Words kNumbers = {
    "__cosf", "__expf", "__log2f", "__logf", "__sinf", "abs",    "cbrtf", "ceil",  "ceilf",    "cos",   "cosf",
    "erff",   "exp",    "exp2",    "exp2f",  "expf",   "expm1f", "fabs",  "fabsf", "fdividef", "floor", "floorf",
    "fma",    "fmaf",   "fmax",    "fmaxf",  "fmin",   "fminf",  "isinf", "isnan", "log",      "log10", "log10f",
    "log1pf", "log2",   "log2f",   "logf",   "max",    "min",    "pow",   "powf",  "rintf",    "round", "roundf",
    "rsqrt",  "rsqrtf", "sin",     "sinf",   "sqrt",   "sqrtf",  "tan",   "tanf",  "tanh",     "tanhf", "truncf"};
const Words kMakers = {"make_float2", "make_float3", "make_float4", "make_int2",
                       "make_int4",   "make_uint2",  "make_uint4",  "make_double2"};
constexpr std::string_view kRecording = "::wt::V<";

}  // namespace

/// Tokens [first, last] are a type that records from here on.
void File::record_type(std::size_t first, std::size_t last) {
    if (!t_.token(first).before.ends_with(kRecording)) t_.wrap(first, last, kRecording, ">");
}

/// The type arguments in function<...>, whose '<' is at angle.
void File::record_arguments(std::string_view function, std::size_t angle) {
    const auto close = t_.angle(angle);
    const auto known = shared_.functions.find(function);
    if (!close || known == shared_.functions.end()) return;
    std::size_t argument = 0, begin = angle + 1;
    int depth = 0;
    for (std::size_t m = begin; m <= *close; ++m) {
        if (m == *close || (depth == 0 && t_[m] == ",")) {
            if (argument < known->second.size() && known->second[argument] && m > begin) record_type(begin, m - 1);
            ++argument;
            begin = m + 1;
        }
        depth += t_.is(m, {"<", "("}) ? 1 : t_.is(m, {">", ")"}) ? -1 : 0;
    }
}

/// Where the operand ends that begins at n; n: it is a number, or not understood.
std::size_t File::end_of_operand(std::size_t n) const {
    std::size_t m = n;
    const auto is_cast = [&](std::size_t open) {
        const std::size_t next = t_.match(open) + 1;
        return t_[open] == "(" && (t_.is_word(next) || t_.kind(next) == TokenKind::kNumber || t_[next] == "(");
    };
    while (t_.is(m, {"-", "*", "!", "~", "+"}) || is_cast(m)) m = t_[m] == "(" ? t_.match(m) + 1 : m + 1;
    if (t_[m] == "(")
        m = t_.match(m);
    else if (!t_.is_word(m))
        return n;
    while (true) {
        const auto angle = t_[m + 1] == "<" ? t_.angle(m + 1) : std::nullopt;
        if (t_.is(m + 1, {"(", "["}))
            m = t_.match(m + 1);
        else if (t_.is(m + 1, {".", "->", "::"}))
            m += 2;
        else if (angle && t_.is(*angle + 1, {"(", "::"}))
            m = *angle;
        else
            return m + 1;
    }
}

/// What a whole number is divided by may be 0, whatever the compiler takes for granted: t % (2 * s == 0)
void File::divisors(const Region& r) {
    for (std::size_t n = r.body; n < std::min(r.end, t_.size()); ++n) {
        if (!t_.is(n, {"/", "%", "/=", "%="}) || t_[n - 1] == "operator") continue;
        const std::size_t end = end_of_operand(n + 1);
        if (end > n + 1 && (t_[n].size() == 1 || t_.is(end, {";", ")", ","})))
            t_.wrap(n + 1, end - 1, " ::wt::divisor(", ")");
    }
}

void File::rewrite(Region& r) {
    divisors(r);
    for (const Region::Group& group : r.groups) {
        bool data =
            group.points || (group.returns && has(data_returns_, r.name) && (r.name != "operator()" || r.is_binary()));
        for (const std::string& name : group.names) data |= has(r.data, name);
        if (data) record_type(group.first, group.last);
    }
    if (t_.is(r.open - 1, {"__device__", "__host__"})) template_pointers(r);
    for (std::size_t n = r.begin; settled_ && (r.twice || !r.hosts) && n < std::min(r.end, t_.size()); ++n)
        if (has(r.functor_types, t_[n]) && (t_.is(n + 1, {"&", "*", "const"}) || t_.is_word(n + 1))) record_type(n, n);
    for (std::size_t n = r.begin; n <= r.end && n < t_.size(); ++n) n = rewrite_word(r, n);
    for (std::size_t n = std::min(r.end, t_.size()); n-- > r.body;)
        if (t_[n] == "if" && t_[n + 1] == "(") maximum_of_if(r, n);
    conditionals(r);
    if (may_lack_return(r)) t_.token(r.end).before += " ::wt::no_return(); ";
    for (std::size_t n = r.body; n < std::min(r.end, t_.size()); ++n)
        if (t_.is(n, {"asm", "__asm__", "__asm"})) inline_ptx(n);
}

/// Parameters of a lambda that point to a type of the template around it.
void File::template_pointers(const Region& r) {
    std::size_t around = r.begin;
    while (around > 0 && t_[around] != "template") --around;
    if (t_[around] != "template" || t_[around + 1] != "<") return;
    Words types;
    for (std::size_t n = around + 2; n < t_.angle(around + 1).value_or(around); ++n)
        if (t_.is(n, {"typename", "class"}) && t_.is_word(n + 1)) types.emplace(t_[n + 1]);
    for (std::size_t n = r.open + 1; n < r.close; ++n)
        if (has(types, t_[n]) && t_[n + 1] == "*") record_type(n, n);
}

/// Whether a function that gives back a value of a type that it names may end without.
bool File::may_lack_return(const Region& r) const {
    static const Words kOther = {"__device__", "__host__",  "__forceinline__", "__noinline__", "__global__", "inline",
                                 "static",     "constexpr", "explicit",        "extern",       "template",   "void",
                                 "__inline__", "virtual",   "friend",          "auto",         "decltype"};
    if (r.kernel || r.name.starts_with("operator") || t_[r.body] != "{") return false;
    std::size_t begin = r.end - 1;  // of its last statement
    while (begin > r.body && !t_.is(begin - 1, {";", "{", "}"})) --begin;
    if (t_[begin] == "return") return false;
    const std::size_t last = r.open - 2;  // before its name
    return last >= r.begin && last < r.open && t_[r.open - 1] == r.name &&
           (t_.is(last, {"*", "&"}) || (t_.is_word(last) && !has(kOther, t_[last])));
}

/// Whether a function has a parameter or a variable of that name.
bool File::declares(const Region& r, std::string_view name) const {
    for (std::size_t n = r.begin + 1; n < std::min(r.end, t_.size()); ++n)
        if (t_[n] == name && t_.is(n - 1, {"int", "unsigned", "auto", "const", "size_t", "short", "uint", "&"}) &&
            t_.is(n + 1, {"=", ",", ")", ";", "{"}) && t_[n - 2] != "&")
            return true;
    return false;
}

/// returns  the last token that it took
std::size_t File::rewrite_word(Region& r, std::size_t n) {
    const std::string_view x = t_[n];
    if (!t_.is_word(n)) return n;
    const bool member = t_.is(n - 1, {".", "->"}), calls = t_[n + 1] == "(";
    if (x == "template" && t_[n + 1] == "<") {
        const std::size_t end = t_.angle(n + 1).value_or(n);
        for (std::size_t m = n + 1; m < end; ++m)
            if (t_[m] == "warpSize" && t_[m - 1] == "=") t_.token(m).out = "::wt::kWarp";
        return end;
    }
    if (x == "__shared__") return shared_array(&r, n);
    if (shared_name(r, n)) return n;
    if (is_view(x) && !member) {
        t_.token(n).out = "wt_" + std::string(x);
    } else if (x == "constexpr" && n < r.open) {  // an element is no constant
        for (std::size_t m = n; m < r.close && !t_.token(n).out.empty(); ++m)
            if (is_float(m)) t_.token(n).out.clear();
    } else if (x == "constexpr" && t_[n + 1] != "(") {
        return std::min(t_.end_of(n, {";"}), r.end);
    } else if (is_float(n) && !member && !t_.is(n - 1, {"::", "long"})) {
        record_type(n, n);
    } else if (const auto word = kWords.find(x); word != kWords.end() && !member) {
        t_.token(n).out = word->second;
    } else if (x == "warpSize" && !has(own_, "warpSize") && !member && !declares(r, "warpSize")) {
        t_.token(n).out = " ::wt::kWarp";  // after % it would be a digraph, %:
    } else if (has(kMakers, x) && calls) {
        t_.token(n).out = fmt::format("::wt::vector<{}>", x.substr(5));
    } else if (x == "std" && t_[n + 1] == "::" && has(kNumbers, t_[n + 2])) {
        t_.token(n).out = "::wt";
        return n + 2;
    } else if (const bool top = t_[n - 1] == "::" && !t_.is_word(n - 2) && t_[n - 2] != ">";
               has(kNumbers, x) && calls && !member && (t_[n - 1] != "::" || top) && !shared_.functions.contains(x) &&
               !has(own_, x) && (!t_.is_word(n - 1) || t_.is(n - 1, {"return", "else"}))) {
        t_.token(n).out = fmt::format("{}wt::{}", top ? "" : "::", x);
    } else if (t_[n + 1] == "<" && n > r.close && shared_.functions.contains(x)) {
        record_arguments(x, n + 1);
    } else if (is_integer(n) && t_.is(n - 1, {"(", "<"})) {
        cast(r, n);
    } else if (x == "for" && calls) {
        count_for(n + 1);
    } else if (x == "while" && calls) {
        count_while(n + 1);
    }
    return n;
}

/// (int)a[i] of what holds data keeps what made it.
void File::cast(const Region& r, std::size_t n) {
    const auto last = integer_type(n);
    if (!last || !t_.is(*last + 1, {")", ">"})) return;
    std::size_t m = *last + 2;
    const bool named = t_[*last + 1] == ">";
    if (named != t_.is(n - 2, {"static_cast"}) || (named && t_[m] != "(")) return;
    if (t_[m] == "(") return is_data(r, m + 1, t_.match(m)) ? record_type(n, *last) : void();
    if (!t_.is_word(m)) return;
    while (t_.is(m + 1, {"[", "(", ".", "->"})) m = t_.is(m + 1, {"[", "("}) ? t_.match(m + 1) : m + 2;
    if (is_data(r, *last + 2, m + 1)) record_type(n, *last);
}

/// The condition of for (...; ...; ...), whose '(' is at n, also counts the loop's turns.
void File::count_for(std::size_t n) {
    const std::size_t close = t_.match(n), first = t_.end_of(n + 1, {";", ":"});
    if (t_[first] != ";" || first >= close) return;
    const std::size_t second = t_.end_of(first + 1, {";"});
    if (t_[second] != ";") return;
    t_.token(first).after.insert(0, second == first + 1 ? " ::wt::loop()" : " ::wt::loop() && (");
    if (second != first + 1) t_.token(second).before += ")";
}

void File::count_while(std::size_t n) {
    const std::size_t close = t_.match(n);
    if (t_.end_of(n + 1, {";"}) < close) return;
    t_.token(n).after.insert(0, " ::wt::loop() && (");
    t_.token(close).before += ")";
}

/// if (a < b) a = b; -> a = max(a, b); also if (t < n && a < b) a = b; -> if (t < n) a = max(a, b); and what else
/// depends on it: if (a < b) { a = b; i = j; } -> if (raise(a, b)) { i = j; }; and for equal ones: if (a < b || c)
void File::maximum_of_if(const Region& r, std::size_t n) {
    const std::size_t close = t_.match(n + 1);
    const bool braces = t_[close + 1] == "{";
    const std::size_t block = braces ? t_.match(close + 1) : 0;
    std::size_t begin = close + 1 + braces, end = 0, equals = 0;
    if (t_[(braces ? block : t_.end_of(begin, {";"})) + 1] == "else") return;
    const std::size_t either = t_.end_of(n + 2, {"||", "?"}), condition = std::min(either, close);
    if (either < close && (t_[either] == "?" || t_.end_of(n + 2, {"&&"}) < either)) return;
    const std::string also =
        either < close ? fmt::format(", [&]() -> bool {{ return {}; }}", t_.written(either + 1, close)) : "";
    for (;; begin = end + 1) {
        end = t_.end_of(begin, {";", "{"});
        equals = t_.end_of(begin, {"=", ";", "{"});
        if (t_[end] != ";" || (braces && end > block)) return;
        const std::string to = t_.plain(begin, equals), from = t_.plain(equals + 1, end);
        const bool first_one = begin == close + 1 + braces;
        if (t_[equals] != "=" || equals > end || to == from ||
            (!first_one && t_.plain(close + 2, begin).find(to) != std::string::npos)) {
            if (!braces) return;
            continue;
        }
        const bool element = to.find('[') != to.npos || to.find('*') != to.npos || has(r.data, to);
        for (std::size_t first = n + 2; first < condition && element;) {  // the conditions between &&
            const std::size_t last = std::min(t_.end_of(first, {"&&"}), condition);
            const Extreme what = extreme(first, last, to, from);
            if (what.what.empty()) {
                first = last + 1;
                continue;
            }
            const std::string now = t_.written(begin, equals), then = t_.written(equals + 1, end);
            const bool alone = first == n + 2 && last == condition;
            const bool more = braces && (!first_one || end + 1 < block);
            if (more && !what.member.empty()) return;
            if (!more && !also.empty() && what.member.empty()) return;
            if (first > n + 2)
                t_.replace(first - 1, last - 1, "");
            else if (!alone)
                t_.replace(first, last, "");
            if (more) {
                const std::string raise = fmt::format(
                    "::wt::raise<{}>({}, {}, [](auto& wt_x, auto& wt_y) {{ return ::wt::{}_or_first(wt_x, wt_y); }}{})",
                    what.ties, now, then, what.what, also);
                if (alone)
                    t_.replace(first, close - 1, raise);
                else
                    t_.token(close).before += " && " + raise;
                t_.replace(begin, end, "");
                return;
            }
            if (alone) {
                t_.replace(n, begin - 1, "");
                if (braces) t_.replace(block, block, "");
            }
            t_.replace(equals + 1, end - 1, what.of(now, then, also));
            return;
        }
        if (!braces) return;
    }
}

std::string File::Extreme::of(const std::string& dropped, const std::string& taken, const std::string& also) const {
    if (member.empty()) return fmt::format(" ::wt::{}_or_first({}, {})", what, dropped, taken);
    return fmt::format(" ::wt::{}_by<{}>({}, {}, [](auto& wt_x) -> auto& {{ return wt_x{}; }}{})", what, ties, dropped,
                       taken, member, also);
}

/// Of a comparison, tokens [first, last), after which one side is taken.
File::Extreme File::extreme(std::size_t first, std::size_t last, std::string_view dropped,
                            std::string_view taken) const {
    if (t_[first] == "(" && t_.match(first) == last - 1) ++first, --last;
    std::size_t sign = 0, signs = 0;
    for (std::size_t m = first; m < last; ++m)
        if (t_.is(m, {"<", ">", "<=", ">="})) sign = m, ++signs;
    if (signs != 1) return {};
    const std::string left = t_.plain(first, sign), right = t_.plain(sign + 1, last);
    const auto member = [](std::string_view of, const std::string& text) -> std::optional<std::string> {
        if (text == of) return "";
        if (text.starts_with(of) && text[of.size()] == '.') return text.substr(of.size());
        if (of.starts_with("*") && text.starts_with(fmt::format("{}->", of.substr(1))))
            return "." + text.substr(of.size() + 1);
        return std::nullopt;
    };
    const std::string_view sides[2] = {dropped, taken};
    for (const bool swapped : {false, true}) {
        const auto one = member(sides[swapped], left), other = member(sides[!swapped], right);
        if (!one || one != other) continue;
        return {swapped != (t_[sign][0] == '<') ? "max" : "min", *one, t_[sign].size() > 1};
    }
    return {};
}

/// A shared array that stands outside of functions is asked for wherever it is named.
bool File::shared_name(const Region& r, std::size_t n) {
    const auto found = shared_.shared_outside.find(t_[n]);
    if (found == shared_.shared_outside.end() || t_.is(n - 1, {".", "->", "::"}) ||
        std::ranges::find(r.parameters, t_[n]) != r.parameters.end())
        return false;
    t_.token(n).out = found->second;
    return true;
}

/// __shared__ T a[N], b; -> auto& a = *::wt::shared_array<T[N]>(...); auto& b = ...
/// r        null: it stands outside of functions
/// returns  the ';'
std::size_t File::shared_array(Region* r, std::size_t n) {
    std::size_t begin = n;
    while (begin > 0 && !t_.is_directive(begin - 1) && !t_.is(begin - 1, {";", "{", "}", ")", ":"})) --begin;
    const std::size_t end = t_.end_of(n, {";"});
    bool dynamic = false, is_volatile = false;
    std::string type, defined;
    std::size_t m = begin;
    bool plain = true;  // all of the type's words are of elements
    const auto ends_type = [&](std::size_t at) { return t_.is(at + 1, {"[", ",", ";", "=", "{"}); };
    for (; m < end; ++m) {
        if (t_.is(m, {"extern", "static", "volatile", "const", "__shared__"})) {
            dynamic |= t_[m] == "extern";
            is_volatile |= t_[m] == "volatile";
            continue;
        }
        if (t_.is(m, {"__align__", "alignas", "__attribute__"}) && t_[m + 1] == "(") {
            m = t_.match(m + 1);
            continue;
        }
        if (const std::size_t open = t_[m + 1] == "{" ? m + 1 : m + 2;
            t_.is(m, {"union", "struct"}) && t_[open] == "{") {  // defined here: no type for a template's argument
            for (std::size_t k = open; k < t_.match(open); ++k)
                if (is_float(k)) record_type(k, k);
            type = open == m + 1 ? fmt::format("wt_type_{}", m) : std::string(t_[m + 1]);
            defined = fmt::format("{} {} {}; ", t_[m], type, t_.written(open, t_.match(open) + 1));
            m = t_.match(open);
            plain = false;
            continue;
        }
        if (t_.is_word(m) && !type.empty() && t_[m - 1] != "::" && ends_type(m)) break;
        plain = plain && (is_float(m) || is_integer(m));
        type += fmt::format("{}{}{}", type.empty() ? "" : " ", is_view(t_[m]) ? "wt_" : "", t_[m]);
        if (const auto close = t_.is_word(m) && t_[m + 1] == "<" ? t_.angle(m + 1) : std::nullopt) {
            type += t_.written(m + 1, *close + 1);
            m = *close;
        }
    }
    if (plain || type.ends_with("*")) type = fmt::format("::wt::V<{}>", type);
    if (is_volatile) type = "volatile " + type;
    std::string out;
    while (m < end) {
        const std::string name(t_[m]);
        if (r != nullptr) r->pointers.insert(name);
        std::string extents;
        std::size_t next = m + 1, count = 0;
        for (; t_[next] == "["; ++count) {
            const std::size_t close = t_.match(next);
            extents += t_.written(next, close + 1);
            next = close + 1;
        }
        const std::string element =
            dynamic && count > 1 ? fmt::format("::std::remove_extent_t<{}{}>", type, extents) : type;
        const std::string array = dynamic ? fmt::format("::wt::dynamic_array<{}>(\"{}\")", element, name)
                                          : fmt::format("*::wt::shared_array<{}{}>({}, \"{}\")", type, extents,
                                                        ++shared_.shared_arrays, name);
        if (r == nullptr)
            shared_.shared_outside[name] = "(" + array + ")";
        else
            out += fmt::format("auto{} {} = {}; ", dynamic ? "*" : "&", name, array);
        m = std::min(t_.end_of(next, {","}), end) + 1;
    }
    if (r == nullptr)
        outside_.emplace_back(begin, end);
    else
        t_.replace(begin, end, defined + out);
    return end;
}

void File::conditionals(const Region& r) {
    for (std::size_t n = std::min(r.end, t_.size()); n-- > r.body;)  // from the inside out
        if (t_[n] == "?" && t_.kind(n) == TokenKind::kSign) conditional(r, n);
}

/// Both sides of ?: get one type; a > b ? a : b is a maximum.
void File::conditional(const Region& r, std::size_t question) {
    int nested = 0;
    std::size_t colon = question + 1;
    for (; colon < r.end; ++colon) {
        if (t_.is(colon, {"(", "[", "{"})) colon = t_.match(colon);
        nested += t_[colon] == "?" ? 1 : 0;
        if (t_[colon] == ":" && nested-- == 0) break;
    }
    std::size_t end = colon + 1;
    for (nested = 0; end < r.end; ++end) {
        if (t_.is(end, {"(", "[", "{"})) {
            end = t_.match(end);
            continue;
        }
        if (t_.is(end, {")", "]", "}", ";", ","})) break;
        nested += t_[end] == "?" ? 1 : 0;
        if (t_[end] == ":" && nested-- == 0) break;
    }
    if (colon >= r.end || maximum_of_conditional(r, question, colon, end)) return;
    for (std::size_t m = question; m < end; ++m)
        if (t_.is(m, {"{", "void", "throw"}) || colon == question + 1) return;
    const std::string left = t_.written(question + 1, colon), right = t_.written(colon + 1, end);
    const auto pick = [](const std::string& self, const std::string& other) {
        return fmt::format(" ::wt::pick<decltype(({})), decltype(({}))>(", self, other);
    };
    t_.token(question).after.insert(0, pick(left, right));
    t_.token(colon - 1).after += ")";
    t_.token(colon).after.insert(0, pick(right, left));
    t_.token(end - 1).after += ")";
}

bool File::maximum_of_conditional(const Region& r, std::size_t question, std::size_t colon, std::size_t end) {
    std::size_t begin = question;
    for (int depth = 0; begin > r.body; --begin) {
        const std::size_t m = begin - 1;
        if (t_.is(m, {")", "]", "}"})) ++depth;
        if (t_.is(m, {"(", "[", "{"}) && --depth < 0) break;
        if (depth == 0 && (has(kAssigns, t_[m]) || t_.is(m, {";", ",", "return", "?", ":", "&&", "||", "}"}))) break;
    }
    const std::string yes = t_.plain(question + 1, colon), no = t_.plain(colon + 1, end);
    const Extreme what = yes == no ? Extreme{} : extreme(begin, question, no, yes);
    if (what.what.empty()) return false;
    const std::string left = t_.written(question + 1, colon), right = t_.written(colon + 1, end);
    if (in_macro_) {  // what is handed to it may have operators that bind less
        const auto is_whole = [&](std::size_t first, std::size_t last) {
            return (t_[first] == "(" && t_.match(first) == last) ||
                   (first == last && (t_.kind(first) == TokenKind::kNumber || binds_));
        };
        if (begin == 0 || t_[begin - 1] != "(" || t_[end] != ")" || !what.member.empty() ||
            !is_whole(question + 1, colon - 1) || !is_whole(colon + 1, end - 1))
            return false;
        t_.replace(begin, end - 1,
                   fmt::format(" ::wt::{}({}, {})", what.what == "max" ? "larger" : "smaller", left, right));
        return true;
    }
    t_.replace(begin, end - 1,
               what.member.empty() ? fmt::format(" ::wt::{}_or_second({}, {})", what.what, left, right)
                                   : what.of(right, left));
    return true;
}

}  // namespace warptree::foreign
