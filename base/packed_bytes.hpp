// Encoding of data that one process writes and another reads: variable-length integers (seven bits per byte), strings
// and arrays with their lengths.
//
// The reader accepts any bytes, valid or not. Reads beyond the end return zeros. count() never returns more elements
// than the remaining bytes can hold, or than the caller has memory for. At the end, good() reports whether everything
// was valid.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace dt {

class PackedWriter {
public:
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
    template <typename T> void array(std::span<const T> values)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        number(values.size());
        bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    }
    const std::string& bytes() const { return bytes_; }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

class PackedReader {
public:
    explicit PackedReader(std::string_view bytes) : left_(bytes) {}

    uint64_t number()
    {
        uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && !left_.empty(); shift += 7) {
            const auto part = static_cast<uint8_t>(left_.front());
            left_.remove_prefix(1);
            value |= uint64_t{part & 0x7fU} << shift;
            if (!(part & 0x80))
                return value;
        }
        fail();
        return 0;
    }
    /// Reads and returns the number of elements that follow, each of at least `bytes` bytes. If the number is larger
    /// than `most`, or than the remaining bytes permit, marks the data as invalid and returns 0.
    std::size_t count(std::size_t bytes = 1, std::size_t most = SIZE_MAX)
    {
        const uint64_t value = number();
        if (value > std::min(left_.size() / bytes, most))
            fail();
        return good_ ? static_cast<std::size_t>(value) : 0;
    }
    std::string_view text() { return take(count()); }
    template <typename T> std::vector<T> array()
    {
        static_assert(std::is_trivially_copyable_v<T>);
        std::vector<T> values(count(sizeof(T)));
        const std::string_view bytes = take(values.size() * sizeof(T));
        if (!bytes.empty())
            std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    void fail()
    {
        good_ = false;
        left_ = {};
    }
    /// Returns whether everything read so far was present and valid.
    bool good() const { return good_; }
    bool at_end() const { return left_.empty(); }
    /// Returns the unread bytes.
    std::string_view rest() const { return left_; }

private:
    std::string_view take(std::size_t size)
    {
        const std::string_view taken = left_.substr(0, size);
        left_.remove_prefix(taken.size());
        return taken;
    }

    std::string_view left_;
    bool good_ = true;
};

} // namespace dt
