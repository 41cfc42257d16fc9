// The processes that the command line names.
#include <unistd.h>

#include <cerrno>

#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "libdtrace/process/command_words.hpp"

namespace dt::cmd {
namespace {

/// What the command will be given as it stands, though a shell was meant.
void hint_at_shell(const Arguments& arguments, const ProcessRequest& request)
{
    auto split = command_words(request.text);
    if (request.is_command && split && !split->shell_only.empty())
        say(arguments, "-c runs a command without a shell, which gets '" + split->shell_only + "' as it stands: quote it if so meant, or use -c 'sh -c \"...\"'");
}

} // namespace


Result<void> open_processes(const Arguments& arguments, Session& session)
{
    const HoldPoint point = hold_point(session.options().evaltime);
    // What a program is to read is no place for a command's output; of system() neither.
    const bool is_read = session.options().format != OutputFormat::Text && !arguments.output;
    const int output = is_read ? STDERR_FILENO : STDOUT_FILENO;
    Processes& processes = session.processes();
    for (const ProcessRequest& request : arguments.processes) {
        hint_at_shell(arguments, request);
        if (Result<void> opened = request.is_command ? processes.create(request.text, point, output) : processes.attach(request.text); !opened) {
            const bool is_gone = !request.is_command && opened.error().code == ESRCH;
            const bool is_no_number = !request.is_command && opened.error().code == EINVAL && request.text.find_first_not_of("0123456789 ") != std::string::npos;
            if (is_no_number)
                return Error{opened.error().message + "\n\t-p takes a number: -p $(pgrep -n " + request.text + ")", EINVAL};
            return is_gone ? Error{opened.error().message + "\n\tthere is none with the number " + request.text, ESRCH} : opened.error();
        }
    }
    return {};
}

} // namespace dt::cmd
