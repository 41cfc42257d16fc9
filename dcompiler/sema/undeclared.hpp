// Undeclared integer variables (dtrace-language(7), NUMBERS AND TYPES). They are stored in 64 bits. Their type, for
// sizeof and for recording, is the widest integer type that the run assigns to them.
//
// So a later assignment, even in another text, may change the type of a variable that was already checked. The checker
// records every assignment to such a variable; if one is wider than assumed, the front end checks all texts again with
// the new types.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/sema/program.hpp"

namespace dt::sema {

class Checker;

class UndeclaredIntegers {
public:
    /// Returns the type of a variable that is created for a value of this type, using earlier findings.
    const Type* type_for(Scope scope, const std::string& name, const Type* type);
    bool has(const Variable& variable) const { return types_.count({variable.scope, variable.name}) != 0; }
    void note_assigned(const Variable& variable, const TExpr* value) { assigned_.emplace_back(&variable, value); }

    /// Returns whether a variable got a wider value than assumed, so that all texts must be checked again. Called after
    /// each text.
    bool widen(Checker& checker);
    /// Starts another check of all texts with the types found so far.
    void begin_again() { assigned_.clear(); }

private:
    const Type* assigned_type(Checker& checker, const TExpr* value) const;

    std::map<std::pair<Scope, std::string>, const Type*> types_;
    std::vector<std::pair<const Variable*, const TExpr*>> assigned_;
};

} // namespace dt::sema
