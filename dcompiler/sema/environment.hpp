// The names that the body of an inline or translator sees while it is expanded.
#pragma once

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

/// Nested expansions. Inlines cannot recur, but translators of inlines of translators may pile up.
inline constexpr std::size_t kDeepest = 200;
/// Expansions in one clause or definition: an inline that uses another twice, which uses a third twice, …, soon has no
/// end.
inline constexpr uint32_t kMostExpansions = 50'000;

/// What a name means while the body of an inline or translator is expanded: its parameters, and otherwise globals only.
struct Environment {
    /// While a definition is checked; with `use`, while it is expanded there. `definition`: where it stands.
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

/// The body of an inline or of a translator's member, checked. Null where it is of our own libraries and asks for what
/// this kernel has not, which `lacking` then tells: such a body is missed by who uses it, not by all that stands beside
/// it.
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
