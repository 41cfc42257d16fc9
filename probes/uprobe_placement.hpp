// Where in a function's code a probe of a process is put, so that it costs the process little and never hurts it. Pure:
// bytes in, offsets out.
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
    /// The bytes of a whole function. Cost: some 50 ns an instruction.
    explicit FunctionCode(std::span<const uint8_t> code, bool is_32bit = false);
    /// Of another machine.
    FunctionCode(const machine::Machine& machine, std::span<const uint8_t> code, bool is_32bit = false);

    /// Where its instructions begin, up to where the bytes are none.
    const std::vector<uint32_t>& offsets() const { return code_.offsets; }

    /// Where to probe its entry: its first byte, or an instruction a little later that every call comes to once, with
    /// the arguments where they were, and that costs the process less or that the kernel takes a probe on.
    uint32_t entry_place() const;

    /// The same of a function of Go, which looks first whether its stack is large enough, and begins anew when it was
    /// made larger: behind that.
    uint32_t go_entry_place() const;

    /// Where it returns: its return instructions, and jumps by a pointer that are no table of jumps, so calls in its
    /// last place.
    std::vector<uint32_t> returns() const;

    using Exit = machine::Code::Exit;
    const std::vector<Exit>& exits() const { return code_.exits; }

    /// Are all bytes instructions?
    bool is_whole() const { return code_.is_whole; }

    struct Place {
        uint32_t offset = 0;
        std::string_view refusal = {};  ///< why there can be no probe; empty: there can
        bool is_inside_another = false; ///< it is no instruction: `offset` is the one that it is a part of
    };
    /// Where to probe the instruction at `offset`. `clobbers`: the kernel has the fault that
    /// KernelView::uprobes_clobber_red_zone() tells of.
    Place place_of(uint32_t offset, bool clobbers) const;

    /// Are there instructions for which it matters whether the kernel has that fault?
    bool has_long_nops() const;

private:
    uint32_t cheapest_entry() const;
    uint32_t permitted_entry() const;
    bool is_jumped_into(uint32_t first, uint32_t last, bool tables) const;

    const machine::Code code_;
};

} // namespace dt::probes
