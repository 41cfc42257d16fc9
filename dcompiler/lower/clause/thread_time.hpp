// Time accounts, which record for threads and requests how much time they spend running, waiting and so on: mark(),
// breakdown(), request_begin() and related actions, and the programs that keep the accounts
// (bpf-runtime/accounting/account.bpf.c).
#pragma once

#include <functional>
#include <string_view>

#include "bpf-runtime/accounting/account.h"
#include "dcompiler/lower/clause/clause_state.hpp"
#include "dcompiler/lower/core/functions.hpp"
#include "dcompiler/sema/program/program.hpp"

namespace dt::lower {

/// The current thread's time account, with the current time and system-call number, by which a new account is
/// initialized. The account is created if necessary. Without memory for it, a loss is counted and control goes to
/// `without`.
struct BegunAccount {
    ir::Value account = ir::kNone, now = ir::kNone, call = ir::kNone;
};

/// Emits the code of `with` for the current thread's time account, and yields the result of that code. If there is no
/// memory for a time account, emits and yields the result of `otherwise`.
ir::Value value_of_account(ClauseLowering& l, const Span& at, std::string_view who,
                           const std::function<ir::Value(const BegunAccount&)>& with,
                           const std::function<ir::Value()>& otherwise, ir::Mem yields = ir::Mem::None,
                           uint32_t region = 0);

/// Yields the current thread's time account, or 0 if the thread has none. Also makes the compiler add the programs that
/// update time accounts.
ir::Value own_account(ClauseLowering& l, const Span& at, std::string_view who);
/// Stores in the thread's time account how much of the current CPU's time the hypervisor has stolen so far.
void update_own_steal(ClauseLowering& l, ir::Value account);

/// A mark of the current thread, that is, a time that mark() has stored: the map value with the thread's marks, the
/// number of this mark in it, and the current time.
struct MarkedTime {
    ir::Value account = ir::kNone, number = ir::kNone, now = ir::kNone;
};

/// Finds the mark (start time) to which breakdown() in `statement` refers. Emits a fault if the thread has no such
/// mark.
MarkedTime marked_time(ClauseLowering& l, const TStmt& statement, ir::Value mark);
/// Adds the thread's time since the mark to the words of an aggregation: each part of the time, such as running or
/// waiting, multiplied by `times`.
void add_parts(ClauseLowering& l, const MarkedTime& marked, ir::Value words, ir::Value times);

/// Returns the index, among the data objects, of the struct dt_waits, which describes the reasons for waits in this
/// kernel. The first call creates it in .rodata; after that, known_waits() yields its address.
uint32_t waits_data(ClauseLowering& l, const Span& at, std::string_view who);
ir::Value known_waits(ModuleLowering& module, ir::Builder& b);

/// The following two functions lower stack(waker) and ustack(waker), the stack of the thread that ended the last wait.
/// The first writes it to `dst`, which the caller has zeroed; the second returns it.
void waker_stack_into(ClauseLowering& l, bool user, uint32_t frames, ir::Value dst, int64_t offset);
Operand waker_stack(ClauseLowering& l, const TExpr& e);
/// Records the waker of a thread (the thread that ends its wait) behind the woken thread's time account. Used by the
/// program at tracepoint sched_waking.
void note_waker(ModuleLowering& module, ir::Builder& b, ir::Value account);
/// Records that a hardware interrupt begins (1) or ends (0) on this CPU.
void note_interrupt(ModuleLowering& module, ir::Builder& b, int64_t begins);
/// Records that a soft interrupt, whose work is unrelated to the interrupted thread, begins (1) or ends (0).
void note_soft_interrupt(ModuleLowering& module, ir::Builder& b, int64_t begins);
/// Yields a non-zero value if an interrupt, whose beginning was recorded, is running on this CPU.
ir::Value in_interrupt(ModuleLowering& module, ir::Builder& b);
/// Returns the size in bytes of a time account. If a clause uses the waker of a thread, this includes the waker's data.
uint32_t account_size(const ModuleLowering& module);

/// Adds the programs that distinguish the parts of a thread's time (running, waiting, …), at each of the needed
/// tracepoints that the kernel has. These programs belong to no probe.
void add_account_programs(ModuleLowering& module);

// Requests: work that several threads serve, with its own account of time. request_begin() and related actions, and
// breakdown() of a request (bpf-runtime/accounting/request.bpf.c).

/// Returns whether `e` denotes a request, work that several threads serve. breakdown() treats other arguments as marks.
bool is_request(const TExpr& e);
/// Yields the struct dt_request that `e` denotes, after adding the current thread's time. Emits a fault if no such
/// request exists.
ir::Value asked_request(ClauseLowering& l, const TExpr& e);
/// Adds the parts of the request's time, each multiplied by `times`, to the words of an aggregation's value.
void add_request_parts(ClauseLowering& l, ir::Value request, ir::Value words, ir::Value times);

/// Ends the current thread's work for a request, because the thread exits. `account` is the thread's time account.
void end_work(ModuleLowering& module, ir::Builder& b, ir::Value account, ir::Value now);

// blame(): attribution of a thread's time to itself and to the threads for which it waited. Also the programs that
// record each thread's history (bpf-runtime/accounting/critical_path.bpf.c).

/// Adds the current thread's time from `since` until now, multiplied by `times`, to the aggregation's entries for its
/// wait chains. A wait chain is a sequence of threads, each waiting for the next. `key` is a key of the aggregation and
/// begins with the string that describes the chain. Emits a fault if `since` is 0. Yields 0, or the kernel's error if
/// an entry could not be stored.
ir::Value lower_blame(ClauseLowering& l, const TStmt& statement, ir::Value key, ir::Value since, ir::Value times);

/// Adds the programs that record the history of threads: what each one does and waits for. These programs belong to no
/// probe.
void add_history_programs(ModuleLowering& module);

} // namespace dt::lower
