
#include "machine/arm64/arm64.hpp"

namespace dt::machine::arm64 {
namespace {

// clang-format off
constexpr SyscallEntry kTable[] = {
#define DT_SYSCALL(number, name, ...) {number, #name, true, {__VA_ARGS__}},
#define DT_SYSCALL_LATER(number, name, ...) {number, #name, false, {__VA_ARGS__}},
#include "machine/arm64/syscalls.def"
#undef DT_SYSCALL
#undef DT_SYSCALL_LATER
};
// clang-format on

// clang-format off
constexpr NarrowSyscall kNarrowTable[] = {
#define DT_SYSCALL_32(number, name) {number, #name},
#include "machine/arm64/compat_syscalls.def"
#undef DT_SYSCALL_32
};
// clang-format on

constexpr SyscallName kKernelNames[] = {
    {"fadvise64", "fadvise64_64"}, {"personality", "arm64_personality"}, // names from arch/arm64/kernel/sys.c
};

// System calls by which the C library replaces calls that only older machines have (glibc, sysdeps/unix/sysv/linux).
constexpr SyscallName kInPlace[] = {
    {"access", "faccessat"},
    {"alarm", "setitimer"},
    {"chmod", "fchmodat"},
    {"chown", "fchownat"},
    {"creat", "openat"},
    {"dup2", "dup3"},
    {"epoll_create", "epoll_create1"},
    {"epoll_wait", "epoll_pwait"},
    {"eventfd", "eventfd2"},
    {"fork", "clone"},
    {"futimesat", "utimensat"},
    {"getdents", "getdents64"},
    {"getpgrp", "getpgid"},
    {"inotify_init", "inotify_init1"},
    {"lchown", "fchownat"},
    {"link", "linkat"},
    {"mkdir", "mkdirat"},
    {"mknod", "mknodat"},
    {"newlstat", "newfstatat"},
    {"newstat", "newfstatat"},
    {"open", "openat"},
    {"pause", "ppoll"},
    {"pipe", "pipe2"},
    {"poll", "ppoll"},
    {"readlink", "readlinkat"},
    {"rename", "renameat"},
    {"rmdir", "unlinkat"},
    {"select", "pselect6"},
    {"signalfd", "signalfd4"},
    {"symlink", "symlinkat"},
    {"time", "clock_gettime"},
    {"unlink", "unlinkat"},
    {"ustat", "statfs"},
    {"utime", "utimensat"},
    {"utimes", "utimensat"},
    {"vfork", "clone"},
};

} // namespace

std::span<const SyscallEntry> syscalls()
{
    return kTable;
}

std::span<const NarrowSyscall> compat_syscalls()
{
    return kNarrowTable;
}

std::span<const SyscallName> other_names()
{
    return kKernelNames;
}

std::span<const SyscallName> stand_ins()
{
    return kInPlace;
}

} // namespace dt::machine::arm64
