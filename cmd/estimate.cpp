// --estimate: what tracing would cost. Nothing is traced; with the right to, the probes' firings are counted for a
// moment.
#include <unistd.h>

#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "libdtrace/host/estimate.hpp"
#include "libdtrace/trace/capabilities.hpp"

namespace dt::cmd {

int estimate_mode(Command& command)
{
    if (command.arguments.programs.empty())
        return no_program(command);
    if (!add_programs(command) || !finish_programs(command))
        return kFailure;
    std::size_t probes = 0;
    for (uint32_t i = 0; i < command.arguments.programs.size(); ++i)
        probes += command.trace.matched(i);
    int status = kSuccess;
    if (const auto missing = missing_to_trace(); geteuid() == 0 || missing.empty()) {
        const Result<output::Estimate> made = estimate({command.session, command.trace, command.trace.compiler(),
                                                        macros_for(command, command.arguments.argv0),
                                                        command.trace.options().run().estimate_time, command.signals});
        if (made)
            command.output.write(output::estimate_table(made.value()));
        else
            say(command.arguments, made.error().message);
        status = made ? kSuccess : kFailure;
    } else {
        command.output.write("\nprobes: " + std::to_string(probes) + "; what they cost needs " + listed(missing) +
                             "\n");
    }
    command.output.write(output::memory_table(command.trace.memory()));
    return flush_output(command) ? status : kFailure;
}

} // namespace dt::cmd
