// Values that are more than a word: stacks as values, and how they and structs are compared.
//
// A stack value (dt_stack_t) is a word that tells the user process, 0 for a kernel stack, then frames, 0 after the last. All have one
// size, that of the deepest stack() or ustack() in the program, so that equal stacks are equal bytes.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/helpers.hpp"

#include <cstddef>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

Operand ClauseLowering::stack_value(const TExpr& e)
{
    const bool user = e.action->name != "stack";
    const uint32_t size = module().storage_size(e.type);
    const Value buffer = scratch_temporary(size);
    zero(buffer, 0, size);
    if (user)
        b().store(8, buffer, 0, b().binary(Op::LShr, pid_tgid(), b().constant(32)));
    stack_into(user, frames_of(module().options, *e.action, e.kids), buffer, 8);
    return {Operand::Kind::Bytes, buffer, Mem::MapValue, size, false, false, {}};
}

Value ClauseLowering::stack_flags(bool user, uint32_t skip)
{
    if (user)
        return b().constant(kUserStack | skip);
    // Perf events and kprobes hand over the registers of what they interrupted; elsewhere the stack begins with the program.
    if (context_.in_error)
        return b().binary(Op::Add, error_frames(), b().constant(skip));
    if (!stack_has_tracer())
        return b().constant(skip);
    const Hook* hook = context_.shape->hook.get();
    module().out.schema.kernel_stacks = true;
    if (hook->kind == ProgramKind::TestRun) {
        const Value own = b().load(8, b().data_addr(module().state_data(), sizeof(dt_state)), offsetof(dt_state, test_run_frames));
        return b().binary(Op::Add, own, b().constant(context_.calls + skip));
    }
    return b().binary(Op::Add, cached("tracer_frames", [&] { return tracer_frames(hook->target); }), b().constant(skip));
}

bool ClauseLowering::stack_has_tracer() const
{
    const Hook* hook = context_.shape ? context_.shape->hook.get() : nullptr;
    if (!hook || (context_.group && context_.group->hook->kind != hook->kind))
        return false;
    return hook->kind == ProgramKind::RawTracepoint || hook->kind == ProgramKind::TestRun;
}

/// ERROR runs in the program of the clause that faulted, and only that knows: it left in the frame how many frames are the tracer's, those of
/// the error function included.
Value ClauseLowering::error_frames()
{
    const Value left = b().load(8, context_.frame, FrameLayout::kThis + module().error_frames());
    if (context_.calls <= 1)
        return left;
    return b().binary(Op::Add, left, b().binary(Op::Mul, b().binary(Op::Ne, left, b().constant(0)), b().constant(context_.calls - 1)));
}

/// How many frames of this firing are the tracer's. While a tracepoint has more than one program, whoever's, the kernel calls them from an
/// iterator: a frame that comes and goes.
Value ClauseLowering::tracer_frames(const std::string& tracepoint)
{
    const Value fixed = b().load(8, b().data_addr(module().state_data(), sizeof(dt_state)), offsetof(dt_state, tracer_frames));
    const Value own = b().binary(Op::Add, fixed, b().constant(context_.calls));
    const auto iterator = module().world.symbol("", "__traceiter_" + tracepoint);
    if (!iterator || iterator->size == 0)
        return own;
    const Value pc = stack_temporary(8);
    b().store(8, pc, 0, b().constant(0));
    b().call_helper(kGetStack, {context_.context, pc, b().constant(8), own});
    const Value into = b().binary(Op::Sub, b().load(8, pc), b().constant(static_cast<int64_t>(iterator->address)));
    return b().binary(Op::Add, own, b().binary(Op::ULe, into, b().constant(static_cast<int64_t>(iterator->size))));
}

/// Writes the frames of the stack to dst.
void ClauseLowering::stack_into(bool user, uint32_t frames, Value dst, int64_t offset)
{
    const uint32_t bytes = frames * 8;
    const Value got = b().call_helper(kGetStack, {context_.context, interior(dst, offset, bytes), b().constant(bytes), stack_flags(user)});
    fault_if(Op::SLt, got, b().constant(0), kFaultBadStack, b().constant(0));
}

/// A char array as a key: what follows its first NUL is zero, so that equal texts are equal keys.
void ClauseLowering::characters_into(const Place& wanted, Value dst, int64_t offset, uint32_t size)
{
    // One byte more is read than the array has: the helper's own NUL goes there when the array has none.
    const Place from = checked(wanted, size);
    const uint32_t room = align_up(size + 1, 8);
    Mem mem;
    const Value copy = temporary(room, mem);
    zero(copy, 0, room);
    const Value address = from.offset ? b().binary(Op::Add, from.address, b().constant(from.offset)) : from.address;
    const Value got = b().call_helper(from.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr, {copy, b().constant(size + 1), address});
    fault_if(Op::SLt, got, b().constant(0), kFaultBadAddress, b().constant(0));
    this->copy(copy, 0, dst, offset, size);
}

namespace {

/// The object in memory that can be loaded from.
Value loadable(ClauseLowering& l, const Operand& object)
{
    if (object.loadable())
        return object.value;
    const Value copy = l.scratch_temporary(object.size);
    ClauseLowering::Place from;
    from.address = from.origin = object.value;
    from.mem = object.mem;
    l.copy_bytes(from, copy, 0, object.size);
    return copy;
}

} // namespace

Value ClauseLowering::objects_differ(const TExpr& left, const TExpr& right)
{
    const Operand first = expression(left);
    const Value a = loadable(*this, first);
    const Value other = loadable(*this, expression(right));
    Value differ = b().constant(0);
    for (uint32_t at = 0; at < first.size;) {
        uint8_t width = 8;
        while (at + width > first.size)
            width /= 2;
        const Value part = b().binary(Op::Xor, b().load(width, a, at), b().load(width, other, at));
        differ = b().binary(Op::Or, differ, part);
        at += width;
    }
    return differ;
}

} // namespace dt::lower
