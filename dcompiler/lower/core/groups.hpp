// Assigns statements to BPF programs: one group per attach plan, with the statements that match its probes.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "bpf-runtime/abi.h"
#include "dcompiler/interface/world.hpp"
#include "dcompiler/sema/program/program.hpp"

namespace dt::lower {

/// A clause under one probe description, or under several descriptions that share the code.
struct GroupStatement {
    const Statement* statement = nullptr; ///< statement that provides the code
    std::vector<const Probe*> probes;     ///< probes of the attach plan to which the statement applies
    bool all = false;                     ///< whether the statement matches every enabled probe of the group
    uint32_t bit = 0;                     ///< bit of the statement in dt_ecb.mask if `all` is false
    /// If several statements share the code: the statement of each probe. The code then reads the id of its current
    /// statement from the dt_ecb of the probe, at the byte offset `number_at`.
    std::map<const Probe*, const Statement*> owners;
    uint32_t number_at = 0;
};

/// Effect of a probe's clauses on thread variables, as described in sampling.hpp.
enum class PairRole : uint8_t { None, Begins, Continues };

struct Group {
    std::shared_ptr<const AttachPlan> plan;
    std::vector<GroupStatement> statements; ///< statements in the order of the source text
    uint32_t mask_bits = 0;
    /// Number of words after the mask in the dt_ecb that contain ids of statements.
    uint32_t numbers = 0;
    uint32_t first_counted = 0;                 ///< index of the group's first probe in Schema::counted
    std::optional<uint32_t> timing_switch;      ///< timing switch of the probes: CountedProbe::timing_switch
    std::optional<uint32_t> others;             ///< index of the counters in dt_cost for program calls without a firing
    std::vector<std::array<uint32_t, 4>> names; ///< ids of the names of the probes: Layout::name_ids()
    /// roles of the probes in entry/return pairs; empty if no probe is known to belong to a pair
    std::vector<PairRole> roles;
    /// For each probe, the index of the family of thread variables that it uses (sampling.hpp); empty if probes have no
    /// roles in pairs.
    std::vector<uint32_t> families;

    bool has_pairs() const { return !roles.empty(); }
    bool has_role(PairRole role) const { return std::find(roles.begin(), roles.end(), role) != roles.end(); }
    /// Two functions describe the layout of the probes' dt_ecb: one returns the offset of the ids of statements, the
    /// other the size.
    uint32_t numbers_at() const { return static_cast<uint32_t>(sizeof(dt_ecb)) + 8 * ((mask_bits + 63) / 64); }
    uint32_t ecb_size() const { return (numbers_at() + 4 * numbers + 7) & ~7u; }
    /// Returns the ids of the statements that run when the probe fires, in the order in which they run.
    std::vector<uint32_t> statements_of(const Probe& probe) const;
};

/// Returns a group for each plan with a program, in the order of their first statement. A statement with probes in
/// several plans is in several groups. If a clause has several probe descriptions with different probes, they share its
/// code, provided that the clause means the same for all of them. `errors` receives the group of dtrace:::ERROR, which
/// has no program. If the kernel lacks attach cookies, a plan whose programs would use them is split into one for each
/// probe. If it lacks bpf_get_func_ip(), a plan whose programs would use it is split into one for each function.
std::vector<Group> group_by_plan(const Program& program, World& world, Group& errors);

} // namespace dt::lower
