#include "libdtrace/format/floating.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace dt::format {
namespace {

constexpr std::size_t kHalf = 2, kFloat = 4, kDouble = 8, kNarrowLongDouble = 12, kLongDouble = sizeof(long double);

template <typename T> T copied(std::span<const uint8_t> bytes)
{
    T value{};
    std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
    return value;
}

/// IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction. (Not every compiler that builds this has a type for
/// it.)
double half(uint16_t bits)
{
    constexpr int kFractionBits = 10, kExponentMask = 0x1f, kBias = 15;
    const int exponent = (bits >> kFractionBits) & kExponentMask, fraction = bits & ((1 << kFractionBits) - 1);
    const double size = exponent == kExponentMask ? (fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                                                                   : std::numeric_limits<double>::infinity())
                        : exponent == 0           ? std::ldexp(fraction, 1 - kBias - kFractionBits)
                                        : std::ldexp(fraction + (1 << kFractionBits), exponent - kBias - kFractionBits);
    return (bits & 0x8000) != 0 ? -size : size;
}

/// With as few digits as are nearer to this number than to its neighbours: five tell any two apart.
double shortest_half(uint16_t bits)
{
    const double value = half(bits);
    for (int digits = 1; digits < 5; ++digits) {
        char text[32];
        *std::to_chars(text, text + sizeof text - 1, value, std::chars_format::general, digits).ptr = '\0';
        const double read = std::strtod(text, nullptr); // from_chars() would link libm, 0.3 MB of every process
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
    char room[64];
    const auto shortest = [&](auto value) {
        const auto written = std::to_chars(room, room + sizeof room, value);
        out.append(std::string_view(room, static_cast<std::size_t>(written.ptr - room)));
    };
    const auto value = load_floating(bytes);
    if (!value)
        return;
    if (bytes.size() == kFloat)
        shortest(static_cast<float>(*value));
    else if (bytes.size() == kDouble)
        shortest(static_cast<double>(*value));
    else if (bytes.size() == kHalf && std::isfinite(*value) && *value != 0)
        shortest(shortest_half(copied<uint16_t>(bytes)));
    else
        shortest(*value);
}

} // namespace dt::format
