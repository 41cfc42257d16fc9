// Programs for the virtual machine from arbitrary bytes, and the outcome of a run, for tests that compare executors.
//
// Random bytes rarely form a program that runs far. If the first byte is 'r', the following bytes are instructions as
// they are. Otherwise every four bytes select a valid instruction, and the program begins with a prologue that leaves
// pointers and numbers in all registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/vm/virtual_machine.hpp"

namespace dt::vm::programs {

inline constexpr uint64_t kBudget = 20'000;
inline constexpr std::size_t kMaxInput = 2048, kContextSize = 64;

/// Returns a program from at least two bytes. It has the function "f", the data ".data", and the maps "hash" and
/// "array".
Image program(const uint8_t* data, std::size_t size);

/// Outcome of a run. Before each run the virtual machine's data and maps are restored.
struct Outcome {
    bool ok = false;
    uint64_t result = 0, executed = 0;
    std::vector<uint8_t> data;
    std::string error;
    bool operator==(const Outcome& other) const;
    bool over_budget() const { return error.find(": more than") != std::string::npos; }
};

/// Runs "f" with the checked interpreter (`checked`), or with the executor that the virtual machine has selected.
/// `context` has kContextSize bytes.
Outcome run(VirtualMachine& vm, bool checked, const uint8_t* context);

/// Runs the program on the context with every executor that accepts it. Prints a disagreement and aborts. Returns false
/// if only the checked interpreter accepts the program.
bool executors_agree(VirtualMachine& vm, const uint8_t* context);

} // namespace dt::vm::programs
