// Check hooks: functions that check single built-ins, by rules that a prototype cannot express. builtins.def names
// them.
//
// Hooks for expressions run as soon as the types in the call are known. Hooks for statements run in step 4 of
// dtrace-errors(7), WHICH ERROR COMES FIRST, for each statement. They return normally if the call is valid; reporting
// an error (Checker::fail) does not return.
#pragma once

#include "dcompiler/sema/program/program.hpp"

namespace dt::sema {

class Checker;

void check_bcopy(Checker&, TExpr& call);
void check_copyinto(Checker&, TExpr& call);
void check_enumname(Checker&, TExpr& call);
void check_getenv(Checker&, TExpr& call);
void check_inet_ntoa6(Checker&, TExpr& call);
void check_lltostr(Checker&, TExpr& call);
void check_memcmp(Checker&, TExpr& call);
void check_memstr(Checker&, TExpr& call);
void check_percpu(Checker&, TExpr& call);
void check_request(Checker&, TExpr& call);
void check_scratch(Checker&, TExpr& call);
void check_strftime(Checker&, TExpr& call);
void check_timeof(Checker&, TExpr& call);
void check_ctxattr(Checker&, TExpr& call);

void check_clear(Checker&, TStmt& call);
void check_denormalize(Checker&, TStmt& call);
void check_freopen(Checker&, TStmt& call);
void check_normalize(Checker&, TStmt& call);
void check_print(Checker&, TStmt& call);
void check_printa(Checker&, TStmt& call);
void check_printf(Checker&, TStmt& call);
void check_request_action(Checker&, TStmt& call);
void check_return(Checker&, TStmt& call);
void check_stack(Checker&, TStmt& call);
void check_system(Checker&, TStmt& call);
void check_trace(Checker&, TStmt& call);
void check_tracemem(Checker&, TStmt& call);
void check_trunc(Checker&, TStmt& call);
void check_ustack(Checker&, TStmt& call);

void check_hquantize(Checker&, TStmt& call);
void check_llquantize(Checker&, TStmt& call);
void check_lquantize(Checker&, TStmt& call);
void check_quantize(Checker&, TStmt& call);
void check_tseries(Checker&, TStmt& call);

} // namespace dt::sema
