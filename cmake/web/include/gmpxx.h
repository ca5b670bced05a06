// GMP's integers for the web edition: what is asked of its mpz_class, on the small GMP that comes with it.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <mini-gmp.h>

class mpz_class {
public:
    mpz_class() { mpz_init(number_); }
    mpz_class(double number) { mpz_init_set_d(number_, number); }  // NOLINT: converts, as GMP's
    mpz_class(const mpz_class& other) { mpz_init_set(number_, other.number_); }
    mpz_class(mpz_class&& other) noexcept : mpz_class() { mpz_swap(number_, other.number_); }
    mpz_class& operator=(mpz_class other) noexcept {
        mpz_swap(number_, other.number_);
        return *this;
    }
    ~mpz_class() { mpz_clear(number_); }

    mpz_ptr get_mpz_t() { return number_; }
    mpz_srcptr get_mpz_t() const { return number_; }
    double get_d() const { return mpz_get_d(number_); }
    std::string get_str() const {
        std::string digits(mpz_sizeinbase(number_, 10) + 2, '\0');
        mpz_get_str(digits.data(), 10, number_);
        digits.resize(digits.find('\0'));
        return digits;
    }

    mpz_class& operator+=(const mpz_class& other) { return mpz_add(number_, number_, other.number_), *this; }
    mpz_class& operator*=(const mpz_class& other) { return mpz_mul(number_, number_, other.number_), *this; }
    mpz_class& operator<<=(unsigned long bits) { return mpz_mul_2exp(number_, number_, bits), *this; }
    mpz_class& operator>>=(unsigned long bits) { return mpz_fdiv_q_2exp(number_, number_, bits), *this; }
    mpz_class& operator++() { return mpz_add_ui(number_, number_, 1), *this; }
    mpz_class operator-() const {
        mpz_class out;
        mpz_neg(out.number_, number_);
        return out;
    }
    friend mpz_class operator*(mpz_class a, const mpz_class& b) { return a *= b; }
    friend mpz_class operator<<(mpz_class a, unsigned long bits) { return a <<= bits; }
    friend mpz_class abs(mpz_class a) {
        mpz_abs(a.number_, a.number_);
        return a;
    }
    friend int sgn(const mpz_class& a) { return mpz_sgn(a.number_); }

private:
    mpz_t number_;
};
