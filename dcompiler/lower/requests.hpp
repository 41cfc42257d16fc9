// Requests, intervals that any number of threads work for: request_begin() and its like, and what breakdown() asks
// (bpf-runtime/request.bpf.c).
#pragma once

#include "dcompiler/lower/module.hpp"
#include "dcompiler/sema/program.hpp"

namespace dt::lower {

class ClauseLowering;

/// Whether `e` names a request, so that breakdown() of it is not that of a mark.
bool is_request(const TExpr& e);
/// The struct dt_request that `e` names, with what the current thread has done for it; a fault where there is none.
ir::Value asked_request(ClauseLowering& l, const TExpr& e);
/// Adds its parts, each `times`, to the words of an aggregation.
void add_request_parts(ClauseLowering& l, ir::Value request, ir::Value words, ir::Value times);

/// The thread of `account`, the current one, ends: it works for no request any more.
void end_work(ModuleLowering& module, ir::Builder& b, ir::Value account, ir::Value now);

} // namespace dt::lower
