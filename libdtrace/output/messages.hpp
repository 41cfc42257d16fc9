// Lines for the person at the terminal: run-time errors and drops, on stderr, after what the output stream holds
// already.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dt {
class Output;
}

namespace dt::output {

/// Writes "PROGRAM: TEXT" and a newline to stderr in one piece, PROGRAM being the base name of argv[0], and behind it
/// the output's speaker where it has one.
void say(Output& output, std::string_view text);

/// Writes whole lines to stderr as they are.
void say_lines(Output& output, std::string_view lines);

/// What is to be known of a run, and is no part of what its program records.
struct Note {
    std::string_view tag; ///< for programs: dtrace-output(7) lists them
    std::vector<std::pair<std::string_view, uint64_t>> numbers;
    std::string text;
    bool is_loss = true; ///< something did not fire: it is said in any case
};

/// Says it; with `as_json` as one object a line: {"type":"note","tag":"…","message":"…",numbers by their names}.
void say(Output& output, const Note& note, bool as_json);

} // namespace dt::output
