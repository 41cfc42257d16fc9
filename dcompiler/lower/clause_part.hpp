// What the parts of lowering a clause have in common: each asks what it needs of another part of that part, through the clause that has them all.
#pragma once

#include "dcompiler/lower/context.hpp"
#include "dcompiler/lower/groups.hpp"
#include "dcompiler/lower/operand.hpp"

namespace dt::lower {

class ClauseLowering;

class ClausePart {
public:
    /// The clause must outlive its parts.
    explicit ClausePart(ClauseLowering& whole) : clause(whole) {}

protected:
    ClausePart(const ClausePart&) = delete;
    ClausePart& operator=(const ClausePart&) = delete;
    ~ClausePart() = default;

    ir::Builder& b() const;
    ModuleLowering& module() const;
    Context& context() const;

    ClauseLowering& clause;
};

} // namespace dt::lower
