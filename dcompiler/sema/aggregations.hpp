// Checker of aggregations: @name[keys] = function(arguments).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/sema/part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

class Aggregations : public Part {
public:
    using Part::Part;

    /// Returns the aggregation, or null if no update of it was seen.
    Aggregation* find_aggregation(std::string_view name);
    /// Checks an aggregation that is an argument: clear(@a), printa(@a).
    TExpr* aggregation_reference(const ast::Expr& e);
    /// Checks the update @a[keys] = function(arguments).
    TStmt* aggregate(const ast::Expr& e);

private:
    std::vector<TExpr*> aggregation_keys(const std::string& name, Aggregation* known, const ast::Expr& target,
                                         bool keyed);

    std::map<std::string, Aggregation*, std::less<>> aggregations_;
    std::vector<std::unique_ptr<Aggregation>> unassigned_; ///< referenced with a subscript but never assigned
};

} // namespace dt::sema
