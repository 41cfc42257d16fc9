// Lowers values larger than a word: structs and stack values (the frames of a stack as a D value), and their
// comparisons.
//
// A stack value (dt_stack_t) begins with a word: the process id, or 0 for a kernel stack. Frames and then zeros follow.
// All stack values have the size of the deepest stack() or ustack() in the program, so that equal stacks are equal
// bytes.
#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/clause/user_address.hpp"
#include "machine/machine.hpp"

#include <cstddef>

namespace dt::lower {

namespace {

// Number of the tracer's frames at the beginning of a stack if a traced function calls the program: the program's frame
// and the trampoline's.
constexpr uint32_t kProgramAndTrampoline = 2;

} // namespace

Operand Stacks::stack_value(const TExpr& e)
{
    const bool user = e.action->has(kOfProcess);
    const uint32_t size = module().layout.storage_size(e.type);
    const Value buffer = clause.scratch_temporary(size);
    clause.values.zero(buffer, 0, size);
    if (user)
        b().store(8, buffer, 0, builtins_.process_id());
    stack_into(*e.action, frames_of(module().options, *e.action, e.kids), buffer, 8);
    return {Operand::Kind::Bytes, buffer, Mem::MapValue, size, false, false, {}};
}

Value Stacks::stack_flags(bool user, uint32_t skip)
{
    if (user)
        return b().constant(kUserStack | skip);
    if (context().in_error)
        return b().binary(Op::Add, error_frames(), b().constant(skip));
    if (stack_begins_with(StackBegin::Returned)) {
        // The function that returns has no stack frame any more. Without bpf_get_func_ip(), the stack begins with the
        // kernel's return trampoline, whose address has replaced the function's return address.
        const uint32_t trampoline = module().world.features().func_ip ? 0 : 1;
        return b().constant((skip > 0 ? skip - 1 : 0) + trampoline);
    }
    if (!stack_has_tracer())
        return b().constant(skip);
    if (stack_begins_with(StackBegin::Function))
        return b().constant(kProgramAndTrampoline + module().world.features().stack_repeats_program + context().calls +
                            skip);
    if (!is_tracepoint()) { // the program is that of BEGIN or END: other kinds were handled above
        module().out.schema.kernel_stacks = true;
        const Value own =
            b().load(8, b().data_addr(module().data.state(), sizeof(dt_state)), offsetof(dt_state, test_run_frames));
        return b().binary(Op::Add, own, b().constant(context().calls + skip));
    }
    return b().binary(Op::Add, clause.cached("tracer_frames", [&] { return tracer_frames(); }), b().constant(skip));
}

/// Yields the number of the tracer's frames at the beginning of a stack. A tracepoint's iterator, the kernel's loop
/// over programs, is not counted. The number is the same for all firings of the program.
Value Stacks::fixed_tracer_frames()
{
    if (stack_begins_with(StackBegin::Event))
        return b().constant(0);
    module().out.schema.kernel_stacks = true;
    const Value fixed =
        b().load(8, b().data_addr(module().data.state(), sizeof(dt_state)), offsetof(dt_state, tracer_frames));
    return b().binary(Op::Add, fixed, b().constant(context().calls));
}

bool Stacks::stack_begins_with(StackBegin what) const
{
    return context().plan && context().plan->kind_info().stack == what;
}

bool Stacks::is_tracepoint() const
{
    return stack_begins_with(StackBegin::Tracepoint) || stack_begins_with(StackBegin::Event);
}

/// Returns whether the stack begins with frames of the tracer. It does not if the kernel passes the registers of the
/// interrupted code to the program.
bool Stacks::stack_has_tracer() const
{
    return context().plan && !stack_begins_with(StackBegin::Interrupted) && !stack_begins_with(StackBegin::Returned);
}

/// Yields the number of the tracer's frames in a stack that an ERROR clause reads. The program that faulted has stored
/// it in the firing's frame. It includes the function that runs the ERROR clauses.
Value Stacks::error_frames()
{
    const Value left = b().load(8, context().frame, FrameLayout::kThis + module().layout.error_frames());
    if (context().calls <= 1)
        return left;
    return b().binary(
        Op::Add, left,
        b().binary(Op::Mul, b().binary(Op::Ne, left, b().constant(0)), b().constant(context().calls - 1)));
}

/// Yields the number of the tracer's frames in this firing. If a tracepoint has several programs, of whatever tracer,
/// the kernel calls them in a loop whose function adds a frame: the tracepoint's iterator.
Value Stacks::tracer_frames()
{
    const Value own = fixed_tracer_frames();
    const auto iterator = iterator_of_stack();
    if (!iterator)
        return own;
    const Value pc = clause.stack_temporary(8);
    b().store(8, pc, 0, b().constant(0));
    b().call_helper(kGetStack, {context().context, pc, b().constant(8), own});
    const Value into = b().binary(Op::Sub, b().load(8, pc), b().constant(static_cast<int64_t>(iterator->address)));
    return b().binary(Op::Add, own, b().binary(Op::ULe, into, b().constant(static_cast<int64_t>(iterator->size))));
}

/// Returns the symbol of the tracepoint's iterator, the kernel function that loops over programs, if a stack may begin
/// with its frame.
std::optional<KernelSymbol> Stacks::iterator_of_stack()
{
    if (!is_tracepoint())
        return std::nullopt;
    const AttachTarget& target = context().plan->targets.front();
    const auto iterator =
        module().world.symbol("", "__traceiter_" + (target.probe ? target.probe->name : target.where));
    return iterator && iterator->size != 0 ? iterator : std::nullopt;
}

/// Writes the frames of the stack that is described by the arguments to `dst`.
void Stacks::stack_into(const Action& action, uint32_t frames, Value dst, int64_t offset)
{
    const Value to = clause.values.interior(dst, offset, frames * 8);
    if (!action.has(kOfProcess))
        return kernel_stack_into(frames, to);
    const Value got = user_frames(frames, to, action.has(kOfInterpreters));
    clause.fault_if(Op::SLt, got, b().constant(0), kFaultBadStack, b().constant(0));
}

/// Yields the address of the function that returns. On kernels without bpf_get_func_ip(), each program has a single
/// target (group_by_plan()), and its address is a constant.
Value Stacks::returned_function()
{
    if (module().world.features().func_ip)
        return b().call_helper(kGetFuncIp, {context().context});
    const AttachTarget& target = context().plan->targets.front();
    if (target.address != 0)
        return b().constant(static_cast<int64_t>(target.address));
    const auto symbol = module().world.symbol({}, target.where);
    if (!symbol)
        module().diagnostics.error("D_UNKNOWN", b().at(),
                                   "the stack at the return of " + target.where +
                                       "( ) begins with the address of this function, but this kernel lacks "
                                       "bpf_get_func_ip( ) (Linux 5.15 or later), and /proc/kallsyms does not contain "
                                       "the address",
                                   "use the entry probe, or stack() only at other probes");
    return b().constant(symbol ? static_cast<int64_t>(symbol->address) : 0);
}

/// Writes a kernel stack. Reading a stack is expensive, so it is read only once, without the frames that the tracer
/// always has. If the result begins with the tracepoint's iterator, the frames are shifted by one. The stack is read
/// again only if the shift may have lost the last frame.
void Stacks::kernel_stack_into(uint32_t frames, Value to)
{
    if (stack_begins_with(StackBegin::Returned)) {
        b().store(8, to, 0, returned_function());
        if (--frames == 0)
            return;
        to = clause.values.interior(to, 8, frames * 8);
    }
    const auto caller = caller_register(clause);
    if (caller) {
        const uint32_t known[] = {module().world.machine().saved.pc, *caller};
        for (const uint32_t word : known) {
            b().store(8, to, 0, b().load(8, context().context, word * 8));
            if (--frames == 0)
                return;
            to = clause.values.interior(to, 8, frames * 8);
        }
    }
    const Value bytes = b().constant(frames * 8);
    const auto take = [&](Value flags) {
        const Value got = b().call_helper(kGetStack, {context().context, to, bytes, flags});
        clause.fault_if(Op::SLt, got, b().constant(0), kFaultBadStack, b().constant(0));
    };
    const auto iterator = iterator_of_stack();
    if (!iterator)
        // the stack begins with the function's own frame, so `caller` skips one frame
        return take(stack_flags(false, caller ? 1 : 0));
    const Value own = fixed_tracer_frames();
    take(own);
    const ir::BlockId found = b().block(), again = b().block(), done = b().block();
    const Value into = b().binary(Op::Sub, b().load(8, to), b().constant(static_cast<int64_t>(iterator->address)));
    b().branch(Op::ULe, into, b().constant(static_cast<int64_t>(iterator->size)), found, done);
    b().enter(found);
    if (frames > 1) {
        const ir::BlockId all = b().block();
        b().branch(Op::Eq, b().load(8, to, (frames - 1) * 8), b().constant(0), all, again);
        b().enter(all);
        const uint32_t rest = (frames - 1) * 8;
        // Copies word by word from the first word on, so that source and destination may overlap.
        b().call_helper(kProbeReadKernel, {to, b().constant(rest), clause.values.interior(to, 8, rest)});
        b().jump(done);
    } else {
        b().jump(again);
    }
    b().enter(again);
    // zeroes the memory, because the helper does not clear what follows the last frame
    clause.values.zero(to, 0, frames * 8);
    take(b().binary(Op::Add, own, b().constant(1)));
    b().jump(done);
    b().enter(done);
}

/// Copies a char array to a key. The bytes behind the first NUL become zero, so that equal strings give equal keys.
void Memory::characters_into(const Place& wanted, Value dst, int64_t offset, uint32_t size)
{
    // The copy has room for one byte more than the array, because the helper appends a NUL if the array contains none.
    const Place from = area_.checked(wanted, size);
    const uint32_t room = align_up(size + 1, 8);
    Mem mem;
    const Value copy = clause.temporary(room, mem);
    clause.values.zero(copy, 0, room);
    const Value address = from.offset ? b().binary(Op::Add, from.address, b().constant(from.offset)) : from.address;
    const Value got = b().call_helper(from.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr,
                                      {copy, b().constant(size + 1), for_helper(clause, from.mem, address)});
    clause.fault_if(Op::SLt, got, b().constant(0), kFaultBadAddress, b().constant(0));
    clause.values.copy(copy, 0, dst, offset, size);
}

namespace {

/// Yields an address from which programs can load the object; copies the object if necessary.
Value loadable(ClauseLowering& l, const Operand& object)
{
    if (object.loadable())
        return object.value;
    const Value copy = l.scratch_temporary(object.size);
    Place from;
    from.address = from.origin = object.value;
    from.mem = object.mem;
    l.memory.copy_bytes(from, copy, 0, object.size);
    return copy;
}

} // namespace

Value Expressions::objects_differ(const TExpr& left, const TExpr& right)
{
    const Operand first = expression(left);
    const Value a = loadable(clause, first);
    const Value other = loadable(clause, expression(right));
    Value differ = b().constant(0);
    for (uint32_t at = 0; at < first.size;) {
        uint8_t width = 8;
        while (at + width > first.size)
            width /= 2;
        const Value there = b().load(width, other, at);
        const Value part = b().binary(Op::Xor, b().load(width, a, at), there);
        differ = b().binary(Op::Or, differ, part);
        at += width;
    }
    return differ;
}

} // namespace dt::lower
