// Constants of the kernel's interface that headers of older kernels lack (include/uapi/linux/bpf.h), and limits without
// a header.
#pragma once

#include <cstdint>

namespace dt::abi {

// enum bpf_attach_type
inline constexpr uint32_t kTraceUprobeMulti = 48;   ///< since 6.6
inline constexpr uint32_t kTraceKprobeSession = 56; ///< since 6.10
inline constexpr uint32_t kTraceFentryMulti = 59;   ///< since 7.2

// enum bpf_link_type
inline constexpr uint32_t kLinkOfPerfEvent = 7;
inline constexpr uint32_t kLinkOfKprobeMulti = 8;

// enum bpf_perf_event_type
inline constexpr uint32_t kEventKprobe = 3;
inline constexpr uint32_t kEventKretprobe = 4;

// Instruction modes of the BPF instruction set standard (RFC 9669), since 6.6.
inline constexpr uint8_t kModeMemSx = 0x80; ///< a sign-extending load

// Arguments of helpers.
inline constexpr int64_t kCurrentCpu = 0xffffffff; ///< BPF_F_CURRENT_CPU
inline constexpr int64_t kUserStack = 256;         ///< BPF_F_USER_STACK
inline constexpr int64_t kNoWakeup = 1;            ///< BPF_RB_NO_WAKEUP
inline constexpr int64_t kForceWakeup = 2;         ///< BPF_RB_FORCE_WAKEUP

inline constexpr int64_t kMostStack =
    512; ///< MAX_BPF_STACK: bytes of a program's stack, including the functions that it calls

} // namespace dt::abi
