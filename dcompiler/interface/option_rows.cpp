// Readers for each option syntax, and checks of who may set an option.
#include "dcompiler/option_rows.hpp"

#include <iterator>

#include "dcompiler/option_values.hpp"

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

/// Value of a run-time flag or number: on, possibly with a number, or off.
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

} // namespace dt
