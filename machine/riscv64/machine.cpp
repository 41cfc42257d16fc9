#include <elf.h>

#include <iterator>

#include "machine/riscv64/riscv64.hpp"

namespace dt::machine::riscv64 {
namespace {

/// Words of struct pt_regs (arch/riscv/include/asm/ptrace.h): x1 to x31 are at their numbers. Word 0 is the program
/// counter, because x0 is always zero.
enum PtRegsWord : uint32_t { Epc = 0, Ra = 1, Sp = 2, Fp = 8, A0 = 10, A7 = 17, Status = 32, OrigA0 = 35 };
constexpr uint32_t kSavedBytes = (OrigA0 + 1) * 8;

// RISC-V calling conventions, and syscall(2), "Architecture calling conventions". The result overwrites the first
// argument, which the kernel also keeps elsewhere.
constexpr Word kIntegerArguments[] = {10, 11, 12, 13, 14, 15, 16, 17};
constexpr Word kGoRegisters[] = {10, 11, 12, 13, 14, 15, 16, 17, 8, 9, 18, 19, 20, 21, 22, 23};
constexpr Word kCallArguments[] = {OrigA0, 11, 12, 13, 14, 15};

constexpr Word kNumbered[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                              16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

constexpr RegisterName kRegisterNames[] = {
    {"R_PC", Epc}, {"R_RA", Ra}, {"R_SP", Sp}, {"R_GP", 3},      {"R_TP", 4},           {"R_FP", Fp},  {"R_A0", 10},
    {"R_A1", 11},  {"R_A2", 12}, {"R_A3", 13}, {"R_A4", 14},     {"R_A5", 15},          {"R_A6", 16},  {"R_A7", A7},
    {"R_S1", 9},   {"R_R0", A0}, {"R_R1", 11}, {"R_PS", Status}, {"R_ORIG_A0", OrigA0}, {"R_ERR", A7},
};

// include/uapi/asm-generic/fcntl.h
constexpr NamedFlag kGenericFlags[] = {
    {"O_DIRECT", 040000},    {"O_LARGEFILE", 0100000}, {"O_DIRECTORY", 0200000},
    {"O_NOFOLLOW", 0400000}, {"O_TMPFILE", 020200000},
};

// clang-format off
constexpr SyscallEntry kCalls[] = {
#define DT_SYSCALL(number, name, ...) {number, #name, true, {__VA_ARGS__}},
#define DT_SYSCALL_LATER(number, name, ...) {number, #name, false, {__VA_ARGS__}},
#include "machine/riscv64/syscalls.def"
#undef DT_SYSCALL
#undef DT_SYSCALL_LATER
};
// clang-format on
constexpr SyscallName kKernelNames[] = {{"fadvise64", "fadvise64_64"}};

std::vector<InstructionText> no_texts(std::span<const uint8_t> code, uint64_t)
{
    std::vector<InstructionText> instructions;
    if (!code.empty())
        instructions.push_back({0, "?", {}, false});
    return instructions;
}

} // namespace

constinit const Machine kMachine = {
    .name = "riscv64",
    .folder = "riscv64",
    .words = "64-bit RISC-V",
    .elf = EM_RISCV,
    .narrow_elf = 0,
    .unwind = {.frame_pointer = 8, .stack_pointer = 2, .return_address = 1, .word = 8, .is_linked = true},
    .narrow_unwind = {},
    .walker = "dt_unwind_linked",
    .macro = "__riscv",
    .narrow_macro = "__riscv",
    .saved = {.bytes = kSavedBytes,
              .pc = Epc,
              .stack_pointer = Sp,
              .frame_pointer = Fp,
              .mode = Status,
              .mode_bits = 0x100, // SR_SPP: set if the kernel was interrupted
              .bits_mean_user = false},
    .calls = {.arguments = kIntegerArguments,
              .go_arguments = kGoRegisters,
              .float_arguments = 8,
              .go_float_arguments = 16,
              .result = A0,
              .first_stack_argument = 0,
              .return_pops = 0,
              .return_address = Ra},
    .syscalls = {.arguments = kCallArguments,
                 .narrow_arguments = kCallArguments,
                 .number = A7,
                 .number_bytes = 8,
                 .has_narrow_switch = false,
                 .return_address = std::nullopt,
                 // arch/riscv/include/asm/thread_info.h: flags come first; TIF_32BIT.
                 .status_offset = 0,
                 .narrow_status_bit = 11,
                 .function_prefix = "__riscv_sys_",
                 .narrow_function_prefix = "__riscv_compat_sys_",
                 .table = [] { return std::span<const SyscallEntry>(kCalls); },
                 .narrow_table = [] { return std::span<const NarrowSyscall>(); },
                 .other_names = [] { return std::span<const SyscallName>(kKernelNames); },
                 .stand_ins = [] { return std::span<const SyscallName>(); }},
    .dwarf = {.words = kNumbered, .float_prefix = "f", .first_float = 32},
    .registers = {.names = kRegisterNames, .count = kSavedBytes / 8, .of_thread = {}},
    .flags = kGenericFlags,
    .relocations = {.none = R_RISCV_NONE,
                    .word = R_RISCV_64,
                    .relative = R_RISCV_RELATIVE,
                    .indirect = R_RISCV_IRELATIVE,
                    .distance = R_RISCV_32_PCREL,
                    .is_call = [](uint32_t type) { return type == R_RISCV_CALL_PLT; }},
    .breakpoint = {.instruction = 0x00100073, .mask = 0xffffffff, .past = 0, .narrow_pc = std::nullopt}, // ebreak
    .has_narrow_probes = false,
    .keeps_store_order = false,
    .tag_bits = 0,
    .code_address_bits = 64,
    .read_code = [](std::span<const uint8_t>, bool) { return Code(); },
    .disassemble = no_texts,
    .choices_in = [](std::span<const uint8_t>, uint64_t) { return Choices(); },
    .may_call_itself = [](std::span<const uint8_t>) { return true; }, // assumed, because code is not read
    .may_make = [](std::span<const uint8_t>, int32_t) { return true; },
    .read_operand = [](std::string_view) { return std::optional<NoteOperand>(); },
    .site_before_target = 0,
    .replace_call = [](std::span<uint8_t>, uint64_t) { return false; },
    .idle_function = {},
    .question_function = {},
    .is_replaced_call = [](std::span<const uint8_t>, uint64_t) { return false; },
};

} // namespace dt::machine::riscv64
