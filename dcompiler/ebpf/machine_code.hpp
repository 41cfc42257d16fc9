// Machine code before register allocation: BPF instructions in blocks, with an unlimited number of virtual registers.
//
// select.cpp creates the machine code from IR, regalloc.cpp replaces virtual registers by R0..R9 and frame slots, and
// assemble.cpp lays the code out. A register number below kVirtual is a machine register. If a value must be in a
// certain machine register (an argument or a result), an ordinary move puts it there. The allocator treats that
// register as busy from the move to the instruction that needs it, and tries to remove the move.
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
        Plain,       // ordinary instruction with the opcode `code`
        Branch,      // if (dst cond src-or-imm) targets[0] else targets[1]; `code` is the JMP instruction
        Jump,        // jump to block targets[0]
        SetCond,     // dst = (lhs cond src-or-imm), a comparison as a number; laid out as three instructions
        LoadImm64,   // dst = the 64-bit constant `wide`
        LoadMap,     // dst = map `index`
        LoadData,    // dst = data object `index` + wide
        CallHelper,  // call of a helper; `imm` is its number
        CallKernel,  // call of a kernel function; `imm` is its BTF id
        CallLocal,   // call of a function of the module; `index` is its index
        CallRuntime, // call of a function of bpf-runtime; the IR instruction `origin` has its symbol
        FrameAddr,   // dst = address of frame slot `slot` + imm; laid out as two instructions
        Pc,          // dst = index of this very instruction in the function
        SpillLoad,   // loads spilled virtual register src into dst
        SpillStore,  // stores src in the frame slot of spilled virtual register dst
    } kind = Kind::Plain;
    uint8_t code = 0;
    uint8_t args = 0; ///< for calls: number of argument registers, from R1 on
    Reg dst = kNoReg, src = kNoReg;
    Reg lhs = kNoReg; ///< left operand of SetCond
    int16_t off = 0;
    int32_t imm = 0;
    int64_t wide = 0;
    uint32_t index = 0;
    /// the memory operand is at R10, in IR stack slot `slot` at offset `off`; kNoSlot: not on the stack
    uint32_t slot = kNoSlot;
    uint32_t targets[2] = {0, 0};
    ir::Value origin = ir::kNone; ///< source IR instruction, for line information
};

struct MBlock {
    std::vector<MInsn> insns; ///< instructions of the block; the last one is a Branch, a Jump or an exit
    std::vector<uint32_t> preds, succs;
    bool is_cold = false; ///< whether the block runs rarely; it is then laid out behind all others
};

struct MFunction {
    const ir::Function* ir = nullptr;
    std::vector<MBlock> blocks; ///< blocks in an order where each precedes its successors, except in loops
    uint32_t regs = kVirtual;   ///< number of the next virtual register that can be created

    Reg fresh() { return regs++; }
};

/// Registers that an instruction reads and writes, used by the register allocator.
struct Operands {
    Reg uses[3] = {kNoReg, kNoReg, kNoReg};
    Reg def = kNoReg;
    bool early = false; ///< the instruction writes `def` before it reads `uses`, so they need different registers
    /// whether the instruction is a call: it overwrites R0 to R5, and `uses` are the registers of its arguments
    bool call = false;
};
Operands operands(const MInsn& insn);

/// Returns whether the instruction is a plain 64-bit register copy.
inline bool is_move(const MInsn& insn)
{
    // In a move, a value other than 0 in `off` is the number of bits from which it sign-extends.
    return insn.kind == MInsn::Kind::Plain && insn.code == kMov && insn.off == 0;
}

// Generated instructions of a function, and what the object file needs to know about them.

struct Relocation {
    enum class Kind : uint8_t { Map, Data, Local, Runtime } kind = Kind::Map;
    uint32_t insn = 0;  ///< index of the relocated instruction in the function
    uint32_t index = 0; ///< index in the module of the map, data object or function
    std::string name;   ///< for kind Runtime: symbol of the bpf-runtime function
};

/// Source position of the instructions from index `insn` up to the next entry.
struct Line {
    uint32_t insn = 0;
    Span at;
};

/// Instruction that yields its own index, `insn`, in the function; it was generated for ir::Op::PcConst.
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

// Steps of code generation, in order. Each takes linear time, except that the allocator may repeat its work a few
// times.
MFunction select(const ir::Function& function, bool extends_signs);

/// Result of register allocation. Each virtual register has a machine register, except the spilled ones: `home` gives
/// their 8-byte slots in the frame.
struct Allocation {
    std::vector<uint8_t> reg;   ///< machine register of each virtual register; kSpilled if it is in the frame
    std::vector<uint32_t> home; ///< for each spilled register: index of its 8-byte slot
    uint32_t spill_slots = 0;
    static constexpr uint8_t kSpilled = 0xff;
};
Result<Allocation> allocate(MFunction& function);

/// Layout of the stack frame: offsets from R10, which are negative.
struct Frame {
    std::vector<int32_t> slots;  ///< offset of each IR slot
    std::vector<int32_t> spills; ///< offset of each 8-byte spill slot
    uint32_t size = 0;           ///< number of bytes of the frame
};
/// Lays out the stack frame. Fails with ENOSPC if it is larger than the kernel allows.
Result<Frame> lay_out_frame(const ir::Function& function, uint32_t spill_slots);

Result<Code> assemble(const MFunction& function, const Allocation& allocation, const Frame& frame);

/// Generates code for one function of the module: runs all steps.
Result<Code> generate(const ir::Module& module, std::size_t function);

/// Checks the stack of call chains: fails with ENOSPC if their frames together exceed the kernel's limit. `codes`
/// contains the code of each function.
Result<void> check_stack(const ir::Module& module, const std::vector<Code>& codes);

} // namespace dt::ebpf
