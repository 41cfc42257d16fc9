// What the output stream holds goes out first, so that messages stand where they belong.
#include "libdtrace/output/messages.hpp"

#include <cerrno>
#include <string>
#include <unistd.h>

#include "dcompiler/render.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::output {

void say(Output& output, std::string_view text)
{
    std::string line(program_invocation_short_name);
    line += ": ";
    line += printable(text);
    line += '\n';
    say_lines(output, line);
}

void say_lines(Output& output, std::string_view left)
{
    output.send();
    while (!left.empty()) {
        const ssize_t written = ::write(STDERR_FILENO, left.data(), left.size());
        if (written < 0 && errno != EINTR)
            return;
        left.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
}

} // namespace dt::output
