#include "dcompiler/sema/habits.hpp"

#include <algorithm>

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

namespace {

/// Returns whether the expression is arg0, arg1 or args[0], with any casts.
bool is_result(const TExpr* e)
{
    while (e->op == TOp::Cast)
        e = e->kids.front();
    return e->op == TOp::Builtin &&
           (e->builtin->name == "arg0" || e->builtin->name == "arg1" || e->builtin->name == "args");
}

bool is_minus_one(const TExpr* e)
{
    return e->op == TOp::Integer &&
           (e->value == -1 || (e->type->resolve()->size == 4 && static_cast<uint64_t>(e->value) == UINT32_MAX));
}

} // namespace

void note_comparison(Checker& checker, const TExpr* a, const TExpr* b, const Span& at)
{
    const Statement* statement = checker.here.statement;
    if (!statement || !((is_result(a) && is_minus_one(b)) || (is_result(b) && is_minus_one(a))))
        return;
    const auto returns = [](const Probe* probe) { return probe->provider == "syscall" && probe->name == "return"; };
    if (statement->probes.empty() || !std::all_of(statement->probes.begin(), statement->probes.end(), returns))
        return;
    const char* message = "a system call that fails returns the negative number of its error here, -1 only for EPERM";
    const auto& known = checker.diagnostics.warnings();
    if (std::none_of(known.begin(), known.end(), [&](const Diagnostic& warning) { return warning.message == message; }))
        checker.diagnostics.warning(checker.reports.placed(at), message,
                                    "errno != 0 tells that it failed, errno == 0 that it did not");
}

} // namespace dt::sema
