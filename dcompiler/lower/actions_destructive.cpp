// Lowers actions that change the observed system: raise, stop, chill, return. Semantic analysis has checked that -w is
// set.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

constexpr int64_t kSigStop = 19; // SIGSTOP on every machine but alpha, mips, parisc and sparc

} // namespace

void lower_raise(ClauseLowering& l, const TStmt& s)
{
    l.add_record(s.action);
    l.b().call_helper(kSendSignal, {l.expressions.value(*s.args[0])});
}

void lower_stop(ClauseLowering& l, const TStmt& s)
{
    l.add_record(s.action);
    l.b().call_helper(kSendSignal, {l.b().constant(kSigStop)});
}

void lower_chill(ClauseLowering& l, const TStmt& s)
{
    constexpr uint32_t kAccountSize = 16; // struct account of bpf-runtime/chill.bpf.c
    auto& b = l.b();
    l.add_record(s.action);
    const Value ns = l.expressions.value(*s.args[0]);
    const Value refused =
        b.call_runtime("dt_chill", {cpu_value(l, l.module().maps.per_cpu("chill", kAccountSize)), ns});
    l.fault_if(Op::Ne, refused, b.constant(0), kFaultIllegalOperation, b.constant(0));
}

/// Lowers return(n): the function being entered does not run and returns n. Only error numbers are accepted, because
/// the caller must not mistake n for success.
void lower_return(ClauseLowering& l, const TStmt& s)
{
    constexpr int64_t kMostErrno = 4095; // MAX_ERRNO, include/linux/err.h
    auto& b = l.b();
    const Value n = l.expressions.value(*s.args[0]);
    l.fault_if(Op::ULt, b.constant(kMostErrno), b.unary(Op::Neg, n), kFaultIllegalOperation, b.constant(0));
    b.call_helper(kOverrideReturn, {l.context().context, n});
}

} // namespace dt::lower
