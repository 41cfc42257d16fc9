// Syntax tree with unresolved names and types. Nodes are in the memory of the Ast and never move.
//
// An expression has a kind, a string or a number if the kind needs one, and its operands in source order. The tree does
// not interpret names: the semantic analysis (sema) decides whether `x` is a variable, an inline or an enumerator. D's
// grammar forces one exception (dtrace-language(7), Probe descriptions, and C's typedef problem): the parser asks
// TypeNames whether an identifier names a type.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dcompiler/interface/diagnostics.hpp"

namespace dt::ast {

struct Declarator;
struct DeclSpec;
struct TypeName;

enum class ExprKind : uint8_t {
    Integer, // integer or character constant: value, suffix (unsigned_suffix, longs) and base (`decimal`)
    String,  // string constant; text: its content with resolved escapes
    // Identifier. `text` is the name of a global variable, built-in, enumerator or inline, a symbol with backquotes, or
    // `self` or `this` without an arrow.
    Identifier,
    Self,        // variable; text: name after self->
    This,        // variable; text: name after this->
    Aggregation, // aggregation; text: name without @ ("_" for @ alone)
    Macro,       // macro variable with a name ($pid, $target, …); text: the name; number: the value
    Index,       // subscript: kids[0][kids[1], …]
    Call,        // call: kids[0](kids[1], …)
    Member,      // member access: kids[0].text
    Arrow,       // member access: kids[0]->text
    Unary,       // prefix operator `op` before kids[0]: * & + - ~ ! ++ --
    Postfix,     // postfix operator `op` (++ or --) after kids[0]
    Binary,      // binary operator: kids[0] op kids[1]
    Assign,      // assignment by `op` (= += …): kids[0], kids[1]
    Conditional, // kids[0] ? kids[1] : kids[2]
    Comma,       // comma operator: kids[0], kids[1]
    Cast,        // cast: (type) kids[0]
    SizeofExpr,  // sizeof kids[0]; text: NAME, for sizeof (NAME), which may be a type
    SizeofType,  // sizeof (type)
    Offsetof,    // offsetof: `type`, and the member's name in `text`
    Stringof,    // stringof (kids[0])
    Xlate,       // translation: xlate<type>(kids[0])
};

/// Operators, named after their usual English names.
enum class Operator : uint8_t {
    None,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Ampersand,
    Pipe,
    Caret,
    Tilde,
    Not,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    AndAnd,
    OrOr,
    XorXor,
    Increment,
    Decrement,
    Assign,
    AssignAdd,
    AssignSub,
    AssignMul,
    AssignDiv,
    AssignMod,
    AssignAnd,
    AssignOr,
    AssignXor,
    AssignShl,
    AssignShr,
};

struct Expr {
    ExprKind kind = ExprKind::Integer;
    Operator op = Operator::None;
    /// Position of the operator or first token of the construct, to which the caret of an error points. Its line number
    /// follows the rule for error lines (dtrace-errors(7), LINES OF A MESSAGE).
    Span at;
    std::string text;
    uint64_t number = 0;
    bool unsigned_suffix = false; ///< Integer: the suffix has a u
    bool decimal = true;          ///< Integer: written in base 10, which determines C's list of possible types
    uint8_t longs = 0;            ///< Integer: number of letters l in the suffix
    /// Height of the tree: 1 + that of the highest child. The parser limits it to less than 4000, so that recursive
    /// functions do not exhaust the stack.
    uint32_t height = 1;
    TypeName* type = nullptr; ///< for Cast, SizeofType, Offsetof and Xlate: the type
    std::vector<Expr*> kids;
};

enum class StmtKind : uint8_t { Expression, If, Block };

struct Stmt {
    StmtKind kind = StmtKind::Expression;
    Span at;
    Expr* expr = nullptr;    ///< for Expression: the expression, or null for an empty statement; for If: the condition
    std::vector<Stmt*> body; ///< Block: its statements; If: [then] or [then, else]
};

struct ProbeDesc {
    Span at;
    std::string provider, module, function, name; ///< components of the description, after macros were replaced
    std::optional<uint32_t> id;                   ///< probe id, if the description is a number
    std::string text;                             ///< the description as in the source text, for messages
};

struct Clause {
    Span at;
    std::vector<ProbeDesc> descriptions;
    Expr* predicate = nullptr;
    std::vector<Stmt*> body;
};

// ---- nodes of declarations ----------------------------------------------------------------------------------------

enum class StorageClass : uint8_t { None, Auto, Register, Static, Extern, Typedef, Self, This };

enum class BaseKind : uint8_t { None, Void, Bool, Char, Int, Float, Double, String, Struct, Union, Enum, Named };

struct EnumeratorDecl {
    Span at;
    std::string name;
    Expr* value = nullptr; ///< value of the enumerator; null: 1 more than the previous one
};

struct MemberDecl;

/// Specifiers of a declaration, such as `const int`, which precede its declarators. The parser checks only the rules of
/// the grammar.
struct DeclSpec {
    Span at;
    StorageClass storage = StorageClass::None;
    BaseKind base = BaseKind::None;
    uint8_t longs = 0;
    bool is_short = false, is_signed = false, is_unsigned = false;
    bool is_const = false, is_volatile = false, is_restrict = false;
    bool is_userland = false;
    std::string name;     ///< Named: name of the typedef (maybe with one backquote); else: tag or empty
    bool defines = false; ///< whether the struct, union or enum has a body in braces
    std::vector<MemberDecl*> members;
    std::vector<EnumeratorDecl> enumerators;
};

struct Parameter {
    Span at;
    DeclSpec* spec = nullptr;
    Declarator* declarator = nullptr; ///< declarator of the parameter; never null, but the parameter may have no name
};

/// One part of a declarator: `*`, `[n]`, `[types]` or `(params)`. The parts are ordered from the name outwards.
struct DeclPart {
    enum class Kind : uint8_t { Pointer, Array, Associative, Function } kind = Kind::Pointer;
    Span at;
    Expr* size = nullptr;              ///< for Array: number of elements; null for []
    std::vector<Parameter> parameters; ///< for Associative and Function: the parameters
    bool variadic = false;
};

struct Declarator {
    Span at;
    std::string name;
    std::vector<DeclPart> parts; ///< parts, the nearest to the name first: `int *a[3]` is [Array 3, Pointer]
    Expr* bits = nullptr;        ///< for a member that is a bit-field: its width
};

struct MemberDecl {
    DeclSpec* spec = nullptr;
    std::vector<Declarator*> declarators;
};

struct TypeName {
    DeclSpec* spec = nullptr;
    Declarator* declarator = nullptr;
};

struct Declaration {
    DeclSpec* spec = nullptr;
    std::vector<Declarator*> declarators;
};

struct Inline {
    Span at;
    DeclSpec* spec = nullptr;
    /// Declarator. Its parts may begin with an Associative part, which contains the parameters of the inline.
    Declarator* declarator = nullptr;
    Expr* value = nullptr;
};

struct TranslatorMember {
    Span at;
    std::string name;
    Expr* value = nullptr;
};

struct Translator {
    Span at;
    TypeName* output = nullptr;
    TypeName* input = nullptr; ///< type of the translator's input; the declarator has the parameter's name
    std::string parameter;
    std::vector<TranslatorMember> members;
};

struct ProviderProbe {
    Span at;
    std::string name;
    std::vector<Parameter> input, output;
    bool has_output = false;
};

struct ProviderDef {
    Span at;
    std::string name;
    std::vector<ProviderProbe> probes;
};

/// #pragma D attributes, binding, depends_on or metric, which the semantic analysis handles. `words` contains the words
/// of the line after the pragma's name, `places` their positions in the source text.
struct Pragma {
    Span at;
    std::string name;
    std::vector<std::string> words;
    std::vector<Span> places;
};

/// An item of a program: a clause, a definition, a declaration or a pragma. Items are in source order.
struct Item {
    enum class Kind : uint8_t { Clause, Declaration, Inline, Translator, Provider, Pragma } kind = Kind::Clause;
    Clause* clause = nullptr;
    Declaration* declaration = nullptr;
    Inline* inline_ = nullptr;
    Translator* translator = nullptr;
    ProviderDef* provider = nullptr;
    Pragma* pragma = nullptr;
};

/// Parsed source text and the memory of its nodes. The memory is not freed recursively, so deep trees are safe.
class Ast {
public:
    std::vector<Item> items;
    Span end; ///< position of the line after the last one; the errors D_EMPTY and D_MACRO_UNUSED refer to it

    Expr* expr() { return &exprs_.emplace_back(); }
    Stmt* stmt() { return &stmts_.emplace_back(); }
    Clause* clause() { return &clauses_.emplace_back(); }
    DeclSpec* spec() { return &specs_.emplace_back(); }
    Declarator* declarator() { return &declarators_.emplace_back(); }
    TypeName* type_name() { return &type_names_.emplace_back(); }
    MemberDecl* member() { return &members_.emplace_back(); }
    Declaration* declaration() { return &declarations_.emplace_back(); }
    Inline* inline_definition() { return &inlines_.emplace_back(); }
    Translator* translator() { return &translators_.emplace_back(); }
    ProviderDef* provider() { return &providers_.emplace_back(); }
    Pragma* pragma() { return &pragmas_.emplace_back(); }

private:
    std::deque<Expr> exprs_;
    std::deque<Stmt> stmts_;
    std::deque<Clause> clauses_;
    std::deque<DeclSpec> specs_;
    std::deque<Declarator> declarators_;
    std::deque<TypeName> type_names_;
    std::deque<MemberDecl> members_;
    std::deque<Declaration> declarations_;
    std::deque<Inline> inlines_;
    std::deque<Translator> translators_;
    std::deque<ProviderDef> providers_;
    std::deque<Pragma> pragmas_;
};

} // namespace dt::ast
