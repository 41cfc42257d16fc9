// One function's finished instructions and what the object file must say about them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dcompiler/ebpf/insn.hpp"
#include "dcompiler/ebpf/machine.hpp"
#include "dcompiler/ir/ir.hpp"
#include "base/result.hpp"

namespace dt::ebpf {

struct Relocation {
    enum class Kind : uint8_t { Map, Data, Local, Runtime } kind = Kind::Map;
    uint32_t insn = 0;  ///< instruction index in the function
    uint32_t index = 0; ///< map, data object or function of the module
    std::string name;   ///< Runtime: symbol
};

/// From instruction `insn` on, code belongs to `at`.
struct Line {
    uint32_t insn = 0;
    Span at;
};

/// Instruction `insn` stands for an ir::Op::PcConst.
struct PcUse {
    uint32_t insn = 0;
    ir::Value origin = ir::kNone;
};

struct Code {
    std::vector<bpf_insn> insns;
    std::vector<Relocation> relocations; ///< in instruction order
    std::vector<Line> lines;             ///< in instruction order; the first is for instruction 0
    std::vector<PcUse> pcs;
    uint32_t frame = 0; ///< bytes of stack
};

// The steps, in order. Each is linear in the function, but for the allocator's few repetitions.
MFunction select(const ir::Function& function, bool extends_signs);

/// Registers chosen: after it no virtual register is left but those spilled; `home` of those is a frame slot of 8
/// bytes.
struct Allocation {
    std::vector<uint8_t> reg;   ///< by register number; for spilled ones kSpilled
    std::vector<uint32_t> home; ///< by register number: number of the 8-byte spill slot
    uint32_t spill_slots = 0;
    static constexpr uint8_t kSpilled = 0xff;
};
Result<Allocation> allocate(MFunction& function);

/// Where everything lies on the stack, as negative offsets from R10.
struct Frame {
    std::vector<int32_t> slots;  ///< by IR slot
    std::vector<int32_t> spills; ///< by spill slot
    uint32_t size = 0;           ///< bytes used
};
/// ENOSPC: more than the kernel allows.
Result<Frame> lay_out_frame(const ir::Function& function, uint32_t spill_slots);

Result<Code> assemble(const MFunction& function, const Allocation& allocation, const Frame& frame);

/// All of the above for one function of the module.
Result<Code> generate(const ir::Module& module, std::size_t function);

/// Refuses (ENOSPC) call chains whose frames together exceed what the kernel allows. `codes` by function.
Result<void> check_stack(const ir::Module& module, const std::vector<Code>& codes);

} // namespace dt::ebpf
