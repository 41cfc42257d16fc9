// Tables of the functions that lower built-ins. builtins.def contains the names of the functions: they are first
// declared, and then entered in the tables in the order of that file.
#include "dcompiler/lower/core/hooks.hpp"

namespace dt::lower {

#define DT_VARIABLE(name, type, attributes, since, role, lower) Operand lower(ClauseLowering&, const TExpr&);
#define DT_SUBROUTINE(name, prototype, attributes, since, flags, check, lower)                                         \
    Operand lower(ClauseLowering&, const TExpr&);
#define DT_ACTION(name, prototype, since, flags, check, lower, run) void lower(ClauseLowering&, const TStmt&);
#include "dcompiler/sema/program/builtins.def"

namespace {

constexpr LowerExpr kVariables[] = {
#define DT_VARIABLE(name, type, attributes, since, role, lower) lower,
#include "dcompiler/sema/program/builtins.def"
};

constexpr LowerExpr kSubroutines[] = {
#define DT_SUBROUTINE(name, prototype, attributes, since, flags, check, lower) lower,
#include "dcompiler/sema/program/builtins.def"
};

constexpr LowerAction kActions[] = {
#define DT_ACTION(name, prototype, since, flags, check, lower, run) lower,
#include "dcompiler/sema/program/builtins.def"
};

} // namespace

LowerExpr hook(const BuiltinVariable& variable)
{
    return kVariables[variable.index];
}
LowerExpr hook(const Subroutine& subroutine)
{
    return kSubroutines[subroutine.index];
}
LowerAction hook(const Action& action)
{
    return kActions[action.index];
}

} // namespace dt::lower
