// Numbers of the kernel's interface that headers of older kernels have not (include/uapi/linux/bpf.h), and limits that
// it has no header for.
#pragma once

#include <cstdint>

namespace dt::abi {

// enum bpf_attach_type
inline constexpr uint32_t kTraceUprobeMulti = 48;   ///< from 6.6 on
inline constexpr uint32_t kTraceKprobeSession = 56; ///< from 6.10 on
inline constexpr uint32_t kTraceFentryMulti = 59;   ///< 7.2 has it

// enum bpf_link_type
inline constexpr uint32_t kLinkOfPerfEvent = 7;
inline constexpr uint32_t kLinkOfKprobeMulti = 8;

// enum bpf_perf_event_type
inline constexpr uint32_t kEventKprobe = 3;
inline constexpr uint32_t kEventKretprobe = 4;

// Of an instruction's code, by the instruction set's standard (RFC 9669): from 6.6 on
inline constexpr uint8_t kModeMemSx = 0x80; ///< a load that extends the sign

// What helpers take
inline constexpr int64_t kCurrentCpu = 0xffffffff; ///< BPF_F_CURRENT_CPU
inline constexpr int64_t kUserStack = 256;         ///< BPF_F_USER_STACK
inline constexpr int64_t kNoWakeup = 1;            ///< BPF_RB_NO_WAKEUP
inline constexpr int64_t kForceWakeup = 2;         ///< BPF_RB_FORCE_WAKEUP

inline constexpr int64_t kMostStack =
    512; ///< MAX_BPF_STACK: bytes of a program's frames, those of its functions together

} // namespace dt::abi
