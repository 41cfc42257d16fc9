// Detects overdue timer ticks. The times at which ticks are due are computed from the period, so a system call is
// needed only to repeat an overdue tick.
#include "probes/attach/missed_ticks.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace dt::probes {
namespace {

constexpr int64_t kGrace = 20'000'000;    ///< lateness in ns that is normal for ticks on a busy machine
constexpr uint64_t kAskEvery = 1'000'000; ///< interval in ns between attempts to repeat an overdue tick
constexpr uint64_t kNoLimit = ~uint64_t{0};
/// number of consecutive punctual ticks after which checks become rarer
constexpr int64_t kSteady = 16;
constexpr int64_t kMaxPatience = 1'000'000'000; ///< longest interval between checks in ns

} // namespace

MissedTick::~MissedTick()
{
    close_event();
}

int64_t MissedTick::now()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void MissedTick::begin(int cpu)
{
    if (cpu != cpu_)
        close_event();
    stop_requesting();
    cpu_ = cpu;
    began_ = now();
    before_ = late_ = static_cast<int64_t>(tick_.ran);
}

void MissedTick::check(int64_t time)
{
    const auto ran = static_cast<int64_t>(tick_.ran);
    if (is_requested_) {
        if (static_cast<uint64_t>(ran) >= tick_.limit)
            stop_requesting();
        return;
    }
    const int64_t due = time < began_ + kGrace ? 0 : (time - began_ - kGrace) / period_;
    if (ran >= before_ + due)
        return;
    // several overdue ticks are repeated by a single one; after it has run, none of them counts as missing
    before_ = ran + 1 - due;
    late_ = ran;
    request_tick();
}

/// Returns the ns after which a tick that has not run counts as overdue. A check takes place this long after each tick
/// is due.
int64_t MissedTick::patience() const
{
    const bool is_steady = static_cast<int64_t>(tick_.ran) - late_ >= kSteady;
    return is_steady ? std::clamp(period_, kGrace, kMaxPatience) : kGrace;
}

int64_t MissedTick::until_tick_is_late(int64_t time) const
{
    if (is_requested_)
        return 0;
    const int64_t came = static_cast<int64_t>(tick_.ran) - before_;
    // the value is 0 or less if the period is years long
    const int64_t most = (INT64_MAX - began_ - patience()) / period_;
    if (came + 1 > most)
        return INT64_MAX;
    return std::max<int64_t>(began_ + patience() + (came + 1) * period_ - time, 0);
}

void MissedTick::request_tick()
{
    if (event_ < 0)
        event_ = open_(cpu_, kAskEvery);
    if (event_ < 0)
        return; // without an event, the overdue tick cannot be repeated
    tick_.limit = tick_.ran + 1;
    is_requested_ = ioctl(event_, PERF_EVENT_IOC_ENABLE, 0) == 0;
    if (!is_requested_)
        tick_.limit = kNoLimit;
}

void MissedTick::stop_requesting()
{
    if (!is_requested_)
        return;
    ioctl(event_, PERF_EVENT_IOC_DISABLE, 0);
    tick_.limit = kNoLimit;
    is_requested_ = false;
}

void MissedTick::close_event()
{
    stop_requesting();
    if (event_ >= 0)
        close(std::exchange(event_, -1));
}

} // namespace dt::probes
