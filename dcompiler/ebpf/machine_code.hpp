// Machine code before register allocation: BPF instructions over unlimited virtual registers, in blocks.
//
// select.cpp creates the machine code from IR, regalloc.cpp replaces virtual registers by R0..R9 and frame slots, and
// assemble.cpp lays the code out. A register number below kVirtual is a machine register. Values that must be in a
// given register (arguments, results) are moved there by ordinary moves. The allocator treats a machine register as
// busy between the move and the instruction that requires it, and tries to remove the moves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/ebpf/insn.hpp"
#include "dcompiler/ir/ir.hpp"

namespace dt::ebpf {

using Reg = uint32_t;
inline constexpr Reg kVirtual = 16;
inline constexpr Reg kNoReg = 0xffffffff;
inline constexpr uint32_t kNoSlot = 0xffffffff;

constexpr bool is_virtual(Reg reg)
{
    return reg >= kVirtual && reg != kNoReg;
}

struct MInsn {
    enum class Kind : uint8_t {
        Plain,       // ordinary instruction, given by `code`
        Branch,      // if (dst cond src-or-imm) targets[0] else targets[1]; `code` is the JMP instruction
        Jump,        // jump to block targets[0]
        SetCond,     // dst = (lhs cond src-or-imm): expanded to three instructions when laid out
        LoadImm64,   // dst = the 64-bit constant `wide`
        LoadMap,     // dst = map `index`
        LoadData,    // dst = data object `index` + wide
        CallHelper,  // `imm` is the number of the helper
        CallKernel,  // `imm` is the BTF id of a kernel function
        CallLocal,   // `index` is the index of the function
        CallRuntime, // call of a runtime function, whose symbol is in the IR instruction `origin`
        FrameAddr,   // dst = address of frame slot `slot` + imm; laid out as two instructions
        Pc,          // dst = index of this instruction in the function
        SpillLoad,   // dst = spilled virtual register src
        SpillStore,  // spilled virtual register dst = src
    } kind = Kind::Plain;
    uint8_t code = 0;
    uint8_t args = 0; ///< for calls: number of registers that the call reads; they begin with R1
    Reg dst = kNoReg, src = kNoReg;
    Reg lhs = kNoReg; ///< left operand of SetCond
    int16_t off = 0;
    int32_t imm = 0;
    int64_t wide = 0;
    uint32_t index = 0;
    /// the memory operand is IR stack slot `slot` + off, with base R10; kNoSlot: it is not on the stack
    uint32_t slot = kNoSlot;
    uint32_t targets[2] = {0, 0};
    ir::Value origin = ir::kNone; ///< source IR instruction, for line information
};

struct MBlock {
    std::vector<MInsn> insns; ///< instructions of the block; the last one is a Branch, a Jump or an exit
    std::vector<uint32_t> preds, succs;
    bool is_cold = false; ///< whether the block rarely runs, so that it is laid out after all other blocks
};

struct MFunction {
    const ir::Function* ir = nullptr;
    std::vector<MBlock> blocks; ///< each block precedes its successors, except in loops
    uint32_t regs = kVirtual;   ///< next free virtual register

    Reg fresh() { return regs++; }
};

/// Registers that an instruction reads and writes, used by the register allocator.
struct Operands {
    Reg uses[3] = {kNoReg, kNoReg, kNoReg};
    Reg def = kNoReg;
    bool early = false; ///< the instruction writes `def` before it reads `uses`, so they must not share a register
    /// whether the instruction is a call: it overwrites R0 to R5, and `uses` are the registers of its arguments
    bool call = false;
};
Operands operands(const MInsn& insn);

/// Returns whether the instruction is a plain 64-bit register copy.
inline bool is_move(const MInsn& insn)
{
    // The instruction is a move; if its `off` is not 0, it is sign-extending.
    return insn.kind == MInsn::Kind::Plain && insn.code == kMov && insn.off == 0;
}

// Generated instructions of a function, with its data for the object file.

struct Relocation {
    enum class Kind : uint8_t { Map, Data, Local, Runtime } kind = Kind::Map;
    uint32_t insn = 0;  ///< index of the relocated instruction in the function
    uint32_t index = 0; ///< index in the module of the map, data object or function
    std::string name;   ///< for kind Runtime: symbol of the runtime function
};

/// Source position of the instructions from index `insn` on, up to the next element.
struct Line {
    uint32_t insn = 0;
    Span at;
};

/// Instruction that an ir::Op::PcConst became: it yields its own index, which is `insn`.
struct PcUse {
    uint32_t insn = 0;
    ir::Value origin = ir::kNone;
};

struct Code {
    std::vector<bpf_insn> insns;
    std::vector<Relocation> relocations; ///< relocations in the order of the instructions
    std::vector<Line> lines;             ///< source positions in instruction order; the first is for instruction 0
    std::vector<PcUse> pcs;
    uint32_t frame = 0; ///< stack size in bytes
};

// Steps of code generation, in order. Each is linear in the function, except for the allocator's few repetitions.
MFunction select(const ir::Function& function, bool extends_signs);

/// Result of register allocation: all virtual registers have machine registers, except the spilled ones, and `home`
/// contains their 8-byte frame slots.
struct Allocation {
    std::vector<uint8_t> reg;   ///< machine register of each virtual register; kSpilled for spilled ones
    std::vector<uint32_t> home; ///< index of the 8-byte spill slot of each spilled register
    uint32_t spill_slots = 0;
    static constexpr uint8_t kSpilled = 0xff;
};
Result<Allocation> allocate(MFunction& function);

/// Stack layout, as negative offsets from R10.
struct Frame {
    std::vector<int32_t> slots;  ///< offset of each IR slot
    std::vector<int32_t> spills; ///< offset of each 8-byte spill slot
    uint32_t size = 0;           ///< number of bytes of the frame
};
/// Lays out the frame. Fails with ENOSPC if it exceeds the kernel's limit.
Result<Frame> lay_out_frame(const ir::Function& function, uint32_t spill_slots);

Result<Code> assemble(const MFunction& function, const Allocation& allocation, const Frame& frame);

/// Runs all steps for one function of the module.
Result<Code> generate(const ir::Module& module, std::size_t function);

/// Fails with ENOSPC if the frames of a call chain exceed the kernel's limit. `codes` contains the code of each
/// function.
Result<void> check_stack(const ir::Module& module, const std::vector<Code>& codes);

} // namespace dt::ebpf
