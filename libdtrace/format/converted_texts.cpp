#include "libdtrace/format/converted_texts.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <ctime>
#include <optional>
#include <utility>

#include "base/linkage.hpp"

namespace dt::format {

namespace {

constexpr int64_t kNsOfSecond = 1'000'000'000;

/// Replaces each %f in a strftime() format by six digits of microseconds.
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

/// Returns the name of an id. The names found so far are in `known`; for a new id, calls `find` and adds the name to
/// `known`.
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
    // strftime() returns 0 if the buffer is too small, but also for an empty text, such as that of %p in many locales.
    // The added blank ensures that the text is never empty; it is removed afterwards.
    const std::string whole = with_microseconds(format, below / 1000) + ' ';
    std::string text(whole.size() + 64, '\0');
    std::size_t size = 0;
    while ((size = std::strftime(text.data(), text.size(), whole.c_str(), &local)) == 0 && text.size() < kLongest)
        text.resize(2 * text.size());
    text.resize(size == 0 ? 0 : size - 1);
    return text;
}

Enumeration::Enumeration(std::string_view description)
{
    bool is_first = true;
    bool are_flags = true;
    while (!description.empty()) {
        const std::size_t end = std::min(description.find('\n'), description.size());
        const std::string_view line = description.substr(0, end);
        description.remove_prefix(std::min(end + 1, description.size()));
        int64_t value = 0;
        const char* const rest = std::from_chars(line.data(), line.data() + line.size(), value).ptr;
        if (std::exchange(is_first, false)) {
            mask_ = value > 0 && value < 8 ? (uint64_t{1} << (8 * value)) - 1 : mask_;
            continue;
        }
        const uint64_t bits = static_cast<uint64_t>(value) & mask_;
        const auto name = static_cast<std::size_t>(rest - line.data()) + 1;
        names_.try_emplace(bits, line.substr(std::min(name, line.size())));
        are_flags = are_flags && (bits & (bits - 1)) == 0;
        if (std::has_single_bit(bits))
            flags_.push_back(bits);
    }
    // At least three one-bit values are required for an enumeration of flags, because an ordinary enumeration may have
    // the values 0, 1 and 2.
    constexpr std::size_t kFewestFlags = 3;
    if (!are_flags || flags_.size() < kFewestFlags)
        flags_.clear();
}

std::string Enumeration::flags(uint64_t bits) const
{
    std::string text;
    for (const uint64_t flag : flags_) {
        if ((bits & flag) == 0)
            continue;
        text += (text.empty() ? "" : "|") + names_.at(flag);
        bits &= ~flag;
    }
    return bits == 0 ? text : std::string();
}

std::string Enumeration::text(int64_t number) const
{
    const uint64_t bits = static_cast<uint64_t>(number) & mask_;
    if (const auto known = names_.find(bits); known != names_.end())
        return known->second;
    const std::string names = flags(bits);
    return names.empty() ? std::to_string(number) : names;
}

std::string_view ConvertedTexts::keep(std::string text)
{
    std::string& place = made_[next_];
    next_ = (next_ + 1) % kMade;
    place = std::move(text);
    return place;
}

std::string_view ConvertedTexts::text(const Datum& datum, int64_t number, std::string_view constant)
{
    switch (datum.conversion) {
    case Datum::Conversion::User:
        return known_name(users_, static_cast<uint32_t>(number), user_name);
    case Datum::Conversion::Group:
        return known_name(groups_, static_cast<uint32_t>(number), group_name);
    case Datum::Conversion::Enumerator:
        return keep(enumerations_.try_emplace(datum.constant, constant).first->second.text(number));
    case Datum::Conversion::Time:
        break;
    }
    return keep(time_text(constant, number));
}

} // namespace dt::format
