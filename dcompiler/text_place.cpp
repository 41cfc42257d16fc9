// Counts lines and follows line markers.
#include "dcompiler/text_place.hpp"

#include <algorithm>
#include <cctype>

namespace dt {
namespace {

// Returns the line number that a line marker (# 12 "file", #line 12) at `text` gives to the next line, or 0 if it is
// none.
uint32_t marked_line(std::string_view text)
{
    const auto skip_blanks = [&] {
        while (!text.empty() && (text[0] == ' ' || text[0] == '\t'))
            text.remove_prefix(1);
    };
    skip_blanks();
    if (text.substr(0, 1) != "#")
        return 0;
    text.remove_prefix(1);
    skip_blanks();
    if (text.substr(0, 4) == "line")
        text.remove_prefix(4);
    skip_blanks();
    uint32_t line = 0;
    for (; !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])); text.remove_prefix(1))
        line = line * 10 + static_cast<uint32_t>(text[0] - '0');
    return line;
}

} // namespace

TextPlace find_place(const Source& source, std::size_t offset)
{
    const std::string_view text = source.text;
    TextPlace place;
    std::size_t begin = 0;
    for (;;) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        place.text = text.substr(begin, end - begin);
        if (offset <= end || end == text.size())
            break;
        const uint32_t marked = marked_line(place.text);
        place.line = marked != 0 ? marked : place.line + 1;
        begin = end + 1;
    }
    place.column = std::min(offset - begin, place.text.size());
    return place;
}

std::string file_name(const Span& at)
{
    if (at.file)
        return *at.file;
    return at.source->kind == Source::Kind::CommandLine ? "<command line>" : at.source->name;
}

} // namespace dt
