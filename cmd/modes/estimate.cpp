// --estimate: prints the expected cost of a trace without running it. With sufficient privileges, the probes' firings
// are counted for a moment.
#include <unistd.h>

#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "cmd/timing.hpp"
#include "libdtrace/host/estimate.hpp"
#include "libdtrace/output/sink.hpp"
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
    const Options& options = command.trace.options();
    const std::vector<std::string> names;
    const format::Environment env{names, options.print(), command.session.machine()->symbols()};
    const std::unique_ptr<output::Sink> sink = output::make_sink({options.print(), command.output, env});
    int status = kSuccess;
    if (const auto missing = missing_to_trace(); geteuid() == 0 || missing.empty()) {
        // The estimate is printed before detaching, which takes seconds for thousands of probes.
        bool is_told = false;
        const auto tell = [&](const output::Estimate& price) {
            sink->estimate(price);
            sink->memory_bound(command.trace.memory());
            command.output.send();
            is_told = true;
            done(command.timing->steps(), "print");
            command.timing->print("until the price");
        };
        const Result<std::optional<double>> detached = estimate(
            {command.session, command.trace, command.trace.compiler(), macros_for(command, command.arguments.argv0),
             options.run().estimate_time, command.signals, command.timing->steps()},
            tell);
        if (!is_told)
            sink->memory_bound(command.trace.memory());
        if (!detached)
            say(command.arguments, detached.error().message);
        else if (detached.value())
            sink->detached(*detached.value());
        status = detached ? kSuccess : kFailure;
    } else {
        output::Estimate unknown;
        unknown.all = probes;
        unknown.needs = listed(missing);
        sink->estimate(unknown);
        sink->memory_bound(command.trace.memory());
    }
    return flush_output(command) ? status : kFailure;
}

} // namespace dt::cmd
