// --postmortem VMCORE: prints trace data from a kernel crash dump.
//
// The library that reads dumps may crash on a damaged dump. So a child process reads the dump; if it crashes, this
// process prints a message.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text.hpp"
#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "libdtrace/postmortem/postmortem.hpp"

namespace dt::cmd {
namespace {

std::string counted(uint64_t count, const char* one, const char* several)
{
    return grouped(count) + " " + (count == 1 ? one : several);
}

/// Describes a trace, for example "description 'tick-1s' of process 12: 57 records of 2 CPUs, 3 of them not read by the
/// tracer".
std::string found_text(const postmortem::FoundTrace& found)
{
    std::string text = found.program + " of process " + std::to_string(found.process) + ": " +
                       counted(found.former + found.waiting, "record", "records") + " of " +
                       counted(found.cpus, "CPU", "CPUs") + ", " + grouped(found.waiting) +
                       " of them not read by the tracer";
    if (found.torn != 0)
        text += "; " + grouped(found.torn) + " incomplete";
    if (found.undecided != 0)
        text += "; " + counted(found.undecided, "record", "records") +
                " of speculations that were neither committed nor discarded, not printed";
    if (found.missing_pages != 0)
        text += "; " + counted(found.missing_pages, "page", "pages") + " of their buffers are not in the dump";
    return text;
}

int print_traces(const Arguments& arguments, const Options& options, Output& output)
{
    const std::string& path = arguments.operands[0];
    const auto fail = [&](const std::string& why) {
        print_message(arguments, path + ": " + why);
        return kFailure;
    };
    auto dump = postmortem::open_kernel_dump(path);
    if (!dump)
        return fail(dump.error().message);
    auto traces = postmortem::Postmortem::open(**dump);
    if (!traces)
        return fail(traces.error().message);
    for (const std::string& damaged : traces->damaged())
        print_message(arguments, path + ": a trace is skipped: " + damaged);
    if (traces->traces() == 0)
        return fail("its kernel had no trace with -x bufpolicy=ring (a flight recorder)");
    for (std::size_t i = 0; i < traces->traces(); ++i) {
        auto found = traces->print(i, options, output);
        if (!found)
            return fail(found.error().message);
        print_message(arguments, found_text(*found));
        for (const std::string& unread : found->unread_aggregations)
            print_message(arguments, "not read: " + unread);
    }
    return kSuccess;
}

} // namespace

int postmortem_mode(const Arguments& arguments, const Options& options, Output& output)
{
    const pid_t reader = fork();
    if (reader < 0) {
        print_message(arguments, std::string("cannot start the process that reads the dump: ") + std::strerror(errno));
        return kFailure;
    }
    if (reader == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        // no core file is written if this reader crashes, because the dump of the kernel exists anyway
        prctl(PR_SET_DUMPABLE, 0);
        return print_traces(arguments, options, output);
    }
    int status = 0;
    while (waitpid(reader, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    print_message(arguments, arguments.operands[0] + ": the dump is damaged: the process that reads it crashed (" +
                                 strsignal(WTERMSIG(status)) + ")");
    return kFailure;
}

} // namespace dt::cmd
