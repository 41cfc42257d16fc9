// Determines which stack bytes loads, stores and helper calls access. The accesses of helpers are in the table of
// helper effects.
#include "dcompiler/opt/stack_access.hpp"

#include "dcompiler/opt/passes.hpp"

namespace dt::opt {

using ir::HelperAccess;
using ir::Instr;
using ir::Op;
using ir::Value;

StackAccesses::StackAccesses(const ir::Module& module, const ir::Function& function)
    : module_(module), f_(function), non_escaping_(function.slots.size(), true)
{
    for (const ir::Block& block : f_.blocks)
        for (const Value v : block.instrs)
            use(f_.instrs[v]);
}

/// Returns the stack slot to which an address points, at any offset in it.
std::optional<uint32_t> StackAccesses::slot_of(Value address) const
{
    for (;;) {
        const Instr& i = f_.instrs[address];
        if (i.op == Op::StackAddr)
            return static_cast<uint32_t>(i.imm);
        if (i.op == Op::NonNull || ((i.op == Op::Add || i.op == Op::Sub) && f_.instrs[i.a].mem == ir::Mem::Stack))
            address = i.a;
        else if (i.op == Op::Add && f_.instrs[i.b].mem == ir::Mem::Stack)
            address = i.b;
        else
            return std::nullopt;
    }
}

std::optional<StackPlace> StackAccesses::place(Value address) const
{
    int64_t offset = 0;
    for (;;) {
        const Instr& i = f_.instrs[address];
        if (i.op == Op::StackAddr)
            return StackPlace{static_cast<uint32_t>(i.imm), offset};
        if (i.op == Op::NonNull) {
            address = i.a;
            continue;
        }
        if ((i.op != Op::Add && i.op != Op::Sub) || f_.instrs[i.b].op != Op::Const)
            return std::nullopt;
        const int64_t step = f_.instrs[i.b].imm;
        if (step > ir::bpf::kMaxStack || step < -ir::bpf::kMaxStack)
            return std::nullopt;
        offset += i.op == Op::Add ? step : -step;
        address = i.a;
    }
}

void StackAccesses::use(const Instr& instr)
{
    const auto escapes = [this](Value v) {
        if (v == ir::kNone)
            return;
        if (const auto slot = slot_of(v))
            non_escaping_[*slot] = false;
    };
    // The result of arithmetic on a slot's address is an address in the same slot. The loop will examine the uses of
    // the result too.
    const bool leads_on = instr.op == Op::Add || instr.op == Op::Sub || instr.op == Op::NonNull;
    if ((leads_on && instr.mem == ir::Mem::Stack) || ir::is(instr.op, ir::OpClass::Call))
        return;
    if (!ir::is(instr.op, ir::OpClass::Access))
        escapes(instr.a);
    escapes(instr.b);
    for (const Value v : instr.args)
        escapes(v);
}

void StackAccesses::add(std::vector<StackAccess>& out, StackAccess::Kind kind, Value address, int64_t offset,
                        std::optional<uint64_t> size) const
{
    const auto slot = slot_of(address);
    if (!slot || !non_escaping_[*slot])
        return;
    const int64_t most = f_.slots[*slot].size;
    const auto at = place(address);
    const bool exact = at && size && at->offset + offset >= 0 && *size <= static_cast<uint64_t>(most) &&
                       at->offset + offset + static_cast<int64_t>(*size) <= most;
    if (exact)
        out.push_back({kind, {*slot, at->offset + offset, at->offset + offset + static_cast<int64_t>(*size)}});
    else
        out.push_back({kind == StackAccess::Kind::Writes ? StackAccess::Kind::MayWrite : kind, {*slot, 0, most}});
}

std::optional<uint64_t> StackAccesses::size_of(const HelperAccess& access, const Instr& call) const
{
    if (access.size == HelperAccess::Size::Argument) {
        const Instr& length = f_.instrs[call.args[access.length]];
        return length.op == Op::Const && length.imm >= 0 ? std::optional(static_cast<uint64_t>(length.imm))
                                                         : std::nullopt;
    }
    const Instr& map = f_.instrs[call.args[0]];
    if (map.op != Op::MapRef)
        return std::nullopt;
    const ir::Map& m = module_.maps[static_cast<std::size_t>(map.imm)];
    const uint32_t size = access.size == HelperAccess::Size::Key ? m.key_size : m.value_size;
    return size ? std::optional<uint64_t>(size) : std::nullopt;
}

void StackAccesses::helper(std::vector<StackAccess>& out, const Instr& instr) const
{
    using Size = HelperAccess::Size;
    const ir::HelperEffects& row = ir::effects(instr.imm);
    std::bitset<8> used;
    const auto one = [&](const HelperAccess& access, StackAccess::Kind kind) {
        if (access.size == Size::None || access.pointer >= instr.args.size() || access.length >= instr.args.size())
            return;
        used.set(access.pointer);
        add(out, kind, instr.args[access.pointer], 0, size_of(access, instr));
    };
    for (const HelperAccess& access : row.reads)
        one(access, StackAccess::Kind::Reads);
    one(row.writes, row.writes_all ? StackAccess::Kind::Writes : StackAccess::Kind::MayWrite);
    for (std::size_t i = 0; i < instr.args.size(); ++i)
        if (!used.test(i))
            add(out, StackAccess::Kind::MayDoBoth, instr.args[i], 0, std::nullopt);
}

std::vector<StackAccess> StackAccesses::of(const Instr& instr) const
{
    using Kind = StackAccess::Kind;
    std::vector<StackAccess> out;
    if (ir::is(instr.op, ir::OpClass::Access))
        add(out,
            instr.op == Op::Load    ? Kind::Reads
            : instr.op == Op::Store ? Kind::Writes
                                    : Kind::MayDoBoth,
            instr.a, instr.imm, instr.width);
    else if (instr.op == Op::CallHelper)
        helper(out, instr);
    else if (ir::is(instr.op, ir::OpClass::Call))
        for (const Value v : instr.args)
            add(out, Kind::MayDoBoth, v, 0, std::nullopt);
    return out;
}

} // namespace dt::opt
