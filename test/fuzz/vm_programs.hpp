// Programs for the virtual machine out of bytes, and what a run of one came to: for whatever compares executors.
//
// Bytes alone seldom make a program that gets far. After a first byte of 'r' they are instructions as they are;
// otherwise every four of them choose one out of what is well-formed, behind a beginning that leaves pointers and
// numbers in all registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bpf-runtime/vm/virtual_machine.hpp"

namespace dt::vm::programs {

inline constexpr uint64_t kBudget = 20'000;
inline constexpr std::size_t kMostInput = 2048, kContextSize = 64;

/// At least two bytes. The function is "f", the data ".data", the maps "hash" and "array".
Image program(const uint8_t* data, std::size_t size);

/// What a run came to. The virtual machine goes back to where it was.
struct Outcome {
    bool ok = false;
    uint64_t result = 0, executed = 0;
    std::vector<uint8_t> data;
    std::string error;
    bool operator==(const Outcome& other) const;
    bool over_budget() const { return error.find(": more than") != std::string::npos; }
};

/// Runs "f" by the interpreter that checks each step, or by the executor that the virtual machine has. `context` has
/// kContextSize bytes.
Outcome run(VirtualMachine& vm, bool checked, const uint8_t* context);

/// Has every executor that can run this program run it on the context; aborts after telling when they do not agree.
/// False when only the checked interpreter takes it.
bool executors_agree(VirtualMachine& vm, const uint8_t* context);

} // namespace dt::vm::programs
