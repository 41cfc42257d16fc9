// Lowers blame() and generates the programs that keep the history of threads (bpf-runtime/blame.bpf.c).
//
// Any thread may turn out to be waited for, so every thread has a history. Histories are in a preallocated hash,
// because memory cannot be allocated during a context switch. Only scripts that call blame() have these programs.
#include "dcompiler/lower/blame.hpp"

#include <cstddef>
#include <functional>

#include "dcompiler/lower/account.hpp"
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"
#include "dcompiler/lower/side_programs.hpp"

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

constexpr int64_t kNetTx = 2, kNetRx = 3; // include/linux/interrupt.h: soft interrupts of the network

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
    /// Runs `work` with the thread's history, and creates it if necessary. Idle threads have none.
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

    /// Lowers the program at sched_waking(struct task_struct *p). The waker calls it, and the waker's history begins
    /// here at the latest.
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

    /// Lowers the program at sched_switch(bool preempt, struct task_struct *prev, struct task_struct *next, unsigned
    /// int prev_state).
    void switches(ir::Builder& b)
    {
        const Value previous = object(b, 1), next = object(b, 2), at = now(b);
        of(b, thread(b, previous), [&](Value history) {
            const Value preempted = b.binary(Op::And, word(b, 0), b.constant(1));
            const Value state = b.select(
                Op::Ne, preempted, b.constant(0), [&] { return b.constant(0); },
                [&] { return b.unary(Op::ZExt, word(b, 3), 4); });
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

} // namespace dt::lower
