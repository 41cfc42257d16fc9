// Table of the conversions of printf formats, and the parser of formats.
#include "dcompiler/syntax/format.hpp"

#include <algorithm>
#include <climits>
#include <iterator>

namespace dt::format {

namespace {

constexpr std::string_view kAnyInteger = "char, short, int, long, or long long";
constexpr std::string_view kCharacter = "char, short, or int";
constexpr std::string_view kFloat = "float, double, or long double";
constexpr std::string_view kAddress = "pointer or integer";
constexpr std::string_view kUserAddress = "pointer or integer (with -p/-c) or _usymaddr (without -p/-c)";
constexpr std::string_view kString = "char [] or string (or use stringof)";
constexpr std::string_view kWideString = "wchar_t []";

// The table is sorted by the conversions' names (ASCII) for binary search.
constexpr ConversionInfo kConversions[] = {
    {"%", Takes::Nothing, ""},
    {"A", Takes::UserAddress, kUserAddress},
    {"C", Takes::Character, kCharacter},
    {"E", Takes::Float, kFloat},
    {"F", Takes::Float, kFloat},
    {"G", Takes::Float, kFloat},
    {"LE", Takes::LongDouble, "long double"},
    {"LF", Takes::LongDouble, "long double"},
    {"LG", Takes::LongDouble, "long double"},
    {"Le", Takes::LongDouble, "long double"},
    {"Lf", Takes::LongDouble, "long double"},
    {"Lg", Takes::LongDouble, "long double"},
    {"S", Takes::String, kString},
    {"T", Takes::Time, "int64_t"},
    {"X", Takes::Integer, kAnyInteger},
    {"Y", Takes::Time, "int64_t"},
    {"a", Takes::KernelAddress, kAddress},
    {"c", Takes::Character, kCharacter},
    {"d", Takes::Integer, kAnyInteger},
    {"e", Takes::Float, kFloat},
    {"f", Takes::Float, kFloat},
    {"g", Takes::Float, kFloat},
    {"hX", Takes::Sized, "short or unsigned short", 'h', true, true},
    {"hd", Takes::Sized, "short", 'h', true, false},
    {"hhX", Takes::Sized, kAnyInteger, 'b', true, true},
    {"hhd", Takes::Sized, kAnyInteger, 'b', true, true},
    {"hhi", Takes::Sized, kAnyInteger, 'b', true, true},
    {"hho", Takes::Sized, kAnyInteger, 'b', true, true},
    {"hhu", Takes::Sized, kAnyInteger, 'b', true, true},
    {"hhx", Takes::Sized, kAnyInteger, 'b', true, true},
    {"hi", Takes::Sized, "short", 'h', true, false},
    {"ho", Takes::Sized, "unsigned short", 'h', false, true},
    {"hu", Takes::Sized, "unsigned short", 'h', false, true},
    {"hx", Takes::Sized, "short or unsigned short", 'h', true, true},
    {"i", Takes::Integer, kAnyInteger},
    {"jX", Takes::Sized, kAnyInteger, 'j', true, true},
    {"jd", Takes::Sized, kAnyInteger, 'j', true, true},
    {"ji", Takes::Sized, kAnyInteger, 'j', true, true},
    {"jo", Takes::Sized, kAnyInteger, 'j', true, true},
    {"ju", Takes::Sized, kAnyInteger, 'j', true, true},
    {"jx", Takes::Sized, kAnyInteger, 'j', true, true},
    {"k", Takes::Stack, "stack"},
    {"lE", Takes::Float, kFloat},
    {"lF", Takes::Float, kFloat},
    {"lG", Takes::Float, kFloat},
    {"lX", Takes::Sized, "long or unsigned long", 'l', true, true},
    {"lc", Takes::WideCharacter, "int"},
    {"ld", Takes::Sized, "long", 'l', true, false},
    {"le", Takes::Float, kFloat},
    {"lf", Takes::Float, kFloat},
    {"lg", Takes::Float, kFloat},
    {"li", Takes::Sized, "long", 'l', true, false},
    {"llX", Takes::Sized, "long long or unsigned long long", 'q', true, true},
    {"lld", Takes::Sized, "long long", 'q', true, false},
    {"lli", Takes::Sized, "long long", 'q', true, false},
    {"llo", Takes::Sized, "unsigned long long", 'q', false, true},
    {"llu", Takes::Sized, "unsigned long long", 'q', false, true},
    {"llx", Takes::Sized, "long long or unsigned long long", 'q', true, true},
    {"lo", Takes::Sized, "unsigned long", 'l', false, true},
    {"ls", Takes::WideString, kWideString},
    {"lu", Takes::Sized, "unsigned long", 'l', false, true},
    {"lx", Takes::Sized, "long or unsigned long", 'l', true, true},
    {"o", Takes::Integer, kAnyInteger},
    {"p", Takes::Pointer, kAddress},
    {"s", Takes::String, kString},
    {"tX", Takes::Sized, kAnyInteger, 'z', true, true},
    {"td", Takes::Sized, kAnyInteger, 'z', true, true},
    {"ti", Takes::Sized, kAnyInteger, 'z', true, true},
    {"to", Takes::Sized, kAnyInteger, 'z', true, true},
    {"tu", Takes::Sized, kAnyInteger, 'z', true, true},
    {"tx", Takes::Sized, kAnyInteger, 'z', true, true},
    {"u", Takes::Integer, kAnyInteger},
    {"wc", Takes::WideCharacter, "int"},
    {"ws", Takes::WideString, kWideString},
    {"x", Takes::Integer, kAnyInteger},
    {"zX", Takes::Sized, kAnyInteger, 'z', true, true},
    {"zd", Takes::Sized, kAnyInteger, 'z', true, true},
    {"zi", Takes::Sized, kAnyInteger, 'z', true, true},
    {"zo", Takes::Sized, kAnyInteger, 'z', true, true},
    {"zu", Takes::Sized, kAnyInteger, 'z', true, true},
    {"zx", Takes::Sized, kAnyInteger, 'z', true, true},
};

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Reads the conversions of a format one after the other; position_ is the next character.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text.substr(0, text.find('\0'))) {}

    Result<Format> run()
    {
        Format format;
        while (position_ < text_.size()) {
            const std::size_t percent = std::min(text_.find('%', position_), text_.size());
            if (percent > position_)
                format.pieces.emplace_back(std::string(text_.substr(position_, percent - position_)));
            position_ = percent;
            if (position_ == text_.size())
                break;
            ++position_;
            if (auto error = conversion())
                return *error;
            format.pieces.emplace_back(now_);
        }
        return format;
    }

private:
    // Grammar: conversion = { flag | digits | '*' | '.' | '@' | '?' | size } letter
    std::optional<Error> conversion()
    {
        const int number = now_.number + 1;
        const std::size_t first = position_;
        now_ = Conversion{};
        now_.number = number;
        dot_ = digits_ = false;
        std::string name;
        for (;;) {
            if (position_ == text_.size())
                return fail(" name expected before end of format string");
            const char c = text_[position_++];
            if (is_digit(c)) {
                number_at(c);
            } else if (std::string_view("hljztLw").find(c) != std::string_view::npos) {
                name += c;
            } else if (c == '*') {
                if (auto error = star())
                    return error;
            } else if (c == '.') {
                if (dot_)
                    return fail(" has more than one '.' specified");
                dot_ = true;
            } else if (c == '$') {
                return fail(" uses unsupported positional format (%n$)");
            } else if (c == '%' && position_ - 1 != first) {
                return fail(" cannot be combined with other format flags: %%");
            } else if (!flag(c)) {
                name += c;
                now_.info = find_conversion(name);
                if (!now_.info)
                    return fail(" is undefined: %" + name);
                return std::nullopt;
            }
        }
    }

    bool flag(char c)
    {
        switch (c) {
        case '#':
            return now_.alternate = true;
        case '+':
            return now_.plus = true;
        case ' ':
            return now_.space = true;
        case '\'':
            return now_.group = true;
        case '@':
            return now_.aggregation = true;
        case '?':
            now_.width = 16;
            return true;
        case '-':
            now_.zero = false;
            return now_.left = true;
        default:
            return false;
        }
    }

    void number_at(char first)
    {
        if (first == '0' && !dot_ && !digits_) {
            now_.zero = true;
            now_.left = false;
            return;
        }
        long value = first - '0';
        for (; position_ < text_.size() && is_digit(text_[position_]); ++position_)
            value = std::min<long>(value * 10 + (text_[position_] - '0'), INT_MAX);
        digits_ = true;
        if (!dot_)
            now_.width = static_cast<int>(value);
        else if (value != 0)
            now_.precision = static_cast<int>(value);
        else
            now_.precision.reset();
    }

    std::optional<Error> star()
    {
        bool& seen = dot_ ? now_.precision_star : now_.width_star;
        if (seen)
            return fail(std::string(" has more than one '*' specified for the output ") +
                        (dot_ ? "precision" : "width"));
        seen = true;
        return std::nullopt;
    }

    Error fail(const std::string& rest) const
    {
        return Error{"format conversion #" + std::to_string(now_.number) + rest};
    }

    std::string_view text_;
    std::size_t position_ = 0;
    Conversion now_;
    bool dot_ = false;    // whether a '.' was read; then digits or '*' are the precision
    bool digits_ = false; // whether the width was read; then a 0 is not a flag
};

} // namespace

const ConversionInfo* find_conversion(std::string_view name)
{
    const auto* found =
        std::lower_bound(std::begin(kConversions), std::end(kConversions), name,
                         [](const ConversionInfo& entry, std::string_view key) { return entry.name < key; });
    return found != std::end(kConversions) && found->name == name ? found : nullptr;
}

Result<Format> parse(std::string_view text)
{
    return Reader(text).run();
}

} // namespace dt::format
