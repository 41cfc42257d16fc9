// Time accounts of threads and of requests: mark(), breakdown(), request_begin() and related actions, and the programs
// that keep the accounts (bpf-runtime/accounting/account.bpf.c).
#pragma once

#include <functional>
#include <string_view>

#include "bpf-runtime/accounting/account.h"
#include "dcompiler/lower/clause/clause_state.hpp"
#include "dcompiler/lower/core/functions.hpp"
#include "dcompiler/sema/program/program.hpp"

namespace dt::lower {

/// The current thread's time account, with the current time and system-call number that a new account needs. The
/// account is created if necessary. If there is no memory for the account, the drop is counted and control goes to
/// `without`.
struct BegunAccount {
    ir::Value account = ir::kNone, now = ir::kNone, call = ir::kNone;
};

/// Emits the code of `with` for the current thread's time account, and yields the result of that code. If there is no
/// memory for a time account, yields the result of `otherwise`.
ir::Value value_of_account(ClauseLowering& l, const Span& at, std::string_view who,
                           const std::function<ir::Value(const BegunAccount&)>& with,
                           const std::function<ir::Value()>& otherwise, ir::Mem yields = ir::Mem::None,
                           uint32_t region = 0);

/// Yields the current thread's time account, or 0 if the thread has none. Makes the programs that update time accounts
/// part of the object.
ir::Value own_account(ClauseLowering& l, const Span& at, std::string_view who);
/// Stores the stolen CPU time of the current thread in the thread's time account.
void update_own_steal(ClauseLowering& l, ir::Value account);

/// A time that mark() stored for the current thread: the map value with the thread's times, the number of the mark in
/// it, and the current time.
struct MarkedTime {
    ir::Value account = ir::kNone, number = ir::kNone, now = ir::kNone;
};

/// Finds the mark that breakdown() in `statement` refers to. Faults if the thread has no such mark.
MarkedTime marked_time(ClauseLowering& l, const TStmt& statement, ir::Value mark);
/// Adds the parts of the time since the mark, each multiplied by `times`, to the words of an aggregation.
void add_parts(ClauseLowering& l, const MarkedTime& marked, ir::Value words, ir::Value times);

/// Returns the index in .rodata of the struct dt_waits for this kernel, which describes the reasons for waits. The
/// first call creates the struct; after that, known_waits() yields its address.
uint32_t waits_data(ClauseLowering& l, const Span& at, std::string_view who);
ir::Value known_waits(ModuleLowering& module, ir::Builder& b);

/// The following two functions lower stack(waker) and ustack(waker). The first writes the waker's stack to `dst`, which
/// the caller has zeroed; the second returns the stack.
void waker_stack_into(ClauseLowering& l, bool user, uint32_t frames, ir::Value dst, int64_t offset);
Operand waker_stack(ClauseLowering& l, const TExpr& e);
/// Records the waker of a thread, in the memory that follows the time account of the woken thread. Used by the program
/// at sched_waking (critical_path.cpp).
void note_waker(ModuleLowering& module, ir::Builder& b, ir::Value account);
/// Records that a hardware interrupt begins (1) or ends (0) on this CPU.
void note_interrupt(ModuleLowering& module, ir::Builder& b, int64_t begins);
/// Records that a soft interrupt begins (1) or ends (0) whose work is unrelated to the interrupted thread.
void note_soft_interrupt(ModuleLowering& module, ir::Builder& b, int64_t begins);
/// Yields a non-zero value if the program runs in an interrupt whose beginning was recorded.
ir::Value in_interrupt(ModuleLowering& module, ir::Builder& b);
/// Returns the size in bytes of a time account, including the data of the waker if any clause uses wakers.
uint32_t account_size(const ModuleLowering& module);

/// Adds the programs that separate the parts of a thread's time, for each tracepoint that the kernel has. These
/// programs belong to no probe.
void add_account_programs(ModuleLowering& module);

// Requests, which are intervals that several threads work for: request_begin() and related actions, and breakdown() of
// a request (bpf-runtime/accounting/request.bpf.c).

/// Returns whether `e` denotes a request, so that breakdown() does not treat it as a mark.
bool is_request(const TExpr& e);
/// Yields the struct dt_request that `e` denotes, after adding the current thread's work. Faults if it does not exist.
ir::Value asked_request(ClauseLowering& l, const TExpr& e);
/// Adds the parts of the request's time, each multiplied by `times`, to the words of an aggregation.
void add_request_parts(ClauseLowering& l, ir::Value request, ir::Value words, ir::Value times);

/// Ends the current thread's work for a request, because the thread exits. `account` is the thread's time account.
void end_work(ModuleLowering& module, ir::Builder& b, ir::Value account, ir::Value now);

} // namespace dt::lower
