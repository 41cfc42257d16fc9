// Semantic analysis: gives every name its meaning and every expression its type, and says where a program is not D.
//
// One Checker sees all texts of a run, in order. Declarations, inlines and translators are processed while the parser
// reads them (declaration()), because what an identifier is decides how the rest parses; clauses are checked after
// their whole text was parsed (clauses()), once per probe description. A clause passes two stages
// (dtrace-errors(7), WHICH ERROR COMES FIRST): typing of all its statements and its predicate, then the checks of code
// generation statement by statement; an error of the second kind that is found in the first stage is kept by Reports
// until its turn comes.
//
// The work is done by its parts, a class for each concern. Internally an error ends the clause or declaration by an
// exception that is caught at its border; nothing leaves the folder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "dcompiler/options.hpp"
#include "dcompiler/sema/aggregations.hpp"
#include "dcompiler/sema/assignments.hpp"
#include "dcompiler/sema/builtins.hpp"
#include "dcompiler/sema/calls.hpp"
#include "dcompiler/sema/declarations.hpp"
#include "dcompiler/sema/declared_types.hpp"
#include "dcompiler/sema/expressions.hpp"
#include "dcompiler/sema/grammar_stage.hpp"
#include "dcompiler/sema/inlines.hpp"
#include "dcompiler/sema/metrics.hpp"
#include "dcompiler/sema/names.hpp"
#include "dcompiler/sema/operators.hpp"
#include "dcompiler/sema/place.hpp"
#include "dcompiler/sema/pragmas.hpp"
#include "dcompiler/sema/program.hpp"
#include "dcompiler/sema/prototypes.hpp"
#include "dcompiler/sema/providers.hpp"
#include "dcompiler/sema/reports.hpp"
#include "dcompiler/sema/statements.hpp"
#include "dcompiler/sema/symbols.hpp"
#include "dcompiler/sema/translators.hpp"
#include "dcompiler/sema/undeclared.hpp"
#include "dcompiler/sema/values.hpp"
#include "dcompiler/syntax/ast.hpp"
#include "dcompiler/syntax/parser.hpp"

namespace dt::sema {

class Checker final : public syntax::TypeNames {
public:
    /// All references must outlive the checker.
    Checker(Program& program, World& world, const CompileOptions& options, Diagnostics& diagnostics);
    ~Checker() override;

    // ---- what the parser and the front end call ----

    /// Whether an identifier (with at most one backquote) names a type. Asks the kernel's types last.
    bool is_type(std::string_view name) override;

    /// Processes an item the moment it was parsed. Of clauses only what the grammar stage decides
    /// (dtrace-errors(7), WHICH ERROR COMES FIRST).
    void declaration(ast::Item& item);

    /// Starts a text. `index` numbers the texts of the run; statements remember it.
    void begin_program(const Source& source, SpecKind kind, uint32_t index);

    /// The grammar stage of the statements before a syntax error.
    void broken_clause(const ast::Clause& clause);

    /// Checks the clauses of a parsed text in order, each once per description, and appends the statements to the
    /// program.
    void clauses(const ast::Ast& ast);

    /// Asked once for each name that means nothing so far: adds a library that defines it and says whether it did. May
    /// be empty.
    std::function<bool(std::string_view name)> load_library;

    /// A new checker of the same texts is given the types that an earlier one found.
    UndeclaredIntegers undeclared;

    // ---- for the parts, and for the hooks of builtins.def ----

    Program& program;
    World& world;
    const CompileOptions& options;
    Diagnostics& diagnostics;
    TypeTable& types;
    Place here;
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

/// "Stable/Private/Common".
std::string to_string(const Attributes& attributes);
std::optional<Attributes> parse_attributes(std::string_view text);
Attributes minimum(const Attributes& a, const Attributes& b);
bool below(const Attributes& a, const Attributes& least);
std::optional<uint32_t> parse_version(std::string_view text);

/// The value cut to an integer type's width and extended by its sign.
int64_t canonical(int64_t value, const Type* type);
bool is_null_constant(const TExpr* value);
bool is_string_compatible(const Type* type);
bool is_char_array(const Type* type);
bool is_lvalue(const TExpr* value);
/// How a value that stands where a text is wanted may be meant; empty when it is no address.
std::string text_hint(const Type* type, const TExpr* value = nullptr);

/// Inside a file that the preprocessor included. What a C header declares goes into a container of its own, behind D's:
/// names that D has already (size_t, printf) keep D's meaning and are no errors.
bool in_header(const Span& at);
std::string spelled(ast::Operator op);
TOp typed_operator(ast::Operator op);

/// The value of a predefined named constant (NULL, EINVAL, SIGINT, R_PC, …), or empty.
std::optional<int64_t> find_constant(std::string_view name, const machine::Machine& machine);

/// Attributes of the probes a description can mean (dtrace-language(7), STABILITY).
Attributes description_attributes(const ProviderAttributes* provider, const ast::ProbeDesc& description);
/// Whether the matched probes may differ in their arguments, so that args[] means nothing.
bool arguments_unstable(const ProviderAttributes* provider, const ast::ProbeDesc& description, std::size_t matched);

} // namespace dt::sema
