// --will-it-run: what a program would be attached by in other kernels, as far as their types tell. Nothing is traced.
//
// Each kernel has a session of its own, and the program is compiled in it as with -x kernel
// (docs/decisions/79-will-it-run.md). What can only be found by trying, a kernel that does not run is not taken to
// have: a mechanism that is named is there, and a faster one may be.
#include <array>

#include "cmd/messages.hpp"
#include "cmd/modes.hpp"

namespace dt::cmd {
namespace {

/// How many probes each mechanism would attach, in the order of the kinds of programs.
std::string mechanisms_of(const Schema& schema)
{
    std::array<std::size_t, UINT8_MAX + 1> probes{};
    for (const ProgramPlan& program : schema.programs)
        if (!program.is_beside)
            probes[static_cast<std::size_t>(program.plan->kind)] += program.probes.size();
    std::string text;
    for (std::size_t kind = 0; kind < probes.size(); ++kind)
        if (probes[kind] != 0)
            text += "    " + std::string(info(static_cast<ProgramKind>(kind)).name) + ": " +
                    std::to_string(probes[kind]) + (probes[kind] == 1 ? " probe\n" : " probes\n");
    return text;
}

/// False: it would not run there, and why was told. `kernel`: empty: the one that runs here.
bool would_run(const Arguments& arguments, Options options, const std::string& kernel, Output& output)
{
    const std::string name = kernel.empty() ? "this kernel" : kernel;
    const auto refuse = [&](const std::string& why) {
        say(arguments, name + ": " + why);
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
        return refuse("no, for that reason (" + machine + ")");
    output.write(name + ": yes (" + machine + ")\n" + mechanisms_of(trace.object().schema));
    return flush_output(command);
}

} // namespace

int will_it_run_mode(const Arguments& arguments, const Options& options, Output& output)
{
    const std::vector<std::string> running = {""};
    bool everywhere = true;
    for (const std::string& kernel : arguments.kernels.empty() ? running : arguments.kernels)
        everywhere &= would_run(arguments, options, kernel, output);
    return everywhere ? kSuccess : kFailure;
}

} // namespace dt::cmd
