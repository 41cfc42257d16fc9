#include "engine/vm/jit_support.hpp"

#include <exception>

#include "engine/program/operators.hpp"
#include "engine/vm/helpers.hpp"
#include "engine/vm/interpreter.hpp"

namespace dt::vm {

namespace {

/// Stores the region of a checked access, so that the inline check of the next access of the same kind (load or store)
/// can use it. Only regions at host addresses are stored.
void remember(const Region& region, uint64_t& base, uint64_t& room)
{
    const bool direct = region.address == reinterpret_cast<uint64_t>(region.host) && region.size >= 8;
    if (!direct || region.kind == Kind::Stack || region.kind == Kind::Context)
        return;
    base = region.address;
    room = region.size - 7;
}

} // namespace

uint8_t* JitSupport::access(VmState* machine, uint64_t address, uint32_t pc) noexcept
try {
    Interpreter& run = *machine->owner;
    run.pc_ = pc;
    const bpf_insn& insn = run.vm_.image_.code[pc];
    const uint32_t width = width_of(insn.code);
    const bool write = BPF_CLASS(insn.code) != BPF_LDX;
    if (is_atomic(insn))
        return run.atomic_access(address, width);
    uint8_t* at = run.aligned(address, width) ? run.access(address, width, write) : nullptr;
    if (const Region* region = at ? run.find(address, width) : nullptr)
        remember(*region, write ? machine->store_base : machine->load_base,
                 write ? machine->store_room : machine->load_room);
    return at;
} catch (const std::exception& problem) {
    machine->owner->fail(problem.what());
    return nullptr;
}

uint64_t JitSupport::helper(VmState* machine, const HelperEntry* helper, uint32_t pc) noexcept
try {
    machine->owner->pc_ = pc;
    // Passes a copy, because the helper may run a callback, whose helper calls overwrite machine->arguments.
    const Arguments arguments = machine->arguments;
    return helper->run(*machine->owner, arguments);
} catch (const std::exception& problem) {
    machine->owner->fail(problem.what());
    return 0;
}

void JitSupport::refuse(VmState* machine, uint32_t pc, uint32_t live) noexcept
try {
    Interpreter& run = *machine->owner;
    run.pc_ = pc;
    run.r_ = machine->registers;
    run.live_ = static_cast<uint16_t>(live);
    if (pc >= run.vm_.image_.code.size())
        run.fail("the program runs off its end");
    else if (run.step())
        run.fail("internal error: the compiled code failed here, but the interpreter did not");
} catch (const std::exception& problem) {
    machine->owner->fail(problem.what());
}

void JitSupport::over_budget(VmState* machine, uint32_t pc) noexcept
{
    machine->owner->pc_ = pc;
    machine->owner->fail_over_budget();
}

void JitSupport::clear_frame(VmState* machine) noexcept
{
    Frame& frame = machine->owner->frames_[machine->depth - 1];
    frame.written.fill(0);
    frame.dirty = 0;
}

} // namespace dt::vm
