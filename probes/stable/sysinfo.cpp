// Tables of the providers sysinfo (counters of the kernel's work) and vminfo (counters of virtual memory):
// dtrace-providers(7). Each row describes one probe (stable.hpp). arg0 is the increment of the counter; arg1 is unused.
#include "probes/stable/stable.hpp"

namespace dt::probes::stable {
namespace {

Hook called(Calls calls)
{
    return raw("sys_enter", {constant(1)}, {is_one_of_calls(word(1), std::move(calls)), native_call});
}

/// Returns a hook for sys_exit(regs, result) of system calls that have transferred bytes. The number of bytes is added
/// to the counter.
Hook transferred(Calls calls)
{
    return raw("sys_exit", {word(1)},
               {{word(1), Relation::Greater, {0}}, is_one_of_calls(call_number, std::move(calls)), native_call});
}

/// Returns a hook for task_newtask(task, flags) of a process created by fork or vfork.
Hook forked(bool vfork)
{
    constexpr int64_t kVfork = 0x4000, kThread = 0x10000; // the kernel's CLONE_* (include/uapi/linux/sched.h)
    constexpr int64_t kKernelThread = 0x200000;           // the kernel's PF_KTHREAD (include/linux/sched.h)
    return raw("task_newtask", {constant(1)},
               {{bits(word(1), kThread), Relation::Equal, {0}},
                {bits(word(1), kVfork), vfork ? Relation::NotEqual : Relation::Equal, {0}},
                {bits(of_task("flags"), kKernelThread), Relation::Equal, {0}}});
}

/// Returns a hook for block_rq_issue(request) of a data transfer in one direction (include/linux/blk_types.h:
/// REQ_OP_READ 0, REQ_OP_WRITE 1).
Hook issued(int64_t operation, std::vector<Filter> also = {})
{
    also.push_back({bits(member(0, "request", "cmd_flags", 4), 0xff), Relation::Equal, {operation}});
    return raw("block_rq_issue", {constant(1)}, std::move(also));
}

/// Returns a hook for the end of a wait for a lock. The lock must have one of the flags in `kind`.
Hook waited(int64_t kind)
{
    return contended({{bits(word(1, 4), kind), Relation::NotEqual, {0}}}, {constant(1)});
}

/// Returns a hook for the functions that a thread calls if a lock was not free at the first attempt. Kernels before
/// Linux 5.19 have no tracepoints of contended locks.
Hook not_free(std::vector<const char*> slow_paths)
{
    Hook hook = function(std::move(slow_paths), {constant(1)});
    hook.every = true;
    return hook;
}

} // namespace

const std::vector<Row>& sysinfo_rows()
{
    const Source one = constant(1);
    const Calls reads = {"read", "readv", "pread64", "preadv", "preadv2"};
    const Calls writes = {"write", "writev", "pwrite64", "pwritev", "pwritev2"};
    const Filter asynchronous{// this condition selects requests without the flag REQ_SYNC
                              bits(member(0, "request", "cmd_flags", 4), 0x800),
                              Relation::Equal,
                              {0}};
    // sched_switch(preempt, prev, next, prev_state): the thread `prev` stops running involuntarily if it was preempted,
    // in any state, or if it is runnable and not the idle thread.
    const Filter preempted{word(0, 1), Relation::NotEqual, {0}}, gave_way{word(0, 1), Relation::Equal, {0}},
        runnable{previous_state(), Relation::Equal, {0}};
    const Filter some_thread{member(1, "task_struct", "pid", 4), Relation::NotEqual, {0}};
    constexpr int64_t kRead = 2, kWrite = 4, kMutex = 32; // the kernel's LCB_F_* (include/trace/events/lock.h)
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
         {event("1:all:1:2", {one})}}, // software event PERF_COUNT_SW_PAGE_FAULTS
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
        {"mutex_adenters",
         {waited(kMutex)},
         {},
         {not_free(
             {"__mutex_lock_slowpath", "__mutex_lock_interruptible_slowpath", "__mutex_lock_killable_slowpath"})}},
        {"rw_rdfails", {waited(kRead)}, {}, {not_free({"rwsem_down_read_slowpath", "queued_read_lock_slowpath"})}},
        {"rw_wrfails", {waited(kWrite)}, {}, {not_free({"rwsem_down_write_slowpath", "queued_write_lock_slowpath"})}},
        {"rawch", {function({"n_tty_receive_buf_common"}, {parameter(3, 4)})}, {}},
        {"canch", {function_result({"n_tty_read"}, {result}, {{result, Relation::Greater, {0}}})}, {}},
        {"outch", {function_result({"tty_write"}, {result}, {{result, Relation::Greater, {0}}})}, {}},
    };
    return kRows;
}

// ---- vminfo ----

namespace {

/// Returns a hook for block_bio_queue(bio): data are written to a disk (`out`) or read from one. REQ_OP_READ is 0,
/// REQ_OP_WRITE 1.
Hook transferred(bool out, Source amount)
{
    const Source operation = member(0, "bio", "bi_opf", 4), size = member(0, "bio", "bi_iter.bi_size", 4);
    return raw("block_bio_queue", {std::move(amount)},
               {{bits(operation, 0xff), Relation::Equal, {out}}, {size, Relation::NotEqual, {0}}});
}

/// Returns a hook for pages reclaimed from a scanned list: mm_vmscan_lru_shrink_inactive(node, scanned, reclaimed,
/// counts, priority, file).
const Source is_file = word(5, 4);
Hook freed(std::vector<Filter> filters)
{
    filters.push_back({word(2), Relation::NotEqual, {0}});
    return raw("mm_vmscan_lru_shrink_inactive", {word(2)}, std::move(filters));
}

} // namespace

const std::vector<Row>& vminfo_rows()
{
    const Source one = constant(1), pages = shifted(member(0, "bio", "bi_iter.bi_size", 4), 12);
    // page_fault_user(address, regs, error): bit 0 of error means that the page is present but the access is forbidden
    // (asm/trap_pf.h). On some processor architectures the tracepoint does not exist.
    const Source forbidden = bits(word(2), 1);
    const Hook swapped_in = function({"swap_read_folio", "swap_readpage"}, {one});
    const Hook swapped_out = function({"swap_writeout", "swap_writepage"}, {one});
    static const std::vector<Row> kRows = {
        {"as_fault",
         {raw("page_fault_user", {one}, {{forbidden, Relation::Equal, {0}}})},
         {},
         // without the tracepoint: the software event PERF_COUNT_SW_PAGE_FAULTS, which includes forbidden accesses
         {event("1:all:1:2:user", {one})}},
        {"prot_fault", {raw("page_fault_user", {one}, {{forbidden, Relation::NotEqual, {0}}})}, {}},
        {"kernel_asflt", {raw("page_fault_kernel", {one})}, {}, {event("1:all:1:2:kernel", {one})}},
        {"maj_fault", {event("1:all:1:6", {one})}, {}}, // software event PERF_COUNT_SW_PAGE_FAULTS_MAJ
        {"pgrec",
         {event("1:all:1:5", {one})},
         {}}, // PERF_COUNT_SW_PAGE_FAULTS_MIN: "reclaiming a page frame" (getrusage(2), ru_minflt)
        {"cow_fault", {function({"wp_page_copy", "do_wp_page"}, {one})}, {}},
        {"zfod", {function({"do_anonymous_page"}, {one})}, {}},
        {"pgin", {transferred(false, one)}, {}},
        {"pgout", {transferred(true, one)}, {}},
        {"pgpgin", {transferred(false, pages)}, {}},
        {"pgpgout", {transferred(true, pages)}, {}},
        {"anonpgin", {swapped_in}, {}},
        {"anonpgout", {swapped_out}, {}},
        {"pgswapin", {swapped_in}, {}},
        {"pgswapout", {swapped_out}, {}},
        {"pgrrun", {raw("mm_vmscan_kswapd_wake", {one})}, {}},
        {"scan", {raw("mm_vmscan_lru_isolate", {word(3)})}, {}},
        {"dfree", {freed({})}, {}},
        {"anonfree", {freed({{is_file, Relation::Equal, {0}}})}, {}},
        {"fsfree", {freed({{is_file, Relation::NotEqual, {0}}})}, {}},
    };
    return kRows;
}

} // namespace dt::probes::stable
