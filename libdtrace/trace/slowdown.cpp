#include "libdtrace/trace/slowdown.hpp"

#include <algorithm>

namespace dt {

namespace {

constexpr double kFirings = 1000; // of a window, that tell how often they come
constexpr double kFormerOnes = 4; // all former gaps or windows count at most so many times as much as the last

/// By what sums of `former` ns are to be multiplied before another piece is added.
double part_kept(double former, double piece)
{
    return former > kFormerOnes * piece ? kFormerOnes * piece / former : 1;
}

} // namespace

double window_that_fired(double between, double firings_between, double all, double least, double most)
{
    if (firings_between < kFirings)
        return (least + most) / 2;
    return std::clamp(between * all / firings_between, least, most);
}

void Steady::add(double value)
{
    last_[added_++ % kLooks] = value;
}

double Steady::middle(std::size_t last) const
{
    const std::size_t count = std::min({added_, last, kLooks});
    if (count == 0)
        return 0;
    std::array<double, kLooks> sorted{};
    for (std::size_t i = 0; i < count; ++i)
        sorted[i] = last_[(added_ - 1 - i) % kLooks];
    const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(count);
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(sorted.begin(), middle, end);
    return *middle;
}

void Mood::add(double call)
{
    if (call <= 0)
        return;
    const double kept = part_kept(weight_, 1);
    calls_ = calls_ * kept + call;
    weight_ = weight_ * kept + 1;
}

double Mood::factor(double then) const
{
    return weight_ <= 0 || then <= 0 ? 1 : std::clamp(calls_ / weight_ / then, 1 / kMostDear, kMostDear);
}

void Slowdown::add_gap(double ns, double idle)
{
    if (ns <= 0)
        return;
    const double kept = part_kept(gaps_, ns);
    gaps_ = gaps_ * kept + ns;
    idle_ = idle_ * kept + std::clamp(idle, 0.0, ns);
}

void Slowdown::add_before(double ns, double firings, double price)
{
    before_ = {ns, firings, firings * price};
}

void Slowdown::add_window(double ns, double firings, double price)
{
    if (firings <= 0)
        unsettled_ = settled_ = 0; // nothing was missed in the gap before
    if (ns <= 0)
        return;
    const double kept = part_kept(windows_.ns, ns);
    windows_.ns = windows_.ns * kept + ns;
    windows_.firings = windows_.firings * kept + firings;
    windows_.taken = windows_.taken * kept + firings * price;
}

// A window without idle time has 1 / (own + price) firings a ns, and a gap (1 - idle) / own.
double Slowdown::factor_of(const Attached& attached, double price) const
{
    if (attached.firings <= 0 || gaps_ <= 0)
        return 1;
    const double own = std::max(attached.ns - attached.taken, attached.ns / kMost) / attached.firings;
    return std::clamp((1 - idle_ / gaps_) * (1 + price / own), 1.0, kMost);
}

double Slowdown::factor(double price) const
{
    return factor_of(windows_.firings > 0 ? windows_ : before_, price);
}

double Slowdown::coldness() const
{
    const double idle = gaps_ <= 0 ? 1 : idle_ / gaps_;
    return 1 + (kMostCold - 1) * idle;
}

double Slowdown::stands_for(double window, double scale, double price)
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
