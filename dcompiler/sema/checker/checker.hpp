// Semantic analysis: resolves names, determines the types of expressions, and reports errors.
//
// One Checker object checks all source texts of a compilation, in order. It processes declarations, inlines and
// translators while the parser reads them (declaration()), because the meaning of an identifier affects how the
// following text is parsed. Clauses are checked when their whole source text was parsed (clauses()), once per probe
// description.
//
// The check of a clause has two stages (dtrace-errors(7), WHICH ERROR COMES FIRST): first names and types in all
// statements and the predicate, then the rules of code generation for each statement. If the first stage finds an error
// of the second, class Reports defers it.
//
// Each task of the checker has its own class. An error throws an exception, which ends the clause or declaration. The
// exception is caught there and never leaves this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/interface/options.hpp"
#include "dcompiler/sema/checker/aggregations.hpp"
#include "dcompiler/sema/checker/assignments.hpp"
#include "dcompiler/sema/checker/calls.hpp"
#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/sema/checker/expansions.hpp"
#include "dcompiler/sema/checker/expressions.hpp"
#include "dcompiler/sema/checker/names.hpp"
#include "dcompiler/sema/program/builtins.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "dcompiler/syntax/ast.hpp"
#include "dcompiler/syntax/parser.hpp"

namespace dt::sema {

// Checker of declarations: types in D syntax, and the variables and types that a program declares.

/// Maximum size of a type in bytes. Offsets in records are counted in bits, and the sum of two offsets must not
/// overflow.
constexpr uint64_t kMaxTypeBytes = (uint64_t{1} << 60) - 1;

class Declarations : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Returns the type that the specifiers denote, before any declarator is applied.
    const Type* spec_type(const ast::DeclSpec& spec);
    /// Returns the type that a declarator makes of `base`: pointers, arrays, functions. Ignores the declarator's parts
    /// before index `first_part`.
    const Type* declarator_type(const Type* base, const ast::Declarator& declarator, std::size_t first_part = 0);
    /// Returns the type that is named in a cast or sizeof. `unknown_tag` is the error tag for an unknown name.
    const Type* type_name(const ast::TypeName& name, std::string_view unknown_tag = "D_UNKNOWN");
    std::vector<const Type*> parameter_types(const std::vector<ast::Parameter>& parameters, bool variadic,
                                             bool is_key_list, bool may_repeat_names = false);
    /// Declares variables, types and external symbols.
    void declare(const ast::Declaration& declaration);
    /// Returns the value of a constant expression, or nothing if the expression is not constant. Reports the errors in
    /// the expression.
    std::optional<int64_t> constant(const ast::Expr& expr);

private:
    const Type* enum_type(const ast::DeclSpec& spec);
    const Type* record_type(const ast::DeclSpec& spec);
    void add_member_name(const std::string& name, const Span& at, std::set<std::string>& names);
    void add_anonymous(const Type& record, const Span& at, std::set<std::string>& names);
    uint32_t bit_width(const ast::Declarator& declarator, const Type* type);
    const Type* array_part(const Type* element, const ast::DeclPart& part);
    [[noreturn]] void refuse_stack(const Span& at, std::string_view use);
    void declare_object(const ast::DeclSpec& spec, const ast::Declarator& declarator, const Type* base);
    void declare_typedef(const ast::DeclSpec& spec, const ast::Declarator& declarator, const Type* base);
    void declare_variable(Scope scope, const ast::Declarator& declarator, const Type* type,
                          std::vector<const Type*> keys);
};

// Checker of binary operators and the conditional operator, and of their result types.

class Operators : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Checks a sum a + b + c + … of any length without recursion.
    TExpr* binary_chain(const ast::Expr& e);
    TExpr* arithmetic(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* additive(TOp op, TExpr* a, TExpr* b, const Span& at);
    /// Checks unary -, ~ and + (Add) for a number.
    TExpr* complement(TOp op, TExpr* operand, const Span& at);
    TExpr* conditional(const ast::Expr& e);
    TExpr* comma(const ast::Expr& e);
    /// Returns whether the value is a ?: of a scratch pointer and another pointer. Programs may use such a value but
    /// not store it.
    bool mixes_pointers(const TExpr* value) const { return mixed_values_.count(value) != 0; }
    /// Returns the sum or difference of a pointer and a number of elements.
    TExpr* pointer_step(TOp op, TExpr* pointer, TExpr* count, const Span& at);

    /// Returns whether an operation of this type must wrap at 32 bits. This is true for unsigned int, whose values must
    /// not become negative (operators.cpp).
    bool wraps_around(const Type* type, const TExpr* a, const TExpr* b) const;
    /// Converts an operand to unsigned int as C does, if the operation wraps at 32 bits and the operand may be
    /// negative.
    TExpr* unsigned_operand(TExpr* value, const Type* type);

private:
    bool is_wide(const TExpr* value) const;
    TExpr* comparison(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* logical(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* binary_of(ast::Operator op, TExpr* a, TExpr* b, const Span& at);
    TExpr* binary(const ast::Expr& e);
    TExpr* compared_text(TExpr* value);
    TExpr* kernel_enumerator(const Type* left, const ast::Expr& right);

    std::set<const TExpr*> mixed_values_;
    /// values that were computed from 64-bit variables: they have 64 bits, whatever their type
    std::set<const TExpr*> wide_;
};

// Checkers of provider definitions and of pragmas that set properties of names. A provider definition declares a
// program's probes and their argument types (dtrace-providers(7), PROBES OF PROGRAMS).

class Providers : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    void define_provider(const ast::ProviderDef& definition);
    /// Returns the stability attributes of a provider that the program defines. They are Unstable unless a pragma sets
    /// others.
    ProviderAttributes& provider_attributes(const std::string& name);

private:
    DefinedProbe define_probe(const ast::ProviderProbe& probe);
    void define_outputs(const ast::ProviderProbe& probe, DefinedProbe& made);

    std::map<std::string, ProviderAttributes, std::less<>> provider_attributes_;
};

/// Checker of #pragma D attributes, binding and depends_on. These pragmas may precede the definitions of the names that
/// they affect.
class Pragmas : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    void process(const ast::Pragma& pragma);
    /// Reports an error for each pragma about a name that is not defined. Called at the end of a source text.
    void finish();

private:
    void pragma_attributes(const ast::Pragma& pragma);
    void pragma_binding(const ast::Pragma& pragma);
    void pragma_depends_on(const ast::Pragma& pragma);
    void apply_pragma(PendingPragma pending);
};

// Checkers of statements and clauses, once per description. A clause is checked in stages, whose order determines the
// error that is reported first (dtrace-errors(7), WHICH ERROR COMES FIRST).

struct Global;

class Statements : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Checks a clause for one of its descriptions and appends the statement to the program. Returns false after
    /// reporting an error.
    bool check_description(const ast::Clause& clause, const ast::ProbeDesc& description);

private:
    /// Actions that occurred so far on one path through a clause. There are rules on their order (dtrace-actions(7),
    /// SPECULATIONS).
    struct PathState {
        bool recorded = false, aggregated = false, speculated = false, committed = false;
    };

    void find_probes(const ast::ProbeDesc& description, Statement& statement);
    void first_stage(const ast::Clause& clause, Statement& statement);
    void actions_stage(const ast::Clause& clause, Statement& statement);
    void predicate_stage(const ast::Clause& clause, Statement& statement);
    std::vector<TStmt*> block(const std::vector<ast::Stmt*>& statements);
    void statement(const ast::Stmt& statement, std::vector<TStmt*>& into);
    TStmt* expression_statement(const ast::Expr& e);
    TStmt* action_statement(Global& global, const ast::Expr& e);
    void second_stage(const std::vector<TStmt*>& statements, PathState& state, bool conditional);
    void second_stage(TStmt& statement, PathState& state, bool conditional);
    void check_order(const TStmt& statement, PathState& state);
};

class GrammarStage : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Checks for calls of names that are not functions, for divisions by a constant zero, and for wrong sizes of
    /// types. Adds nothing to the program.
    void check(const ast::Clause& clause);
    void check(const ast::Expr& e);
    void check(const std::vector<ast::Stmt*>& statements);
    bool is_constant(const ast::Expr& expr); ///< looks only at the syntax of the expression; reports no errors
    /// Suppresses later errors about the names to which a failed clause assigns.
    void remember_assigned(const ast::Clause& clause);
};

// Checker of kernel and user symbols that are used as values: module`name.

class Symbols : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Checks a reference to a kernel or user symbol (`NAME or MODULE`NAME). Returns the expression that reads its
    /// value.
    TExpr* symbol(const ast::Expr& e);
    /// Returns the size in bytes that sizeof yields for the symbol.
    uint64_t symbol_size(const std::string& text, const Span& at);
    TExpr* kernel_symbol(const KernelSymbol& symbol, const std::string& name, const Span& at);

private:
    std::string suggest_symbol(std::string_view name) const;
    const Type* symbol_type(const KernelSymbol& symbol, const std::string& text, const Span& at);
    void check_symbol_model(const KernelSymbol& symbol, const std::string& text, const Span& at);
    TExpr* function_address(const KernelSymbol& symbol, const Type* pointer, const std::string& text, const Span& at);
    TExpr* per_cpu_symbol(const KernelSymbol& symbol, const std::string& name, const Type* type, const Span& at);
    TExpr* user_symbol(const std::string& module, const std::string& name, const ast::Expr& e);
};

class Checker final : public syntax::TypeNames {
public:
    /// The checker refers to the arguments, which must outlive it.
    Checker(Program& program, World& world, const CompileOptions& options, Diagnostics& diagnostics);
    ~Checker() override;

    // ---- functions for the parser and the front end ----

    /// Returns whether an identifier (with at most one backquote) is the name of a type. Searches the kernel's types
    /// last.
    bool is_type(std::string_view name) override;

    /// Processes a clause or declaration immediately after it was parsed. For a clause, this is only the grammar stage
    /// (dtrace-errors(7), WHICH ERROR COMES FIRST).
    void declaration(ast::Item& item);

    /// Starts the check of a source text. `index` is its position among all source texts; statements store it.
    void begin_program(const Source& source, SpecKind kind, uint32_t index);

    /// Runs the grammar stage for those statements of a clause that precede a syntax error.
    void broken_clause(const ast::Clause& clause);

    /// Checks the clauses of a parsed source text in order, once per probe description, and appends the statements to
    /// the program.
    void clauses(const ast::Ast& ast);

    /// Called once for each unknown name: adds a library that defines the name, and returns whether there is one. May
    /// be empty.
    std::function<bool(std::string_view name)> load_library;

    /// Types of undeclared variables. If the source texts must be checked again, the new checker receives them.
    UndeclaredIntegers undeclared;

    // ---- functions for the component classes and for the hooks of builtins.def ----

    Program& program;
    World& world;
    const CompileOptions& options;
    Diagnostics& diagnostics;
    TypeTable& types;
    CheckContext here;
    DeclaredTypes declared;
    Prototypes prototypes;

    Reports reports{diagnostics, here};
    Names names{*this};
    Values values{*this};
    Declarations declarations{*this};
    Inlines inlines{*this};
    Translators translators{*this};
    Providers providers{*this};
    Pragmas pragmas{*this};
    Symbols symbols{*this};
    Expressions expressions{*this};
    Operators operators{*this};
    Assignments assignments{*this};
    Calls calls{*this};
    Aggregations aggregations{*this};
    Metrics metrics{*this};
    GrammarStage grammar{*this};
    Statements statements{*this};

private:
    void item_failed(const ast::Item& item);

    std::set<const ast::Clause*> failed_clauses_;
};

/// Returns stability attributes as text, such as "Stable/Private/Common".
std::string to_string(const Attributes& attributes);
std::optional<Attributes> parse_attributes(std::string_view text);
Attributes minimum(const Attributes& a, const Attributes& b);
bool below(const Attributes& a, const Attributes& least);
std::optional<uint32_t> parse_version(std::string_view text);

/// Returns the value truncated to an integer type and sign- or zero-extended.
int64_t canonical(int64_t value, const Type* type);
bool is_null_constant(const TExpr* value);
bool is_string_compatible(const Type* type);
bool is_char_array(const Type* type);
/// Returns whether the type is a string with an address and a length in the memory of a process, such as a string of Go
/// or Rust or std::string ("counted text"). Also true for pointers to such strings.
bool is_counted_text(const Type* type);
/// For counted text (a string with address and length): returns whether it is a slice of bytes. Such a slice prints as
/// a text only if the program converts it.
bool is_byte_slice(const Type* type);
/// Returns whether the type consists of an address and a number of elements, in the memory of a process: a slice, a
/// vector, or a string of Go, Rust or C++. Also true for pointers to such values.
bool has_counted_elements(const Type* type);
/// Returns whether the type is an enum of Rust with data: a value has one of several variants, the active one.
bool has_variants(const Type* type);
/// For Option<&str> and Option<String> of Rust, returns the members that lead to the string. Returns an empty vector
/// for other types.
std::vector<const Member*> option_of_text(const Type* type);
/// Returns whether the type is an interface of Go, such as `error`.
bool is_go_interface(const Type* type);
/// Returns whether the type is a structure that stands for a pointer: a smart pointer of C++ or Rust, an optional
/// pointer of Rust, or an interface of Go. D programs may compare it with NULL.
bool has_wrapped_pointer(const Type* type);
bool is_lvalue(const TExpr* value);
/// Returns a hint, such as to use copyinstr(), for an address where a string is needed. Returns an empty string for
/// other values.
std::string text_hint(const Type* type, const TExpr* value = nullptr);

/// Returns whether the position is in a file that the preprocessor included. Such C headers may declare names that D
/// already has (size_t, printf). The names keep D's meaning, and the declaration is no error.
bool in_header(const Span& at);
std::string spelled(ast::Operator op);
TOp typed_operator(ast::Operator op);

/// Returns the value of a predefined named constant (NULL, EINVAL, SIGINT, R_PC, …), or nothing.
std::optional<int64_t> find_constant(std::string_view name, const machine::Machine& machine);

/// Returns the stability attributes of the probes that match a description (dtrace-language(7), STABILITY).
Attributes description_attributes(const ProviderAttributes* provider, const ast::ProbeDesc& description);
/// Returns whether the matched probes may have different arguments, so that args[] is not usable.
bool arguments_unstable(const ProviderAttributes* provider, const ast::ProbeDesc& description, std::size_t matched);

} // namespace dt::sema
