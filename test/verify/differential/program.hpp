// A D program as a tree that can be printed as D, evaluated by the rules of the language, and reduced when it shows a
// bug.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dt::differential {

/// Type of an expression: an index into kIntegers, or kText for strings.
using TypeId = uint8_t;

struct IntegerType {
    const char* name;
    uint8_t bits;
    bool is_signed;
};
inline constexpr IntegerType kIntegers[] = {
    {"char", 8, true}, {"unsigned char", 8, false}, {"short", 16, true}, {"unsigned short", 16, false},
    {"int", 32, true}, {"unsigned int", 32, false}, {"long", 64, true},  {"unsigned long", 64, false},
};
inline constexpr TypeId kChar = 0, kInt = 4, kUnsigned = 5, kLong = 6, kUnsignedLong = 7, kText = 8;

/// Narrows a value to its type and extends it to 64 bits.
int64_t narrow(int64_t value, TypeId type);

/// Returns the type after the usual arithmetic conversions (dtrace-language(7), TYPES): rank is the width, plus one if
/// unsigned; integers are not promoted to int.
TypeId usual(TypeId a, TypeId b);

enum class Op : uint8_t {
    Literal,
    Text,
    Null,
    Variable,
    Element,
    Plus,
    Negate,
    BitNot,
    Not,
    Cast,
    SizeOf,
    Multiply,
    Divide,
    Modulo,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Xor,
    Or,
    Conditional,
    Comma,
    Assign,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    Call,
};

enum class Function : uint8_t {
    Strlen,
    Index,
    Rindex,
    Strtoll,
    Substr,
    Strjoin,
    Lltostr,
    Toupper,
    Tolower,
    Strstr,
    Strcasestr,
    Strchr,
    Strrchr,
    Basename,
    Dirname
};

struct Expr {
    Op op = Op::Literal;
    TypeId type = kInt;
    int64_t value = 0;        ///< for a Literal: its value
    std::string text;         ///< for a Text: its characters; for a Literal: the literal as written
    uint32_t variable = 0;    ///< for a Variable or an Element: index of the variable
    Op compound = Op::Assign; ///< operator of a compound assignment (Assign)
    Function function = Function::Strlen;
    bool parentheses = false;                ///< whether the expression is printed with redundant parentheses
    std::vector<std::unique_ptr<Expr>> kids; ///< operands; for an Element: its keys or its index
};
using ExprPtr = std::unique_ptr<Expr>;

ExprPtr clone(const Expr& e);
/// Returns whether the compiler can compute the value of an expression. If so, it must not be used as a divisor of
/// value 0; as condition of ?:, it would select one branch at compile time.
bool is_constant(const Expr& e);

enum class Scope : uint8_t { Global, Self, This };

struct Variable {
    Scope scope = Scope::Global;
    std::string name;
    TypeId type = kInt;
    std::vector<TypeId> keys; ///< types of the keys of an associative array
    uint32_t count = 0;       ///< number of elements of a scalar array
    bool declared = true;     ///< true: the program declares the variable; false: its first assignment creates it
    bool fixed = false;       ///< whether the variable is assigned once, in the first clause

    bool plain() const { return keys.empty() && count == 0; }
};

enum class AggKind : uint8_t { Count, Sum, Min, Max, Avg, Stddev, Quantize, Lquantize, Hquantize };

struct Aggregation {
    std::string name;
    AggKind kind = AggKind::Count;
    std::vector<TypeId> keys;
};

struct Stmt {
    enum class Kind : uint8_t { Expression, Trace, Printf, If, Aggregate } kind = Kind::Expression;
    /// expressions of the statement. Trace, Expression: one; Printf: all arguments; If: the condition; Aggregate: the
    /// keys, followed by the value if the function has one
    std::vector<ExprPtr> exprs;
    std::vector<std::unique_ptr<Stmt>> then, otherwise;
    uint32_t aggregation = 0;
};
using StmtPtr = std::unique_ptr<Stmt>;

struct Clause {
    bool on_error = false; ///< true: a clause of the probe ERROR; false: a clause of BEGIN
    ExprPtr predicate;     ///< null if the clause has no predicate
    std::vector<StmtPtr> body;
};

struct Program {
    uint64_t strsize = 256;
    std::vector<Variable> variables;
    std::vector<Aggregation> aggregations;
    std::vector<Clause> clauses; ///< clauses of the probe BEGIN, followed by those of ERROR
};

std::string to_d(const Expr& e, const Program& program);
std::string to_d(const Program& program);

} // namespace dt::differential
