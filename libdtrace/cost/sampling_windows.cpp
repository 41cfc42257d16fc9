#include "libdtrace/cost/sampling_windows.hpp"

#include <cmath>
#include <ctime>

namespace dt {

namespace {

constexpr uint64_t kRoundNs = 500 * kMillisecond;
constexpr uint64_t kLooks = 100 * kMillisecond; // check interval in a round without windows
// check interval at the start, because a trace may start on a busy machine
constexpr uint64_t kFirstLooks = 10 * kMillisecond;
// bytes; smaller counters stay mapped, because mapping costs more than reading
constexpr std::size_t kStaysShown = 64 << 10;
// bytes; larger counters (all functions) stay mapped, because mapping would be most of the reported cost
constexpr std::size_t kMostHidden = 1 << 20;
constexpr uint64_t kPaceNs = kRoundNs * 4 / 5; // minimum interval between measurements of CPU speeds
constexpr uint64_t kFiringsOfPace = 200;       // firings on a CPU for which its speed matters
// with fewer firings an older speed suffices, because measuring takes 0.1 ms
constexpr uint64_t kFiringsOfPaceNow = 10'000;
constexpr uint64_t kSeldomPaceNs = 10 * kSecond;
constexpr int kPacesAtOnce = 4;               // CPUs whose speed is measured at a time
constexpr std::size_t kReadInRound = 1 << 15; // counters read per round; with more counters rounds are longer

void hide_until_read(SharedMap& memory)
{
    if (memory.size() > kStaysShown && memory.size() <= kMostHidden)
        memory.hide();
}

} // namespace

/// Ends a round. Its weight follows from its actual length and window, because a busy tracer is late.
void GateBook::end_round(double ns, double firings)
{
    if (ns <= 0)
        return;
    const double stands_for = sampled_ && window_ > 0 ? ns / (window_ * kWeight) : 1;
    const double rate = firings * stands_for / ns;
    if (sampled_) {
        elapsed_ += ns;
        stood_for_ += firings;
        firings_ += firings * stands_for;
        ++rounds_;
        sum_ += rate;
        squares_ += rate * rate;
    }
    window_ = 0;
    const double seldom = kSeldom * (sampled_ ? kSeldomAgain : 1) / static_cast<double>(kSecond);
    sampled_ = rate > seldom;
}

consume::GateEstimate GateBook::estimate(double running) const
{
    consume::GateEstimate estimate;
    estimate.weight = kWeight;
    if (stood_for_ <= 0)
        return estimate;
    const bool is_due = sampled_ && window_ == 0; // no window represents the current round yet
    estimate.factor = firings_ / stood_for_ * (is_due ? (elapsed_ + running) / elapsed_ : 1);
    const double mean = sum_ / rounds_;
    if (rounds_ > 1)
        estimate.error = std::sqrt(std::max(squares_ / rounds_ - mean * mean, 0.0) / (rounds_ - 1)) / mean;
    return estimate;
}

Result<void> CostGates::open(const LoadedMaps& maps, volatile dt_state& state)
{
    const LoadedMap* const costs = maps.section(DT_SECTION_COSTS);
    if (!costs)
        return {};
    for (std::size_t i = 0; i < schema_.counted.size(); ++i)
        if (const auto gate = schema_.counted[i].gate)
            places_[*gate].push_back(static_cast<uint32_t>(i));
    for (std::size_t i = 0; i < schema_.others.size(); ++i)
        places_[DT_GATE_OF_OTHERS].push_back(static_cast<uint32_t>(schema_.counted.size() + i));
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
    due_ = began_ + kFirstLooks;
    return {};
}

uint64_t CostGates::round_ns() const
{
    return kRoundNs * (1 + counters_ / kReadInRound);
}

/// Returns the time until the next check in a round without windows.
uint64_t CostGates::until_look(uint64_t now) const
{
    const uint64_t looks = now < opened_ + kLooks ? kFirstLooks : kLooks;
    return std::max(looks * (1 + counters_ / kReadInRound), calm_.lasts(now));
}

bool CostGates::samples() const
{
    return std::any_of(books_.begin(), books_.end(), [](const GateBook& each) { return each.is_sampled(); });
}

/// Closes a counting switch. Code that ends DT_ACTIVE opens all switches afterwards, so the switch is closed before the
/// activity is checked.
void CostGates::close(std::size_t gate)
{
    __atomic_store_n(&state_->gates[gate].closed, DT_ACTIVE, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&state_->activity, __ATOMIC_SEQ_CST) != DT_ACTIVE)
        open(gate);
}

void CostGates::open(std::size_t gate)
{
    __atomic_store_n(&state_->gates[gate].closed, 0, __ATOMIC_SEQ_CST);
}

void CostGates::begin_window()
{
    for (std::size_t i = 0; i < DT_GATES; ++i)
        if (books_[i].is_sampled())
            open(i);
    phase_ = Phase::Within;
    window_began_ = now_monotonic();
    due_ = window_began_ + round_ns() / GateBook::kWeight;
}

void CostGates::end_window()
{
    const uint64_t now = now_monotonic();
    for (std::size_t i = 0; i < DT_GATES; ++i)
        if (books_[i].is_sampled()) {
            close(i);
            books_[i].add_window(static_cast<double>(now - window_began_));
        }
    phase_ = Phase::Behind;
    due_ = began_ + round_ns();
}

bool CostGates::read(Firings& fired)
{
    if (!memory_.show())
        return false;
    const auto* const costs = static_cast<const dt_cost*>(memory_.memory());
    const std::size_t places = schema_.counted.size() + schema_.others.size();
    std::vector<uint64_t> on(schema_.cost_sets);
    for (std::size_t i = 0; i < DT_GATES; ++i)
        for (uint32_t set = 0; set < schema_.cost_sets; ++set)
            for (const uint32_t place : places_[i]) {
                const uint64_t here = costs[set * places + place].fired;
                fired[i] += here;
                on[set] += i == DT_GATE_OF_OTHERS ? 0 : here;
            }
    hide_until_read(memory_);
    look_at_paces(now_monotonic(), on);
    return true;
}

/// Measures the speed of the CPUs on which probes fire, because hook overhead depends on it. Each speed is weighted by
/// the CPU's firings since its last measurement.
void CostGates::look_at_paces(uint64_t now, const std::vector<uint64_t>& fired)
{
    if (now < paced_ + kPaceNs || fired.size() < 2) // speeds need counters per CPU
        return;
    fired_on_.resize(fired.size());
    int asked = 0;
    for (std::size_t i = 0; i < fired.size() && asked < kPacesAtOnce; ++i) {
        const std::size_t cpu = next_pace_++ % fired.size();
        const uint64_t came = fired[cpu] - fired_on_[cpu];
        if (came < kFiringsOfPace)
            continue;
        fired_on_[cpu] = fired[cpu];
        ++asked;
        const uint64_t holds = came < kFiringsOfPaceNow ? kSeldomPaceNs : kPaceNs;
        if (const double pace = paces_.on(static_cast<uint32_t>(cpu), now, holds); pace > 0) {
            sum_of_paces_ += pace * static_cast<double>(came);
            paced_firings_ += static_cast<double>(came);
        }
    }
    paced_ = asked > 0 ? now : paced_;
}

/// Reads the counters. A round without windows ends early if the next one needs windows.
void CostGates::look(uint64_t now)
{
    Firings fired{};
    due_ = now + round_ns();
    if (!read(fired)) // the counters cannot be mapped now; retried in the next round
        return;
    const double enough = GateBook::kSeldom * kRoundNs / kSecond;
    bool is_enough = false;
    for (std::size_t i = 0; i < DT_GATES; ++i) {
        const auto came = static_cast<double>(fired[i] - seen_[i]);
        is_enough |= came > enough;
        calm_.saw(came, now - began_, now);
    }
    if (phase_ == Phase::Whole && !is_enough && now < began_ + round_ns())
        due_ = now + until_look(now);
    else
        end_round(now, fired);
}

void CostGates::end_round(uint64_t now, const Firings& fired)
{
    for (std::size_t i = 0; i < DT_GATES; ++i) {
        const bool was_sampled = books_[i].is_sampled();
        books_[i].end_round(static_cast<double>(now - began_), static_cast<double>(fired[i] - seen_[i]));
        if (books_[i].is_sampled() != was_sampled)
            change(i);
    }
    seen_ = fired;
    began_ = now;
    phase_ = samples() ? Phase::Before : Phase::Whole;
    due_ =
        now + (phase_ == Phase::Whole
                   ? until_look(now)
                   : std::uniform_int_distribution<uint64_t>(0, round_ns() - round_ns() / GateBook::kWeight)(random_));
}

/// Switches between counting all firings and counting in windows. No window may be open.
void CostGates::change(std::size_t gate)
{
    const bool is_sampled = books_[gate].is_sampled();
    if (is_sampled)
        close(gate);
    state_->gates[gate].more = is_sampled ? GateBook::kWeight - 1 : 0;
    state_->gates[gate].sampled = is_sampled ? GateBook::kWeight : 0;
    if (!is_sampled)
        open(gate);
}

void CostGates::act()
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
        return look(now);
    }
}

void CostGates::finish()
{
    if (due_ == UINT64_MAX)
        return;
    ended_ = now_monotonic();
    if (phase_ == Phase::Within)
        end_window();
    if (phase_ == Phase::Behind) // in any other phase no window represents this round
        look(ended_);
    due_ = UINT64_MAX;
}

consume::CostEstimate CostGates::estimates() const
{
    consume::CostEstimate all;
    all.pace = paced_firings_ > 0 ? sum_of_paces_ / paced_firings_ : 0;
    const uint64_t now = ended_ != 0 ? ended_ : now_monotonic();
    for (std::size_t i = 0; i < DT_GATES; ++i)
        all.gates[i] = books_[i].estimate(phase_ == Phase::Within ? 0 : static_cast<double>(now - began_));
    return all;
}

void CostGates::force(bool is_open)
{
    if (!state_)
        return;
    due_ = UINT64_MAX;
    for (std::size_t i = 0; i < DT_GATES; ++i) {
        state_->gates[i].more = GateBook::kWeight - 1;
        is_open ? open(i) : close(i);
    }
}

} // namespace dt
