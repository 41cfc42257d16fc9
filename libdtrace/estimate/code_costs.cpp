// Follows the likely path of each function. Cold blocks are moved to the end of a function (dcompiler/ebpf/seldom.hpp),
// so the likely path continues after a branch and predicates are true. A branch on a helper's result follows the
// success case: the element exists, the sample was written.
#include "libdtrace/host/cost_model.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "libdtrace/load/map_sizes.hpp"

namespace dt {
namespace {

// Additional costs of cold caches: a program that runs now and then finds less cached than a measured one. The values
// are calibrated so that `bench estimate` agrees best with -x cost.
constexpr double kColdInstruction = 3; // factor for instructions
constexpr double kColdCall = 10;       // ns for each helper call above kCheapCall
constexpr double kColdMap = 22;        // ns for the first use of a map
constexpr double kCheapCall = 4;       // ns

constexpr double kTurns = 8;      // assumed iterations of a loop
constexpr double kInlined = 4;    // instructions of an inlined array look-up
constexpr double kClosedLane = 8; // instructions that detect a closed ring
constexpr std::string_view kLane = "dt_lane_";

bool is_wide(const bpf_insn& insn)
{
    return insn.code == (BPF_LD | BPF_IMM | BPF_DW);
}

bool is_jump(const bpf_insn& insn)
{
    return BPF_CLASS(insn.code) == BPF_JMP || BPF_CLASS(insn.code) == BPF_JMP32;
}

int64_t distance(const bpf_insn& insn)
{
    const bool is_far = BPF_CLASS(insn.code) == BPF_JMP32 && BPF_OP(insn.code) == BPF_JA;
    return is_far ? insn.imm : insn.off;
}

bool writes_register(const bpf_insn& insn)
{
    const auto kind = BPF_CLASS(insn.code);
    return kind == BPF_ALU || kind == BPF_ALU64 || kind == BPF_LDX || kind == BPF_LD;
}

/// Returns whether the helper returns 0 on success; empty if branches on its result give no hint.
std::optional<bool> returns_zero(int32_t helper)
{
    switch (helper) {
    case BPF_FUNC_map_lookup_elem:
    case BPF_FUNC_task_storage_get:
        return false;
    case BPF_FUNC_map_update_elem:
    case BPF_FUNC_map_delete_elem:
    case BPF_FUNC_perf_event_output:
    case BPF_FUNC_ringbuf_output:
    case BPF_FUNC_probe_read_user:
    case BPF_FUNC_probe_read_kernel:
        return true;
    default:
        return {};
    }
}

} // namespace

/// Evaluates one function along its likely path.
class CostModel::Walk {
public:
    Walk(CostModel& model, const ObjectFunction& function)
        : model_(model), function_(function), before_(function.insns.size(), -1)
    {
    }

    double run()
    {
        const auto size = static_cast<int64_t>(function_.insns.size());
        for (int64_t at = 0; at >= 0 && at < size && before_[static_cast<std::size_t>(at)] < 0;)
            at = step(at);
        return time_;
    }

private:
    /// Evaluates the instruction and returns the index of the likely next one, or -1 at the end.
    int64_t step(int64_t at)
    {
        const bpf_insn& insn = function_.insns[static_cast<std::size_t>(at)];
        before_[static_cast<std::size_t>(at)] = time_;
        time_ += kColdInstruction * model_.prices_.instruction;
        if (is_wide(insn)) {
            refer(insn.dst_reg, static_cast<uint32_t>(at));
            return at + 2;
        }
        if (!is_jump(insn)) {
            note(insn);
            return at + 1;
        }
        if (BPF_OP(insn.code) == BPF_EXIT)
            return -1;
        if (BPF_OP(insn.code) == BPF_CALL) {
            call(insn, static_cast<uint32_t>(at));
            return at + 1;
        }
        return branch(insn, at);
    }

    int64_t branch(const bpf_insn& insn, int64_t at)
    {
        const int64_t target = at + 1 + distance(insn);
        if (target >= 0 && target <= at) { // a loop, or the jump back from a cold block
            if (const double since = before_[static_cast<std::size_t>(target)]; since >= 0)
                time_ += (kTurns - 1) * (time_ - since);
            return BPF_OP(insn.code) == BPF_JA && before_[static_cast<std::size_t>(target)] < 0 ? target : at + 1;
        }
        if (BPF_OP(insn.code) == BPF_JA)
            return target;
        const bool asks_for_zero = BPF_SRC(insn.code) == BPF_K && insn.imm == 0;
        const auto& is_zero = is_zero_[insn.dst_reg];
        if (asks_for_zero && is_zero && BPF_OP(insn.code) == BPF_JEQ)
            return *is_zero ? target : at + 1;
        if (asks_for_zero && is_zero && BPF_OP(insn.code) == BPF_JNE)
            return *is_zero ? at + 1 : target;
        return at + 1;
    }

    void note(const bpf_insn& insn)
    {
        if (!writes_register(insn))
            return;
        const bool is_copy = insn.code == (BPF_ALU64 | BPF_MOV | BPF_X) && insn.off == 0;
        is_zero_[insn.dst_reg] = is_copy ? is_zero_[insn.src_reg] : std::nullopt;
        names_[insn.dst_reg] = is_copy ? names_[insn.src_reg] : std::string_view();
    }

    const ebpf::CodeReference* reference(uint32_t at) const
    {
        const auto found = std::find_if(function_.references.begin(), function_.references.end(),
                                        [at](const ebpf::CodeReference& each) { return each.insn == at; });
        return found != function_.references.end() ? &*found : nullptr;
    }

    void refer(uint8_t to, uint32_t at)
    {
        const ebpf::CodeReference* const known = reference(at);
        names_[to] = known ? std::string_view(known->name) : std::string_view();
        if (known && model_.used_.insert(known->name).second)
            time_ += kColdMap;
        is_zero_[to].reset();
    }

    void call(const bpf_insn& insn, uint32_t at)
    {
        std::optional<bool> is_zero;
        const ebpf::CodeReference* const called = reference(at);
        if (insn.src_reg == 0 && insn.imm == BPF_FUNC_loop) {
            time_ += kTurns * model_.time_of(names_[BPF_REG_2]);
        } else if (insn.src_reg == 0) {
            const bool finds_lane = insn.imm == BPF_FUNC_map_lookup_elem && function_.name.starts_with(kLane);
            time_ += finds_lane ? kInlined * kColdInstruction * model_.prices_.instruction
                                : model_.price_of_helper(insn.imm, names_[BPF_REG_1]);
            is_zero = returns_zero(insn.imm);
        } else if (called && called->name.starts_with(kLane)) {
            time_ += model_.has_lanes_ ? model_.time_of(called->name)
                                       : kClosedLane * kColdInstruction * model_.prices_.instruction;
            is_zero = model_.has_lanes_;
        } else if (called) { // otherwise a kernel function that the JIT inlines
            time_ += model_.time_of(called->name);
        }
        for (uint8_t reg = BPF_REG_0; reg <= BPF_REG_5; ++reg) {
            is_zero_[reg].reset();
            names_[reg] = {};
        }
        is_zero_[BPF_REG_0] = is_zero;
    }

    CostModel& model_;
    const ObjectFunction& function_;
    std::vector<double> before_; ///< ns until each instruction; -1: not reached yet
    double time_ = 0;
    std::array<std::optional<bool>, MAX_BPF_REG> is_zero_{};
    std::array<std::string_view, MAX_BPF_REG> names_{}; ///< maps or functions that registers point to
};

namespace {

bool is_hash(uint32_t type)
{
    return type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_LRU_HASH;
}

} // namespace

CostModel::CostModel(const Object& object, CodePrices prices, bool has_lanes)
    : prices_(std::move(prices)), has_lanes_(has_lanes)
{
    for (const PlannedMap& map : planned_maps(object, {}))
        hashes_[map.name] = is_hash(map.type) ? map.key_size : 0;
    auto functions = read_functions(object.elf);
    if (!functions)
        return;
    for (ObjectFunction& function : functions.value())
        functions_.emplace(function.name, std::move(function));
}

double CostModel::time_of_program(std::string_view program)
{
    used_.clear();
    times_.clear();
    return time_of(program);
}

double CostModel::time_of(std::string_view function)
{
    if (const auto known = times_.find(function); known != times_.end())
        return known->second;
    const auto found = functions_.find(function);
    if (found == functions_.end())
        return 0;
    times_.emplace(function, 0);
    const double time = Walk(*this, found->second).run();
    times_.find(function)->second = time;
    return time;
}

double CostModel::price_of_helper(int32_t helper, std::string_view map) const
{
    const auto priced = prices_.helpers.find(helper);
    double price = priced != prices_.helpers.end() ? priced->second : prices_.call;
    price += price > kCheapCall ? kColdCall : 0;
    if (helper != BPF_FUNC_map_lookup_elem && helper != BPF_FUNC_map_update_elem && helper != BPF_FUNC_map_delete_elem)
        return price;
    const auto hash = hashes_.find(map);
    if (hash == hashes_.end())
        return price;
    if (hash->second == 0) // the kernel inlines look-ups in arrays
        return kInlined * kColdInstruction * prices_.instruction;
    return price + prices_.key_byte * (static_cast<double>(hash->second) - CodePrices::kPricedKey);
}

} // namespace dt
