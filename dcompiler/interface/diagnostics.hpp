// Collects the errors and warnings of a D program; they are printed elsewhere.
//
// The compiler continues after an error and reports further independent errors, at most 20 (dtrace-errors(7)). The
// command prints the first error as other DTraces do, followed by an excerpt with carets and by hints. Tests identify
// an error by its tag.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dt {

/// One source text: the argument of an option (-n, -P, -m, -f or -i), a script file, or a D library file.
struct Source {
    enum class Kind { CommandLine, Script, Library };
    Kind kind = Kind::CommandLine;
    std::string name; ///< path of the file as the user gave it, or the argument of the option
    std::string text;
    mutable std::deque<std::string> files; ///< names from #line; Span::file points to them, so never copy a Source
};

/// A location in a source text. `line` counts from 1 and takes #line into account. `file` is set only by #line and for
/// libraries; messages then contain it.
struct Span {
    const Source* source = nullptr;
    const std::string* file = nullptr;
    uint32_t offset = 0; ///< byte offset of the first character in source->text
    uint32_t length = 0;
    uint32_t line = 0;
    uint32_t column = 0; ///< column in the line, beginning with 1
};

/// Part of a program that contains an error. For a program on the command line, the error's first line names this part:
/// "in action list: " or "in predicate: ".
enum class Where { Parsing, ActionList, Predicate };

struct Diagnostic {
    std::string tag; ///< tag such as "D_SYNTAX"; empty for errors without a tag, such as errors about libraries
    Span at;
    Where where = Where::Parsing;
    std::string message; ///< message; continuation lines begin with a tab
    std::string hint;    ///< suggestion how the user can correct the program, or empty
    /// Position of the definition of the inline or translator that was expanded at `at`. `source` of this Span is null
    /// if nothing was expanded.
    Span definition;
};

class Diagnostics {
public:
    static constexpr std::size_t kMax = 20;

    /// Records an error. After kMax errors it only counts further ones. Of several errors at the same location, only
    /// the first is recorded.
    void error(std::string_view tag, const Span& at, std::string message, std::string hint = {},
               const Span& definition = {});

    /// Records a warning about code that is valid but probably a mistake. Warnings are shown with -v or on a terminal.
    /// At most kMax are recorded.
    void warning(const Span& at, std::string message, std::string hint = {});
    const std::vector<Diagnostic>& warnings() const { return warnings_; }
    void forget_warnings() { warnings_.clear(); }

    /// Implements #pragma D option errtags. The pragma applies from its line on: errors before it are printed without
    /// tags.
    void tag_from_here() { tagged_from_ = count_; }
    std::size_t tagged_from() const { return tagged_from_; }

    /// Sets the part of a clause (action list or predicate) to which the errors recorded from now on belong.
    void set_where(Where where) { where_ = where; }
    Where where() const { return where_; }

    bool has_errors() const { return count_ != 0; }
    std::size_t count() const { return count_; }
    const std::vector<Diagnostic>& list() const { return list_; }
    /// Keeps the first `count` errors and removes the others. Used before the check that found the others is repeated.
    void rewind(std::size_t count);

private:
    std::vector<Diagnostic> list_, warnings_;
    std::size_t count_ = 0;
    std::size_t tagged_from_ = 0;
    Where where_ = Where::Parsing;
};

} // namespace dt
