// The typed program: the result of sema for all source texts of a run (those of all options -n and -s share one name
// space), and the input of lowering.
//
// In the typed program, every name is resolved, every inline and translated member is expanded in place, and implicit
// conversions are Cast nodes. A clause with N descriptions has become N statements (dtrace-language(7), Clauses).
// Lowering needs no name lookup.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/interface/types.hpp"
#include "dcompiler/interface/world.hpp"
#include "dcompiler/sema/program/metric.hpp"

namespace dt {

struct BuiltinVariable; // forward declarations of the table entries in sema/program/builtins.hpp
struct Subroutine;
struct Action;
struct AggFunction;

enum class Scope : uint8_t { Global, Self, This };

struct Variable {
    Scope scope = Scope::Global;
    std::string name;
    const Type* type = nullptr;
    /// type of the variable in memory: `type`, or a type of 64 bits for an undeclared integer
    const Type* stored = nullptr;
    std::vector<const Type*> keys; ///< types of the keys of an associative array; empty for other variables
    uint32_t index = 0;            ///< index of the variable in the list of variables of its scope
    Span at;                       ///< position of the declaration or first assignment
    /// whether the variable holds alloca()/copyin() pointers (dtrace-errors(7), D_ALLOCA_INCOMPAT)
    bool scratch_pointer = false;
};

/// Text that only the consumer knows. The program records a number, and the consumer converts it.
struct RecordedText {
    /// the built-in variable that yields the text, if the text is the name of a control group
    const BuiltinVariable* variable = nullptr;
    const Subroutine* subroutine = nullptr; ///< the subroutine, if the text is its result
    std::string constant; ///< constant that the conversion needs besides the number: a format, or enumerators

    explicit operator bool() const { return variable || subroutine; }
    bool operator==(const RecordedText&) const = default;
};

/// Component of an aggregation's key, merged over all uses. For strings, `type` is the widest type that any use needs.
struct AggKey {
    const Type* type = nullptr;
    /// the text of the key, if only the consumer knows it; all uses of the aggregation must have the same text
    RecordedText text;
};

struct Aggregation {
    std::string name; ///< name of the aggregation, without @
    const AggFunction* function = nullptr;
    std::vector<AggKey> keys;
    /// number of keys that each use gives; for blame(), further keys for the chain of threads follow these keys
    std::size_t given_keys = 0;
    /// Constant parameters. lquantize: base, limit, step; llquantize: factor, low, high, steps; hquantize: schema.
    std::vector<int64_t> parameters;
    uint32_t id = 0; ///< index of the aggregation; aggregations are numbered in the order of their first appearance
    Span at;
    /// names of the keys, taken from the source text of the aggregation's first use; an empty string means no name
    std::vector<std::string> key_names;
    bool has_chain() const { return given_keys != keys.size(); }
    bool is_signed = false; ///< whether aggregated values may be negative
    Metric metric;          ///< description of the aggregation as a metric, set at the end of the source text
};

/// Operators of typed expressions. Integer operators work on 64 bits; `type` is the type to which the value is
/// truncated when it is stored or recorded.
enum class TOp : uint8_t {
    Integer,      // constant `value`; with a string type: the NULL string
    String,       // string constant `text` (type: string_of its length)
    Variable,     // variable, an lvalue; kids: the keys if it is an associative array
    Builtin,      // built-in variable; value: constant index for args[n], uregs[n]
    KernelSymbol, // kernel symbol at address `value`: an lvalue of the symbol's type in kernel memory
    // *kids[0]: an lvalue in the address space to which the pointer points; for a per-CPU variable of the kernel,
    // `text` is its name and `value` its address without the offset of a CPU
    Deref,
    // kids[0][kids[1]]: kids[0] is an lvalue of array type (bounds are checked), and the result is an lvalue; or a
    // string, and the result is one of its characters.
    Index,
    Member,    // member `member` of kids[0], an lvalue of struct type; is an lvalue too
    AddressOf, // &kids[0]; also the result of array decay
    // Conversion of kids[0] to `type`, from and to integers, enums and pointers. To void: discards the value. From a
    // string to `char *`: address of the string.
    Cast,
    // string of kids[0], an integer, pointer, char array or string; its characters are read when the value is used
    StringOf,
    Negate,
    BitNot,
    Not,
    Multiply,
    Divide,
    Modulo,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    PointerAdd,      // pointer kids[0] + integer kids[1] * value (value: element size, negative for subtraction)
    PointerDistance, // (kids[0] - kids[1]) / value
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual, // comparison; operands are integers, pointers or strings; for equality also structs and stacks
    And,
    Or,
    Xor, // logical operators, whose result is int 0 or 1; And and Or short-circuit
    Conditional,
    Comma,
    // Assignment kids[0] = kids[1]; with `compound` set: kids[0] = kids[0] compound kids[1]. With `post`, the
    // expression yields the old value of kids[0].
    Assign,
    Call,    // call of a subroutine: subroutine(kids)
    Address, // sym(), mod(), usym(), …, stack(), ustack() as a key or value: action(kids)
    Bounded, // index kids[0]; a fault unless it is less than kids[1], both unsigned
};

/// Returns whether the operator computes an integer from two integer operands.
constexpr bool is_arithmetic(TOp op)
{
    return op >= TOp::Multiply && op <= TOp::BitXor;
}

constexpr bool is_comparison(TOp op)
{
    return op >= TOp::Equal && op <= TOp::GreaterEqual;
}

struct TExpr {
    TOp op = TOp::Integer;
    const Type* type = nullptr;
    Span at;
    int64_t value = 0;
    std::string text;
    const Variable* variable = nullptr;
    const BuiltinVariable* builtin = nullptr;
    const Subroutine* subroutine = nullptr;
    const Action* action = nullptr;
    const Member* member = nullptr;
    /// Operator of a compound assignment; Integer means plain assignment. For PointerAdd, the node's value is the
    /// element size, negative for subtraction.
    TOp compound = TOp::Integer;
    bool post = false;
    /// For integer operators and compound assignments: whether /, %, >> and < are signed, which depends on the
    /// operands' common type.
    bool is_signed = false;
    bool scratch = false; ///< whether the value is a pointer into scratch memory
    std::vector<TExpr*> kids;
};

enum class TStmtKind : uint8_t { Expression, If, Action, Aggregate };

struct TStmt {
    TStmtKind kind = TStmtKind::Expression;
    Span at;
    TExpr* expr = nullptr;               ///< for Expression: the expression; for If: the condition
    std::vector<TStmt*> then, otherwise; ///< for If: statements of the two branches
    const Action* action = nullptr;      ///< for Action: the called action
    /// For Action: value arguments (printf: those after the format). For Aggregate: arguments of the function,
    /// including constants.
    std::vector<TExpr*> args;
    std::vector<const Aggregation*> aggregations; ///< for Action: aggregations of printa, clear, trunc, normalize, …
    /// for Action: format of printf, printa (with_format), system, freopen; string arguments of setopt
    std::string format;
    bool has_format = false;
    const Aggregation* aggregation = nullptr; ///< for Aggregate: the aggregation
    std::vector<TExpr*> keys; ///< for Aggregate: keys, converted to the aggregation's key types (strings: not widened)
};

/// A pair of a clause and one of its probe descriptions: each pair has an id and is compiled to a function named
/// dt_clause_<id>.
struct Statement {
    uint32_t id = 0;
    Span at; ///< position of the probe description
    /// probe description with four components, such as "syscall::read:entry", for messages
    std::string description;
    std::vector<const Probe*> probes; ///< probes that the description matches
    TExpr* predicate = nullptr;
    std::vector<TStmt*> body;
    Attributes attributes; ///< minimum of the stability attributes of body and predicate
    Attributes description_attributes;
    /// whether args[] is usable, because all matched probes have the first probe's arguments
    bool arguments_known = false;
    /// whether a firing emits a record, because some path has an action that records data or because the clause is
    /// empty
    bool records = false;
    bool speculates = false;          ///< whether the clause calls speculate()
    bool conditional_records = false; ///< whether a recording action is inside an if
    bool destructive = false;
    std::string_view destructive_name; ///< name of the first destructive action or subroutine
    bool overrides = false;            ///< whether the clause calls return()
    std::set<std::string> variables;   ///< names of the traced program's variables that the clause reads
    uint32_t program = 0;              ///< index of the source text that contains the clause

    void note_destructive(std::string_view name)
    {
        destructive_name = destructive ? destructive_name : name;
        destructive = true;
    }
};

/// Probe of a provider definition (dtrace-language(7), provider), used by -h and -G.
struct DefinedProbe {
    std::string name; ///< name of the probe, with `__` replaced by `-`
    std::vector<const Type*> input;
    std::vector<const Type*> output; ///< types of args[]; equal to `input` if the definition has only one list
    /// for each type in `output`, the index in `input` of the parameter that provides the value
    std::vector<uint8_t> mapping;
    std::vector<std::string> declared; ///< input types in C, with qualifiers
};

struct DefinedProvider {
    std::string name;
    Span at;
    std::vector<DefinedProbe> probes;
    ProviderAttributes attributes; ///< stability attributes set by #pragma D attributes … provider
};

/// Result of checking all source texts of a run.
struct Program {
    std::shared_ptr<TypeTable> types;
    std::deque<TExpr> exprs; ///< memory of the nodes, which never move
    std::deque<TStmt> stmts;
    std::deque<Variable> variables;
    std::deque<Aggregation> aggregations;
    std::deque<Statement> statements;
    std::deque<DefinedProvider> providers;
    /// options that the source texts set by pragmas, in order
    std::vector<std::pair<std::string, std::optional<std::string>>> pragmas;

    TExpr* expr() { return &exprs.emplace_back(); }
    TStmt* stmt() { return &stmts.emplace_back(); }
};

} // namespace dt
