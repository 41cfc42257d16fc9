// Reads user stacks: by unwind tables if the tracer has loaded them for the process (bpf-runtime/stacks/unwind.bpf.c),
// otherwise by the kernel's helper, which follows frame pointers.
#include <cstddef>
#include <iterator>

#include "bpf-runtime/interpreter_abi.h"
#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/core/hooks.hpp"
#include "machine/machine.hpp"

namespace dt::lower {
namespace {

/// Returns the index, in the saved registers, of the last callee-saved register. Interpreters keep the address of their
/// current instruction in this register.
uint32_t last_kept_register(const machine::Machine& machine)
{
    for (const machine::RegisterName& each : machine.registers.names)
        if (each.name == "R_R15" || each.name == "R_X28")
            return each.number;
    return 0;
}

} // namespace

Value Stacks::user_frames(uint32_t frames, Value to, bool interprets)
{
    const std::optional<uint32_t> mm = address_space_of_task();
    if (!mm)
        return followed(frames, to);
    const Value walk = clause.scratch_temporary(interprets ? sizeof(dt_mixed) : sizeof(dt_walk));
    // The frames of the interpreter itself will be replaced and do not count towards `frames`. So the native stack is
    // walked to its end.
    const Value got = unwound(interprets ? DT_UNWIND_FRAMES : frames, walk, *mm, interprets);
    const auto copy = [&](std::size_t size_at, std::size_t frames_at) {
        const Value bytes = clause.values.at_most(b().load(8, walk, static_cast<int64_t>(size_at)), frames * 8);
        b().call_helper(
            kProbeReadKernel,
            {to, bytes, clause.values.interior(walk, static_cast<int64_t>(frames_at), sizeof(dt_walk::frames))});
        return got;
    };
    const auto copy_native = [&] { return copy(offsetof(dt_walk, bytes), offsetof(dt_walk, frames)); };
    const auto copy_mixed = [&] {
        return b().select(
            Op::Ne, interpreted(frames, walk), b().constant(0),
            [&] { return copy(offsetof(dt_mixed, bytes), offsetof(dt_mixed, frames)); }, copy_native);
    };
    return b().select(
        Op::Ne, got, b().constant(0), [&] { return interprets ? copy_mixed() : copy_native(); },
        [&] { return followed(frames, to); });
}

/// Replaces the frames of an interpreter by frames of the interpreted program. `mixed` contains the native stack.
/// Yields 0 if the process has no interpreter that the tracer supports.
Value Stacks::interpreted(uint32_t frames, Value mixed)
{
    const std::string member = "thread." + std::string(module().world.machine().thread_pointer);
    const auto base = kernel_offset(clause, "task_struct", member);
    b().store(8, mixed, offsetof(dt_mixed, thread_base),
              base ? b().load(8, builtins_.task(), static_cast<int64_t>(*base), ir::Mem::Btf) : b().constant(0));
    b().store(8, mixed, offsetof(dt_mixed, last_kept),
              builtins_.at({Location::Kind::UserRegister, last_kept_register(module().world.machine())}));
    b().store(8, mixed, offsetof(dt_mixed, shows_own), b().constant(module().options.jstackall ? 1 : 0));
    return b().call_runtime(module().world.features().separate_stacks ? "dt_all_interpreter_frames"
                                                                      : "dt_interpreter_frames",
                            {mixed, b().constant(frames)});
}

/// Returns the offset in task_struct of the address space (mm) if unwind tables can be used, else nothing. In BEGIN and
/// END the stack is the tracer's own, for which there are no unwind tables.
std::optional<uint32_t> Stacks::address_space_of_task() const
{
    if (stack_begins_with(StackBegin::Caller))
        return std::nullopt;
    return module().world.task_offset("mm");
}

/// Walks a user stack by unwind tables. If frames of interpreters may be replaced (`interprets`), `walk` points to a
/// dt_mixed, otherwise to a dt_walk.
Value Stacks::unwound(uint32_t frames, Value walk, uint32_t mm, bool interprets)
{
    const auto set = [&](std::size_t member, Value value) { b().store(8, walk, static_cast<int64_t>(member), value); };
    const auto user_register = [&](uint32_t word) { return builtins_.at({Location::Kind::UserRegister, word}); };
    set(offsetof(dt_walk, process), builtins_.process_id());
    set(offsetof(dt_walk, mm), b().load(8, builtins_.task(), mm));
    set(offsetof(dt_walk, pc), user_register(module().world.machine().saved.pc));
    set(offsetof(dt_walk, sp), user_register(module().world.machine().saved.stack_pointer));
    set(offsetof(dt_walk, fp), user_register(module().world.machine().saved.frame_pointer));
    set(offsetof(dt_walk, entry), b().constant(context().plan && context().plan->at_entry ? 1 : 0));
    set(offsetof(dt_walk, returns), probed_returns(walk));
    if (const auto link = module().world.machine().calls.return_address)
        set(offsetof(dt_walk, link), user_register(*link));
    set(offsetof(dt_walk, wants), b().constant(0));
    const Value got = b().call_runtime(std::string(module().world.machine().walker) + (interprets ? "_mixed" : ""),
                                       {walk, b().constant(frames)});
    const ir::BlockId wants = b().block(), on = b().block();
    b().branch(Op::Ne, b().load(8, walk, offsetof(dt_walk, wants)), b().constant(0), wants, on);
    b().enter(wants);
    b().is_cold();
    clause.wake(false);
    b().jump(on);
    b().enter(on);
    return got;
}

/// Yields the address of the kernel's list of calls whose return is probed, if this program has such probes. In the
/// stack, the return addresses of these calls are replaced by those of trampolines; the list has the original ones.
Value Stacks::probed_returns(Value walk)
{
    constexpr uint64_t kWords = std::size(decltype(dt_walk::instance){});
    const auto task = module().replaces_returns ? kernel_offset(clause, "task_struct", "utask") : std::nullopt;
    const auto list = task ? kernel_offset(clause, "uprobe_task", "return_instances") : std::nullopt;
    uint64_t words = 0, shift = 0;
    for (const char* member : {"stack", "orig_ret_vaddr", "next"}) {
        const auto offset = list ? kernel_offset(clause, "return_instance", member) : std::nullopt;
        if (!offset || *offset / 8 >= kWords)
            return b().constant(0);
        words |= *offset / 8 << shift;
        shift += 8;
    }
    b().store(8, walk, offsetof(dt_walk, return_words), b().constant(static_cast<int64_t>(words)));
    return b().load(8, b().load(8, builtins_.task(), static_cast<int64_t>(*task), ir::Mem::Btf),
                    static_cast<int64_t>(*list));
}

/// Reads the stack by the kernel's helper. Requests only one frame if the frame pointer cannot be valid.
Value Stacks::followed(uint32_t frames, Value to)
{
    const ir::BlockId several = b().block(), one = b().block();
    branch_on_frame_pointer(several, one);
    const Value bytes = b().join(
        several, one, [&] { return b().constant(frames * 8); }, [this] { return b().constant(8); });
    return b().call_helper(kGetStack, {context().context, to, bytes, stack_flags(true)});
}

/// Emits a branch on whether the frame pointer is above the stack pointer, as a valid one must be. Functions without
/// frame pointers, like most of the C library, use the register for other data. The kernel would follow that value:
/// usually into a page fault, which costs more than the rest of the walk, or into unrelated memory.
void Stacks::branch_on_frame_pointer(ir::BlockId yes, ir::BlockId no)
{
    // In this program the context itself contains the registers of the interrupted code.
    if (!is_tracepoint())
        return b().branch(Op::Eq, b().constant(0), b().constant(0), yes, no);
    const Value frame = builtins_.at({Location::Kind::UserRegister, module().world.machine().saved.frame_pointer});
    const Value top = builtins_.at({Location::Kind::UserRegister, module().world.machine().saved.stack_pointer});
    b().branch(Op::ULt, frame, top, no, yes);
}

} // namespace dt::lower
