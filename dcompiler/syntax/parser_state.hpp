// Recursive-descent parser with one member function for each grammar rule.
//
// token_ is the next token that no rule has used. A rule returns with token_ after its last token. Rules for items are
// an exception: they leave token_ on the last token, because an item may change names and options, which affect how the
// next token is read.
//
// Line numbers in errors are those of DTrace (dtrace-errors(7), LINES OF A MESSAGE). So a node gets its line after the
// next token was read, except where the last token ends the node (names, literals, `)` and `]`).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/syntax/lexer.hpp"
#include "dcompiler/syntax/parser.hpp"

namespace dt::syntax {

// Hints for syntax errors: guess from the text near the error what the user intended.

class TypeNames;

/// Returns "unknown type nge_t" if the text ends with a word that looks like the name of a type but is none. Stars may
/// follow the word. Otherwise returns an empty string.
std::string unknown_type_hint(std::string_view before, TypeNames& types);
/// Returns a hint for an unknown type, such as "unknown type kmutex_t: on Linux that is struct mutex".
std::string unknown_type_text(const std::string& name);
/// If an item starts with a SystemTap probe point, returns its D form, otherwise an empty string.
std::string systemtap_hint(std::string_view item);

/// Returns "0x1g is not a number" if a number ends at `at` and letters follow it directly, else an empty string.
std::string number_hint(std::string_view text, std::size_t at);

/// Returns the D form of a bpftrace probe such as `uprobe:/bin/bash:readline`, where D would take the path's first
/// slash for the start of a predicate. `description` is the text that precedes the slash; `path` begins with the slash.
/// Returns an empty string for other text.
std::string bpftrace_path_hint(std::string_view description, std::string_view path);

class Parser {
public:
    Parser(ast::Ast& ast, const Source& source, SpecKind kind, const Macros& macros, const CompileOptions& options,
           TypeNames& types, const ParseHooks& hooks, Diagnostics& diagnostics);

    void run();

private:
    // The following rules are implemented in parser.cpp.
    void program();
    void item();
    bool in_c_header() const;
    void finish_item(ast::Item item);
    void check_end();
    void advance(Lexer::Mode mode = Lexer::Mode::Inside);
    bool accept(TokenKind kind);
    void expect(TokenKind kind, std::string_view hint = {});
    void expect(ast::Operator op);
    void require(TokenKind kind, std::string_view hint = {}); // fails unless token_ has this kind; keeps token_
    [[noreturn]] void fail(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    [[noreturn]] void syntax_error(std::string_view hint = {});
    std::string_view hint_for_token() const;
    void recover(std::size_t before);

    /// While this object exists, it counts as one level of recursion. Reports an error at the limit.
    class Nest {
    public:
        explicit Nest(Parser& parser) : parser_(parser)
        {
            if (++parser_.nesting_ > kMaxNesting) {
                --parser_.nesting_;
                parser_.too_deep();
            }
        }
        ~Nest() { --parser_.nesting_; }
        Nest(const Nest&) = delete;
        Nest& operator=(const Nest&) = delete;

    private:
        Parser& parser_;
    };
    std::string hint_from_text() const;
    [[noreturn]] void too_deep();

    // The following rules are implemented in parser.cpp.
    void clause();
    ast::ProbeDesc description();
    ast::Expr* predicate();
    void statements(std::vector<ast::Stmt*>& into);
    ast::Stmt* expression_statement();
    ast::Stmt* if_statement();
    ast::Stmt* arm();

    // The following rules are implemented in parser_declarations.cpp.
    void declaration();
    enum class SpecContext : uint8_t { Declaration, Inline, Parameter, Member, TypeName };
    ast::DeclSpec* specifiers(SpecContext context);
    void storage_class(ast::DeclSpec& spec, SpecContext context);
    bool type_specifier(ast::DeclSpec& spec);
    bool attribute(ast::DeclSpec& spec);
    void nothing_specified(SpecContext context);
    void check_attributes(const ast::DeclSpec& spec);
    void record(ast::DeclSpec& spec);
    void enumeration(ast::DeclSpec& spec);
    void tag(ast::DeclSpec& spec);
    ast::MemberDecl* member();
    enum class Naming : uint8_t { Required, Optional, Forbidden };
    ast::Declarator* declarator(Naming naming);
    void declarator_into(ast::Declarator& declarator, Naming naming);
    void direct_declarator(ast::Declarator& declarator, Naming naming);
    void suffixes(ast::Declarator& declarator);
    void add_part(ast::Declarator& declarator, ast::DeclPart part);
    ast::DeclPart array();
    ast::DeclPart function();
    std::vector<ast::Parameter> parameters(TokenKind close, bool& variadic);
    void check_separator(const ast::Declarator& declarator);
    ast::TypeName* type_name();
    bool starts_type();
    bool starts_parameter();
    void check_declared(const Span& at, const std::string& name);

    // The following rules are implemented in parser.cpp.
    void inline_definition();
    void translator();
    bool is_parameter_name() const;
    void provider();
    ast::ProviderProbe provider_probe();
    std::vector<ast::Parameter> provider_parameters();

    // The following rules are implemented in parser_expressions.cpp.
    struct Operand {
        ast::Expr* expr = nullptr;
        // whether the operand is a unary-expression in the sense of the grammar, which may be the left side of an
        // assignment
        bool unary = false;
    };
    ast::Expr* expression();
    ast::Expr* assignment();
    Operand conditional();
    ast::Expr* constant_expression() { return conditional().expr; }
    Operand binary();
    Operand cast();
    ast::Expr* parenthesised();
    [[noreturn]] void unknown_type(const Span& at, const std::string& name);
    ast::Expr* unary();
    ast::Expr* nested_unary();
    ast::Expr* sizeof_expression();
    ast::Expr* postfix(ast::Expr* operand);
    ast::Expr* bracketed(ast::Expr* operand, ast::ExprKind kind, TokenKind close);
    ast::Expr* primary();
    ast::Expr* integer();
    ast::Expr* scoped(ast::ExprKind kind);
    ast::Expr* return_call();
    ast::Expr* offsetof_expression();
    ast::Expr* xlate();
    ast::Expr* leaf(ast::ExprKind kind, const Span& at);
    ast::Expr* node(ast::ExprKind kind, const Span& caret, std::vector<ast::Expr*> kids,
                    ast::Operator op = ast::Operator::None);
    Span created_now(const Span& caret) const;

    ast::Ast& ast_;
    const Source& source_;
    SpecKind kind_;
    const CompileOptions& options_;
    TypeNames& types_;
    const ParseHooks& hooks_;
    Diagnostics& diagnostics_;
    MacroTable macros_;
    ControlLines control_lines_;
    Lexer lexer_;

    Token token_;
    Span last_;                           // position of the previous token, used in errors such as "missing ;"
    const ast::Clause* clause_ = nullptr; // the clause that is being parsed
    unsigned braces_ = 0;                 // number of open braces in the current item
    unsigned nesting_ = 0;                // present recursion depth of the rules
    std::size_t item_begin_ = 0;          // offset in the source text of the first token of the current item
    bool in_item_ = false;
    bool in_declaration_ = false;
    bool in_provider_ = false; // whether parameters of a provider's probe are being parsed

    // Stack of binary(): operands, and operators whose right operand was not read yet. It replaces one level of
    // recursion per precedence.
    struct Waiting {
        ast::Expr* left;
        ast::Operator op;
        Span at;
        int precedence;
    };
    std::vector<Waiting> waiting_;
};

} // namespace dt::syntax
