// Ids of BPF helpers, map types and map flags in the IR: Instr::imm of CallHelper, Map::type and Map::flags. Source:
// enum bpf_func_id, enum bpf_map_type (linux/bpf.h).
#pragma once

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

inline constexpr uint32_t kNoPrealloc = 1;  // BPF_F_NO_PREALLOC
inline constexpr uint32_t kMmapable = 1024; // BPF_F_MMAPABLE
using abi::kCurrentCpu;
using abi::kForceWakeup;
using abi::kMostStack;
using abi::kNoWakeup;
using abi::kUserStack;

} // namespace dt::ir::bpf
