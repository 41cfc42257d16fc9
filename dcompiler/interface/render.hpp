// Formats diagnostics: as plain text for standard error, or as JSON for editors. Plain text has a first line that is
// the same in all DTraces ("classic line"), then the location in the program and a suggestion.
//
// The classic line is byte for byte that of DTrace (dtrace-errors(7), LINES OF A MESSAGE), because scripts and tests
// compare it. One exception: for a command-line program of several lines the line contains the location (<command
// line>:57:23) instead of the program. Everything below the classic line is additional and is omitted with `brief` (-x
// diag=brief, DTRACE_REPRODUCIBLE).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dcompiler/interface/diagnostics.hpp"

namespace dt {

struct RenderOptions {
    bool errtags = false; ///< -x errtags: whether the tag is printed before the location, as "[D_SYNTAX] "
    bool brief = false;   ///< whether only the classic (first) line of the first error is printed
    /// whether the classic line omits a one-line program, because the lines below show the program anyway
    bool cause_first = false;
    bool colours = false; ///< whether to use a terminal's colours
    /// The program being compiled. If an error is in a library that the program uses, the classic line still names the
    /// program. If this pointer is null, the classic line names the source text with the error.
    const Source* program = nullptr;
};

/// Replaces control characters except newline and tab by `?`. Source texts and file names are untrusted, and a terminal
/// would interpret the characters.
std::string printable(std::string_view text);

/// Formats a location in a program as FILE:LINE:COLUMN, the source line, carets, and `hint` if not empty. The result
/// has no newline at its end. It is empty if the location is the end of input.
std::string render_location(const Span& at, std::string_view hint);

/// Formats one error, with a newline after its last line, for example:
///
///     dtrace: failed to compile script reads.d: line 3: copyinstr( ) argument #1 is incompatible with prototype:
///         prototype: uintptr_t
///         ...
///     reads.d:3:15: note: here
///       3 |   @[copyinstr(execname)] = count();
///         |               ^~~~~~~~
///         = execname is already a string: use it directly
std::string render(const Diagnostic& diagnostic, const RenderOptions& options);

/// Formats all errors in the order in which they were found. The result is empty if there are none.
std::string render_all(const Diagnostics& diagnostics, const RenderOptions& options);

/// Formats all warnings: `dtrace: warning: reads.d:3: …`, then the location and a suggestion. The result is empty if
/// there are none.
std::string render_warnings(const Diagnostics& diagnostics, const RenderOptions& options);

// Formats diagnostics as JSON for editors and other programs: -x errors=json.

/// Formats each diagnostic as an object on a line of its own, errors before warnings, for example:
///
///     {"type":"error","tag":"D_IDENT_UNDEF","message":"failed to resolve x: Unknown variable name","file":"reads.d",
///      "line":3,"column":15,"end_column":16,"hint":"did you mean y?"}
///
/// In JSON diagnostics, columns are bytes counted from 1, and the end is exclusive. If a diagnostic has no
/// tag, position or hint, the members for it are omitted.
std::string render_json(const Diagnostics& diagnostics);

/// Returns a string in the form of JSON, with quotes.
std::string json_string(std::string_view text);

// Converts an offset in a source text to line and column.

/// Line and column of an offset, and the text of the source line. Span::line may be the line of a later token, as the
/// classic error line requires. So the line is counted from the offset.
struct LineColumn {
    std::string_view text;
    std::size_t column = 0; ///< column in the line, beginning with 0
    uint32_t line = 1;
};

LineColumn find_line_column(const Source& source, std::size_t offset);

/// Returns the name that messages use for the source text with the position `at`.
std::string file_name(const Span& at);

} // namespace dt
