// Lowers mark(), the parts of a thread's time, breakdown() and requests, and generates the programs that update time
// accounts. A time account is a record of a thread's time by its parts (running, waiting, …). It is in task storage,
// and the thread's first mark() creates it. The programs exist only if a script uses time accounts. For a thread
// without a time account, a program only does a lookup that fails.
#include "dcompiler/lower/clause/thread_time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "dcompiler/interface/thread_names.hpp"
#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/core/helper_programs.hpp"
#include "dcompiler/lower/core/hooks.hpp"
#include "machine/machine.hpp"

namespace dt::lower {

namespace {

constexpr int64_t kWord = 8; // size in bytes of a tracepoint's argument
constexpr const char* kWaits = "dt_waits";
// task_struct has member `throttled` since Linux 6.18
constexpr const char* kIsThrottled = "throttled";
constexpr uint32_t kMaxOfAccount = sizeof(dt_account) + sizeof(dt_waker); // time account with waker data

uint32_t accounts(ModuleLowering& module)
{
    return module.maps.per_thread(DT_MAP_ACCOUNTS, sizeof(dt_account));
}

/// Assigns to each system call the kind of wait in it, such as disk or network (dtrace-aggregations(7), BREAKDOWN).
void name_kinds(const machine::SystemCalls& of_machine, dt_waits& waits)
{
    const auto are = [&](uint32_t kind, std::initializer_list<std::string_view> calls) {
        for (const int64_t number : of_machine.numbers(calls))
            if (number < DT_WAIT_CALLS)
                waits.kinds[number] = static_cast<uint8_t>(kind);
    };
    are(DT_PART_FUTEX, {"futex", "futex_wait", "futex_waitv"});
    are(DT_PART_POLL, {"poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2",
                       "io_getevents", "io_pgetevents", "io_uring_enter"});
    are(DT_PART_TIMER, {"nanosleep", "clock_nanosleep"});
    are(DT_PART_CHILD, {"wait4", "waitid", "vfork", "clone", "clone3"});
    are(DT_PART_SIGNAL, {"pause", "rt_sigsuspend", "rt_sigtimedwait"});
    are(DT_PART_LOCK, {"flock", "fcntl"});
    are(DT_PART_DISK, {"fsync", "fdatasync", "sync", "syncfs", "msync", "sync_file_range"});
    are(DT_PART_PIPE, {"msgsnd", "msgrcv", "semop", "semtimedop", "mq_timedsend", "mq_timedreceive"});
    are(DT_WAIT_FILE,
        {"read",     "write",    "readv",      "writev",  "pread64",  "pwrite64",   "preadv",    "pwritev",   "preadv2",
         "pwritev2", "recvfrom", "sendto",     "recvmsg", "sendmsg",  "recvmmsg",   "sendmmsg",  "accept",    "accept4",
         "connect",  "splice",   "sendfile64", "tee",     "vmsplice", "getdents64", "fallocate", "ftruncate", "ioctl"});
    are(DT_WAIT_OPEN,
        {"open", "openat", "openat2", "creat", "close", "close_range", "dup2", "dup3", "munmap", "exit_group"});
    are(DT_WAIT_NAME,
        {"execve",     "execveat", "newstat",    "newlstat", "newfstatat", "statx",    "access",    "faccessat",
         "faccessat2", "readlink", "readlinkat", "unlink",   "unlinkat",   "rename",   "renameat",  "renameat2",
         "mkdir",      "mkdirat",  "rmdir",      "link",     "linkat",     "symlink",  "symlinkat", "mknod",
         "mknodat",    "chmod",    "fchmodat",   "chown",    "lchown",     "fchownat", "truncate",  "utimensat",
         "statfs",     "chdir",    "mount",      "umount",   "getxattr",   "setxattr"});
}

/// Finds the members of kernel structures for two parts of a thread's time: stopped by a CPU quota, and CPU taken by
/// the hypervisor. A missing member gets offset 0.
void find_taken(const ModuleLowering& module, dt_waits& waits)
{
    const auto at = [&](std::string_view record, std::string_view member) {
        return kernel_offset(module, record, member).value_or(0);
    };
    waits.cfs_rq = at("task_struct", "se.cfs_rq");
    waits.rq = at("cfs_rq", "rq");
    if (!waits.cfs_rq || !waits.rq)
        return;
    // The member throttled_clock_self_time exists since Linux 6.5. Older kernels have similar members, but their clock
    // excludes interrupts.
    const bool own = at("cfs_rq", "throttled_clock_self_time") != 0;
    waits.clock = at("rq", own ? "clock" : "clock_pelt");
    waits.throttle_began = at("cfs_rq", own ? "throttled_clock_self" : "throttled_clock_pelt");
    waits.throttle_time = at("cfs_rq", own ? "throttled_clock_self_time" : "throttled_clock_pelt_time");
    waits.reports_throttling = at("task_struct", kIsThrottled) != 0;
    if (waits.clock && waits.throttle_began && waits.throttle_time)
        waits.throttle_count = at("cfs_rq", "throttle_count");
}

/// Fills in the data that variable `blockedon` needs: the members by which locks name their owners, and the names of
/// the parts of a thread's time.
void find_owners(const ModuleLowering& module, dt_waits& waits)
{
    const auto at = [&](std::string_view record, std::string_view member) {
        return kernel_offset(module, record, member).value_or(0);
    };
    waits.mutex_owner = at("mutex", "owner");
    waits.rwsem_owner = at("rw_semaphore", "owner");
    waits.rt_owner = at("rt_mutex_base", "owner");
    waits.tid = at("task_struct", "pid");
    for (std::size_t i = 0; i < std::size(kTimeParts); ++i)
        kTimeParts[i].name.copy(waits.names[i], sizeof waits.names[i] - 1);
    for (std::size_t i = 0; i < std::size(kBlameNames); ++i)
        kBlameNames[i].copy(waits.names[DT_PARTS + i], sizeof waits.names[i] - 1);
}

/// Fills in where the saved user registers are. On kernels without bpf_task_pt_regs(), the offsets are relative to the
/// start of the thread's kernel stack.
void find_registers(ClauseLowering& l, const Span& at, std::string_view who, dt_waits& waits)
{
    const machine::SystemCalls& calls = l.module().world.machine().syscalls;
    uint64_t start = 0;
    if (!l.module().world.features().task_pt_regs) {
        start = saved_registers_offset(l.module());
        waits.stack = static_cast<uint64_t>(needed_offset(l, at, who, "task_struct", "stack"));
    }
    waits.call = start + calls.number * 8;
    waits.argument = start + calls.arguments[0] * 8;
    waits.second = start + calls.arguments[1] * 8;
    waits.third = start + calls.arguments[2] * 8;
}

} // namespace

uint32_t waits_data(ClauseLowering& l, const Span& at, std::string_view who)
{
    const auto offset = [&](std::string_view record, std::string_view member) {
        return static_cast<uint64_t>(needed_offset(l, at, who, record, member));
    };
    const auto make = [&] {
        const machine::SystemCalls& calls = l.module().world.machine().syscalls;
        dt_waits waits{};
        find_registers(l, at, who, waits);
        if (!calls.narrow_table().empty()) {
            waits.compat_flag = calls.status_offset;
            waits.compat_bit = uint64_t{1} << calls.narrow_status_bit;
        }
        if (const auto iowait = kernel_bit(l.module(), "task_struct", "in_iowait")) {
            waits.iowait = iowait->offset;
            waits.iowait_bit = uint64_t{1} << iowait->bit;
        }
        if (const auto memstall = kernel_bit(l.module(), "task_struct", "in_memstall")) {
            waits.memstall = memstall->offset;
            waits.memstall_bit = uint64_t{1} << memstall->bit;
        }
        waits.files = offset("task_struct", "files");
        waits.table = offset("files_struct", "fdt");
        waits.most = offset("fdtable", "max_fds");
        waits.descriptors = offset("fdtable", "fd");
        waits.inode = offset("file", "f_inode");
        waits.mode = offset("inode", "i_mode");
        waits.filesystem = offset("inode", "i_sb");
        waits.magic = offset("super_block", "s_magic");
        waits.sock = offset("socket_alloc", "socket.sk") - offset("socket_alloc", "vfs_inode");
        waits.family = offset("sock", "__sk_common.skc_family");
        find_taken(l.module(), waits);
        find_owners(l.module(), waits);
        name_kinds(calls, waits);
        std::vector<uint8_t> bytes(sizeof waits);
        std::memcpy(bytes.data(), &waits, sizeof waits);
        return ir::Data{kWaits, ".rodata", sizeof waits, 8, std::move(bytes)};
    };
    return l.module().data.once(kWaits, make);
}

Value known_waits(ModuleLowering& module, ir::Builder& b)
{
    return b.data_addr(module.data.once(kWaits, [] { return ir::Data{}; }), sizeof(dt_waits));
}

namespace {

Value own_task(ClauseLowering& l)
{
    return l.cached("task_btf", [&] { return l.b().call_helper(kGetCurrentTaskBtf, {}, Mem::Btf); });
}

/// Stores in a thread's time account the time that the hypervisor has stolen from the CPU so far. The program loads it
/// directly, which takes a tenth of the time of a helper.
void update_steal(const ModuleLowering& module, ir::Builder& b, Value task, Value account)
{
    const auto queue = kernel_offset(module, "task_struct", "se.cfs_rq"), rq = kernel_offset(module, "cfs_rq", "rq");
    const auto steal = kernel_offset(module, "rq", "prev_steal_time_rq");
    if (!queue || !rq || !steal)
        return;
    const auto follow = [&](Value from, uint64_t offset) {
        return b.load(8, from, static_cast<int64_t>(offset), Mem::Btf);
    };
    const Value of_fair = b.load(8, task, static_cast<int64_t>(*queue), Mem::Btf);
    b.store(8, account, offsetof(dt_account, steal), b.load(8, follow(of_fair, *rq), static_cast<int64_t>(*steal)));
}

Value account_of_thread(ClauseLowering& l, bool create)
{
    return l.module().functions.of_thread(l.b(), accounts(l.module()), own_task(l), kMaxOfAccount, create);
}

} // namespace

static BegunAccount begun_account(ClauseLowering& l, const Span& at, std::string_view who, ir::BlockId without)
{
    auto& b = l.b();
    waits_data(l, at, who);
    const Value now = lower_timestamp(l, {}).value;
    const Value call = l.builtins.at(number_of_call(l.module().world.machine().syscalls));
    const Value found = account_of_thread(l, true);
    const ir::BlockId have = b.block(), none = b.block();
    b.branch(Op::Ne, found, b.constant(0), have, none);
    b.enter(none);
    l.count_loss(Loss::Dynamic);
    b.jump(without);
    b.enter(have);
    const Value account = b.not_null(found);
    update_steal(l.module(), b, own_task(l), account);
    return {account, now, call};
}

Value value_of_account(ClauseLowering& l, const Span& at, std::string_view who,
                       const std::function<Value(const BegunAccount&)>& with, const std::function<Value()>& otherwise,
                       Mem yields, uint32_t region)
{
    auto& b = l.b();
    const ir::BlockId without = b.block(), done = b.block();
    const Value value = with(begun_account(l, at, who, without));
    b.jump(done);
    b.enter(without);
    const Value none = otherwise();
    b.jump(done);
    b.enter(done);
    return b.phi({value, none}, yields, region);
}

Value own_account(ClauseLowering& l, const Span& at, std::string_view who)
{
    waits_data(l, at, who);
    return account_of_thread(l, false);
}

void update_own_steal(ClauseLowering& l, Value account)
{
    update_steal(l.module(), l.b(), own_task(l), account);
}

Operand lower_mark(ClauseLowering& l, const TExpr& e)
{
    const auto mark = [&](const BegunAccount& of) {
        return l.b().call_runtime("dt_mark", {of.account, of.now, of.call});
    };
    return number(value_of_account(l, e.at, "mark( )", mark, [&] { return l.b().constant(0); }));
}

namespace {

Operand part_of_time(ClauseLowering& l, const TExpr& e, std::string_view who, std::string_view TimePart::*named,
                     std::string_view name)
{
    const auto part = std::find_if(std::begin(kTimeParts), std::end(kTimeParts),
                                   [&](const TimePart& each) { return each.*named == name; });
    const auto time = [&](const BegunAccount& of) {
        const Value number_of_part = l.b().constant(part - kTimeParts);
        return l.b().call_runtime("dt_part_time", {of.account, of.now, of.call, number_of_part});
    };
    return number(value_of_account(l, e.at, who, time, [&] { return l.b().constant(0); }));
}

} // namespace

Operand lower_part(ClauseLowering& l, const TExpr& e)
{
    return part_of_time(l, e, e.builtin->name, &TimePart::variable, e.builtin->name);
}

Operand lower_timeof(ClauseLowering& l, const TExpr& e)
{
    return part_of_time(l, e, "timeof( )", &TimePart::name, e.kids[0]->text);
}

MarkedTime marked_time(ClauseLowering& l, const TStmt& s, Value mark)
{
    auto& b = l.b();
    waits_data(l, s.at, "breakdown( )");
    const Value now = lower_timestamp(l, {}).value;
    const Value found = account_of_thread(l, false);
    l.fault_if(Op::Eq, found, b.constant(0), kFaultIllegalOperation, mark);
    const Value account = b.not_null(found);
    update_steal(l.module(), b, own_task(l), account);
    const Value number = b.call_runtime("dt_mark_number", {account, mark, now});
    l.fault_if(Op::Eq, number, b.constant(0), kFaultIllegalOperation, mark);
    return {account, number, now};
}

void add_parts(ClauseLowering& l, const MarkedTime& marked, Value words, Value times)
{
    l.b().call_runtime("dt_breakdown", {marked.account, marked.number, marked.now, words, times});
}

// ---- programs that update the time accounts -------------------------------------------------------------------------

namespace {

class AccountPrograms {
public:
    explicit AccountPrograms(ModuleLowering& module) : module_(module) {}

    void run()
    {
        module_.out.module.maps[accounts(module_)].value_size = account_size(module_);
        if (module_.waker.is_used)
            add("sched_waking", ProgramKind::TypedTracepoint, [this](ir::Builder& b) {
                of(b, b.load(8, b.param(0), 0, Mem::Btf), [&](Value account) { note_waker(module_, b, account); });
            });
        add("sched_switch", ProgramKind::TypedTracepoint, [this](ir::Builder& b) { switches(b); });
        add("sched_wakeup", ProgramKind::TypedTracepoint, [this](ir::Builder& b) {
            const Value woken = b.load(8, b.param(0), 0, Mem::Btf);
            of(b, woken, [&](Value account) {
                b.call_runtime("dt_account_woken", {account, now(b), woken, waits(b)});
            });
        });
        for (const auto& [tracepoint, enters] : {std::pair{"sys_enter", 1}, {"sys_exit", 0}})
            add(tracepoint, ProgramKind::RawTracepoint, [this, in = enters](ir::Builder& b) {
                const Value task = b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf);
                of(b, task, [&](Value account) {
                    update_steal(module_, b, task, account);
                    b.call_runtime("dt_account_call", {account, now(b), b.constant(in)});
                });
            });
        add("contention_begin", ProgramKind::RawTracepoint, [this](ir::Builder& b) {
            of_current(b, [&](Value account) {
                b.call_runtime("dt_account_lock", {account, now(b), argument(b, 0), argument(b, 1)});
            });
        });
        add("contention_end", ProgramKind::RawTracepoint, [this](ir::Builder& b) {
            of_current(b, [&](Value account) {
                b.call_runtime("dt_account_unlock", {account, now(b), argument(b, 0)});
            });
        });
        for (const std::string reclaim : {"mm_vmscan_direct_reclaim", "mm_vmscan_memcg_reclaim"}) {
            tell(reclaim + "_begin", "dt_account_reclaim", 1);
            tell(reclaim + "_end", "dt_account_reclaim", 0);
        }
        for (const std::string interrupt : {"irq_handler", "softirq", "local_timer", "irq_work", "call_function",
                                            "call_function_single", "reschedule"}) {
            tell(interrupt + "_entry", "dt_account_interrupt", 1, interrupt != "softirq");
            tell(interrupt + "_exit", "dt_account_interrupt", 0, interrupt != "softirq");
        }
        if (module_.maps.has(DT_MAP_WORKING))
            add("sched_process_exit", ProgramKind::RawTracepoint, [this](ir::Builder& b) {
                of_current(b, [&](Value account) { end_work(module_, b, account, now(b)); });
            });
    }

private:
    using Work = std::function<void(Value account)>;

    void add(const std::string& tracepoint, ProgramKind kind, const std::function<void(ir::Builder&)>& fill)
    {
        add_tracepoint_program(module_, "dt_account_at_", tracepoint, kind, fill);
    }

    /// Adds a program at a tracepoint. The program calls the runtime function that updates the current thread's time
    /// account; `what` is the kind of event. With `of_hardware`, it also records the hardware interrupt, if clauses use
    /// the waker of a thread.
    void tell(const std::string& tracepoint, const std::string& function, int64_t what, bool of_hardware = false)
    {
        add(tracepoint, ProgramKind::RawTracepoint, [this, function, what, of_hardware](ir::Builder& b) {
            if (of_hardware && module_.waker.is_used)
                note_interrupt(module_, b, what);
            of_current(b, [&](Value account) { b.call_runtime(function, {account, now(b), b.constant(what)}); });
        });
    }

    /// Tracepoint in include/trace/events/sched.h: sched_switch(bool preempt, struct task_struct *prev, struct
    /// task_struct *next, unsigned int prev_state). It runs in the thread `prev`.
    void switches(ir::Builder& b)
    {
        const Value previous = b.load(8, b.param(0), 1 * kWord, Mem::Btf);
        const Value next = b.load(8, b.param(0), 2 * kWord, Mem::Btf);
        // Time of the thread switch. The clock is read at most once, and only if one of the two threads has a time
        // account.
        const Value at = b.stack_addr(b.slot(8));
        b.store(8, at, 0, b.constant(0));
        of(b, previous, [&](Value account) {
            const Value state = state_at_switch(module_, b, previous);
            update_steal(module_, b, previous, account);
            if (const auto kept = kernel_offset(module_, "task_struct", kIsThrottled))
                b.store(8, account, offsetof(dt_account, is_throttled),
                        b.load(1, previous, static_cast<int64_t>(*kept)));
            const Value left = now(b);
            b.store(8, at, 0, left);
            b.call_runtime("dt_account_off", {account, left, state, previous, waits(b)});
            if (module_.uses_blockedon)
                b.call_runtime("dt_account_blocked", {account, previous, waits(b)});
        });
        of(b, next, [&](Value account) {
            update_steal(module_, b, next, account);
            const Value left = b.load(8, at);
            const Value came = b.select(
                Op::Ne, left, b.constant(0), [&] { return left; }, [&] { return now(b); });
            b.call_runtime("dt_account_on", {account, came, next, waits(b)});
        });
    }

    /// Emits `work` for the case that the task has a time account. Most tasks have no task storage at all, which a load
    /// detects without a helper call.
    void of(ir::Builder& b, Value task, const Work& work)
    {
        const auto storage = kernel_offset(module_, "task_struct", "bpf_storage");
        if (!storage || !module_.world.features().task_storage)
            return with_account(b, task, work);
        b.if_then(Op::Ne, b.load(8, task, static_cast<int64_t>(*storage)), b.constant(0),
                  [&] { with_account(b, task, work); });
    }
    void with_account(ir::Builder& b, Value task, const Work& work)
    {
        const Value found = module_.functions.of_thread(b, accounts(module_), task, kMaxOfAccount, false);
        b.if_then(Op::Ne, found, b.constant(0), [&] { work(b.not_null(found)); });
    }
    void of_current(ir::Builder& b, const Work& work) { of(b, b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf), work); }

    Value waits(ir::Builder& b) { return known_waits(module_, b); }
    static Value argument(ir::Builder& b, int64_t number) { return b.load(8, b.param(0), number * kWord); }
    static Value now(ir::Builder& b) { return b.call_helper(kKtimeGetNs, {}); }

    ModuleLowering& module_;
};

} // namespace

void add_account_programs(ModuleLowering& module)
{
    AccountPrograms(module).run();
}

// Lowers requests. A request is work that several threads serve, with its own time account. Requests are in a hash map.
// Separate task storage holds the request that a thread works for, so marks have no additional cost. Keys are 64-bit
// numbers. For a string, the key is the string's digest; a script that wants to print the string must store it.

namespace {

uint32_t request_map(ModuleLowering& module)
{
    return module.maps.bounded(DT_MAP_REQUESTS, 8, sizeof(dt_request));
}

Value working_of(ModuleLowering& module, ir::Builder& b, Value task, bool create)
{
    const uint32_t map = module.maps.per_thread(DT_MAP_WORKING, sizeof(dt_working));
    return module.functions.of_thread(b, map, task, sizeof(dt_working), create);
}

Value working_of_thread(ClauseLowering& l, bool create)
{
    const Value task = l.cached("task_btf", [&] { return l.b().call_helper(kGetCurrentTaskBtf, {}, Mem::Btf); });
    return working_of(l.module(), l.b(), task, create);
}

Value key_of_request(ClauseLowering& l, const TExpr& e)
{
    if (!e.type->is_string())
        return l.expressions.value(e);
    const uint32_t size = align_up(l.values.text_size(e.type), 8);
    const Value text = l.scratch_temporary(size);
    l.expressions.key_into(e, e.type, text, 0, size);
    return l.b().call_runtime("dt_digest", {text, l.b().constant(size / 8)});
}

/// Emits code that, if `value` is 0, counts a loss and goes to `without`.
Value drop_if_zero(ClauseLowering& l, Value value, ir::BlockId without)
{
    auto& b = l.b();
    const ir::BlockId have = b.block(), none = b.block();
    b.branch(Op::Ne, value, b.constant(0), have, none);
    b.enter(none);
    l.count_loss(Loss::Dynamic);
    b.jump(without);
    b.enter(have);
    return value;
}

/// Calls the function `function` of bpf-runtime, if the current thread has worked for a request. Unless `key` is kNone,
/// it is an argument of the call.
void publish_request(ClauseLowering& l, const Span& at, std::string_view who, const char* function, Value key)
{
    auto& b = l.b();
    const Value now = lower_timestamp(l, {}).value;
    const Value found = own_account(l, at, who), working = working_of_thread(l, false);
    const Value requests = b.map_ref(request_map(l.module()));
    b.if_then(Op::Ne, found, b.constant(0), [&] {
        const Value account = b.not_null(found);
        b.if_then(Op::Ne, working, b.constant(0), [&] {
            l.arm([&] {
                update_own_steal(l, account);
                std::vector<Value> given{account, b.not_null(working), requests, now};
                if (key != kNone)
                    given.insert(given.end() - 1, key);
                b.call_runtime(function, std::move(given));
            });
        });
    });
}

Value found_request(ClauseLowering& l, Value key)
{
    auto& b = l.b();
    const Value place = l.stack_temporary(8);
    b.store(8, place, 0, key);
    return b.call_helper(kMapLookup, {b.map_ref(request_map(l.module())), place}, Mem::MapOrNull, sizeof(dt_request));
}

void begin_request(ClauseLowering& l, const Span& at, std::string_view who, Value key)
{
    auto& b = l.b();
    const uint32_t map = request_map(l.module());
    const ir::BlockId done = b.block();
    const auto [account, now, call] = begun_account(l, at, who, done);
    // captures copies, because clang 14 cannot capture structured bindings
    l.arm([&, account = account, now = now, call = call] {
        const Value working = b.not_null(drop_if_zero(l, working_of_thread(l, true), done));
        if (!l.module().maps.has_room(map))
            return l.count_loss(Loss::Dynamic);
        b.call_runtime("dt_account_begin", {account, now, call});
        const Value failed = b.call_runtime("dt_request_begin", {account, working, b.map_ref(map), key, now});
        drop_if_zero(l, b.binary(Op::Eq, failed, b.constant(0)), done);
    });
    b.jump(done);
    b.enter(done);
}

} // namespace

void lower_request_begin(ClauseLowering& l, const TStmt& s)
{
    begin_request(l, s.at, "request_begin( )", key_of_request(l, *s.args[0]));
}

/// Lowers the statement that option requestkey adds at the beginning of each clause: it sets the request for which the
/// thread works.
void lower_request_is(ClauseLowering& l, const TStmt& s)
{
    constexpr std::string_view kWho = "-x requestkey";
    auto& b = l.b();
    const Value key = key_of_request(l, *s.args[0]);
    lower_timestamp(l, {}); // computes the time before the branch, because both branches use it
    const Value none = b.constant(s.args[0]->type->is_string() ? DT_DIGEST_OF_NOTHING : 0);
    b.if_else(
        Op::Eq, key, none, [&] { l.arm([&] { publish_request(l, s.at, kWho, "dt_request_leave", kNone); }); },
        [&] { l.arm([&] { begin_request(l, s.at, kWho, key); }); });
}

void lower_request_end(ClauseLowering& l, const TStmt& s)
{
    publish_request(l, s.at, "request_end( )", "dt_request_end", key_of_request(l, *s.args[0]));
}

void lower_request_done(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    const Value key = key_of_request(l, *s.args[0]);
    publish_request(l, s.at, "request_done( )", "dt_request_end", key);
    const Value place = l.stack_temporary(8);
    b.store(8, place, 0, key);
    b.call_helper(kMapDelete, {b.map_ref(request_map(l.module())), place});
}

Operand lower_request(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value found = found_request(l, key_of_request(l, *e.kids[0]));
    const auto since = [&] { return b.load(8, b.not_null(found), offsetof(dt_request, since)); };
    return number(b.select(Op::Ne, found, b.constant(0), since, [&] { return b.constant(0); }));
}

bool is_request(const TExpr& e)
{
    return e.op == TOp::Call && e.subroutine->has(kOfRequest);
}

Value asked_request(ClauseLowering& l, const TExpr& e)
{
    const Value key = key_of_request(l, *e.kids[0]);
    publish_request(l, e.at, "breakdown( )", "dt_request_publish", key);
    const Value found = found_request(l, key);
    l.fault_if(Op::Eq, found, l.b().constant(0), kFaultIllegalOperation, key);
    return l.b().not_null(found);
}

void add_request_parts(ClauseLowering& l, Value request, Value words, Value times)
{
    l.b().call_runtime("dt_request_breakdown", {request, lower_timestamp(l, {}).value, words, times});
}

void end_work(ModuleLowering& module, ir::Builder& b, Value account, Value now)
{
    const Value task = b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf);
    const Value working = working_of(module, b, task, false);
    b.if_then(Op::Ne, working, b.constant(0), [&] {
        b.call_runtime("dt_request_leave", {account, b.not_null(working), b.map_ref(request_map(module)), now});
    });
}

} // namespace dt::lower
