// Messages to stderr: run-time errors and drops. They follow the text that is already in the output stream.
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

/// Writes "PROGRAM: TEXT" and a newline to stderr in one write. PROGRAM is the base name of argv[0]; the output's
/// speaker, if it has one, follows it.
void say(Output& output, std::string_view text);

/// Writes complete lines to stderr unchanged.
void say_lines(Output& output, std::string_view lines);

/// A message about a run that is not part of the recorded data.
struct Note {
    std::string_view tag; ///< name for programs, listed in dtrace-output(7)
    std::vector<std::pair<std::string_view, uint64_t>> numbers;
    std::string text;
    bool is_loss = true; ///< something did not fire: the message is always shown
};

/// Writes the note. With `as_json` it is one JSON object per line: {"type":"note","tag":"…","message":"…"} and the
/// numbers by name.
void say(Output& output, const Note& note, bool as_json);

} // namespace dt::output
