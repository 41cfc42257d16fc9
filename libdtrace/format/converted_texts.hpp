// Texts that the consumer makes of recorded numbers (Datum::Kind::Converted).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dcompiler/object/schema.hpp"

namespace dt::format {

/// Names of the values of an enumeration.
class Enumeration {
public:
    /// Reads a description in the form of Datum::Conversion::Enumerator.
    explicit Enumeration(std::string_view description);

    /// Returns the name of a value. For other values of an enumeration of flags, returns the names of the flags, joined
    /// by "|". Returns the number if some bit has no name.
    std::string text(int64_t number) const;

private:
    std::string flags(uint64_t bits) const;

    uint64_t mask_ = ~uint64_t{0}; ///< mask of the bits that a value of the enumeration type has
    std::unordered_map<uint64_t, std::string> names_;
    /// for an enumeration of flags (three or more values, each with one bit): the flags; otherwise empty
    std::vector<uint64_t> flags_;
};

/// Converts numbers to texts. Not thread-safe.
class ConvertedTexts {
public:
    /// Returns the text of a number. `constant` is the datum's entry of Schema::names. The text is valid until this
    /// function was called kMade more times. The name of a user or group is looked up once; if there is none, the text
    /// is the number.
    std::string_view text(const Datum& datum, int64_t number, std::string_view constant);

private:
    using Names = std::unordered_map<uint32_t, std::string>;

    std::string_view keep(std::string text);

    static constexpr std::size_t kMade = 4;
    std::array<std::string, kMade> made_;
    std::size_t next_ = 0;
    Names users_, groups_;
    std::unordered_map<uint32_t, Enumeration> enumerations_; ///< by Datum::constant
};

/// Returns a time in ns since the epoch in a format of strftime(3), in the local time zone; %f prints six digits of
/// microseconds.
std::string time_text(std::string_view format, int64_t nanoseconds);

} // namespace dt::format
