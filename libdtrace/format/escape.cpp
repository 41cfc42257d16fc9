// Letters for the characters that have one in C, octal for the rest.
#include "libdtrace/format/escape.hpp"

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

} // namespace

void append_escaped(Text& out, std::string_view text)
{
    for (const char c : text) {
        if (const char letter = letter_of(c)) {
            const char pair[] = {'\\', letter};
            out.append({pair, 2});
        } else if (c >= ' ' && c <= '~') {
            out.append(c);
        } else {
            const auto byte = static_cast<unsigned char>(c);
            const char octal[] = {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + ((byte >> 3) & 7)), static_cast<char>('0' + (byte & 7))};
            out.append({octal, 4});
        }
    }
}

} // namespace dt::format
