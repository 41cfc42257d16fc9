// What the compiler has to say about a D program: objects, collected, never printed here.
//
// The compiler goes on after an error and reports further independent ones (at most 20: dtrace-errors(7)). The
// command prints the first in the classic form and then carets and hints; tests match the tag.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dt {

/// One program text: the argument of -n/-P/-m/-f/-i, a script, or a D library file.
struct Source {
    enum class Kind { CommandLine, Script, Library };
    Kind kind = Kind::CommandLine;
    std::string name; ///< file path as given, or the whole option argument
    std::string text;
    mutable std::deque<std::string>
        files; ///< names that #line gave; Span::file points here, so a Source must not be copied
};

/// A place in a program text. `line` counts from 1 and obeys #line; `file` is set only by #line and libraries (then
/// messages name it).
struct Span {
    const Source* source = nullptr;
    const std::string* file = nullptr;
    uint32_t offset = 0; ///< byte offset of the first character in source->text
    uint32_t length = 0;
    uint32_t line = 0;
    uint32_t column = 0; ///< from 1
};

/// Where an error of a command-line program was found; decides the classic form's "in action list: " / "in predicate:
/// ".
enum class Where { Parsing, ActionList, Predicate };

struct Diagnostic {
    std::string tag; ///< "D_SYNTAX", …; empty for the untagged library errors
    Span at;
    Where where = Where::Parsing;
    std::string message; ///< may hold continuation lines that begin with a tab
    std::string hint;    ///< what to do next, or empty
    Span definition; ///< in the inline or translator that was expanded at `at`; without a source when there was none
};

class Diagnostics {
public:
    static constexpr std::size_t kMost = 20;

    /// Records an error. Beyond kMost errors it is counted but not kept. Two errors at one place keep the first.
    void error(std::string_view tag, const Span& at, std::string message, std::string hint = {},
               const Span& definition = {});

    /// Records what is no error but hardly meant: shown where somebody reads it (-v, a terminal). At most kMost are
    /// kept.
    void warning(const Span& at, std::string message, std::string hint = {});
    const std::vector<Diagnostic>& warnings() const { return warnings_; }
    void forget_warnings() { warnings_.clear(); }

    /// #pragma D option errtags works from its line on: errors before it print without their tags.
    void tag_from_here() { tagged_from_ = count_; }
    std::size_t tagged_from() const { return tagged_from_; }

    /// Errors recorded from now on belong to this part of a clause.
    void set_where(Where where) { where_ = where; }
    Where where() const { return where_; }

    bool has_errors() const { return count_ != 0; }
    std::size_t count() const { return count_; }
    const std::vector<Diagnostic>& list() const { return list_; }
    /// Forgets everything after the first `count` errors: for a check that is tried and then repeated.
    void rewind(std::size_t count);

private:
    std::vector<Diagnostic> list_, warnings_;
    std::size_t count_ = 0;
    std::size_t tagged_from_ = 0;
    Where where_ = Where::Parsing;
};

} // namespace dt
