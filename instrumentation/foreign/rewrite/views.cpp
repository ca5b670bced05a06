// Structs that device code uses: each is there twice, as the host has it, and as device code has it, with elements that
// record, of the same size and layout. The second stands in the first one's place, so that lines are the user's.
#include <algorithm>

#include <fmt/format.h>

#include "instrumentation/foreign/rewrite/file.hpp"

namespace warptree::foreign {
namespace {

const Words kArithmetic = {"+", "-", "*", "<", ">", "<=", ">=", "+=", "-=", "*="};
const Words kNoMember = {"static", "constexpr", "typedef", "using", "enum", "friend", "template"};

}  // namespace

/// What stands in [open, close]: its data, and functions of the host alone.
/// returns  whether it can have a view
bool File::find_members(Struct& s) {
    for (std::size_t m = s.open + 1; m < s.close;) {
        if (inside(m) || t_[m] == ";") {
            ++m;
            continue;
        }
        if (t_.is(m, {"public", "private", "protected"})) {
            m += 2;
            continue;
        }
        if (t_.is_directive(m) || t_.is(m, {"struct", "class", "union", "virtual"})) return false;
        std::size_t end = std::min(t_.end_of(m, {";", "{", "="}), s.close);
        bool calls = false;
        for (std::size_t k = m; k < end; ++k) calls |= t_[k] == "(" && !t_.is(k - 1, {"alignas", "__align__"});
        while (t_[end] == "{" && t_.is(t_.match(end) + 1, {"{", ","})) end = t_.match(end) + 1;  // : a{1}, b{2} {
        end = t_[end] == "{" && calls ? t_.match(end) : std::min(t_.end_of(m, {";"}), s.close);
        if (!has(kNoMember, t_[m]) && !t_.is(end - 1, {"default", "delete"}))
            (calls ? s.host : s.members).emplace_back(m, end);
        m = end + 1;
    }
    return !s.members.empty();
}

void File::find_structs() {
    for (const auto& [begin, end] : variables_)
        for (std::size_t m = begin; m < end && t_[m] != "__constant__"; ++m) shared_.device_words.emplace(t_[m]);
    for (std::size_t n = 0; n < t_.size(); ++n) {
        if (inside(n) && t_.is(n - 1, {".", "->"}) && has(kArithmetic, t_[n + 1])) shared_.reckoned.emplace(t_[n]);
        if (inside(n) && t_.is(n, {"min", "max"}) && t_[n + 1] == "(")
            for (std::size_t m = n + 2; m < t_.match(n + 1); ++m)
                if (t_.is(m - 1, {".", "->"})) shared_.reckoned.emplace(t_[m]);
        if (inside(n) && t_.is_word(n)) shared_.device_words.emplace(t_[n]);
        if (!t_.is(n, {"struct", "class"}) || inside(n) || t_.is(n - 1, {"<", ",", "enum"})) continue;
        Struct s;
        s.begin = n;
        std::size_t m = n + 1;
        while (t_.is(m, {"alignas", "__align__", "__attribute__", "__builtin_align__"})) m = t_.match(m + 1) + 1;
        s.named = m;
        if (t_.is_word(m)) s.tag = t_[m++];
        if (t_[m] == "<") shared_.no_views.insert(s.tag);
        if (!t_.is(m, {"{", ":", "final"})) continue;
        s.open = std::min(t_.end_of(m, {"{", ";"}), t_.size() - 1);
        if (t_[s.open] != "{") continue;
        s.close = t_.match(s.open);
        s.end = s.close + 1;
        if (t_[n - 1] == "typedef") {
            if (!t_.is_word(s.close + 1) || t_[s.close + 2] != ";") continue;
            s.alias = t_[s.close + 1];
            s.end = s.close + 2;
            s.begin = n - 1;
        } else if (const auto angle = t_[n - 1] == ">" ? t_.angle_back(n - 1) : std::nullopt) {
            s.begin = *angle - 1;
            for (std::size_t k = *angle; k < n; ++k)
                if (t_.is(k, {"typename", "class"})) s.types.emplace(t_[k + 1]);
        }
        if (t_[s.end] != ";" || (s.tag.empty() && s.alias.empty())) continue;
        bool launches = false, functor = false;
        for (std::size_t k = s.open; k < s.close; ++k) {
            launches |= t_[k] == "<<<";
            functor |= t_[k] == "operator" && t_[k + 1] == "(";
            if (inside(k)) shared_.device_words.insert(s.tag);
        }
        if (!launches && !functor && find_members(s)) structs_.push_back(s);
        for (Region& r : regions_)
            if (r.name == "operator()" && r.begin > s.open && r.end < s.close) r.functor_types = s.types;
    }
}

/// Whether a member, [first, end), records.
/// types   parameters of the struct's template
/// floats  the struct has some: then its whole numbers are indices
bool File::records(const Words& types, std::size_t first, std::size_t end, bool floats) const {
    bool points = false, whole = false, records = false, reckoned = false;
    for (std::size_t m = first; m < end; ++m) {
        records |= is_float(m) || is_view(t_[m]) || has(types, t_[m]);
        whole |= is_integer(m);
        points |= t_[m] == "*";
        reckoned |= has(shared_.reckoned, t_[m]);
    }
    return records || (whole && (points || (reckoned && !floats)));
}

/// Decides which structs have views, once all files are known.
void File::settle() {
    settled_ = true;
    for (Struct& s : structs_) {
        const std::string& name = s.tag.empty() ? s.alias : s.tag;
        const bool used = has(shared_.device_words, name) || has(shared_.device_words, s.alias);
        bool floats = false;
        for (const auto& [first, end] : s.members)
            for (std::size_t m = first; m < end; ++m) floats |= is_float(m) || has(s.types, t_[m]);
        for (const auto& one : s.members)
            if (used && !has(shared_.no_views, name) && records(s.types, one.first, one.second, floats))
                s.data.push_back(one);
        if (s.data.empty()) continue;
        for (const std::string& one : {s.tag, s.alias})
            if (!one.empty()) shared_.views.insert(one);
        for (const auto& [first, end] : s.data)
            for (const std::size_t m : names_of(first, end))
                (t_[m - 1] == "*" || t_[m + 1] == "[" ? shared_.member_pointers : shared_.member_data).emplace(t_[m]);
    }
}

/// Of the members that [first, end) declares their names.
std::vector<std::size_t> File::names_of(std::size_t first, std::size_t end) const {
    std::vector<std::size_t> names;
    for (std::size_t m = first + 1, next = first; m <= end; ++m) {
        if (m > next && t_.is_word(m) && (m + 1 == end || t_.is(m + 1, {",", "[", "=", "{", ":"}))) {
            names.push_back(m);
            next = std::min(t_.end_of(m, {","}), end);
        }
    }
    return names;
}

/// The struct as the host has it, on one line; what is of the device alone is not in it.
std::string File::of_host(const Struct& s, const std::string& name, const std::string& arguments) const {
    const bool hidden = t_[s.named - 1] == "class" || t_[s.begin] == "class";
    std::string text =
        s.alias.empty() || !s.tag.empty() ? t_.written(s.begin + !s.alias.empty(), s.open) : "struct " + name + " ";
    text += fmt::format(
        "{{ public: using wt_recording = wt_{}{}; using wt_host = {}; template <::std::same_as<wt_recording> WtV> "
        "operator WtV() const {{ return ::wt::view<WtV>(*this); }} {} ",
        name, arguments, name, hidden ? "private:" : "");
    for (std::size_t m = s.open + 1, end = 0; m < s.close; m = end) {
        const auto region = std::ranges::find(regions_, m, &Region::begin);
        const bool of_device = region != regions_.end();
        end = of_device ? region->end + 1 : m + 1;
        const bool both = of_device && region->hosts;
        if (!of_device || both) text += t_.written(m, end) + " ";
    }
    text += "}; ";
    if (!s.alias.empty() && s.alias != name) text += fmt::format("typedef {} {}; ", name, s.alias);
    return text;
}

/// Whether a function that the host calls, too, takes what the host and the device have types of their own for.
bool File::is_twice(const Region& r) const {
    if (!r.hosts || !settled_ || std::ranges::any_of(structs_, [&](const Struct& s) {
            return !s.data.empty() && r.begin > s.begin && r.end < s.end;
        }))
        return false;
    for (std::size_t m = r.begin; m <= r.end; ++m)
        if (t_.is_directive(m) && t_[m].find("pragma") == std::string_view::npos) return false;
    for (std::size_t m = r.open + 1; m < r.close; ++m) {
        if (is_view(t_[m]) || has(r.functor_types, t_[m])) return true;
        if (r.name == "operator()" && (is_float(m) || (r.is_binary() && is_integer(m)))) return true;
        if (!is_float(m) && !is_integer(m)) continue;
        const std::size_t next = m + 1 + (t_[m + 1] == "const");
        if (t_[next] == "*" || t_[next + 1] == "[" || (t_[next] == "&" && t_[m - 1] != "const")) return true;
    }
    return false;
}

/// Of template <class T, int N> what names it in its own text: <::wt::V<T>, N>.
std::string File::arguments_of(const Struct& s) const {
    if (t_[s.begin] != "template") return {};
    std::string all;
    const std::size_t close = t_.angle(s.begin + 1).value_or(s.begin);
    for (std::size_t m = s.begin + 2; m <= close; ++m) {
        const std::size_t end = std::min(t_.end_of(m, {",", "="}), close), next = std::min(t_.end_of(m, {","}), close);
        all += (all.empty() ? "<" : ", ") +
               (t_.is(m, {"typename", "class"}) ? fmt::format("::wt::V<{}>", t_[end - 1]) : std::string(t_[end - 1]));
        m = next;
    }
    return all + ">";
}

/// int value, index; -> ::wt::V<int> value; int index;
/// first, last  the type
void File::record_integers(std::size_t first, std::size_t last, std::size_t end) {
    const std::string type = t_.written(first, last + 1);
    bool points = false;
    for (std::size_t m = last; m < end; ++m) points |= t_[m] == "*";
    for (const std::size_t m : names_of(first, end)) {
        const bool data = points || has(shared_.reckoned, t_[m]);
        if (t_[m - 1] != "," && data) record_type(first, last);
        if (t_[m - 1] == "," && !points) t_.token(m - 1).out = data ? fmt::format("; ::wt::V<{}>", type) : "; " + type;
    }
}

void File::rewrite_structs() {
    for (const Struct& s : structs_) {
        if (s.data.empty()) continue;
        const std::string name = s.tag.empty() ? s.alias : s.tag, arguments = arguments_of(s),
                          host = of_host(s, name, arguments);
        std::string pointers, each;
        bool arrays = false;
        for (const auto& [first, end] : s.data) {
            std::size_t last = first;
            while (last < end && !is_float(last) && !is_integer(last) && !is_view(t_[last]) && !has(s.types, t_[last]))
                ++last;
            if (const auto whole = integer_type(last))
                record_integers(last, *whole, end);
            else if (!is_view(t_[last]))
                record_type(last, last);
            for (const std::size_t m : names_of(first, end))
                if (t_[m - 1] == "*") pointers += fmt::format(" wt_f({0}, \"{0}\");", t_[m]);
        }
        for (const auto& [first, end] : s.members)
            for (const std::size_t m : names_of(first, end)) {
                arrays |= t_[m + 1] == "[" || t_[m + 1] == ":";
                each += fmt::format(" wt_f(wt_o.{0}, {0});", t_[m]);
            }
        for (std::size_t m = s.begin; m <= s.end; ++m)
            if (is_view(t_[m]) && !inside(m)) t_.token(m).out = "wt_" + std::string(t_[m]);
        for (const auto& [first, last] : s.host) t_.replace(first, last, "");
        if (s.tag.empty()) t_.token(s.open).before += " wt_" + name + " ";
        std::string more =
            fmt::format("public: template <class WtF> void wt_pointers(WtF wt_f) const {{{} }} ", pointers);
        if (!arrays)
            more +=
                fmt::format("template <class WtO, class WtF> void wt_each(WtO& wt_o, WtF wt_f) const {{{} }} ", each);
        if (arguments.empty()) more += fmt::format("using wt_is_of = struct {}; ", name);
        t_.token(s.close).before += more;
        t_.token(s.end).after.insert(0, " " + host);
        for (std::size_t m = s.begin; m <= s.end; ++m) inside_[m] = true;
    }
}

}  // namespace warptree::foreign
