// Lowers subroutines that read kernel objects at offsets from the kernel's types: locks, the task tree, paths.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"
#include "dcompiler/lower/strings_sources.hpp"

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

// Low bits of struct mutex.owner (kernel/locking/mutex.h) and parts of struct qrwlock.cnts (asm-generic/qrwlock.h).
constexpr int64_t kMutexFlags = 7;
constexpr int64_t kWriterLocked = 0xff, kWriterLockedOrWaiting = 0x1ff;

/// Returns the offset of a member, or reports an error that names the subroutine.
int64_t offset_of(ClauseLowering& l, const TExpr& e, std::string_view record, std::string_view member)
{
    return needed_offset(l, e.at, std::string(e.subroutine->name) + "( )", record, member);
}

Value read_member(ClauseLowering& l, Value object, int64_t offset, uint8_t width)
{
    Place from;
    from.address = from.origin = object;
    from.offset = offset;
    const Value word = l.stack_temporary(8);
    l.memory.copy_bytes(from, word, 0, width);
    return l.b().load(width, word);
}

Value owner(ClauseLowering& l, const TExpr& e)
{
    const Value mutex = l.expressions.value(*e.kids[0]);
    const Value word = read_member(l, mutex, offset_of(l, e, "mutex", "owner"), 8);
    return l.b().binary(Op::And, word, l.b().constant(~kMutexFlags));
}

Operand lock_word(ClauseLowering& l, const TExpr& e, int64_t mask)
{
    const Value lock = l.expressions.value(*e.kids[0]);
    const Value word = read_member(l, lock, offset_of(l, e, "qrwlock", "cnts"), 4); // the first member of rwlock_t
    return number(l.b().binary(Op::And, word, l.b().constant(mask)));
}

/// Yields the pointer at `offset` in the object, or 0 if it cannot be read.
Value pointer_in(ClauseLowering& l, Value object, int64_t offset)
{
    auto& b = l.b();
    const Value word = l.stack_temporary(8);
    b.call_helper(kProbeReadKernel, {word, b.constant(8), b.binary(Op::Add, object, b.constant(offset))});
    return b.load(8, word);
}

/// Yields the path of a dentry in a mount. Sizes and packed offsets are those of bpf-runtime/d_path.bpf.c.
Operand path_of(ClauseLowering& l, const TExpr& e, Value dentry, Value mount)
{
    auto& b = l.b();
    constexpr uint32_t kPathRoom = 4096, kNameRoom = 256;
    const int64_t of_dentry = offset_of(l, e, "dentry", "d_parent") |
                              (offset_of(l, e, "dentry", "d_name") + offset_of(l, e, "qstr", "name")) << 16;
    const int64_t of_mount = offset_of(l, e, "mount", "mnt") | offset_of(l, e, "mount", "mnt_parent") << 16 |
                             offset_of(l, e, "mount", "mnt_mountpoint") << 32 |
                             offset_of(l, e, "vfsmount", "mnt_root") << 48;
    constexpr uint32_t kRoom = kPathRoom + 2 * kNameRoom;
    const Value room = l.scratch_temporary(kRoom);
    return tail(l.module().functions.call_long(
                    b, l.slot(), "dt_d_path",
                    {{room, kRoom}, {dentry}, {mount}, {b.constant(of_dentry)}, {b.constant(of_mount)}}, true),
                l.values.text_size(e.type), false);
}

} // namespace

Operand lower_mutex_owner(ClauseLowering& l, const TExpr& e)
{
    return number(owner(l, e));
}

Operand lower_mutex_owned(ClauseLowering& l, const TExpr& e)
{
    const Value task = owner(l, e);
    return number(l.b().binary(Op::Eq, task, l.b().call_helper(kGetCurrentTask, {})));
}

/// Lowers the type tests of mutexes: every Linux mutex is adaptive and none is a spin lock. The argument is still
/// evaluated.
Operand lower_mutex_type_adaptive(ClauseLowering& l, const TExpr& e)
{
    l.expressions.value(*e.kids[0]);
    return number(l.b().constant(1));
}

Operand lower_mutex_type_spin(ClauseLowering& l, const TExpr& e)
{
    l.expressions.value(*e.kids[0]);
    return number(l.b().constant(0));
}

Operand lower_rw_iswriter(ClauseLowering& l, const TExpr& e)
{
    return lock_word(l, e, kWriterLockedOrWaiting);
}
Operand lower_rw_read_held(ClauseLowering& l, const TExpr& e)
{
    return lock_word(l, e, 0xffffffff & ~kWriterLockedOrWaiting);
}
Operand lower_rw_write_held(ClauseLowering& l, const TExpr& e)
{
    return lock_word(l, e, kWriterLocked);
}

Operand lower_progenyof(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value wanted = l.expressions.value(*e.kids[0]);
    const Value parent = b.constant(offset_of(l, e, "task_struct", "real_parent")),
                tgid = b.constant(offset_of(l, e, "task_struct", "tgid"));
    return number(b.call_runtime("dt_progenyof", {wanted, b.call_helper(kGetCurrentTask, {}), parent, tgid}));
}

/// Lowers pr_psargs of psinfo_t, the command line. It is in the process's own memory, so it can be read only for the
/// current process.
Operand lower_psargs(ClauseLowering& l, const TExpr& e)
{
    constexpr uint32_t kSize = 80; // char pr_psargs[80]; as bpf-runtime/psargs.bpf.c has it
    auto& b = l.b();
    const Value task = l.expressions.value(*e.kids[0]);
    const auto offset = [&](std::string_view record, std::string_view member) {
        return needed_offset(l, e.at, "pr_psargs", record, member);
    };
    const int64_t offsets = offset("task_struct", "mm") | offset("task_struct", "comm") << 16 |
                            offset("mm_struct", "arg_start") << 32 | offset("mm_struct", "arg_end") << 48;
    const Value room = l.scratch_temporary(kSize);
    l.module().functions.call_long(b, l.slot(), "dt_psargs",
                                   {{room, kSize}, {task}, {b.call_helper(kGetCurrentTask, {})}, {b.constant(offsets)}},
                                   false);
    return {Operand::Kind::Text, room, Mem::MapValue, kSize, false, false, {}};
}

Operand lower_d_path(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value path = l.expressions.value(*e.kids[0]);
    l.fault_if(Op::Eq, path, b.constant(0), kFaultBadAddress, path);
    const Value mount = pointer_in(l, path, offset_of(l, e, "path", "mnt"));
    return path_of(l, e, pointer_in(l, path, offset_of(l, e, "path", "dentry")), mount);
}

/// Lowers fi_mount of fileinfo_t: the mount point, which is the path of the mount's root.
Operand lower_mount_path(ClauseLowering& l, const TExpr& e)
{
    const Value mount = l.expressions.value(*e.kids[0]);
    return path_of(l, e, pointer_in(l, mount, offset_of(l, e, "vfsmount", "mnt_root")), mount);
}

/// Lowers fi_pathname of a dentry without an open file. The result is "<unknown>" if it is not in that mount.
Operand lower_path_in_mount(ClauseLowering& l, const TExpr& e)
{
    const Value dentry = l.expressions.value(*e.kids[0]);
    return path_of(l, e, dentry, l.expressions.value(*e.kids[1]));
}

/// Converts the kernel's clock ticks to milliseconds, for the D libraries.
Operand lower_jiffies_ms(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value ns = b.binary(Op::Mul, l.expressions.value(*e.kids[0]), b.constant(l.module().world.target().tick_ns));
    return number(b.binary(Op::UDiv, ns, b.constant(1'000'000)));
}

} // namespace dt::lower
