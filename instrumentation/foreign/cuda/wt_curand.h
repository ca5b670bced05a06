// cuRAND's generators in device code: one for all, Philox4x32-10 (Salmon et al., SC 2011), with the distributions of
// NVIDIA's but not its numbers. A seed is a key; a sequence is one of 2^64, of 2^64 draws each.
#pragma once

#include <algorithm>
#include <cmath>

#include "warptree/host.hpp"

namespace wt {

class Random {
public:
    void begin(std::uint64_t seed, std::uint64_t sequence, std::uint64_t offset) {
        seed_ = seed, sequence_ = sequence, drawn_ = offset;
        spare_ = {};
    }
    void skip(std::uint64_t draws) { drawn_ += draws; }
    void skip_sequences(std::uint64_t count) { sequence_ += count; }
    std::uint32_t bits() {
        const std::uint64_t at = drawn_++;
        return block(at / 4).words[at % 4];
    }
    /// In (0, 1], as cuRAND's.
    float uniform() { return static_cast<float>(bits() >> 8) * 0x1p-24f + 0x1p-24f; }
    double uniform_double() {
        const std::uint64_t high = bits();
        return static_cast<double>((high << 32 | bits()) >> 11) * 0x1p-53 + 0x1p-53;
    }
    /// Box and Muller's: two of a pair of uniform ones.
    double normal() {
        if (spare_.there) return spare_.there = false, spare_.value;
        const double size = std::sqrt(-2 * std::log(uniform_double())), angle = 2 * M_PI * uniform_double();
        spare_ = {size * std::cos(angle), true};
        return size * std::sin(angle);
    }
    unsigned poisson(double mean) {
        if (constexpr double kMany = 500; mean > kMany)
            return static_cast<unsigned>(std::max(0.0, std::round(mean + std::sqrt(mean) * normal())));
        unsigned count = 0;
        for (double left = uniform_double(), least = std::exp(-mean); left > least; left *= uniform_double()) ++count;
        return count;
    }

private:
    struct Block {
        std::uint32_t words[4];
    };
    Block block(std::uint64_t number) const {
        Block b{low(number), high(number), low(sequence_), high(sequence_)};
        std::uint32_t key[2] = {low(seed_), high(seed_)};
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t x = std::uint64_t{0xD2511F53} * b.words[0], y = std::uint64_t{0xCD9E8D57} * b.words[2];
            b = {high(y) ^ b.words[1] ^ key[0], low(y), high(x) ^ b.words[3] ^ key[1], low(x)};
            key[0] += 0x9E3779B9, key[1] += 0xBB67AE85;
        }
        return b;
    }
    static std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
    static std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

    std::uint64_t seed_, sequence_, drawn_;
    struct {
        double value;
        bool there;
    } spare_;
};

}  // namespace wt

struct curandStateXORWOW : wt::Random {};
struct curandStatePhilox4_32_10 : wt::Random {};
struct curandStateMRG32k3a : wt::Random {};
using curandStateXORWOW_t = curandStateXORWOW;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;
using curandStateMRG32k3a_t = curandStateMRG32k3a;
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;

inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                        wt::Random* state) {
    state->begin(seed, sequence, offset);
}
inline void skipahead(unsigned long long draws, wt::Random* state) {
    state->skip(draws);
}
inline void skipahead_sequence(unsigned long long count, wt::Random* state) {
    state->skip_sequences(count);
}
#define WT_DRAW(name, R, expression)       \
    inline R name(wt::Random* state) {     \
        return static_cast<R>(expression); \
    }
#define WT_DRAW_2(name, R, of)         \
    inline R name(wt::Random* state) { \
        const auto x = of(state);      \
        return {x, of(state)};         \
    }
#define WT_DRAW_4(name, R, of)                                  \
    inline R name(wt::Random* state) {                          \
        const auto x = of(state), y = of(state), z = of(state); \
        return {x, y, z, of(state)};                            \
    }
WT_DRAW(curand, unsigned, state->bits())
WT_DRAW(curand_uniform, float, state->uniform())
WT_DRAW(curand_uniform_double, double, state->uniform_double())
WT_DRAW(curand_normal, float, state->normal())
WT_DRAW(curand_normal_double, double, state->normal())
WT_DRAW_2(curand_normal2, float2, curand_normal)
WT_DRAW_2(curand_normal2_double, double2, curand_normal_double)
WT_DRAW_2(curand_uniform2_double, double2, curand_uniform_double)
WT_DRAW_4(curand4, uint4, curand)
WT_DRAW_4(curand_uniform4, float4, curand_uniform)
WT_DRAW_4(curand_normal4, float4, curand_normal)
#undef WT_DRAW
#undef WT_DRAW_2
#undef WT_DRAW_4
inline float curand_log_normal(wt::Random* state, float mean, float deviation) {
    return std::exp(mean + deviation * curand_normal(state));
}
inline double curand_log_normal_double(wt::Random* state, double mean, double deviation) {
    return std::exp(mean + deviation * curand_normal_double(state));
}
inline unsigned curand_poisson(wt::Random* state, double mean) {
    return state->poisson(mean);
}
