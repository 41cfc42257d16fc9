#include "libdtrace/format/converted_texts.hpp"

#include <ctime>

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

std::string_view ConvertedTexts::text(const Datum& datum, int64_t number, std::string_view constant)
{
    switch (datum.conversion) {
    case Datum::Conversion::Time:
        break;
    }
    std::string& time = times_[next_time_];
    next_time_ = (next_time_ + 1) % kTimes;
    time = time_text(constant, number);
    return time;
}

} // namespace dt::format
