// Which statements run in which BPF program: one group per attach plan, with the statements that match its probes.
#pragma once

#include <memory>
#include <vector>

#include "dcompiler/sema/program.hpp"

namespace dt::lower {

struct GroupStatement {
    const Statement* statement = nullptr;
    std::vector<const Probe*> probes; ///< of this plan
    bool all = false;                 ///< matches every enabled probe of the group
    uint32_t bit = 0;                 ///< its bit in dt_ecb.mask, when not `all`
};

struct Group {
    std::shared_ptr<const AttachPlan> plan;
    std::vector<GroupStatement> statements; ///< in program order
    uint32_t mask_bits = 0;
    uint32_t first_firings = 0; ///< place of its first probe's dt_firings
};

/// A group for each plan that is a program, in the order their first statement appears; a statement that matches probes of several plans is in
/// several groups. `errors` receives that of dtrace:::ERROR, which is none.
std::vector<Group> group_by_plan(const Program& program, ProbeSource& source, Group& errors);

} // namespace dt::lower
