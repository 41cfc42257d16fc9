// What a run's steps work on, in a layout that compiled code can address: plain structures, nothing in them moves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/kernel_abi.hpp"

namespace dt::vm {

class Interpreter;

inline constexpr uint32_t kStackSize = abi::kMostStack; ///< of one frame, and of a chain of calls together
inline constexpr uint32_t kMostFrames = 8;              ///< MAX_CALL_FRAMES

/// One function's activation. R10 points behind `stack`.
struct Frame {
    uint32_t return_pc = 0;
    std::array<uint64_t, 4> saved{}; ///< R6-R9 of the caller
    uint16_t saved_live = 0;
    uint32_t depth = 0; ///< bytes of stack used so far; in compiled code what the function uses at most
    uint32_t dirty = 0; ///< no byte below these (from the top) is marked in `written`
    alignas(
        16) std::array<uint8_t, kStackSize> written{}; ///< 0xff for each stack byte that was, from the lowest address
    alignas(16) std::array<uint8_t, kStackSize> stack{};
};

/// Compiled code holds its address in a register.
struct Machine {
    Interpreter* owner = nullptr;
    std::array<uint64_t, 11> registers{};
    std::array<uint64_t, 5> arguments{}; ///< of the helper that is called
    int64_t remaining = 0;               ///< instructions of the budget that are left
    uint64_t depth = 0;                  ///< frames in use
    /// The region that an unproven load or store met last, for the next one: its first byte, and how many of its bytes
    /// begin a word of 8 that is all inside.
    uint64_t load_base = 0, load_room = 0, store_base = 0, store_room = 0;
    uint32_t failed = 0;
};

// What ld_imm64 puts into a register for a map and for a function: no memory is there.
inline constexpr uint64_t kMapReference = 0x6d61700000000000;
inline constexpr uint64_t kFunctionReference = 0x66756e0000000000;
inline constexpr uint64_t kReferenceMask = 0xffffffff;

static_assert(std::is_standard_layout_v<Frame> && std::is_standard_layout_v<Machine>);

} // namespace dt::vm
