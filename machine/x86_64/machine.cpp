#include <elf.h>

#include <iterator>

#include "machine/x86_64/registers.hpp"
#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {

namespace {

// clang-format off
constexpr SyscallEntry kTable[] = {
#define DT_SYSCALL(number, name, ...) {number, #name, true, {__VA_ARGS__}},
#define DT_SYSCALL_LATER(number, name, ...) {number, #name, false, {__VA_ARGS__}},
#include "machine/x86_64/syscalls.def"
#undef DT_SYSCALL
#undef DT_SYSCALL_LATER
};
// clang-format on

// clang-format off
constexpr NarrowSyscall kNarrowTable[] = {
#define DT_SYSCALL_32(number, name) {number, #name},
#include "machine/x86_64/compat_syscalls.def"
#undef DT_SYSCALL_32
};
// clang-format on

} // namespace

std::span<const SyscallEntry> syscalls()
{
    return kTable;
}

std::span<const NarrowSyscall> compat_syscalls()
{
    return kNarrowTable;
}

// Page tables are described in Intel SDM 3A, Paging, and in arch/x86/include/asm: pgtable_types.h, page_64_types.h
// (__PAGE_OFFSET_BASE_L4 and _L5), mmu.h. inc_mm_tlb_gen() in arch/x86/mm/tlb.c precedes each flush, and no page is
// reused before a flush.

namespace {

constexpr uint32_t kShifts[] = {48, 39, 30, 21, 12};

} // namespace

const Paging kPaging{.shifts = kShifts,
                     .table = "pgd",
                     .taken = "context.tlb_gen.counter",
                     .address = 0x000f'ffff'ffff'f000,
                     .needed = 1 | 4, // the kernel's bits _PAGE_PRESENT and _PAGE_USER
                     .large = 1 << 7, // the kernel's _PAGE_PSE
                     .odd = 1 << 9,   // the kernel's bit _PAGE_SPECIAL
                     // only kernels with five tables have their mapping of all memory below this address
                     .deep_below = 0xffff'8000'0000'0000};

namespace {

// Registers of arguments in C (System V ABI for AMD64, 3.2.3) and in Go (ABIInternal,
// go/src/cmd/compile/abi-internal.md).
constexpr Word kArguments[] = {Di, Si, Dx, Cx, R8, R9};
constexpr Word kGoArguments[] = {Ax, Bx, Cx, Di, Si, R8, R9, R10, R11};

// Arguments of system calls (syscall(2), "Architecture calling conventions"): the fourth argument is r10, not rcx. For
// 32-bit programs: arch/x86/entry/entry_64_compat.S.
constexpr Word kSyscallArguments[] = {Di, Si, Dx, R10, R8, R9};
constexpr Word kNarrowSyscallArguments[] = {Bx, Cx, Dx, Si, Di, Bp};

// DWARF's numbers of registers (System V ABI for AMD64, figure 3.36).
constexpr Word kDwarfWords[] = {Ax, Dx, Cx, Bx, Si, Di, Bp, Sp, R8, R9, R10, R11, R12, R13, R14, R15};

constexpr QuestionFunction::Reference kQuestionReferences[] = {{4, R_X86_64_PC32, -5}};

constexpr RegisterName kNames[] = {
    {"R_R15", 0},  {"R_R14", 1},  {"R_R13", 2},  {"R_R12", 3},  {"R_RBP", 4},     {"R_RBX", 5},  {"R_R11", 6},
    {"R_R10", 7},  {"R_R9", 8},   {"R_R8", 9},   {"R_RAX", 10}, {"R_RCX", 11},    {"R_RDX", 12}, {"R_RSI", 13},
    {"R_RDI", 14}, {"R_ERR", 15}, {"R_RIP", 16}, {"R_CS", 17},  {"R_RFL", 18},    {"R_RSP", 19}, {"R_SS", 20},
    {"R_DS", 21},  {"R_ES", 22},  {"R_FS", 23},  {"R_GS", 24},  {"R_TRAPNO", 25}, {"R_EBX", 5},  {"R_ECX", 11},
    {"R_EDX", 12}, {"R_ESI", 13}, {"R_EDI", 14}, {"R_EBP", 4},  {"R_EAX", 10},    {"R_EIP", 16}, {"R_EFL", 18},
    {"R_ESP", 19}, {"R_PC", 16},  {"R_FP", 4},   {"R_SP", 19},  {"R_PS", 18},     {"R_R0", 10},  {"R_R1", 5},
};
constexpr RegisterNames::Member kOfThread[] = {
    {"thread.ds", 2}, {"thread.es", 2}, {"thread.fsbase", 8}, {"thread.gsbase", 8}, {"thread.trap_nr", 8}};

// Flags of open(2) from include/uapi/asm-generic/fcntl.h.
constexpr NamedFlag kFlags[] = {
    {"O_DIRECT", 040000},    {"O_LARGEFILE", 0100000}, {"O_DIRECTORY", 0200000},
    {"O_NOFOLLOW", 0400000}, {"O_TMPFILE", 020200000},
};

std::span<const SyscallName> no_names()
{
    return {};
}

} // namespace

constinit const Machine kMachine = {
    .name = "x86_64",
    .folder = "x86_64",
    .words = "64-bit x86",
    .elf = EM_X86_64,
    .narrow_elf = EM_386,
    .unwind = {.frame_pointer = 6, .stack_pointer = 7, .return_address = 16, .word = 8},
    .narrow_unwind = {.frame_pointer = 5,
                      .stack_pointer = 4,
                      .return_address = 8,
                      .word = 4}, // DWARF's numbers in 32-bit programs (System V ABI, Intel386 supplement, table 2.14)
    .walker = "dt_unwind",
    .thread_pointer = "fsbase",
    .macro = "__amd64",
    .narrow_macro = "__i386",
    .saved = {.bytes = kPtRegsBytes,
              .pc = Ip,
              .stack_pointer = Sp,
              .frame_pointer = Bp,
              .mode = Cs,
              .mode_bits = 3,
              .bits_mean_user = true},
    .calls = {.arguments = kArguments,
              .go_arguments = kGoArguments,
              .float_arguments = 8,
              .go_float_arguments = 15,
              .result = Ax,
              .first_stack_argument = 1,
              .return_pops = 8,
              .return_address = std::nullopt},
    .syscalls = {.arguments = kSyscallArguments,
                 .narrow_arguments = kNarrowSyscallArguments,
                 .number = OrigAx,
                 .number_bytes = 8,
                 .has_narrow_switch = true,
                 // SYSCALL stores the address of the next instruction in rcx (Intel SDM), and the kernel returns to
                 // that address. In calls of the 32-bit table rcx contains an argument.
                 .return_address = Cx,
                 // arch/x86/include/asm/thread_info.h: flags, syscall_work and status in all kernels since 5.11.
                 // TS_COMPAT is set in status during each system call of the 32-bit table. The offset of status is
                 // fixed here, because looking it up would require the kernel's types for every script that traces
                 // system calls.
                 .status_offset = 16,
                 .narrow_status_bit = 1,
                 .function_prefix = "__x64_sys_", // from arch/x86/include/asm/syscall_wrapper.h
                 .narrow_function_prefix = "__ia32_compat_sys_",
                 .table = syscalls,
                 .narrow_table = compat_syscalls,
                 .other_names = no_names,
                 .stand_ins = no_names},
    .dwarf = {.words = kDwarfWords, .float_prefix = "xmm", .first_float = 17},
    .registers = {.names = kNames, .count = kPtRegsBytes / 8 + std::size(kOfThread), .of_thread = kOfThread},
    .flags = kFlags,
    .relocations = {.none = R_X86_64_NONE,
                    .word = R_X86_64_64,
                    .relative = R_X86_64_RELATIVE,
                    .indirect = R_X86_64_IRELATIVE,
                    .distance = R_X86_64_PC32,
                    .is_call = is_call_relocation},
    .thread_locals = {.pointer = "thread.fsbase",
                      .table = 8,
                      .is_below = true,
                      .offset = R_X86_64_TPOFF64,
                      .descriptor = R_X86_64_TLSDESC,
                      .module = R_X86_64_DTPMOD64},
    // narrow_pc is the index of eip in struct user_regs_struct32
    .breakpoint = {.instruction = 0xcc, .mask = 0xff, .past = 1, .narrow_pc = 12, .data_traps_follow = true},
    .has_narrow_probes = true,
    .keeps_store_order = true, // Intel's manual, volume 3, 8.2.2; AMD's, volume 2, 7.2
    .tag_bits = 0,
    .code_address_bits = 64,
    .read_code = read_code,
    .disassemble = disassemble,
    .choices_in = choices_in,
    .may_call_itself = may_call_itself,
    .may_make = may_make,
    .read_operand = read_operand,
    .site_before_target = kSiteBeforeTarget,
    .replace_call = replace_call,
    .idle_function = kIdleFunction,
    .question_function = {.code = kQuestionFunction, .references = kQuestionReferences},
    .is_replaced_call = is_replaced_call,
};

} // namespace dt::machine::x86_64
