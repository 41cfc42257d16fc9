// The language's built-in names, one table entry each (builtins.def): a new built-in is a new line there and its hooks, nothing else.
#pragma once

#include <cstdint>
#include <string_view>

#include "dcompiler/sema/program.hpp"

namespace dt {

namespace sema { class Checker; }
namespace lower { class ClauseLowering; struct Operand; }

/// Hooks. `check` sees the call after arguments were typed and counted, and reports what the prototype cannot express; may be null.
/// `lower` makes IR; it lives in dcompiler/lower/, which keeps its own table made from the same builtins.def: here the field is null,
/// and `implemented` is false for a known name without implementation (D_UNKNOWN).
using CheckExpr = void (*)(sema::Checker&, TExpr& call);
using CheckStmt = void (*)(sema::Checker&, TStmt& call);
using LowerVariable = lower::Operand (*)(lower::ClauseLowering&, const TExpr&);
using LowerSubroutine = lower::Operand (*)(lower::ClauseLowering&, const TExpr&);
using LowerAction = void (*)(lower::ClauseLowering&, const TStmt&);

struct BuiltinVariable {
    std::string_view name;
    std::string_view type; ///< D type text
    Attributes attributes;
    CheckExpr check;
    LowerVariable lower;
};

struct Subroutine {
    std::string_view name;
    std::string_view prototype; ///< language reference 3.7 notation: "string (const char *, int, [int])"
    Attributes attributes;
    bool destructive;
    CheckExpr check;
    LowerSubroutine lower;
    bool implemented = true;
};

enum ActionFlags : uint32_t {
    kRecords = 1,      ///< data-recording: the clause emits a sample
    kDestructive = 2,
    kSpeculation = 4,  ///< speculate, commit, discard
    kAddress = 8,      ///< may also stand as a key or (stacks) a value
};

struct Action {
    std::string_view name;
    std::string_view prototype;
    uint32_t flags;
    CheckStmt check;
    LowerAction lower;
    bool implemented = true;
};

enum class AggKind : uint8_t { Count, Sum, Avg, Min, Max, Stddev, Quantize, Lquantize, Llquantize };

struct AggFunction {
    std::string_view name;
    std::string_view prototype;
    AggKind kind;
    CheckStmt check;
};

/// A name that older programs could not know: a program's own meaning for it wins.
bool is_extension(std::string_view name);

/// The version of D (MMmmmuuu) that had the name first: hidden when the program asks for an older one.
uint32_t introduced_in(std::string_view name);

/// Why a known action has no implementation and never will; empty for the others.
std::string_view why_refused(std::string_view action);

const BuiltinVariable* find_variable(std::string_view name);
const Subroutine* find_subroutine(std::string_view name);
const Action* find_action(std::string_view name);
const AggFunction* find_agg_function(std::string_view name);

} // namespace dt
