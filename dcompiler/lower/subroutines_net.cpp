// Lowers subroutines that format network and link addresses: inet_ntoa, inet_ntoa6, inet_ntop, link_ntop.
#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/lower/hooks.hpp"
#include "dcompiler/lower/strings_sources.hpp"

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

constexpr uint32_t kRoom = 64;                     // as in bpf-runtime/inet.bpf.c, link_ntop.bpf.c
constexpr int64_t kInet6 = 10;                     // AF_INET6
constexpr int64_t kEthernet = 1, kInfiniband = 32; // ARPHRD_ETHER, ARPHRD_INFINIBAND
constexpr uint32_t kEthernetBytes = 6, kInfinibandBytes = 20;

/// Copies the bytes at an argument's address into a map value. Faults if they cannot be read.
Value bytes_at(ClauseLowering& l, const TExpr& pointer, Value address, uint32_t size)
{
    Place from;
    from.address = from.origin = address;
    const Type* real = pointer.type->resolve();
    from.mem = real->kind == TypeKind::Pointer && real->space == AddressSpace::User ? Mem::User : Mem::Kernel;
    from.scratch = pointer.scratch;
    const Value bytes = l.scratch_temporary(size);
    l.memory.copy_bytes(from, bytes, 0, size);
    return bytes;
}

Operand made(Value buffer)
{
    return {Operand::Kind::Text, buffer, Mem::MapValue, kRoom, false, false, {}};
}

void ntoa(ClauseLowering& l, const TExpr& pointer, Value address, Value result)
{
    l.module().functions.call_long(l.b(), l.slot(), "dt_inet_ntoa",
                                   {{result, kRoom}, {bytes_at(l, pointer, address, 4), 4}}, false);
}

void ntoa6(ClauseLowering& l, const TExpr& pointer, Value address, Value result, bool strict)
{
    l.module().functions.call_long(l.b(), l.slot(), "dt_inet_ntoa6",
                                   {{result, kRoom}, {bytes_at(l, pointer, address, 16), 16}, {l.b().constant(strict)}},
                                   false);
}

void link(ClauseLowering& l, const TExpr& pointer, Value address, Value result, uint32_t size)
{
    const Value bytes = bytes_at(l, pointer, address, size);
    l.b().call_runtime("dt_link_ntop", {result, bytes, l.b().constant(size)});
}

/// Emits a branch to one of two bodies by the value. For a constant value only one body is emitted.
template <typename Yes, typename No> void choose(ClauseLowering& l, Value value, int64_t wanted, Yes yes, No no)
{
    l.b().if_else(
        Op::Eq, value, l.b().constant(wanted), [&] { l.arm(yes); }, [&] { l.arm(no); });
}

} // namespace

Operand lower_inet_ntoa(ClauseLowering& l, const TExpr& e)
{
    const Value address = l.expressions.value(*e.kids[0]), result = l.scratch_temporary(kRoom);
    ntoa(l, *e.kids[0], address, result);
    return made(result);
}

Operand lower_inet_ntoa6(ClauseLowering& l, const TExpr& e)
{
    const Value address = l.expressions.value(*e.kids[0]), result = l.scratch_temporary(kRoom);
    ntoa6(l, *e.kids[0], address, result, e.kids.size() > 1 && e.kids[1]->value != 0);
    return made(result);
}

Operand lower_inet_ntop(ClauseLowering& l, const TExpr& e)
{
    const Value family = l.expressions.value(*e.kids[0]), address = l.expressions.value(*e.kids[1]),
                result = l.scratch_temporary(kRoom);
    choose(
        l, family, kInet6, [&] { ntoa6(l, *e.kids[1], address, result, true); },
        [&] { ntoa(l, *e.kids[1], address, result); });
    return made(result);
}

Operand lower_link_ntop(ClauseLowering& l, const TExpr& e)
{
    const Value type = l.expressions.value(*e.kids[0]), address = l.expressions.value(*e.kids[1]),
                result = l.scratch_temporary(kRoom);
    choose(
        l, type, kEthernet, [&] { link(l, *e.kids[1], address, result, kEthernetBytes); },
        [&] {
            l.fault_if(Op::Ne, type, l.b().constant(kInfiniband), kFaultIllegalOperation, l.b().constant(0));
            link(l, *e.kids[1], address, result, kInfinibandBytes);
        });
    return made(result);
}

} // namespace dt::lower
