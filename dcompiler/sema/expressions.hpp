// Expressions: what an operand is, and the operators that reach into it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/sema/builtins.hpp"
#include "dcompiler/sema/part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

/// Of what is the kernel's own.
inline constexpr Attributes kKernelAttributes{Stability::Private, Stability::Private, DependencyClass::Unknown};

/// Appends the way to a member of a complete struct or union, through anonymous ones in it, to `path`. False, with
/// `path` as it was: there is none.
bool find_member(const Type* record, std::string_view name, std::vector<const Member*>& path);

class Expressions : public Part {
public:
    using Part::Part;

    /// Any expression, typed. What is constant is folded.
    TExpr* expr(const ast::Expr& e);
    /// The value of a variable, an element when it has keys.
    TExpr* variable(Variable& variable, std::vector<TExpr*> keys, const Span& at);
    /// *(base + index), of arrays with their bounds.
    TExpr* subscript(TExpr* base, TExpr* index, const Span& at);
    TExpr* member_of(TExpr* record, const std::string& name, const Span& at);
    /// Fails where D has no such cast.
    TExpr* cast_to(TExpr* value, const Type* type, const Span& at);
    TExpr* sizeof_expression(const ast::Expr& e);
    TExpr* offsetof_expression(const ast::Expr& e);

private:
    TExpr* string_of(TExpr* value, const Span& at, std::string_view tag);
    TExpr* address_of(TExpr* operand, const Span& at);
    TExpr* dereference(TExpr* pointer, const Span& at);
    /// As expr(), of an operand whose value is wanted: arrays stay arrays, dynamic values stay dynamic.
    TExpr* identifier(const ast::Expr& e, bool recorded);
    TExpr* index(const ast::Expr& e);
    TExpr* args_element(const BuiltinVariable& array, const ast::Expr& e);
    TExpr* uregs_element(const BuiltinVariable& array, const ast::Expr& e);
    TExpr* member(const ast::Expr& e);
    TExpr* unary(const ast::Expr& e);
    TExpr* cast_expression(const ast::Expr& e);
};

} // namespace dt::sema
