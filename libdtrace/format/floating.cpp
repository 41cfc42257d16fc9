#include "libdtrace/format/floating.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace dt::format {
namespace {

constexpr int kLongestFixed = 30; // largest exponent printed in fixed notation
constexpr std::size_t kHalf = 2, kFloat = 4, kDouble = 8, kNarrowLongDouble = 12, kLongDouble = sizeof(long double);

template <typename T> T copied(std::span<const uint8_t> bytes)
{
    T value{};
    std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
    return value;
}

double power_of_two(int exponent)
{
    constexpr int kBias = 1023, kFractionBits = 52;
    return std::bit_cast<double>(static_cast<uint64_t>(exponent + kBias) << kFractionBits);
}

/// Decodes IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction. Some supported compilers have no type for it.
double half(uint16_t bits)
{
    constexpr int kFractionBits = 10, kExponentMask = 0x1f, kBias = 15;
    const int exponent = (bits >> kFractionBits) & kExponentMask, fraction = bits & ((1 << kFractionBits) - 1);
    const double size =
        exponent == kExponentMask
            ? (fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity())
        : exponent == 0 ? fraction * power_of_two(1 - kBias - kFractionBits)
                        : (fraction + (1 << kFractionBits)) * power_of_two(exponent - kBias - kFractionBits);
    return (bits & 0x8000) != 0 ? -size : size;
}

long double read_as(float, const char* text)
{
    return std::strtof(text, nullptr);
}
long double read_as(double, const char* text)
{
    return std::strtod(text, nullptr);
}
long double read_as(long double, const char* text)
{
    return std::strtold(text, nullptr);
}

/// Returns the shortest "d.ddde+xx" that identifies the number among all of its type. It first tries the digits that
/// every decimal keeps; a shorter number then ends in zeros, which are removed. std::to_chars() would need libm and
/// tables: 0.5 MB per process.
template <typename T> std::string shortest_scientific(T value)
{
    using Limits = std::numeric_limits<T>;
    char text[64];
    for (int digits = Limits::digits10; digits <= Limits::max_digits10; ++digits) {
        std::snprintf(text, sizeof text, "%.*Le", digits - 1, static_cast<long double>(value));
        if (read_as(value, text) == value)
            break;
    }
    std::string all = text;
    const std::size_t end = all.find('e');
    const std::size_t last = all.find_last_not_of('0', end - 1);
    all.erase(all[last] == '.' ? last : last + 1, end - (all[last] == '.' ? last : last + 1));
    return all;
}

/// Returns the shortest text, without an exponent if that is no longer.
template <typename T> std::string shortest(T value)
{
    if (!std::isfinite(value))
        return std::string(std::signbit(value) ? "-" : "") + (std::isnan(value) ? "nan" : "inf");
    std::string scientific = shortest_scientific(value);
    const std::size_t end = scientific.find('e'), point = scientific.find('.');
    const int behind = point < end ? static_cast<int>(end - point) - 1 : 0;
    const int exponent = std::atoi(scientific.c_str() + end + 1);
    if (std::abs(exponent) > kLongestFixed)
        return scientific;
    char fixed[64];
    std::snprintf(fixed, sizeof fixed, "%.*Lf", std::max(behind - exponent, 0), static_cast<long double>(value));
    return std::strlen(fixed) <= scientific.size() ? fixed : scientific;
}

/// Rounds to the fewest digits that are still nearer to this number than to its neighbours. Five digits always suffice.
double shortest_half(uint16_t bits)
{
    const double value = half(bits);
    for (int digits = 1; digits < 5; ++digits) {
        char text[32];
        std::snprintf(text, sizeof text, "%.*g", digits, value);
        const double read = std::strtod(text, nullptr);
        const auto is_nearer = [&](int other) {
            const double neighbour = half(static_cast<uint16_t>(bits + other));
            return std::abs(read - value) <
                   std::abs(read - (std::isinf(neighbour) ? std::copysign(0x1p16, value) : neighbour));
        };
        if (is_nearer(1) && is_nearer(-1))
            return read;
    }
    return value;
}

} // namespace

std::optional<long double> load_floating(std::span<const uint8_t> bytes)
{
    switch (bytes.size()) {
    case kHalf:
        return half(copied<uint16_t>(bytes));
    case kFloat:
        return copied<float>(bytes);
    case kDouble:
        return copied<double>(bytes);
    case kNarrowLongDouble:
    case kLongDouble:
        return copied<long double>(bytes);
    default:
        return {};
    }
}

void append_floating(Text& out, std::span<const uint8_t> bytes)
{
    const auto value = load_floating(bytes);
    if (!value)
        return;
    if (bytes.size() == kFloat)
        out.append(shortest(static_cast<float>(*value)));
    else if (bytes.size() == kDouble)
        out.append(shortest(static_cast<double>(*value)));
    else if (bytes.size() == kHalf && std::isfinite(*value) && *value != 0)
        out.append(shortest(shortest_half(copied<uint16_t>(bytes))));
    else
        out.append(shortest(*value));
}

} // namespace dt::format
