// The kernel's interface in the IR: ids of BPF helpers, map types and map flags (Instr::imm of CallHelper, Map::type
// and Map::flags), and the effects of helpers on memory. Source of the ids: enum bpf_func_id, enum bpf_map_type
// (linux/bpf.h).
#pragma once

#include <array>
#include <cstdint>

#include "base/kernel_abi.hpp"

namespace dt::ir::bpf {

enum Helper : int32_t {
    kMapLookup = 1,
    kMapUpdate = 2,
    kMapDelete = 3,
    kKtimeGetNs = 5,
    kGetPrandomU32 = 7,
    kGetSmpProcessorId = 8,
    kTailCall = 12,
    kGetCurrentPidTgid = 14,
    kGetCurrentUidGid = 15,
    kGetCurrentComm = 16,
    kPerfEventOutput = 25,
    kGetCurrentTask = 35,
    kProbeWriteUser = 36,
    kCurrentTaskUnderCgroup = 37,
    kOverrideReturn = 58,
    kGetStack = 67,
    kGetCurrentCgroupId = 80,
    kSendSignal = 109,
    kProbeReadUser = 112,
    kProbeReadKernel = 113,
    kProbeReadUserStr = 114,
    kProbeReadKernelStr = 115,
    kGetNsCurrentPidTgid = 120,
    kKtimeGetBootNs = 125,
    kSeqWrite = 127,
    kRingbufOutput = 130,
    kTaskStorageGet = 156,
    kGetCurrentTaskBtf = 158,
    kGetFuncIp = 173,
    kAttachCookie = 174,
    kTaskPtRegs = 175,
    kStrncmp = 182,
    kGetFuncArg = 183,
};

enum MapType : uint32_t {
    kMapHash = 1,
    kMapArray = 2,
    kMapProgArray = 3,
    kMapPerfEventArray = 4,
    kMapPercpuHash = 5,
    kMapPercpuArray = 6,
    kMapCgroupArray = 8,
    kMapLruHash = 9,
    kMapArrayOfMaps = 12,
    kMapRingbuf = 27,
    kMapTaskStorage = 29,
};

inline constexpr uint32_t kNoPrealloc = 1;  // the kernel's BPF_F_NO_PREALLOC
inline constexpr uint32_t kMmapable = 1024; // the kernel's BPF_F_MMAPABLE
using abi::kCurrentCpu;
using abi::kForceWakeup;
using abi::kMaxStack;
using abi::kNoWakeup;
using abi::kUserStack;

} // namespace dt::ir::bpf

// Table of the effects of kernel helpers on memory, used by passes and the checker.

namespace dt::ir {

struct Instr;

/// Memory that a helper accesses through an argument: index of the argument, and number of bytes.
struct HelperAccess {
    enum class Size : uint8_t {
        None,     ///< the helper accesses no memory through this argument
        Key,      ///< the memory is a key of the map in argument 0
        Value,    ///< the memory is a value of the map in argument 0
        Argument, ///< argument `length` contains the size of the memory in bytes
    };
    Size size = Size::None;
    uint8_t pointer = 0;
    uint8_t length = 0;
};

/// Effect of a helper call on the elements of the map in argument 0.
enum class MapUse : uint8_t { None, Reads, Changes };

struct HelperEffects {
    bpf::Helper helper;
    /// Whether the result depends only on the operands, the thread and the CPU, so that it does not change during a
    /// firing.
    bool steady = false;
    /// whether the call has no effect besides its result, and can be removed if the result is unused
    bool removable = false;
    /// whether the kernel replaces the call by instructions; for calls with a map, only for some types of maps
    bool replaced = false;
    MapUse map = MapUse::None;
    std::array<HelperAccess, 2> reads{};
    HelperAccess writes{};
    bool writes_all = false; ///< whether the helper always writes all bytes of its destination
    bool known = true;       ///< whether the table of effects contains the helper
};

/// Returns the effects of a helper from the table. For a helper that is not in the table, returns a description with
/// all possible effects.
const HelperEffects& effects(int64_t helper);
/// Returns the effects of a helper call, or null for other instructions.
const HelperEffects* effects(const Instr& instr);

} // namespace dt::ir
