// Lowers blame(), which finds for whom a thread waited, and the variables about the end of a wait. Also generates the
// programs that record for each thread whom it waited for (bpf-runtime/accounting/critical_path.bpf.c).
//
// It is not known in advance for which thread another one will wait, so programs record a history of every thread.
// Histories are in a preallocated hash map, because memory cannot be allocated during a context switch. These programs
// exist only if a script calls blame().

#include <algorithm>
#include <cstddef>
#include <functional>

#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/clause/thread_time.hpp"
#include "dcompiler/lower/core/helper_programs.hpp"
#include "dcompiler/lower/core/hooks.hpp"
#include "machine/machine.hpp"

namespace dt::lower {

namespace {

constexpr int64_t kNetTx = 2, kNetRx = 3; // numbers of the soft interrupts for networking (include/linux/interrupt.h)

uint32_t history_map(ModuleLowering& module)
{
    return module.maps.add({DT_MAP_HISTORY, kMapLruHash, 4, sizeof(dt_history), DT_THREADS, 0});
}

class HistoryPrograms {
public:
    explicit HistoryPrograms(ModuleLowering& module) : module_(module) {}

    void run()
    {
        add("sched_waking", ProgramKind::TypedTracepoint, [this](ir::Builder& b) { wakes(b); });
        add("sched_switch", ProgramKind::TypedTracepoint, [this](ir::Builder& b) { switches(b); });
        add("contention_begin", ProgramKind::RawTracepoint, [this](ir::Builder& b) {
            if_known(b, current(b), [&](Value history) {
                b.call_runtime("dt_history_lock", {history, word(b, 0), word(b, 1)});
            });
        });
        add("contention_end", ProgramKind::RawTracepoint, [this](ir::Builder& b) {
            if_known(b, current(b), [&](Value history) { b.call_runtime("dt_history_unlock", {history, word(b, 0)}); });
        });
        for (const std::string interrupt : {"irq_handler", "local_timer"})
            for (const auto& [end, begins] : {std::pair{"_entry", 1}, {"_exit", 0}})
                add(interrupt + end, ProgramKind::RawTracepoint,
                    [this, what = begins](ir::Builder& b) { note_interrupt(module_, b, what); });
        for (const auto& [end, begins] : {std::pair{"_entry", 1}, {"_exit", 0}})
            add(std::string("softirq") + end, ProgramKind::RawTracepoint, [this, what = begins](ir::Builder& b) {
                const Value number = word(b, 0);
                b.if_then(Op::Ne, number, b.constant(kNetTx), [&] {
                    b.if_then(Op::Ne, number, b.constant(kNetRx), [&] { note_soft_interrupt(module_, b, what); });
                });
            });
    }

private:
    using Work = std::function<void(Value history)>;

    void add(const std::string& tracepoint, ProgramKind kind, const std::function<void(ir::Builder&)>& fill)
    {
        add_tracepoint_program(module_, "dt_history_at_", tracepoint, kind, fill);
    }

    static Value word(ir::Builder& b, int64_t number) { return b.load(8, b.param(0), number * 8); }
    static Value object(ir::Builder& b, int64_t number) { return b.load(8, b.param(0), number * 8, Mem::Btf); }
    static Value now(ir::Builder& b) { return b.call_helper(kKtimeGetNs, {}); }
    static Value current(ir::Builder& b) { return b.unary(Op::ZExt, b.call_helper(kGetCurrentPidTgid, {}), 4); }
    Value thread(ir::Builder& b, Value task)
    {
        return b.load(4, task, static_cast<int64_t>(kernel_offset(module_, "task_struct", "pid").value_or(0)));
    }

    Value key_of(ir::Builder& b, Value tid)
    {
        const Value key = b.stack_addr(b.slot(8));
        b.store(8, key, 0, tid);
        return key;
    }
    Value look_up(ir::Builder& b, Value key)
    {
        return b.call_helper(kMapLookup, {b.map_ref(history_map(module_)), key}, Mem::MapOrNull, sizeof(dt_history));
    }
    void if_known(ir::Builder& b, Value tid, const Work& work)
    {
        const Value found = look_up(b, key_of(b, tid));
        b.if_then(Op::Ne, found, b.constant(0), [&] { work(b.not_null(found)); });
    }
    /// Emits the code of `work` for the history of a thread, which is created if necessary. Idle threads (id 0) have no
    /// history.
    void of(ir::Builder& b, Value tid, const Work& work)
    {
        b.if_then(Op::Ne, tid, b.constant(0), [&] {
            const Value key = key_of(b, tid), found = look_up(b, key);
            b.if_then(Op::Eq, found, b.constant(0), [&] {
                const Value none = b.data_addr(module_.data.zeros(sizeof(dt_history)), sizeof(dt_history));
                module_.maps.put(b, history_map(module_), key, none, Maps::kPutNew);
            });
            const Value again = b.select(
                Op::Ne, found, b.constant(0), [&] { return found; }, [&] { return look_up(b, key); }, Mem::MapOrNull,
                sizeof(dt_history));
            b.if_then(Op::Ne, again, b.constant(0), [&] { work(b.not_null(again)); });
        });
    }

    /// Emits the program at tracepoint sched_waking(struct task_struct *p), which runs in the thread that wakes `p`. If
    /// the waking thread has no history yet, its history begins here.
    void wakes(ir::Builder& b)
    {
        const Value in_one = in_interrupt(module_, b);
        of(b, thread(b, object(b, 0)), [&](Value history) {
            b.call_runtime("dt_history_woken", {history, now(b), in_one});
        });
        b.if_then(Op::Eq, in_one, b.constant(0), [&] {
            const Value tid = current(b);
            of(b, tid, [&](Value history) { b.call_runtime("dt_history_begin", {history, tid}); });
        });
    }

    /// Emits the program at tracepoint sched_switch(bool preempt, struct task_struct *prev, struct task_struct *next,
    /// unsigned int prev_state).
    void switches(ir::Builder& b)
    {
        const Value previous = object(b, 1), next = object(b, 2), at = now(b);
        of(b, thread(b, previous), [&](Value history) {
            const Value state = state_at_switch(module_, b, previous);
            b.call_runtime("dt_history_off", {history, at, state, previous, known_waits(module_, b)});
        });
        of(b, thread(b, next), [&](Value history) { b.call_runtime("dt_history_on", {history, at}); });
    }

    ModuleLowering& module_;
};

} // namespace

Value lower_blame(ClauseLowering& l, const TStmt& s, Value key, Value since, Value times)
{
    auto& b = l.b();
    waits_data(l, s.at, "blame( )");
    needed_offset(l, s.at, "blame( )", "task_struct", "pid");
    l.fault_if(Op::Eq, since, b.constant(0), kFaultIllegalOperation, since);
    const Value work = l.scratch_temporary(sizeof(dt_blame_work));
    constexpr auto kFirst = static_cast<int64_t>(offsetof(dt_blame_work, frames));
    b.store(8, work, kFirst + static_cast<int64_t>(offsetof(dt_blame_frame, from)), since);
    b.store(8, work, kFirst + static_cast<int64_t>(offsetof(dt_blame_frame, to)), lower_timestamp(l, {}).value);
    b.store(8, work, offsetof(dt_blame_work, times), times);
    return b.call_runtime("dt_blame",
                          {work, b.map_ref(history_map(l.module())),
                           b.map_ref(l.module().maps.aggregation(*s.aggregation)), key, known_waits(l.module(), b)});
}

void add_history_programs(ModuleLowering& module)
{
    HistoryPrograms(module).run();
}

// Lowers `waker`, stack(waker), ustack(waker), `waited` and `blockedon`. They describe the end of the current thread's
// last wait: the thread that ended it, and the reason for the wait.
//
// A program at sched_waking runs in the waker, the thread that ends the wait. It stores the waker's data behind the
// time account (the record of the parts of a thread's time) of the woken thread. It does so only for threads with a
// time account, and records only stacks that the script uses.

namespace {

constexpr int64_t kWakerAt = sizeof(dt_account);

Value part_of(ir::Builder& b, Value account, int64_t offset, uint32_t size)
{
    const Value at = b.binary(Op::Add, account, b.constant(offset));
    b.instr(at).mem = Mem::MapValue;
    b.instr(at).region = size;
    return at;
}

/// Yields the current thread's time account, the record of the parts of its time, and creates it if necessary. Yields
/// an account of zeros if there is no memory for a new one.
Value running_account(ClauseLowering& l, const Span& at, std::string_view who)
{
    constexpr uint32_t kSize = sizeof(dt_account) + sizeof(dt_waker);
    const auto begin = [&](const BegunAccount& of) {
        l.b().call_runtime("dt_account_begin", {of.account, of.now, of.call});
        return of.account;
    };
    const auto none = [&] { return l.b().data_addr(l.module().data.zeros(kSize), kSize); };
    return value_of_account(l, at, who, begin, none, Mem::MapValue, kSize);
}

Value waker_of(ClauseLowering& l, const Span& at, std::string_view who)
{
    l.module().waker.is_used = true;
    return part_of(l.b(), running_account(l, at, who), kWakerAt, sizeof(dt_waker));
}

} // namespace

Operand lower_waker(ClauseLowering& l, const TExpr& e)
{
    return {Operand::Kind::Bytes, waker_of(l, e.at, "waker"), Mem::MapValue, DT_WAKER_VALUE, false, false, {}};
}

Operand lower_waited(ClauseLowering& l, const TExpr& e)
{
    return number(l.b().load(8, running_account(l, e.at, "waited"), offsetof(dt_account, waited)));
}

Operand lower_blockedon(ClauseLowering& l, const TExpr& e)
{
    l.module().uses_blockedon = true;
    const Value account = running_account(l, e.at, "blockedon");
    const Value last = part_of(l.b(), account, offsetof(dt_account, blocked), sizeof(dt_blocked));
    return {Operand::Kind::Bytes, last, Mem::MapValue, sizeof(dt_blocked), false, false, {}};
}

/// Writes the stack of the waker, the thread that ended the last wait, in the form of samples. A user stack begins with
/// the process id. `dst` must be zeroed.
void waker_stack_into(ClauseLowering& l, bool user, uint32_t frames, Value dst, int64_t offset)
{
    auto& b = l.b();
    l.module().waker.is_used = true;
    (user ? l.module().waker.user_stack : l.module().waker.kernel_stack) = true;
    const Value waker = waker_of(l, {}, user ? "ustack( )" : "stack( )");
    if (user)
        b.store(8, dst, offset, b.load(4, waker, offsetof(dt_waker, pid)));
    const Value to = l.values.interior(dst, offset + (user ? 8 : 0), frames * 8);
    const uint32_t most = std::min<uint32_t>(frames, DT_WAKER_FRAMES - 1) * 8;
    const auto size_at = static_cast<int64_t>(user ? offsetof(dt_waker, user_bytes) : offsetof(dt_waker, kernel_bytes));
    const auto frames_at =
        static_cast<int64_t>(user ? offsetof(dt_waker, walk) + offsetof(dt_walk, frames) : offsetof(dt_waker, kernel));
    Value bytes = b.load(8, waker, size_at), from = part_of(b, waker, frames_at, DT_WAKER_FRAMES * 8);
    const auto iterator = user ? std::nullopt : l.module().world.symbol("", "__traceiter_sched_waking");
    // While another program is attached to the tracepoint too, the first frame is __traceiter_sched_waking, the
    // kernel's loop over the programs. It is skipped.
    if (iterator && iterator->size != 0) {
        const Value into = b.binary(Op::Sub, b.load(8, from), b.constant(static_cast<int64_t>(iterator->address)));
        const Value is_there = b.binary(Op::ULe, into, b.constant(static_cast<int64_t>(iterator->size)));
        const Value skipped = b.binary(Op::Shl, is_there, b.constant(3));
        bytes = b.binary(Op::Sub, bytes, b.binary(Op::Mul, skipped, b.binary(Op::Ne, bytes, b.constant(0))));
        from = b.binary(Op::Add, from, skipped);
        b.instr(from).mem = Mem::MapValue;
        b.instr(from).region = (DT_WAKER_FRAMES - 1) * 8;
    }
    b.call_helper(kProbeReadKernel, {to, l.values.at_most(bytes, most), from});
}

Operand waker_stack(ClauseLowering& l, const TExpr& e)
{
    const bool user = e.action->has(kOfProcess);
    const uint32_t size = l.module().layout.storage_size(e.type);
    const Value buffer = l.scratch_temporary(size);
    l.values.zero(buffer, 0, size);
    waker_stack_into(l, user, frames_of(l.module().options, *e.action, e.kids), buffer, user ? 0 : 8);
    return {Operand::Kind::Bytes, buffer, Mem::MapValue, size, false, false, {}};
}

uint32_t account_size(const ModuleLowering& module)
{
    if (!module.waker.is_used)
        return sizeof(dt_account);
    return sizeof(dt_account) + (module.waker.user_stack ? sizeof(dt_waker) : offsetof(dt_waker, walk));
}

namespace {

Value interrupt_flag(ModuleLowering& module, ir::Builder& b)
{
    const Value key = b.stack_addr(b.slot(8));
    b.store(8, key, 0, b.constant(0));
    return b.call_helper(kMapLookup, {b.map_ref(module.maps.per_cpu(DT_MAP_INTERRUPTS, 8)), key}, Mem::MapOrNull, 8);
}

/// Records the kernel stack of a waker, the thread that ends another one's wait. Omits the tracer's frames, which are
/// the program and its callers.
void note_kernel_stack(ModuleLowering& module, ir::Builder& b, Value waker)
{
    module.out.schema.kernel_stacks = true;
    const Value own = b.load(8, b.data_addr(module.data.state(), sizeof(dt_state)), offsetof(dt_state, tracer_frames));
    const Value frames = part_of(b, waker, offsetof(dt_waker, kernel), sizeof(dt_waker::kernel));
    const Value got = b.call_helper(kGetStack, {b.param(0), frames, b.constant(sizeof(dt_waker::kernel)), own});
    b.if_then(Op::SLt, b.constant(0), got, [&] { b.store(8, waker, offsetof(dt_waker, kernel_bytes), got); });
}

/// Records the user stack of a waker: by unwind tables if the tracer has loaded them for the process, otherwise by the
/// kernel's helper, which follows frame pointers.
void note_user_stack(ModuleLowering& module, ir::Builder& b, Value waker)
{
    constexpr uint32_t kBytes = DT_WAKER_FRAMES * 8;
    constexpr int64_t kWalk = offsetof(dt_waker, walk);
    const auto mm = module.world.task_offset("mm");
    const Value walk = part_of(b, waker, kWalk, sizeof(dt_walk));
    const Value frames = part_of(b, waker, kWalk + static_cast<int64_t>(offsetof(dt_walk, frames)), kBytes);
    const auto& saved = module.world.machine().saved;
    const auto follow = [&] {
        return b.call_helper(kGetStack, {b.param(0), frames, b.constant(kBytes), b.constant(kUserStack)});
    };
    Value got = ir::kNone;
    if (mm && module.world.features().task_pt_regs) {
        const int64_t words = saved.pc | saved.stack_pointer << 8 | saved.frame_pointer << 16;
        b.call_runtime("dt_waker_registers", {waker, b.constant(words), b.constant(static_cast<int64_t>(*mm))});
        // If the thread is in a function that calls no other, the return address is still in the link register.
        if (const auto link = module.world.machine().calls.return_address) {
            const Value task = b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf);
            const Value registers = b.call_helper(kTaskPtRegs, {task}, Mem::Btf, saved.bytes);
            b.store(8, walk, offsetof(dt_walk, link), b.load(8, registers, *link * 8));
        }
        const Value unwound =
            b.call_runtime(std::string(module.world.machine().walker), {walk, b.constant(DT_WAKER_FRAMES)});
        b.if_then(Op::Ne, b.load(8, walk, offsetof(dt_walk, wants)), b.constant(0),
                  [&] { b.call_local(module.functions.wake_reader(), {}); });
        got = b.select(
            Op::Ne, unwound, b.constant(0), [&] { return b.load(8, walk, offsetof(dt_walk, bytes)); }, follow);
    } else {
        got = follow();
    }
    b.if_then(Op::SLt, b.constant(0), got, [&] { b.store(8, waker, offsetof(dt_waker, user_bytes), got); });
}

} // namespace

/// Emits code that stores on this CPU whether a hardware interrupt is running, because not every kernel exposes its own
/// counter. Hardware interrupts do not nest, so one flag is enough.
void note_interrupt(ModuleLowering& module, ir::Builder& b, int64_t begins)
{
    const Value flag = interrupt_flag(module, b);
    b.if_then(Op::Ne, flag, b.constant(0), [&] { b.store(4, b.not_null(flag), 0, b.constant(begins)); });
}

void note_soft_interrupt(ModuleLowering& module, ir::Builder& b, int64_t begins)
{
    const Value flag = interrupt_flag(module, b);
    b.if_then(Op::Ne, flag, b.constant(0), [&] { b.store(4, b.not_null(flag), 4, b.constant(begins)); });
}

Value in_interrupt(ModuleLowering& module, ir::Builder& b)
{
    const Value flag = interrupt_flag(module, b);
    return b.select(
        Op::Ne, flag, b.constant(0), [&] { return b.load(8, b.not_null(flag)); }, [&] { return b.constant(0); });
}

void note_waker(ModuleLowering& module, ir::Builder& b, Value account)
{
    const Value waker = part_of(b, account, kWakerAt, sizeof(dt_waker));
    const Value is_thread = b.call_runtime("dt_waker_seen", {waker, in_interrupt(module, b)});
    if (module.waker.kernel_stack)
        note_kernel_stack(module, b, waker);
    if (module.waker.user_stack)
        b.if_then(Op::Ne, is_thread, b.constant(0), [&] { note_user_stack(module, b, waker); });
}

} // namespace dt::lower
