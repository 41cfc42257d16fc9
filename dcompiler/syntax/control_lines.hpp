// Parser of control lines, which begin with `#`: line markers, #error, pragmas (dtrace-language(7), Control lines).
//
// Control lines may occur between any two tokens, also inside clauses. The lexer finds them and passes the content of
// each line to this class. An error in a control line does not affect the surrounding item.
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
    /// With `allows_comments`, a line with an unknown directive is a comment and no error. Provider definitions for
    /// other build tools contain such lines.
    ControlLines(const Source& source, ast::Ast& ast, const ParseHooks& hooks, Diagnostics& diagnostics,
                 bool allows_comments = false);

    /// Effect of a line marker: the number of the line after it, and the file's name if the marker has one (null: the
    /// main file).
    struct Marker {
        uint32_t line = 0;
        bool names_file = false;
        const std::string* file = nullptr;
    };

    /// Executes one control line. `text` is the part of the line after the `#`, without the newline; `at` is the
    /// position of the `#`.
    std::optional<Marker> handle(std::string_view text, const Span& at);

    /// Returns the file name in messages about lines before the first line marker. Only libraries have one.
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
