// The language's built-in names; each has one entry in the tables (builtins.def). A new built-in needs only a line
// there, and the functions that check and lower it (hooks).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "dcompiler/sema/program/program.hpp"

namespace dt {

namespace sema {
class Checker;
}

/// Functions that check a call by rules that the prototype cannot express. They run when the number and types of the
/// arguments are known. Null for built-ins without such rules.
using CheckExpr = void (*)(sema::Checker&, TExpr& call);
using CheckStmt = void (*)(sema::Checker&, TStmt& call);

/// Properties of a variable beyond its type, for semantic analysis and lowering.
enum class VariableRole : uint8_t {
    Plain,
    Arguments,  ///< args[], an array that has elements but no value of its own
    Registers,  ///< uregs[], an array like args[]
    Locals,     ///< variables of the traced program: a structure whose members depend on the probe
    ThreadName, ///< thread's name: a string of at most kThreadName bytes, including its NUL
    CurrentCpu, ///< curcpu: programs read its members directly and do not need its address
    Clock,      ///< a clock that a clause reads only once, at its start; also applies to CpuClock
    CpuClock,
    Waker,         ///< `waker`: as an argument, makes stack() and ustack() record the waker's frames
    ProbeProvider, ///< provider of the probe's name; the following three are the other components
    ProbeModule,
    ProbeFunction,
    ProbeName,
    /// The value is a name that belongs to a control group, and only the consumer can find it. Programs can record the
    /// variable, but not compute with it.
    UnitName,
    ContainerId,
    ContainerName,
    PodName,
    PodNamespace,
};

/// TExpr::value of a use of `locals` that yields a variable's address. Other uses yield the variable's value, or a
/// structure of all variables if the name TExpr::text is empty.
inline constexpr int64_t kAddressOfLocal = 1;

inline constexpr uint32_t kThreadName = 16; ///< size of the kernel's task_struct.comm

/// Maximum length of the name in getenv(): the name and a "=" must fit in 64 bytes (bpf-runtime/strings/getenv.bpf.c).
inline constexpr std::size_t kLongestEnvironmentName = 63;

struct BuiltinVariable {
    std::string_view name;
    std::string_view type; ///< type of the variable, in D syntax
    Attributes attributes;
    /// D version (MMmmmuuu) that introduced the name. The name is undefined in programs that request an older version.
    uint32_t since;
    VariableRole role;
    uint8_t index; ///< index of the name in tables that are generated from builtins.def

    bool is_array() const { return role == VariableRole::Arguments || role == VariableRole::Registers; }
    bool is_only_recorded() const { return role >= VariableRole::UnitName; }
};

enum BuiltinFlags : uint32_t {
    kDestructive = 1,
    // Flags of actions:
    kRecords = 2,     ///< the action records data, so a firing sends a sample
    kSpeculation = 4, ///< the action is one of speculate(), commit() and discard()
    kSpeculates = 8,  ///< data that the clause records after this action belong to a speculation
    kCommits = 16,
    kAddress = 32,     ///< the action may also be a key of an aggregation; one that records a stack may also be a value
    kStack = 64,       ///< the action records several frames and not a single address
    kOfProcess = 128,  ///< the addresses are those of the process and not of the kernel
    kModuleOnly = 256, ///< the action records an address; only its module is printed
    kExactly = 512,    ///< the action records an address; it is printed with its offset in the function
    kExits = 1024,     ///< the action ends the run
    kOverrides = 2048, ///< the action replaces the result of the probed kernel function
    kSetsOption = 4096,
    /// the action prints its arguments; they may be variables whose printed form only the consumer can find
    kShows = 8192,
    kFreezes = 16384, ///< when the consumer reads this action's record, it prints the content of the flight recorder
    kOfWaker = 32768, ///< the action records the frames of the thread that ended the current thread's last wait
    // Flags of subroutines:
    kMayBeNull = 1 << 16,    ///< the result is a string that may be NULL
    kGivesScratch = 1 << 17, ///< the result is scratch memory; the last argument is the number of bytes
    kTokens = 1 << 18,       ///< the subroutine splits a string into tokens and keeps it until the firing ends
    /// The subroutine returns a part of its first argument. The second argument is the position where the part begins;
    /// a third argument limits its length.
    kPiece = 1 << 19,
    /// The first argument is an address in the memory of the current process. The subroutine returns a copy of the
    /// string at that address.
    kProcessText = 1 << 20,
    /// The subroutine's argument is the key of a request, that is, work that several threads serve. breakdown() of the
    /// call covers all these threads.
    kOfRequest = 1 << 21,
    // Subroutines whose result is a text that only the consumer knows. The program records the number in the last
    // argument, and no expression can compute with the text.
    kTimeText = 1 << 23,  ///< the result is a time in the format that is the first argument
    kUserText = 1 << 24,  ///< the result is the name of a user
    kGroupText = 1 << 25, ///< the result is the name of a group
    kEnumText = 1 << 26,  ///< the result is the name of an enumerator
    kOnlyRecorded = kTimeText | kUserText | kGroupText | kEnumText,
    // Further flag of actions:
    kOfInterpreters = 1 << 22, ///< the stack contains frames of an interpreted program instead of the interpreter's
};

struct Subroutine {
    std::string_view name;
    std::string_view prototype; ///< prototype as in builtins.def: "string (const char *, int, [int])"
    Attributes attributes;
    uint32_t since;
    uint32_t flags;
    CheckExpr check;
    uint8_t index;
    std::string_view why_refused = {}; ///< reason why the name is not implemented; else empty

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
    Blame,
    Tseries
};

/// Returns whether the value of the aggregating function is a sum of the added values.
constexpr bool is_sum(AggKind kind)
{
    return kind == AggKind::Sum || kind == AggKind::Blame;
}

/// Returns whether tseries() can apply the aggregating function to the values of an interval. The numbers of these
/// enumerators must not change: object files and the results of hosts contain them as parameters of tseries().
constexpr bool is_interval_function(AggKind kind)
{
    return kind <= AggKind::Max;
}
static_assert(static_cast<int>(AggKind::Count) == 0 && static_cast<int>(AggKind::Sum) == 1 &&
              static_cast<int>(AggKind::Avg) == 2 && static_cast<int>(AggKind::Min) == 3 &&
              static_cast<int>(AggKind::Max) == 4);

struct AggFunction {
    std::string_view name;
    std::string_view prototype;
    uint32_t since;
    AggKind kind;
    CheckStmt check;
};

/// Returns a D version as the number that options and pragmas use: MMmmmuuu.
constexpr uint32_t d_version(uint32_t major, uint32_t minor, uint32_t micro = 0)
{
    return major << 24 | minor << 12 | micro;
}

/// First version of D with names that other DTraces do not have. In programs that request an older version, these names
/// are undefined. A program's own variable or subroutine of such a name has priority.
inline constexpr uint32_t kFirstExtensions = d_version(2, 0);

/// The following functions return the tables of built-ins in the order of builtins.def.
std::span<const BuiltinVariable> builtin_variables();
std::span<const Subroutine> subroutines();
std::span<const Action> actions();
std::span<const AggFunction> agg_functions();

/// If the value of an expression is a text that only the consumer knows, returns the description of the recorded
/// number. Returns an empty RecordedText for other expressions.
RecordedText recorded_text(const TExpr& e);

/// The following functions return the table entry of a name, or null.
const BuiltinVariable* find_variable(std::string_view name);
const Subroutine* find_subroutine(std::string_view name);
const Action* find_action(std::string_view name);
const AggFunction* find_agg_function(std::string_view name);

} // namespace dt
