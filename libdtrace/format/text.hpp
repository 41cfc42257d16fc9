// Growing byte buffer for formatted output, and the only buffer between a record and write(2). Also contains functions
// that append escape sequences and hex dumps.
//
// At two million lines per second, there are about 500 ns for each line. So appending is inline, numbers are written in
// place, and nothing is allocated once the buffer has reached its working size.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace dt::format {

class Text {
public:
    Text() = default;
    Text(const Text&) = delete;
    Text& operator=(const Text&) = delete;

    /// Reserves `bytes` bytes at the end and returns their address. The caller then calls advance() with the number of
    /// bytes that it has written.
    char* room(std::size_t bytes)
    {
        if (capacity_ - size_ < bytes)
            grow(bytes);
        return bytes_.get() + size_;
    }
    void advance(std::size_t bytes) { size_ += bytes; }

    void append(char c)
    {
        *room(1) = c;
        ++size_;
    }
    void append(std::string_view text)
    {
        if (text.empty())
            return;
        std::memcpy(room(text.size()), text.data(), text.size());
        size_ += text.size();
    }
    void fill(char c, std::size_t count)
    {
        if (count == 0)
            return;
        std::memset(room(count), c, count);
        size_ += count;
    }

    std::string_view view() const { return {bytes_.get(), size_}; }
    const char* data() const { return bytes_.get(); }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    void clear() { size_ = 0; }
    /// Frees the memory of an empty buffer if the buffer is many times larger than `used`, the number of bytes that the
    /// buffer needed recently.
    void fit(std::size_t used)
    {
        constexpr std::size_t kSmall = 16 * 1024, kMuch = 4;
        if (size_ == 0 && capacity_ > kSmall && used < capacity_ / kMuch) {
            bytes_.reset();
            capacity_ = 0;
        }
    }
    /// Removes everything after the first `size` bytes.
    void cut(std::size_t size) { size_ = size; }
    /// Removes the first `size` bytes.
    void drop(std::size_t size)
    {
        size_ -= size;
        if (size_ > 0) // if the buffer has no memory, its pointer is null, and memmove() must not be called with it
            std::memmove(bytes_.get(), bytes_.get() + size, size_);
    }

private:
    void grow(std::size_t bytes);

    std::unique_ptr<char[]> bytes_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// Append a decimal number, right-aligned to `width` columns.
void append_unsigned(Text& out, uint64_t value, unsigned width = 0);
void append_signed(Text& out, int64_t value, unsigned width = 0);
/// Appends lower-case hexadecimal without prefix, right-aligned to `width` columns.
void append_hex(Text& out, uint64_t value, unsigned width = 0);

/// Append the text, padded to `width` columns: append_right() like %*s, append_left() like %-*s. The text is never
/// truncated.
void append_right(Text& out, std::string_view text, std::size_t width);
void append_left(Text& out, std::string_view text, std::size_t width);

/// Flags, width and precision of one conversion. If the format has a '*', the width or precision is the value of its
/// argument.
struct Layout {
    bool alternate = false, zero = false, left = false, plus = false, space = false, group = false;
    int width = 0;
    int precision = -1;
};

/// Appends text, formatted by a conversion such as %-10.3s.
void append_text(Text& out, const Layout& layout, std::string_view text);

/// Appends an integer, formatted by a conversion with C's rules for flags. `conversion` is one of d u o x X. For d,
/// `negative` adds a minus sign to `magnitude`.
void append_integer(Text& out, const Layout& layout, char conversion, uint64_t magnitude, bool negative);

// C escape sequences, as printed by %S and %C (dtrace-output(7), FORMATS).

/// Appends the text with escape sequences: NUL as \0, C's letter escapes, and a backslash before double quotes and
/// backslashes. Other bytes except the printable ASCII characters become three octal digits.
void append_escaped(Text& out, std::string_view text);

/// Appends a character as a C literal, quotes included: 'a', '\'', '\n', '\373'.
void append_character_literal(Text& out, char c);

/// Returns whether the text contains characters that a terminal does not display as they are: control characters,
/// invalid UTF-8, and characters that change the writing direction.
bool has_controls(std::string_view text);

/// Appends the text with the characters of has_controls() made visible: \n and similar, otherwise three octal digits
/// per byte.
void append_visible(Text& out, std::string_view text);

// Hex dumps, as printed by tracemem(), by trace() of arrays and structs, by rawbytes, and for keys that are not text
// (dtrace-output(7), VALUES).

/// Appends a newline, the heading and one line per 16 bytes. Appends nothing if there are no bytes.
void append_hexdump(Text& out, std::span<const uint8_t> bytes);

/// Returns whether the bytes look like text: printable characters, white space, backspace or bell, and only NULs after
/// the first NUL. Returns false if the text is empty.
bool looks_like_text(std::span<const uint8_t> bytes);

} // namespace dt::format
