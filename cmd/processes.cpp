// The processes that the command line names.
#include <cerrno>

#include "cmd/modes.hpp"

namespace dt::cmd {

Result<void> open_processes(const Arguments& arguments, Session& session)
{
    const HoldPoint point = hold_point(session.options().evaltime);
    Processes& processes = session.processes();
    for (const ProcessRequest& request : arguments.processes)
        if (Result<void> opened = request.is_command ? processes.create(request.text, point) : processes.attach(request.text); !opened) {
            const bool is_gone = !request.is_command && opened.error().code == ESRCH;
            return is_gone ? Error{opened.error().message + "\n\tthere is none with the number " + request.text, ESRCH} : opened.error();
        }
    return {};
}

} // namespace dt::cmd
