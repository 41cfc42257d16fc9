// The syntax tree as text, for -x tree=1 and tests: one line for each item, statement and member; expressions in prefix
// form.
#pragma once

#include <string>
#include <string_view>

#include "dcompiler/syntax/ast.hpp"

namespace dt::syntax {

/// "+", "<<=", "^^"; empty for None.
std::string_view spelling(ast::Operator op);

/// `a + b * 2` is "(+ a (* b 2))"; calls are "(call f a)", subscripts "([] m k)", "(cast int * p)", "(post ++ x)".
std::string print(const ast::Expr& expr);

/// C syntax: "unsigned long long", "struct p { int x; }".
std::string print(const ast::DeclSpec& spec);

/// C syntax: "int *(*)[3]".
std::string print(const ast::TypeName& type);

/// C syntax around the name: "*a[3]".
std::string print(const ast::Declarator& declarator);

/// The whole tree, a newline after each line, bodies indented by two blanks.
std::string print(const ast::Ast& ast);

} // namespace dt::syntax
