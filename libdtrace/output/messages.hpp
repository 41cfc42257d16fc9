// Lines for the person at the terminal: run-time errors and drops, on stderr, after what the output stream holds already.
#pragma once

#include <string_view>

namespace dt {
class Output;
}

namespace dt::output {

/// Writes "PROGRAM: TEXT" and a newline to stderr in one piece, PROGRAM being the base name of argv[0].
void say(Output& output, std::string_view text);

/// Writes whole lines to stderr as they are.
void say_lines(Output& output, std::string_view lines);

} // namespace dt::output
