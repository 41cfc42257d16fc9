// Texts that the consumer makes of recorded numbers (Datum::Kind::Converted).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "dcompiler/object/schema.hpp"

namespace dt::format {

/// Converts numbers to texts. Not thread-safe.
class ConvertedTexts {
public:
    /// Returns the text of a number. `constant` is the datum's entry of Schema::names. The text of a time is valid until
    /// the kTimes-th next call. The name of a user or group is looked up once; if there is none, the text is the number.
    std::string_view text(const Datum& datum, int64_t number, std::string_view constant);

private:
    using Names = std::unordered_map<uint32_t, std::string>;

    std::string_view time(int64_t nanoseconds, std::string_view format);

    Names users_, groups_;
    static constexpr std::size_t kTimes = 4;
    std::array<std::string, kTimes> times_;
    std::size_t next_time_ = 0;
};

/// Returns a time in ns since the epoch in a format of strftime(3), in the local time zone; %f prints six digits of
/// microseconds.
std::string time_text(std::string_view format, int64_t nanoseconds);

} // namespace dt::format
