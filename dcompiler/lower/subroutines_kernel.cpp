// Subroutines that read kernel objects at the offsets the kernel's types give: locks, the task tree, paths.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/helpers.hpp"
#include "dcompiler/lower/hooks.hpp"

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

// Low bits of struct mutex.owner (kernel/locking/mutex.h) and parts of struct qrwlock.cnts (asm-generic/qrwlock.h).
constexpr int64_t kMutexFlags = 7;
constexpr int64_t kWriterLocked = 0xff, kWriterLockedOrWaiting = 0x1ff;

/// The offset of a member, or an error that names the subroutine.
int64_t offset_of(ClauseLowering& l, const TExpr& e, std::string_view record, std::string_view member)
{
    if (const auto offset = kernel_offset(l, record, member))
        return static_cast<int64_t>(*offset);
    l.module().diagnostics.error("D_UNKNOWN", e.at, std::string(e.subroutine->name) + "( ) needs struct " + std::string(record) + "." +
                                                        std::string(member) + " of the kernel's types, which is not there",
                                 "a kernel with CONFIG_DEBUG_INFO_BTF has /sys/kernel/btf/vmlinux");
    return 0;
}

Value read_member(ClauseLowering& l, Value object, int64_t offset, uint8_t width)
{
    ClauseLowering::Place from;
    from.address = from.origin = object;
    from.offset = offset;
    const Value word = l.stack_temporary(8);
    l.copy_bytes(from, word, 0, width);
    return l.b().load(width, word);
}

Value owner(ClauseLowering& l, const TExpr& e)
{
    const Value mutex = l.value(*e.kids[0]);
    const Value word = read_member(l, mutex, offset_of(l, e, "mutex", "owner"), 8);
    return l.b().binary(Op::And, word, l.b().constant(~kMutexFlags));
}

Operand lock_word(ClauseLowering& l, const TExpr& e, int64_t mask)
{
    const Value lock = l.value(*e.kids[0]);
    const Value word = read_member(l, lock, offset_of(l, e, "qrwlock", "cnts"), 4); // the first member of rwlock_t
    return number(l.b().binary(Op::And, word, l.b().constant(mask)));
}

} // namespace

Operand lower_mutex_owner(ClauseLowering& l, const TExpr& e) { return number(owner(l, e)); }

Operand lower_mutex_owned(ClauseLowering& l, const TExpr& e)
{
    const Value task = owner(l, e);
    return number(l.b().binary(Op::Eq, task, l.b().call_helper(kGetCurrentTask, {})));
}

/// Every Linux mutex is of the one kind and never of the other; the argument is evaluated all the same.
Operand lower_mutex_type_adaptive(ClauseLowering& l, const TExpr& e)
{
    l.value(*e.kids[0]);
    return number(l.b().constant(1));
}

Operand lower_mutex_type_spin(ClauseLowering& l, const TExpr& e)
{
    l.value(*e.kids[0]);
    return number(l.b().constant(0));
}

Operand lower_rw_iswriter(ClauseLowering& l, const TExpr& e) { return lock_word(l, e, kWriterLockedOrWaiting); }
Operand lower_rw_read_held(ClauseLowering& l, const TExpr& e) { return lock_word(l, e, 0xffffffff & ~kWriterLockedOrWaiting); }
Operand lower_rw_write_held(ClauseLowering& l, const TExpr& e) { return lock_word(l, e, kWriterLocked); }

Operand lower_progenyof(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value wanted = l.value(*e.kids[0]);
    const Value parent = b.constant(offset_of(l, e, "task_struct", "real_parent")), tgid = b.constant(offset_of(l, e, "task_struct", "tgid"));
    return number(b.call_runtime("dt_progenyof", {wanted, b.call_helper(kGetCurrentTask, {}), parent, tgid}));
}

} // namespace dt::lower
