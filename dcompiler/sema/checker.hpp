// Semantic analysis: gives every name its meaning and every expression its type, and says where a program is not D.
//
// One Checker sees all texts of a run, in order. Declarations, inlines and translators are processed while the parser
// reads them (declaration()), because what an identifier is decides how the rest parses; clauses are checked after
// their whole text was parsed (clauses()), once per probe description. A clause passes two stages (language
// reference 7.3): typing of all its statements and its predicate, then the checks of code generation statement by
// statement; an error of the second kind that is found in the first stage is kept in `late` until its turn comes.
//
// Internally an error ends the clause or declaration by an exception that is caught at its border; nothing leaves the
// folder.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dcompiler/options.hpp"
#include "dcompiler/sema/builtins.hpp"
#include "dcompiler/sema/declared_types.hpp"
#include "dcompiler/sema/late_errors.hpp"
#include "dcompiler/sema/program.hpp"
#include "dcompiler/sema/prototypes.hpp"
#include "dcompiler/sema/undeclared.hpp"
#include "dcompiler/syntax/ast.hpp"
#include "dcompiler/syntax/parser.hpp"

namespace dt::sema {

inline constexpr Attributes kMaximum{Stability::Standard, Stability::Standard, DependencyClass::Common};

/// Thrown by Checker::fail after the report; caught at the border of a clause or declaration.
struct Failure {
    std::string_view tag;
};

struct InlineParameter {
    std::string name;
    const Type* type = nullptr;
};

struct InlineDefinition {
    const ast::Inline* ast = nullptr;
    const Type* type = nullptr;
    std::vector<InlineParameter> parameters;
    Attributes attributes;
    TExpr* constant = nullptr; ///< the folded value when the inline is an integer constant
};

/// What a global name stands for.
struct Global {
    enum class Kind : uint8_t { Builtin, Subroutine, Action, AggFunction, Variable, Inline, Constant, Function, External };
    Kind kind = Kind::Variable;
    std::string name;
    const BuiltinVariable* builtin = nullptr;
    const Subroutine* subroutine = nullptr;
    const Action* action = nullptr;
    const AggFunction* agg_function = nullptr;
    Variable* variable = nullptr;
    InlineDefinition* definition = nullptr;
    const Type* type = nullptr; ///< Constant, Function, External
    int64_t value = 0;          ///< Constant
    Span at;
    bool from_program = false;
    bool weak = false;                    ///< a program's own definition replaces it silently
    std::optional<Attributes> attributes; ///< #pragma D attributes
    uint32_t version = 0;                 ///< #pragma D binding: hidden below it
};

struct TranslatorDefinition {
    const ast::Translator* ast = nullptr;
    const Type* output = nullptr;
    const Type* input = nullptr;
    Attributes attributes;
};

/// An expression of Dynamic type: an aggregation, or an object that only its translator can take apart.
struct DynamicValue {
    Aggregation* aggregation = nullptr;
    bool subscripted = false;
    const TranslatorDefinition* translator = nullptr;
    TExpr* input = nullptr;
    bool pointer = false; ///< xlate<T *>: members with ->
};

/// Attributes of a pragma that waits for its definition.
struct PendingPragma {
    Span at;
    std::string name;
    std::optional<Attributes> attributes;
    std::optional<uint32_t> version;
};

/// What is true of the text being checked, and of the place in it. A library that is compiled in the middle of a text has its own.
struct Place {
    const Source* source = nullptr;
    SpecKind kind = SpecKind::Script;
    uint32_t program = 0; ///< the text's number
    std::vector<PendingPragma> pending_pragmas;

    Statement* statement = nullptr;   ///< null outside clauses
    const void* late_owner = nullptr; ///< statement that late errors belong to; null: report at once
    bool unevaluated = false;         ///< inside sizeof
    bool addresses_allowed = false;   ///< the next call may be sym(), usym(), …: aggregation keys
    Attributes attributes = kMaximum; ///< minimum over everything touched so far

    using Frame = std::vector<std::pair<std::string, TExpr*>>;
    std::vector<Frame> frames = std::vector<Frame>(1); ///< parameters of inlines and translators being expanded
    std::vector<Span> expansions;                      ///< where they are used, outermost first: what they are made of is placed, and told, there
    uint32_t expanded = 0;                             ///< inlines and translators so far in this clause or definition

    std::string_view unknown_type_tag = "D_SYNTAX"; ///< for an unknown type name, by context
    bool userland = false;                          ///< pointers being declared are user addresses
    bool external = false;                          ///< what is being declared is defined elsewhere: arrays may be open, structs unknown
    bool met_kernel_type = false;                   ///< a type name since this was last cleared came from the kernel's types
    bool mixed = false;                             ///< a scratch and another pointer met in a ?:
};

class Checker final : public syntax::TypeNames {
public:
    /// All references must outlive the checker.
    Checker(Program& program, World& world, const Options& options, Diagnostics& diagnostics);
    ~Checker() override;

    // ---- what the parser and the front end call ----

    /// Whether an identifier (with at most one backquote) names a type. Asks the kernel's types last.
    bool is_type(std::string_view name) override;

    /// Processes an item the moment it was parsed. Of clauses only what the grammar stage decides (language
    /// reference 7.3 step 1).
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

    /// Parts of this text are missing because they did not parse: from now on an unknown name may be their fault and is
    /// not reported.
    void text_is_incomplete() { incomplete_ = true; }
    /// The text being read set amin itself.
    void amin_is_set() { amin_for_libraries_ = false; }
    std::size_t reports() const { return reports_; } ///< errors found here, as opposed to the parser's

    /// A new checker of the same texts is given the types that an earlier one found.
    UndeclaredIntegers undeclared;

    // ---- for the other files of this folder ----

    Program& program;
    World& world;
    const Options& options;
    Diagnostics& diagnostics;
    TypeTable& types;

    // errors
    [[noreturn]] void fail(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    /// As fail(), for an error that belongs to the second stage of the current statement.
    void late(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    /// An unknown name: reported once however often it is used.
    [[noreturn]] void fail_unknown(std::string_view tag, const Span& at, const std::string& name, std::string message, std::string hint = {});

    // names.cpp
    Global* find_global(std::string_view name);
    Global& define_global(Global global);
    Variable* find_variable_of(Scope scope, std::string_view name);
    Variable* create_variable(Scope scope, const std::string& name, const Type* type, std::vector<const Type*> keys, const Span& at);
    Variable* create_undeclared(Scope scope, const std::string& name, const Type* type, std::vector<const Type*> keys, const Span& at);
    const Type* find_typedef(std::string_view name);
    const Type* find_typedef_of_program(std::string_view name); ///< declared in D or predefined
    const Type* find_tag(TypeKind kind, std::string_view tag);
    bool has_member(std::string_view record, std::string_view member); ///< of a kernel struct, here
    const Type* complete_record(const Type* record);                   ///< the definition of a tag that is only declared here, or null
    const Type* type_text(std::string_view text);                      ///< D type text of a table; null when a name in it is unknown
    void touch_attributes(const Attributes& attributes, const Span& at, const std::string& what);

    // declarations.cpp
    const Type* spec_type(const ast::DeclSpec& spec);
    const Type* declarator_type(const Type* base, const ast::Declarator& declarator, std::size_t first_part = 0);
    const Type* type_name(const ast::TypeName& name, std::string_view unknown_tag = "D_UNKNOWN");
    std::vector<const Type*> parameter_types(const std::vector<ast::Parameter>& parameters, bool variadic, bool is_key_list);
    void declare(const ast::Declaration& declaration);
    /// The value of a constant expression, or null when it is none; may fail with the expression's own error.
    std::optional<int64_t> constant(const ast::Expr& expr);
    bool is_constant(const ast::Expr& expr); ///< cheap and silent look at the tree

    // inlines.cpp, translators.cpp, providers.cpp, pragmas.cpp
    void define_inline(const ast::Inline& definition);
    TExpr* expand_inline(Global& global, std::vector<TExpr*> arguments, const Span& at);
    void define_translator(const ast::Translator& definition);
    const TranslatorDefinition* find_translator(const Type* output, const Type* input);
    TExpr* translate(const Type* output, bool pointer, TExpr* input, const Span& at);
    TExpr* member_argument(TExpr* value, const Type* type);
    TExpr* translated_member(const DynamicValue& object, const std::string& member, const Span& at);
    TExpr* translated_copy(TExpr* target, const DynamicValue& object, const Span& at);
    void define_provider(const ast::ProviderDef& definition);
    DefinedProbe define_probe(const ast::ProviderProbe& probe);
    void define_outputs(const ast::ProviderProbe& probe, DefinedProbe& made);
    ProviderAttributes& provider_attributes(const std::string& name);
    void pragma(const ast::Pragma& pragma);
    void finish_pragmas();

    // expressions*.cpp
    TExpr* expr(const ast::Expr& e);
    /// As expr(), of an operand whose value is wanted: arrays stay arrays, dynamic values stay dynamic.
    TExpr* identifier(const ast::Expr& e);
    TExpr* symbol(const ast::Expr& e);
    TExpr* kernel_symbol(const KernelSymbol& symbol, const std::string& name, const Span& at);
    const Type* symbol_type(const KernelSymbol& symbol, const std::string& text, const Span& at);
    void check_symbol_model(const KernelSymbol& symbol, const std::string& text, const Span& at);
    TExpr* function_address(const KernelSymbol& symbol, const Type* pointer, const std::string& text, const Span& at);
    uint64_t symbol_size(const std::string& text, const Span& at);
    TExpr* per_cpu_symbol(const KernelSymbol& symbol, const Type* type, const Span& at);
    TExpr* user_symbol(const std::string& module, const std::string& name, const ast::Expr& e);
    TExpr* variable(Variable& variable, std::vector<TExpr*> keys, const Span& at);
    TExpr* index(const ast::Expr& e);
    TExpr* subscript(TExpr* base, TExpr* index, const Span& at);
    TExpr* args_element(const BuiltinVariable& array, const ast::Expr& e);
    TExpr* uregs_element(const BuiltinVariable& array, const ast::Expr& e);
    TExpr* member(const ast::Expr& e);
    TExpr* member_of(TExpr* record, const std::string& name, const Span& at);
    TExpr* dereference(TExpr* pointer, const Span& at);
    TExpr* address_of(TExpr* operand, const Span& at);
    TExpr* unary(const ast::Expr& e);
    TExpr* increment(const ast::Expr& e, bool post);
    TExpr* binary(const ast::Expr& e);
    TExpr* binary_chain(const ast::Expr& e);
    TExpr* binary_of(ast::Operator op, TExpr* a, TExpr* b, const Span& at);
    TExpr* arithmetic(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* additive(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* logical(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* comparison(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* compared_text(TExpr* value);
    TExpr* kernel_enumerator(const Type* left, const ast::Expr& right);
    TExpr* assign(const ast::Expr& e);
    TExpr* assign_to(const ast::Expr& target, TExpr* value, const Span& at);
    TExpr* compound_assign(const ast::Expr& e);
    TExpr* create_target(const ast::Expr& target,
                         const Type* type); ///< null when the target is not an unknown variable
    TExpr* conditional(const ast::Expr& e);
    TExpr* comma(const ast::Expr& e);
    TExpr* cast_expression(const ast::Expr& e);
    TExpr* cast_to(TExpr* value, const Type* type, const Span& at);
    bool is_unknown(const std::string& name);
    TExpr* sizeof_expression(const ast::Expr& e);
    TExpr* offsetof_expression(const ast::Expr& e);
    TExpr* string_of(TExpr* value, const Span& at, std::string_view tag);
    TExpr* xlate(const ast::Expr& e);

    // once.cpp
    /// A value that an expansion may mention several times: where computing it has effects or a price, `store` puts it into a variable
    /// without a name and `value` reads that; else `store` is null.
    struct Once {
        TExpr* store = nullptr;
        TExpr* value = nullptr;
    };
    Once once(TExpr* value);
    /// An lvalue that can be mentioned several times: what its keys and subscripts compute first goes to `stores` (null: nothing yet).
    TExpr* settled(TExpr* place, TExpr*& stores);
    TExpr* after(TExpr* store, TExpr* value); ///< `value`, computed after `store`; an lvalue stays one

    // calls.cpp
    Prototypes prototypes;
    TExpr* call(const ast::Expr& e);
    Global& callee(const ast::Expr& e);
    /// The call's arguments, counted and typed. Without `convert` integers keep their own type: constants may be out of
    /// the prototype's.
    std::vector<TExpr*> arguments(std::string_view name, const Prototype& prototype, const ast::Expr& call, bool convert = true);
    /// The subscripts of `e` converted to the key types of the array or inline called `name`.
    std::vector<TExpr*> keys(const std::string& name, const std::vector<const Type*>& types, const ast::Expr& e);

    // conversions.cpp
    TExpr* node(TOp op, const Type* type, const Span& at, std::vector<TExpr*> kids = {});
    TExpr* integer(int64_t value, const Type* type, const Span& at); ///< cut to the type
    TExpr* folded(int64_t value, const Type* type, const Span& at);  ///< what an operator gave: 64 bits
    TExpr* convert(TExpr* value, const Type* type);                  ///< between scalars; folds constants
    TExpr* decay(TExpr* value);
    static TExpr* text_pointer(TExpr* value);
    TExpr* to_string_value(TExpr* value); ///< a string-compatible value as a string
    const Type* usual_type(const Type* a, const Type* b);
    /// `value` as a `type`, where D lets it stand for one (argument-compatible); null where not.
    TExpr* argument(TExpr* value, const Type* type);
    bool compatible(const Type* a, const Type* b);
    bool pointer_compatible(const TExpr* a, const TExpr* b);
    const Type* value_type(const TExpr* value); ///< the type of a variable created to hold it
    DynamicValue* dynamic(const TExpr* value);
    TExpr* dynamic_node(DynamicValue value, const Span& at);

    // aggregations.cpp, statements.cpp
    Aggregation* find_aggregation(std::string_view name);
    TExpr* aggregation_reference(const ast::Expr& e);
    TStmt* aggregate(const ast::Expr& e);
    std::vector<TExpr*> aggregation_keys(const std::string& name, Aggregation* known, const ast::Expr& target, bool keyed);
    std::vector<TStmt*> block(const std::vector<ast::Stmt*>& statements);
    void statement(const ast::Stmt& statement, std::vector<TStmt*>& into);
    TStmt* expression_statement(const ast::Expr& e);
    TStmt* action_statement(Global& global, const ast::Expr& e);
    void grammar_stage(const ast::Clause& clause);
    void grammar_stage(const ast::Expr& e);
    void grammar_stage(const std::vector<ast::Stmt*>& statements);

    /// What the ordering rules (language reference 5.1) remember along a path.
    struct PathState {
        bool recorded = false, aggregated = false, speculated = false, committed = false;
    };
    void second_stage(const std::vector<TStmt*>& statements, PathState& state, bool conditional);
    void second_stage(TStmt& statement, PathState& state, bool conditional);
    void check_order(const TStmt& statement, PathState& state);
    void report_late(const void* owner);

    Place here;

    static constexpr std::size_t kMostKeys = 32;
    static constexpr Attributes kKernelAttributes{Stability::Private, Stability::Private, DependencyClass::Unknown};

private:
    bool clause(const ast::Clause& clause);
    bool check_description(const ast::Clause& clause, const ast::ProbeDesc& description);
    void find_probes(const ast::ProbeDesc& description, Statement& statement);
    void first_stage(const ast::Clause& clause, Statement& statement);
    void actions_stage(const ast::Clause& clause, Statement& statement);
    void predicate_stage(const ast::Clause& clause, Statement& statement);
    void remember_assigned(const ast::Clause& clause);
    const Type* enum_type(const ast::DeclSpec& spec);
    const Type* record_type(const ast::DeclSpec& spec);
    uint32_t bit_width(const ast::Declarator& declarator, const Type* type);
    const Type* array_part(const Type* element, const ast::DeclPart& part);
    [[noreturn]] void refuse_stack(const Span& at, std::string_view use);
    void declare_object(const ast::DeclSpec& spec, const ast::Declarator& declarator, const Type* base);
    void declare_typedef(const ast::DeclSpec& spec, const ast::Declarator& declarator, const Type* base);
    void declare_variable(Scope scope, const ast::Declarator& declarator, const Type* type, std::vector<const Type*> keys);
    void pragma_attributes(const ast::Pragma& pragma);
    void pragma_binding(const ast::Pragma& pragma);
    void pragma_depends_on(const ast::Pragma& pragma);
    void apply_pragma(PendingPragma pending);
    TExpr* pointer_step(TOp op, TExpr* pointer, TExpr* count, const Span& at);
    void check_writable(const TExpr* target, const Span& at, std::string_view op);
    const Type* kept_type(const TExpr* target); ///< what a value is converted to when it is assigned
    void note_assigned(const TExpr* target, const TExpr* value, const Span& at);
    void note_scratch(TExpr* target, const TExpr* value, const Span& at);

    bool ask_library(std::string_view name);

    std::set<std::string, std::less<>> asked_; ///< names that load_library was asked for
    bool incomplete_ = false;
    std::size_t reports_ = 0;
    std::map<std::string, Global, std::less<>> globals_;
    std::map<std::string, Variable*, std::less<>> scoped_[3];
    uint32_t variable_count_[3] = {0, 0, 0};
    DeclaredTypes declared_;
    std::map<std::string, Aggregation*, std::less<>> aggregations_;
    std::vector<std::unique_ptr<Aggregation>> unassigned_; ///< mentioned with a subscript, never assigned
    std::vector<std::unique_ptr<InlineDefinition>> inlines_;
    std::vector<std::unique_ptr<TranslatorDefinition>> translators_;
    std::map<std::string, ProviderAttributes, std::less<>> provider_attributes_;
    std::unordered_map<const TExpr*, DynamicValue> dynamic_;
    LateErrors late_;
    std::unordered_map<const Variable*, uint8_t> pointer_uses_; ///< bit 0: scratch, bit 1: other pointers
    std::set<const Variable*> narrowing_told_;
    std::set<std::string, std::less<>> reported_;
    std::set<const ast::Clause*> failed_clauses_;
    Span placed(const Span& at) const { return here.expansions.empty() ? at : here.expansions.front(); }
    Span definition(const Span& at) const { return here.expansions.empty() ? Span{} : at; }
    uint32_t once_ = 0;                   ///< variables without a name made so far
    bool translator_failed_ = false;      ///< a translator definition had an error of its own
    bool amin_for_libraries_ = true;      ///< -x amin checks libraries too, the pragma only its program
    std::set<const TExpr*> mixed_values_; ///< ?: of a scratch and another pointer: may be used, not stored
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

/// Inside a file that the preprocessor included. What a C header declares goes into a container of its own, behind D's: names that D
/// has already (size_t, printf) keep D's meaning and are no errors.
bool in_header(const Span& at);
std::string spelled(ast::Operator op);
TOp typed_operator(ast::Operator op);

/// The value of a predefined named constant (NULL, EINVAL, SIGINT, R_PC, …), or empty.
std::optional<int64_t> find_constant(std::string_view name);

/// Attributes of the probes a description can mean (language reference 6).
Attributes description_attributes(const ProviderAttributes* provider, const ast::ProbeDesc& description);
/// Whether the matched probes may differ in their arguments, so that args[] means nothing.
bool arguments_unstable(const ProviderAttributes* provider, const ast::ProbeDesc& description, std::size_t matched);

} // namespace dt::sema
