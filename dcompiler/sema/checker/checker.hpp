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
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "dcompiler/interface/options.hpp"
#include "dcompiler/sema/checker/aggregations.hpp"
#include "dcompiler/sema/checker/assignments.hpp"
#include "dcompiler/sema/checker/calls.hpp"
#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/sema/checker/declarations.hpp"
#include "dcompiler/sema/checker/expansions.hpp"
#include "dcompiler/sema/checker/expressions.hpp"
#include "dcompiler/sema/checker/names.hpp"
#include "dcompiler/sema/checker/operators.hpp"
#include "dcompiler/sema/checker/providers.hpp"
#include "dcompiler/sema/checker/statements.hpp"
#include "dcompiler/sema/checker/symbols.hpp"
#include "dcompiler/sema/program/builtins.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "dcompiler/syntax/ast.hpp"
#include "dcompiler/syntax/parser.hpp"

namespace dt::sema {

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
