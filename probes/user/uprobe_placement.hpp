// Chooses the instruction of a function for a user-space probe, so that the probe is cheap and harmless. The functions
// here are pure: they take the bytes of the code and return offsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "machine/machine.hpp"

namespace dt::probes {

class FunctionCode {
public:
    /// `code` must contain the code of a whole function. Cost: about 50 ns per instruction.
    explicit FunctionCode(std::span<const uint8_t> code, bool is_32bit = false);
    /// Analyses code for another machine than this one.
    FunctionCode(const machine::Machine& machine, std::span<const uint8_t> code, bool is_32bit = false);

    /// Returns the offsets of the instructions up to the first invalid bytes.
    const std::vector<uint32_t>& offsets() const { return code_.offsets; }

    /// Returns the offset for an entry probe. This is the first instruction, or a slightly later one: the first that
    /// the kernel accepts, or one on which a probe is cheaper. Every call of the function must execute the instruction
    /// once, with unchanged arguments.
    uint32_t entry_place() const;

    /// Returns the offset for an entry probe of a Go function. Such a function first checks the size of its stack, and
    /// is restarted after the stack has been enlarged. So the probe is placed after the check.
    uint32_t go_entry_place() const;

    /// Returns the offsets of return instructions, and of tail calls through pointers. Jumps through jump tables are
    /// excluded.
    std::vector<uint32_t> returns() const;

    using Exit = machine::Code::Exit;
    const std::vector<Exit>& exits() const { return code_.exits; }

    /// Returns whether all bytes of the code are valid instructions.
    bool is_whole() const { return code_.is_whole; }

    struct Placement {
        uint32_t offset = 0;
        std::string_view refusal = {}; ///< reason why no probe is possible; empty if a probe is possible
        /// whether `offset` was moved back to the start of the instruction that contains it
        bool is_inside_another = false;
    };
    /// Returns the offset at which the kernel can place a probe for the instruction at `offset`, or the reason why
    /// there is none. `clobbers`: probes on long nops may overwrite data below the stack pointer
    /// (KernelView::uprobes_clobber_red_zone()).
    Placement place_of(uint32_t offset, bool clobbers) const;

    /// Returns whether the code has nops on which a probe may overwrite data below the stack pointer
    /// (KernelView::uprobes_clobber_red_zone()).
    bool has_long_nops() const;

private:
    uint32_t cheapest_entry() const;
    uint32_t permitted_entry() const;
    bool is_jumped_into(uint32_t first, uint32_t last, bool tables) const;

    const machine::Code code_;
};

} // namespace dt::probes
