// Describes a processor and Linux on that processor, with its system calls and the operands of probes. All other code
// gets register names, system-call numbers and code bytes from here. A description does not depend on the machine that
// reads it, so a build can describe other machines.
//
// Each machine has a folder with a `Machine` object, and an entry in the list of machines in machine.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/code.hpp"

namespace dt::machine {

/// An assembler operand of a USDT note, which describes where an argument is: in a register, in memory, or in the
/// operand itself as a constant. The structure covers the forms that compilers write.
struct NoteOperand {
    enum class Kind : uint8_t { Constant, Register, Memory } kind = Kind::Constant;
    static constexpr uint32_t kNoRegister = UINT32_MAX;
    uint32_t word = kNoRegister; ///< word of struct pt_regs: the Register itself, or the base register of Memory
    /// for a Register: size in bytes of the operand, which is the lowest part of the register
    uint8_t bytes = 8;
    bool is_second_byte = false;   ///< for a Register: true if the operand is the second lowest byte, such as %ah
    uint32_t scaled = 0;           ///< index register of Memory, which is multiplied by `scale`
    uint8_t scale = 0;             ///< factor of the index register: 1, 2, 4 or 8; 0 if there is no index register
    uint8_t scaled_bytes = 8;      ///< number of low bytes of the index register that form the index
    bool is_scaled_signed = false; ///< whether the value of the index register is sign-extended
    int64_t offset = 0;            ///< offset of Memory, or value of a Constant
    std::string symbol = {};       ///< for Memory: symbol whose address is added; empty if there is none
};

// System calls of a machine. `everywhere` is false for calls that some supported kernels lack; for these, KernelView
// reports whether the kernel has the call.

struct SyscallEntry {
    uint32_t number = 0;
    std::string_view name;
    bool everywhere = true;                     ///< whether every supported kernel (from 5.15) has the system call
    std::array<std::string_view, 6> parameters; ///< C types of the parameters; unused elements are empty
    std::size_t parameter_count() const;
};

/// A system call of 32-bit programs.
struct NarrowSyscall {
    uint32_t number = 0;
    std::string_view name;
};

/// Name that programs use for a system call, and the name of the kernel's system call that does the work.
struct SyscallName {
    std::string_view name, call;
};

/// Tables indexed by system-call number have kSyscallBound entries for 64-bit calls. Calls that only 32-bit programs
/// have follow at kSyscallBound plus their number. Larger numbers (x32's bit 30, -1 of rt_sigreturn) have no entry.
/// From kSameSyscalls on, a number means the same call in 32-bit and 64-bit programs (scripts/syscall.tbl).
inline constexpr uint32_t kSyscallBound = 512, kSameSyscalls = 424;

/// Returns whether the type is a pointer. All pointer parameters of system calls point to user space.
bool is_user_pointer(std::string_view type);

/// Index of a word in struct pt_regs; it identifies a saved register.
using Word = uint32_t;

struct SavedRegisters {
    uint32_t bytes; ///< size of struct pt_regs
    Word pc, stack_pointer, frame_pointer;
    Word mode; ///< word whose bits in `mode_bits` show whether user code or kernel code was interrupted
    uint32_t mode_bits;
    /// true: any set bit of `mode_bits` means user code; false: user code if all bits of `mode_bits` are 0
    bool bits_mean_user;
};

/// Positions of a function's arguments and result.
struct Calls {
    std::span<const Word> arguments;    ///< registers of C's arguments; further arguments are on the stack
    std::span<const Word> go_arguments; ///< registers of arguments in Go's own convention
    /// number of registers that hold floating-point arguments in C, and in Go
    unsigned float_arguments, go_float_arguments;
    Word result;
    /// distance in words from the stack pointer to the first stack argument at a function's entry
    uint32_t first_stack_argument;
    int64_t return_pops; ///< number of bytes that a return adds to the stack pointer
    /// Register that contains the return address at a function's entry; empty if the return address is on top of the
    /// stack.
    std::optional<Word> return_address;
};

struct SystemCalls {
    std::span<const Word> arguments;
    std::span<const Word> narrow_arguments; ///< registers of system-call arguments in 32-bit programs
    /// word that contains the system call's number at entry and still at return, also for 32-bit programs
    Word number;
    /// size in bytes of the system call's number; if it is less than 8, the number is signed, and -1 means no system
    /// call
    uint8_t number_bytes;
    bool has_narrow_switch; ///< whether a file in /proc shows that the kernel runs 32-bit programs
    /// register that equals the program counter after a system call by the 64-bit interface, and contains an argument
    /// after other system calls; empty on machines without such a register
    std::optional<Word> return_address;
    // Position of the flag that marks a call of the 32-bit table: offset of its 32-bit word in struct thread_info, and
    // number of its bit in the word. A struct thread_info is at the start of each task.
    uint32_t status_offset, narrow_status_bit;
    std::string_view function_prefix; ///< prefix that SYSCALL_DEFINE adds to a system call's name
    /// Name prefix of the kernel functions for 32-bit system calls; kernels without 32-bit programs lack these
    /// functions.
    std::string_view narrow_function_prefix;
    /// Returns every system call of the native 64-bit interface, sorted by number.
    std::span<const SyscallEntry> (*table)();
    /// Returns the system calls whose numbers in 32-bit programs differ from those in 64-bit programs, sorted by
    /// number; empty on machines without such programs.
    std::span<const NarrowSyscall> (*narrow_table)();
    /// Returns the system calls that, only on this machine, have another name in programs than in the kernel.
    std::span<const SyscallName> (*other_names)();
    /// Returns system calls that other machines have and this machine lacks, each with the call that programs use
    /// instead.
    std::span<const SyscallName> (*stand_ins)();

    /// Returns the kernel's name of a system call (dtrace-providers(7), syscall: stat is newstat), or `name` itself.
    std::string_view canonical(std::string_view name) const;
    /// Returns this machine's replacement for a system call that only other machines have; empty if unknown.
    std::string_view stand_in(std::string_view name) const;
    /// Returns the system call with this name, or null.
    const SyscallEntry* find(std::string_view call) const;
    /// Returns the numbers of the given system calls, without calls that the machine lacks.
    std::vector<int64_t> numbers(std::initializer_list<std::string_view> calls) const;
};

/// DWARF's numbers of registers.
struct DwarfNumbers {
    std::span<const Word> words;   ///< index in struct pt_regs of each register, by the register's DWARF number
    std::string_view float_prefix; ///< name prefix of floating-point registers, which struct pt_regs does not contain
    uint32_t first_float;          ///< DWARF's number of the first floating-point register
};

/// DWARF's numbers of the registers for unwinding, and the size of a stack word in bytes.
struct UnwindRegisters {
    uint64_t frame_pointer = 0, stack_pointer = 0, return_address = 0, word = 0;
    /// whether a call leaves the return address in the register `return_address`, not on the stack
    bool is_linked = false;
    bool is_narrow() const { return word == 4; }
};

/// A register's name in uregs[].
struct RegisterName {
    std::string_view name;
    uint32_t number; ///< subscript of the register in uregs[]
};

struct RegisterNames {
    std::span<const RegisterName> names;
    /// number of valid subscripts of uregs[]: those of saved registers, then those of members of the thread
    uint32_t count;
    /// Paths of members of task_struct that are in uregs[]. Their subscripts follow those of the saved registers.
    struct Member {
        std::string_view path;
        uint8_t bytes;
    };
    std::span<const Member> of_thread;
};

/// A flag of open(2) whose value depends on the machine.
struct NamedFlag {
    std::string_view name;
    int64_t value;
};

/// Types of ELF relocations.
struct Relocations {
    uint32_t none, word, relative, indirect;
    uint32_t distance; ///< relocation type whose value is the 32-bit distance from the relocated word to a symbol
    bool (*is_call)(uint32_t type);
};

/// Position of a thread's thread-local variables (ELF Handling For Thread-Local Storage).
struct ThreadLocals {
    std::string_view pointer; ///< member of task_struct with the thread pointer; empty if unknown
    uint32_t table = 0;       ///< offset from the thread pointer of glibc's pointer to the dynamic thread vector
    /// Whether the variables of the executable end at the thread pointer. Otherwise they begin 16 bytes after it.
    bool is_below = false;
    // Types of relocations for thread-local variables. `offset`: offset from the thread pointer. `descriptor`: a
    // function and its argument. `module`: number of a module and offset in the module's block.
    uint32_t offset = 0, descriptor = 0, module = 0;
};

struct Breakpoint {
    long instruction, mask;
    uint64_t past; ///< number of bytes from the breakpoint instruction to the program counter after the trap
    /// the word with the program counter (4 bytes) among a 32-bit program's ptrace(2) registers; empty if the
    /// breakpoint does not exist in 32-bit programs
    std::optional<Word> narrow_pc;
    /// whether a hardware breakpoint on data traps after the access, so that the memory contains the new value
    bool data_traps_follow;
};

/// Code by which a program asks whether a probe is enabled: a function void(uint32_t *flag) that uses no stack. It
/// writes 1 to *flag unless a 16-bit counter is 0.
struct QuestionFunction {
    struct Reference {
        uint64_t offset = 0; ///< offset in `code` of the field that is relocated
        uint32_t type = 0;   ///< ELF relocation type of the field
        int64_t addend = 0;  ///< number that the relocation adds to the counter's address
    };
    /// machine code that begins with a no-op for a probe; empty if not implemented for the machine
    std::span<const uint8_t> code;
    std::span<const Reference> references;
};

struct Machine {
    std::string_view name;   ///< name of the machine in uname(2)
    std::string_view folder; ///< name of the machine in the kernel's source and in other tools
    std::string_view words;  ///< name of the machine for messages
    uint16_t elf;            ///< e_machine of 64-bit files
    uint16_t narrow_elf;     ///< ELF machine number (e_machine) of 32-bit programs; 0 if there are none
    UnwindRegisters unwind, narrow_unwind;
    std::string_view walker; ///< name of the function of bpf-runtime that unwinds user stacks on this machine
    /// Member of the kernel's struct thread_struct that begins with the user's thread pointer.
    std::string_view thread_pointer;
    /// macros by which cpp(1) recognises the machine: for 64-bit programs, and for 32-bit programs
    std::string_view macro, narrow_macro;
    SavedRegisters saved;
    Calls calls;
    SystemCalls syscalls;
    DwarfNumbers dwarf;
    RegisterNames registers;
    std::span<const NamedFlag> flags;
    Relocations relocations;
    ThreadLocals thread_locals = {};
    Breakpoint breakpoint;
    bool has_narrow_probes; ///< whether the kernel supports uprobes in 32-bit programs
    bool keeps_store_order; ///< whether other processors see a processor's stores in program order
    uint32_t tag_bits;      ///< number of high bits of an address that programs may use for tags
    /// Number of significant bits of a code address; the higher bits may contain an authentication code.
    uint32_t code_address_bits;

    Code (*read_code)(std::span<const uint8_t> function, bool is_narrow);
    /// Disassembles code at `address`. Bytes that form no valid instruction are shown in hexadecimal.
    std::vector<InstructionText> (*disassemble)(std::span<const uint8_t> code, uint64_t address);
    Choices (*choices_in)(std::span<const uint8_t> code, uint64_t at);
    bool (*may_call_itself)(std::span<const uint8_t> function);
    /// Returns whether the function may contain an instruction with the negative constant `number`.
    bool (*may_make)(std::span<const uint8_t> function, int32_t number);
    std::optional<NoteOperand> (*read_operand)(std::string_view text);

    // The following members rewrite the calls that mark probes in object files (dtrace -G).
    uint64_t site_before_target; ///< distance in bytes from the probe's address to the relocated field of the call
    /// Replaces the call whose relocated field is at `target` by no-ops, or a jump by a no-op and a return. Returns
    /// false if there is no call or jump.
    bool (*replace_call)(std::span<uint8_t> code, uint64_t target);
    /// The code of a function that does nothing: a no-op for a probe, and a return.
    std::span<const uint8_t> idle_function;
    QuestionFunction question_function;
    /// Returns whether the code at `target` consists of the instructions that replace_call() writes in place of a call.
    bool (*is_replaced_call)(std::span<const uint8_t> code, uint64_t target);
};

/// Returns the machine that this build runs on.
const Machine& native();
/// Returns all machines that this build knows.
std::span<const Machine* const> all();
/// Returns the machine whose name or folder has this name; null if there is none.
const Machine* named(std::string_view name);

/// A function with a nop that kernels may replace by a call when it is probed. The function kept() has data below its
/// stack pointer while it runs the nop, and returns 1 if the data are unchanged after the nop.
struct RedZoneTrial {
    long (*kept)();
    const char* nop;
};
std::optional<RedZoneTrial> red_zone_trial();

// Names by which users choose a machine: names of folders in machine/, and "native" for the machine of this build.

inline constexpr std::string_view kTargets[] = {"native", "arm64", "x86_64"};

} // namespace dt::machine
