// Lowers the built-in variables, with one small function for each; hooks.cpp assigns these functions to the names.
#include <algorithm>
#include <bit>

#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/core/hooks.hpp"
#include "machine/machine.hpp"

namespace dt::lower {

namespace {

// System calls return an error as a negative number greater than this one. Only then variable errno has a value
// (dtrace-providers(7)).
constexpr int64_t kErrnoFloor = -2048;

Value uid_gid(ClauseLowering& l)
{
    return l.cached("uid_gid", [&] { return l.b().call_helper(kGetCurrentUidGid, {}); });
}

Value high(ClauseState& l, Value v)
{
    return l.b().binary(Op::LShr, v, l.b().constant(32));
}
Value low(ClauseState& l, Value v)
{
    return l.b().unary(Op::ZExt, v, 4);
}

/// Yields a mask of the bytes of `word` that precede its first zero byte.
Value before_nul(ir::Builder& b, Value word)
{
    const auto constant = [&b](uint64_t bits) { return b.constant(static_cast<int64_t>(bits)); };
    const Value lower = b.binary(Op::Sub, word, constant(0x0101010101010101)),
                inverted = b.binary(Op::Xor, word, constant(~uint64_t{0}));
    // In `marks`, the lowest bit that is set is the highest bit of the word's first zero byte.
    const Value marks = b.binary(Op::And, b.binary(Op::And, lower, inverted), constant(0x8080808080808080));
    const Value first = b.binary(Op::And, marks, b.unary(Op::Neg, marks));
    return b.binary(Op::Sub, b.binary(Op::LShr, first, constant(7)), constant(1));
}

} // namespace

Value Builtins::task()
{
    return clause.cached("task_btf", [this] { return b().call_helper(kGetCurrentTaskBtf, {}, Mem::Btf); });
}

/// Returns the offset of a member of task_struct, but only at probes whose program needs the address of the current
/// task anyway. There, loading the member is cheaper than another helper call (18 ns).
std::optional<int64_t> Builtins::offset_in_current_task(std::string_view member)
{
    const AttachPlan* plan = context().plan;
    if (!plan || !plan->compat_syscalls || plan->compat_syscalls->compat_flag.kind != Location::Kind::TaskWord)
        return std::nullopt;
    return module().world.task_offset(member);
}

/// Returns the offset of a process or thread id in task_struct. Returns nothing unless the tracer is in the initial pid
/// namespace: task_struct has only the ids of that namespace.
std::optional<int64_t> Builtins::id_in_current_task(std::string_view member)
{
    return module().world.target().pid_namespace_inode == 0 ? offset_in_current_task(member) : std::nullopt;
}

Value Builtins::process_id()
{
    const auto at = id_in_current_task("tgid");
    return at ? b().load(4, task(), *at) : high(clause, clause.pid_tgid());
}

Value Builtins::thread_id()
{
    const auto at = id_in_current_task("pid");
    return at ? b().load(4, task(), *at) : low(clause, clause.pid_tgid());
}

void Builtins::thread_name_into(Value dst, int64_t offset, bool pad)
{
    const auto at = module().world.task_offset("comm");
    if (!at) {
        clause.values.zero(dst, offset, kThreadName);
        b().call_helper(kGetCurrentComm, {clause.values.interior(dst, offset, kThreadName), b().constant(kThreadName)});
        return;
    }
    const Value first = b().load(8, task(), *at), second = b().load(8, task(), static_cast<int64_t>(*at) + 8);
    const Value nul_at_end = b().constant(0x00ffffffffffffff); // the last byte of a thread's name is always a NUL
    if (!pad) {
        b().store(8, dst, offset, first);
        b().store(8, dst, offset + 8, b().binary(Op::And, second, nul_at_end));
        return;
    }
    const Value of_first = before_nul(b(), first);
    // The mask has all bits set if the thread's name continues in the next word, and is 0 otherwise.
    const Value goes_on = b().binary(Op::AShr, of_first, b().constant(63));
    const Value of_second = b().binary(Op::And, before_nul(b(), second), nul_at_end);
    b().store(8, dst, offset, b().binary(Op::And, first, of_first));
    b().store(8, dst, offset + 8, b().binary(Op::And, second, b().binary(Op::And, of_second, goes_on)));
}

Value Builtins::ecb_field(std::size_t offset)
{
    return b().load(4, context().ecb, static_cast<int64_t>(offset));
}

Value Builtins::probe_id()
{
    if (context().ecb != kNone)
        return clause.cached("probe_id", [this] { return ecb_field(offsetof(dt_ecb, probe)); });
    return b().constant(context().shape ? context().shape->id : kErrorProbe);
}

Operand Builtins::constant_text(const std::string& whole)
{
    // the text is truncated to strsize, like every string
    const std::string text = whole.substr(0, module().options.strsize);
    Operand literal{
        Operand::Kind::Text, kNone, Mem::MapValue, static_cast<uint32_t>(text.size()) + 1, false, true, text};
    literal.value = b().data_addr(module().data.literal(text), align_up(literal.size, 8));
    return literal;
}

Operand Builtins::probe_component(int which)
{
    const Probe& probe = *context().shape;
    const std::string* names[] = {&probe.provider, &probe.module, &probe.function, &probe.name};
    if (context().ecb == kNone) {
        return constant_text(*names[which]);
    }
    static constexpr std::size_t kFields[] = {offsetof(dt_ecb, prov), offsetof(dt_ecb, mod), offsetof(dt_ecb, func),
                                              offsetof(dt_ecb, name)};
    return number(ecb_field(kFields[which]));
}

/// Yields the string for a name id. A name id is the number that records contain for a name of a probe; most clauses
/// need no string. The table contains all names of this program, each padded to the same size.
Operand Builtins::name_text(Value id)
{
    const auto& names = module().out.schema.names;
    std::size_t longest = 8;
    for (const std::string& name : names)
        longest = std::max(longest, name.size() + 1);
    const uint32_t stride = align_up(static_cast<uint32_t>(longest), 8);
    const uint32_t count = static_cast<uint32_t>(names.size());
    const uint32_t table = module().data.once("names", [] { return ir::Data{"names", ".rodata", 0, 8, {}}; });
    ir::Data& text = module().data.at(table);
    text.size = stride * count;
    text.bytes.assign(text.size, 0);
    for (std::size_t i = 0; i < count; ++i)
        std::copy(names[i].begin(), names[i].end(), text.bytes.begin() + static_cast<std::ptrdiff_t>(i * stride));
    const ir::BlockId good = b().block(), bad = b().block();
    b().branch(Op::ULt, id, b().constant(count), good, bad);
    b().enter(bad);
    // the ids are from the table itself, so the lookup never fails, but the verifier requires the check
    clause.abandon();
    b().enter(good);
    const Value base = b().data_addr(table, stride * count);
    const Value address = b().binary(Op::Add, base, b().binary(Op::Mul, id, b().constant(stride)));
    b().instr(address).mem = Mem::MapValue;
    b().instr(address).region = stride;
    return {Operand::Kind::Text, address, Mem::MapValue, stride, false, false, {}};
}

// ---- functions that lower the built-in variables; the table in hooks.cpp refers to them ----------------------------

Operand lower_arg(ClauseLowering& l, const TExpr& e)
{
    const int n = e.builtin->name.back() - '0';
    return number(l.builtins.at(l.context().plan->arguments[static_cast<std::size_t>(n)]));
}

/// Returns the bytes of a floating-point number or structure that is passed in the probe's arguments from `first` on.
/// How many arguments it occupies depends on the word size of the traced program.
static Operand gathered(ClauseLowering& l, uint32_t size, std::size_t first)
{
    const Value buffer = l.scratch_temporary(align_up(size, 8));
    for (uint32_t at = 0; at < size; ++first) {
        const Location& word = l.context().plan->arguments.at(first);
        l.b().store(word.size, buffer, at, l.builtins.at(word));
        at += word.size;
    }
    return {Operand::Kind::Bytes, buffer, Mem::MapValue, size, false, false, {}};
}

/// Returns the bytes of a structure whose members are numbers. Each number is an argument of the probe, from argument
/// `first` on.
static Operand unflattened(ClauseLowering& l, const Type* type, std::size_t first)
{
    const auto size = static_cast<uint32_t>(type->resolve()->size);
    const Value buffer = l.scratch_temporary(align_up(size, 8));
    l.values.zero(buffer, 0, align_up(size, 8));
    for (const NumberAt& number : numbers_of(type, kMaxArguments)) {
        const bool is_inside =
            number.offset + number.size <= size && number.size <= 8 && std::has_single_bit(number.size);
        if (!is_inside) // only wrong debug information has such members outside of the structure
            break;
        l.b().store(number.size, buffer, static_cast<int64_t>(number.offset),
                    l.builtins.at(l.context().plan->arguments.at(first++)));
    }
    return {Operand::Kind::Bytes, buffer, Mem::MapValue, size, false, false, {}};
}

Operand lower_args(ClauseLowering& l, const TExpr& e)
{
    // The signature is that of the clause's first probe, which semantic analysis used too; other probes of the clause
    // may have fewer arguments.
    const ProbeSignature signature = l.module().world.probes().signature(*l.statement().probes.front());
    const ProbeArgument& argument = signature.arguments.at(static_cast<std::size_t>(e.value));
    if (e.type->is_record() && argument.form == StructureForm::Numbers)
        return unflattened(l, e.type, argument.mapping);
    if (e.type->is_record() || e.type->resolve()->kind == TypeKind::Float)
        return gathered(l, static_cast<uint32_t>(e.type->resolve()->size), argument.mapping);
    return number(l.values.narrow(l.builtins.at(l.context().plan->arguments[argument.mapping]), e.type));
}

Operand lower_pid(ClauseLowering& l, const TExpr&)
{
    return number(l.builtins.process_id());
}
Operand lower_tid(ClauseLowering& l, const TExpr&)
{
    return number(l.builtins.thread_id());
}
Operand lower_uid(ClauseLowering& l, const TExpr&)
{
    return number(low(l, uid_gid(l)));
}
Operand lower_gid(ClauseLowering& l, const TExpr&)
{
    return number(high(l, uid_gid(l)));
}
Operand lower_id(ClauseLowering& l, const TExpr&)
{
    return number(l.builtins.probe_id());
}

Operand lower_epid(ClauseLowering& l, const TExpr&)
{
    const Value shifted = l.b().binary(Op::Shl, l.builtins.probe_id(), l.b().constant(32));
    return number(l.b().binary(Op::Or, shifted, l.statement_number()));
}

Operand lower_timestamp(ClauseLowering& l, const TExpr&)
{
    return number(l.cached("timestamp", [&] { return l.b().call_helper(kKtimeGetNs, {}); }));
}

Operand lower_walltimestamp(ClauseLowering& l, const TExpr&)
{
    const Value offset =
        l.b().load(8, l.b().data_addr(l.module().data.state(), sizeof(dt_state)), offsetof(dt_state, boot_to_wall_ns));
    return number(l.b().binary(Op::Add, l.b().call_helper(kKtimeGetNs, {}), offset));
}

Operand lower_errno(ClauseLowering& l, const TExpr&)
{
    const AttachPlan* plan = l.context().plan;
    if (!plan || plan->return_value.kind == Location::Kind::Zero)
        return number(l.b().constant(0));
    auto& b = l.b();
    const Value result = l.builtins.at(plan->return_value);
    const ir::BlockId negative = b.block(), failed = b.block(), other = b.block(), join = b.block();
    b.branch(Op::SLt, result, b.constant(0), negative, other);
    b.enter(negative);
    b.branch(Op::SLt, b.constant(kErrnoFloor), result, failed, other);
    b.enter(failed);
    const Value code = b.unary(Op::Neg, result);
    b.jump(join);
    b.enter(other);
    const Value none = b.constant(0);
    b.jump(join);
    b.enter(join);
    return number(b.phi({code, none}));
}

Operand lower_execname(ClauseLowering& l, const TExpr&)
{
    uint32_t size = static_cast<uint32_t>(std::min<uint64_t>(kThreadName, l.module().options.strsize + 1));
    Mem mem;
    const Value buffer = l.strings.text_buffer(size, mem);
    if (size == kThreadName)
        l.builtins.thread_name_into(buffer, 0, true);
    else
        // truncates the thread's name and ends it with a NUL
        l.b().call_helper(kGetCurrentComm, {buffer, l.b().constant(size)});
    return {Operand::Kind::Text, buffer, mem, size, false, false, {}};
}

/// Returns whether the expression is a member of *curcpu.
bool is_curcpu_member(const TExpr& e)
{
    const TExpr* object = e.op == TOp::Member ? e.kids[0] : nullptr;
    return object && object->op == TOp::Deref && object->kids[0]->op == TOp::Builtin &&
           object->kids[0]->builtin->role == VariableRole::CurrentCpu;
}

Operand lower_curthread(ClauseLowering& l, const TExpr&)
{
    return number(l.b().call_helper(kGetCurrentTask, {}));
}

Operand lower_ipl(ClauseLowering& l, const TExpr&)
{
    l.fault(kFaultIllegalOperation, l.b().constant(0));
    l.b().enter(l.b().block()); // control never reaches the code that follows, but the code needs a block
    return number(l.b().constant(0));
}

Operand lower_uregs(ClauseLowering& l, const TExpr& e)
{
    const int64_t saved = l.module().world.machine().saved.bytes / 8;
    const machine::SystemCalls& calls = l.module().world.machine().syscalls;
    // the number is only a part of the saved word; the kernel may use the word's other bytes
    if (e.value == calls.number)
        return number(l.builtins.at(number_of_call(calls)));
    if (e.value < saved)
        return number(l.builtins.at({Location::Kind::UserRegister, static_cast<uint32_t>(e.value)}));
    const machine::RegisterNames::Member& member =
        l.module().world.machine().registers.of_thread[static_cast<std::size_t>(e.value - saved)];
    return number(
        l.b().load(member.bytes, l.builtins.task(), needed_offset(l, e.at, "uregs[ ]", "task_struct", member.path)));
}

template <int Which> static Operand component(ClauseLowering& l, const TExpr&)
{
    const Operand name = l.builtins.probe_component(Which);
    return name.kind == Operand::Kind::Text ? name : l.builtins.name_text(name.value);
}

Operand lower_host(ClauseLowering& l, const TExpr&)
{
    return l.builtins.constant_text(l.module().world.target().host);
}

Operand lower_probeprov(ClauseLowering& l, const TExpr& e)
{
    return component<0>(l, e);
}
Operand lower_probemod(ClauseLowering& l, const TExpr& e)
{
    return component<1>(l, e);
}
Operand lower_probefunc(ClauseLowering& l, const TExpr& e)
{
    return component<2>(l, e);
}
Operand lower_probename(ClauseLowering& l, const TExpr& e)
{
    return component<3>(l, e);
}

int probe_component_index(const TExpr& e)
{
    if (e.op != TOp::Builtin)
        return -1;
    const int which = static_cast<int>(e.builtin->role) - static_cast<int>(VariableRole::ProbeProvider);
    return which < 4 ? std::max(which, -1) : -1;
}

} // namespace dt::lower
