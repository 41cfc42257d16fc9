// Which statements run in which BPF program: one group per attach plan, with the statements that match its probes.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "bpf-runtime/abi.h"
#include "dcompiler/sema/program.hpp"

namespace dt::lower {

/// A clause under one description, or under several that share its code.
struct GroupStatement {
    const Statement* statement = nullptr; ///< whose code it is
    std::vector<const Probe*> probes;     ///< of this plan
    bool all = false;                     ///< matches every enabled probe of the group
    uint32_t bit = 0;                     ///< its bit in dt_ecb.mask, when not `all`
    /// Which statement it is under each probe, when it is more than one: then the number is in the dt_ecb, at
    /// `number_at`.
    std::map<const Probe*, const Statement*> owners;
    uint32_t number_at = 0;
};

/// What the clauses of a probe do to variables of threads: sampled_pairs.hpp.
enum class PairRole : uint8_t { None, Begins, Continues };

struct Group {
    std::shared_ptr<const AttachPlan> plan;
    std::vector<GroupStatement> statements; ///< in program order
    uint32_t mask_bits = 0;
    uint32_t numbers = 0;                       ///< statements with a number in the dt_ecb, behind the mask
    uint32_t first_counted = 0;                 ///< place of its first probe: Schema::counted
    std::optional<uint32_t> gate;               ///< CountedProbe::gate of its probes
    std::optional<uint32_t> others;             ///< place of what is no firing of them, among dt_cost
    std::vector<std::array<uint32_t, 4>> names; ///< of its probes: Layout::name_ids()
    std::vector<PairRole> roles;    ///< of its probes; empty: none of them is a part of a pair, as far as is known
    std::vector<uint32_t> families; ///< of its probes, with roles: which variables they have to do with

    bool has_pairs() const { return !roles.empty(); }
    bool has_role(PairRole role) const { return std::find(roles.begin(), roles.end(), role) != roles.end(); }
    /// Of the dt_ecb of its probes.
    uint32_t numbers_at() const { return static_cast<uint32_t>(sizeof(dt_ecb)) + 8 * ((mask_bits + 63) / 64); }
    uint32_t ecb_size() const { return (numbers_at() + 4 * numbers + 7) & ~7u; }
    /// Numbers of the statements that run when the probe fires, in their order.
    std::vector<uint32_t> statements_of(const Probe& probe) const;
};

/// A group for each plan that is a program, in the order their first statement appears; a statement that matches probes
/// of several plans is in several groups. Descriptions of one clause whose probes are different ones share its code
/// where it means the same under them. `errors` receives that of dtrace:::ERROR, which is none.
std::vector<Group> group_by_plan(const Program& program, ProbeSource& source, Group& errors);

} // namespace dt::lower
