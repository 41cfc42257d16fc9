// What is known of a processor, and of Linux on it: data as far as that goes, functions where bytes have to be read.
// Every other room asks here, and has no name of a register, number of a system call or byte of code in it. A
// description says nothing of the machine that it is read on: a build can describe others.
//
// A machine is a folder here with a Machine in it, and a row of machine.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "machine/code.hpp"
#include "machine/operand.hpp"
#include "machine/syscalls.hpp"

namespace dt::machine {

/// A register that the kernel saves: its word in struct pt_regs, from 0 on.
using Word = uint32_t;

struct SavedRegisters {
    uint32_t bytes; ///< of struct pt_regs
    Word pc, stack_pointer, frame_pointer;
    Word mode; ///< tells by `mode_bits` what was interrupted
    uint32_t mode_bits;
    bool bits_mean_user; ///< one of them is set where it was user code; else where it was not
};

/// Where a function finds what it is called with, and leaves its result.
struct Calls {
    std::span<const Word> arguments;              ///< of C, in registers; the others are on the stack
    std::span<const Word> go_arguments;           ///< of Go's own convention
    unsigned float_arguments, go_float_arguments; ///< how many floating-point numbers have registers of their own
    Word result;
    uint32_t first_stack_argument;      ///< words above the stack pointer at a function's entry
    int64_t return_pops;                ///< bytes by which a return moves the stack pointer
    std::optional<Word> return_address; ///< has it at a function's entry; none: it is where the stack pointer is
};

struct SystemCalls {
    std::span<const Word> arguments;
    std::span<const Word> narrow_arguments; ///< of 32-bit programs
    Word number;                        ///< in which a call's number still is when it returns, of 32-bit programs too
    uint8_t number_bytes;               ///< of that word that are the number; fewer than 8 have a sign: -1 is no call
    bool has_narrow_switch;             ///< of 32-bit programs, in proc(5)
    std::optional<Word> return_address; ///< has the program counter, as entering by the 64-bit interface leaves it
    // In struct thread_info, which a task begins with: which bit of which 32-bit word says that the call is one of the
    // 32-bit table.
    uint32_t status_offset, narrow_status_bit;
    std::string_view function_prefix;        ///< what SYSCALL_DEFINE puts before a call's name
    std::string_view narrow_function_prefix; ///< of functions that only a kernel has that runs 32-bit programs
    /// Every call of the native 64-bit interface, by number.
    std::span<const SyscallEntry> (*table)();
    /// Every call of 32-bit programs whose number means another to 64-bit programs, by number; empty on machines
    /// without such programs.
    std::span<const NarrowSyscall> (*narrow_table)();
    /// Names that users know, where the kernel's own is another on this machine alone.
    std::span<const SyscallName> (*other_names)();
    /// Calls of other machines that this one does not have, and what programs call in their place.
    std::span<const SyscallName> (*stand_ins)();

    /// The kernel's own name for a call that users know by another (dtrace-providers(7), syscall: stat is newstat), or
    /// `name` itself.
    std::string_view canonical(std::string_view name) const;
    /// What is called in the place of a call that other machines have; empty: nothing is known.
    std::string_view stand_in(std::string_view name) const;
    /// By its name; null: there is none.
    const SyscallEntry* find(std::string_view call) const;
    /// Of those of these calls that the machine has.
    std::vector<int64_t> numbers(std::initializer_list<std::string_view> calls) const;
};

/// How DWARF numbers registers.
struct DwarfNumbers {
    std::span<const Word> words; ///< by number
    std::string_view
        float_prefix;     ///< floating-point registers, which struct pt_regs does not have: only their names are known
    uint32_t first_float; ///< number of the first
};

/// DWARF's numbers of what unwinding follows, and the bytes of a word of the stack.
struct UnwindRegisters {
    uint64_t frame_pointer = 0, stack_pointer = 0, return_address = 0, word = 0;
    bool is_linked = false; ///< a call leaves the return address in that register, and not on the stack
    bool is_narrow() const { return word == 4; }
};

/// A register as programs name it in uregs[].
struct RegisterName {
    std::string_view name;
    uint32_t number; ///< its subscript
};

struct RegisterNames {
    std::span<const RegisterName> names;
    uint32_t count; ///< of subscripts: saved registers, then members of the thread
    /// Members of task_struct, from the first subscript behind the saved registers on.
    struct Member {
        std::string_view path;
        uint8_t bytes;
    };
    std::span<const Member> of_thread;
};

/// A flag whose value differs from machine to machine.
struct NamedFlag {
    std::string_view name;
    int64_t value;
};

/// Types of relocations (ELF).
struct Relocations {
    uint32_t none, word, relative, indirect;
    uint32_t distance; ///< 32 bits: of a symbol from the place itself
    bool (*is_call)(uint32_t type);
};

/// Where a thread has its thread-local variables (ELF Handling For Thread-Local Storage).
struct ThreadLocals {
    std::string_view pointer; ///< member of task_struct with the thread pointer; empty: nothing is known
    uint32_t table = 0;    ///< where glibc has the address of the table of modules' blocks, from the thread pointer on
    bool is_below = false; ///< the executable's end at the thread pointer; else they begin 16 bytes behind it
    // Types of relocations: of a word with an offset from the thread pointer; of two words, a function and what it is
    // given; of two words, a module and an offset in its block.
    uint32_t offset = 0, descriptor = 0, module = 0;
};

struct Breakpoint {
    long instruction, mask;
    uint64_t past;                 ///< bytes from the instruction to where the program counter is after the trap
    std::optional<Word> narrow_pc; ///< 4-byte word of a 32-bit program's registers as ptrace(2) has them; none: the
                                   ///< instruction is no breakpoint there
};

/// Code of a function void(uint32_t *flag): writes 1 to *flag unless a 16-bit counter is 0. It leaves the stack alone.
struct QuestionFunction {
    struct Reference {
        uint64_t offset = 0; ///< in the code
        uint32_t type = 0;   ///< of the relocation
        int64_t addend = 0;  ///< to the counter's address
    };
    std::span<const uint8_t>
        code; ///< begins with a no-op, where a probe can be placed; empty: not known for the machine
    std::span<const Reference> references;
};

struct Machine {
    std::string_view name;   ///< as uname(2) says it
    std::string_view folder; ///< as the kernel's source and other tools say it
    std::string_view words;  ///< as messages say it
    uint16_t elf;            ///< e_machine, of 64-bit files
    uint16_t narrow_elf;     ///< of 32-bit programs; 0: there are none
    UnwindRegisters unwind, narrow_unwind;
    std::string_view walker;              ///< the function of bpf-runtime that walks user stacks
    std::string_view macro, narrow_macro; ///< that cpp(1) is given, by data model
    SavedRegisters saved;
    Calls calls;
    SystemCalls syscalls;
    DwarfNumbers dwarf;
    RegisterNames registers;
    std::span<const NamedFlag> flags;
    Relocations relocations;
    ThreadLocals thread_locals = {};
    Breakpoint breakpoint;
    bool has_narrow_probes;     ///< the kernel takes probes in 32-bit programs
    bool keeps_store_order;     ///< other processors see all stores of one in the order of its program
    uint32_t tag_bits;          ///< of an address, the highest, which programs may use for what they like
    uint32_t code_address_bits; ///< of an address of code of programs; those above may hold what authenticates it

    Code (*read_code)(std::span<const uint8_t> function, bool is_narrow);
    /// Of code that runs at `address`; bytes that are no instruction are shown as bytes.
    std::vector<InstructionText> (*disassemble)(std::span<const uint8_t> code, uint64_t address);
    Choices (*choices_in)(std::span<const uint8_t> code, uint64_t at);
    bool (*may_call_itself)(std::span<const uint8_t> function);
    /// Whether an instruction may have the negative number as a constant.
    bool (*may_make)(std::span<const uint8_t> function, int32_t number);
    std::optional<NoteOperand> (*read_operand)(std::string_view text);

    // Calls of probes in object files.
    uint64_t site_before_target; ///< bytes from the site to the place that the relocation fills
    /// Replaces the call whose relocation is at `target` by instructions that do nothing (a jump: by one, and a
    /// return). False: there is none.
    bool (*replace_call)(std::span<uint8_t> code, uint64_t target);
    /// The code of a function that does nothing: a no-op, where a probe can be placed, and a return.
    std::span<const uint8_t> idle_function;
    QuestionFunction question_function;
    /// Is that what replaced a call?
    bool (*is_replaced_call)(std::span<const uint8_t> code, uint64_t target);
};

/// The one that this build runs on.
const Machine& native();
/// Those that this build knows.
std::span<const Machine* const> all();
/// By its own name or its folder's; null: there is none.
const Machine* named(std::string_view name);

/// A function with a nop that kernels may replace by a call when it is probed, and a word below its stack pointer
/// meanwhile: returns 1 when that was kept. Nothing where the machine has no such nops.
struct RedZoneTrial {
    long (*kept)();
    const char* nop;
};
std::optional<RedZoneTrial> red_zone_trial();

} // namespace dt::machine
