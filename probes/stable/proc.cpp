// proc: creation, exec, end and signals of processes and threads (dtrace-providers(7), proc).
#include "probes/stable/stable.hpp"

namespace dt::probes::stable {
namespace {

/// Returns a hook for the return of system calls, sys_exit(regs, ret). `relation` compares the result with 0.
Hook call_returned(Calls calls, Relation relation, std::vector<Filter> also = {})
{
    also.insert(also.begin(), {is_one_of_calls(call_number, std::move(calls)), {word(1), relation, {0}}, native_call});
    return raw("sys_exit", {word(1)}, std::move(also));
}

/// Returns hooks for a new thread that is about to run its program. On some machines, a new thread does not return from
/// the system call that created it. On these machines the hook is the kernel's check for pending signals
/// (kernel/sched/core.c, schedule_tail()). Kernel threads, which make this check too, are excluded.
std::vector<Hook> began(const Calls& forks, std::vector<Filter> also = {})
{
    // flags of kernel threads: PF_KTHREAD, PF_USER_WORKER, PF_IO_WORKER
    constexpr int64_t kOfKernel = 0x00200000 | 0x00004000 | 0x00000010;
    Hook returned = call_returned(forks, Relation::Equal, also);
    returned.new_threads_return = true;
    also.push_back({bits(of_task("flags"), kOfKernel), Relation::Equal, {0}});
    also.push_back({field_of({{Kind::CurrentTask}}, "task_struct", "mm"), Relation::NotEqual, {0}});
    Hook first = function({"calculate_sigpending", "schedule_tail"}, {}, std::move(also));
    first.new_threads_return = false;
    return {std::move(returned), std::move(first)};
}

Hook exec_called(std::string_view call, std::size_t path)
{
    return raw("sys_enter", {call_argument(path)}, {is_one_of_calls(word(1), {call}), native_call});
}

Source of_group(const char* path)
{
    return field_of(field_of({{Kind::CurrentTask}}, "task_struct", "signal"), "signal_struct", path);
}

/// Returns the wait status of the current process, which may differ from the exit code of its last thread. Before Linux
/// 6.0, if all threads of a process end by themselves, the wait status is the exit code of its first thread.
Source wait_status()
{
    constexpr int64_t kGroupExit = 4; // the kernel's SIGNAL_GROUP_EXIT (include/linux/sched/signal.h)
    return choice(bits(of_group("flags"), kGroupExit), 0,
                  field_of(field_of({{Kind::CurrentTask}}, "task_struct", "group_leader"), "task_struct", "exit_code"),
                  of_group("group_exit_code"));
}

/// Returns the table row for the probe at the end of a process. Its first thread may end earlier than others
/// (docs/process-end.md). From Linux 6.16 on, the tracepoint has a flag for the last thread. For older kernels, the row
/// uses a function that the kernel calls only when a process's last thread ends. Without kprobes, the row counts the
/// living threads. If two threads end at the same moment, both find no other living thread, and the probe fires twice.
Row process_exit()
{
    const std::vector<Source> arguments{{{Kind::ExitReason}, nullptr, nullptr, {wait_status()}}};
    Hook with_group = raw("sched_process_exit", arguments, {{word(1, 1), Relation::NotEqual, {0}}});
    with_group.least_parameters = 2;
    const Hook called = function({"disassociate_ctty"}, arguments, {{parameter(0, 4), Relation::NotEqual, {0}}}),
               counted = raw("sched_process_exit", arguments, {{of_group("live.counter"), Relation::Equal, {0}}});
    return {"exit", {with_group}, {number(0)}, {called}, nullptr, {counted}};
}

} // namespace

const std::vector<Row>& proc_rows()
{
    const Calls execs = {"execve", "execveat"}, forks = {"clone", "fork", "vfork", "clone3"};
    const Filter leads{of_task("pid"), Relation::Equal, {}, of_task("tgid")};
    // Tracepoints that the table uses, with their arguments: sched_process_fork(parent, child),
    // sched_process_exit(task, is the last thread), signal_generate(sig, info, task, type, result), signal_deliver(sig,
    // info, ka)
    static const std::vector<Row> kRows = {
        {"create", {raw("sched_process_fork", {word(1)})}, {process()}},
        {"lwp-create", {raw("sched_process_fork", {word(1)})}, {thread(), process()}},
        {"exec", {exec_called("execve", 0), exec_called("execveat", 1)}, {{"string", {}, 0, true}}},
        {"exec-failure", {call_returned(execs, Relation::NotEqual)}, {number(0)}},
        {"exec-success", {call_returned(execs, Relation::Equal)}, {}},
        {"lwp-exit", {raw("sched_process_exit")}, {}},
        process_exit(),
        {"start", began(forks, {leads}), {}},
        {"lwp-start", began(forks), {}},
        {"signal-send",
         {raw("signal_generate", {word(2), word(0, 4)}, {{word(4, 4), Relation::Equal, {0}}})},
         {thread(), process(), number(1)}},
        {"signal-discard",
         {raw("signal_generate", {word(2), word(0, 4)}, {{word(4, 4), Relation::Equal, {1}}})},
         {thread(), process(), number(1)}},
        {"signal-clear", {call_returned({"rt_sigtimedwait"}, Relation::Greater)}, {number(0)}},
        {"signal-handle",
         {raw("signal_deliver", {word(0, 4), word(1), member(2, "k_sigaction", "sa.sa_handler", 8)})},
         {number(0), {"struct kernel_siginfo *", {}, 1}, {"void *", {}, 2}}},
    };
    return kRows;
}

} // namespace dt::probes::stable
