// Checker of assignments, with the types of undeclared integer variables and with values that an expanded expression
// uses several times but evaluates once.
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
/// sizeof and for recording, is the widest integer type that is assigned to them anywhere in the run.
///
/// A later assignment, even in another source text, can therefore change the type of a variable that was already
/// checked. The checker records every assignment to such a variable; if one is wider than assumed, the front end checks
/// all source texts again with the new types.
class UndeclaredIntegers {
public:
    /// Returns the type of an undeclared variable whose first assigned value has the type `type`. If an earlier check
    /// of the source texts found a wider type, returns that type.
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

/// A value for an expansion that may use it several times. If computing the value has side effects or is expensive,
/// `store` assigns it to a nameless variable, which `value` reads; else `store` is null.
struct AssignedOnce {
    TExpr* store = nullptr;
    TExpr* value = nullptr;
};

class Assignments : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Checks =, and through compound_assign() also +=, -= and so on.
    TExpr* assign(const ast::Expr& e);
    /// Checks ++ and --. With `post`, the result is the old value.
    TExpr* increment(const ast::Expr& e, bool post);
    AssignedOnce once(TExpr* value);
    /// Assigns a scalar or string to a nameless variable, even if its value could be computed several times.
    AssignedOnce kept(TExpr* value);
    /// Returns an lvalue that can be used several times. Computations of its keys and subscripts are appended to
    /// `stores` (null as long as there are none).
    TExpr* settled(TExpr* place, TExpr*& stores);
    /// returns an expression that computes `store`, then yields `value`; an lvalue remains an lvalue
    TExpr* after(TExpr* store, TExpr* value);
    /// Returns whether the variable has so far been assigned only pointers to scratch memory.
    bool only_scratch(const Variable& variable) const;

private:
    Variable* create_undeclared(Scope scope, const std::string& name, const Type* type, std::vector<const Type*> keys,
                                const Span& at);
    TExpr* compound_assign(const ast::Expr& e);
    TExpr* assign_to(const ast::Expr& target, TExpr* value, const Span& at);
    /// Creates a variable for an assignment to an unknown name. Returns null if the target is not an unknown variable.
    TExpr* create_target(const ast::Expr& target, const Type* type, std::string hint = {});
    void check_writable(const TExpr* target, const Span& at, std::string_view op);
    void note_scratch(TExpr* target, const TExpr* value, const Span& at);
    const Type* kept_type(const TExpr* target); ///< returns the type to which a value is converted on assignment
    void note_assigned(const TExpr* target, const TExpr* value, const Span& at);

    uint32_t once_ = 0; ///< number of nameless variables created so far
    /// kinds of pointers that were assigned to the variable, as bits: bit 0 for scratch memory, bit 1 for other memory
    std::unordered_map<const Variable*, uint8_t> pointer_uses_;
    std::set<const Variable*> narrowing_reported_;
};

} // namespace dt::sema
