// Escapes.
#include "libdtrace/format/json.hpp"

#include "libdtrace/format/escape.hpp"

namespace dt::format {

namespace {

constexpr char kDigits[] = "0123456789abcdef";
constexpr std::string_view kReplacement = "\xef\xbf\xbd"; // U+FFFD

std::string_view short_escape(char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\t':
        return "\\t";
    case '\r':
        return "\\r";
    default:
        return {};
    }
}

} // namespace

void append_json_string(Text& out, std::string_view text)
{
    out.append('"');
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const char c = text[0];
        if (length == 0) {
            out.append(kReplacement);
        } else if (const std::string_view escape = short_escape(c); !escape.empty()) {
            out.append(escape);
        } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
            const char code[] = {'\\', 'u', '0', '0', kDigits[c >> 4 & 15], kDigits[c & 15]};
            out.append({code, sizeof code});
        } else {
            out.append(text.substr(0, length));
        }
        text.remove_prefix(length != 0 ? length : 1);
    }
    out.append('"');
}

void append_json_hex(Text& out, std::span<const uint8_t> bytes)
{
    char* at = out.room(bytes.size() * 2 + 2);
    *at++ = '"';
    for (const uint8_t byte : bytes) {
        *at++ = kDigits[byte >> 4];
        *at++ = kDigits[byte & 15];
    }
    *at = '"';
    out.advance(bytes.size() * 2 + 2);
}

void append_json_name(Text& out, std::string_view name)
{
    if (!out.empty() && out.view().back() != '{')
        out.append(',');
    append_json_string(out, name);
    out.append(':');
}

} // namespace dt::format
