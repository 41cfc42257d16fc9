// Checker of assignments. It finds the types of undeclared integer variables, and stores values that an expansion uses
// several times.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

/// Undeclared integer variables (dtrace-language(7), NUMBERS AND TYPES). They are stored in 64 bits. Their type, for
/// sizeof and for recording, is the widest integer type that any source text assigns to them.
///
/// A later assignment, even in another source text, can therefore change the type of a variable that was already
/// checked. The checker records every assignment to such a variable; if an assigned value is wider than assumed, the
/// front end checks all source texts again with the new types.
class UndeclaredIntegers {
public:
    /// Returns the type of an undeclared variable whose first assigned value has the type `type`. Returns a wider type
    /// if an earlier check of the source texts has found one.
    const Type* type_for(Scope scope, const std::string& name, const Type* type);
    bool has(const Variable& variable) const { return types_.count({variable.scope, variable.name}) != 0; }
    void note_assigned(const Variable& variable, const TExpr* value) { assigned_.emplace_back(&variable, value); }

    /// Returns whether a value wider than the assumed type of its variable was assigned, so that all source texts must
    /// be checked again. Called after each source text.
    bool widen(Checker& checker);
    /// Starts another check of all source texts with the types found so far.
    void begin_again() { assigned_.clear(); }

private:
    const Type* assigned_type(Checker& checker, const TExpr* value) const;

    std::map<std::pair<Scope, std::string>, const Type*> types_;
    std::vector<std::pair<const Variable*, const TExpr*>> assigned_;
};

/// A value that an expansion may use several times: `value` yields it. If computing it is expensive or has side
/// effects, `store` assigns it to a nameless variable and `value` reads this variable; else `store` is null.
struct AssignedOnce {
    TExpr* store = nullptr;
    TExpr* value = nullptr;
};

class Assignments : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Checks assignments by =, and by +=, -= and so on through compound_assign().
    TExpr* assign(const ast::Expr& e);
    /// Checks ++ and --. With `post`, the value of the expression is the operand's old value.
    TExpr* increment(const ast::Expr& e, bool post);
    AssignedOnce once(TExpr* value);
    /// Assigns a scalar or string to a nameless variable, even if it could simply be computed several times.
    AssignedOnce kept(TExpr* value);
    /// Returns an lvalue that an expansion can use several times. Its keys and subscripts are computed before, by
    /// expressions that are appended to `stores` (null if there are none).
    TExpr* settled(TExpr* place, TExpr*& stores);
    /// returns an expression that evaluates `store` and then yields `value`; remains an lvalue if `value` is one
    TExpr* after(TExpr* store, TExpr* value);
    /// Returns whether only pointers to scratch memory have been assigned to the variable so far.
    bool only_scratch(const Variable& variable) const;

private:
    Variable* create_undeclared(Scope scope, const std::string& name, const Type* type, std::vector<const Type*> keys,
                                const Span& at);
    TExpr* compound_assign(const ast::Expr& e);
    TExpr* assign_to(const ast::Expr& target, TExpr* value, const Span& at);
    /// Creates a variable for an assignment to an unknown name. Returns null if the left side is something else.
    TExpr* create_target(const ast::Expr& target, const Type* type, std::string hint = {});
    void check_writable(const TExpr* target, const Span& at, std::string_view op);
    void note_scratch(TExpr* target, const TExpr* value, const Span& at);
    const Type* kept_type(const TExpr* target); ///< returns the type to which a value is converted on assignment
    void note_assigned(const TExpr* target, const TExpr* value, const Span& at);

    uint32_t once_ = 0; ///< number of nameless variables created so far
    /// for each variable, kinds of pointers assigned to it: bit 0 for scratch memory, bit 1 for other memory
    std::unordered_map<const Variable*, uint8_t> pointer_uses_;
    std::set<const Variable*> narrowing_reported_;
};

} // namespace dt::sema
