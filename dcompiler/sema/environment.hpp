// Names that are visible in the body of an inline or translator while it is expanded.
#pragma once

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

/// Limit for nested expansions. Inlines cannot recur, but translators can use inlines that use translators.
inline constexpr std::size_t kDeepest = 200;
/// Limit for expansions in one clause or definition. Inlines that each use another one twice grow exponentially.
inline constexpr uint32_t kMostExpansions = 50'000;

/// Scope of the body of an inline or translator: its parameters, then globals only.
struct Environment {
    /// Checks the definition at `definition`; with `use`, expands it at that place.
    Environment(Checker& checker, std::vector<std::pair<std::string, TExpr*>> bindings, const Span& definition,
                const Span* use = nullptr)
        : checker_(checker), expands_(use != nullptr), outer_(checker.here.expands_library)
    {
        checker.here.expands_library = is_of_library(definition);
        checker.here.expanded = use ? checker.here.expanded + 1 : 0;
        if (checker.here.expanded > kMostExpansions)
            checker.reports.fail("D_UNKNOWN", *use,
                                 "inlines and translators expand to more than " + std::to_string(kMostExpansions) +
                                     " expressions here");
        checker_.here.frames.push_back(std::move(bindings));
        if (use)
            checker_.here.expansions.push_back(*use);
    }
    ~Environment()
    {
        checker_.here.frames.pop_back();
        checker_.here.expands_library = outer_;
        if (expands_)
            checker_.here.expansions.pop_back();
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    Checker& checker_;
    bool expands_, outer_;
};

/// Returns the checked body of an inline or translator member. Returns null if it belongs to a built-in library and
/// needs a feature that this kernel lacks; `lacking` then has the reason. Only uses of such a body are errors, so the
/// rest of the library stays usable.
inline TExpr* checked_definition(Checker& checker, std::vector<std::pair<std::string, TExpr*>> bindings,
                                 const ast::Expr& body, std::string& lacking)
{
    checker.grammar.check(body);
    checker.here.may_lack = checker.here.is_built_in;
    TExpr* value = nullptr;
    try {
        Environment environment(checker, std::move(bindings), body.at);
        value = checker.expressions.expr(body);
    } catch (const Lacking& kernel) {
        lacking = kernel.what;
    }
    checker.here.may_lack = false;
    return value;
}

} // namespace dt::sema
