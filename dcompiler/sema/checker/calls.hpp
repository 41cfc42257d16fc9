// Checker of calls: finds the called function, and checks the number and types of the arguments. It parses the
// prototypes of builtins.def when they are first used.
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

/// The parsed form of a prototype in builtins.def.
struct Prototype {
    struct Parameter {
        std::string type; ///< type of the parameter in D syntax; empty for `@` (an aggregation or any expression)
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
    /// Returns the function that is called, or reports an error if the name is not a function.
    Global& callee(const ast::Expr& e);
    /// Checks the number and types of a call's arguments and returns them. Without `convert`, integers keep their own
    /// types, because a constant may be too large for the type in the prototype. With `recorded`, an argument may be a
    /// variable whose printed form only the consumer knows.
    std::vector<TExpr*> arguments(std::string_view name, const Prototype& prototype, const ast::Expr& call,
                                  bool convert = true, bool recorded = false);
    /// Returns the subscripts in `e`, converted to the key types of `name`, an array or inline.
    std::vector<TExpr*> keys(const std::string& name, const std::vector<const Type*>& types, const ast::Expr& e);

    Prototypes prototypes;

private:
    bool is_of_waker(const ast::Expr& call);
    Global* of_waker(const Action& own);
};

} // namespace dt::sema
