// The typed program: the result of semantic analysis for all source texts of a command, and the input of lowering. The
// texts of all options -n and -s share one name space.
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

struct BuiltinVariable; // forward declarations; the structs are in sema/program/builtins.hpp
struct Subroutine;
struct Action;
struct AggFunction;

enum class Scope : uint8_t { Global, Self, This };

struct Variable {
    Scope scope = Scope::Global;
    std::string name;
    const Type* type = nullptr;
    /// type of the variable in memory: `type`, or a 64-bit type if the variable is an undeclared integer
    const Type* stored = nullptr;
    std::vector<const Type*> keys; ///< types of the keys of an associative array; empty for other variables
    uint32_t index = 0;            ///< index of the variable among the variables of its scope
    Span at;                       ///< position of the declaration or of the first assignment
    /// whether the variable holds pointers to memory of alloca() or copyin() (dtrace-errors(7), D_ALLOCA_INCOMPAT)
    bool scratch_pointer = false;
};

/// Text that only the consumer knows, such as the name of a user. The program records a number, from which the consumer
/// makes the text.
struct RecordedText {
    /// if the text is the name of a control group: the built-in variable with this value
    const BuiltinVariable* variable = nullptr;
    const Subroutine* subroutine = nullptr; ///< the subroutine whose result is the text; else null
    std::string constant; ///< further constant for the conversion of the number to a text: a format, or enumerators

    explicit operator bool() const { return variable || subroutine; }
    bool operator==(const RecordedText&) const = default;
};

/// Key of an aggregation, as all uses of the aggregation together determine it. For a string, `type` is the widest type
/// that a use needs.
struct AggKey {
    const Type* type = nullptr;
    /// how the consumer makes the key's text from a recorded number, if only the consumer knows the text; equal in all
    /// uses of the aggregation
    RecordedText text;
};

struct Aggregation {
    std::string name; ///< name of the aggregation, without @
    const AggFunction* function = nullptr;
    std::vector<AggKey> keys;
    /// number of keys that the program gives; blame() adds further keys for its chain of threads
    std::size_t given_keys = 0;
    /// Constant arguments of the aggregating function. lquantize: base, limit, step; llquantize: factor, low, high,
    /// steps; hquantize: schema; tseries: interval, number of intervals, function (AggKind).
    std::vector<int64_t> parameters;
    uint32_t id = 0; ///< index of the aggregation, in the order of first appearance
    Span at;
    /// name of each key, as in the source text of the aggregation's first use; empty if it has none
    std::vector<std::string> key_names;
    bool has_chain() const { return given_keys != keys.size(); }
    bool is_signed = false; ///< whether aggregated values may be negative
    Metric metric;          ///< description of the aggregation as a metric; complete at the end of the source text
};

/// Operators of typed expressions. Integer operators work on 64 bits; values are truncated to `type` only when they are
/// stored or recorded.
enum class TOp : uint8_t {
    Integer,      // the constant `value`; with type string: the NULL string
    String,       // string constant `text` (type: string_of its length)
    Variable,     // variable, an lvalue; kids: the keys of an associative array
    Builtin,      // built-in variable; value: constant index in args[n] or uregs[n]
    KernelSymbol, // kernel symbol at address `value`: an lvalue in kernel memory with the symbol's type
    // Object to which pointer kids[0] points: an lvalue in the pointer's address space. For a per-CPU variable of the
    // kernel, `text` is its name and `value` its address without a CPU's offset.
    Deref,
    // Element kids[1] of kids[0]. If kids[0] is an lvalue of array type, the result is an lvalue, and the program
    // checks the bounds. If kids[0] is a string, the result is one of its characters.
    Index,
    Member,    // the member `member` of kids[0], which is an lvalue of struct type; the result is an lvalue
    AddressOf, // &kids[0], also the conversion of array kids[0] to a pointer
    // Conversion of kids[0] to `type`, from and to integers, enums and pointers. To void: discards the value. From a
    // string to `char *`: address of the string.
    Cast,
    // string made of kids[0], which is an integer, pointer, char array or string; its characters are read when the
    // string is used
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
    PointerAdd,      // pointer kids[0] + integer kids[1] * value; value: element size, negative for subtraction
    PointerDistance, // difference of two pointers in elements: (kids[0] - kids[1]) / value
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual, // comparison of integers, pointers or strings; for == and != also of structs and stacks
    And,
    Or,
    Xor, // logical operators with result 0 or 1 (int); And and Or evaluate the second operand only if needed
    Conditional,
    Comma,
    // Assignment kids[0] = kids[1]; with `compound` set: kids[0] = kids[0] compound kids[1]. With `post`, the
    // expression yields the old value of kids[0].
    Assign,
    Call,    // call of a subroutine: subroutine(kids)
    Address, // sym(), mod(), usym(), …, stack(), ustack() used as a key or value: action(kids)
    Bounded, // value of kids[0] as an index; a fault unless it is less than kids[1] (unsigned)
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
    /// Operator of a compound assignment; Integer means plain assignment. For PointerAdd, the node's `value` is the
    /// size of an element, negative for -=.
    TOp compound = TOp::Integer;
    bool post = false;
    /// Whether /, %, >> and < are signed, for integer operators and compound assignments. The common type of the
    /// operands determines it.
    bool is_signed = false;
    bool scratch = false; ///< whether the value is a pointer to scratch memory
    std::vector<TExpr*> kids;
};

enum class TStmtKind : uint8_t { Expression, If, Action, Aggregate };

struct TStmt {
    TStmtKind kind = TStmtKind::Expression;
    Span at;
    TExpr* expr = nullptr;               ///< for Expression: the expression; for If: its condition
    std::vector<TStmt*> then, otherwise; ///< for If: statements of its two branches
    const Action* action = nullptr;      ///< for Action: the called action
    /// For Action: the arguments that are values (printf: those after the format). For Aggregate: the arguments of the
    /// function, including constants.
    std::vector<TExpr*> args;
    std::vector<const Aggregation*> aggregations; ///< for Action: aggregations of printa, clear, trunc, normalize, …
    /// for Action: the format of printf, printa (has_format), system or freopen; the string arguments of setopt
    std::string format;
    bool has_format = false;
    const Aggregation* aggregation = nullptr; ///< for Aggregate: the aggregation
    std::vector<TExpr*> keys; ///< for Aggregate: keys, converted to its key types (strings keep their size)
};

/// A clause for one of its probe descriptions. Each such pair has an id and is compiled to a function named
/// dt_clause_<id>.
struct Statement {
    uint32_t id = 0;
    Span at; ///< position of the probe description in the source text
    /// probe description with four components, such as "syscall::read:entry", for messages
    std::string description;
    std::vector<const Probe*> probes; ///< probes that the description matches
    TExpr* predicate = nullptr;
    std::vector<TStmt*> body;
    Attributes attributes; ///< minimum of the stability attributes in body and predicate
    Attributes description_attributes;
    /// whether args[] can be used: all matched probes have the same arguments as the first one
    bool arguments_known = false;
    /// whether a firing sends a record: the clause is empty, calls speculate(), or contains an action that records
    /// data, perhaps under a condition
    bool records = false;
    bool speculates = false;          ///< whether the clause calls speculate()
    bool conditional_records = false; ///< whether an action that records data is inside an if
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

/// A probe in a provider definition (dtrace-language(7), provider); used by -h and -G.
struct DefinedProbe {
    std::string name; ///< name of the probe in D, with - in place of `__`
    std::vector<const Type*> input;
    std::vector<const Type*> output; ///< types of args[]; equal to `input` if the definition has no second list
    /// for each type in `output`, the index in `input` of the parameter with its value
    std::vector<uint8_t> mapping;
    std::vector<std::string> declared; ///< input types in C, with qualifiers
};

struct DefinedProvider {
    std::string name;
    Span at;
    std::vector<DefinedProbe> probes;
    ProviderAttributes attributes; ///< stability attributes that #pragma D attributes … provider sets
};

/// Result of the semantic analysis of all source texts of a command.
struct Program {
    std::shared_ptr<TypeTable> types;
    std::deque<TExpr> exprs; ///< memory of the nodes, which keep their addresses
    std::deque<TStmt> stmts;
    std::deque<Variable> variables;
    std::deque<Aggregation> aggregations;
    std::deque<Statement> statements;
    std::deque<DefinedProvider> providers;
    /// options that pragmas in the source texts set, in order
    std::vector<std::pair<std::string, std::optional<std::string>>> pragmas;

    TExpr* expr() { return &exprs.emplace_back(); }
    TStmt* stmt() { return &stmts.emplace_back(); }
};

// Printer of the typed program, for tests and debugging. Each statement is a line; expressions are in prefix form with
// their types.

/// Return a string such as "(Add:long x:int (Cast:int 3))": operator, type, operands; variables by name, constants by
/// value.
std::string to_string(const TExpr& expr);
std::string to_string(const TStmt& stmt);
std::string to_string(const Statement& statement);

} // namespace dt
