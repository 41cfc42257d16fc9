// Reads option values by the syntax that the option table defines for each option, and checks whether a source
// (environment, command line, pragma, setopt()) may set an option. The parsers of numbers, sizes and times reject text
// that they cannot parse completely.
#include "dcompiler/interface/option_rows.hpp"

#include <cctype>
#include <iterator>

#include "base/time.hpp"

namespace dt {
namespace {

template <typename Range> bool is_one_of_words(std::string_view text, const Range& words)
{
    return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

template <typename Range> bool is_one_in_any_case(std::string_view text, const Range& words)
{
    return std::any_of(std::begin(words), std::end(words),
                       [&](std::string_view word) { return equal_fold(text, word); });
}

/// Value of a run-time option with syntax Flag or Number: off, or on with an optional number.
struct Switch {
    bool on = true;
    uint64_t number = 0;
};

std::optional<Switch> parse_switch(OptionText text)
{
    static constexpr std::string_view kOn[] = {"yes", "enable", "enabled", "true", "on", "set"};
    static constexpr std::string_view kOff[] = {"no", "disable", "disabled", "false", "off", "unset", ""};
    if (!text || is_one_in_any_case(*text, kOn))
        return Switch{};
    if (is_one_in_any_case(*text, kOff))
        return Switch{false, 0};
    if (const auto number = parse_number(*text))
        return Switch{true, *number};
    return {};
}

std::optional<OptionValue> read_flag(const OptionHead& option, OptionText text)
{
    if (option.kind == OptionKind::Compile && text)
        return {};
    const auto parsed = parse_switch(text);
    return parsed ? std::optional<OptionValue>(parsed->on) : std::nullopt;
}

std::optional<OptionValue> bounded_number(const OptionHead& option, std::optional<uint64_t> number)
{
    if (!number || *number < option.bounds.low || *number > option.bounds.high)
        return {};
    return *number;
}

std::optional<OptionValue> read_number(const OptionHead& option, OptionText text)
{
    if (option.kind == OptionKind::Compile)
        return bounded_number(option, text ? parse_number(*text) : std::nullopt);
    const auto parsed = parse_switch(text);
    if (!parsed)
        return {};
    return parsed->on ? bounded_number(option, parsed->number) : OptionUnset{};
}

} // namespace

const char* refusal(const OptionHead& option, OptionSource source)
{
    if (source == OptionSource::Pragma && option.user == OptionUser::NoProgram)
        return "Option cannot be used from within a D program";
    if (source == OptionSource::Setopt && option.kind != OptionKind::Dynamic)
        return "Operation illegal when tracing is active";
    return nullptr;
}

bool read_variable(const OptionHead& option, OptionText& text)
{
    static constexpr std::string_view kYes[] = {"", "1", "yes", "on", "true"}, kNo[] = {"0", "no", "off", "false"};
    if (option.kind != OptionKind::Compile || option.syntax != OptionSyntax::Flag || !text)
        return true;
    if (is_one_of_words(*text, kNo))
        return false;
    if (is_one_of_words(*text, kYes))
        text.reset();
    return true;
}

std::optional<OptionValue> read_option(const OptionHead& option, OptionText text)
{
    switch (option.syntax) {
    case OptionSyntax::Flag:
        return read_flag(option, text);
    case OptionSyntax::Number:
        return read_number(option, text);
    case OptionSyntax::Size:
    case OptionSyntax::Time:
        if (!text)
            return option.kind == OptionKind::Compile ? std::nullopt : bounded_number(option, 0);
        return bounded_number(option, option.syntax == OptionSyntax::Size ? parse_size(*text) : parse_time(*text));
    case OptionSyntax::Text:
    case OptionSyntax::Word:
        if (!text || (option.syntax == OptionSyntax::Word && !is_one_of_words(*text, option.bounds.words)))
            return {};
        return *text;
    case OptionSyntax::Special:
        break;
    }
    return OptionUnset{};
}

namespace {

using Text = std::string_view;

/// Removes the digits at the beginning of `text` and returns their value: hexadecimal after 0x, octal after 0, else
/// decimal.
std::optional<uint64_t> take_number(Text& text)
{
    unsigned base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
        std::isxdigit(static_cast<unsigned char>(text[2]))) {
        base = 16;
        text.remove_prefix(2);
    } else if (!text.empty() && text[0] == '0') {
        base = 8;
    }
    uint64_t number = 0;
    std::size_t digits = 0;
    for (; digits < text.size(); ++digits) {
        const auto c = static_cast<unsigned char>(text[digits]);
        const unsigned digit = std::isdigit(c) ? c - '0' : std::isxdigit(c) ? std::tolower(c) - 'a' + 10u : 99u;
        if (digit >= base)
            break;
        if (__builtin_mul_overflow(number, uint64_t{base}, &number) ||
            __builtin_add_overflow(number, uint64_t{digit}, &number))
            return {};
    }
    if (digits == 0)
        return {};
    text.remove_prefix(digits);
    return number;
}

} // namespace

bool equal_fold(Text a, Text b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::optional<uint64_t> parse_number(Text text)
{
    const auto number = take_number(text);
    return text.empty() ? number : std::nullopt;
}

std::optional<uint64_t> parse_size(std::string_view text)
{
    static constexpr Text kSuffixes = "kmgt"; // suffixes of sizes for 2^10, 2^20, 2^30 and 2^40
    const auto number = take_number(text);
    if (!number || text.size() > 1)
        return {};
    if (text.empty())
        return number;
    const auto power = kSuffixes.find(static_cast<char>(std::tolower(static_cast<unsigned char>(text[0]))));
    uint64_t size = 0;
    if (power == Text::npos || __builtin_mul_overflow(*number, uint64_t{1} << (10 * (power + 1)), &size))
        return {};
    return size;
}

std::optional<uint64_t> parse_time(std::string_view text)
{
    const auto number = take_number(text);
    if (!number)
        return {};
    if (equal_fold(text, "hz"))
        return *number == 0 ? 0 : kSecond / *number;
    const std::optional<uint64_t> unit = text.empty() ? std::optional<uint64_t>(1) : time_unit(text);
    uint64_t time = 0;
    return !unit || __builtin_mul_overflow(*number, *unit, &time) ? std::nullopt : std::optional(time);
}

} // namespace dt
