// What the parts of lowering a clause have in common.
#pragma once

#include "dcompiler/lower/clause_state.hpp"
#include "dcompiler/lower/groups.hpp"

namespace dt::lower {

class ClauseLowering;

template <typename Clause> class PartOf {
public:
    /// The clause must outlive its parts.
    explicit PartOf(Clause& whole) : clause(whole) {}

protected:
    PartOf(const PartOf&) = delete;
    PartOf& operator=(const PartOf&) = delete;
    ~PartOf() = default;

    ir::Builder& b() const { return clause.b(); }
    ModuleLowering& module() const { return clause.module(); }
    Context& context() const { return clause.context(); }

    Clause& clause;
};

/// One that needs the parts it is given and nothing else.
using ClausePart = PartOf<ClauseState>;
/// One that calls hooks.
using HookCaller = PartOf<ClauseLowering>;

} // namespace dt::lower
