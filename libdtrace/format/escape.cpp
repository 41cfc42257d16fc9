// Escapes characters by C's letters where they exist, and by octal digits elsewhere.
#include "libdtrace/format/escape.hpp"

#include <algorithm>
#include <iterator>

#include "base/utf8.hpp"

namespace dt::format {

namespace {

struct Escape {
    char character;
    char letter;
};

constexpr Escape kEscapes[] = {{'\0', '0'}, {'\a', 'a'}, {'\b', 'b'}, {'\f', 'f'}, {'\n', 'n'},
                               {'\r', 'r'}, {'\t', 't'}, {'\v', 'v'}, {'"', '"'},  {'\\', '\\'}};

char letter_of(char c)
{
    for (const Escape& escape : kEscapes)
        if (escape.character == c)
            return escape.letter;
    return 0;
}

bool is_control(std::string_view sequence)
{
    const auto first = static_cast<unsigned char>(sequence[0]);
    if (sequence.size() == 1)
        return first < ' ' || first == 0x7f;
    if (sequence.size() == 2) // U+0080 to U+009F: equivalents of ESC and a letter
        return first == 0xc2 && static_cast<unsigned char>(sequence[1]) < 0xa0;
    // Characters that change the writing direction (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), and line
    // separators.
    static constexpr std::string_view kLayout[] = {
        "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac",
        "\xe2\x80\xad", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9"};
    return std::find(std::begin(kLayout), std::end(kLayout), sequence) != std::end(kLayout);
}

void append_octal(Text& out, char c)
{
    const auto byte = static_cast<unsigned char>(c);
    const char octal[] = {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + ((byte >> 3) & 7)),
                          static_cast<char>('0' + (byte & 7))};
    out.append({octal, 4});
}

} // namespace

bool has_controls(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0 || is_control(text.substr(0, length)))
            return true;
        text.remove_prefix(length);
    }
    return false;
}

void append_visible(Text& out, std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
        const std::string_view sequence = text.substr(0, length);
        text.remove_prefix(length);
        if (!has_controls(sequence))
            out.append(sequence);
        else if (sequence[0] >= '\a' && sequence[0] <= '\r')
            append_escaped(out, sequence);
        else
            for (const char c : sequence)
                append_octal(out, c);
    }
}

void append_character_literal(Text& out, char c)
{
    out.append('\'');
    if (c == '\'')
        out.append("\\'");
    else if (c == '"') // no backslash needed between single quotes
        out.append(c);
    else
        append_escaped(out, {&c, 1});
    out.append('\'');
}

void append_escaped(Text& out, std::string_view text)
{
    for (const char c : text) {
        if (const char letter = letter_of(c)) {
            const char pair[] = {'\\', letter};
            out.append({pair, 2});
        } else if (c >= ' ' && c <= '~') {
            out.append(c);
        } else {
            append_octal(out, c);
        }
    }
}

} // namespace dt::format
