// Data of a run that the interpreter and compiled code share. Compiled code uses fixed offsets, so these are plain
// structures that never move.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/kernel_abi.hpp"

namespace dt::vm {

class Interpreter;

/// Maximum number of stack bytes: of one frame, and of all frames in a chain of calls together.
inline constexpr uint32_t kStackSize = abi::kMaxStack;
inline constexpr uint32_t kMaxFrames = 8; ///< maximum number of frames, as MAX_CALL_FRAMES in the kernel

/// Activation record of a function. R10 points to the end of `stack`.
struct Frame {
    uint32_t return_pc = 0;
    std::array<uint64_t, 4> saved{}; ///< saved registers R6 to R9 of the caller
    uint16_t saved_live = 0;
    /// number of stack bytes that the frame uses so far; in compiled code, the maximum of the function
    uint32_t depth = 0;
    /// Distance in bytes from the top of the stack beyond which no byte is marked in `written`.
    uint32_t dirty = 0;
    /// 0xff for each written stack byte, from the lowest address.
    alignas(16) std::array<uint8_t, kStackSize> written{};
    alignas(16) std::array<uint8_t, kStackSize> stack{};
};

/// State whose address compiled code holds in a register.
struct VmState {
    Interpreter* owner = nullptr;
    std::array<uint64_t, 11> registers{};
    std::array<uint64_t, 5> arguments{}; ///< arguments of the helper being called
    int64_t remaining = 0;               ///< number of instructions that the run may still execute
    uint64_t depth = 0;                  ///< number of elements of `frames` that are in use
    /// Bounds of two regions: the one of the last load, and the one of the last store, that was checked at run time.
    /// …_base is the start address. …_room is the number of offsets from there at which an 8-byte word fits.
    uint64_t load_base = 0, load_room = 0, store_base = 0, store_room = 0;
    uint32_t failed = 0;
};

// Values that ld_imm64 loads for a map or a function; no memory is at these addresses.
inline constexpr uint64_t kMapReference = 0x6d61700000000000;
inline constexpr uint64_t kFunctionReference = 0x66756e0000000000;
inline constexpr uint64_t kReferenceMask = 0xffffffff;

static_assert(std::is_standard_layout_v<Frame> && std::is_standard_layout_v<VmState>);

} // namespace dt::vm
