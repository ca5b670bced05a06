// Numbers as they are: an integer times a power of two, which sums, differences and products of floats always are.
// Nothing is rounded before it is asked for. The integers are GMP's; numbers of MPFR would be rounded again.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <gmpxx.h>

#include "instrumentation/value/values.hpp"

namespace warptree::value {

class Exact {
public:
    Exact() = default;
    explicit Exact(double finite) : Exact(finite, 0) {}
    /// number * 2^exponent
    Exact(double finite, long exponent);

    Exact& operator+=(const Exact&);
    Exact& operator-=(const Exact&);
    Exact& operator*=(const Exact&);
    int sign() const { return sgn(digits_); }
    /// The nearest number of a floating-point type, of two equally near the even one; infinite where it is too large.
    double nearest(Type = Type::kFloat64) const;
    /// All of its digits: "1.03125".
    std::string decimal() const;
    /// Leaves its first digits, so many bits of them.
    void keep(std::size_t bits);

private:
    mpz_class digits_;
    long exponent_ = 0;
};

/// Many numbers added up: their digits, in two halves, by their exponents.
class ExactSum {
public:
    /// finite  up to 2^36 of them
    void add(double finite);
    Exact total() const;

private:
    struct Digits {
        std::int64_t low = 0, high = 0;
    };
    std::array<Digits, 2048> by_exponent_{};
};

/// A value of a number's type.
/// errors  none: it has to be finite
Exact exact_of(const Values&, std::size_t i);
/// The sum, or product, of values [first, end); the product to 256 bits, the sum of all its digits.
/// errors  as above
Exact exact_sum(const Values&, std::size_t first, std::size_t end);
Exact exact_product(const Values&, std::size_t first, std::size_t end);

/// A decimal as people read it: whole up to so many digits, else its first ones and "…", with a power of ten where
/// zeros would stand before or after them: "1.0999…e-10".
std::string shortened(const std::string& decimal, std::size_t digits);

/// The smallest and the largest number of an integer type, as text.
struct IntegerRange {
    std::string least, most;
};
IntegerRange integer_range(Type);

/// The distance of a floating-point type's numbers about a number: a unit in its last place.
double ulp(double number, Type);

}  // namespace warptree::value
