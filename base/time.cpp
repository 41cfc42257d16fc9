#include "base/time.hpp"

#include <strings.h>

namespace dt {
namespace {

constexpr struct {
    std::string_view brief, word;
    uint64_t ns;
} kTimeUnits[] = {
    {"ns", "nsec", 1},          {"us", "usec", 1000},          {"ms", "msec", kMillisecond},  {"s", "sec", kSecond},
    {"m", "min", 60 * kSecond}, {"h", "hour", 3600 * kSecond}, {"d", "day", 86400 * kSecond},
};

} // namespace

std::optional<uint64_t> time_unit(std::string_view word)
{
    const auto is_word = [&](std::string_view name) {
        return word.size() == name.size() && strncasecmp(word.data(), name.data(), name.size()) == 0;
    };
    for (const auto& unit : kTimeUnits)
        if (is_word(unit.brief) || is_word(unit.word))
            return unit.ns;
    return std::nullopt;
}

} // namespace dt
