// Formats diagnostics as plain text for people and as JSON for programs, and finds the line and column of an offset. In
// plain text, the first line is the one that all DTraces print, because scripts may read it; the excerpt and the hint
// below it are for people.
#include "dcompiler/interface/render.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/json.hpp"
#include "dcompiler/interface/diagnostics.hpp"

namespace dt {

namespace {

// Of a longer source line, only this number of bytes around the caret is shown.
constexpr std::size_t kWindow = 160;
constexpr std::size_t kGutter = 3; // width of the column with line numbers

// Escape sequences for a terminal's colors (ECMA-48); empty for plain text.
struct Ink {
    std::string_view message, mark, hint, end;
};
constexpr Ink kPlain{}, kColours{"\033[1m", "\033[1;31m", "\033[36m", "\033[m"};

std::string inked(std::string_view text, std::string_view ink, const Ink& colours)
{
    return std::string(ink) + std::string(text) + std::string(colours.end);
}

bool is_continuation_byte(char c)
{
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// Returns blanks that are as wide on a terminal as `text`, to place the carets; tabs of the text remain tabs.
std::string blanks_for(std::string_view text)
{
    std::string result;
    for (const char c : text)
        if (!is_continuation_byte(c))
            result += c == '\t' ? '\t' : ' ';
    return result;
}

// Returns the text that identifies a command-line program in an error's first line: the whole program if it is one
// line, else the location of the error. A program of several lines would otherwise be repeated for each error.
std::string specifier(const Source& program, const Span& at)
{
    const std::size_t end = program.name.find_last_not_of('\n');
    if (end == std::string::npos || program.name.find('\n') > end)
        return program.name;
    if (at.source != &program || at.file)
        return "<command line>";
    const LineColumn place = find_line_column(program, at.offset);
    return "<command line>:" + std::to_string(place.line) + ":" + std::to_string(place.column + 1);
}

std::string classic_prefix(const Source& program, const Span& at)
{
    if (program.kind == Source::Kind::CommandLine)
        return "dtrace: invalid probe specifier " + specifier(program, at) + ": ";
    return "dtrace: failed to compile script " + program.name + ": ";
}

std::string classic_location(const Diagnostic& diagnostic)
{
    if (!diagnostic.at.source)
        return {};
    if (diagnostic.at.file)
        return "\"" + *diagnostic.at.file + "\", line " + std::to_string(diagnostic.at.line) + ": ";
    if (diagnostic.at.source->kind != Source::Kind::CommandLine)
        return "line " + std::to_string(diagnostic.at.line) + ": ";
    switch (diagnostic.where) {
    case Where::ActionList:
        return "in action list: ";
    case Where::Predicate:
        return "in predicate: ";
    default:
        return {};
    }
}

// Returns `FILE:LINE:COLUMN: note: here`, the source line, and a line with carets. Returns an empty string if the
// location is the end of input.
std::string caret_block(const Span& at, std::string_view note, const Ink& ink = kPlain)
{
    LineColumn place = find_line_column(*at.source, at.offset);
    if (place.text.find_first_not_of(" \t\r") == std::string_view::npos)
        return {};
    if (place.text.ends_with('\r') && place.column + 1 < place.text.size())
        place.text.remove_suffix(1);
    const std::string number = std::to_string(place.line);
    std::string result =
        file_name(at) + ":" + number + ":" + std::to_string(place.column + 1) + ": note: " + std::string(note) + "\n";

    std::size_t begin = place.column > kWindow / 2 && place.text.size() > kWindow ? place.column - kWindow / 2 : 0;
    while (begin < place.column && is_continuation_byte(place.text[begin]))
        ++begin;
    std::size_t end = std::min(place.text.size(), begin + kWindow);
    while (end < place.text.size() && is_continuation_byte(place.text[end]))
        ++end;
    const std::string left = begin == 0 ? "" : "...";
    const std::string right = end == place.text.size() ? "" : "...";
    const std::string_view shown = place.text.substr(begin, end - begin);
    const std::size_t length = std::min<std::size_t>(at.length, end - std::min(end, place.column));

    result += std::string(kGutter - std::min(kGutter, number.size()), ' ') + number + " | " + left + printable(shown) +
              right + "\n";
    const std::string under = blanks_for(place.text.substr(place.column, length));
    result += std::string(kGutter, ' ') + " | " + std::string(left.size(), ' ') +
              blanks_for(shown.substr(0, place.column - begin)) +
              inked("^" + std::string(under.empty() ? 0 : under.size() - 1, '~'), ink.mark, ink) + "\n";
    return result;
}

std::string hint_line(std::string_view hint, const Ink& ink = kPlain)
{
    return hint.empty() ? "" : std::string(kGutter + 1, ' ') + inked("= " + std::string(hint), ink.hint, ink) + "\n";
}

// Returns the lines that follow a diagnostic's first line: location, excerpt and hint.
std::string details(const Diagnostic& diagnostic, const Ink& ink)
{
    std::string result;
    if (diagnostic.at.source)
        result += caret_block(diagnostic.at, "here", ink);
    if (diagnostic.definition.source && diagnostic.definition.offset != diagnostic.at.offset)
        result += caret_block(diagnostic.definition, "in this definition", ink);
    return result + hint_line(diagnostic.hint, ink);
}

} // namespace

std::string printable(std::string_view text)
{
    std::string result(text);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const auto c = static_cast<unsigned char>(result[i]),
                   next = static_cast<unsigned char>(i + 1 < result.size() ? result[i + 1] : 0);
        const bool is_control = (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f;
        // whether the character is a control character from U+0080 to U+009F
        const bool is_high_control = c == 0xc2 && next >= 0x80 && next < 0xa0;
        if (is_control)
            result[i] = '?';
        else if (is_high_control)
            result.replace(i, 2, "?");
    }
    return result;
}

std::string render_location(const Span& at, std::string_view hint)
{
    std::string result = at.source ? caret_block(at, "here") : "";
    if (result.empty())
        return result;
    result += hint_line(hint);
    result.pop_back();
    return result;
}

std::string render(const Diagnostic& diagnostic, const RenderOptions& options)
{
    const Source* program = options.program ? options.program : diagnostic.at.source;
    const bool is_shown = options.cause_first && !options.brief && diagnostic.at.source &&
                          diagnostic.at.source->kind == Source::Kind::CommandLine &&
                          !caret_block(diagnostic.at, "here").empty();
    std::string result = program && !is_shown ? classic_prefix(*program, diagnostic.at) : "dtrace: ";
    if (options.errtags && !diagnostic.tag.empty())
        result += "[" + diagnostic.tag + "] ";
    const Ink& ink = options.colours ? kColours : kPlain;
    result = inked(printable(result + (is_shown ? "" : classic_location(diagnostic)) + diagnostic.message), ink.message,
                   ink) +
             "\n";
    return options.brief ? result : result + details(diagnostic, ink);
}

std::string render_all(const Diagnostics& diagnostics, const RenderOptions& options)
{
    std::string result;
    RenderOptions each = options;
    for (std::size_t i = 0; i < diagnostics.list().size(); ++i) {
        each.errtags = options.errtags && i >= diagnostics.tagged_from();
        result += render(diagnostics.list()[i], each);
        if (options.brief)
            return result;
    }
    if (const std::size_t more = diagnostics.count() - diagnostics.list().size(); more != 0)
        result += "dtrace: " + std::to_string(more) + " further " + (more == 1 ? "error" : "errors") + "\n";
    return result;
}

std::string render_warnings(const Diagnostics& diagnostics, const RenderOptions& options)
{
    std::string result;
    for (const Diagnostic& warning : diagnostics.warnings()) {
        const std::string place =
            warning.at.source ? file_name(warning.at) + ":" + std::to_string(warning.at.line) + ": " : "";
        const Ink& ink = options.colours ? kColours : kPlain;
        result += inked("dtrace: warning: " + place + warning.message, ink.message, ink) + "\n";
        result += options.brief ? "" : details(warning, ink);
    }
    return result;
}

namespace {

std::string location_members(const Span& at)
{
    const LineColumn place = find_line_column(*at.source, at.offset);
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
        text += location_members(diagnostic.at);
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

// Finds the line number of an offset: counts the newlines and applies line markers.

namespace {

// Returns the line number that a line marker (# 12 "file", #line 12) at `text` gives to the next line. Returns 0 if the
// text is no line marker.
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

LineColumn find_line_column(const Source& source, std::size_t offset)
{
    const std::string_view text = source.text;
    LineColumn place;
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

// Collects diagnostics. If two diagnostics have the same location, the later one is discarded. After the limit, further
// diagnostics are only counted.

void Diagnostics::error(std::string_view tag, const Span& at, std::string message, std::string hint,
                        const Span& definition)
{
    for (const Diagnostic& known : list_)
        if (known.at.source == at.source && known.at.offset == at.offset && known.at.line == at.line &&
            known.tag == tag)
            return;
    ++count_;
    if (list_.size() < kMax)
        list_.push_back({std::string(tag), at, where_, std::move(message), std::move(hint), definition});
}

void Diagnostics::warning(const Span& at, std::string message, std::string hint)
{
    for (const Diagnostic& known : warnings_)
        if (known.at.source == at.source && known.at.offset == at.offset && known.message == message)
            return;
    if (warnings_.size() < kMax)
        warnings_.push_back({{}, at, where_, std::move(message), std::move(hint), {}});
}

void Diagnostics::rewind(std::size_t count)
{
    count_ = count;
    if (list_.size() > count)
        list_.resize(count);
}

} // namespace dt
