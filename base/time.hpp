// Times in nanoseconds, and the names of time units.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string_view>

namespace dt {

/// number of nanoseconds in a millisecond and in a second
inline constexpr uint64_t kMillisecond = 1'000'000, kSecond = 1'000'000'000;

inline int64_t nanoseconds(const timespec& time)
{
    return static_cast<int64_t>(time.tv_sec) * static_cast<int64_t>(kSecond) + time.tv_nsec;
}

inline int64_t now_ns(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return nanoseconds(now);
}

/// Returns the nanoseconds of CLOCK_MONOTONIC, as the kernel's bpf_ktime_get_ns() does.
inline uint64_t now_monotonic()
{
    return static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
}

/// Returns the nanoseconds of a unit: "ns", "nsec", "us" … "d", "day", in lower or upper case. Returns nothing for
/// other words.
std::optional<uint64_t> time_unit(std::string_view word);

} // namespace dt
