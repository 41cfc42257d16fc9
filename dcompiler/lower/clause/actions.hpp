// Lowers actions, such as printf(): evaluates their arguments and records the data for the consumer.
#pragma once

#include <cstdint>
#include <vector>

#include "dcompiler/lower/clause/clause_state.hpp"

namespace dt::lower {

class Actions : public HookComponent {
public:
    using HookComponent::ClauseComponent;

    void action(const TStmt& s);
    /// Evaluates `e` and stores the result directly in the sample, as a new datum.
    Datum record(const TExpr& e);
    void address_into(const Action& action, const std::vector<TExpr*>& args, const Datum& datum, ir::Value dst,
                      int64_t offset);
};

} // namespace dt::lower
