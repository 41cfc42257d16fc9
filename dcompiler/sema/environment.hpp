// The names that the body of an inline or translator sees while it is expanded.
#pragma once

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

/// Nested expansions. Inlines cannot recur, but translators of inlines of translators may pile up.
inline constexpr std::size_t kDeepest = 200;

/// What a name means while the body of an inline or translator is expanded: its parameters, and otherwise globals only.
struct Environment {
    Environment(Checker& checker, std::vector<std::pair<std::string, TExpr*>> bindings) : checker_(checker)
    {
        checker_.frames_.push_back(std::move(bindings));
    }
    ~Environment() { checker_.frames_.pop_back(); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    Checker& checker_;
};

} // namespace dt::sema
