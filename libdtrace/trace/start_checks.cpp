// Options and actions that this machine, this command line or this kernel has no use for.
#include "libdtrace/trace/start_checks.hpp"

#include <bpf/libbpf.h>

#include <algorithm>
#include <cerrno>
#include <string>

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

/// Of the first destructive action or subroutine of the program.
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
    return may_follow(options, world, processes);
}

} // namespace dt
