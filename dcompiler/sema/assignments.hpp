// Assignments: what may be assigned to what, and values that an expression mentions several times.
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

/// A value that an expansion may mention several times: where computing it has effects or a price, `store` puts it into
/// a variable without a name and `value` reads that; else `store` is null.
struct Once {
    TExpr* store = nullptr;
    TExpr* value = nullptr;
};

class Assignments : public Part {
public:
    using Part::Part;

    /// =, and through compound_assign() the operators that compute first.
    TExpr* assign(const ast::Expr& e);
    /// ++ and --; `post`: the value is the one before.
    TExpr* increment(const ast::Expr& e, bool post);
    Once once(TExpr* value);
    /// An lvalue that can be mentioned several times: what its keys and subscripts compute first goes to `stores`
    /// (null: nothing yet).
    TExpr* settled(TExpr* place, TExpr*& stores);
    TExpr* after(TExpr* store, TExpr* value); ///< `value`, computed after `store`; an lvalue stays one
    /// Pointers into scratch memory are all that was assigned to it so far.
    bool only_scratch(const Variable& variable) const;

private:
    Variable* create_undeclared(Scope scope, const std::string& name, const Type* type, std::vector<const Type*> keys,
                                const Span& at);
    TExpr* compound_assign(const ast::Expr& e);
    TExpr* assign_to(const ast::Expr& target, TExpr* value, const Span& at);
    TExpr* create_target(const ast::Expr& target, const Type* type,
                         std::string hint = {}); ///< null when the target is not an unknown variable
    void check_writable(const TExpr* target, const Span& at, std::string_view op);
    void note_scratch(TExpr* target, const TExpr* value, const Span& at);
    const Type* kept_type(const TExpr* target); ///< what a value is converted to when it is assigned
    void note_assigned(const TExpr* target, const TExpr* value, const Span& at);

    uint32_t once_ = 0;                                         ///< variables without a name made so far
    std::unordered_map<const Variable*, uint8_t> pointer_uses_; ///< bit 0: scratch, bit 1: other pointers
    std::set<const Variable*> narrowing_told_;
};

} // namespace dt::sema
