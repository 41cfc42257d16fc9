// Where in a function's code a probe of a process is put, so that it costs the process little and never hurts it. Pure: bytes in, offsets out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dt::probes {

class FunctionCode {
public:
    /// The bytes of a whole function. Cost: some 50 ns an instruction.
    explicit FunctionCode(std::span<const uint8_t> code, bool is_32bit = false);

    /// Where its instructions begin, up to where the bytes are none.
    const std::vector<uint32_t>& offsets() const { return offsets_; }

    /// Where to probe its entry: its first byte, or an instruction a little later that every call comes to once, with the arguments where they were, and
    /// that costs the process less.
    uint32_t entry_place() const;

    /// The same of a function of Go, which looks first whether its stack is large enough, and begins anew when it was made larger: behind that.
    uint32_t go_entry_place() const;

    /// Where it returns: its return instructions, and jumps by a pointer that are no table of jumps, so calls in its last place.
    std::vector<uint32_t> returns() const;

    /// A direct jump whose target is not in the code: to another function, which returns to the caller, or to a part that lies elsewhere.
    struct Exit {
        uint32_t offset = 0;
        int64_t target = 0; ///< from the first byte of the code
        bool is_conditional = false;
    };
    const std::vector<Exit>& exits() const { return exits_; }

    /// Are all bytes instructions?
    bool is_whole() const { return is_whole_; }

    struct Place {
        uint32_t offset = 0;
        std::string_view refusal = {};  ///< why there can be no probe; empty: there can
        bool is_inside_another = false; ///< it is no instruction: `offset` is the one that it is a part of
    };
    /// Where to probe the instruction at `offset`. `clobbers`: the kernel has the fault that KernelView::uprobes_clobber_red_zone() tells of.
    Place place_of(uint32_t offset, bool clobbers) const;

    /// Are there instructions for which it matters whether the kernel has that fault?
    bool has_long_nops() const;

private:
    /// What matters of an instruction, by the number that it has in offsets_.
    struct Facts {
        bool emulated = false;        ///< every supported kernel does what it does by itself
        bool push = false;            ///< of a register
        bool changes_nothing = false; ///< what a call brings along is the same before and after it, and it cannot fail
        bool refused = false;         ///< the kernel takes no probe there
        bool long_nop = false;        ///< of five bytes
        bool returns = false;
        bool checks_stack = false; ///< compares with the limit that Go keeps of a stack
        bool jumps_below = false;
    };

    bool is_jumped_into(uint32_t first, uint32_t last, bool tables) const;

    std::vector<uint32_t> offsets_;
    std::vector<Facts> facts_;
    std::vector<Exit> exits_;
    std::vector<uint32_t> targets_; ///< of jumps and calls in it, sorted
    bool jumps_anywhere_ = false;   ///< it has jumps whose target is not in the code
    bool is_whole_ = false;         ///< all bytes are instructions
};

/// Does a call seem to lead to the first byte of the function?
bool may_call_itself(std::span<const uint8_t> function);

} // namespace dt::probes
