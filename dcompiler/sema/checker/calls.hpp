// Checker of calls: finds the function, and checks the number and types of its arguments. The prototypes of
// builtins.def, which it needs for this, are parsed at their first use.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

/// A prototype from builtins.def, in parsed form.
struct Prototype {
    struct Parameter {
        std::string type; ///< type in D syntax; empty for the parameter `@`
        bool optional = false;
    };
    std::string result;
    std::vector<Parameter> parameters;
    bool variadic = false;
    std::size_t required = 0;
};

class Prototypes {
public:
    const Prototype& of(std::string_view text);

private:
    std::map<std::string, Prototype, std::less<>> parsed_;
};

struct Global;

class Calls : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Checks a call of a subroutine or of an inline with parameters.
    TExpr* call(const ast::Expr& e);
    /// Returns the called function; fails if the name cannot be called.
    Global& callee(const ast::Expr& e);
    /// Returns the call's arguments after their number and types have been checked. Without `convert`, integers keep
    /// their own type, because constants may be outside of the prototype's type. With `recorded`, an argument may be a
    /// variable whose printed name only the consumer finds.
    std::vector<TExpr*> arguments(std::string_view name, const Prototype& prototype, const ast::Expr& call,
                                  bool convert = true, bool recorded = false);
    /// Returns the subscripts of `e`, converted to the key types of the array or inline `name`.
    std::vector<TExpr*> keys(const std::string& name, const std::vector<const Type*>& types, const ast::Expr& e);

    Prototypes prototypes;

private:
    bool is_of_waker(const ast::Expr& call);
    Global* of_waker(const Action& own);
};

} // namespace dt::sema
