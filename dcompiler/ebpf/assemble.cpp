// Lays out machine code: puts the blocks in order with cold (rarely executed) ones at the end, fills in registers and
// frame offsets, and removes jumps to the next instruction. Also lays out the stack frame and checks the depth of the
// stack.
#include <algorithm>
#include <cerrno>
#include <functional>

#include "dcompiler/ebpf/machine_code.hpp"

namespace dt::ebpf {
namespace {

// Limit of instructions per function. A jump reaches 32,767 instructions, and the limit leaves room for instructions
// that the kernel inserts: it inlines map lookups and guards divisions.
constexpr std::size_t kMaxInstructions = 14000;

class Assembler {
public:
    Assembler(const MFunction& function, const Allocation& allocation, const Frame& frame)
        : f_(function), allocation_(allocation), frame_(frame)
    {
    }

    Result<Code> run()
    {
        find_empty_blocks();
        order_blocks();
        std::vector<uint32_t> starts(f_.blocks.size());
        for (place_ = 0; place_ < order_.size(); ++place_) {
            starts[order_[place_]] = here();
            for (const MInsn& insn : f_.blocks[order_[place_]].insns) {
                line(insn);
                one(insn);
            }
        }
        if (code_.insns.size() > kMaxInstructions)
            return Error{"function " + f_.ir->name + ": " + std::to_string(code_.insns.size()) +
                             " instructions are too many for one function; split the statement",
                         E2BIG};
        for (const Fix& fix : fixes_)
            code_.insns[fix.insn].off = static_cast<int16_t>(static_cast<int64_t>(starts[fix.block]) - fix.insn - 1);
        code_.frame = frame_.size;
        return std::move(code_);
    }

private:
    struct Fix {
        uint32_t insn;
        uint32_t block;
    };

    uint32_t here() const { return static_cast<uint32_t>(code_.insns.size()); }
    uint8_t reg(Reg number) const { return number == kNoReg ? 0 : allocation_.reg[number]; }
    void put(uint8_t code, uint8_t dst, uint8_t src, int16_t off, int32_t imm)
    {
        code_.insns.push_back(encode(code, dst, src, off, imm));
    }

    void put_wide(uint8_t dst, uint8_t src, uint64_t value)
    {
        put(kLoadImm64, dst, src, 0, static_cast<int32_t>(value));
        put(0, 0, 0, 0, static_cast<int32_t>(value >> 32));
    }

    void relocate(Relocation::Kind kind, uint32_t index, std::string name = {})
    {
        code_.relocations.push_back({kind, here(), index, std::move(name)});
    }

    void line(const MInsn& insn)
    {
        if (insn.origin == ir::kNone)
            return;
        const Span& at = f_.ir->instrs[insn.origin].at;
        if (!code_.lines.empty()) {
            const Line& last = code_.lines.back();
            const bool is_known = at.line != 0 || at.column != 0;
            if (!is_known || (last.at.source == at.source && last.at.line == at.line && last.at.column == at.column))
                return;
            // no instruction lies between the last source position and the new one, which replaces it
            if (last.insn == here()) {
                code_.lines.back().at = at;
                return;
            }
        }
        code_.lines.push_back({here(), at});
    }

    bool vanishes(const MInsn& insn) const { return is_move(insn) && reg(insn.dst) == reg(insn.src); }

    // Finds blocks that contain only a jump because their copy instructions were removed. Jumps to such a block then go
    // to the target of its jump.
    void find_empty_blocks()
    {
        for (const MBlock& block : f_.blocks) {
            std::size_t left = 0;
            for (const MInsn& insn : block.insns)
                left += !vanishes(insn);
            const MInsn& last = block.insns.back();
            empty_.push_back(left == 1 && last.kind == MInsn::Kind::Jump && last.targets[0] != empty_.size() &&
                             !empty_.empty());
        }
    }

    void order_blocks()
    {
        for (const bool is_cold : {false, true})
            for (uint32_t block = 0; block < f_.blocks.size(); ++block)
                if (!empty_[block] && f_.blocks[block].is_cold == is_cold)
                    order_.push_back(block);
    }

    /// Returns the block where control finally arrives after a jump to `block`, through blocks with only a jump. The
    /// number of steps is limited, because such blocks could form an endless loop.
    uint32_t final_target(uint32_t block) const
    {
        for (std::size_t steps = 0; empty_[block] && steps < f_.blocks.size(); ++steps)
            block = f_.blocks[block].insns.back().targets[0];
        return block;
    }

    bool falls_into(uint32_t block) const { return place_ + 1 < order_.size() && order_[place_ + 1] == block; }

    void jump_to(uint32_t block)
    {
        if (falls_into(block))
            return;
        fixes_.push_back({here(), block});
        put(kJump, 0, 0, 0, 0);
    }

    void branch(const MInsn& insn)
    {
        uint8_t code = insn.code;
        uint32_t yes = final_target(insn.targets[0]), no = final_target(insn.targets[1]);
        if (yes == no)
            return jump_to(yes);
        if (falls_into(yes)) {
            code = static_cast<uint8_t>((code & ~0xf0) | opposite(BPF_OP(code)));
            std::swap(yes, no);
        }
        fixes_.push_back({here(), yes});
        put(code, reg(insn.dst), reg(insn.src), 0, insn.imm);
        jump_to(no);
    }

    void plain(const MInsn& insn)
    {
        if (vanishes(insn))
            return;
        int32_t off = insn.off;
        if (insn.slot != kNoSlot)
            off += frame_.slots[insn.slot];
        put(insn.code, reg(insn.dst), reg(insn.src), static_cast<int16_t>(off), insn.imm);
    }

    void address_in_frame(const MInsn& insn)
    {
        put(kMov, reg(insn.dst), kFrame, 0, 0);
        put(BPF_ALU64 | BPF_ADD | BPF_K, reg(insn.dst), 0, 0, frame_.slots[insn.slot] + insn.imm);
    }

    void one(const MInsn& insn)
    {
        switch (insn.kind) {
        case MInsn::Kind::Plain:
            return plain(insn);
        case MInsn::Kind::Branch:
            return branch(insn);
        case MInsn::Kind::Jump:
            return jump_to(final_target(insn.targets[0]));
        case MInsn::Kind::SetCond:
            put(kMovImm, reg(insn.dst), 0, 0, 1);
            put(insn.code, reg(insn.lhs), reg(insn.src), 1, insn.imm);
            return put(kMovImm, reg(insn.dst), 0, 0, 0);
        case MInsn::Kind::LoadImm64:
            return put_wide(reg(insn.dst), 0, static_cast<uint64_t>(insn.wide));
        case MInsn::Kind::LoadMap:
            relocate(Relocation::Kind::Map, insn.index);
            return put_wide(reg(insn.dst), 0, 0);
        case MInsn::Kind::LoadData:
            relocate(Relocation::Kind::Data, insn.index);
            return put_wide(reg(insn.dst), 0, static_cast<uint64_t>(insn.wide) & 0xffffffff);
        case MInsn::Kind::CallHelper:
            return put(kCall, 0, 0, 0, insn.imm);
        case MInsn::Kind::CallKernel:
            return put(kCall, 0, BPF_PSEUDO_KFUNC_CALL, 0, insn.imm);
        case MInsn::Kind::CallLocal:
            relocate(Relocation::Kind::Local, insn.index);
            return put(kCall, 0, BPF_PSEUDO_CALL, 0, -1);
        case MInsn::Kind::CallRuntime:
            relocate(Relocation::Kind::Runtime, 0, f_.ir->instrs[insn.origin].name);
            return put(kCall, 0, BPF_PSEUDO_CALL, 0, -1);
        case MInsn::Kind::FrameAddr:
            return address_in_frame(insn);
        case MInsn::Kind::Pc:
            code_.pcs.push_back({here(), insn.origin});
            return put(kMovImm, reg(insn.dst), 0, 0, static_cast<int32_t>(here()));
        case MInsn::Kind::SpillLoad:
            return put(load_code(8), reg(insn.dst), kFrame, spill_offset(insn.src), 0);
        case MInsn::Kind::SpillStore:
            return put(store_code(8), kFrame, reg(insn.src), spill_offset(insn.dst), 0);
        }
    }

    int16_t spill_offset(Reg spilled) const { return static_cast<int16_t>(frame_.spills[allocation_.home[spilled]]); }

    const MFunction& f_;
    const Allocation& allocation_;
    const Frame& frame_;
    Code code_;
    std::vector<bool> empty_;     // for each block, whether it only jumps to another block
    std::vector<uint32_t> order_; // blocks in layout order, without empty blocks
    std::size_t place_ = 0;       // index in order_ of the current block
    std::vector<Fix> fixes_;
};

} // namespace

Result<Code> assemble(const MFunction& function, const Allocation& allocation, const Frame& frame)
{
    return Assembler(function, allocation, frame).run();
}

Result<Code> generate(const ir::Module& module, std::size_t index)
{
    const ir::Function& function = module.functions[index];
    MFunction machine = select(function, module.extends_signs);
    const auto allocation = allocate(machine);
    if (!allocation)
        return allocation.error();
    const auto frame = lay_out_frame(function, allocation.value().spill_slots);
    if (!frame)
        return frame.error();
    return assemble(machine, allocation.value(), frame.value());
}

// Assigns positions in the frame (negative offsets from R10) to stack slots and spilled registers, and checks the stack
// depth.

namespace {

std::string place(const ir::Function& function)
{
    std::string text = "function " + function.name;
    for (const ir::Instr& instr : function.instrs)
        if (instr.at.line != 0)
            return text + ", line " + std::to_string(instr.at.line);
    return text;
}

uint32_t align_down(uint32_t depth, uint32_t align)
{
    return (depth + align - 1) / align * align;
}

/// Returns the stack slots that the code still uses; passes may have removed all uses of a slot.
std::vector<bool> used_slots(const ir::Function& function)
{
    std::vector<bool> used(function.slots.size(), false);
    for (const ir::Block& block : function.blocks)
        for (const ir::Value v : block.instrs)
            if (const ir::Instr& instr = function.instrs[v]; instr.op == ir::Op::StackAddr)
                used[static_cast<std::size_t>(instr.imm)] = true;
    return used;
}

} // namespace

// Lays out the frame. Slots of spilled registers have 8 bytes and are aligned to 8, because only then does the verifier
// remember what it knows about the value. They come before the other slots, so that their offsets do not depend on the
// sizes of the other slots.
Result<Frame> lay_out_frame(const ir::Function& function, uint32_t spill_slots)
{
    Frame frame;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < spill_slots; ++i) {
        depth += 8;
        frame.spills.push_back(-static_cast<int32_t>(depth));
    }
    const std::vector<bool> used = used_slots(function);
    for (std::size_t i = 0; i < function.slots.size(); ++i) {
        const ir::StackSlot& slot = function.slots[i];
        const uint32_t align = std::clamp<uint32_t>(slot.align, 1, 8);
        if (used[i])
            depth = align_down(depth + slot.size, align);
        frame.slots.push_back(-static_cast<int32_t>(depth));
        if (depth > 1u << 20)
            break;
    }
    frame.size = align_down(depth, 8);
    if (frame.size > kMaxFrame)
        return Error{place(function) + ": needs " + std::to_string(frame.size) +
                         " bytes of stack, but the kernel allows " + std::to_string(kMaxFrame) +
                         "; split the clause or keep fewer values at once",
                     ENOSPC};
    return frame;
}

// Checks the stack of call chains. The kernel rounds each frame up to 32 bytes and adds up the frames of a chain
// (check_max_stack_depth).
Result<void> check_stack(const ir::Module& module, const std::vector<Code>& codes)
{
    std::vector<uint32_t> depth(codes.size(), 0);
    std::vector<bool> done(codes.size(), false);
    Result<void> result;
    const std::function<uint32_t(uint32_t, uint32_t)> deepest = [&](uint32_t function, uint32_t level) -> uint32_t {
        if (done[function])
            return depth[function];
        if (level > codes.size())
            return 0; // a recursive call adds no depth: the checker and the kernel refuse recursion anyway
        uint32_t below = 0;
        for (const Relocation& call : codes[function].relocations) {
            if (call.kind == Relocation::Kind::Local)
                below = std::max(below, deepest(call.index, level + 1));
            else if (call.kind == Relocation::Kind::Runtime)
                below = std::max(below, module.runtime_stack);
        }
        depth[function] = below + align_down(std::max(codes[function].frame, 1u), 32);
        done[function] = true;
        if (depth[function] > kMaxFrame && result.ok())
            result = Error{place(module.functions[function]) + ": it and the functions that it calls need a stack of " +
                               std::to_string(depth[function]) + " bytes, but the kernel allows " +
                               std::to_string(kMaxFrame),
                           ENOSPC};
        return depth[function];
    };
    for (uint32_t i = 0; i < codes.size(); ++i)
        deepest(i, 0);
    return result;
}

} // namespace dt::ebpf
