// Which statements run in which BPF program: one group per hook, with the probes enabled there and the statements that match them.
#pragma once

#include <memory>
#include <vector>

#include "dcompiler/sema/program.hpp"

namespace dt::lower {

struct GroupStatement {
    const Statement* statement = nullptr;
    std::vector<const Probe*> probes; ///< of this hook
    bool all = false;                 ///< matches every enabled probe of the group
    uint32_t bit = 0;                 ///< its bit in dt_ecb.mask, when not `all`
};

struct Group {
    std::shared_ptr<const Hook> hook;
    std::vector<const Probe*> probes; ///< enabled here, by selector
    std::vector<GroupStatement> statements; ///< in program order
    uint32_t mask_bits = 0;
};

/// Groups in the order their first statement appears; a statement that matches probes of several hooks is in several groups.
/// `errors` receives the statements of dtrace:::ERROR, which has no hook.
std::vector<Group> group_by_hook(const Program& program, std::vector<const Statement*>& errors);

} // namespace dt::lower
