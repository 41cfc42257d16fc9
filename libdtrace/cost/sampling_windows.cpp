#include "libdtrace/cost/sampling_windows.hpp"

#include <cmath>
#include <ctime>

namespace dt {

namespace {

constexpr uint64_t kRoundNs = 500 * kMillisecond;
constexpr uint64_t kCheckInterval = 100 * kMillisecond; // time in ns between checks in a round without sampling windows
// Interval between checks of the firing rates at the start of a trace. It is short because the rate may be high from
// the beginning.
constexpr uint64_t kFirstCheckInterval = 10 * kMillisecond;
// Counters that need at most this number of bytes stay mapped between reads, because mapping them costs more than
// reading them.
constexpr std::size_t kStaysShown = 64 << 10;
// Counters that need more than this number of bytes always stay mapped, because mapping so many pages for each read
// would dominate the tracer's reported cost.
constexpr std::size_t kMaxHidden = 1 << 20;
constexpr uint64_t kSpeedInterval = kRoundNs * 4 / 5; // minimum interval between measurements of CPU speeds
// The speed of a CPU is measured again only if probes fired there at least this many times since the last measurement.
constexpr uint64_t kMinFiringsOfSpeed = 200;
// If fewer firings than this occurred on a CPU, an older measurement of its speed is precise enough. A new measurement
// takes 0.1 ms.
constexpr uint64_t kFiringsOfEachSpeed = 10'000;
constexpr uint64_t kRareSpeedInterval = 10 * kSecond;
constexpr int kMaxSpeedsAtOnce = 4; // maximum number of CPUs whose speed is measured in one check
// If the trace has more counters than this, a round (a period with at most one window) takes longer than kRoundNs,
// because each round reads all counters.
constexpr std::size_t kReadInRound = 1 << 15;

void hide_until_read(SharedMap& memory)
{
    if (memory.size() > kStaysShown && memory.size() <= kMaxHidden)
        memory.hide();
}

} // namespace

/// Ends a round, a period with at most one sampling window. The weight of its firings is computed from the actual
/// lengths of round and window, because a tracer on a busy machine may end them late.
void WindowedCounts::end_round(double ns, double firings)
{
    if (ns <= 0)
        return;
    const double window_weight = sampled_ && window_ > 0 ? ns / (window_ * kWeight) : 1;
    const double rate = firings * window_weight / ns;
    if (sampled_) {
        elapsed_ += ns;
        weighted_ += firings;
        firings_ += firings * window_weight;
        ++rounds_;
        sum_ += rate;
        squares_ += rate * rate;
    }
    window_ = 0;
    const double seldom = kLowRate * (sampled_ ? kLowRateAgain : 1) / static_cast<double>(kSecond);
    sampled_ = rate > seldom;
}

consume::SampledCount WindowedCounts::estimate(double running) const
{
    consume::SampledCount estimate;
    estimate.weight = kWeight;
    if (weighted_ <= 0)
        return estimate;
    const bool is_due = sampled_ && window_ == 0; // whether the current round has not reached its sampling window yet
    estimate.factor = firings_ / weighted_ * (is_due ? (elapsed_ + running) / elapsed_ : 1);
    const double mean = sum_ / rounds_;
    if (rounds_ > 1)
        estimate.error = std::sqrt(std::max(squares_ / rounds_ - mean * mean, 0.0) / (rounds_ - 1)) / mean;
    return estimate;
}

Result<void> SamplingWindows::open(const LoadedMaps& maps, volatile dt_state& state)
{
    const LoadedMap* const costs = maps.section(DT_SECTION_COSTS);
    if (!costs)
        return {};
    for (std::size_t i = 0; i < schema_.counted.size(); ++i)
        if (const auto timing_switch = schema_.counted[i].timing_switch)
            places_[*timing_switch].push_back(static_cast<uint32_t>(i));
    for (std::size_t i = 0; i < schema_.others.size(); ++i)
        places_[DT_TIMING_SWITCH_OTHER].push_back(static_cast<uint32_t>(schema_.counted.size() + i));
    for (const auto& each : places_)
        counters_ += each.size() * schema_.cost_sets;
    if (counters_ == 0)
        return {};
    if (Result<void> opened = memory_.open(*costs, 1); !opened)
        return opened;
    hide_until_read(memory_);
    state_ = &state;
    phase_ = Phase::Whole;
    began_ = now_monotonic();
    opened_ = began_;
    due_ = began_ + kFirstCheckInterval;
    return {};
}

uint64_t SamplingWindows::round_ns() const
{
    return kRoundNs * (1 + counters_ / kReadInRound);
}

/// Returns the time in ns until the next check of firing rates, in a round without sampling windows.
uint64_t SamplingWindows::until_check(uint64_t now) const
{
    const uint64_t interval = now < opened_ + kCheckInterval ? kFirstCheckInterval : kCheckInterval;
    return std::max(interval * (1 + counters_ / kReadInRound), low_rate_.lasts(now));
}

bool SamplingWindows::samples() const
{
    return std::any_of(books_.begin(), books_.end(), [](const WindowedCounts& each) { return each.is_sampled(); });
}

/// If the trace is still active (DT_ACTIVE), turns off a timing switch, so that programs stop counting. When the trace
/// stops being active, other code turns on all switches. To avoid a race with that code, this function first turns off
/// the switch and then checks whether the trace is active.
void SamplingWindows::turn_off(std::size_t timing_switch)
{
    __atomic_store_n(&state_->timing_switches[timing_switch].off, DT_ACTIVE, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&state_->activity, __ATOMIC_SEQ_CST) != DT_ACTIVE)
        turn_on(timing_switch);
}

void SamplingWindows::turn_on(std::size_t timing_switch)
{
    __atomic_store_n(&state_->timing_switches[timing_switch].off, 0, __ATOMIC_SEQ_CST);
}

void SamplingWindows::begin_window()
{
    for (std::size_t i = 0; i < DT_TIMING_SWITCHES; ++i)
        if (books_[i].is_sampled())
            turn_on(i);
    phase_ = Phase::Within;
    window_began_ = now_monotonic();
    due_ = window_began_ + round_ns() / WindowedCounts::kWeight;
}

void SamplingWindows::end_window()
{
    const uint64_t now = now_monotonic();
    for (std::size_t i = 0; i < DT_TIMING_SWITCHES; ++i)
        if (books_[i].is_sampled()) {
            turn_off(i);
            books_[i].add_window(static_cast<double>(now - window_began_));
        }
    phase_ = Phase::Behind;
    due_ = began_ + round_ns();
}

bool SamplingWindows::read(Firings& fired)
{
    if (!memory_.show())
        return false;
    const auto* const costs = static_cast<const dt_cost*>(memory_.memory());
    const std::size_t places = schema_.counted.size() + schema_.others.size();
    std::vector<uint64_t> on(schema_.cost_sets);
    for (std::size_t i = 0; i < DT_TIMING_SWITCHES; ++i)
        for (uint32_t set = 0; set < schema_.cost_sets; ++set)
            for (const uint32_t place : places_[i]) {
                const uint64_t here = costs[set * places + place].fired;
                fired[i] += here;
                on[set] += i == DT_TIMING_SWITCH_OTHER ? 0 : here;
            }
    hide_until_read(memory_);
    measure_cpu_speed(now_monotonic(), on);
    return true;
}

/// Measures the speed of the CPUs on which probes fire, because hook overhead depends on it. In the mean speed, each
/// measurement is weighted by the CPU's firings since its previous measurement.
void SamplingWindows::measure_cpu_speed(uint64_t now, const std::vector<uint64_t>& fired)
{
    // The speed of a CPU can be measured only if each CPU has a counter set of its own.
    if (now < speed_measured_ + kSpeedInterval || fired.size() < 2)
        return;
    fired_on_.resize(fired.size());
    int asked = 0;
    for (std::size_t i = 0; i < fired.size() && asked < kMaxSpeedsAtOnce; ++i) {
        const std::size_t cpu = next_measured_cpu_++ % fired.size();
        const uint64_t came = fired[cpu] - fired_on_[cpu];
        if (came < kMinFiringsOfSpeed)
            continue;
        fired_on_[cpu] = fired[cpu];
        ++asked;
        const uint64_t holds = came < kFiringsOfEachSpeed ? kRareSpeedInterval : kSpeedInterval;
        if (const double speed = cpu_speeds_.on(static_cast<uint32_t>(cpu), now, holds); speed > 0) {
            sum_of_speeds_ += speed * static_cast<double>(came);
            measured_firings_ += static_cast<double>(came);
        }
    }
    speed_measured_ = asked > 0 ? now : speed_measured_;
}

/// Reads the counters. Ends a round without windows early if many firings were counted, so that the next round can use
/// windows.
void SamplingWindows::check(uint64_t now)
{
    Firings fired{};
    due_ = now + round_ns();
    if (!read(fired)) // the counters cannot be mapped now, so they are read in the next round
        return;
    const double enough = WindowedCounts::kLowRate * kRoundNs / kSecond;
    bool is_enough = false;
    for (std::size_t i = 0; i < DT_TIMING_SWITCHES; ++i) {
        const auto came = static_cast<double>(fired[i] - seen_[i]);
        is_enough |= came > enough;
        low_rate_.saw(came, now - began_, now);
    }
    if (phase_ == Phase::Whole && !is_enough && now < began_ + round_ns())
        due_ = now + until_check(now);
    else
        end_round(now, fired);
}

void SamplingWindows::end_round(uint64_t now, const Firings& fired)
{
    for (std::size_t i = 0; i < DT_TIMING_SWITCHES; ++i) {
        const bool was_sampled = books_[i].is_sampled();
        books_[i].end_round(static_cast<double>(now - began_), static_cast<double>(fired[i] - seen_[i]));
        if (books_[i].is_sampled() != was_sampled)
            change(i);
    }
    seen_ = fired;
    began_ = now;
    phase_ = samples() ? Phase::Before : Phase::Whole;
    due_ = now + (phase_ == Phase::Whole ? until_check(now)
                                         : std::uniform_int_distribution<uint64_t>(
                                               0, round_ns() - round_ns() / WindowedCounts::kWeight)(random_));
}

/// Switches from counting all firings to counting in windows, or back. Must not be called during a window.
void SamplingWindows::change(std::size_t timing_switch)
{
    const bool is_sampled = books_[timing_switch].is_sampled();
    if (is_sampled)
        turn_off(timing_switch);
    state_->timing_switches[timing_switch].extra_weight = is_sampled ? WindowedCounts::kWeight - 1 : 0;
    state_->timing_switches[timing_switch].weight = is_sampled ? WindowedCounts::kWeight : 0;
    if (!is_sampled)
        turn_on(timing_switch);
}

void SamplingWindows::act()
{
    const uint64_t now = now_monotonic();
    if (now < due_)
        return;
    switch (phase_) {
    case Phase::Before:
        return begin_window();
    case Phase::Within:
        return end_window();
    case Phase::Whole:
    case Phase::Behind:
        return check(now);
    }
}

void SamplingWindows::finish()
{
    if (due_ == UINT64_MAX)
        return;
    ended_ = now_monotonic();
    if (phase_ == Phase::Within)
        end_window();
    // In a round with a sampling window, programs count no firings before the window. So this round is evaluated only
    // if its window has ended.
    if (phase_ == Phase::Behind)
        check(ended_);
    due_ = UINT64_MAX;
}

consume::CostEstimate SamplingWindows::estimates() const
{
    consume::CostEstimate all;
    all.speed = measured_firings_ > 0 ? sum_of_speeds_ / measured_firings_ : 0;
    const uint64_t now = ended_ != 0 ? ended_ : now_monotonic();
    for (std::size_t i = 0; i < DT_TIMING_SWITCHES; ++i)
        all.timing_switches[i] = books_[i].estimate(phase_ == Phase::Within ? 0 : static_cast<double>(now - began_));
    return all;
}

void SamplingWindows::force(bool is_on)
{
    if (!state_)
        return;
    due_ = UINT64_MAX;
    for (std::size_t i = 0; i < DT_TIMING_SWITCHES; ++i) {
        state_->timing_switches[i].extra_weight = WindowedCounts::kWeight - 1;
        is_on ? turn_on(i) : turn_off(i);
    }
}

} // namespace dt
