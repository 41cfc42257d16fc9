// What is in the bytes of a function, in words that are true of every machine. Pure: bytes in, facts out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dt::machine {

/// An instruction, as far as a probe there has to know it.
struct Instruction {
    bool emulated = false;        ///< every supported kernel does what it does by itself
    bool push = false;            ///< of a register
    bool changes_nothing = false; ///< it cannot fail, and leaves what a call brings along, as far as probes can read it
    const char* refusal = nullptr; ///< why the kernel takes no probe there, or should be given none; null: it may
    bool long_nop = false;         ///< that some kernels replace by a call
    bool returns = false;          ///< or is a call in the last place of the function, by a pointer
    bool checks_stack = false;     ///< compares with the limit that Go keeps of a stack
    bool jumps_below = false;
};

struct Code {
    std::vector<uint32_t> offsets; ///< where instructions begin, up to where the bytes are none
    std::vector<Instruction> instructions;

    /// A direct jump whose target is not in the code: to another function, which returns to the caller, or to a part
    /// that lies elsewhere.
    struct Exit {
        uint32_t offset = 0;
        int64_t target = 0; ///< from the first byte of the code
        bool is_conditional = false;
    };
    std::vector<Exit> exits;
    std::vector<uint32_t> targets; ///< of jumps and calls in it, sorted
    bool jumps_anywhere = false;   ///< it has jumps whose target is not in the code
    bool is_whole = false;         ///< all bytes are instructions
};

/// An instruction as people read it.
struct InstructionText {
    uint32_t offset = 0;
    std::string text;               ///< of a jump or call to one place without that
    std::optional<uint64_t> target; ///< which is here
    bool is_call = false;
};

/// What an indirect function (STT_GNU_IFUNC: strlen, memcpy) chooses from. Such a function runs once, when the program
/// starts, and gives the address of the one that serves by its name on this processor. Link-time addresses.
struct Choices {
    std::vector<uint64_t> addresses; ///< that its instructions make; code and data alike
    std::vector<uint64_t>
        words; ///< addresses of what they load whole words from, which may be an address of a function
    std::vector<uint64_t> called; ///< targets of their direct calls and jumps that lie outside of it
};

/// Bytes from its start within which the place of an entry probe is looked for: Instruction::changes_nothing and
/// checks_stack are false beyond.
inline constexpr uint32_t kFarthestEntry = 32;

} // namespace dt::machine
