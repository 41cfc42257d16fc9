// --check-kernel: reports by which mechanisms (kprobe, fentry, …) a program would be attached on other kernels. Derives
// this from the types of these kernels. Nothing is traced.
//
// Compiles the program in a separate session for each kernel, as with -x kernel (docs/decisions/79-check-kernel.md).
// Some features can only be found by trying them on the kernel; they count as missing. So a reported mechanism exists,
// but a faster one may exist, too.
#include <array>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "libdtrace/kernel/offline_kernel.hpp"
#include "machine/machine.hpp"

namespace dt::cmd {
namespace {

/// Returns how many probes use each attach mechanism, in the order of program kinds.
std::string mechanisms_of(const Schema& schema)
{
    std::array<std::size_t, UINT8_MAX + 1> probes{};
    for (const ProgramPlan& program : schema.programs)
        if (!program.is_helper)
            probes[static_cast<std::size_t>(program.plan->kind)] += program.probes.size();
    std::string text;
    for (std::size_t kind = 0; kind < probes.size(); ++kind)
        if (probes[kind] != 0)
            text += "    " + std::string(info(static_cast<ProgramKind>(kind)).name) + ": " +
                    std::to_string(probes[kind]) + (probes[kind] == 1 ? " probe\n" : " probes\n");
    return text;
}

/// Reports whether the program would run on a kernel; an empty name means the running kernel. Returns false if it would
/// not, after printing the reason.
bool would_run(const Arguments& arguments, Options options, const std::string& kernel, Output& output)
{
    const std::string name = kernel.empty() ? "this kernel" : kernel;
    const auto refuse = [&](const std::string& why) {
        print_message(arguments, name + ": " + why);
        return false;
    };
    if (!kernel.empty())
        if (const Result<void> set = options.set("kernel", std::string_view(kernel), OptionSource::CommandLine); !set)
            return refuse(set.error().message);
    Session session(std::move(options));
    if (const Result<void> prepared = session.prepare(); !prepared)
        return refuse(prepared.error().message);
    Trace trace(session, session.options());
    Command command{arguments, session, trace, output};
    const std::string machine(session.world().machine().words);
    if (!add_programs(command) || !finish_programs(command))
        return refuse("no: see the message above (" + machine + ")");
    const auto missing = helpers_missing_in(kernel, trace.object().elf);
    for (const std::string& helper : missing)
        print_message(arguments, "the kernel lacks the BPF helper " + helper);
    if (!missing.empty())
        return refuse("no: see the message above (" + machine + ")");
    output.write(name + ": yes (" + machine + ")\n" + mechanisms_of(trace.object().schema));
    return flush_output(command);
}

} // namespace

int check_kernel_mode(const Arguments& arguments, const Options& options, Output& output)
{
    const std::vector<std::string> running = {""};
    bool everywhere = true;
    for (const std::string& kernel : arguments.kernels.empty() ? running : arguments.kernels)
        everywhere &= would_run(arguments, options, kernel, output);
    return everywhere ? kSuccess : kFailure;
}

} // namespace dt::cmd
