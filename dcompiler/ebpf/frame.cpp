// Places stack slots and spilled registers below R10, and checks the stack depth.
#include <algorithm>
#include <cerrno>
#include <functional>
#include <numeric>

#include "dcompiler/ebpf/code.hpp"

namespace dt::ebpf {
namespace {

// Maximum stack depth of a runtime function with its callees, checked by test/unit/lower_stack_test.cpp.
constexpr uint32_t kRuntimeStack = 128;

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

/// Returns the slots that are still used, because passes may have removed all uses of a slot.
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

// Lays out the frame. Spill slots have 8 bytes at 8-byte offsets, so that the verifier keeps its knowledge of a spilled
// register. They come first, so that their offsets do not depend on the size of the rest.
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
                         " bytes of stack and the kernel allows " + std::to_string(kMaxFrame) +
                         "; split the clause or keep fewer values at once",
                     ENOSPC};
    return frame;
}

// Checks call chains. The kernel adds up the frames of a chain, each rounded up to 32 bytes (check_max_stack_depth).
Result<void> check_stack(const ir::Module& module, const std::vector<Code>& codes)
{
    std::vector<uint32_t> depth(codes.size(), 0);
    std::vector<bool> done(codes.size(), false);
    Result<void> result;
    const std::function<uint32_t(uint32_t, uint32_t)> deepest = [&](uint32_t function, uint32_t level) -> uint32_t {
        if (done[function])
            return depth[function];
        if (level > codes.size())
            return 0; // recursion, which the checker and the kernel refuse
        uint32_t below = 0;
        for (const Relocation& call : codes[function].relocations) {
            if (call.kind == Relocation::Kind::Local)
                below = std::max(below, deepest(call.index, level + 1));
            else if (call.kind == Relocation::Kind::Runtime)
                below = std::max(below, kRuntimeStack);
        }
        depth[function] = below + align_down(std::max(codes[function].frame, 1u), 32);
        done[function] = true;
        if (depth[function] > kMaxFrame && result.ok())
            result =
                Error{place(module.functions[function]) + ": the stack of it and of what it calls is " +
                          std::to_string(depth[function]) + " bytes and the kernel allows " + std::to_string(kMaxFrame),
                      ENOSPC};
        return depth[function];
    };
    for (uint32_t i = 0; i < codes.size(); ++i)
        deepest(i, 0);
    return result;
}

} // namespace dt::ebpf
