// Lines that begin with `#`: line markers, #error, pragmas (dtrace-language(7), Control lines).
//
// They stand between tokens, anywhere, also inside clauses. The lexer finds them and passes the text of each here; an
// error in one never disturbs the item around it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/syntax/parser.hpp"

namespace dt::syntax {

class ControlLines {
public:
    /// `allows_comments`: a line whose directive nobody knows is a comment, as in provider definitions that were
    /// written for other build helpers.
    ControlLines(const Source& source, ast::Ast& ast, const ParseHooks& hooks, Diagnostics& diagnostics,
                 bool allows_comments = false);

    /// What a line marker asks for: the number of the next line, and the file when it named one (null: the main file).
    struct Marker {
        uint32_t line = 0;
        bool names_file = false;
        const std::string* file = nullptr;
    };

    /// Acts on one line. `text` is what follows the `#`, without the newline; `at` is the `#`.
    std::optional<Marker> handle(std::string_view text, const Span& at);

    /// The file name that messages show for lines no marker has named: a library's, else none.
    const std::string* main_file() const;

private:
    struct Word {
        enum class Kind : uint8_t { Integer, String, Text } kind = Kind::Text;
        std::string text;
        std::size_t offset = 0;
    };
    using Words = std::vector<Word>;
    struct Handler {
        std::string_view name;
        void (ControlLines::*act)(const Words&, const Span&);
    };

    static Words split(std::string_view text);
    void error(std::string_view tag, const Span& at, std::string message)
    {
        diagnostics_.error(tag, at, std::move(message));
    }
    void malformed(const Span& at, std::string message) { error("D_PRAGMA_MALFORM", at, std::move(message)); }

    std::optional<Marker> common(std::string_view text, const Words& words, std::size_t first, const Span& at,
                                 bool& known);
    std::optional<Marker> marker(const Words& words, std::size_t first, const Span& at);
    void pragma(const Words& words, const Span& at);
    void option(const Words& words, const Span& at);
    void attributes(const Words& words, const Span& at);
    void binding(const Words& words, const Span& at);
    void depends_on(const Words& words, const Span& at);
    void metric(const Words& words, const Span& at);
    void add_item(const Words& words, const Span& at);

    const Source& source_;
    ast::Ast& ast_;
    const ParseHooks& hooks_;
    Diagnostics& diagnostics_;
    const bool allows_comments_;
    std::map<std::string, const std::string*, std::less<>> files_;
};

} // namespace dt::syntax
