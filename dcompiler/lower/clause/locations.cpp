// Emits code that loads data from the locations that an attach plan describes.
#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/clause/user_address.hpp"
#include "dcompiler/lower/core/hooks.hpp"
#include "machine/machine.hpp"

namespace dt::lower {

namespace {

/// Yields the interrupted pc if the CPU was in the requested mode (user or kernel), else 0.
Value pc_of_mode(ClauseState& l, bool user)
{
    auto& b = l.b();
    const machine::SavedRegisters& saved = l.module().world.machine().saved;
    const Value mode = b.binary(Op::And, b.load(8, l.context().context, saved.mode * 8), b.constant(saved.mode_bits));
    const auto pc = [&] { return b.load(8, l.context().context, saved.pc * 8); };
    return b.select(user == saved.bits_mean_user ? Op::Ne : Op::Eq, mode, b.constant(0), pc,
                    [&] { return b.constant(0); });
}

Value extended(ir::Builder& b, Value value, const Location& where)
{
    return where.size == 8 ? value : b.unary(where.is_signed ? Op::SExt : Op::ZExt, value, where.size);
}

/// Reads `size` bytes at an address of the kernel or the process; yields 0 if they cannot be read. The stack buffer is
/// freed before the function returns, so several reads use the same stack.
Value probed(ClauseState& l, int64_t helper, Value address, const Location& where)
{
    auto& b = l.b();
    const uint32_t mark = l.context().stack.used;
    const Value room = l.stack_temporary(8);
    b.store(8, room, 0, b.constant(0));
    b.call_helper(helper, {room, b.constant(where.size), address});
    l.context().stack.used = mark;
    return extended(b, b.load(where.size, room), where);
}

/// Yields an argument of the probed function. Only the kernel knows where its trampoline stores the argument, so a
/// helper reads it.
Value function_argument(ClauseState& l, uint32_t index)
{
    auto& b = l.b();
    const uint32_t mark = l.context().stack.used;
    const Value room = l.stack_temporary(8);
    b.store(8, room, 0, b.constant(0));
    b.call_helper(kGetFuncArg, {l.context().context, b.constant(index), room});
    l.context().stack.used = mark;
    return b.load(8, room);
}

/// Yields the address of the program's context as a number. The verifier forbids arithmetic with the pointer itself. So
/// a helper copies the pointer to other memory; what the program loads from there is an ordinary number for the
/// verifier.
Value context_address(ClauseState& l)
{
    return l.cached("context_address", [&] {
        auto& b = l.b();
        const uint32_t mark = l.context().stack.used;
        const Value pointer = l.stack_temporary(8), copy = l.stack_temporary(8);
        b.store(8, pointer, 0, l.context().context);
        b.store(8, copy, 0, b.constant(0));
        b.call_helper(kProbeReadKernel, {copy, b.constant(8), pointer});
        l.context().stack.used = mark;
        return b.load(8, copy);
    });
}

Value register_of(ClauseState& l, uint32_t word)
{
    return l.b().load(8, l.context().context, word * 8);
}

Value user_operand(ClauseState& l, const Location& where)
{
    auto& b = l.b();
    Value address = b.constant(where.offset);
    if (where.index != Location::kNoRegister)
        address = b.binary(Op::Add, register_of(l, where.index), address);
    if (where.scale != 0) {
        const Value scaled = where.of.empty() ? register_of(l, where.scaled)
                                              : extended(b, register_of(l, where.of[0].index), where.of[0]);
        address = b.binary(Op::Add, address, b.binary(Op::Mul, scaled, b.constant(where.scale)));
    }
    return probed(l, kProbeReadUser, for_helper(l, Mem::User, address), where);
}

/// Returns a string that identifies a location: equal locations have equal strings, different ones have different
/// strings.
std::string key_of(const Location& where)
{
    std::string key = "at";
    for (const int64_t part : {int64_t(where.kind), int64_t{where.index}, where.offset, int64_t{where.size},
                               int64_t{where.is_signed}, int64_t{where.scale}, int64_t{where.scaled}})
        key += ' ' + std::to_string(part);
    for (const Location& part : where.of)
        key += '(' + key_of(part) + ')';
    return key;
}

} // namespace

Value Builtins::kernel_memory(const Location& where)
{
    const Value base = where.of.empty() ? register_of(clause, where.index) : at(where.of[0]);
    if (clause.values.loads_anywhere())
        return extended(b(), clause.values.load_anywhere(base, where.offset, where.size), where);
    return probed(clause, kProbeReadKernel, b().binary(Op::Add, base, b().constant(where.offset)), where);
}

Value Builtins::chosen(const Location& where)
{
    const auto one = [&](std::size_t part) {
        Value value{};
        clause.arm([&] { value = at(where.of[part]); });
        return value;
    };
    return b().select(
        Op::Eq, at(where.of[0]), b().constant(where.offset), [&] { return one(1); }, [&] { return one(2); });
}

/// Yields the reason of a task's exit from its wait status: CLD_EXITED (1) if no signal ended it, CLD_KILLED (2) if a
/// signal did, CLD_DUMPED (3) if the signal also left a core file. wait(2) describes the encoding.
Value Builtins::exit_reason(const Location& where)
{
    const Value code = at(where.of[0]);
    const Value dumped = b().binary(Op::And, b().binary(Op::LShr, code, b().constant(7)), b().constant(1));
    const Value killed = b().binary(Op::Ne, b().binary(Op::And, code, b().constant(0x7f)), b().constant(0));
    return b().binary(Op::Add, b().constant(1),
                      b().binary(Op::Mul, killed, b().binary(Op::Add, dumped, b().constant(1))));
}

Value Builtins::is_compat_call()
{
    if (context().is_compat != ir::kNone)
        return context().is_compat;
    return clause.cached("narrow", [this] {
        const CompatSyscalls& calls = *context().plan->compat_syscalls;
        const auto read_flag = [&] {
            return b().binary(Op::And, b().binary(Op::LShr, at(calls.compat_flag), b().constant(calls.bit)),
                              b().constant(1));
        };
        if (!clause.values.loads_anywhere())
            return read_flag();
        const Value right = at(*calls.native_test.right), left = at(calls.native_test.left);
        return b().select(
            Op::Eq, left, right, [this] { return b().constant(0); },
            [&] {
                b().is_cold();
                Value value{};
                clause.arm([&] { value = read_flag(); });
                return value;
            });
    });
}

Value Builtins::call_argument(const Location& where, bool of_narrow)
{
    Value value{};
    clause.arm([&] {
        value = at({Location::Kind::UserRegister, of_narrow ? where.scaled : where.index, 0, 8, false, 0, 0, where.of});
    });
    return of_narrow ? b().binary(Op::And, value, b().constant(UINT32_MAX)) : value;
}

namespace {

std::string argument_key(uint32_t index)
{
    return "argument " + std::to_string(index);
}

} // namespace

Value Builtins::known_argument(uint32_t index) const
{
    const auto shared = context().call_arguments.find(index);
    return shared != context().call_arguments.end() ? shared->second : clause.known(argument_key(index));
}

/// Reads several arguments, whose locations depend on whether a 32-bit or a 64-bit program made the system call. One
/// branch serves all arguments: separate branches would take eight instructions each, and double the verifier's paths
/// each time.
std::map<uint32_t, Value> Builtins::read_arguments(const std::set<uint32_t>& wanted)
{
    const ir::BlockId wide = b().block(), narrow = b().block(), join = b().block();
    b().branch(Op::Eq, is_compat_call(), b().constant(0), wide, narrow);
    // For each system-call argument, two values: as a 64-bit program passes it, and as a 32-bit program does.
    std::map<uint32_t, std::vector<Value>> read;
    const auto read_all = [&](bool of_narrow) {
        for (const Location& where : context().plan->arguments)
            if (where.kind == Location::Kind::CallArgument && wanted.contains(where.index))
                read[where.index].push_back(call_argument(where, of_narrow));
        b().jump(join);
    };
    b().enter(wide);
    read_all(false);
    b().enter(narrow);
    b().is_cold();
    read_all(true);
    b().enter(join);
    std::map<uint32_t, Value> values;
    for (const auto& [index, both] : read)
        values[index] = b().phi(both);
    return values;
}

/// Reads the system-call argument `index`, together with all other arguments that the clause may still read.
void Builtins::find_argument(uint32_t index)
{
    std::set<uint32_t> wanted{index};
    for (const uint32_t other : clause.call_arguments_ahead())
        if (known_argument(other) == ir::kNone)
            wanted.insert(other);
    for (const auto& [each, value] : read_arguments(wanted))
        clause.remember(argument_key(each), value);
}

/// Reports an error: the kernel lacks data that the probe reads. The error contains the reason given by the signature
/// of the probe, if there is one.
Value Builtins::refused()
{
    std::string reason = "this kernel does not have all structure members that the probe reads";
    const Probe* const probe = context().shape;
    if (probe)
        for (const ProbeArgument& argument : clause.module().world.probes().signature(*probe).arguments)
            if (!argument.refusal.empty())
                reason = argument.refusal;
    clause.module().diagnostics.error("D_ARGS_TYPE", b().at(),
                                      "data of " + (probe ? probe->full_name() : "the probe") +
                                          " cannot be read: " + reason);
    return b().constant(0);
}

/// Yields the address of an array of variable length in a trace event's record. A word of the record describes the
/// array: the low half is the array's offset, the high half its length.
Value Builtins::dynamic_array(const Location& where)
{
    const Value distance = b().binary(Op::And, b().load(4, context().context, where.offset), b().constant(0xffff));
    const Value behind = b().binary(Op::Add, distance, b().constant(where.index));
    return b().binary(Op::Add, context_address(clause), behind);
}

/// Yields the address where the kernel saved the user registers of the current thread.
Value Builtins::saved_registers()
{
    return clause.cached("saved_regs", [this] {
        const auto stack = needed_offset(clause, b().at(), "the registers of the process", "task_struct", "stack");
        const Value task = b().call_helper(kGetCurrentTask, {});
        const Value begin =
            probed(clause, kProbeReadKernel, b().binary(Op::Add, task, b().constant(stack)), {.size = 8});
        return b().binary(Op::Add, begin, b().constant(static_cast<int64_t>(saved_registers_offset(clause.module()))));
    });
}

Value Builtins::user_register(const Location& where)
{
    if (!where.of.empty() && clause.values.loads_anywhere())
        return extended(b(), clause.values.load_anywhere(at(where.of[0]), where.index * 8, where.size), where);
    if (!clause.module().world.features().task_pt_regs) {
        const Value registers = where.of.empty() ? saved_registers() : at(where.of[0]);
        return probed(clause, kProbeReadKernel, b().binary(Op::Add, registers, b().constant(where.index * 8)), where);
    }
    const Value regs = clause.cached("user_regs", [this] {
        return b().call_helper(kTaskPtRegs, {task()}, Mem::Btf, clause.module().world.machine().saved.bytes);
    });
    return extended(b(), b().load(where.size, regs, where.index * 8), where);
}

Value Builtins::computed(const Location& where)
{
    static constexpr Op kOperations[Location::kComputations] = {Op::Mul, Op::UDiv, Op::UMod, Op::And, Op::Or,
                                                                Op::Xor, Op::Shl,  Op::LShr, Op::AShr};
    const Value left = at(where.of[0]), right = at(where.of[1]);
    return b().binary(kOperations[where.index], left, right);
}

Value Builtins::thread_pointer()
{
    const std::string_view member = module().world.machine().thread_locals.pointer;
    return b().load(8, task(), needed_offset(clause, b().at(), "a thread-local variable", "task_struct", member));
}

Value Builtins::at(const Location& where)
{
    using Kind = Location::Kind;
    if (where.size == 0)
        return refused();
    switch (where.kind) {
    case Kind::Zero:
        return b().constant(0);
    case Kind::Constant:
        return b().constant(where.offset);
    case Kind::ContextWord:
        return extended(b(), register_of(clause, where.index), where);
    case Kind::ContextField:
        return extended(b(), b().load(where.size, context().context, where.offset), where);
    case Kind::ContextAddress:
        return b().binary(Op::Add, context_address(clause), b().constant(where.offset));
    case Kind::DataLoc:
        return dynamic_array(where);
    case Kind::Register:
        return extended(b(), register_of(clause, where.index), where);
    case Kind::StackWord:
        return probed(clause, kProbeReadKernel,
                      b().binary(Op::Add, register_of(clause, clause.module().world.machine().saved.stack_pointer),
                                 b().constant(where.index * 8)),
                      where);
    case Kind::UserMemory:
        return user_operand(clause, where);
    case Kind::UserRegister:
        return user_register(where);
    case Kind::CallArgument:
        clause.uses_call_argument(where.index);
        if (const Value known = known_argument(where.index); known != ir::kNone)
            return known;
        find_argument(where.index);
        return known_argument(where.index);
    case Kind::KernelPc:
        return pc_of_mode(clause, false);
    case Kind::UserPc:
        return pc_of_mode(clause, true);
    case Kind::TaskWord:
        return b().load(4, task(), where.index);
    case Kind::KernelMemory:
        return clause.cached(key_of(where), [&] { return kernel_memory(where); });
    case Kind::Add:
    case Kind::Subtract: {
        const Value right = at(where.of[1]);
        return b().binary(where.kind == Kind::Add ? Op::Add : Op::Sub, at(where.of[0]), right);
    }
    case Kind::And:
        return b().binary(Op::And, at(where.of[0]), b().constant(where.offset));
    case Kind::ShiftRight:
        return extended(b(), b().binary(Op::LShr, at(where.of[0]), b().constant(where.offset)), where);
    case Kind::Select:
        return chosen(where);
    case Kind::CurrentTask:
        return b().call_helper(kGetCurrentTask, {});
    case Kind::CpuInfo:
        return cpu_info(at(where.of[0]));
    case Kind::ExitReason:
        return exit_reason(where);
    case Kind::Recorded:
        return span_word(SpanWords::kNoted);
    case Kind::Elapsed:
        return span_word(SpanWords::kElapsed + where.index);
    case Kind::FaultWord:
        return b().load(8, context().frame, FrameLayout::kFault + where.index * 8);
    case Kind::FunctionArgument:
        return clause.cached(key_of(where), [&] { return function_argument(clause, where.index); });
    case Kind::UserWord:
        return probed(clause, kProbeReadUser, for_helper(clause, Mem::User, at(where.of[0])), where);
    case Kind::Compute:
        return computed(where);
    case Kind::ThreadPointer:
        return thread_pointer();
    case Kind::Unknown:
        clause.fault(kFaultIllegalOperation, b().constant(0));
        b().enter(b().block()); // no path leads to the code that follows, but it needs a block
        return b().constant(0);
    case Kind::Cookie:
        return clause.cached("cookie", [this] { return b().call_helper(kAttachCookie, {context().context}); });
    }
    return b().constant(0);
}

} // namespace dt::lower
