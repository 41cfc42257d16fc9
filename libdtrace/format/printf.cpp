// Implements the conversions of formats such as %d. When a format is bound to data, each conversion gets the function
// for its kind of datum. Also decodes floating-point numbers.
#include "libdtrace/format/printf.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>

#include "base/text.hpp"
#include "libdtrace/format/print.hpp"
#include "libdtrace/format/stack.hpp"

namespace dt::format {

namespace {

using Step = BoundFormat::Step;

// Maximum width that an argument for '*' in a format can set. The traced program may supply the width, and it must not
// be able to exhaust memory.
constexpr int64_t kWidest = 1 << 20;

Layout layout_of(const Step& step, const uint8_t* data)
{
    Layout layout = step.layout;
    if (!step.has_stars)
        return layout;
    if (step.width.size != 0) {
        int64_t width = load_integer(step.width, data);
        if (width < 0) {
            layout.left = true;
            layout.zero = false;
            width = -std::max(width, -kWidest);
        }
        layout.width = static_cast<int>(std::min(width, kWidest));
    }
    if (step.precision.size != 0) {
        const int64_t precision = load_integer(step.precision, data);
        layout.precision = precision > 0 ? static_cast<int>(std::min(precision, kWidest)) : -1;
    }
    return layout;
}

// ---- one function per kind of conversion ----------------------------------------------------------------------------

void run_literal(Text& out, const Environment&, const Step& step, const uint8_t*, const AggregatedValues*)
{
    out.append(step.text);
}

void run_plain_decimal(Text& out, const Environment&, const Step& step, const uint8_t* data, const AggregatedValues*)
{
    const int64_t value = load_integer(step.datum, data);
    if (step.datum.kind == Datum::Kind::Signed)
        append_signed(out, value, static_cast<unsigned>(step.layout.width));
    else
        append_unsigned(out, static_cast<uint64_t>(value), static_cast<unsigned>(step.layout.width));
}

void run_decimal(Text& out, const Environment&, const Step& step, const uint8_t* data, const AggregatedValues*)
{
    const int64_t value = load_integer(step.datum, data);
    const bool is_signed = step.datum.kind == Datum::Kind::Signed;
    const bool negative = is_signed && value < 0;
    const auto magnitude = negative ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    append_integer(out, layout_of(step, data), is_signed ? 'd' : 'u', magnitude, negative);
}

void run_unsigned(Text& out, const Environment&, const Step& step, const uint8_t* data, const AggregatedValues*)
{
    const uint64_t value = load_unsigned(data + step.datum.offset, step.datum.size);
    append_integer(out, layout_of(step, data), step.conversion, value, false);
}

/// Prints %hhd, %zu and similar: converts the value to a C integer type of step.bytes bytes before printing it.
void run_converted(Text& out, const Environment&, const Step& step, const uint8_t* data, const AggregatedValues*)
{
    const unsigned unused = 64 - 8 * step.bytes;
    const auto top = static_cast<uint64_t>(load_integer(step.datum, data)) << unused;
    if (step.conversion != 'd')
        return append_integer(out, layout_of(step, data), step.conversion, top >> unused, false);
    const int64_t value = static_cast<int64_t>(top) >> unused;
    const auto magnitude = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    append_integer(out, layout_of(step, data), 'd', magnitude, value < 0);
}

void run_string(Text& out, const Environment& env, const Step& step, const uint8_t* data, const AggregatedValues*)
{
    append_text(out, layout_of(step, data), shown(env, load_characters(env, step.datum, data)));
}

void run_symbol_string(Text& out, const Environment& env, const Step& step, const uint8_t* data,
                       const AggregatedValues*)
{
    append_text(out, layout_of(step, data), shown(env, symbol_text(env, step.datum, data)));
}

void run_escaped(Text& out, const Environment& env, const Step& step, const uint8_t* data, const AggregatedValues*)
{
    Text escaped;
    if (step.datum.kind == Datum::Kind::Bytes) {
        append_escaped(escaped, {reinterpret_cast<const char*>(data + step.datum.offset), step.datum.size});
    } else {
        append_escaped(escaped, load_characters(env, step.datum, data));
        escaped.append("\\0");
    }
    append_text(out, layout_of(step, data), escaped.view());
}

/// Prints a character. A byte that is not a complete UTF-8 character is escaped as in C, so that the output stays
/// UTF-8.
void run_character(Text& out, const Environment& env, const Step& step, const uint8_t* data, const AggregatedValues*)
{
    const char c = static_cast<char>(load_integer(step.datum, data));
    Layout layout = layout_of(step, data);
    layout.precision = -1;
    Text escaped;
    if (utf8_length({&c, 1}) == 0)
        append_escaped(escaped, {&c, 1});
    append_text(out, layout, escaped.view().empty() ? shown(env, {&c, 1}) : escaped.view());
}

void run_escaped_character(Text& out, const Environment&, const Step& step, const uint8_t* data,
                           const AggregatedValues*)
{
    const char c = static_cast<char>(load_integer(step.datum, data));
    Text escaped;
    append_escaped(escaped, {&c, 1});
    append_text(out, layout_of(step, data), escaped.view());
}

/// Appends a Unicode code point as UTF-8. Surrogates and values above U+10FFFF are escaped as in C.
void append_utf8(Text& out, uint32_t c)
{
    if ((c >= 0xd800 && c < 0xe000) || c >= 0x110000) {
        out.append("\\x");
        append_hex(out, c);
    } else if (c < 0x80) {
        out.append(static_cast<char>(c));
    } else if (c < 0x800) {
        out.append(static_cast<char>(0xc0 | (c >> 6)));
        out.append(static_cast<char>(0x80 | (c & 63)));
    } else if (c < 0x10000) {
        out.append(static_cast<char>(0xe0 | (c >> 12)));
        out.append(static_cast<char>(0x80 | ((c >> 6) & 63)));
        out.append(static_cast<char>(0x80 | (c & 63)));
    } else {
        out.append(static_cast<char>(0xf0 | (c >> 18)));
        out.append(static_cast<char>(0x80 | ((c >> 12) & 63)));
        out.append(static_cast<char>(0x80 | ((c >> 6) & 63)));
        out.append(static_cast<char>(0x80 | (c & 63)));
    }
}

void run_wide_character(Text& out, const Environment& env, const Step& step, const uint8_t* data,
                        const AggregatedValues*)
{
    Text utf8;
    append_utf8(utf8, static_cast<uint32_t>(load_integer(step.datum, data)));
    append_text(out, layout_of(step, data), shown(env, utf8.view()));
}

void run_wide_string(Text& out, const Environment& env, const Step& step, const uint8_t* data, const AggregatedValues*)
{
    Text utf8;
    for (uint32_t i = 0; i + 4 <= step.datum.size; i += 4) {
        const auto c = load<uint32_t>(data + step.datum.offset + i);
        if (c == 0)
            break;
        append_utf8(utf8, c);
    }
    append_text(out, layout_of(step, data), shown(env, utf8.view()));
}

void run_kernel_address(Text& out, const Environment& env, const Step& step, const uint8_t* data,
                        const AggregatedValues*)
{
    const auto address = static_cast<uint64_t>(load_integer(step.datum, data));
    append_text(out, layout_of(step, data), shown(env, kernel_address_text(env, address)));
}

void run_user_address(Text& out, const Environment& env, const Step& step, const uint8_t* data, const AggregatedValues*)
{
    const auto address = static_cast<uint64_t>(load_integer(step.datum, data));
    append_text(out, layout_of(step, data), shown(env, user_address_text(env, address)));
}

// Prints %k. With the flag '-', the width is an indentation; without it, the width applies to each frame.
void run_stack(Text& out, const Environment& env, const Step& step, const uint8_t* data, const AggregatedValues*)
{
    Layout layout = layout_of(step, data);
    std::size_t indent = 0;
    if (layout.left) {
        indent = static_cast<std::size_t>(layout.width);
        layout.width = 0;
    }
    append_stack(out, env, step.datum, data, indent, layout);
}

void run_time(Text& out, const Environment&, const Step& step, const uint8_t* data, const AggregatedValues*)
{
    append_time(out, layout_of(step, data), step.conversion, load_integer(step.datum, data));
}
void run_float(Text& out, const Environment&, const Step& step, const uint8_t* data, const AggregatedValues*)
{
    const long double value = load_floating({data + step.datum.offset, step.datum.size}).value_or(0);
    const Layout layout = layout_of(step, data);
    std::string format = "%";
    for (const auto& [set, flag] :
         {std::pair{layout.alternate, '#'}, std::pair{layout.plus, '+'}, std::pair{layout.space, ' '},
          std::pair{layout.left, '-'}, std::pair{layout.zero, '0'}})
        if (set)
            format += flag;
    format += std::string("*.*L") + step.conversion;
    const int length = std::snprintf(nullptr, 0, format.c_str(), layout.width, layout.precision, value);
    if (length <= 0)
        return;
    const auto bytes = static_cast<std::size_t>(length);
    std::snprintf(out.room(bytes + 1), bytes + 1, format.c_str(), layout.width, layout.precision, value);
    out.advance(bytes);
}

void run_aggregation(Text& out, const Environment&, const Step& step, const uint8_t* data,
                     const AggregatedValues* values)
{
    if (values)
        values->append(out, step.index, layout_of(step, data), step.conversion);
}

// ---- binding --------------------------------------------------------------------------------------------------------

bool is_symbol(const Datum& datum)
{
    return datum.kind == Datum::Kind::Symbol || datum.kind == Datum::Kind::UserSymbol;
}

bool has_characters(const Datum& datum)
{
    return is_text(datum) || datum.kind == Datum::Kind::Bytes;
}

bool is_stack(const Datum& datum)
{
    return datum.kind == Datum::Kind::Stack || datum.kind == Datum::Kind::UserStack;
}

bool is_integer(const Datum& datum)
{
    return datum.kind == Datum::Kind::Signed || datum.kind == Datum::Kind::Unsigned;
}

struct Binding {
    Takes takes;
    Step::Run run;
    bool (*accepts)(const Datum&);
};

constexpr Binding kBindings[] = {
    {Takes::Integer, run_unsigned, is_integer},
    {Takes::Sized, run_unsigned, is_integer},
    {Takes::Character, run_character, is_integer},
    {Takes::WideCharacter, run_wide_character, is_integer},
    {Takes::String, run_string, has_characters},
    {Takes::WideString, run_wide_string, has_characters},
    {Takes::Float, run_float, [](const Datum&) { return true; }},
    {Takes::LongDouble, run_float, [](const Datum&) { return true; }},
    {Takes::Pointer, run_unsigned, is_integer},
    {Takes::KernelAddress, run_kernel_address, is_integer},
    {Takes::UserAddress, run_user_address, is_integer},
    {Takes::Stack, run_stack, is_stack},
    {Takes::Time, run_time, is_integer},
};

bool is_plain(const Step& step)
{
    const Layout& l = step.layout;
    return !step.has_stars && !l.alternate && !l.zero && !l.left && !l.plus && !l.space && !l.group && l.precision < 0;
}

// Chooses the function that prints the datum by this conversion. Returns false if the datum does not fit the
// conversion.
bool choose(Step& step, const ConversionInfo& info)
{
    step.conversion = info.name.back() == 'i' ? 'd' : info.name.back() == 'p' ? 'x' : info.name.back();
    const bool is_string = info.takes == Takes::String;
    if ((info.takes == Takes::KernelAddress || info.takes == Takes::UserAddress || is_string) &&
        is_symbol(step.datum)) {
        step.run = run_symbol_string;
        return true;
    }
    for (const Binding& binding : kBindings) {
        if (binding.takes != info.takes)
            continue;
        step.run = binding.run;
        if (step.run == run_unsigned && step.bytes != 0)
            step.run = run_converted;
        else if (step.run == run_unsigned && step.conversion == 'd')
            step.run = is_plain(step) ? run_plain_decimal : run_decimal;
        else if (step.run == run_string && step.conversion == 'S')
            step.run = run_escaped;
        else if (step.run == run_character && step.conversion == 'C')
            step.run = run_escaped_character;
        return binding.accepts(step.datum);
    }
    return false;
}

Layout layout_of(const Conversion& conversion)
{
    Layout layout;
    layout.alternate = conversion.alternate;
    layout.zero = conversion.zero && !conversion.precision && !conversion.precision_star;
    layout.left = conversion.left;
    layout.plus = conversion.plus;
    layout.space = conversion.space;
    layout.group = conversion.group;
    layout.width = static_cast<int>(std::min<int64_t>(conversion.width.value_or(0), kWidest));
    layout.precision = static_cast<int>(std::min<int64_t>(conversion.precision.value_or(-1), kWidest));
    return layout;
}

} // namespace

void append_time(Text& out, const Layout& layout, char conversion, int64_t nanoseconds)
{
    const auto seconds = static_cast<time_t>(nanoseconds / 1'000'000'000);
    tm local{};
    localtime_r(&seconds, &local);
    char buffer[96];
    const char* format = conversion == 'Y' ? "%Y %b %e %T" : "%a, %d %b %G %T %Z";
    append_text(out, layout, {buffer, std::strftime(buffer, sizeof buffer, format, &local)});
}

/// Prints the text "gone" in place of each part of a key, padded to the width of its conversion.
void BoundFormat::append_expired(Text& out, const Environment& env, const uint8_t* data,
                                 const AggregatedValues* values) const
{
    for (const Step& step : steps_) {
        if (step.datum.size == 0) {
            step.run(out, env, step, data, values);
            continue;
        }
        Layout layout = layout_of(step, data);
        layout.precision = -1;
        append_text(out, layout, kGoneKey);
    }
}

Result<BoundFormat> BoundFormat::bind(const Format& format, const std::vector<Datum>& data, std::size_t aggregations)
{
    BoundFormat bound;
    const Error mismatch{"Data record list does not match statement"};
    std::size_t next = 0;
    std::size_t next_aggregation = 0;
    for (const Piece& piece : format.pieces) {
        Step step;
        const auto* conversion = std::get_if<Conversion>(&piece);
        if (!conversion || conversion->is_percent()) {
            step.run = run_literal;
            step.text = conversion ? "%" : std::get<std::string>(piece);
            bound.steps_.push_back(std::move(step));
            continue;
        }
        step.layout = layout_of(*conversion);
        step.bytes = conversion->converts_to();
        step.has_stars = conversion->width_star || conversion->precision_star;
        for (auto [wanted, star] :
             {std::pair{conversion->width_star, &step.width}, std::pair{conversion->precision_star, &step.precision}}) {
            if (!wanted)
                continue;
            if (next >= data.size() || !is_integer(data[next]))
                return mismatch;
            *star = data[next++];
        }
        if (conversion->aggregation) {
            if (aggregations == 0)
                return mismatch;
            step.run = run_aggregation;
            choose(step, *conversion->info);
            step.run = run_aggregation;
            step.index = std::min(next_aggregation++, aggregations - 1);
        } else {
            if (next >= data.size())
                return mismatch;
            step.datum = data[next++];
            if (!choose(step, *conversion->info))
                return mismatch;
        }
        bound.steps_.push_back(std::move(step));
    }
    return bound;
}

namespace {

constexpr int kLongestFixed = 30; // largest decimal exponent that is printed in fixed notation
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

/// Decodes an IEEE 754 binary16 number, which has a sign bit, 5 bits of exponent and 10 bits of fraction. The code
/// decodes it by hand, because some supported compilers have no type for it.
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

/// Returns the shortest "d.ddde+xx" that identifies the number among all numbers of its type. First tries digits10
/// digits, the number of decimal digits that the type always preserves. If fewer digits suffice, the text ends in
/// zeros, which are removed. std::to_chars() would need libm and tables: 0.5 MB per process.
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

/// Returns the shortest text that identifies the number, in fixed notation unless scientific notation is shorter.
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

/// Rounds a binary16 number to as few digits as possible, such that no other binary16 number is nearer to the result.
/// Five digits always suffice.
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
