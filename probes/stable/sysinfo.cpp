// sysinfo: the kernel's counters of its work (dtrace-providers(7), sysinfo). arg0 is the increment; arg1 is unused.
#include "probes/stable/stable.hpp"

namespace dt::probes::stable {
namespace {

Hook called(Calls calls)
{
    return raw("sys_enter", {constant(1)}, {among(word(1), std::move(calls)), native_call});
}

/// Makes a hook for sys_exit(regs, result): the bytes that a system call has transferred.
Hook transferred(Calls calls)
{
    return raw("sys_exit", {word(1)},
               {{word(1), Relation::Greater, {0}}, among(call_number, std::move(calls)), native_call});
}

/// Makes a hook for task_newtask(task, flags) of a process created by fork or vfork.
Hook forked(bool vfork)
{
    constexpr int64_t kVfork = 0x4000, kThread = 0x10000; // CLONE_VFORK, CLONE_THREAD: include/uapi/linux/sched.h
    constexpr int64_t kKernelThread = 0x200000;           // PF_KTHREAD: include/linux/sched.h
    return raw("task_newtask", {constant(1)},
               {{bits(word(1), kThread), Relation::Equal, {0}},
                {bits(word(1), kVfork), vfork ? Relation::NotEqual : Relation::Equal, {0}},
                {bits(of_task("flags"), kKernelThread), Relation::Equal, {0}}});
}

/// Makes a hook for block_rq_issue(request) of a data transfer in one direction (include/linux/blk_types.h: REQ_OP_READ
/// 0, REQ_OP_WRITE 1).
Hook issued(int64_t operation, std::vector<When> also = {})
{
    also.push_back({bits(member(0, "request", "cmd_flags", 4), 0xff), Relation::Equal, {operation}});
    return raw("block_rq_issue", {constant(1)}, std::move(also));
}

/// Makes a hook for threads that waited for a lock of some kind.
Hook waited(int64_t kind)
{
    return contended({{bits(word(1, 4), kind), Relation::NotEqual, {0}}}, {constant(1)});
}

} // namespace

const std::vector<Row>& sysinfo_rows()
{
    const Source one = constant(1);
    const Calls reads = {"read", "readv", "pread64", "preadv", "preadv2"};
    const Calls writes = {"write", "writev", "pwrite64", "pwritev", "pwritev2"};
    const When asynchronous{
        bits(member(0, "request", "cmd_flags", 4), 0x800), Relation::Equal, {0}}; // without REQ_SYNC
    // sched_switch(preempt, prev, next, prev_state): a thread, not the idle one, that could have continued, or was
    // preempted in any state.
    const When preempted{word(0, 1), Relation::NotEqual, {0}}, gave_way{word(0, 1), Relation::Equal, {0}},
        runnable{word(3, 4), Relation::Equal, {0}};
    const When some_thread{member(1, "task_struct", "pid", 4), Relation::NotEqual, {0}};
    constexpr int64_t kRead = 2, kWrite = 4, kMutex = 32; // include/trace/events/lock.h: LCB_F_*
    static const std::vector<Row> kRows = {
        {"syscall", {raw("sys_enter", {one})}, {}},
        {"sysread", {called(reads)}, {}},
        {"syswrite", {called(writes)}, {}},
        {"sysexec", {called({"execve", "execveat"})}, {}},
        {"sysfork", {forked(false)}, {}},
        {"sysvfork", {forked(true)}, {}},
        {"readch", {transferred(reads)}, {}},
        {"writech", {transferred(writes)}, {}},
        {"msg", {called({"msgsnd", "msgrcv"})}, {}},
        {"sema", {called({"semop", "semtimedop"})}, {}},
        {"namei", {function({"filename_lookup"}, {one}), function({"do_filp_open"}, {one})}, {}},
        {"lookup", {function({"filename_lookup"}, {one}), function({"do_filp_open"}, {one})}, {}},
        {"pswitch", {raw("sched_switch", {one})}, {}},
        {"inv_swtch",
         {raw("sched_switch", {one}, {preempted}), raw("sched_switch", {one}, {gave_way, runnable, some_thread})},
         {}},
        {"cpumigrate", {raw("sched_migrate_task", {one})}, {}},
        {"idlethread", {raw("cpu_idle", {one}, {{word(0, 4), Relation::NotEqual, {-1}}})}, {}},
        {"nthreads", {raw("task_newtask", {one})}, {}},
        {"intr", {raw("irq_handler_entry", {one})}, {}},
        {"trap",
         {raw("page_fault_user", {one}), raw("page_fault_kernel", {one})},
         {},
         {event("1:all:1:2", {one})}}, // PERF_COUNT_SW_PAGE_FAULTS
        {"xcalls", {raw("call_function_entry", {one}), raw("call_function_single_entry", {one})}, {}},
        {"bread", {issued(0)}, {}},
        {"bwrite", {issued(1)}, {}},
        {"bawrite", {issued(1, {asynchronous})}, {}},
        {"phread", {issued(0)}, {}},
        {"phwrite", {issued(1)}, {}},
        {"lread", {raw("block_touch_buffer", {one})}, {}},
        {"lwrite", {raw("block_dirty_buffer", {one})}, {}},
        {"modload", {raw("module_load", {one})}, {}},
        {"modunload", {raw("module_free", {one})}, {}},
        {"mutex_adenters", {waited(kMutex)}, {}},
        {"rw_rdfails", {waited(kRead)}, {}},
        {"rw_wrfails", {waited(kWrite)}, {}},
        {"rawch", {function({"n_tty_receive_buf_common"}, {parameter(3, 4)})}, {}},
        {"canch", {function_result({"n_tty_read"}, {result}, {{result, Relation::Greater, {0}}})}, {}},
        {"outch", {function_result({"tty_write"}, {result}, {{result, Relation::Greater, {0}}})}, {}},
    };
    return kRows;
}

} // namespace dt::probes::stable
