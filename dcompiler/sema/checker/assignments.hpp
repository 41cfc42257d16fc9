// Checker of assignments, and helper for values that an expanded expression uses several times.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dcompiler/sema/part.hpp"
#include "dcompiler/sema/undeclared.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

/// Value for expansions that may use it several times. If computing it has side effects or is expensive, `store`
/// assigns it to a nameless variable that `value` reads; else `store` is null.
struct Once {
    TExpr* store = nullptr;
    TExpr* value = nullptr;
};

class Assignments : public Part {
public:
    using Part::Part;

    /// Checks =, and through compound_assign() the compound operators.
    TExpr* assign(const ast::Expr& e);
    /// Checks ++ and --. With `post`, the result is the old value.
    TExpr* increment(const ast::Expr& e, bool post);
    Once once(TExpr* value);
    /// Returns an lvalue that can be used several times. Computations of its keys and subscripts move to `stores` (null
    /// if none so far).
    TExpr* settled(TExpr* place, TExpr*& stores);
    TExpr* after(TExpr* store, TExpr* value); ///< returns `value`, computed after `store`; an lvalue remains an lvalue
    /// Returns whether only pointers to scratch memory were assigned to the variable so far.
    bool only_scratch(const Variable& variable) const;

private:
    Variable* create_undeclared(Scope scope, const std::string& name, const Type* type, std::vector<const Type*> keys,
                                const Span& at);
    TExpr* compound_assign(const ast::Expr& e);
    TExpr* assign_to(const ast::Expr& target, TExpr* value, const Span& at);
    TExpr* create_target(const ast::Expr& target, const Type* type,
                         std::string hint = {}); ///< returns null if the target is not an unknown variable
    void check_writable(const TExpr* target, const Span& at, std::string_view op);
    void note_scratch(TExpr* target, const TExpr* value, const Span& at);
    const Type* kept_type(const TExpr* target); ///< returns the type to which a value is converted on assignment
    void note_assigned(const TExpr* target, const TExpr* value, const Span& at);

    uint32_t once_ = 0;                                         ///< number of nameless variables
    std::unordered_map<const Variable*, uint8_t> pointer_uses_; ///< bit 0: scratch, bit 1: other pointers
    std::set<const Variable*> narrowing_told_;
};

} // namespace dt::sema
