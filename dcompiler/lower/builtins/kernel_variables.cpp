// Lowers built-in variables that read kernel structures or walk a stack: ppid, caller, ucaller, stackdepth,
// ustackdepth.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/entered_function.hpp"
#include "dcompiler/lower/hooks.hpp"

#include <algorithm>
#include <optional>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

struct Found {
    const Type* type = nullptr;
    uint64_t offset = 0;
    uint32_t bit = 0; ///< first bit of a bit-field in that byte
};

/// Finds a member, including members of anonymous members.
std::optional<Found> find_member(const Type* record, std::string_view name)
{
    std::vector<Found> work{{record->resolve(), 0}};
    while (!work.empty()) {
        const Found place = work.back();
        work.pop_back();
        for (const Member& member : place.type->members()) {
            const uint64_t at = place.offset + member.bit_offset / 8;
            if (member.name == name)
                return Found{member.type->resolve(), at, static_cast<uint32_t>(member.bit_offset % 8)};
            if (member.name.empty() && member.type->is_record())
                work.push_back({member.type->resolve(), at});
        }
    }
    return {};
}

} // namespace

std::optional<uint64_t> kernel_offset(const ModuleLowering& module, std::string_view record, std::string_view path)
{
    TypeSource* source = module.world.running_types();
    const Type* type = source ? source->find(*module.program.types, TypeNamespace::Struct, record, "") : nullptr;
    uint64_t offset = 0;
    while (type) {
        const std::size_t dot = path.find('.');
        const std::optional<Found> found = find_member(type, path.substr(0, dot));
        if (!found)
            return {};
        offset += found->offset;
        if (dot == std::string_view::npos)
            return offset;
        type = found->type;
        path.remove_prefix(dot + 1);
    }
    return {};
}

std::optional<KernelBit> kernel_bit(const ModuleLowering& module, std::string_view record, std::string_view member)
{
    TypeSource* source = module.world.running_types();
    const Type* type = source ? source->find(*module.program.types, TypeNamespace::Struct, record, "") : nullptr;
    const std::optional<Found> found = type ? find_member(type, member) : std::nullopt;
    return found ? std::optional(KernelBit{found->offset, found->bit}) : std::nullopt;
}

std::optional<uint64_t> kernel_offset(ClauseState& l, std::string_view record, std::string_view path)
{
    return kernel_offset(l.module(), record, path);
}

int64_t needed_offset(ClauseLowering& l, const Span& at, std::string_view who, std::string_view record,
                      std::string_view path)
{
    if (const auto offset = kernel_offset(l, record, path))
        return static_cast<int64_t>(*offset);
    l.module().diagnostics.error("D_UNKNOWN", at,
                                 std::string(who) + " needs struct " + std::string(record) + "." + std::string(path) +
                                     " of the kernel's types, which is not there",
                                 "a kernel with CONFIG_DEBUG_INFO_BTF has /sys/kernel/btf/vmlinux");
    return 0;
}

Operand lower_ppid(ClauseLowering& l, const TExpr& e)
{
    const int64_t parent = needed_offset(l, e.at, "ppid", "task_struct", "real_parent");
    const int64_t tgid = needed_offset(l, e.at, "ppid", "task_struct", "tgid");
    // The task is a trusted object, so its members are loaded directly. The kernel lets a faulting load yield 0.
    auto& b = l.b();
    const Value task = l.cached("task_btf", [&] { return b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf); });
    const Value real_parent = b.load(8, task, parent, Mem::Btf);
    return number(l.values.narrow(b.load(4, real_parent, tgid), e.type));
}

namespace {

/// Yields the pc of the caller in the kernel, or 0.
Operand kernel_caller(ClauseLowering& l)
{
    auto& b = l.b();
    if (const auto word = caller_register(l))
        return number(b.load(8, l.context().context, *word * 8));
    const Value pc = l.stack_temporary(8);
    b.store(8, pc, 0, b.constant(0));
    b.call_helper(kGetStack, {l.context().context, pc, b.constant(8), l.stacks.stack_flags(false, 1)});
    return number(b.load(8, pc));
}

/// Yields the number of stack frames, limited to maxframes.
Operand depth(ClauseLowering& l, bool user)
{
    auto& b = l.b();
    const auto most = static_cast<uint32_t>(std::max<uint64_t>(l.module().options.maxframes, 1));
    const Value frames = l.scratch_temporary(most * 8);
    const Value got = user ? l.stacks.user_frames(most, frames)
                           : b.call_helper(kGetStack, {l.context().context, frames, b.constant(most * 8),
                                                       l.stacks.stack_flags(false)});
    l.fault_if(Op::SLt, got, b.constant(0), kFaultBadStack, b.constant(0));
    const Value found = b.binary(Op::LShr, got, b.constant(3));
    const bool lacks_one =
        !user && (l.stacks.stack_begins_with(StackBegin::Returned) || caller_register(l).has_value());
    return number(lacks_one ? b.binary(Op::Add, found, b.constant(1)) : found);
}

} // namespace

/// BEGIN and END have no caller.
Operand lower_caller(ClauseLowering& l, const TExpr&)
{
    return l.stacks.stack_begins_with(StackBegin::Caller) ? number(l.b().constant(0)) : kernel_caller(l);
}
Operand lower_ucaller(ClauseLowering& l, const TExpr&)
{
    auto& b = l.b();
    const Value frames = l.scratch_temporary(2 * 8);
    const Value got = l.stacks.user_frames(2, frames);
    return number(b.select(
        Op::SLt, got, b.constant(2 * 8), [&] { return b.constant(0); }, [&] { return b.load(8, frames, 8); }));
}
Operand lower_stackdepth(ClauseLowering& l, const TExpr&)
{
    return depth(l, false);
}
Operand lower_ustackdepth(ClauseLowering& l, const TExpr&)
{
    return depth(l, true);
}

} // namespace dt::lower
