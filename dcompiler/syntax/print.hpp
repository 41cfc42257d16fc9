// Printer of the syntax tree, for -x tree=1 and tests. Items, statements and members take one line each; expressions
// are in prefix form.
#pragma once

#include <string>
#include <string_view>

#include "dcompiler/syntax/ast.hpp"

namespace dt::syntax {

/// Returns the spelling of an operator, such as "+", "<<=" or "^^"; empty for None.
std::string_view spelling(ast::Operator op);

/// Returns an expression in prefix form: `a + b * 2` is "(+ a (* b 2))". Calls are "(call f a)", subscripts "([] m k)",
/// casts "(cast int * p)", postfix operators "(post ++ x)".
std::string print(const ast::Expr& expr);

/// Returns specifiers in C syntax, such as "unsigned long long" or "struct p { int x; }".
std::string print(const ast::DeclSpec& spec);

/// Returns a type name in C syntax, such as "int *(*)[3]".
std::string print(const ast::TypeName& type);

/// Returns a declarator in C syntax, with its name, such as "*a[3]".
std::string print(const ast::Declarator& declarator);

/// Returns the whole tree, one node per line, bodies indented by two blanks.
std::string print(const ast::Ast& ast);

} // namespace dt::syntax
