// Formats each diagnostic as an object on one line.
#include "dcompiler/render_json.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "dcompiler/text_place.hpp"

namespace dt {
namespace {

std::string place_members(const Span& at)
{
    const TextPlace place = find_place(*at.source, at.offset);
    const std::size_t begin = place.column + 1,
                      end = std::min(place.column + std::max<std::size_t>(at.length, 1), place.text.size()) + 1;
    return ",\"file\":" + json_string(file_name(at)) + ",\"line\":" + std::to_string(place.line) +
           ",\"column\":" + std::to_string(begin) + ",\"end_column\":" + std::to_string(std::max(begin, end));
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
    std::string result;
    append_json_string(result, text);
    return result;
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
