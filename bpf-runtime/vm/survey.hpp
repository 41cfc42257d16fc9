// What there is to know of a function before its first piece of code, whoever makes that: the compiler to machine code,
// or the one to threaded code.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "bpf-runtime/vm/image.hpp"
#include "bpf-runtime/vm/proof.hpp"

namespace dt::vm {

struct Environment;

/// A run of instructions that is entered at its first.
struct Block {
    uint32_t first = 0;
    uint32_t count = 0; ///< instructions
    bool loops = false; ///< a later one jumps here
};

/// A register that holds one of two constants, by a jump over the instruction that puts the other there.
struct Choice {
    uint8_t number = 0; ///< of the register
    uint64_t jumped = 0, fell = 0;
};

struct Survey {
    std::vector<Block> blocks;          ///< in the order of the program, except that the function's first comes first
    std::set<uint8_t> registers;        ///< those its instructions name
    std::set<uint32_t> targets;         ///< of its jumps
    std::map<uint32_t, Choice> choices; ///< by the block that is jumped over
    uint32_t count = 0;                 ///< instructions
    bool direct = true;                 ///< as CompiledFunction says
};

/// The proof has been run.
Survey survey(const Image& image, Proof& proof, FunctionProof& function, const Environment& environment);

} // namespace dt::vm
