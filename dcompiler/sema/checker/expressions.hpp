// Checker of operands, and of operators that access a part of an operand: members, subscripts, casts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/sema/program/builtins.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

/// Stability attributes of data in the kernel's memory.
inline constexpr Attributes kKernelAttributes{Stability::Private, Stability::Private, DependencyClass::Unknown};

/// Finds member `name` of a complete struct or union, also inside anonymous members. Appends to `path` the members that
/// lead to it, and the member itself. Returns false and leaves `path` unchanged if there is none.
bool find_member(const Type* record, std::string_view name, std::vector<const Member*>& path);
using MemberPath = std::vector<const Member*>;
/// Returns the members on a path such as "a.b.c", or nothing if one of them does not exist.
std::optional<MemberPath> find_path(const Type* record, std::string_view names);

class Expressions : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Determines the type of an expression and folds its constants.
    TExpr* expr(const ast::Expr& e);
    /// Returns a variable's value, or the value of an array element if `keys` are given.
    TExpr* variable(Variable& variable, std::vector<TExpr*> keys, const Span& at);
    /// Returns the element `index` behind `base`, that is *(base + index). For an array, the program checks the index
    /// against the bounds.
    TExpr* subscript(TExpr* base, TExpr* index, const Span& at);
    TExpr* member_of(TExpr* record, const std::string& name, const Span& at);
    /// Casts a value to a type; reports an error if D has no such cast.
    TExpr* cast_to(TExpr* value, const Type* type, const Span& at);
    /// Returns a structure with all variables of the traced function that can be read at the probe.
    TExpr* all_locals(const BuiltinVariable& locals, const Span& at);
    /// Reports an error if the statement reads parts of variables that are optimized away.
    void check_lost_parts(const Statement& statement);
    TExpr* sizeof_expression(const ast::Expr& e);
    TExpr* offsetof_expression(const ast::Expr& e);

private:
    TExpr* string_of(TExpr* value, const Span& at, std::string_view tag);
    TExpr* address_of(TExpr* operand, const Span& at);
    TExpr* dereference(TExpr* pointer, const Span& at);
    /// The following functions determine the type of an operand like expr(). They do not convert arrays and dynamic
    /// values (aggregations and translated objects), because the caller may not need the operand's value.
    TExpr* identifier(const ast::Expr& e, bool recorded);
    TExpr* index(const ast::Expr& e);
    TExpr* args_element(const BuiltinVariable& array, const ast::Expr& e);
    TExpr* args_named(const BuiltinVariable& array, const ast::Expr& e);
    TExpr* argument_value(const BuiltinVariable& array, std::size_t number, const Span& at);
    /// Returns the built-in variable with this role if the expression is its name, else null.
    const BuiltinVariable* builtin_with(VariableRole role, const ast::Expr& e);
    /// Returns a variable of the traced program.
    TExpr* local_variable(const BuiltinVariable& locals, const std::string& name, const Span& at);
    /// Returns a parameter of the traced function at a probe without arguments of this name, or null.
    TExpr* parameter_here(const std::string& name, const Span& at);
    TExpr* local_value(const BuiltinVariable& locals, const std::string& name,
                       const std::vector<ProbeVariable>& variables, const Span& at);
    void check_lost_parts(const TExpr& e);
    void check_lost_parts(const std::vector<TStmt*>& statements);
    std::vector<ProbeVariables> variables_here(const std::string& name, const Span& at);
    void require_arguments(const Span& at);
    TExpr* uregs_element(const BuiltinVariable& array, const ast::Expr& e);
    TExpr* member(const ast::Expr& e);
    TExpr* pointed_record(TExpr* pointer, const std::string& name);
    TExpr* unary(const ast::Expr& e);
    TExpr* cast_expression(const ast::Expr& e);

    /// Variables of traced programs of which some bytes are optimized away, by the node that reads the variable.
    std::map<const TExpr*, std::vector<ByteRange>> lost_parts_;
};

} // namespace dt::sema
