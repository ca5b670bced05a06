// Bounds: of products, of sums, and of sums that catch what they lose.
#include "instrumentation/judge/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "instrumentation/graph/folds.hpp"

namespace warptree::judge {
namespace {

/// Roundings of the elements' sizes that a compensated sum is off by, where every element is in up to n sums. Published
/// are 2u + O(n u^2) for kahan (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., (4.8)) and
/// u + ((n - 1) u)^2 for neumaier (T. Ogita, S. M. Rump, S. Oishi, Accurate Sum and Dot Product, 2005,
/// Proposition 4.5). What the O() stands for, worked out; u up to 2^-8, S the elements' sizes together, M the largest
/// sum's:
///   kahan       y = x - c and t = sum + y round by h <= u|y| and a; t - sum and what it lacks of y round only where
///               |y| > |sum|: by b <= u(1 + 2u)|y| and d <= 3.1 u^2 |y|; c is a, or at most 3.1 u|y|. All that sum - c
///               is off by are h, b and d: at most u (2 + 5.1 u) of the |y|, which are (1 + 4.2 u) (S + n u M)
///               together. So sum is off by u (1 + 7u) (2 (S + n u M) + M), and M is S and as much.
///   kahan-tree  the same in each thread, and up the tree, of up to 10 levels, 2u of each c, which are
///               (3.1 + level) u M together: 180 u^2 M. All that once more where a second launch adds pairs up.
///   neumaier    every addition's loss is exact, and together they are (n - 1) u S at most (C.-P. Jeannerod and
///               S. M. Rump, Improved Error Bounds for Inner Products in Floating-Point Arithmetic, 2013), so that
///               adding them up loses (n - 1) u of that; and the last addition u of the result. n^2 u^2 is 2^-8 of
///               2^20 float32, where 9 u are lost: see running_losses.
/// returns  infinity where so many roundings leave no bound
double compensated(std::string_view kernel, double n, double u, double of_result) {
    if (kernel == "neumaier") return of_result + (1 + u) * (n * u) * n;
    const bool tree = kernel == "kahan-tree";
    const double off = u * (1 + 7 * u) * (tree ? 5 + (2 * n + 360) * u : 3 + 2 * n * u);
    return off < 1 ? off / (1 - off) / u : std::numeric_limits<double>::infinity();
}

/// What the sums of the losses can lose of these, u of each at most, where neumaier adds up this very input: a running
/// error bound (J. H. Wilkinson, Rounding Errors in Algebraic Processes, 1963; Higham, as above, ch. 3.3).
/// returns  not a number where a sum left the range
double running_losses(const value::Values& input, std::size_t count) {
    return value::with_stored(input.type(), [&](auto as) {
        const auto rounded = [&](auto number) { return as.number(as.bits(number)); };
        auto sum = as.number(input.bits(0)), losses = as.number(0);
        double sizes = 0;
        for (std::size_t i = 1; i < count; ++i) {
            auto less = as.number(input.bits(i)), more = sum;
            sum = rounded(sum + less);
            if (std::abs(static_cast<double>(more)) < std::abs(static_cast<double>(less))) std::swap(more, less);
            losses = rounded(losses + rounded(rounded(more - sum) + less));
            sizes += std::abs(static_cast<double>(losses));
        }
        return value::float_format(input.type()).unit * sizes;
    });
}

}  // namespace

bool compensates(std::string_view kernel) {
    return kernel == "kahan" || kernel == "neumaier" || kernel == "kahan-tree";
}

double grown(value::Type type, double roundings) {
    return std::expm1(roundings * std::log1p(value::float_format(type).unit));
}

double any_underflow(value::Type type, double count, long double large, long double small) {
    const value::FloatFormat format = value::float_format(type);
    const auto least = std::ldexp(1.0L, format.least);
    if (small * (1 - count * format.unit) >= least / format.unit / 2) return 0;
    return static_cast<double>((count - 1) * least / 2 * large * (1 + grown(type, count)));
}
double any_underflow(const value::Values& input, std::size_t count) {
    long double large = 1, small = 1;
    for (std::size_t i = 0; i < count; ++i) {
        const long double x = std::abs(input.as_double(i));
        (x < 1 ? small : large) *= x;
    }
    return any_underflow(input.type(), static_cast<double>(count), large, small);
}

double likely_error(value::Type type, std::string_view kernel, double depth, double size, double right) {
    const double u = value::float_format(type).unit;
    if (!compensates(kernel)) return std::sqrt(depth) * u * size;
    // The losses, u of each sum, grow by their root, and so does what adding them up loses of that
    return kernel == "neumaier" ? u * (std::abs(right) + depth * u * size) : 0;
}

double product_bound(value::Type type, std::size_t count, double want, double underflow) {
    return std::abs(want) * grown(type, static_cast<double>(count) - 1) + underflow;
}

double sum_bound(const value::Values& input, std::size_t count, const std::vector<std::uint32_t>& depths,
                 std::string_view kernel, double want) {
    const double u = value::float_format(input.type()).unit;
    double bound = 0, size = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = std::abs(input.as_double(i));
        size += x;
        bound += x * grown(input.type(), depths[depths.size() == 1 ? 0 : i]);
    }
    bound = std::min(bound, static_cast<double>(count - 1) * u * size);
    if (compensates(kernel))
        bound = u * size * compensated(kernel, std::ranges::max(depths), u, size == 0 ? 0 : std::abs(want) / size);
    if (kernel == "neumaier")
        if (const double here = (u * std::abs(want) + running_losses(input, count)) / (1 - u); here < bound)
            bound = here;
    return bound * (1 + static_cast<double>(count) * std::numeric_limits<double>::epsilon());
}

std::optional<double> underflow_of(const graph::Graph& graph, const value::Values& input) {
    const value::FloatFormat format = value::float_format(input.type());
    const double normal = format.least + format.digits - 1, largest = std::numeric_limits<double>::infinity();
    std::vector<double> size(graph.size());  // logarithms of the products
    const auto root = graph::root(graph);
    if (!root || !root->is_node()) return 0;
    const auto size_of = [&](graph::Operand operand) {
        if (operand.is_node()) return size[operand.index()];
        return operand.is_element() && operand.index() < input.size()
                   ? std::log2(std::abs(input.as_double(operand.index())))
                   : 0;
    };
    std::vector<double> below;
    for (std::size_t node = 0; node < graph.size(); ++node) {
        if (graph.atomic(node)) return std::nullopt;
        for (const graph::Operand operand : graph.operands(node)) size[node] += size_of(operand);
        if (size[node] < normal + 1 && size[node] > -largest) below.push_back(size[node]);
    }
    double sum = 0;
    for (const double product : below) sum += std::exp2(format.least - 1 + size[root->index()] - product);
    return sum * (1 + grown(input.type(), static_cast<double>(input.size())));
}

}  // namespace warptree::judge
