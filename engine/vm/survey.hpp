// Properties of a function that both compilers (machine code and threaded code) need before they generate code.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "engine/program/image.hpp"
#include "engine/vm/proof.hpp"

namespace dt::vm {

struct Environment;

/// A basic block: a sequence of instructions that control enters only at the first one.
struct Block {
    uint32_t first = 0;
    uint32_t count = 0; ///< number of instructions of the block
    bool loops = false; ///< whether a later instruction jumps back to this block
};

/// A register that gets one of two constants. It holds `jumped`, and a conditional jump skips the instruction that sets
/// it to `fell`.
struct Choice {
    uint8_t number = 0; ///< number of the BPF register, 0 to 10
    uint64_t jumped = 0, fell = 0;
};

struct Survey {
    std::vector<Block> blocks;   ///< blocks in program order, except that the function's first block comes first
    std::set<uint8_t> registers; ///< registers that appear in the function's instructions
    std::set<uint32_t> targets;  ///< targets of the function's jumps
    /// jumps that only select one of two constants, by the first instruction of the block that the jump skips
    std::map<uint32_t, Choice> choices;
    uint32_t count = 0; ///< number of instructions of the function
    bool direct = true; ///< whether the host may call the function without frame and budget (CompiledFunction::direct)
};

/// Collects the properties of a function from the results of the proof; proof.run() must have succeeded.
Survey survey(const Image& image, Proof& proof, FunctionProof& function, const Environment& environment);

} // namespace dt::vm
