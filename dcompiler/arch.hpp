// The one place that knows the machine traced: which word of struct pt_regs holds what.
//
// Source: arch/x86/include/asm/ptrace.h (struct pt_regs) and the x86-64 system-call convention (syscall(2), "Architecture calling
// conventions"): the fourth argument is r10, not rcx.
#pragma once

#include <array>
#include <cstdint>

namespace dt::arch {

#if defined(__x86_64__)

enum PtRegsWord : uint32_t { R15, R14, R13, R12, Bp, Bx, R11, R10, R9, R8, Ax, Cx, Dx, Si, Di, OrigAx, Ip, Cs, Flags, Sp, Ss };
inline constexpr uint32_t kPtRegsSize = 21 * 8;
inline constexpr uint32_t kUserModeBits = 3; ///< of Cs: not 0 in user mode
inline constexpr uint32_t kFramePointer = Bp, kStackPointer = Sp, kPc = Ip, kMode = Cs;

// Calls inside the kernel (System V ABI): six arguments in registers, the others on the stack behind the return address.
inline constexpr std::array<uint32_t, 6> kCallArguments = {Di, Si, Dx, Cx, R8, R9};
inline constexpr uint32_t kCallResult = Ax;
inline constexpr std::array<uint32_t, 9> kGoCallArguments = {Ax, Bx, Cx, Di, Si, R8, R9, R10, R11}; // Go's ABIInternal, go/src/cmd/compile/abi-internal.md
inline constexpr std::array<uint32_t, 16> kDwarfRegisters = {Ax, Dx, Cx,  Bx,  Si,  Di,  Bp,  Sp,
                                                             R8, R9, R10, R11, R12, R13, R14, R15}; ///< by their number in DWARF
// Floating-point numbers have registers of their own, which struct pt_regs does not have: only their names are known here.
inline constexpr const char* kFloatRegister = "xmm";
inline constexpr uint32_t kDwarfFloatRegisters = 17; ///< the number of the first in DWARF
inline constexpr int64_t kReturnPops = 8;            ///< bytes by which a return moves the stack pointer
inline constexpr uint32_t kFirstStackArgument = 1;   ///< words above the stack pointer, at a function's entry

inline constexpr std::array<uint32_t, 6> kSyscallArguments = {Di, Si, Dx, R10, R8, R9};
inline constexpr std::array<uint32_t, 6> kNarrowSyscallArguments = {Bx, Cx, Dx, Si, Di, Bp}; ///< of 32-bit programs (entry_64_compat.S)
inline constexpr uint32_t kSyscallNumber = OrigAx;
// The instruction SYSCALL puts the address behind it into rcx (Intel SDM), which is where the kernel returns to. Calls by way of the 32-bit table have an
// argument of theirs in it.
inline constexpr uint32_t kSyscallReturn = Cx;

// arch/x86/include/asm/thread_info.h: struct thread_info, which a task begins with, is flags, syscall_work and status in all kernels since
// 5.11; TS_COMPAT is set in status while a system call is one of the 32-bit table, whoever makes it. (Looking the place up would cost every
// script of system calls the reading of the kernel's types.)
inline constexpr uint32_t kStatusOffset = 16, kCompatStatusBit = 1, kCompatStatus = 1 << kCompatStatusBit;

// Numbers of system calls that stable probes stand on (arch/x86/entry/syscalls/syscall_64.tbl).
inline constexpr int64_t kExecve = 59, kExecveat = 322, kSigtimedwait = 128, kClone = 56, kFork = 57, kVfork = 58, kClone3 = 435;
inline constexpr int64_t kSchedYield = 24;
inline constexpr int64_t kRead = 0, kReadv = 19, kPread64 = 17, kPreadv = 295, kPreadv2 = 327;
inline constexpr int64_t kWrite = 1, kWritev = 20, kPwrite64 = 18, kPwritev = 296, kPwritev2 = 328;
inline constexpr int64_t kMsgsnd = 69, kMsgrcv = 70, kSemop = 65, kSemtimedop = 220;

// What SYSCALL_DEFINE (arch/x86/include/asm/syscall_wrapper.h) names the function of a call.
inline constexpr const char* kSyscallFunction = "__x64_sys_";

#else
#error "no register table for this machine yet: add one here"
#endif

/// Tables indexed by system-call number have this many entries; larger numbers (x32's bit 30, -1 of rt_sigreturn) are nobody's. Those that only 32-bit
/// programs have come behind, by their numbers there; from kSameSyscalls on both have the same (scripts/syscall.tbl).
inline constexpr uint32_t kSyscallBound = 512, kSameSyscalls = 424;

} // namespace dt::arch
