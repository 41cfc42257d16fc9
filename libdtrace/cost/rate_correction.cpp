#include "libdtrace/cost/rate_correction.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dt {

namespace {

// The firing rate between attaching and detaching is computed only if at least this many firings occurred in that time.
constexpr double kFirings = 1000;
constexpr double kRateWindowNs = 2.5e6; // short sampling windows are combined until their CPU time is at least this
// maximum weight that all earlier sampling gaps (or windows) have together, as a multiple of the last one's weight
constexpr double kFormerOnes = 4;

/// Returns a factor of at most 1 that reduces sums over earlier data, so that new data count more. `former` is the
/// length of the earlier data in ns, `piece` the length of the new data.
double part_kept(double former, double piece)
{
    return former > kFormerOnes * piece ? kFormerOnes * piece / former : 1;
}

/// Returns the 97.5 % quantile of Student's t, interpolated over the reciprocal of the degrees of freedom.
double student_quantile(double degrees)
{
    constexpr std::array<double, 10> kFew{12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23};
    if (degrees >= kFew.size())
        return 1.96 + 2.7 / degrees;
    const auto below = static_cast<std::size_t>(std::max(degrees, 1.0));
    const double first = 1 / static_cast<double>(below), second = 1 / static_cast<double>(below + 1);
    const double part = (first - 1 / std::max(degrees, 1.0)) / (first - second);
    return kFew[below - 1] + part * (kFew[below] - kFew[below - 1]);
}

/// Returns the degrees of freedom of a variance that was computed from the differences between consecutive values.
/// Adjacent differences have a value in common, so they are not independent. Therefore the variance of the estimate is
/// (3 n - 1) / n^2 times the squared variance; for independent differences it would be 2 / n times.
double degrees_of_freedom(std::size_t differences)
{
    const auto n = static_cast<double>(differences);
    return 2 * n * n / (3 * n - 1);
}

} // namespace

double window_that_fired(double between, double firings_between, double all, double least, double most)
{
    if (firings_between < kFirings)
        return (least + most) / 2;
    return std::clamp(between * all / firings_between, least, most);
}

void RunningMedian::add(double value)
{
    last_[added_++ % kMaxValues] = value;
}

double RunningMedian::middle(std::size_t last) const
{
    const std::size_t count = std::min({added_, last, kMaxValues});
    if (count == 0)
        return 0;
    std::array<double, kMaxValues> sorted{};
    for (std::size_t i = 0; i < count; ++i)
        sorted[i] = last_[(added_ - 1 - i) % kMaxValues];
    const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(count);
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(sorted.begin(), middle, end);
    return *middle;
}

void CpuLatencyScale::add(double call)
{
    if (call <= 0)
        return;
    const double kept = part_kept(weight_, 1);
    calls_ = calls_ * kept + call;
    weight_ = weight_ * kept + 1;
}

double CpuLatencyScale::factor(double then) const
{
    return weight_ <= 0 || then <= 0 ? 1 : std::clamp(calls_ / weight_ / then, 1 / kMaxSlowCore, kMaxSlowCore);
}

void WindowSpread::add(double firings, double span)
{
    if (span <= 0)
        return;
    const double rate = firings / span, step = rate - last_;
    if (windows_ > 0 || has_first_) {
        steps_ += step * step;
        ++differences_;
    }
    ++windows_;
    last_ = rate;
    last_span_ = span;
    spans_ += span * span;
    firings_ += firings;
}

void WindowSpread::begin(double rate)
{
    if (windows_ > 0)
        return;
    last_ = rate;
    has_first_ = true;
}

void WindowSpread::extend(double firings, double span)
{
    // Adds `span` to the last window's length before squaring: both parts use the rate of this window, so their errors
    // are not independent.
    const double longer = last_span_ + span;
    spans_ += longer * longer - last_span_ * last_span_;
    last_span_ = longer;
    firings_ += firings;
}

double WindowSpread::error() const
{
    if (windows_ < 2)
        return firings_;
    // A step is the difference between the rates of two windows, so the variance of a step is the sum of the variances
    // of both rates.
    const double variance = steps_ / (2 * static_cast<double>(differences_));
    return student_quantile(degrees_of_freedom(differences_)) * std::sqrt(variance * spans_);
}

double part_after_end(double until, double end, double span)
{
    return span <= 0 ? 0 : std::min((until - end) / span, 1.0);
}

void FiringsByCpuTime::add_attached(double ns, double firings, double price)
{
    windows_ += gap_ > 0;
    ns_ += ns;
    firings_ += firings;
    taken_ += firings * price;
    if (ns_ < kRateWindowNs)
        return;
    traced_rate_ = firings_ / ns_;
    rate_ = firings_ / std::max(ns_ - taken_, ns_ / GapRateFactor::kMax);
    settle_gap();
    ns_ = firings_ = taken_ = 0;
}

void FiringsByCpuTime::settle_gap()
{
    if (gap_ <= 0)
        return spread_.begin(traced_rate_);
    in_gaps_ += rate_ * gap_;
    by_overhead_ += (rate_ - traced_rate_) * gap_;
    spread_.add(rate_ * gap_, gap_);
    gap_ = 0;
}

void FiringsByCpuTime::finish()
{
    const double left = std::exchange(gap_, 0);
    in_gaps_ += rate_ * left;
    by_overhead_ += (rate_ - traced_rate_) * left;
    spread_.extend(rate_ * left, left);
}

void GapRateFactor::add_gap(double ns, double idle)
{
    if (ns <= 0)
        return;
    const double kept = part_kept(gaps_, ns);
    gaps_ = gaps_ * kept + ns;
    idle_ = idle_ * kept + std::clamp(idle, 0.0, ns);
}

void GapRateFactor::add_before(double ns, double firings, double price)
{
    before_ = {ns, firings, firings * price};
}

void GapRateFactor::add_window(double ns, double firings, double price)
{
    if (firings <= 0)
        // if a sampling window has no firings, the gap before it is assumed to have none either
        unsettled_ = settled_ = 0;
    if (ns <= 0)
        return;
    const double kept = part_kept(windows_.ns, ns);
    windows_.ns = windows_.ns * kept + ns;
    windows_.firings = windows_.firings * kept + firings;
    windows_.taken = windows_.taken * kept + firings * price;
}

// Returns the firing rate in a gap divided by the rate in a window without idle time. Such a window has 1 / (own +
// price) firings per ns: `own` is the ns per firing without tracing, and `price` the ns that tracing adds. A gap has (1
// - idle) / own firings per ns, where `idle` is its idle fraction.
double GapRateFactor::factor_of(const Attached& attached, double price) const
{
    if (attached.firings <= 0 || gaps_ <= 0)
        return 1;
    const double own = std::max(attached.ns - attached.taken, attached.ns / kMax) / attached.firings;
    return std::clamp((1 - idle_ / gaps_) * (1 + price / own), 1.0, kMax);
}

double GapRateFactor::factor(double price) const
{
    return factor_of(windows_.firings > 0 ? windows_ : before_, price);
}

double GapRateFactor::cold_cache_factor() const
{
    const double idle = gaps_ <= 0 ? 1 : idle_ / gaps_;
    return 1 + (kMaxCold - 1) * idle;
}

double GapRateFactor::window_weight(double window, double scale, double price)
{
    const double gap = window * (scale - 1), more = factor(price);
    if (windows_.firings <= 0) {
        unsettled_ += gap;
        settled_ += gap * more;
        return 1 + gap * more / window;
    }
    const double missed = unsettled_ * more - settled_;
    unsettled_ = settled_ = 0;
    return std::max(1 + (gap * more + missed) / window, 1.0);
}

} // namespace dt
