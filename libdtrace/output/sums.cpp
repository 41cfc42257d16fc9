// Computes exact means and deviations of 64-bit values. A square has up to 127 bits, so the sum of squares has 192
// bits; divided by the count it fits into 128 bits.
#include "libdtrace/output/sums.hpp"

#include <algorithm>
#include <array>

#include "bpf-runtime/abi.h"

namespace dt::output {

namespace {

using Words = std::span<const int64_t>;
using Wide = __int128;
using UnsignedWide = unsigned __int128;
using Squares = std::array<uint64_t, 3>; // lowest limb first

constexpr std::size_t kCount = 0, kSum = 1, kWraps = 2, kSquares = 3;

Wide sum_of(Words words)
{
    return static_cast<Wide>(static_cast<UnsignedWide>(static_cast<uint64_t>(words[kWraps])) << 64) + words[kSum];
}

void set_sum(std::span<int64_t> words, Wide sum)
{
    words[kSum] = static_cast<int64_t>(sum);
    words[kWraps] = static_cast<int64_t>((sum - words[kSum]) >> 64);
}

// Adds `from` to `into`, or subtracts it, limb by limb.
void combine_squares(std::span<int64_t> into, Words from, bool subtract)
{
    uint64_t carry = 0;
    for (std::size_t i = kSquares; i < into.size(); ++i) {
        const auto a = static_cast<uint64_t>(into[i]), b = static_cast<uint64_t>(from[i]);
        const UnsignedWide result = subtract ? UnsignedWide{a} - b - carry : UnsignedWide{a} + b + carry;
        into[i] = static_cast<int64_t>(static_cast<uint64_t>(result));
        carry = static_cast<uint64_t>(result >> 64) & 1;
    }
}

Squares divided_by(Squares squares, uint64_t divisor)
{
    UnsignedWide rest = 0;
    for (std::size_t i = squares.size(); i-- > 0;) {
        rest = rest << 64 | squares[i];
        squares[i] = static_cast<uint64_t>(rest / divisor);
        rest %= divisor;
    }
    return squares;
}

// Returns floor(sqrt(value)), computed bit by bit from the top.
uint64_t square_root(UnsignedWide value)
{
    uint64_t root = 0;
    for (int bit = 63; bit >= 0; --bit) {
        const uint64_t candidate = root | uint64_t{1} << bit;
        if (static_cast<UnsignedWide>(candidate) * candidate <= value)
            root = candidate;
    }
    return root;
}

} // namespace

void add_sums(std::span<int64_t> into, Words from)
{
    into[kCount] = static_cast<int64_t>(static_cast<uint64_t>(into[kCount]) + static_cast<uint64_t>(from[kCount]));
    set_sum(into, sum_of(into) + sum_of(from));
    combine_squares(into, from, false);
}

void subtract_sums(std::span<int64_t> from, Words amount)
{
    from[kCount] = static_cast<int64_t>(static_cast<uint64_t>(from[kCount]) - static_cast<uint64_t>(amount[kCount]));
    set_sum(from, sum_of(from) - sum_of(amount));
    combine_squares(from, amount, true);
}

void combine_words(AggKind kind, std::span<int64_t> into, Words from)
{
    switch (kind) {
    case AggKind::Min:
    case AggKind::Max:
        into[0] = static_cast<int64_t>(std::max(static_cast<uint64_t>(into[0]), static_cast<uint64_t>(from[0])));
        return;
    case AggKind::Avg:
    case AggKind::Stddev:
        return add_sums(into, from);
    default:
        break;
    }
    for (std::size_t i = 0; i < into.size(); ++i)
        into[i] = static_cast<int64_t>(static_cast<uint64_t>(into[i]) + static_cast<uint64_t>(from[i]));
}

std::array<int64_t, 2> wide_sum(Words words)
{
    const auto sum = static_cast<UnsignedWide>(sum_of(words));
    return {static_cast<int64_t>(static_cast<uint64_t>(sum)), static_cast<int64_t>(static_cast<uint64_t>(sum >> 64))};
}

int64_t average(Words words, int64_t divisor)
{
    return words[kCount] == 0 ? 0 : static_cast<int64_t>(sum_of(words) / divisor / words[kCount]);
}

uint64_t deviation(Words words, int64_t divisor)
{
    if (words[kCount] <= 0 || divisor <= 0)
        return 0;
    Squares squares;
    for (std::size_t i = 0; i < squares.size(); ++i)
        squares[i] = static_cast<uint64_t>(words[kSquares + i]);
    squares = divided_by(divided_by(squares, static_cast<uint64_t>(divisor)), static_cast<uint64_t>(words[kCount]));
    const Wide mean = sum_of(words) / divisor / words[kCount];
    const Wide variance = static_cast<Wide>(UnsignedWide{squares[1]} << 64 | squares[0]) - mean * mean;
    return variance <= 0 ? 0 : square_root(static_cast<UnsignedWide>(variance));
}

} // namespace dt::output
