// Built-in variables that read kernel structures or walk a stack: ppid, caller, ucaller, stackdepth, ustackdepth.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/helpers.hpp"
#include "dcompiler/lower/hooks.hpp"

#include <algorithm>
#include <optional>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

/// Byte offset of a member, looked for inside anonymous members too.
std::optional<uint64_t> find_member(const Type* record, std::string_view name)
{
    std::vector<std::pair<const Type*, uint64_t>> work{{record->resolve(), 0}};
    while (!work.empty()) {
        const auto [type, base] = work.back();
        work.pop_back();
        for (const Member& member : type->members()) {
            const uint64_t at = base + member.bit_offset / 8;
            if (member.name == name)
                return at;
            if (member.name.empty() && member.type->is_record())
                work.emplace_back(member.type->resolve(), at);
        }
    }
    return {};
}

} // namespace

std::optional<uint64_t> kernel_offset(ClauseLowering& l, std::string_view record, std::string_view member)
{
    TypeSource* source = l.module().world.types();
    const Type* type = source ? source->find(*l.module().program.types, TypeNamespace::Struct, record, "") : nullptr;
    return type ? find_member(type, member) : std::nullopt;
}

Operand lower_ppid(ClauseLowering& l, const TExpr& e)
{
    const auto parent = kernel_offset(l, "task_struct", "real_parent"), tgid = kernel_offset(l, "task_struct", "tgid");
    if (!parent || !tgid) {
        l.module().diagnostics.error("D_UNKNOWN", e.at, "ppid needs the kernel's types, and this kernel has none",
                                     "a kernel with CONFIG_DEBUG_INFO_BTF has /sys/kernel/btf/vmlinux");
        return number(l.b().constant(0));
    }
    // The task is a trusted object: members are loaded directly, and the kernel makes a load that faults read 0.
    auto& b = l.b();
    const Value task = l.cached("task_btf", [&] { return b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf); });
    const Value real_parent = b.load(8, task, static_cast<int64_t>(*parent), Mem::Btf);
    return number(l.narrow(b.load(4, real_parent, static_cast<int64_t>(*tgid)), e.type));
}

namespace {

/// The pc of frame `skip` of the kernel's or the user's stack, or 0.
Operand frame_pc(ClauseLowering& l, bool user, int64_t skip)
{
    auto& b = l.b();
    const Value pc = l.stack_temporary(8);
    b.store(8, pc, 0, b.constant(0));
    b.call_helper(kGetStack, {l.context().context, pc, b.constant(8), b.constant(skip | (user ? kUserStack : 0))});
    return number(b.load(8, pc));
}

/// Frames of the stack; as many as maxframes when it is deeper.
Operand depth(ClauseLowering& l, bool user)
{
    auto& b = l.b();
    const uint32_t bytes = static_cast<uint32_t>(std::max<uint64_t>(l.module().options.maxframes, 1)) * 8;
    const Value frames = l.scratch_temporary(bytes);
    const Value got = b.call_helper(kGetStack, {l.context().context, frames, b.constant(bytes), b.constant(user ? kUserStack : 0)});
    l.fault_if(Op::SLt, got, b.constant(0), kFaultBadStack, b.constant(0));
    return number(b.binary(Op::LShr, got, b.constant(3)));
}

} // namespace

Operand lower_caller(ClauseLowering& l, const TExpr&) { return frame_pc(l, false, 1); }
Operand lower_ucaller(ClauseLowering& l, const TExpr&) { return frame_pc(l, true, 1); }
Operand lower_stackdepth(ClauseLowering& l, const TExpr&) { return depth(l, false); }
Operand lower_ustackdepth(ClauseLowering& l, const TExpr&) { return depth(l, true); }

} // namespace dt::lower
