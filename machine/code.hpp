// Machine-independent description of a function's code. The functions that compute it are pure: their only input is the
// code, and their only output is the description.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dt::machine {

/// Properties of an instruction that a probe on the instruction depends on.
struct Instruction {
    bool emulated = false; ///< whether every supported kernel emulates the instruction
    bool push = false;     ///< whether the instruction pushes a register
    /// Whether the instruction cannot fail, and changes nothing that a probe can read at a call: arguments, stack,
    /// return address.
    bool changes_nothing = false;
    /// reason why a probe on the instruction is not allowed: the kernel refuses it, or the program would misbehave;
    /// null if a probe is allowed
    const char* refusal = nullptr;
    bool long_nop = false;     ///< whether the instruction is a nop that some kernels replace by a call
    bool returns = false;      ///< whether the instruction is a return, or a tail call through a pointer
    bool checks_stack = false; ///< whether the instruction compares the stack pointer with Go's stack limit
    bool jumps_below = false;
};

struct Code {
    std::vector<uint32_t> offsets; ///< offsets of the instructions in bytes, up to the first invalid bytes
    std::vector<Instruction> instructions;

    /// A direct jump out of the code: a tail call to another function, or a jump to a part of the function that lies
    /// elsewhere.
    struct Exit {
        uint32_t offset = 0;
        int64_t target = 0; ///< target of the jump, relative to the first byte of the code
        bool is_conditional = false;
    };
    std::vector<Exit> exits;
    std::vector<uint32_t> targets; ///< targets of direct jumps and calls that lie within the code, sorted
    bool jumps_anywhere = false;   ///< whether the code contains jumps with unknown targets
    bool is_whole = false;         ///< whether all bytes are valid instructions
};

/// A disassembled instruction.
struct InstructionText {
    uint32_t offset = 0;
    std::string text;               ///< the instruction as text, which omits the target of a direct jump or call
    std::optional<uint64_t> target; ///< address of the target of a direct jump or call; empty for other instructions
    bool is_call = false;
};

/// The functions that an IFUNC resolver (STT_GNU_IFUNC: strlen, memcpy) can choose. A resolver runs once, when the
/// program starts, and returns the address of the function for this processor. All addresses are those in the file.
struct Choices {
    std::vector<uint64_t> addresses; ///< addresses of code and data that the resolver's instructions compute
    /// addresses from which the resolver loads whole words, which may contain function addresses
    std::vector<uint64_t> words;
    std::vector<uint64_t> called; ///< targets of the resolver's direct calls, and of its jumps out of its code
};

/// Number of bytes at a function's start in which the place for an entry probe is searched. For later instructions,
/// Instruction::changes_nothing and checks_stack are not computed and remain false.
inline constexpr uint32_t kFarthestEntry = 32;

} // namespace dt::machine
