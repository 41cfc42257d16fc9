// Measures the cost of instructions and helpers with programs that execute them in a loop. Computes the cost of a
// program by adding up these costs along its likely path.
#include "libdtrace/estimate/estimate.hpp"

#include <bpf/bpf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "dcompiler/ebpf/insn.hpp"
#include "libdtrace/kernel/features.hpp"
#include "libdtrace/kernel/kernel_cache.hpp"
#include "libdtrace/load/map_sizes.hpp"

namespace dt {
namespace {

// Number of loop iterations in a measuring program. It is so large that the time for reading the clock twice hardly
// matters, but not too large for the verifier.
constexpr int kLoops = 500;
constexpr int kPricingRuns = 40;
constexpr const char* kPricesOfCode = "code-prices";
// Stack frame of the measuring programs: its size in bytes, the offset of a string of 15 characters, and the offset of
// room for output.
constexpr int kFrame = 256, kTextAt = -16, kRoomAt = -kFrame;
constexpr int kManyInstructions = 16;
constexpr uint32_t kLongKey = 208;

/// Default costs in ns, for kernels on which they cannot be measured. These values were measured on Linux 6.18 in a
/// virtual machine in 2026.
const InstructionCosts kUsual{0.4, 25, 0.4, {{BPF_FUNC_perf_event_output, 180}, {BPF_FUNC_task_storage_get, 12}}};

using Code = std::vector<bpf_insn>;

const char pricing_text[16] = "fifteen letters";

class MeasuredMap {
public:
    MeasuredMap(bpf_map_type type, uint32_t key, uint32_t value, uint32_t entries)
        : descriptor_(bpf_map_create(type, "dt_prices", key, value, entries, nullptr))
    {
    }
    ~MeasuredMap()
    {
        if (descriptor_ >= 0)
            close(descriptor_);
    }
    MeasuredMap(const MeasuredMap&) = delete;
    MeasuredMap& operator=(const MeasuredMap&) = delete;
    int get() const { return descriptor_; }

private:
    int descriptor_;
};

void append(Code& code, const Code& more)
{
    code.insert(code.end(), more.begin(), more.end());
}

/// Returns instructions that load the address of a slot in the stack frame into a register.
Code in_frame(int reg, int offset)
{
    return {copy(reg, BPF_REG_10), insn(BPF_ALU64 | BPF_ADD | BPF_K, reg, 0, 0, offset)};
}

Code with_map(int reg, int map)
{
    return {insn(BPF_LD | BPF_DW | BPF_IMM, reg, BPF_PSEUDO_MAP_FD, 0, map), kSecondHalf};
}

Code with_address(int reg, const void* address)
{
    const auto value = reinterpret_cast<uint64_t>(address);
    return {insn(BPF_LD | BPF_DW | BPF_IMM, reg, 0, 0, static_cast<int32_t>(value)),
            insn(0, 0, 0, 0, static_cast<int32_t>(value >> 32))};
}

/// Returns the time of one iteration of `body` in ns, or nothing if the kernel refuses the program. The body may change
/// registers 0 to 5. Register 7 holds the current task, register 9 the context.
std::optional<double> time_of(const Code& body)
{
    Code code = {copy(BPF_REG_9, BPF_REG_1), call(BPF_FUNC_get_current_task), copy(BPF_REG_7, BPF_REG_0)};
    for (int offset = -kFrame; offset < 0; offset += 8)
        code.push_back(insn(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, offset, 0x61616161));
    code.push_back(insn(BPF_ST | BPF_MEM | BPF_B, BPF_REG_10, 0, -1, 0));
    append(code, {call(BPF_FUNC_ktime_get_ns), copy(BPF_REG_8, BPF_REG_0), mov(BPF_REG_6, kLoops)});
    append(code, body);
    append(code, {insn(BPF_ALU64 | BPF_SUB | BPF_K, BPF_REG_6, 0, 0, 1),
                  insn(BPF_JMP | BPF_JNE | BPF_K, BPF_REG_6, 0, -static_cast<int>(body.size()) - 2, 0),
                  call(BPF_FUNC_ktime_get_ns), insn(BPF_ALU64 | BPF_SUB | BPF_X, BPF_REG_0, BPF_REG_8, 0, 0), kExit});
    const int program =
        bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_prices", "GPL", code.data(), code.size(), nullptr);
    if (program < 0)
        return {};
    uint32_t least = UINT32_MAX;
    // the time of the fastest run is used, because interruptions can only make a run longer
    for (int run = 0; run < kPricingRuns; ++run) {
        LIBBPF_OPTS(bpf_test_run_opts, options);
        if (bpf_prog_test_run_opts(program, &options) == 0)
            least = std::min(least, options.retval);
    }
    close(program);
    return least == UINT32_MAX ? std::nullopt : std::optional(static_cast<double>(least) / kLoops);
}

class Measurement {
public:
    InstructionCosts run()
    {
        InstructionCosts costs = kUsual;
        loop_ = time_of({}).value_or(0);
        Code additions;
        for (int i = 0; i < kManyInstructions; ++i)
            additions.push_back(insn(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_6, -kFrame + 8 * i, 0));
        if (const auto time = time_of(additions); time && *time > loop_)
            costs.instruction = std::max((*time - loop_) / kManyInstructions, 0.1);
        costs_ = &costs;
        measure_simple();
        measure_memory();
        measure_maps();
        return costs;
    }

private:
    void price(int helper, const Code& arguments)
    {
        Code body = arguments;
        body.push_back(call(helper));
        if (const auto time = time_of(body))
            costs_->helpers[helper] = std::max(
                *time - loop_ - static_cast<double>(arguments.size()) * costs_->instruction, costs_->instruction);
    }

    void measure_simple()
    {
        for (const int helper :
             {BPF_FUNC_ktime_get_ns, BPF_FUNC_ktime_get_boot_ns, BPF_FUNC_get_prandom_u32,
              BPF_FUNC_get_smp_processor_id, BPF_FUNC_get_current_pid_tgid, BPF_FUNC_get_current_uid_gid,
              BPF_FUNC_get_current_task, BPF_FUNC_get_current_task_btf, BPF_FUNC_get_current_cgroup_id})
            price(helper, {});
    }

    void measure_memory()
    {
        const auto room = [](int size) {
            Code code = in_frame(BPF_REG_1, kRoomAt);
            code.push_back(mov(BPF_REG_2, size));
            return code;
        };
        price(BPF_FUNC_get_current_comm, room(16));
        Code code = room(8);
        code.push_back(copy(BPF_REG_3, BPF_REG_7));
        price(BPF_FUNC_probe_read_kernel, code);
        code = room(64);
        append(code, in_frame(BPF_REG_3, kTextAt));
        price(BPF_FUNC_probe_read_kernel_str, code);
        code = room(8);
        append(code, with_address(BPF_REG_3, pricing_text));
        price(BPF_FUNC_probe_read_user, code);
        code = room(64);
        append(code, with_address(BPF_REG_3, pricing_text));
        price(BPF_FUNC_probe_read_user_str, code);
        code = {copy(BPF_REG_1, BPF_REG_9)};
        append(code, in_frame(BPF_REG_2, kRoomAt));
        append(code, {mov(BPF_REG_3, 160), mov(BPF_REG_4, 0)});
        price(BPF_FUNC_get_stack, code);
    }

    void measure_maps()
    {
        const MeasuredMap hash(BPF_MAP_TYPE_PERCPU_HASH, 16, 8, 1024), ring(BPF_MAP_TYPE_RINGBUF, 0, 0, 1 << 22);
        Code code = with_map(BPF_REG_1, hash.get());
        append(code, in_frame(BPF_REG_2, kTextAt));
        Code put = code;
        append(put, in_frame(BPF_REG_3, kRoomAt));
        put.push_back(mov(BPF_REG_4, BPF_ANY));
        // the measured update also inserts the key that the next measurement looks up
        price(BPF_FUNC_map_update_elem, put);
        price(BPF_FUNC_map_lookup_elem, code);
        const MeasuredMap long_keys(BPF_MAP_TYPE_PERCPU_HASH, kLongKey, 8, 16);
        Code other = with_map(BPF_REG_1, long_keys.get());
        append(other, in_frame(BPF_REG_2, kRoomAt));
        Code with_call = code, with_long_key = other;
        for (Code* each : {&with_call, &with_long_key})
            each->push_back(call(BPF_FUNC_map_lookup_elem));
        const auto brief = time_of(with_call), longer = time_of(with_long_key);
        if (brief && longer && *longer > *brief)
            costs_->key_byte = (*longer - *brief) / (kLongKey - InstructionCosts::kMeasuredKeySize);
        code = with_map(BPF_REG_1, ring.get());
        append(code, in_frame(BPF_REG_2, -64));
        append(code, {mov(BPF_REG_3, 40), mov(BPF_REG_4, BPF_RB_NO_WAKEUP)});
        price(BPF_FUNC_ringbuf_output, code);
    }

    double loop_ = 0;
    InstructionCosts* costs_ = nullptr;
};

/// Parses lines of the cached costs. Each line contains a helper's number and its cost in ns. The number 0 stands for
/// an instruction, -1 for a byte of a hash key.
InstructionCosts parse_overheads(const std::string& text)
{
    InstructionCosts costs = kUsual;
    std::istringstream lines(text);
    int helper = 0;
    for (double price = 0; lines >> helper >> price;)
        (helper == 0 ? costs.instruction : helper == -1 ? costs.key_byte : costs.helpers[helper]) = price;
    return costs;
}

std::string text_of_overheads(const InstructionCosts& costs)
{
    std::ostringstream text;
    text << "0 " << costs.instruction << "\n-1 " << costs.key_byte << '\n';
    for (const auto& [helper, price] : costs.helpers)
        text << helper << ' ' << price << '\n';
    return text.str();
}

} // namespace

InstructionCosts measure_instruction_costs()
{
    const KernelCache cache(KernelCache::default_directory(), KernelCache::kernel_of("/proc", {}));
    if (const auto kept = cache.read(kPricesOfCode))
        return parse_overheads(*kept);
    const InstructionCosts costs = Measurement().run();
    cache.write(kPricesOfCode, text_of_overheads(costs));
    return costs;
}

// Follows the likely path of each function. The compiler moves cold blocks to the end of a function
// (dcompiler/ebpf/select.hpp), so the likely path does not take forward branches. Predicates are assumed to be true,
// and helper calls to succeed: for example, the element exists, or the sample is written.

namespace {

// Additional costs of cold caches. A program that runs rarely has more cache misses than the measuring programs, which
// run in a loop. The values were chosen so that `bench estimate` agrees best with -x cost.
constexpr double kColdInstruction = 3; // factor by which cold caches increase the cost of an instruction
constexpr double kColdCall = 10;       // ns that cold caches add to each helper call that costs more than kCheapCall
constexpr double kColdMap = 22;        // ns that cold caches add to the first use of a map
constexpr double kCheapCall = 4;       // cold caches do not slow down a helper call with at most this cost (ns)

constexpr double kTurns = 8;   // assumed number of iterations of a loop
constexpr double kInlined = 4; // number of instructions of an inlined array look-up
// number of instructions with which a program detects that its CPU has no open mmap ring
constexpr double kClosedLane = 8;
constexpr std::string_view kLane = "dt_mmap_ring_";

bool is_wide(const bpf_insn& insn)
{
    return insn.code == (BPF_LD | BPF_IMM | BPF_DW);
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

/// Returns whether 0 is the helper's usual result: 0 means success for most helpers, but failure for lookups. Returns
/// nothing if the result does not show whether the helper has succeeded.
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

/// Computes the time of one function along its likely path.
class ProgramCostModel::Walk {
public:
    Walk(ProgramCostModel& model, const ObjectFunction& function)
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
    /// Adds the time of the instruction at index `at`. Returns the likely next index, or -1 at the end.
    int64_t step(int64_t at)
    {
        const bpf_insn& insn = function_.insns[static_cast<std::size_t>(at)];
        before_[static_cast<std::size_t>(at)] = time_;
        time_ += kColdInstruction * model_.costs_.instruction;
        if (is_wide(insn)) {
            refer(insn.dst_reg, static_cast<uint32_t>(at));
            return at + 2;
        }
        if (!ebpf::is_jump(insn)) {
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
        // A backward jump is either the end of a loop, or the return from a cold block at the end of the function.
        if (target >= 0 && target <= at) {
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
            time_ += finds_lane ? kInlined * kColdInstruction * model_.costs_.instruction
                                : model_.cost_of_helper(insn.imm, names_[BPF_REG_1]);
            is_zero = returns_zero(insn.imm);
        } else if (called && called->name.starts_with(kLane)) {
            time_ += model_.has_mmap_rings_ ? model_.time_of(called->name)
                                            : kClosedLane * kColdInstruction * model_.costs_.instruction;
            is_zero = model_.has_mmap_rings_;
        } else if (called) { // a call without a helper number calls a kernel function, which the JIT inlines
            time_ += model_.time_of(called->name);
        }
        for (uint8_t reg = BPF_REG_0; reg <= BPF_REG_5; ++reg) {
            is_zero_[reg].reset();
            names_[reg] = {};
        }
        is_zero_[BPF_REG_0] = is_zero;
    }

    ProgramCostModel& model_;
    const ObjectFunction& function_;
    /// for each instruction: time in ns from the start of the function to the instruction; -1 if the walk has not
    /// reached the instruction yet
    std::vector<double> before_;
    double time_ = 0;
    std::array<std::optional<bool>, MAX_BPF_REG> is_zero_{};
    /// for each register: name of the map or function whose address it contains
    std::array<std::string_view, MAX_BPF_REG> names_{};
};

namespace {

bool is_hash(uint32_t type)
{
    return type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_LRU_HASH;
}

} // namespace

ProgramCostModel::ProgramCostModel(const Object& object, InstructionCosts costs, bool has_mmap_rings)
    : costs_(std::move(costs)), has_mmap_rings_(has_mmap_rings)
{
    for (const PlannedMap& map : planned_maps(object, {}))
        hashes_[map.name] = is_hash(map.type) ? map.key_size : 0;
    auto functions = read_functions(object.elf);
    if (!functions)
        return;
    for (ObjectFunction& function : functions.value())
        functions_.emplace(function.name, std::move(function));
}

double ProgramCostModel::time_of_program(std::string_view program)
{
    used_.clear();
    times_.clear();
    return time_of(program);
}

double ProgramCostModel::time_of(std::string_view function)
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

double ProgramCostModel::cost_of_helper(int32_t helper, std::string_view map) const
{
    const auto priced = costs_.helpers.find(helper);
    double price = priced != costs_.helpers.end() ? priced->second : costs_.call;
    price += price > kCheapCall ? kColdCall : 0;
    if (helper != BPF_FUNC_map_lookup_elem && helper != BPF_FUNC_map_update_elem && helper != BPF_FUNC_map_delete_elem)
        return price;
    const auto hash = hashes_.find(map);
    if (hash == hashes_.end())
        return price;
    // maps that are not hashes are arrays: the kernel inlines lookups in arrays, so these lookups cost little
    if (hash->second == 0)
        return kInlined * kColdInstruction * costs_.instruction;
    return price + costs_.key_byte * (static_cast<double>(hash->second) - InstructionCosts::kMeasuredKeySize);
}

} // namespace dt
