// Calls: which function is meant, and its arguments counted and typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/sema/part.hpp"
#include "dcompiler/sema/prototypes.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

struct Global;

class Calls : public Part {
public:
    using Part::Part;

    /// A subroutine, or an inline with parameters.
    TExpr* call(const ast::Expr& e);
    /// What is called, if anything by that name can be.
    Global& callee(const ast::Expr& e);
    /// The call's arguments, counted and typed. Without `convert` integers keep their own type: constants may be out of
    /// the prototype's. `recorded`: each is recorded as it is, if it has no other prototype.
    std::vector<TExpr*> arguments(std::string_view name, const Prototype& prototype, const ast::Expr& call,
                                  bool convert = true, bool recorded = false);
    /// The subscripts of `e` converted to the key types of the array or inline called `name`.
    std::vector<TExpr*> keys(const std::string& name, const std::vector<const Type*>& types, const ast::Expr& e);

    Prototypes prototypes;

private:
    bool is_of_waker(const ast::Expr& call);
    Global* of_waker(const Action& own);
};

} // namespace dt::sema
