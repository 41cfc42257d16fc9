// Assigns statements to BPF programs. Each attach plan has a group: the statements that match its probes.
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

/// A statement in a group: a clause for one probe description, or for several descriptions that share the code.
struct GroupStatement {
    const Statement* statement = nullptr; ///< statement whose code is used
    std::vector<const Probe*> probes;     ///< probes of the attach plan to which the statement applies
    bool all = false;                     ///< whether the statement matches every enabled probe of the group
    uint32_t bit = 0;                     ///< if `all` is false: the statement's bit in dt_ecb.mask
    /// If several statements share the code: which of them applies to each probe. The code reads the id of that
    /// statement from the probe's dt_ecb, at byte offset `number_at`.
    std::map<const Probe*, const Statement*> owners;
    uint32_t number_at = 0;
};

/// Whether a firing of the probe begins an entry/return pair or continues one, because its clauses store or read thread
/// variables (sampling.hpp).
enum class PairRole : uint8_t { None, Begins, Continues };

struct Group {
    std::shared_ptr<const AttachPlan> plan;
    std::vector<GroupStatement> statements; ///< statements in the order of the source text
    uint32_t mask_bits = 0;
    /// Number of ids of statements that the dt_ecb contains after the mask.
    uint32_t numbers = 0;
    uint32_t first_counted = 0;                 ///< index of the group's first probe in Schema::counted
    std::optional<uint32_t> timing_switch;      ///< timing switch of the group (CountedProbe::timing_switch)
    std::optional<uint32_t> others;             ///< index in dt_cost of the counters of calls without a firing
    std::vector<std::array<uint32_t, 4>> names; ///< for each probe, the ids of its names: Layout::name_ids()
    /// role of each probe in entry/return pairs; empty if no probe of the group has one
    std::vector<PairRole> roles;
    /// For each probe, the index of its family, which is the set of thread variables that one pair of probes uses
    /// (sampling.hpp). Empty if no probe belongs to a pair.
    std::vector<uint32_t> families;

    bool has_pairs() const { return !roles.empty(); }
    bool has_role(PairRole role) const { return std::find(roles.begin(), roles.end(), role) != roles.end(); }
    /// Offset of the statement ids in the dt_ecb of a probe, and size of the dt_ecb.
    uint32_t numbers_at() const { return static_cast<uint32_t>(sizeof(dt_ecb)) + 8 * ((mask_bits + 63) / 64); }
    uint32_t ecb_size() const { return (numbers_at() + 4 * numbers + 7) & ~7u; }
    /// Returns the ids of the statements that run when the probe fires, in the order in which they run.
    std::vector<uint32_t> statements_of(const Probe& probe) const;
};

/// Returns a group of statements for each attach plan that has a program, in the order of their first statement. A
/// statement with probes in several plans is in several groups. A clause with several probe descriptions has its code
/// only once in a group, if it means the same for all of them. `errors` receives the group of dtrace:::ERROR, whose
/// clauses have no program of their own.
///
/// Old kernels lack helpers by which a program identifies its probe. If a plan's programs need attach cookies, the plan
/// is split into one for each probe. If they need bpf_get_func_ip(), it is split into one for each function.
std::vector<Group> group_by_plan(const Program& program, World& world, Group& errors);

} // namespace dt::lower
