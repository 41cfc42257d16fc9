// Writes messages to standard error. Pending output of the trace is written before a message, as far as its reader
// accepts it, so that a user sees output and messages in order.
#include "libdtrace/output/messages.hpp"

#include <cerrno>
#include <unistd.h>

#include "dcompiler/interface/render.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::output {

void print_message(Output& output, std::string_view text)
{
    std::string line(program_invocation_short_name);
    line += ": ";
    if (!output.messages().prefix.empty())
        line.append(output.messages().prefix).append(": ");
    output.messages().handler(text);
    line += printable(text);
    line += '\n';
    print_messages(output, line);
}

void print_message(Output& output, const Note& note, bool as_json)
{
    if (!as_json)
        return print_message(output, note.text);
    output.messages().handler(note.text);
    std::string line = "{\"type\":\"note\",\"tag\":" + json_string(note.tag) + ",\"message\":" + json_string(note.text);
    for (const auto& [name, number] : note.numbers)
        line += "," + json_string(name) + ":" + std::to_string(number);
    print_messages(output, line + "}\n");
}

void print_messages(Output& output, std::string_view left)
{
    if (output.messages().is_silent)
        return;
    output.offer();
    if (output.is_waiting() && output.refers_to(STDERR_FILENO))
        // the output stream and stderr use the same file or terminal, and its reader is slow; so the message is
        // appended to the pending output
        return output.write(left);
    while (!left.empty()) {
        const ssize_t written = ::write(STDERR_FILENO, left.data(), left.size());
        if (written < 0 && errno != EINTR)
            return;
        left.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
}

} // namespace dt::output
