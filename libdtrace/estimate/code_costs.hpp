// Cost of BPF instructions and kernel helpers on this machine. Small programs execute them in a loop and read the clock
// before and after. The results are cached until the next boot. ProgramCostModel adds up the costs for a program.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "dcompiler/object/functions.hpp"
#include "dcompiler/object/schema.hpp"

// Model of a BPF program's run time. It adds the costs of the instructions and helpers on the program's likely path.

namespace dt {

/// Costs of instructions and helpers in ns, measured with warm caches.
struct InstructionCosts {
    double instruction = 0;
    double call = 0;                   ///< cost of helpers that are not in `helpers`
    double key_byte = 0;               ///< cost of each byte of a hash key beyond kMeasuredKeySize
    std::map<int32_t, double> helpers; ///< cost of a helper by its number (enum bpf_func_id)

    /// Size of the measured hash keys in bytes. The measured costs of helpers are those for a key of this size.
    static constexpr uint32_t kMeasuredKeySize = 16;
};

class ProgramCostModel {
public:
    /// `has_mmap_rings`: the sample rate is so high that the consumer will open mmap rings.
    ProgramCostModel(const Object& object, InstructionCosts costs, bool has_mmap_rings);

    /// Returns the time of one run in ns, or 0 if the program does not exist.
    double time_of_program(std::string_view program);

private:
    class Walk;

    double time_of(std::string_view function);

    /// Returns the cost of a helper; `map` is the name of the map that is its first argument.
    double cost_of_helper(int32_t helper, std::string_view map) const;

    std::map<std::string, ObjectFunction, std::less<>> functions_;
    /// time of each function in ns; 0 while the function is being evaluated
    std::map<std::string, double, std::less<>> times_;
    /// key size in bytes of each map that is a hash; 0 for arrays
    std::map<std::string, uint32_t, std::less<>> hashes_;
    std::set<std::string, std::less<>> used_; ///< maps and data that the program has used so far
    InstructionCosts costs_;
    bool has_mmap_rings_;
};

/// Returns the costs. Takes some ten milliseconds if they were not measured since boot. Costs that cannot be measured
/// have default values.
InstructionCosts measure_instruction_costs();

} // namespace dt
