#include "libdtrace/output/metric_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "libdtrace/format/scalar.hpp"

namespace dt::output {
namespace {

using format::Text;

constexpr unsigned kDecimalsOfNs = 9;

/// Appends the digits of a magnitude with a decimal point.
void append_with_point(Text& out, std::string digits, unsigned decimals, bool is_bound)
{
    if (digits.size() <= decimals)
        digits.insert(0, decimals + 1 - digits.size(), '0');
    const std::size_t whole = digits.size() - decimals;
    std::string_view fraction = std::string_view(digits).substr(whole);
    while (!fraction.empty() && fraction.back() == '0')
        fraction.remove_suffix(1);
    out.append(std::string_view(digits).substr(0, whole));
    if (!fraction.empty() || is_bound)
        out.append('.');
    out.append(fraction.empty() && is_bound ? std::string_view("0") : fraction);
}

uint64_t magnitude_of(int64_t number)
{
    return number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
}

} // namespace

void append_metric_number(Text& out, int64_t number, unsigned decimals)
{
    if (decimals == 0)
        return format::append_signed(out, number);
    if (number < 0)
        out.append('-');
    append_with_point(out, std::to_string(magnitude_of(number)), decimals, false);
}

void append_metric_unsigned(Text& out, uint64_t number, unsigned decimals)
{
    if (decimals == 0)
        return format::append_unsigned(out, number);
    append_with_point(out, std::to_string(number), decimals, false);
}

void append_metric_bound(Text& out, int64_t bound, unsigned decimals)
{
    if (bound < 0)
        out.append('-');
    append_with_point(out, std::to_string(magnitude_of(bound)), decimals, true);
}

void append_metric_wide(Text& out, std::span<const int64_t> parts, bool is_signed, unsigned decimals)
{
    std::vector<uint64_t> rest(parts.begin(), parts.end());
    if (is_signed && parts.back() < 0) {
        out.append('-');
        uint64_t carry = 1;
        for (uint64_t& part : rest) {
            part = ~part + carry;
            carry = carry != 0 && part == 0 ? 1 : 0;
        }
    }
    constexpr uint64_t kStep = 1'000'000'000'000'000'000; // the largest power of ten whose digits fit into 64 bits
    constexpr std::size_t kDigits = 18;
    std::string digits;
    while (std::any_of(rest.begin(), rest.end(), [](uint64_t part) { return part != 0; })) {
        unsigned __int128 remainder = 0;
        for (std::size_t i = rest.size(); i-- > 0;) {
            remainder = remainder << 64 | rest[i];
            rest[i] = static_cast<uint64_t>(remainder / kStep);
            remainder %= kStep;
        }
        const std::string part = std::to_string(static_cast<uint64_t>(remainder));
        digits.insert(0, std::string(kDigits - part.size(), '0') + part);
    }
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size());
    digits.erase(0, first);
    append_with_point(out, digits.empty() ? "0" : digits, decimals, false);
}

double metric_double(std::span<const int64_t> parts, bool is_signed)
{
    double sum =
        is_signed ? static_cast<double>(parts.back()) : static_cast<double>(static_cast<uint64_t>(parts.back()));
    for (std::size_t i = parts.size() - 1; i-- > 0;)
        sum = std::ldexp(sum, 64) + static_cast<double>(static_cast<uint64_t>(parts[i]));
    return sum;
}

void append_metric_time(Text& out, uint64_t ns)
{
    append_metric_unsigned(out, ns, kDecimalsOfNs);
}

} // namespace dt::output
