// Where the time of a thread goes: mark(), breakdown(), and the programs that keep the account
// (bpf-runtime/account.bpf.c).
#pragma once

#include <functional>
#include <string_view>

#include "bpf-runtime/account.h"
#include "dcompiler/lower/clause_state.hpp"
#include "dcompiler/lower/module.hpp"
#include "dcompiler/sema/program.hpp"

namespace dt::lower {

class ClauseLowering;

/// The account of the current thread, which is made where there is none, and what its first use wants to know. Where
/// there is no memory for one, the drop is counted and control goes to `without`.
struct BegunAccount {
    ir::Value account = ir::kNone, now = ir::kNone, call = ir::kNone;
};
BegunAccount begun_account(ClauseLowering& l, const Span& at, std::string_view who, ir::BlockId without);

/// What `with` makes of the account of the current thread; where there is no memory for one, what `otherwise` gives.
ir::Value value_of_account(ClauseLowering& l, const Span& at, std::string_view who,
                           const std::function<ir::Value(const BegunAccount&)>& with,
                           const std::function<ir::Value()>& otherwise, ir::Mem yields = ir::Mem::None,
                           uint32_t region = 0);

/// The account of the current thread, or 0; its programs are there from then on. Tells it what begun_account() would.
ir::Value own_account(ClauseLowering& l, const Span& at, std::string_view who);
/// What the hypervisor has taken of the CPU of the current thread so far is told to its account.
void tell_own_steal(ClauseLowering& l, ir::Value account);

/// A mark that the current thread has, and the time since when it is asked about.
struct MarkedTime {
    ir::Value account = ir::kNone, number = ir::kNone, now = ir::kNone;
};

/// Finds the mark that breakdown() in `statement` is asked about; a fault where the thread has no such mark.
MarkedTime marked_time(ClauseLowering& l, const TStmt& statement, ir::Value mark);
/// Adds the parts of the time since then, each `times`, to the words of an aggregation.
void add_parts(ClauseLowering& l, const MarkedTime& marked, ir::Value words, ir::Value times);

/// The struct dt_waits of this kernel, in .rodata; and its address where a clause has asked for it.
uint32_t waits_data(ClauseLowering& l, const Span& at, std::string_view who);
ir::Value known_waits(ModuleLowering& module, ir::Builder& b);

/// stack(waker), ustack(waker): the recorded form, into what is zero, and a value.
void waker_stack_into(ClauseLowering& l, bool user, uint32_t frames, ir::Value dst, int64_t offset);
Operand waker_stack(ClauseLowering& l, const TExpr& e);
/// Notes who ends a wait of the thread that the program at sched_waking is about: behind its account (waker.cpp).
void note_waker(ModuleLowering& module, ir::Builder& b, ir::Value account);
/// Notes that an interrupt of the hardware begins (1) or ends (0) on this CPU.
void note_interrupt(ModuleLowering& module, ir::Builder& b, int64_t begins);
/// And one of the software's, that has nothing to do with the thread in whose place it runs.
void note_soft_interrupt(ModuleLowering& module, ir::Builder& b, int64_t begins);
/// Not 0 where the program runs in an interrupt that was noted.
ir::Value in_interrupt(ModuleLowering& module, ir::Builder& b);
/// How large the value of a thread is, with what clauses have turned out to want of wakers.
uint32_t account_size(const ModuleLowering& module);

/// Adds the programs that tell parts from each other, as far as the kernel has tracepoints for them. They serve no
/// probe.
void add_account_programs(ModuleLowering& module);

} // namespace dt::lower
