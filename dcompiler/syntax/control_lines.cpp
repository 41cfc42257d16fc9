// Parses control lines (lines that begin with `#`). They consist of words and not of tokens, and each directive has its
// own error messages.
#include "dcompiler/syntax/control_lines.hpp"

#include <algorithm>
#include <initializer_list>

#include "dcompiler/syntax/token.hpp"

namespace dt::syntax {

namespace {

bool one_of(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string trimmed(std::string_view text)
{
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return std::string(text);
}

} // namespace

ControlLines::ControlLines(const Source& source, ast::Ast& ast, const ParseHooks& hooks, Diagnostics& diagnostics,
                           bool allows_comments)
    : source_(source), ast_(ast), hooks_(hooks), diagnostics_(diagnostics), allows_comments_(allows_comments)
{
}

const std::string* ControlLines::main_file() const
{
    return source_.kind == Source::Kind::Library ? &source_.name : nullptr;
}

ControlLines::Words ControlLines::split(std::string_view text)
{
    Words words;
    for (std::size_t i = 0; i < text.size();) {
        if (is_blank(text[i])) {
            ++i;
            continue;
        }
        if (text.substr(i, 2) == "//")
            break;
        Word word;
        word.offset = i;
        std::size_t end = i;
        if (text[i] == '"') {
            word.kind = Word::Kind::String;
            for (end = i + 1; end < text.size() && text[end] != '"'; ++end)
                if (text[end] == '\\' && end + 1 < text.size())
                    ++end;
            end = std::min(end, text.size());
            word.text = unescape(text.substr(i + 1, end - i - 1));
            end = std::min(end + 1, text.size());
        } else {
            while (end < text.size() && !is_blank(text[end]) && text[end] != '"')
                ++end;
            word.text = text.substr(i, end - i);
            if (std::all_of(word.text.begin(), word.text.end(), is_digit))
                word.kind = Word::Kind::Integer;
        }
        words.push_back(std::move(word));
        i = end;
    }
    return words;
}

std::optional<ControlLines::Marker> ControlLines::handle(std::string_view text, const Span& at)
{
    const Words words = split(text);
    if (words.empty())
        return std::nullopt;
    Span line = at;
    line.length = 1 + static_cast<uint32_t>(words.back().offset + words.back().text.size());
    if (words[0].kind == Word::Kind::Integer)
        return marker(words, 0, line);
    bool known = false;
    auto result = common(text, words, 0, line, known);
    if (known)
        return result;
    if (words[0].kind != Word::Kind::Text || words[0].text != "pragma") {
        const bool is_of_c =
            one_of(words[0].text, {"define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif"});
        if (allows_comments_ && !is_of_c)
            // provider definitions for other build tools have comments such as "# file: shop.c", so unknown directives
            // are no errors
            return std::nullopt;
        diagnostics_.error("D_PRAGCTL_INVAL", line, "invalid control directive: #" + words[0].text,
                           is_of_c ? "-C runs the C preprocessor on scripts" : "");
        return std::nullopt;
    }
    if (words.size() == 1)
        return std::nullopt;
    if (words[1].text != "D" || words[1].kind != Word::Kind::Text)
        return common(text, words, 1, line, known);
    if (words.size() == 2) {
        malformed(line, "malformed D pragma: #pragma D <name> ...");
        return std::nullopt;
    }
    result = common(text, words, 2, line, known);
    if (!known)
        pragma(Words(words.begin() + 2, words.end()), line);
    return result;
}

// Handles the directives error, ident and line, which may be written as "#x", "#pragma x" or "#pragma D x".
std::optional<ControlLines::Marker> ControlLines::common(std::string_view text, const Words& words, std::size_t first,
                                                         const Span& at, bool& known)
{
    const Word& word = words[first];
    if (word.kind != Word::Kind::Text)
        return std::nullopt;
    known = true;
    if (word.text == "line")
        return marker(words, first + 1, at);
    if (word.text == "error")
        error("D_PRAGERR", at, "#error: " + trimmed(text.substr(word.offset + word.text.size())));
    else
        known = word.text == "ident";
    return std::nullopt;
}

// marker = INT [ "file" { INT } ]
std::optional<ControlLines::Marker> ControlLines::marker(const Words& words, std::size_t first, const Span& at)
{
    bool ok = words.size() > first && words[first].kind == Word::Kind::Integer;
    ok = ok && (words.size() == first + 1 || words[first + 1].kind == Word::Kind::String);
    for (std::size_t i = first + 2; i < words.size(); ++i)
        ok = ok && words[i].kind == Word::Kind::Integer;
    // The line number is always decimal, even if it begins with 0.
    uint64_t number = 0;
    if (ok)
        for (const char digit : words[first].text)
            number = std::min<uint64_t>(number * 10 + static_cast<uint64_t>(digit - '0'), uint64_t{UINT32_MAX} + 1);
    if (!ok || number > UINT32_MAX) {
        malformed(at, "malformed #line <number> \"<file>\"");
        return std::nullopt;
    }
    Marker result;
    result.line = static_cast<uint32_t>(number);
    if (words.size() == first + 1)
        return result;
    const std::string& name = words[first + 1].text;
    result.names_file = true;
    if (name.empty() || name == source_.name || name[0] == '<') {
        result.file = main_file();
        return result;
    }
    auto [entry, is_new] = files_.try_emplace(name, nullptr);
    if (is_new)
        entry->second = &source_.files.emplace_back(name);
    result.file = entry->second;
    return result;
}

// pragma = NAME { WORD }
void ControlLines::pragma(const Words& words, const Span& at)
{
    constexpr Handler handlers[] = {
        {"option", &ControlLines::option},   {"attributes", &ControlLines::attributes},
        {"binding", &ControlLines::binding}, {"depends_on", &ControlLines::depends_on},
        {"metric", &ControlLines::metric},
    };
    for (const Handler& handler : handlers)
        if (words[0].kind == Word::Kind::Text && words[0].text == handler.name)
            return (this->*handler.act)(words, at);
    error("D_PRAGMA_INVAL", at, "invalid D pragma: " + words[0].text);
}

// option = "option" NAME[=VALUE]
void ControlLines::option(const Words& words, const Span& at)
{
    if (words.size() < 2 || words[1].kind == Word::Kind::String)
        return malformed(at, "malformed #pragma option <option>=<val>");
    if (words.size() > 2)
        return malformed(at, "superfluous arguments specified for #pragma option");
    const std::string_view word = words[1].text;
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    std::optional<std::string_view> value;
    if (equals != std::string_view::npos)
        value = word.substr(equals + 1);
    if (!hooks_.option)
        return;
    if (const auto set = hooks_.option(name, value); !set) {
        // Maximum number of characters of a line that an error shows. The file may be something other than a D script,
        // with very long lines.
        constexpr std::size_t kShown = 80;
        const auto cut = [](std::string_view text) {
            return std::string(text.substr(0, kShown)) + (text.size() > kShown ? "..." : "");
        };
        std::string message = "failed to set option '" + cut(name) + "'";
        if (value)
            message += " to '" + cut(*value) + "'";
        error("D_PRAGMA_OPTSET", at, message + ": " + set.error().message);
    }
}

// attributes = "attributes" N/D/C ( IDENT | "provider" PROVIDER PART )
void ControlLines::attributes(const Words& words, const Span& at)
{
    const bool of_provider = words.size() > 2 && words[2].text == "provider";
    const std::size_t wanted = of_provider ? 5 : 3;
    if (words.size() < wanted ||
        std::any_of(words.begin(), words.end(), [](const Word& w) { return w.kind != Word::Kind::Text; }))
        return malformed(at, of_provider ? "malformed #pragma attributes <attributes> provider <name> <part>"
                                         : "malformed #pragma attributes <attributes> <ident>");
    if (words.size() > wanted)
        return malformed(at, "superfluous arguments specified for #pragma attributes");
    if (of_provider && !one_of(words[4].text, {"provider", "module", "function", "name", "args"}))
        return error("D_PRAGMA_INVAL", at,
                     "invalid component \"" + words[4].text + "\" in attribute #pragma for provider " + words[3].text);
    add_item(words, at);
}

// binding = "binding" "VERSION" IDENT
void ControlLines::binding(const Words& words, const Span& at)
{
    if (words.size() < 3 || words[1].kind != Word::Kind::String || words[2].kind != Word::Kind::Text)
        return malformed(at, "malformed #pragma binding \"version\" <ident>");
    if (words.size() > 3)
        return malformed(at, "superfluous arguments specified for #pragma binding");
    add_item(words, at);
}

// depends_on = "depends_on" CLASS NAME
void ControlLines::depends_on(const Words& words, const Span& at)
{
    if (words.size() < 3 || words[1].kind != Word::Kind::Text || words[2].kind == Word::Kind::Integer)
        return malformed(at, "malformed #pragma depends_on <class> <name>");
    if (words.size() > 3)
        return malformed(at, "superfluous arguments specified for #pragma depends_on");
    if (!one_of(words[1].text, {"provider", "module", "library"}))
        return error("D_PRAGMA_INVAL", at, "invalid class \"" + words[1].text + "\" specified by #pragma depends_on");
    add_item(words, at);
}

// metric = "metric" @NAME NAME=VALUE { NAME=VALUE }; a value with blanks is "VALUE"
void ControlLines::metric(const Words& words, const Span& at)
{
    Words joined;
    for (const Word& word : words) {
        const bool is_value = word.kind == Word::Kind::String && !joined.empty() && joined.back().text.ends_with('=') &&
                              joined.back().offset + joined.back().text.size() == word.offset;
        if (is_value)
            joined.back().text += word.text;
        else
            joined.push_back(word);
    }
    if (joined.size() < 3 || !joined[1].text.starts_with('@') ||
        std::any_of(joined.begin() + 1, joined.end(), [](const Word& w) { return w.kind == Word::Kind::String; }))
        return malformed(at, "malformed #pragma metric @<aggregation> <word>=<value> ...");
    add_item(joined, at);
}

void ControlLines::add_item(const Words& words, const Span& at)
{
    ast::Pragma* pragma = ast_.pragma();
    pragma->at = at;
    pragma->name = words[0].text;
    for (std::size_t i = 1; i < words.size(); ++i) {
        pragma->words.push_back(words[i].text);
        Span& place = pragma->places.emplace_back(at);
        // + 1 for the #, which precedes the text of the control line
        const auto before = static_cast<uint32_t>(1 + words[i].offset);
        place.offset += before;
        place.column += before;
        place.length = static_cast<uint32_t>(words[i].text.size());
    }
    ast::Item& item = ast_.items.emplace_back();
    item.kind = ast::Item::Kind::Pragma;
    item.pragma = pragma;
    if (hooks_.item)
        hooks_.item(item);
}

} // namespace dt::syntax
