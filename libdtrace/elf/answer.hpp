// What a reader of a file tells (foreign_files.hpp), as bytes: numbers of seven bits a byte, texts with their length in
// front, arrays of plain values.
//
// Whoever takes it apart believes nothing of it: the reader may be in the hands of who wrote the file. Beyond the end
// are zeros, and count() promises no more than the bytes that are left can be, and no more than the caller has memory
// for: what is few bytes here may be many there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace dt {

class AnswerWriter {
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
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

class AnswerReader {
public:
    explicit AnswerReader(std::string_view bytes) : left_(bytes) {}

    uint64_t number()
    {
        uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (left_.empty())
                break;
            const auto part = static_cast<uint8_t>(left_.front());
            left_.remove_prefix(1);
            value |= uint64_t{part & 0x7fU} << shift;
            if (!(part & 0x80))
                return value;
        }
        fail();
        return 0;
    }
    /// How many follow, each of at least `bytes` bytes; more than `most` are none.
    std::size_t count(std::size_t bytes, std::size_t most)
    {
        const uint64_t value = number();
        if (value > std::min(left_.size() / bytes, most))
            fail();
        return failed_ ? 0 : static_cast<std::size_t>(value);
    }
    std::string_view text() { return take(count(1, SIZE_MAX)); }
    template <typename T> std::vector<T> array()
    {
        static_assert(std::is_trivially_copyable_v<T>);
        std::vector<T> values(count(sizeof(T), SIZE_MAX));
        const std::string_view bytes = take(values.size() * sizeof(T));
        if (!bytes.empty())
            std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    /// Something was not there, or not as it should be.
    bool failed() const { return failed_; }

private:
    std::string_view take(std::size_t size)
    {
        const std::string_view taken = left_.substr(0, size);
        left_.remove_prefix(taken.size());
        return taken;
    }
    void fail()
    {
        failed_ = true;
        left_ = {};
    }

    std::string_view left_;
    bool failed_ = false;
};

} // namespace dt
