// The default mode: compiles, traces until the run ends, and prints.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <utility>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/common/report.hpp"
#include "libdtrace/attach/attach.hpp"
#include "libdtrace/estimate/hook_costs.hpp"
#include "libdtrace/session/capabilities.hpp"
#include "libdtrace/trace/program_set.hpp"

namespace dt::cmd {
namespace {

/// Prints "dtrace: description 'BEGIN' matched 1 probe" and the stability report of -v for each program. Returns the
/// total number of probes.
std::size_t report_matches(Command& command)
{
    std::size_t total = 0;
    for (uint32_t i = 0; i < command.arguments.programs.size(); ++i) {
        const ProgramText& program = command.arguments.programs[i];
        const std::size_t count = command.trace.matched(i);
        total += count;
        if (!command.trace.options().print().quiet)
            print_message(command.arguments, describe_program(program, "'") + " matched " + std::to_string(count) +
                                                 (count == 1 ? " probe" : " probes"));
        // a precompiled program contains no data for the stability report
        if (command.arguments.verbose && !command.trace.is_precompiled())
            command.output.write(stability_report(command.trace.program(), i, describe_program(program, {})) + "\n");
    }
    return total;
}

/// Shows attach progress in one terminal line, which is overwritten and finally erased.
void show_progress(std::size_t done, std::size_t all)
{
    if (done < all)
        std::fprintf(stderr, "\rattaching %zu of %zu ...", done, all);
    else
        std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

/// Reports matched probes that the kernel refused: their number, or each of them with -v. With -v, also reports probes
/// that were attached by another mechanism than planned.
void print_start_report(const Command& command, const StartReport& report)
{
    if (command.arguments.verbose)
        for (const std::string& fallback : report.fallbacks)
            print_message(command.arguments, "this kernel refuses " + fallback);
    if (report.refused.empty())
        return;
    const StartReport::Refused& first = report.refused.front();
    const std::size_t others = report.refused.size() - 1;
    std::string text = "cannot attach " + first.probe->full_name() + ": " + first.reason;
    if (others > 0 && !command.arguments.verbose)
        text +=
            "; and " + std::to_string(others) + (others == 1 ? " other probe" : " other probes") + ": -v lists them";
    print_message(command.arguments, text);
    if (command.arguments.verbose)
        for (std::size_t i = 1; i < report.refused.size(); ++i)
            print_message(command.arguments,
                          "cannot attach " + report.refused[i].probe->full_name() + ": " + report.refused[i].reason);
}

void print_timing_of_start(const Command& command)
{
    if (!command.timing || !command.timing->steps())
        return;
    command.timing->print("until the first firing");
    std::fputs(verified_table(command.trace.programs().verified_programs()).c_str(), stderr);
}

/// Notifies the process at the other end of `descriptor`, which waits for the start of tracing.
void signal_started(int descriptor)
{
    if (descriptor < 0)
        return;
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = write(descriptor, &byte, 1);
    close(descriptor);
}

/// Explains on a terminal why a trace may have ended without any output.
void explain_silence(const Command& command, std::size_t probes)
{
    if (command.trace.options().print().quiet || command.output.has_printed() || !isatty(STDERR_FILENO))
        return;
    const auto& statements = command.trace.program().statements;
    const bool has_predicate = std::any_of(statements.begin(), statements.end(),
                                           [](const Statement& statement) { return statement.predicate != nullptr; });
    std::string text = "nothing was recorded: ";
    text += probes == 1 ? "the probe did not fire" : "none of the " + std::to_string(probes) + " probes fired";
    text += has_predicate ? ", or no predicate was true when a probe fired" : "";
    text += !command.arguments.processes.empty()
                ? "\n\t$target is only one process: use progenyof($target) to include its "
                  "children, and -x followchildren=exec to trace functions of its children"
                : "";
    print_message(command.arguments, text);
}

} // namespace

bool start_trace(Command& command, EventLoop& host, EventLoop::Ended ended)
{
    // Keeps privileges in two cases: for destructive actions, which run commands and open files, and for the shell,
    // which traces several times.
    const bool keeps_all = command.trace.object().schema.destructive || command.arguments.mode == Mode::Shell;
    std::function<void()> give_up;
    if (!keeps_all)
        give_up = [&command] {
            const bool has_file = command.arguments.output.has_value();
            drop_unneeded_capabilities(has_file, has_file && !command.trace.options().run().user.empty());
        };
    command.trace.set_attach_listener({[&](const std::string& text) { print_message(command.arguments, text); },
                                       isatty(STDERR_FILENO) ? show_progress : nullptr, std::move(give_up)});
    if (command.trace.options().compile().times_hits())
        command.trace.set_hook_overheads(measure_hook_overheads(hooks_of(command.trace.object().schema),
                                                                command.trace.options().compile().maxcost != 0));
    Result<void> started = command.trace.load();
    if (started)
        started = command.trace.attach(command.output);
    // ends the sandboxed readers, which parse files, because they have nothing to do now; a later request starts them
    // again
    command.session.world().untrusted_files()->end();
    if (started)
        started = host.start(command.trace, std::move(ended));
    print_verifier_log(command.trace.programs().verifier_log());
    if (!started) {
        flush_output(command);
        if (command.trace.is_precompiled())
            report_recompiled(command, started.error().message);
        else
            print_message(command.arguments, started.error().message);
        return false;
    }
    print_start_report(command, command.trace.programs().report());
    print_final_listing(command);
    if (command.trace.options().run().destructive && !command.trace.options().print().quiet)
        print_message(command.arguments, "allowing destructive actions");
    return true;
}

int run_mode(Command& command)
{
    if (command.arguments.programs.empty())
        return no_program(command);
    const Result<std::optional<Policy>> policy = read_run_policy(command);
    if (!policy) {
        print_message(command.arguments, std::string(kRefused) + policy.error().message);
        return kFailure;
    }
    // estimating the cost needs the source text of the program, so this limit is not checked for a saved object
    const bool wants_text = policy.value() && policy.value()->wants_estimate();
    if ((wants_text || !take_from_bundle(command)) && (!add_programs(command) || !finish_programs(command)))
        return kFailure;
    if (policy.value() && is_refused(command, *policy.value()))
        return kFailure;
    const std::size_t probes = report_matches(command);
    if (probes == 0 && !command.trace.options().compile().zdefs) {
        print_message(command.arguments, "no probes matched");
        return kFailure;
    }

    Result<int> ended = kFailure;
    EventLoop host(command.signals);
    if (!start_trace(command, host, [&](Result<int> status) { ended = std::move(status); }))
        return command.trace.is_precompiled() ? kBundleRefused : kFailure;
    print_timing_of_start(command);
    signal_started(command.arguments.started_descriptor);
    host.run();
    if (ended) {
        explain_silence(command, probes);
        return ended.value();
    }
    // In `dtrace … | head`, head may end first, which is no error. A failure to write the output file of -o is an
    // error.
    if (ended.error().code == EPIPE && !command.arguments.output)
        return kSuccess;
    print_message(command.arguments, ended.error().message);
    return kFailure;
}

} // namespace dt::cmd
