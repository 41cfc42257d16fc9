// Integer variables that nobody declared (dtrace-language(7), NUMBERS AND TYPES): they are kept in 64 bits, and their
// type, for sizeof and for what is recorded, is the widest integer type that the run assigns to them anywhere.
//
// So an assignment further down, or in a later text, may change what a variable is where it was already checked.
// Checking therefore notes every assignment to such a variable; when one turns out wider than it was taken for, the
// front end checks all texts again with the types found.
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
    /// A variable is made for a value of this type: the type it has by what is known so far.
    const Type* type_for(Scope scope, const std::string& name, const Type* type);
    bool has(const Variable& variable) const { return types_.count({variable.scope, variable.name}) != 0; }
    void note_assigned(const Variable& variable, const TExpr* value) { assigned_.emplace_back(&variable, value); }

    /// After a text: whether a variable is assigned a wider value than it was taken for, so that all must be checked
    /// again.
    bool widen(Checker& checker);
    /// All are checked again: the types found stay known.
    void begin_again() { assigned_.clear(); }

private:
    const Type* assigned_type(Checker& checker, const TExpr* value) const;

    std::map<std::pair<Scope, std::string>, const Type*> types_;
    std::vector<std::pair<const Variable*, const TExpr*>> assigned_;
};

} // namespace dt::sema
