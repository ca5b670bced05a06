// Which integers of device code hold data: those that elements reach, outside of brackets. The others, indices and
// counts, stay as they are.
#include <algorithm>

#include "instrumentation/foreign/rewrite/file.hpp"

namespace warptree::foreign {
namespace {

const Words kRecorded = {"float", "double", "float2", "float3",    "float4",         "double2",        "int2",
                         "int4",  "uint2",  "uint4",  "cuComplex", "cuFloatComplex", "cuDoubleComplex"};
const Words kIntegerNames = {"clock_t", "size_t",    "uint",   "ulong",   "int32_t", "uint32_t", "int64_t", "uint64_t",
                             "ssize_t", "ptrdiff_t", "int8_t", "uint8_t", "int16_t", "uint16_t", "uchar",   "ushort"};
const Words kBeforeStar = {"(", "=", ",", "return", "+", "-", "*", "?", ":", "+=", "<", ">", "&&", "||", "!", "&"};

}  // namespace

bool File::is_integer(std::size_t n) const {
    return has(kIntegerWords, t_[n]) || has(kIntegerNames, t_[n]) || has(shared_.integer_names, t_[n]);
}
bool File::is_float(std::size_t n) const {
    return has(kRecorded, t_[n]) || has(shared_.float_names, t_[n]);
}

/// The last word of the integer type at n.
std::optional<std::size_t> File::integer_type(std::size_t n) const {
    if (!is_integer(n)) return std::nullopt;
    std::size_t last = n;
    while (has(kIntegerWords, t_[last]) &&
           (has(kIntegerWords, t_[last + 1]) || (t_[last + 1] == "const" && has(kIntegerWords, t_[last + 2]))))
        ++last;
    for (std::size_t m = n; m <= last && !shared_.narrow; ++m)
        if (t_.is(m, {"char", "short"})) return std::nullopt;
    return last;
}

void File::collect(Region& r) {
    for (const auto& [name, array] : shared_.shared_outside) r.pointers.insert(name);
    Words types = {"auto"};
    for (std::size_t n = r.begin; n <= r.end && n < t_.size(); ++n) {
        if (t_[n] == "template" && t_[n + 1] == "<") {
            const std::size_t close = t_.angle(n + 1).value_or(n);
            for (; n < close; ++n)
                if (t_.is(n, {"typename", "class"}) && t_.is_word(n + 1)) types.emplace(t_[n + 1]);
        } else if (t_.is(n, {"sizeof", "alignof"}) && t_[n + 1] == "(") {
            n = t_.match(n + 1);
        } else if (t_[n] == "__shared__") {
            const std::size_t end = t_.end_of(n, {";"});
            for (std::size_t m = n + 1; m < end; ++m)
                if (t_.is_word(m) && t_.is(m + 1, {"[", ",", ";", "="})) r.pointers.emplace(t_[m]);
            n = end;
        } else if (is_integer(n) && !t_.is(n - 1, {".", "->", "struct", "::"})) {
            collect_integer(r, n);
        } else if (is_float(n) || is_view(t_[n]) || (t_.is_word(n) && t_[n + 1] == "*" && n < r.close)) {
            std::size_t m = n + 1;
            bool points = has(shared_.pointer_names, t_[n]);
            for (; t_.is(m, {"*", "const", "__restrict__", "__restrict", "&", "volatile"}); ++m) points |= t_[m] == "*";
            if (t_.is_word(m)) (points || t_[m + 1] == "[" ? r.pointers : r.data).emplace(t_[m]);
        } else if (has(types, t_[n]) && n > r.close && t_.is_word(n + 1)) {
            r.deduced.merge(declared(r, n + 1));
        } else if (t_[n] == "[" && n > r.body && t_.is(n - 1, {"=", "(", ",", "return"})) {
            collect_lambda(r, t_.match(n) + 1);
        }
    }
    collect_parameters(r);
    if (r.is_binary()) r.data.insert(r.parameters.begin(), r.parameters.end());  // what it combines are elements
}

/// What a function without a name that takes two combines are elements.
void File::collect_lambda(Region& r, std::size_t open) {
    while (t_.is(open, {"__device__", "__host__"})) ++open;
    if (t_[open] != "(") return;
    const std::size_t close = t_.match(open), comma = t_.end_of(open + 1, {","});
    if (comma < close && t_.end_of(comma + 1, {","}) >= close && is_integer(open + 1) && is_integer(comma + 1))
        for (const std::size_t name : {comma - 1, close - 1})
            if (t_.is_word(name)) r.data.emplace(t_[name]);
}

/// The variables of a declaration, from the first's name on; pointers among them are the region's.
Words File::declared(Region& r, std::size_t first) const {
    Words names = {std::string(t_[first])};
    const std::size_t end = first > r.close ? t_.end_of(first, {";"}) : first;
    int depth = 0;
    for (std::size_t k = first; k < end; ++k) {
        depth += t_.is(k, {"(", "[", "{"}) ? 1 : t_.is(k, {")", "]", "}"}) ? -1 : 0;
        if (t_[k] != "," || depth != 0) continue;
        const bool star = t_[k + 1] == "*";
        if (star) r.pointers.emplace(t_[k + 2]);
        names.emplace(t_[k + 1 + star]);
    }
    return names;
}

/// A declaration whose type begins at n, which moves to the type's last word.
void File::collect_integer(Region& r, std::size_t& n) {
    const auto last = integer_type(n);
    if (!last) {
        while (has(kIntegerWords, t_[n + 1])) ++n;
        return;
    }
    const std::size_t first = n;
    n = *last;
    std::size_t m = n + 1;
    while (t_.is(m, {"const", "volatile"})) ++m;
    if (t_.is(m, {"*", "&", "&&"})) {
        const bool refers = t_[m] != "*";
        while (t_.is(m, {"*", "&", "&&", "const", "__restrict__", "__restrict", "volatile"})) ++m;
        if (!t_.is_word(m) && !t_.is(m, {">", ")", ",", ";"})) return;
        r.groups.push_back({first, n, true, false, {}});
        if (t_.is_word(m)) (refers ? r.data : r.pointers).emplace(t_[m]);
    } else if (t_[m] == "(" && t_.is(m + 1, {"*", "&"}) && t_[m + 3] == ")") {  // int (*rows)[N]
        r.groups.push_back({first, n, true, false, {}});
        r.pointers.emplace(t_[m + 2]);
    } else if (t_[m] == "operator") {
        if (r.name == "operator()") r.groups.push_back({first, n, false, true, {}});
    } else if (t_.is_word(m)) {
        if (m + 1 == r.open) {
            r.groups.push_back({first, n, false, true, {}});
            return;
        }
        if (t_[m + 1] == "[" && first > r.open && first < r.close) {  // int a[]: a parameter that is a pointer
            r.groups.push_back({first, n, true, false, {}});
            r.pointers.emplace(t_[m]);
            return;
        }
        Words names = declared(r, m);
        if (t_[first - 1] == "(" && t_[first - 2] == "for")
            std::erase_if(names, [&](const std::string& name) { return steps_through(name, first - 1); });
        r.groups.push_back({first, n, false, false, names});
    }
}

/// Whether a variable of a loop is one that finds its elements: it is no element then, wherever it begins.
/// open  at the loop's '('
bool File::steps_through(std::string_view name, std::size_t open) const {
    const std::size_t close = t_.match(open);
    const std::size_t end = t_[close + 1] == "{" ? t_.match(close + 1) : t_.end_of(close + 1, {";"});
    for (std::size_t n = close + 1; n < end; ++n)
        if (t_[n] == "[")
            for (const std::size_t last = t_.match(n); n < last; ++n)
                if (t_[n] == name) return true;
    return false;
}

void File::collect_parameters(Region& r) {
    int depth = 0;
    std::string name;
    bool points = false, named = false;
    for (std::size_t m = r.open + 1; m <= r.close && m < t_.size(); ++m) {
        if ((t_[m] == "," && depth == 0) || m == r.close) {
            r.parameters.push_back(name);
            if (points && !name.empty()) r.pointers.insert(name);
            name.clear();
            points = named = false;
            continue;
        }
        if (t_[m] == "[") m = t_.match(m), points |= !named;
        depth += t_.is(m, {"(", "{", "<"}) ? 1 : t_.is(m, {")", "}", ">"}) ? -1 : 0;
        if (t_[m] == "=") named = true;
        if (!named && t_.is_word(m)) name = t_[m];
        points |= !named && (t_[m] == "*" || has(shared_.pointer_names, t_[m]));
    }
}

/// Whether an expression, tokens [first, end), has a value that came from memory.
bool File::is_data(const Region& r, std::size_t first, std::size_t end) const {
    for (std::size_t m = first; m < end; ++m) {
        const std::string_view x = t_[m];
        if (x == "[") {
            m = t_.match(m);
        } else if (t_.is_word(m) && t_.is(m - 1, {".", "->"})) {
            if (has(shared_.member_data, x) || (has(shared_.member_pointers, x) && t_[m + 1] == "[")) return true;
        } else if (t_.is_word(m)) {
            if (has(r.data, x) || x == "__ldg" || x == "__ldcs") return true;
            if (has(data_returns_, x) && t_.is(m + 1, {"(", "<"})) return true;
            if (!has(r.pointers, x) && !has(shared_.member_pointers, x)) continue;
            if (t_[m + 1] == "[") return true;
            if (t_[m - 1] == "*" && (m - 1 == first || has(kBeforeStar, t_[m - 2]))) return true;
        } else if (x == "*" && t_[m + 1] == "(" && (m == first || t_.is(m - 1, {"(", "=", ",", "return"}))) {
            for (std::size_t k = m + 1; k < t_.match(m + 1); ++k)
                if (has(r.pointers, t_[k])) return true;
        }
    }
    return false;
}

std::size_t File::facts() const {
    std::size_t count = data_returns_.size();
    for (const Region& r : regions_) count += r.data.size() + r.pointers.size();
    for (const auto& [name, parameters] : data_parameters_) count += parameters.size();
    return count;
}

void File::infer(Region& r) {
    if (t_[r.body] != "{") return;
    Words candidates = r.deduced;
    for (const Region::Group& group : r.groups) candidates.insert(group.names.begin(), group.names.end());
    for (const std::size_t i : data_parameters_[r.name])
        if (i < r.parameters.size()) r.data.insert(r.parameters[i]);
    for (std::size_t n = r.close; n < r.end; ++n) {
        const std::string_view x = t_[n];
        if (has(candidates, x) && !has(r.data, x) && !t_.is(n - 1, {".", "->"})) {
            std::size_t m = n + 1;
            const bool array = t_[m] == "[";
            if (array) m = t_.match(m) + 1;
            const bool built = t_.is(m, {"(", "{"}) && is_integer(n - 1);
            if (!has(kAssigns, t_[m]) && !built) continue;
            if (!is_data(r, m + 1, built ? t_.match(m) : t_.end_of(m + 1, {";", ","}))) continue;
            (array ? r.pointers : r.data).emplace(x);
            r.data.emplace(x);
        } else if (x == "return" && is_data(r, n + 1, t_.end_of(n + 1, {";"}))) {
            data_returns_.insert(r.name);
        } else if (t_.is_word(n) && n > r.close) {
            infer_call(r, n);
        }
    }
}

/// What a call of one device function by another hands over.
void File::infer_call(Region& r, std::size_t n) {
    const std::string name(t_[n]);
    if (shared_.functions.find(name) == shared_.functions.end()) return;
    std::size_t open = n + 1;
    if (t_[open] == "<") {
        const auto close = t_.angle(open);
        if (!close) return;
        open = *close + 1;
    }
    if (t_[open] != "(") return;
    const std::size_t close = t_.match(open);
    std::size_t argument = 0;
    for (std::size_t a = open + 1; a <= close; ++argument) {
        const std::size_t end = std::min(t_.end_of(a, {","}), close);
        if (is_data(r, a, end)) data_parameters_[name].insert(argument);
        for (const Region& callee : regions_)  // bound to int&: the variable itself has to record
            if (callee.name == name && argument < callee.parameters.size() && end == a + 1 &&
                has(callee.data, callee.parameters[argument]) && takes_reference(callee, argument))
                r.data.emplace(t_[a]);
        a = end + 1;
    }
}

bool File::takes_reference(const Region& r, std::size_t parameter) const {
    int depth = 0;
    std::size_t at = 0;
    for (std::size_t m = r.open + 1; m < r.close; ++m) {
        if (t_[m] == "," && depth == 0) ++at;
        depth += t_.is(m, {"(", "<"}) ? 1 : t_.is(m, {")", ">"}) ? -1 : 0;
        if (t_[m] == "&" && at == parameter) return true;
    }
    return false;
}

}  // namespace warptree::foreign
