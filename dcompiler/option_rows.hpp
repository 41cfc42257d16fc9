// What a row of an options table is, and how a text becomes the value of its field.
//
// Some hundred options come in from four places (environment, command line, pragma, setopt()) with different rights,
// and in a handful of value syntaxes with traps of their own: a compile-time flag takes no value, a run-time flag is
// not switched off by a numeric 0, a size has one suffix letter, a time has many. So an option is one row of a .def
// file, and these rules are written once. There is a table for each struct of values, so that a room has the options
// that it reads and no others.
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

/// Where an option is set from; decides which kinds are allowed.
enum class OptionSource : uint8_t { Environment, CommandLine, Pragma, Setopt };

using OptionText = std::optional<std::string_view>; ///< nothing: there was no "="

enum class OptionSyntax : uint8_t {
    Flag,   // Compile: no value at all; else: dtrace(8), RUN-TIME OPTIONS
    Number, // Compile: a decimal, octal or hexadecimal number; else as a flag, kept as the number
    Size,
    Time,
    Text,    // any text, not left out
    Word,    // one of `words`
    Special, // the row's own function reads it
};

/// When an option may change: until the program is compiled, until tracing starts, always.
enum class OptionKind : uint8_t { Compile, Runtime, Dynamic };

enum class OptionUser : uint8_t { Anyone, NoProgram }; ///< NoProgram: no pragma

/// Bounds of what is accepted.
struct OptionBounds {
    std::span<const std::string_view> words = {};
    uint64_t low = 0, high = UINT64_MAX;
    std::string_view values = {}; ///< of a Special option: what it takes, for messages
};

/// What is known of an option whatever struct its value is in.
struct OptionHead {
    std::string_view name;
    OptionSyntax syntax = OptionSyntax::Flag;
    OptionKind kind = OptionKind::Compile;
    OptionUser user = OptionUser::Anyone;
    OptionBounds bounds;
    std::string_view text; ///< what it does, in a few words
};

/// Another DTrace's tuning knob that scripts set and that has nothing to tune here: its value is checked, and the
/// manual says so.
struct NoEffect {};

/// An option that would do something, but not in this version: setting it is refused rather than ignored.
struct NotYet {};

/// What a row does whose effect is more than one stored value; an error message, or null.
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

// The library's messages.
inline constexpr const char* kBadOption = "Invalid option name";
inline constexpr const char* kBadOptionValue = "Invalid value for specified option";

/// Why the option may not be set from there, or null.
const char* refusal(const OptionHead& option, OptionSource source);

/// An environment variable always has a value: for a compile-time flag some spellings of "yes" stand for having none.
/// False: it says "no", and nothing is to be set.
bool read_variable(const OptionHead& option, OptionText& text);

struct OptionUnset {}; ///< a number that is the default again
using OptionValue = std::variant<OptionUnset, bool, uint64_t, std::string_view>;

/// What the text says in the option's syntax, within its bounds; nothing: it is not well-formed.
std::optional<OptionValue> read_option(const OptionHead& option, OptionText text);

template <typename Values> void store(const OptionTarget<Values>& target, Values& values, const OptionValue& value)
{
    if constexpr (std::is_empty_v<Values>) // of rows that only check
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

/// Sets the option of this row, or says why not.
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

} // namespace dt
