// Tables that describe the options, and the conversion of strings to option values.
//
// A few hundred options come from four sources (environment, command line, pragma, setopt()). Not every source may set
// every option, and the syntaxes of values have exceptions. Therefore each option is described by a line of a .def
// file, and the rules are implemented once. Each struct that holds option values has its own table, so a module has
// only the options that it reads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/result.hpp"

namespace dt {

/// Source of an option's value. It determines whether the option may be set.
enum class OptionSource : uint8_t { Environment, CommandLine, Pragma, Setopt };

using OptionText = std::optional<std::string_view>; ///< text after the "=" of an option; empty if there was no "="

enum class OptionSyntax : uint8_t {
    // in a compile-time option: no value is allowed; in other options: words such as on and off, or a number
    // (dtrace(8), RUN-TIME OPTIONS)
    Flag,
    // In a compile-time option: a decimal, octal or hexadecimal number. In other options: on, off or a number, as for
    // Flag, but the number is stored.
    Number,
    Size,
    Time,
    Text,    // any string; a value is required
    Word,    // the value is one of OptionBounds::words
    Special, // the option's handler parses the value
};

/// The last moment at which an option may be changed: during compilation, before tracing starts, or at any time.
enum class OptionKind : uint8_t { Compile, Runtime, Dynamic };

enum class OptionUser : uint8_t { Anyone, NoProgram }; ///< NoProgram: programs must not set the option by a pragma

/// Bounds of the values that an option accepts.
struct OptionBounds {
    std::span<const std::string_view> words = {};
    uint64_t low = 0, high = UINT64_MAX;
    std::string_view values = {}; ///< for messages: accepted values of an option with syntax Special
};

/// Properties of an option that are the same whatever struct stores its value.
struct OptionHead {
    std::string_view name;
    OptionSyntax syntax = OptionSyntax::Flag;
    OptionKind kind = OptionKind::Compile;
    OptionUser user = OptionUser::Anyone;
    OptionBounds bounds;
    std::string_view text; ///< short description for --help
};

/// Marks a tuning option of other DTraces that has no effect in this one. Scripts may set it; its value is checked.
struct NoEffect {};

/// Marks an option that this version does not support. Setting it is an error.
struct NotYet {};

/// Function that reads the value of an option if it does more than store the value in one member. Returns an error
/// message, or null.
template <typename Values> using OptionHandler = const char* (*)(Values&, OptionText);

template <typename Values>
using OptionTarget =
    std::variant<NoEffect, NotYet, bool Values::*, uint64_t Values::*, std::optional<uint64_t> Values::*,
                 std::string Values::*, std::vector<std::string> Values::*, OptionHandler<Values>>;

template <typename Values> struct OptionRow : OptionHead {
    OptionTarget<Values> target;
};

inline constexpr OptionBounds kNoBounds{};

constexpr OptionBounds bounded(uint64_t low, uint64_t high = UINT64_MAX)
{
    return {{}, low, high};
}

constexpr OptionBounds bounded(std::span<const std::string_view> words)
{
    return {words};
}

constexpr OptionBounds takes(std::string_view values)
{
    return {{}, 0, UINT64_MAX, values};
}

// Error messages for options that cannot be set, the same as in libdtrace of other systems.
inline constexpr const char* kBadOption = "Invalid option name";
inline constexpr const char* kBadOptionValue = "Invalid value for specified option";

/// Returns the reason why the option must not be set by this source (environment, command line, pragma or setopt()), or
/// null if setting it is allowed.
const char* refusal(const OptionHead& option, OptionSource source);

/// Converts the value of an environment variable to the value of an option. A compile-time flag takes no value, but a
/// variable always has one. For such a flag, "yes" and similar words become an absent value. For "no" and similar words
/// the function returns false, and the option stays unset.
bool read_variable(const OptionHead& option, OptionText& text);

struct OptionUnset {}; ///< sets an option that has a numeric value back to its default
using OptionValue = std::variant<OptionUnset, bool, uint64_t, std::string_view>;

/// Converts the text of an option's value by the syntax and the bounds of the option. Returns nothing if the text is
/// malformed.
std::optional<OptionValue> read_option(const OptionHead& option, OptionText text);

template <typename Values> void store(const OptionTarget<Values>& target, Values& values, const OptionValue& value)
{
    // If the struct of values is empty, the table only checks values: the struct has no member to store them.
    if constexpr (std::is_empty_v<Values>)
        return;
    if (const auto* flag = std::get_if<bool Values::*>(&target))
        values.*(*flag) = std::get<bool>(value);
    else if (const auto* text = std::get_if<std::string Values::*>(&target))
        values.*(*text) = std::get<std::string_view>(value);
    else if (const auto* list = std::get_if<std::vector<std::string> Values::*>(&target))
        (values.*(*list)).emplace_back(std::get<std::string_view>(value));
    else if (const auto* number = std::get_if<uint64_t Values::*>(&target))
        values.*(*number) = std::holds_alternative<uint64_t>(value) ? std::get<uint64_t>(value) : Values{}.*(*number);
    else if (const auto* optional = std::get_if<std::optional<uint64_t> Values::*>(&target))
        values.*(*optional) =
            std::holds_alternative<uint64_t>(value) ? std::optional(std::get<uint64_t>(value)) : std::nullopt;
}

/// Sets the option that `row` describes, or returns an error with the reason.
template <typename Values>
Result<void> set_option(const OptionRow<Values>& row, Values& values, OptionText text, OptionSource source)
{
    if (const char* refused = refusal(row, source))
        return Error{refused};
    if (std::holds_alternative<NotYet>(row.target))
        return Error{"Option is not available in this version"};
    if (source == OptionSource::Environment && !read_variable(row, text))
        return {};
    const auto value = row.syntax == OptionSyntax::Special ? OptionUnset{} : read_option(row, text);
    if (!value)
        return Error{kBadOptionValue};
    if (const auto* handler = std::get_if<OptionHandler<Values>>(&row.target)) {
        const char* const problem = (*handler)(values, text);
        return problem ? Result<void>(Error{problem}) : Result<void>();
    }
    store(row.target, values, *value);
    return {};
}

template <typename Values>
const OptionRow<Values>* find_option(std::span<const OptionRow<Values>> rows, std::string_view name)
{
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const OptionRow<Values>& row) { return row.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

// Value syntaxes of options: numbers, sizes, times, and words in any case (dtrace(8), RUN-TIME OPTIONS).

/// Returns whether the strings are equal apart from upper and lower case.
bool equal_fold(std::string_view a, std::string_view b);

/// Parses a complete string as a number: hexadecimal after 0x, octal after 0, else decimal. Returns nothing if the
/// string is malformed or too large.
std::optional<uint64_t> parse_number(std::string_view text);

/// Parse sizes ("4m" is 4194304) and times ("100ms" is 100000000 ns). Return nothing if the string is malformed or too
/// large.
std::optional<uint64_t> parse_size(std::string_view text);
std::optional<uint64_t> parse_time(std::string_view text);

} // namespace dt
