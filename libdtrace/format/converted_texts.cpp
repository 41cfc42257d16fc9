#include "libdtrace/format/converted_texts.hpp"

#include <ctime>
#include <optional>

#include "base/linkage.hpp"

namespace dt::format {

namespace {

constexpr int64_t kNsOfSecond = 1'000'000'000;

/// Returns the format with digits in place of each %f.
std::string with_microseconds(std::string_view format, int64_t microseconds)
{
    std::string result;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%' || i + 1 == format.size()) {
            result += format[i];
        } else if (format[++i] == 'f') {
            const std::string digits = std::to_string(microseconds);
            result.append(6 - digits.size(), '0').append(digits);
        } else {
            result.append({'%', format[i]});
        }
    }
    return result;
}

/// Returns the name of an id from the table, or adds the one that `find` returns.
std::string_view known_name(std::unordered_map<uint32_t, std::string>& known, uint32_t id,
                         std::optional<std::string> (*find)(uint32_t))
{
    const auto [place, is_new] = known.try_emplace(id);
    if (is_new)
        place->second = find(id).value_or(std::to_string(id));
    return place->second;
}

} // namespace

std::string time_text(std::string_view format, int64_t nanoseconds)
{
    constexpr std::size_t kLongest = 1 << 16;
    const int64_t rest = nanoseconds % kNsOfSecond, below = rest < 0 ? rest + kNsOfSecond : rest;
    const auto seconds = static_cast<time_t>((nanoseconds - below) / kNsOfSecond);
    tm local{};
    localtime_r(&seconds, &local);
    // The additional character distinguishes an empty text, such as that of %p in many locales, from a full buffer.
    const std::string whole = with_microseconds(format, below / 1000) + ' ';
    std::string text(whole.size() + 64, '\0');
    std::size_t size = 0;
    while ((size = std::strftime(text.data(), text.size(), whole.c_str(), &local)) == 0 && text.size() < kLongest)
        text.resize(2 * text.size());
    text.resize(size == 0 ? 0 : size - 1);
    return text;
}

std::string_view ConvertedTexts::time(int64_t nanoseconds, std::string_view format)
{
    std::string& text = times_[next_time_];
    next_time_ = (next_time_ + 1) % kTimes;
    text = time_text(format, nanoseconds);
    return text;
}

std::string_view ConvertedTexts::text(const Datum& datum, int64_t number, std::string_view constant)
{
    switch (datum.conversion) {
    case Datum::Conversion::User:
        return known_name(users_, static_cast<uint32_t>(number), user_name);
    case Datum::Conversion::Group:
        return known_name(groups_, static_cast<uint32_t>(number), group_name);
    case Datum::Conversion::Time:
        break;
    }
    return time(number, constant);
}

} // namespace dt::format
