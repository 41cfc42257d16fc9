// --estimate: prints the expected cost of a trace without running it. If the user has the privileges, it counts the
// probes' firings for a moment. The same estimate is used when a host limits the cost of requests from other hosts
// (--hosts).
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/common/report.hpp"
#include "libdtrace/estimate/estimate.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/session/capabilities.hpp"

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
    const format::Environment env{names, options.print(), command.session.system_context()->symbols()};
    const std::unique_ptr<output::Sink> sink = output::make_sink({options.print(), command.output, env});
    int status = kSuccess;
    if (const auto missing = missing_to_trace(); geteuid() == 0 || missing.empty()) {
        // Prints the estimate before it detaches, because detaching thousands of probes takes seconds.
        bool is_printed = false;
        const auto tell = [&](const output::Estimate& price) {
            sink->estimate(price);
            sink->memory_bound(command.trace.memory());
            command.output.send();
            is_printed = true;
            done(command.timing->steps(), "print");
            command.timing->print("until the estimate");
        };
        const Result<std::optional<double>> detached = estimate(
            {command.session, command.trace, command.trace.compiler(), macros_for(command, command.arguments.argv0),
             options.run().estimate_time, command.signals, command.timing->steps()},
            tell);
        if (!is_printed)
            sink->memory_bound(command.trace.memory());
        if (!detached)
            print_message(command.arguments, detached.error().message);
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

// Applies the limits that a host sets for requests of other hosts (--hosts). The sender cannot know the limits of each
// host.

namespace {

constexpr char kPolicyOfHost[] = "/etc/dtrace/policy";

/// Counts firings for a moment and returns why the run is refused, or an empty string. If the estimate fails, the run
/// is refused too.
std::string refused_by_estimate(Command& command, const Policy& policy)
{
    std::string why;
    const auto look = [&](const output::Estimate& price) { why = refused_by(policy, price); };
    const Result<std::optional<double>> detached = estimate(
        {command.session, command.trace, command.trace.compiler(), macros_for(command, command.arguments.argv0),
         command.trace.options().run().estimate_time, command.signals, nullptr},
        look);
    return detached ? why : "its cost cannot be estimated: " + detached.error().message;
}

} // namespace

Result<std::optional<Policy>> read_run_policy(const Command& command)
{
    const std::string& given = command.arguments.policy;
    const bool is_asked_with_others = command.trace.options().print().format == OutputFormat::Snapshot;
    if (given.empty() && !is_asked_with_others)
        return std::optional<Policy>();
    const std::string path = given.empty() ? kPolicyOfHost : given;
    std::ifstream file(path);
    if (!file)
        return given.empty() ? Result<std::optional<Policy>>(std::nullopt)
                             : Error{"failed to open " + path + ": there is no such policy"};
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    Result<Policy> read = read_policy(text);
    if (!read)
        return Error{path + ": " + read.error().message};
    return std::optional<Policy>(read.value());
}

bool is_refused(Command& command, const Policy& policy)
{
    const bool is_destructive = command.trace.object().schema.destructive;
    std::string why = refused_by(policy, is_destructive, output::sum(command.trace.memory()).all());
    if (why.empty() && policy.wants_estimate())
        why = refused_by_estimate(command, policy);
    if (!why.empty())
        print_message(command.arguments, std::string(kRefused) + why);
    return !why.empty();
}

} // namespace dt::cmd
