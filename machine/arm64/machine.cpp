#include <elf.h>

#include <array>
#include <iterator>

#include "machine/arm64/arm64.hpp"

namespace dt::machine::arm64 {
namespace {

template <std::size_t kCount> constexpr std::array<Word, kCount> first_words()
{
    std::array<Word, kCount> words{};
    for (std::size_t i = 0; i < kCount; ++i)
        words[i] = static_cast<Word>(i);
    return words;
}

// Registers of arguments in C (Procedure Call Standard for the Arm 64-bit Architecture, 6.4) and in Go (Go's
// ABIInternal).
constexpr auto kArguments = first_words<8>();
constexpr auto kGoArguments = first_words<16>();

// Arguments of system calls (syscall(2), "Architecture calling conventions"). The result of a system call overwrites
// the first argument, so the kernel also stores that argument in orig_x0. For 32-bit programs:
// arch/arm64/include/asm/syscall.h.
constexpr Word kSyscallArguments[] = {OrigX0, 1, 2, 3, 4, 5};

// DWARF's numbers of registers (DWARF for the Arm 64-bit Architecture, 4.1): x0 to x30 and the stack pointer.
constexpr auto kDwarfWords = first_words<32>();

constexpr QuestionFunction::Reference kQuestionReferences[] = {{4, R_AARCH64_ADR_PREL_PG_HI21, 0},
                                                               {8, R_AARCH64_LDST16_ABS_LO12_NC, 0}};

constexpr RegisterName kNames[] = {
    {"R_X0", 0},
    {"R_X1", 1},
    {"R_X2", 2},
    {"R_X3", 3},
    {"R_X4", 4},
    {"R_X5", 5},
    {"R_X6", 6},
    {"R_X7", 7},
    {"R_X8", 8},
    {"R_X9", 9},
    {"R_X10", 10},
    {"R_X11", 11},
    {"R_X12", 12},
    {"R_X13", 13},
    {"R_X14", 14},
    {"R_X15", 15},
    {"R_X16", 16},
    {"R_X17", 17},
    {"R_X18", 18},
    {"R_X19", 19},
    {"R_X20", 20},
    {"R_X21", 21},
    {"R_X22", 22},
    {"R_X23", 23},
    {"R_X24", 24},
    {"R_X25", 25},
    {"R_X26", 26},
    {"R_X27", 27},
    {"R_X28", 28},
    {"R_X29", 29},
    {"R_X30", 30},
    {"R_SP", Sp},
    {"R_PC", Pc},
    {"R_PSTATE", 33},
    {"R_FP", X29},
    {"R_LR", X30},
    {"R_PS", 33},
    {"R_R0", 0},
    {"R_R1", 1},
    {"R_ORIG_X0", 34},
    {"R_ERR", SyscallNumber},
    {"R_TP", 36},
};
constexpr RegisterNames::Member kOfThread[] = {{"thread.uw.tp_value", 8}};

// Flags of open(2) from arch/arm64/include/uapi/asm/fcntl.h.
constexpr NamedFlag kFlags[] = {
    {"O_DIRECTORY", 040000},  {"O_NOFOLLOW", 0100000},  {"O_DIRECT", 0200000},
    {"O_LARGEFILE", 0400000}, {"O_TMPFILE", 020040000},
};

} // namespace

constinit const Machine kMachine = {
    .name = "aarch64",
    .folder = "arm64",
    .words = "64-bit Arm",
    .elf = EM_AARCH64,
    .narrow_elf = EM_ARM,
    .unwind = {.frame_pointer = 29, .stack_pointer = 31, .return_address = 30, .word = 8, .is_linked = true},
    .narrow_unwind = {.frame_pointer = 11, .stack_pointer = 13, .return_address = 14, .word = 4},
    .walker = "dt_unwind_linked",
    .thread_pointer = "uw",
    .macro = "__aarch64__",
    .narrow_macro = "__arm__",
    .saved = {.bytes = kPtRegsBytes,
              .pc = Pc,
              .stack_pointer = Sp,
              .frame_pointer = X29,
              .mode = Pstate,
              .mode_bits = 0xf, // PSR_MODE_MASK: the exception level, which is 0 while a program runs
              .bits_mean_user = false},
    .calls = {.arguments = kArguments,
              .go_arguments = kGoArguments,
              .float_arguments = 8,
              .go_float_arguments = 16,
              .result = X0,
              .first_stack_argument = 0,
              .return_pops = 0,
              .return_address = X30},
    .syscalls = {.arguments = kSyscallArguments,
                 .narrow_arguments = kSyscallArguments,
                 // Register x8 is not used for the system call's number: in 32-bit programs x7 contains it, and after
                 // execve(2) neither register does.
                 .number = SyscallNumber,
                 .number_bytes = 4,
                 .has_narrow_switch = false,
                 .return_address = std::nullopt,
                 // The flag of 32-bit programs (arch/arm64/include/asm/thread_info.h): the word with the flags is the
                 // first member of struct thread_info; the bit is TIF_32BIT.
                 .status_offset = 0,
                 .narrow_status_bit = 22,
                 .function_prefix = "__arm64_sys_", // from arch/arm64/include/asm/syscall_wrapper.h
                 .narrow_function_prefix = "__arm64_compat_sys_",
                 .table = syscalls,
                 .narrow_table = compat_syscalls,
                 .other_names = other_names,
                 .stand_ins = stand_ins},
    .dwarf = {.words = kDwarfWords, .float_prefix = "v", .first_float = 64},
    .registers = {.names = kNames, .count = kPtRegsBytes / 8 + std::size(kOfThread), .of_thread = kOfThread},
    .flags = kFlags,
    .relocations = {.none = R_AARCH64_NONE,
                    .word = R_AARCH64_ABS64,
                    .relative = R_AARCH64_RELATIVE,
                    .indirect = R_AARCH64_IRELATIVE,
                    .distance = R_AARCH64_PREL32,
                    .is_call = is_call_relocation},
    .thread_locals = {.pointer = "thread.uw.tp_value",
                      .table = 0,
                      .is_below = false,
                      .offset = R_AARCH64_TLS_TPREL,
                      .descriptor = R_AARCH64_TLSDESC,
                      .module = R_AARCH64_TLS_DTPMOD},
    .breakpoint = {.instruction = 0xd4200000,
                   .mask = 0xffffffff,
                   .past = 0,
                   .narrow_pc = std::nullopt,
                   .data_traps_follow = false}, // brk 0
    .has_narrow_probes = false, // arch_uprobe_analyze_insn() of arch/arm64 refuses probes in 32-bit programs
    .keeps_store_order = false,
    .tag_bits = 8,
    .code_address_bits = 48,
    .read_code = read_code,
    .disassemble = disassemble,
    .choices_in = choices_in,
    .may_call_itself = may_call_itself,
    .may_make = may_make,
    .read_operand = read_operand,
    .site_before_target = 0,
    .replace_call = replace_call,
    .idle_function = kIdleFunction,
    .question_function = {.code = kQuestionFunction, .references = kQuestionReferences},
    .is_replaced_call = is_replaced_call,
};

} // namespace dt::machine::arm64
