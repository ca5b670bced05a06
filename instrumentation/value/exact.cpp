// Numbers as they are: how they are put in line, rounded, and written out.
#include "instrumentation/value/exact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "instrumentation/value/operator.hpp"

namespace warptree::value {
namespace {

constexpr int kHalf = 26;  // bits of a double's digits that ExactSum adds up alone

/// The halves of an integer, each of which a double holds.
double high_half(const Values& values, std::size_t i) {
    return values.type() == Type::kUint64 ? static_cast<double>(values.bits(i) >> 32)
                                          : static_cast<double>(values.as_integer(i) >> 32);
}
double low_half(const Values& values, std::size_t i) {
    return static_cast<double>(values.as_integer(i) & 0xffffffff);
}

}  // namespace

Exact::Exact(double finite, long exponent) {
    int own = 0;
    const double digits = std::ldexp(std::frexp(finite, &own), std::numeric_limits<double>::digits);
    digits_ = digits;
    exponent_ = exponent + own - std::numeric_limits<double>::digits;
    const unsigned long zeros = digits == 0 ? 0 : mpz_scan1(digits_.get_mpz_t(), 0);
    digits_ >>= zeros;
    exponent_ += static_cast<long>(zeros);
}

Exact& Exact::operator+=(const Exact& other) {
    if (other.sign() == 0) return *this;
    if (sign() == 0) return *this = other;
    if (exponent_ > other.exponent_) {
        digits_ <<= static_cast<unsigned long>(exponent_ - other.exponent_);
        exponent_ = other.exponent_;
    }
    digits_ += other.digits_ << static_cast<unsigned long>(other.exponent_ - exponent_);
    return *this;
}

Exact& Exact::operator-=(const Exact& other) {
    Exact negative = other;
    negative.digits_ = -negative.digits_;
    return *this += negative;
}

Exact& Exact::operator*=(const Exact& other) {
    digits_ *= other.digits_;
    exponent_ += other.exponent_;
    return *this;
}

double Exact::nearest(Type type) const {
    const FloatFormat format = float_format(type);
    const auto size = static_cast<long>(mpz_sizeinbase(digits_.get_mpz_t(), 2));
    const long last = std::max<long>(exponent_ + size - format.digits, format.least), dropped = last - exponent_;
    if (sign() == 0) return 0;
    if (dropped > size) return std::copysign(0.0, sign());
    mpz_class kept = abs(digits_);
    if (dropped > 0) {
        const auto bits = static_cast<unsigned long>(dropped);
        const bool half = mpz_tstbit(kept.get_mpz_t(), bits - 1) != 0;
        const bool more = mpz_scan1(kept.get_mpz_t(), 0) < bits - 1;
        kept >>= bits;
        if (half && (more || mpz_odd_p(kept.get_mpz_t()))) ++kept;
    }
    const double number = std::ldexp(kept.get_d(), static_cast<int>(std::max(last, exponent_)));
    return std::copysign(number > format.most ? std::numeric_limits<double>::infinity() : number, sign());
}

std::string Exact::decimal() const {
    if (sign() == 0) return "0";
    mpz_class digits = abs(digits_);
    const unsigned long twos = mpz_scan1(digits.get_mpz_t(), 0);
    digits >>= twos;
    const long exponent = exponent_ + static_cast<long>(twos);
    const std::string minus = sign() < 0 ? "-" : "";
    if (exponent >= 0) return minus + mpz_class(digits << static_cast<unsigned long>(exponent)).get_str();
    const auto places = static_cast<unsigned long>(-exponent);  // 1 / 2^k is 5^k / 10^k
    mpz_class fives;
    mpz_ui_pow_ui(fives.get_mpz_t(), 5, places);
    std::string text = mpz_class(digits * fives).get_str();
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    return minus + text.insert(text.size() - places, ".");
}

void Exact::keep(std::size_t bits) {
    const std::size_t size = mpz_sizeinbase(digits_.get_mpz_t(), 2);
    if (size <= bits) return;
    mpz_tdiv_q_2exp(digits_.get_mpz_t(), digits_.get_mpz_t(), size - bits);
    exponent_ += static_cast<long>(size - bits);
}

void ExactSum::add(double finite) {
    const auto bits = std::bit_cast<std::uint64_t>(finite);
    const std::uint64_t exponent = bits >> 52 & 0x7ff;
    const std::uint64_t digits = (bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{exponent != 0} << 52;
    const auto low = static_cast<std::int64_t>(digits & ((1u << kHalf) - 1));
    const auto high = static_cast<std::int64_t>(digits >> kHalf);
    Digits& sum = by_exponent_[exponent];
    const bool negative = bits >> 63 != 0;
    sum.low += negative ? -low : low;
    sum.high += negative ? -high : high;
}

Exact ExactSum::total() const {
    // Of 64 bits a double takes 32 at a time
    const auto whole = [](std::int64_t digits, long exponent) {
        Exact out(static_cast<double>(digits >> 32), exponent + 32);
        return out += Exact(static_cast<double>(digits & 0xffffffff), exponent);
    };
    Exact out;
    for (std::size_t i = by_exponent_.size(); i-- > 0;) {
        const long exponent = std::max<long>(static_cast<long>(i), 1) - 1075;
        if (by_exponent_[i].low != 0) out += whole(by_exponent_[i].low, exponent);
        if (by_exponent_[i].high != 0) out += whole(by_exponent_[i].high, exponent + kHalf);
    }
    return out;
}

Exact exact_of(const Values& values, std::size_t i) {
    if (!is_integer(values.type())) return Exact(values.as_double(i));
    return Exact(high_half(values, i), 32) += Exact(low_half(values, i));
}

Exact exact_sum(const Values& values, std::size_t first, std::size_t end) {
    ExactSum sum;
    const bool wide = is_integer(values.type()) && size_bytes(values.type()) == 8;  // two doubles hold one
    for (std::size_t i = first; i < end; ++i) {
        if (wide) sum.add(std::ldexp(high_half(values, i), 32));
        sum.add(wide ? low_half(values, i) : values.as_double(i));
    }
    return sum.total();
}

Exact exact_product(const Values& values, std::size_t first, std::size_t end) {
    Exact product(1);
    for (std::size_t i = first; i < end; ++i) {
        product *= exact_of(values, i);
        product.keep(256);
    }
    return product;
}

std::string shortened(const std::string& decimal, std::size_t digits) {
    const std::string minus = decimal.starts_with('-') ? "-" : "";
    const std::string text = decimal.substr(minus.size());
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string all = text;
    std::erase(all, '.');
    const std::size_t zeros = std::min(all.find_first_not_of('0'), all.size());
    const long exponent = static_cast<long>(point) - static_cast<long>(zeros) - 1;
    all.erase(0, zeros);
    const std::string more = all.size() > digits ? "…" : "";
    if (exponent >= -5 && point <= digits) {
        if (more.empty()) return decimal;
        return minus + text.substr(0, zeros + digits + 1) + more;
    }
    std::string shown = all.substr(0, digits);
    if (more.empty()) shown.erase(shown.find_last_not_of('0') + 1);
    if (shown.size() > 1) shown.insert(1, ".");
    return minus + shown + more + "e" + std::to_string(exponent);
}

IntegerRange integer_range(Type type) {
    return with_stored(type, [](auto as) -> IntegerRange {
        using Number = typename decltype(as)::Number;
        using Limits = std::numeric_limits<Number>;
        if constexpr (std::is_integral_v<Number>) return {std::to_string(Limits::min()), std::to_string(Limits::max())};
        return {};
    });
}

double ulp(double number, Type type) {
    const FloatFormat format = float_format(type);
    const long exponent = number == 0 ? format.least : std::ilogb(number) - (format.digits - 1);
    return std::ldexp(1.0, static_cast<int>(std::max<long>(exponent, format.least)));
}

}  // namespace warptree::value
