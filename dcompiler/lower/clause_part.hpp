// Base class of the parts that lower a clause: gives access to the clause, its builder and its module.
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

/// Base of parts that use only the parts passed to them.
using ClausePart = PartOf<ClauseState>;
/// Base of parts that call hooks.
using HookCaller = PartOf<ClauseLowering>;

} // namespace dt::lower
