// Lowers subroutines on numbers, kernel objects and network addresses. Most need a few instructions or one helper call.
// Subroutines that walk strings call functions of bpf-runtime.
#include <algorithm>

#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/lower/builtins/string_subroutines.hpp"
#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/clause/user_address.hpp"
#include "dcompiler/lower/core/hooks.hpp"

namespace dt::lower {

Operand lower_copyinstr(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value address = l.expressions.value(*e.kids[0]);
    // A string of strsize bytes has at most strsize - 1 characters, and a NUL.
    uint32_t size = std::min<uint32_t>(l.values.text_size(e.type), static_cast<uint32_t>(l.module().options.strsize));
    Mem mem;
    if (e.kids.size() > 1 && e.kids[1]->op == TOp::Integer)
        size = static_cast<uint32_t>(std::clamp<int64_t>(e.kids[1]->value, 0, size));
    const TExpr* const fallback = e.kids.size() > 2 ? e.kids[2] : nullptr;
    const uint32_t most =
        std::min<uint32_t>(l.values.text_size(e.type), static_cast<uint32_t>(l.module().options.strsize));
    const uint32_t room = fallback ? most : std::max<uint32_t>(size, 1);
    uint32_t granted = room;
    const Value buffer = l.strings.text_buffer(granted, mem);
    Value length = b.constant(std::min(granted, size));
    if (e.kids.size() > 1 && e.kids[1]->op != TOp::Integer)
        length = l.values.at_most(l.expressions.value(*e.kids[1]), granted);
    if (e.kids.size() > 1 && (size == 0 || e.kids[1]->op != TOp::Integer))
        b.store(1, buffer, 0, b.constant(0)); // for size 0, the helper writes nothing, not even a NUL
    if (size == 0)
        return {Operand::Kind::Text, buffer, mem, room, false, false, {}};
    // For an empty string, bpf_probe_read_kernel_str() returns 0 instead of 1 on kernels before 6.15.
    const Value result = b.call_helper(kProbeReadUserStr, {buffer, length, for_helper(l, Mem::User, address)});
    if (fallback)
        b.if_then(Op::SLt, result, b.constant(0), [&] {
            b.is_cold();
            l.arm([&] { l.strings.text_into(l.expressions.text(*fallback), buffer, 0, granted, false); });
        });
    else
        l.fault_if(Op::SLt, result, b.constant(0), kFaultBadAddress, address);
    return {Operand::Kind::Text, buffer, mem, room, false, false, {}};
}

Operand lower_strlen(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Operand text = l.expressions.text(*e.kids[0]);
    if (text.constant)
        return number(
            b.constant(static_cast<int64_t>(std::min<uint64_t>(text.text.size(), l.module().options.strsize))));
    if (text.may_be_null)
        l.fault_if(Op::Eq, text.value, b.constant(0), kFaultBadAddress, b.constant(0));
    // The helper that copies the string returns the number of bytes including the NUL, or a negative errno if the
    // address is unreadable. In the second case the length is 0.
    Mem mem;
    const uint32_t size = static_cast<uint32_t>(l.module().options.strsize) + 1;
    const Value buffer = l.temporary(align_up(size, 8), mem);
    const Value copied = b.call_helper(text.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr,
                                       {buffer, b.constant(size), for_helper(l, text.mem, text.value)});
    const auto without_nul = [&] { return b.binary(Op::Sub, copied, b.constant(1)); };
    return number(b.select(Op::SLt, b.constant(0), copied, without_nul, [&] { return b.constant(0); }));
}

Operand lower_rand(ClauseLowering& l, const TExpr&)
{
    return number(l.b().unary(Op::SExt, l.b().call_helper(kGetPrandomU32, {}), 4));
}

namespace {

template <int Width> Operand swap(ClauseLowering& l, const TExpr& e)
{
    return number(l.b().unary(Op::BSwap, l.expressions.value(*e.kids[0]), Width));
}

} // namespace

Operand lower_swap16(ClauseLowering& l, const TExpr& e)
{
    return swap<2>(l, e);
}
Operand lower_swap32(ClauseLowering& l, const TExpr& e)
{
    return swap<4>(l, e);
}
Operand lower_swap64(ClauseLowering& l, const TExpr& e)
{
    return swap<8>(l, e);
}

Operand lower_getmajor(ClauseLowering& l, const TExpr& e)
{
    const Value device = l.b().unary(Op::ZExt, l.expressions.value(*e.kids[0]), 4);
    return number(l.b().binary(Op::LShr, device, l.b().constant(20)));
}

Operand lower_getminor(ClauseLowering& l, const TExpr& e)
{
    return number(l.b().binary(Op::And, l.expressions.value(*e.kids[0]), l.b().constant(0xfffff)));
}

/// Lowers strftime(): the value is the time in ns, rounded down to a second unless the format has %f. Rounding reduces
/// the number of keys if the result is a key of an aggregation.
Operand lower_strftime(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    constexpr int64_t kNsOfSecond = 1'000'000'000;
    const Value ns = l.expressions.value(*e.kids[0]), zero = b.constant(0);
    if (e.text.find("%f") != std::string::npos)
        return number(ns);
    const Value part = b.binary(Op::UMod, ns, b.constant(kNsOfSecond));
    return number(b.select(Op::SLt, ns, zero, ns, b.binary(Op::Sub, ns, part)));
}

/// Lowers subroutines whose only argument is a number that the consumer converts to text. The program records only the
/// number.
Operand lower_recorded_number(ClauseLowering& l, const TExpr& e)
{
    return number(l.expressions.value(*e.kids[0]));
}

// Lowers subroutines that read kernel objects at offsets from the kernel's types: locks, the task tree, paths.

namespace {

// Flags in the low bits of struct mutex.owner (kernel/locking/mutex.h), and masks of the bits of struct qrwlock.cnts
// (asm-generic/qrwlock.h).
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
    // qrwlock, the lock word, is the first member of rwlock_t
    const Value word = read_member(l, lock, offset_of(l, e, "qrwlock", "cnts"), 4);
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

/// Yields the path of a dentry in a mount. Buffer sizes, and the packing of member offsets into one argument, are those
/// of bpf-runtime/strings/d_path.bpf.c.
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

/// Lowers the subroutines that test the type of a mutex. Their results are constant, because every Linux mutex is
/// adaptive and none is a spin lock. The argument is still evaluated.
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

/// Lowers percpu() to the address of a CPU's copy of a per-CPU variable: the variable's address (e.value) plus the
/// CPU's offset. Emits a fault if the CPU number is too large, because the kernel's table also has offsets for CPUs
/// that do not exist.
Operand lower_percpu(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value cpu = l.expressions.value(*e.kids[0]);
    l.fault_if(Op::ULe, b.constant(l.module().world.target().cpus), cpu, kFaultBadIndex, cpu);
    const std::optional<KernelSymbol> offsets = l.module().world.symbol("vmlinux", "__per_cpu_offset");
    const Value table = b.constant(offsets ? static_cast<int64_t>(offsets->address) : 0);
    const Value place = b.binary(Op::Add, table, b.binary(Op::Mul, cpu, b.constant(8)));
    return number(b.binary(Op::Add, read_member(l, place, 0, 8), b.constant(e.value)));
}

Operand lower_progenyof(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value wanted = l.expressions.value(*e.kids[0]);
    const Value parent = b.constant(offset_of(l, e, "task_struct", "real_parent")),
                tgid = b.constant(offset_of(l, e, "task_struct", "tgid"));
    return number(b.call_runtime("dt_progenyof", {wanted, b.call_helper(kGetCurrentTask, {}), parent, tgid}));
}

/// Lowers pr_psargs of psinfo_t, the command line. The process itself stores its command line in its memory, and
/// programs can read only the memory of the current process.
Operand lower_psargs(ClauseLowering& l, const TExpr& e)
{
    constexpr uint32_t kSize = 80; // size of psinfo_t's pr_psargs, as in bpf-runtime/strings/psargs.bpf.c
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

namespace {

constexpr uint32_t kVariableRoom = 64; // size of a name with "=", as in bpf-runtime/strings/getenv.bpf.c
constexpr uint32_t kWantedSize = 2 * kVariableRoom + 8; // size of struct wanted in bpf-runtime/strings/getenv.bpf.c
constexpr uint32_t kPartOfString = 128;                 // bytes that bpf-runtime/strings/getenv.bpf.c reads at once

/// Returns the description of the variable `name` that getenv() searches for: struct wanted of
/// bpf-runtime/strings/getenv.bpf.c.
ir::Data wanted_variable(const std::string& symbol, const std::string& name)
{
    const std::string text = name + '=';
    ir::Data data{symbol, ".rodata", kWantedSize, 8, {}};
    data.bytes.resize(data.size);
    std::copy(text.begin(), text.end(), data.bytes.begin());
    std::fill_n(data.bytes.begin() + kVariableRoom, text.size(), uint8_t{0xff});
    data.bytes[2 * kVariableRoom] = static_cast<uint8_t>(text.size());
    return data;
}

} // namespace

/// Lowers getenv(): searches the environment in the memory of the current process.
Operand lower_getenv(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const int64_t offsets = offset_of(l, e, "task_struct", "mm") | offset_of(l, e, "mm_struct", "env_start") << 16 |
                            offset_of(l, e, "mm_struct", "env_end") << 32;
    const std::string& name = e.kids[0]->text;
    std::string symbol = "environment_name";
    for (const char character : name)
        symbol += '_' + std::to_string(static_cast<unsigned char>(character));
    const uint32_t wanted = l.module().data.once(symbol, [&] { return wanted_variable(symbol, name); });
    const uint32_t size = static_cast<uint32_t>(l.module().options.strsize) + 1,
                   room = align_up(std::max(size, kPartOfString), 8);
    const Value text = l.scratch_temporary(room), searched = l.scratch_temporary(kWantedSize);
    l.values.copy(b.data_addr(wanted, kWantedSize), 0, searched, 0, kWantedSize);
    const Value found = l.module().functions.call_long(
        b, l.slot(), "dt_getenv", {{text, room}, {b.constant(size)}, {searched, kWantedSize}, {b.constant(offsets)}},
        true);
    return found_text(l, found, text, size);
}

Operand lower_d_path(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value path = l.expressions.value(*e.kids[0]);
    l.fault_if(Op::Eq, path, b.constant(0), kFaultBadAddress, path);
    const Value mount = pointer_in(l, path, offset_of(l, e, "path", "mnt"));
    return path_of(l, e, pointer_in(l, path, offset_of(l, e, "path", "dentry")), mount);
}

/// Lowers fi_mount of fileinfo_t. The mount point is the path of the mount's root directory.
Operand lower_mount_path(ClauseLowering& l, const TExpr& e)
{
    const Value mount = l.expressions.value(*e.kids[0]);
    return path_of(l, e, pointer_in(l, mount, offset_of(l, e, "vfsmount", "mnt_root")), mount);
}

/// Lowers fi_pathname of a dentry for which no open file is known. The result is "<unknown>" if the dentry is not in
/// the given mount.
Operand lower_path_in_mount(ClauseLowering& l, const TExpr& e)
{
    const Value dentry = l.expressions.value(*e.kids[0]);
    return path_of(l, e, dentry, l.expressions.value(*e.kids[1]));
}

/// Lowers a subroutine of the D libraries that converts the kernel's clock ticks to milliseconds.
Operand lower_jiffies_ms(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value ns = b.binary(Op::Mul, l.expressions.value(*e.kids[0]), b.constant(l.module().world.target().tick_ns));
    return number(b.binary(Op::UDiv, ns, b.constant(1'000'000)));
}

// Lowers subroutines that format network and link addresses: inet_ntoa, inet_ntoa6, inet_ntop, link_ntop.

namespace {

constexpr uint32_t kRoom = 64;                     // size of the result, as in bpf-runtime
constexpr int64_t kInet6 = 10;                     // the kernel's AF_INET6
constexpr int64_t kEthernet = 1, kInfiniband = 32; // hardware types ARPHRD_ETHER and ARPHRD_INFINIBAND
constexpr uint32_t kEthernetBytes = 6, kInfinibandBytes = 20;

/// Copies the bytes at an argument's address into memory of a map. Emits a fault for the case that they cannot be read.
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

/// Emits `yes` for the case that `value` equals `wanted`, and `no` for the other case. If `value` is constant, emits
/// only the code that applies.
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
