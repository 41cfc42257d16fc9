// Computes the number of instructions, the stack depth and the maps of each clause. Instructions are attributed to
// clauses by their source locations. A function that a clause calls, directly or indirectly, counts with all its
// instructions for that clause. A function that two clauses call, or a map that both use, counts for both clauses.
#include "libdtrace/annotate/annotate.hpp"

#include <linux/bpf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "dcompiler/ebpf/insn.hpp"

namespace dt {
namespace {

using consume::ClauseSize;

constexpr uint8_t kMoveRegister = BPF_ALU64 | BPF_MOV | BPF_X, kAddNumber = BPF_ALU64 | BPF_ADD | BPF_K,
                  kLoadWide = BPF_LD | BPF_IMM | BPF_DW, kCallFunction = BPF_JMP | BPF_CALL;
constexpr uint32_t kFrameUnit = 32; // unit in bytes to which the kernel's check_max_stack_depth() rounds up each frame

/// Returns the size in bytes of a function's stack frame, computed from its loads, stores and computed stack addresses.
uint32_t frame_of(std::span<const bpf_insn> insns)
{
    int32_t deepest = 0;
    uint32_t copies = 1U << BPF_REG_10; // Bit mask: bit n is set if register n contains the frame's address
    for (const bpf_insn& insn : insns) {
        const uint8_t kind = BPF_CLASS(insn.code);
        const bool is_load = kind == BPF_LDX, is_store = kind == BPF_ST || kind == BPF_STX;
        const auto is_copy = [&](uint32_t reg) { return (copies >> reg & 1) != 0; };
        if ((is_load && is_copy(insn.src_reg)) || (is_store && is_copy(insn.dst_reg)))
            deepest = std::min<int32_t>(deepest, insn.off);
        else if (insn.code == kAddNumber && is_copy(insn.dst_reg))
            deepest = std::min(deepest, insn.imm);
        if (ebpf::is_jump(insn))
            // After a jump, only R10 is assumed to contain the frame's address: other code may jump to the next
            // instruction with other values in the other registers.
            copies = 1U << BPF_REG_10;
        else if (insn.code == kMoveRegister && is_copy(insn.src_reg))
            copies |= 1U << insn.dst_reg;
        else if (!is_store)
            copies &= ~(1U << insn.dst_reg) | 1U << BPF_REG_10;
    }
    const auto used = static_cast<uint32_t>(std::max(-deepest, 1));
    return (used + kFrameUnit - 1) / kFrameUnit * kFrameUnit;
}

/// A BPF program with the call graph of its functions.
class SizedProgram {
public:
    SizedProgram(const ProgramCode& code, const ClauseParts& parts)
    {
        for (const CodeFunction& function : code.functions) {
            Function& each = functions_.emplace_back();
            each.first = static_cast<uint32_t>(function.address / sizeof(bpf_insn));
            each.insns.resize(function.bytes.size() / sizeof(bpf_insn));
            std::memcpy(each.insns.data(), function.bytes.data(), each.insns.size() * sizeof(bpf_insn));
            each.frame = frame_of(each.insns);
        }
        for (std::size_t i = 0; i < functions_.size(); ++i)
            read(functions_[i],
                 code_ranges(code.functions[i], i == 0, [&](const CodeLine& line) { return parts.find(line); }), parts);
        for (std::size_t i = 0; i < functions_.size(); ++i)
            find_deepest(i);
        if (!functions_.empty())
            find_above(0, 0);
    }

    /// Returns the size of a clause, or nothing if the program does not contain the clause. `copies` is the number of
    /// copies in the main function of the program, of which only one counts.
    std::optional<ClauseSize> size_of(uint32_t clause, uint64_t copies) const
    {
        ClauseSize size;
        std::set<std::size_t> called;
        for (const Function& function : functions_) {
            const auto own = function.clauses.find(clause);
            if (own == function.clauses.end())
                continue;
            uint32_t deepest = 0;
            for (const std::size_t callee : own->second.calls) {
                add_called(callee, called);
                deepest = std::max(deepest, functions_[callee].deepest);
            }
            size.stack = std::max(size.stack, function.above + function.frame + deepest);
            size.maps.insert(own->second.maps.begin(), own->second.maps.end());
        }
        if (size.stack == 0)
            return std::nullopt;
        for (std::size_t i = 0; i < functions_.size(); ++i) {
            const auto own = functions_[i].clauses.find(clause);
            if (called.contains(i)) {
                size.instructions += functions_[i].insns.size();
                size.maps.insert(functions_[i].whole.maps.begin(), functions_[i].whole.maps.end());
            } else if (own != functions_[i].clauses.end()) {
                size.instructions += own->second.instructions / (i == 0 ? copies : 1);
            }
        }
        return size;
    }

private:
    /// Set of instructions of a function: their number, the functions that they call, and the maps that they use.
    struct Uses {
        uint64_t instructions = 0;
        std::set<std::size_t> calls; ///< indices of the functions that the instructions call
        std::set<uint32_t> maps;     ///< ids of the maps that the instructions use
    };
    struct Function {
        uint32_t first = 0; ///< index in the program of the function's first instruction
        std::vector<bpf_insn> insns;
        Uses whole;
        std::map<uint32_t, Uses> clauses;
        /// Stack sizes in bytes: frame of the function itself, deepest chain of its callees, and frames of its callers.
        uint32_t frame = 0, deepest = 0, above = 0;
        bool is_known = false; ///< whether `deepest`, the depth of the callees, has been computed
    };

    void read(Function& function, const std::vector<CodeRange>& ranges, const ClauseParts& parts)
    {
        for (std::size_t i = 0; i < function.insns.size(); ++i) {
            const CodeOwner& owner = owner_at(ranges, (function.first + i) * sizeof(bpf_insn));
            std::vector<Uses*> users{&function.whole};
            if (owner.kind == CodeOwner::Kind::Clause)
                users.push_back(&function.clauses[parts.parts()[owner.part].clause]);
            const bpf_insn& insn = function.insns[i];
            const std::optional<std::size_t> callee = callee_of(insn, function.first + static_cast<uint32_t>(i));
            const bool is_map =
                insn.code == kLoadWide && (insn.src_reg == BPF_PSEUDO_MAP_FD || insn.src_reg == BPF_PSEUDO_MAP_VALUE);
            for (Uses* const uses : users) {
                ++uses->instructions;
                if (callee)
                    uses->calls.insert(*callee);
                if (is_map)
                    uses->maps.insert(static_cast<uint32_t>(insn.imm));
            }
        }
    }

    /// Returns the function that an instruction calls, or the function whose address it loads as a callback.
    std::optional<std::size_t> callee_of(const bpf_insn& insn, uint32_t at) const
    {
        if (insn.code == kCallFunction && insn.src_reg == BPF_PSEUDO_CALL) {
            // If the distance to the called function fits into 16 bits, the field `off` of the call instruction
            // contains the distance.
            const auto callee = begins_at(at + 1 + static_cast<uint32_t>(int32_t{insn.off}));
            // If the kernel discloses machine code, the field `imm` of the call instruction contains the index of the
            // called function.
            const auto number = static_cast<std::size_t>(insn.imm);
            return callee || number == 0 || number >= functions_.size() ? callee : std::optional(number);
        }
        return insn.code == kLoadWide && insn.src_reg == BPF_PSEUDO_FUNC
                   ? begins_at(at + 1 + static_cast<uint32_t>(insn.imm))
                   : std::nullopt;
    }

    std::optional<std::size_t> begins_at(uint32_t insn) const
    {
        const auto found = std::lower_bound(functions_.begin(), functions_.end(), insn,
                                            [](const Function& each, uint32_t at) { return each.first < at; });
        return found != functions_.end() && found->first == insn
                   ? std::optional(static_cast<std::size_t>(found - functions_.begin()))
                   : std::nullopt;
    }

    void add_called(std::size_t callee, std::set<std::size_t>& called) const
    {
        if (called.insert(callee).second)
            for (const std::size_t next : functions_[callee].whole.calls)
                add_called(next, called);
    }

    /// Computes the stack depth of a function. Recursion cannot occur, because the kernel does not allow it.
    uint32_t find_deepest(std::size_t index)
    {
        Function& function = functions_[index];
        if (!std::exchange(function.is_known, true)) {
            for (const std::size_t callee : function.whole.calls)
                function.deepest = std::max(function.deepest, find_deepest(callee));
            function.deepest += function.frame;
        }
        return function.deepest;
    }

    void find_above(std::size_t index, uint32_t above)
    {
        Function& function = functions_[index];
        function.above = std::max(function.above, above);
        for (const std::size_t callee : function.whole.calls)
            if (functions_[callee].above < function.above + function.frame)
                find_above(callee, function.above + function.frame);
    }

    std::vector<Function> functions_;
};

/// Returns the ids of the D statements that run in a BPF program.
std::set<uint32_t> statements_of(const ProgramPlan& plan, const Schema& schema)
{
    std::set<uint32_t> statements;
    for (std::size_t i = plan.first_counted; i < plan.first_counted + plan.probes.size() && i < schema.counted.size();
         ++i)
        statements.insert(schema.counted[i].statements.begin(), schema.counted[i].statements.end());
    return statements;
}

/// Returns the number of copies of a clause in the program's main function. The number is two if the program also has a
/// copy of the clause that counts firings (lower/counting/counters.hpp).
uint64_t copies_in(const ProgramPlan& plan, const Schema& schema)
{
    const bool has_gate =
        plan.first_counted < schema.counted.size() && schema.counted[plan.first_counted].timing_switch.has_value();
    return has_gate && plan.clause_functions.empty() ? 2 : 1;
}

void enter(ClauseSize& sum, const ClauseSize& size)
{
    sum.instructions = std::max(sum.instructions, size.instructions);
    sum.stack = std::max(sum.stack, size.stack);
    sum.maps.insert(size.maps.begin(), size.maps.end());
}

} // namespace

void ClauseSizer::add(const bpf_object* object, const Schema& schema)
{
    if (const Result<std::vector<ProgramCode>> code = read_verified_code(object))
        add(code.value(), schema);
}

void ClauseSizer::add(std::span<const ProgramCode> programs, const Schema& schema)
{
    for (const ProgramCode& code : programs) {
        const auto plan = std::find_if(schema.programs.begin(), schema.programs.end(),
                                       [&](const ProgramPlan& each) { return each.name == code.name; });
        if (plan == schema.programs.end() || plan->is_helper)
            continue; // a program without an attach plan, or a helper program, contains no clauses
        const std::set<uint32_t> statements = statements_of(*plan, schema);
        if (statements.empty())
            continue;
        const SizedProgram program(code, parts_);
        for (uint32_t clause = 0; clause < parts_.clauses().size(); ++clause) {
            std::optional<ClauseSize> size;
            for (const uint32_t statement : parts_.clauses()[clause].statements) {
                if (!statements.contains(statement))
                    continue;
                if (!size)
                    size = program.size_of(clause, copies_in(*plan, schema));
                if (size)
                    enter(sizes_[statement], *size);
            }
        }
    }
}

} // namespace dt
