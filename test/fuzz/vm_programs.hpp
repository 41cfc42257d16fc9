// Makes programs for the virtual machine from arbitrary bytes, and runs them, for tests that compare executors
// (interpreters and JIT compiler).
//
// Random bytes rarely form a program that runs far. If the first byte is 'r', the following bytes are used as
// instructions without changes. Otherwise every four bytes select a valid instruction, after added instructions that
// initialize all registers with pointers and numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/vm/virtual_machine.hpp"

namespace dt::vm::programs {

inline constexpr uint64_t kBudget = 20'000;
inline constexpr std::size_t kMaxInput = 2048, kContextSize = 64;

/// Makes a program from at least two bytes. It has the function "f", the section ".data", and the maps "hash" and
/// "array".
Image program(const uint8_t* data, std::size_t size);

/// Outcome of one run of a program. Each run starts with the same data and maps.
struct Outcome {
    bool ok = false;
    uint64_t result = 0, executed = 0;
    std::vector<uint8_t> data;
    std::string error;
    bool operator==(const Outcome& other) const;
    bool over_budget() const { return error.find(": more than") != std::string::npos; }
};

/// Runs the function "f". Uses the checked interpreter if `checked` is true, else the executor that the virtual machine
/// has selected. `context` has kContextSize bytes.
Outcome run(VirtualMachine& vm, bool checked, const uint8_t* context);

/// Runs the program on the context with every executor that accepts it. If results differ, prints them and aborts.
/// Returns false if only the checked interpreter accepts the program.
bool executors_agree(VirtualMachine& vm, const uint8_t* context);

} // namespace dt::vm::programs
