// Generated instructions of a function, with its data for the object file.
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
    uint32_t insn = 0;  ///< index of the instruction in the function
    uint32_t index = 0; ///< map, data object or function of the module
    std::string name;   ///< symbol, for Runtime
};

/// Position of the code from instruction `insn` on.
struct Line {
    uint32_t insn = 0;
    Span at;
};

/// Instruction `insn` implements an ir::Op::PcConst.
struct PcUse {
    uint32_t insn = 0;
    ir::Value origin = ir::kNone;
};

struct Code {
    std::vector<bpf_insn> insns;
    std::vector<Relocation> relocations; ///< in instruction order
    std::vector<Line> lines;             ///< in instruction order; the first is for instruction 0
    std::vector<PcUse> pcs;
    uint32_t frame = 0; ///< stack size in bytes
};

// Steps of code generation, in order. Each is linear in the function, except for the allocator's few repetitions.
MFunction select(const ir::Function& function, bool extends_signs);

/// Result of register allocation: only spilled virtual registers remain, and `home` has their 8-byte frame slots.
struct Allocation {
    std::vector<uint8_t> reg;   ///< by register number; for spilled ones kSpilled
    std::vector<uint32_t> home; ///< by register number: number of the 8-byte spill slot
    uint32_t spill_slots = 0;
    static constexpr uint8_t kSpilled = 0xff;
};
Result<Allocation> allocate(MFunction& function);

/// Stack layout, as negative offsets from R10.
struct Frame {
    std::vector<int32_t> slots;  ///< by IR slot
    std::vector<int32_t> spills; ///< by spill slot
    uint32_t size = 0;           ///< bytes used
};
/// Lays out the frame. Fails with ENOSPC if it exceeds the kernel's limit.
Result<Frame> lay_out_frame(const ir::Function& function, uint32_t spill_slots);

Result<Code> assemble(const MFunction& function, const Allocation& allocation, const Frame& frame);

/// Runs all steps for one function of the module.
Result<Code> generate(const ir::Module& module, std::size_t function);

/// Fails with ENOSPC if the frames of a call chain exceed the kernel's limit. `codes` by function.
Result<void> check_stack(const ir::Module& module, const std::vector<Code>& codes);

} // namespace dt::ebpf
