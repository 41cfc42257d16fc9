// JSON (RFC 8259) as far as these objects need it. Bytes that are no UTF-8 come from programs and names of files: they become U+FFFD.
#include "dcompiler/render_json.hpp"

#include <algorithm>
#include <cstdio>

#include "dcompiler/text_place.hpp"

namespace dt {
namespace {

/// Bytes of the character that begins here; 0: it is none in UTF-8.
std::size_t character_length(std::string_view text)
{
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
    if (length == 0 || length > text.size())
        return 0;
    const bool continues = std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length),
                                       [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; });
    return continues ? length : 0;
}

std::string place_members(const Span& at)
{
    const TextPlace place = find_place(*at.source, at.offset);
    const std::size_t begin = place.column + 1, end = std::min(place.column + std::max<std::size_t>(at.length, 1), place.text.size()) + 1;
    return ",\"file\":" + json_string(file_name(at)) + ",\"line\":" + std::to_string(place.line) + ",\"column\":" + std::to_string(begin) +
           ",\"end_column\":" + std::to_string(std::max(begin, end));
}

std::string object(const char* type, const Diagnostic& diagnostic)
{
    std::string text = std::string("{\"type\":\"") + type + "\"";
    if (!diagnostic.tag.empty())
        text += ",\"tag\":" + json_string(diagnostic.tag);
    text += ",\"message\":" + json_string(diagnostic.message);
    if (diagnostic.at.source)
        text += place_members(diagnostic.at);
    if (!diagnostic.hint.empty())
        text += ",\"hint\":" + json_string(diagnostic.hint);
    return text + "}\n";
}

} // namespace

std::string json_string(std::string_view text)
{
    std::string result = "\"";
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const char c = text[0];
        if (length == 0) {
            result += "\xef\xbf\xbd";
        } else if (c == '"' || c == '\\') {
            result += std::string("\\") + c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            result += escape;
        } else {
            result += text.substr(0, length);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result + "\"";
}

std::string render_json(const Diagnostics& diagnostics)
{
    std::string text;
    for (const Diagnostic& error : diagnostics.list())
        text += object("error", error);
    for (const Diagnostic& warning : diagnostics.warnings())
        text += object("warning", warning);
    return text;
}

} // namespace dt
