// Checks for options and actions that this machine, this command line or this kernel does not support.
#include "libdtrace/trace/start_checks.hpp"

#include <bpf/libbpf.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>

#include "libdtrace/consume/user_addresses.hpp"
#include "libdtrace/trace/later_objects.hpp"
#include "libdtrace/world/features.hpp"

namespace dt {
namespace {

Result<void> may_follow(const Options& options, LiveWorld& world, const Processes& processes)
{
    if (options.compile().follow == "none")
        return {};
    if (processes.empty())
        return Error{"option follow is about processes of -c and -p, and there is none", EINVAL};
    if (world.target().pid_namespace_inode != 0)
        return Error{"option follow needs the first pid namespace: new processes have no other number yet when they "
                     "are counted in",
                     ENOTSUP};
    return {};
}

/// Returns an error if the program needs state that only the tracer has. A pinned trace consists of maps and programs
/// in the kernel, and outlives its tracer.
Result<void> may_be_pinned(const Program& program, const Object& object, const Options& options,
                           const Processes& processes)
{
    if (options.compile().pin.empty())
        return {};
    const auto any = [](const auto& all, const auto& is) { return std::any_of(all.begin(), all.end(), is); };
    const auto is_of_processes = [](const ProgramPlan& plan) {
        constexpr ProgramKind kKinds[] = {ProgramKind::Uprobe, ProgramKind::Uretprobe, ProgramKind::UprobeMulti,
                                          ProgramKind::UretprobeMulti};
        return std::find(std::begin(kKinds), std::end(kKinds), plan.plan->kind) != std::end(kKinds);
    };
    const auto takes_away = [](const Record& record) {
        return record.action && (record.action->name == "clear" || record.action->name == "trunc");
    };
    const struct {
        bool is_there;
        const char* what;
    } misfits[] = {
        {!processes.empty(), "-c and -p"},
        {any(object.schema.programs, is_of_processes) || LaterObjects::may_follow(program, processes),
         "probes of processes"},
        {consume::names_user_addresses(object.schema), "stacks and addresses of processes"},
        {any(object.schema.statements,
             [&](const StatementSchema& statement) { return any(statement.records, takes_away); }),
         "clear() and trunc()"},
        {any(program.statements, [](const Statement& statement) { return statement.speculates; }), "speculations"},
        {options.compile().maxcost != 0, "option maxcost"},
        {options.compile().aggttl != 0, "option aggttl"},
        {options.compile().annotate, "option annotate"},
        {options.run().bufpolicy != BufferPolicy::Switch, "option bufpolicy"},
    };
    for (const auto& [is_there, what] : misfits)
        if (is_there)
            return Error{std::string("option pin does not go with ") + what +
                             ": the kernel keeps what is counted, and not what only the tracer knows",
                         ENOTSUP};
    return {};
}

/// Returns the name of the program's first destructive action or subroutine.
std::string destructive_name(const Program& program)
{
    for (const Statement& statement : program.statements)
        if (statement.destructive)
            return std::string(statement.destructive_name);
    return {};
}

} // namespace

Result<void> may_start(const Program& program, const Object& object, const Options& options, LiveWorld& world,
                       const Processes& processes)
{
    if (object.schema.destructive && !options.run().destructive)
        return Error{"Destructive actions not allowed\n\t" + destructive_name(program) +
                         "() changes what it traces: -w allows it",
                     EPERM};
    const auto& plans = object.schema.programs;
    const bool overrides =
        std::any_of(plans.begin(), plans.end(), [](const ProgramPlan& plan) { return plan.plan->overrides; });
    if (overrides && !can_override_return())
        return Error{"return( ) needs a kernel built with CONFIG_BPF_KPROBE_OVERRIDE", ENOTSUP};
    if (options.run().cpu && *options.run().cpu >= world.target().cpus)
        return Error{"CPU " + std::to_string(*options.run().cpu) + " does not exist", EINVAL};
    if (libbpf_num_possible_cpus() < 0)
        return Error{"the kernel's files are not at /sys: mount -t sysfs sysfs /sys", ENOENT};
    if (Result<void> pinned = may_be_pinned(program, object, options, processes); !pinned)
        return pinned;
    return may_follow(options, world, processes);
}

} // namespace dt
