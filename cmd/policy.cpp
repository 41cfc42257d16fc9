// Applies a host's limits to requests over the fleet, whose sender cannot know the limits of each host.
#include <fstream>
#include <iterator>

#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "libdtrace/host/estimate.hpp"

namespace dt::cmd {
namespace {

constexpr char kPolicyOfHost[] = "/etc/dtrace/policy";

/// Counts firings for a moment and returns why the run is refused, or an empty string. A failed estimate refuses the
/// run.
std::string refused_by_estimate(Command& command, const Policy& policy)
{
    std::string why;
    const auto look = [&](const output::Estimate& price) { why = refused_by(policy, price); };
    const Result<std::optional<double>> detached = estimate(
        {command.session, command.trace, command.trace.compiler(), macros_for(command, command.arguments.argv0),
         command.trace.options().run().estimate_time, command.signals, nullptr},
        look);
    return detached ? why : "its price is not known: " + detached.error().message;
}

} // namespace

Result<std::optional<Policy>> policy_of_run(const Command& command)
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
        say(command.arguments, std::string(kRefused) + why);
    return !why.empty();
}

} // namespace dt::cmd
