// Structures as bytes, and back.
//
// One function says which members of a structure count, and in which order; it serves who writes and who reads, so the
// two cannot drift apart. Bytes that come from elsewhere may be anything: a reader never reads behind them, makes
// nothing larger than they are, and says at the end whether all was good.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace dt::archive {

template <typename T> inline constexpr bool kIsVector = false;
template <typename T> inline constexpr bool kIsVector<std::vector<T>> = true;
template <typename T> inline constexpr bool kIsSet = false;
template <typename T> inline constexpr bool kIsSet<std::set<T>> = true;
template <typename T> inline constexpr bool kIsOptional = false;
template <typename T> inline constexpr bool kIsOptional<std::optional<T>> = true;
template <typename T> inline constexpr bool kIsArray = false;
template <typename T, std::size_t N> inline constexpr bool kIsArray<std::array<T, N>> = true;

class Writer {
public:
    static constexpr bool kReads = false;

    /// In as few bytes as it needs.
    void number(uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            bytes_ += static_cast<char>(value | 0x80);
        bytes_ += static_cast<char>(value);
    }
    void text(std::string_view value)
    {
        number(value.size());
        bytes_ += value;
    }
    bool good() const { return true; }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

class Reader {
public:
    static constexpr bool kReads = true;

    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    uint64_t number()
    {
        uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(rest_.front());
            rest_.remove_prefix(1);
            value |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
        fail();
        return 0;
    }
    /// How many there are of something that takes a byte each, at least.
    std::size_t count()
    {
        const uint64_t value = number();
        if (value > rest_.size())
            fail();
        return good_ ? static_cast<std::size_t>(value) : 0;
    }
    std::string_view text()
    {
        const std::size_t size = count();
        const std::string_view value = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return value;
    }
    void fail()
    {
        good_ = false;
        rest_ = {};
    }
    bool good() const { return good_; }
    bool at_end() const { return rest_.empty(); }

private:
    std::string_view rest_;
    bool good_ = true;
};

/// An enumerator, of which `last` is the last.
template <typename Archive, typename T> void choice(Archive& archive, T& value, T last)
{
    if constexpr (Archive::kReads) {
        const uint64_t number = archive.number();
        if (number > static_cast<uint64_t>(last))
            return archive.fail();
        value = static_cast<T>(number);
    } else {
        archive.number(static_cast<uint64_t>(value));
    }
}

template <typename Archive, typename T> void one(Archive& archive, T& value);

template <typename Archive, typename... T> void all(Archive& archive, T&... values)
{
    (one(archive, values), ...);
}

template <typename Archive, typename T> void integer(Archive& archive, T& value)
{
    if constexpr (!Archive::kReads) {
        const auto wide = static_cast<int64_t>(value);
        archive.number(std::is_signed_v<T> ? (static_cast<uint64_t>(wide) << 1) ^ static_cast<uint64_t>(wide >> 63)
                                           : static_cast<uint64_t>(value));
    } else {
        const uint64_t read = archive.number();
        const auto wide = std::is_signed_v<T> ? (read >> 1) ^ (0 - (read & 1)) : read;
        value = static_cast<T>(wide);
        if (static_cast<uint64_t>(value) != wide)
            archive.fail();
    }
}

template <typename Archive, typename T> void list(Archive& archive, T& values)
{
    if constexpr (!Archive::kReads) {
        archive.number(values.size());
        for (auto& each : values)
            one(archive, const_cast<typename T::value_type&>(each)); // a writer changes nothing
    } else {
        values.clear();
        for (std::size_t left = archive.count(); left > 0 && archive.good(); --left) {
            typename T::value_type each{};
            one(archive, each);
            values.insert(values.end(), std::move(each));
        }
    }
}

/// Structures have a function fields(archive, value).
template <typename Archive, typename T> void one(Archive& archive, T& value)
{
    static_assert(!std::is_enum_v<T> && !std::is_pointer_v<T>, "a choice, or a member of a table");
    if constexpr (std::is_integral_v<T>) {
        integer(archive, value);
    } else if constexpr (std::is_same_v<T, std::string>) {
        if constexpr (Archive::kReads)
            value = archive.text();
        else
            archive.text(value);
    } else if constexpr (kIsVector<T> || kIsSet<T>) {
        list(archive, value);
    } else if constexpr (kIsArray<T>) {
        for (auto& each : value)
            one(archive, each);
    } else if constexpr (kIsOptional<T>) {
        bool is_there = value.has_value();
        integer(archive, is_there);
        if (Archive::kReads && is_there)
            value = typename T::value_type{};
        if (is_there)
            one(archive, *value);
    } else {
        fields(archive, value);
    }
}

} // namespace dt::archive
