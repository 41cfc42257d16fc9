// Calls of subroutines.
#pragma once

#include "dcompiler/lower/clause_part.hpp"
#include "dcompiler/lower/hooks.hpp"

namespace dt::lower {

class Calls : public ClausePart {
public:
    using ClausePart::ClausePart;

    Operand call(const TExpr& e);
    Operand hooked(LowerExpr lower, const TExpr& e);
};

} // namespace dt::lower
