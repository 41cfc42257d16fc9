// Checker of declarations: types in D syntax, and the variables and types that a program declares.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

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

} // namespace dt::sema
