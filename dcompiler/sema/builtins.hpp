// The language's built-in names, one table entry each (builtins.def): a new built-in is a new line there and its hooks,
// nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dcompiler/sema/program.hpp"

namespace dt {

namespace sema {
class Checker;
}

/// Hooks that see a call after its arguments were typed and counted, and report what the prototype cannot express; may
/// be null.
using CheckExpr = void (*)(sema::Checker&, TExpr& call);
using CheckStmt = void (*)(sema::Checker&, TStmt& call);

/// What sema or lowering must know of a variable beyond its type.
enum class VariableRole : uint8_t {
    Plain,
    Arguments,  ///< args[], an array: has elements and no value of its own
    Registers,  ///< uregs[], the same
    ThreadName, ///< text of at most kThreadName bytes, its NUL included
    CurrentCpu, ///< its members are read without going through its address
    Clock,      ///< read once in a clause, before anything else, as CpuClock is
    CpuClock,
    Waker,         ///< stack() and ustack() take it, for its frames
    ProbeProvider, ///< a component of the probe's name, as the three that follow
    ProbeModule,
    ProbeFunction,
    ProbeName,
    UnitName, ///< text that only the consumer knows, by the control group: recorded, and no value of expressions
    ContainerId,
    ContainerName,
    PodName,
    PodNamespace,
};

inline constexpr uint32_t kThreadName = 16; ///< sizeof task_struct.comm

struct BuiltinVariable {
    std::string_view name;
    std::string_view type; ///< D type text
    Attributes attributes;
    uint32_t since; ///< version of D (MMmmmuuu) that had the name first: hidden when the program asks for an older one
    VariableRole role;
    uint8_t index; ///< its place in a table made from builtins.def

    bool is_array() const { return role == VariableRole::Arguments || role == VariableRole::Registers; }
    bool is_only_recorded() const { return role >= VariableRole::UnitName; }
};

enum BuiltinFlags : uint32_t {
    kDestructive = 1,
    // of actions
    kRecords = 2,     ///< data-recording: the clause emits a sample
    kSpeculation = 4, ///< speculate, commit, discard
    kSpeculates = 8,  ///< from here on the clause's sample belongs to a speculation
    kCommits = 16,
    kAddress = 32,     ///< may also stand as a key or (stacks) a value
    kStack = 64,       ///< frames, not one address
    kOfProcess = 128,  ///< addresses of the process, not of the kernel
    kModuleOnly = 256, ///< an address of which only the module is shown
    kExactly = 512,    ///< an address that two symbols' offsets keep apart
    kExits = 1024,     ///< ends the run
    kOverrides = 2048, ///< answers in place of the kernel
    kSetsOption = 4096,
    kShows = 8192,    ///< shows its arguments as they are recorded: those may be names that only the consumer knows
    kFreezes = 16384, ///< what waits to be printed is printed now
    kOfWaker = 32768, ///< frames of the thread that ended the last wait of this one
    // of subroutines
    kMayBeNull = 1 << 16,    ///< a string that may be NULL
    kGivesScratch = 1 << 17, ///< scratch memory of as many bytes as its last argument says
    kTokens = 1 << 18,       ///< keeps the text it takes apart until the firing ends
    kPiece = 1 << 19,        ///< what its first argument has from the second one on, and of that no more than the third
    kProcessText = 1 << 20,  ///< the text at its first argument in the memory of the process that fired
    kOfRequest = 1 << 21,    ///< a request: breakdown() of it is that of all threads that worked for it
};

struct Subroutine {
    std::string_view name;
    std::string_view prototype; ///< as builtins.def writes it: "string (const char *, int, [int])"
    Attributes attributes;
    uint32_t since;
    uint32_t flags;
    CheckExpr check;
    uint8_t index;
    std::string_view why_refused = {}; ///< why nothing implements it; empty: it is implemented

    bool has(BuiltinFlags flag) const { return (flags & flag) != 0; }
};

struct Action {
    std::string_view name;
    std::string_view prototype;
    uint32_t since;
    uint32_t flags;
    CheckStmt check;
    uint8_t index;
    std::string_view why_refused = {};

    bool has(BuiltinFlags flag) const { return (flags & flag) != 0; }
};

enum class AggKind : uint8_t {
    Count,
    Sum,
    Avg,
    Min,
    Max,
    Stddev,
    Quantize,
    Lquantize,
    Llquantize,
    Hquantize,
    Breakdown,
    Blame
};

/// Is what it comes to a sum of what was added?
constexpr bool is_sum(AggKind kind)
{
    return kind == AggKind::Sum || kind == AggKind::Blame;
}

struct AggFunction {
    std::string_view name;
    std::string_view prototype;
    uint32_t since;
    AggKind kind;
    CheckStmt check;
};

/// A version of D as its options and pragmas have it: MMmmmuuu.
constexpr uint32_t d_version(uint32_t major, uint32_t minor, uint32_t micro = 0)
{
    return major << 24 | minor << 12 | micro;
}

/// Names from this version on are unknown to older programs: a program's own meaning for such a variable or subroutine
/// wins.
inline constexpr uint32_t kFirstExtensions = d_version(2, 0);

/// The tables, in the order of builtins.def.
std::span<const BuiltinVariable> builtin_variables();
std::span<const Subroutine> subroutines();
std::span<const Action> actions();
std::span<const AggFunction> agg_functions();

/// Null for a name that is not in the table.
const BuiltinVariable* find_variable(std::string_view name);
const Subroutine* find_subroutine(std::string_view name);
const Action* find_action(std::string_view name);
const AggFunction* find_agg_function(std::string_view name);

} // namespace dt
