// Requests, which are intervals that several threads work for: request_begin() and related actions, and breakdown() of
// a request (bpf-runtime/request.bpf.c).
#pragma once

#include "dcompiler/lower/module.hpp"
#include "dcompiler/sema/program.hpp"

namespace dt::lower {

class ClauseLowering;

/// Returns whether `e` denotes a request, so that breakdown() does not treat it as a mark.
bool is_request(const TExpr& e);
/// Yields the struct dt_request that `e` denotes, after adding the current thread's work. Faults if it does not exist.
ir::Value asked_request(ClauseLowering& l, const TExpr& e);
/// Adds the parts of the request's time, each multiplied by `times`, to the words of an aggregation.
void add_request_parts(ClauseLowering& l, ir::Value request, ir::Value words, ir::Value times);

/// Ends the work of the exiting current thread, whose account is `account`.
void end_work(ModuleLowering& module, ir::Builder& b, ir::Value account, ir::Value now);

} // namespace dt::lower
