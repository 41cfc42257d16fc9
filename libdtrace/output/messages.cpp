// Offers the pending output first, so that messages appear in order.
#include "libdtrace/output/messages.hpp"

#include <cerrno>
#include <unistd.h>

#include "dcompiler/interface/render.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::output {

void say(Output& output, std::string_view text)
{
    std::string line(program_invocation_short_name);
    line += ": ";
    if (!output.speaker().empty())
        line.append(output.speaker()).append(": ");
    output.hear(text);
    line += printable(text);
    line += '\n';
    say_lines(output, line);
}

void say(Output& output, const Note& note, bool as_json)
{
    if (!as_json)
        return say(output, note.text);
    output.hear(note.text);
    std::string line = "{\"type\":\"note\",\"tag\":" + json_string(note.tag) + ",\"message\":" + json_string(note.text);
    for (const auto& [name, number] : note.numbers)
        line += "," + json_string(name) + ":" + std::to_string(number);
    say_lines(output, line + "}\n");
}

void say_lines(Output& output, std::string_view left)
{
    if (output.is_silent())
        return;
    output.offer();
    if (output.is_waiting() && output.leads_to(STDERR_FILENO))
        return output.write(left); // the output stream goes there too: keep the order
    while (!left.empty()) {
        const ssize_t written = ::write(STDERR_FILENO, left.data(), left.size());
        if (written < 0 && errno != EINTR)
            return;
        left.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
}

} // namespace dt::output
