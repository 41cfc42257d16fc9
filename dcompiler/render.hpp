// Diagnostics as text for standard error: the classic first line, then the place in the program and what to do next.
//
// The classic line is byte for byte what DTrace always printed (dtrace-errors(7), LINES OF A MESSAGE); scripts and
// tests compare it. Only of a command-line program of several lines it names the place (<command line>:57:23) instead
// of repeating the program. Everything below it is extra and disappears with `brief` (-x diag=brief,
// DTRACE_REPRODUCIBLE).
#pragma once

#include <string>
#include <string_view>

#include "dcompiler/diagnostics.hpp"

namespace dt {

struct RenderOptions {
    bool errtags = false; ///< -x errtags: "[D_SYNTAX] " before the location
    bool brief = false;   ///< only the classic line; of several errors only the first
    bool cause_first =
        false; ///< for a person: a one-liner, which is shown below anyway, is not repeated before what is wrong with it
    bool colours = false; ///< for a terminal that shows them
    /// The program that was being compiled, when the error may lie in a library it uses; null: the source of the error.
    const Source* program = nullptr;
};

/// The text with `?` for each control character but newline and tab: program texts and names of files come from
/// anywhere, and a terminal obeys what is in them.
std::string printable(std::string_view text);

/// A place in a program on its own: FILE:LINE:COLUMN, the line, carets, and `hint` when there is one. No newline at the
/// end; empty when there is no text at the place.
std::string render_place(const Span& at, std::string_view hint);

/// One error, a newline after its last line:
///
///     dtrace: failed to compile script reads.d: line 3: copyinstr( ) argument #1 is incompatible with prototype:
///         prototype: uintptr_t
///         ...
///     reads.d:3:15: note: here
///       3 |   @[copyinstr(execname)] = count();
///         |               ^~~~~~~~
///         = execname is already a string: use it directly
std::string render(const Diagnostic& diagnostic, const RenderOptions& options);

/// All errors in the order in which they were found. Empty when there are none.
std::string render_all(const Diagnostics& diagnostics, const RenderOptions& options);

/// All warnings: `dtrace: warning: reads.d:3: …`, then the place and what to do next. Empty when there are none.
std::string render_warnings(const Diagnostics& diagnostics, const RenderOptions& options);

} // namespace dt
