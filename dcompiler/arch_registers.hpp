// Names of the traced machine's registers, as programs say them in uregs[] (runtime reference 1.3).
#pragma once

#include <cstdint>
#include <string_view>

namespace dt::arch {

struct RegisterName {
    std::string_view name;
    uint32_t number; ///< its subscript
};

#if defined(__x86_64__)

/// Words of the saved registers, then registers of the thread.
inline constexpr RegisterName kRegisterNames[] = {
    {"R_R15", 0},  {"R_R14", 1},  {"R_R13", 2},  {"R_R12", 3},  {"R_RBP", 4},  {"R_RBX", 5},  {"R_R11", 6},  {"R_R10", 7},     {"R_R9", 8},
    {"R_R8", 9},   {"R_RAX", 10}, {"R_RCX", 11}, {"R_RDX", 12}, {"R_RSI", 13}, {"R_RDI", 14}, {"R_ERR", 15}, {"R_RIP", 16},    {"R_CS", 17},
    {"R_RFL", 18}, {"R_RSP", 19}, {"R_SS", 20},  {"R_DS", 21},  {"R_ES", 22},  {"R_FS", 23},  {"R_GS", 24},  {"R_TRAPNO", 25}, {"R_EBX", 5},
    {"R_ECX", 11}, {"R_EDX", 12}, {"R_ESI", 13}, {"R_EDI", 14}, {"R_EBP", 4},  {"R_EAX", 10}, {"R_EIP", 16}, {"R_EFL", 18},    {"R_ESP", 19},
    {"R_PC", 16},  {"R_FP", 4},   {"R_SP", 19},  {"R_PS", 18},  {"R_R0", 10},  {"R_R1", 5},
};
inline constexpr uint32_t kRegisters = 26;

#elif defined(__aarch64__)

/// Words of the saved registers.
inline constexpr RegisterName kRegisterNames[] = {
    {"R_X0", 0},   {"R_X1", 1},   {"R_X2", 2},   {"R_X3", 3},   {"R_X4", 4},   {"R_X5", 5},   {"R_X6", 6},      {"R_X7", 7},   {"R_X8", 8},
    {"R_X9", 9},   {"R_X10", 10}, {"R_X11", 11}, {"R_X12", 12}, {"R_X13", 13}, {"R_X14", 14}, {"R_X15", 15},    {"R_X16", 16}, {"R_X17", 17},
    {"R_X18", 18}, {"R_X19", 19}, {"R_X20", 20}, {"R_X21", 21}, {"R_X22", 22}, {"R_X23", 23}, {"R_X24", 24},    {"R_X25", 25}, {"R_X26", 26},
    {"R_X27", 27}, {"R_X28", 28}, {"R_X29", 29}, {"R_X30", 30}, {"R_SP", 31},  {"R_PC", 32},  {"R_PSTATE", 33}, {"R_FP", 29},
};
inline constexpr uint32_t kRegisters = 34;

#else
#error "no names of registers for this machine yet: add them here"
#endif

} // namespace dt::arch
