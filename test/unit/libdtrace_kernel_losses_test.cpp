// Tests the reports of firings that the kernel skipped. One test causes such firings with a program that triggers its
// own probe.
#include <bpf/bpf.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <map>

#include "libdtrace/attach/attach.hpp"
#include "libdtrace/kernel/features.hpp"
#include "libdtrace/losses/kernel_losses.hpp"

namespace dt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> told(KernelLosses& losses)
{
    std::vector<std::string> lines;
    losses.report([&](const std::string& probes, const MissedFirings& missed) {
        lines.push_back(probes + " " + std::to_string(missed.all()));
    });
    return lines;
}

TEST(KernelLosses, EachIncreaseOfALossCounterIsReportedOnce)
{
    std::map<int, uint64_t> programs, links;
    KernelLosses losses([&](int fd) { return programs[fd]; }, [&](int fd) { return links[fd]; });
    losses.watch("syscall:::entry", 3, -1);
    losses.watch("fbt:::entry", 4, 5);
    EXPECT_THAT(told(losses), IsEmpty());
    programs[3] = 2;
    programs[4] = 1;
    links[5] = 10;
    EXPECT_THAT(told(losses), ElementsAre("syscall:::entry 2", "fbt:::entry 11"));
    EXPECT_THAT(told(losses), IsEmpty());
    links[5] = 12;
    losses.end_links();
    links[5] = 1000; // not read, because descriptor 5 may belong to another object after end_links()
    programs[3] = 3;
    EXPECT_THAT(told(losses), ElementsAre("syscall:::entry 1", "fbt:::entry 2"));
}

/// An attachment that fires only in process 100. Descriptor 5 is its link.
struct ProcessLink : probes::Attachment {
    int link() const override { return 5; }
    int64_t process() const override { return 100; }
};

TEST(KernelLosses, LossCountersOfAnEndedProcessAreReadOneLastTime)
{
    uint64_t missed = 0;
    KernelLosses losses([](int) { return 0; }, [&](int) { return missed; });
    losses.watch("pid100:::entry", -1, 5);
    Attachments attachments;
    attachments.all.push_back({std::make_unique<ProcessLink>(), nullptr});
    missed = 3;
    attachments.take_of_process(100).release(losses);
    missed = 1000; // not read, because the descriptor may belong to another link after release()
    EXPECT_THAT(told(losses), ElementsAre("pid100:::entry 3"));
}

/// Loads a program that sends SIGCHLD to the calling thread, but only if this is the test's thread, which ignores the
/// signal.
int load_signaller()
{
    const bpf_insn program[] = {
        call(BPF_FUNC_get_current_pid_tgid),
        insn(BPF_JMP32 | BPF_JNE | BPF_K, BPF_REG_0, 0, 2, static_cast<int32_t>(syscall(SYS_gettid))),
        mov(BPF_REG_1, SIGCHLD),
        call(BPF_FUNC_send_signal),
        mov(BPF_REG_0, 0),
        kExit,
    };
    return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_signaller", "GPL", program, std::size(program), nullptr);
}

/// The program is attached to system calls and to signal delivery, and sends a signal itself. So the kernel would call
/// it again while it runs, and skips that call.
TEST(KernelLosses, RecursionIsCountedByTheKernel)
{
    const int program = load_signaller();
    if (program < 0)
        GTEST_SKIP() << "no program can be loaded here";
    const int calls = bpf_raw_tracepoint_open("sys_enter", program),
              signals = bpf_raw_tracepoint_open("signal_generate", program);
    EXPECT_GE(calls, 0);
    EXPECT_GE(signals, 0);
    KernelLosses losses;
    losses.watch("both", program, calls);
    for (int i = 0; i < 10; ++i)
        syscall(SYS_getppid);
    const auto lines = told(losses);
    close(calls);
    close(signals);
    close(program);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_GE(std::stoi(lines[0].substr(5)), 10) << lines[0];
}

} // namespace
} // namespace dt
