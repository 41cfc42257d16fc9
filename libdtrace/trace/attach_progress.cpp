// What attaching costs: the sum of what its mechanisms say of a target, and how many of the targets were tried so far.
#include "libdtrace/trace/attach_progress.hpp"

#include <array>
#include <utility>

#include "probes/attach/attach.hpp"

namespace dt {
namespace {

constexpr double kWorthSaying = 2000; // milliseconds
constexpr auto kBeforeShowing = std::chrono::milliseconds(1000), kBetween = std::chrono::milliseconds(100);

std::string seconds(double ms)
{
    return std::to_string((static_cast<long>(ms) + 999) / 1000) + " s";
}

} // namespace

AttachProgress::AttachProgress(const std::vector<ProgramPlan>& programs, const AttachListener& listener, Clock clock)
    : listener_(listener), clock_(std::move(clock)), next_(clock_() + kBeforeShowing)
{
    std::array<std::size_t, kProgramKinds> targets{};
    for (const ProgramPlan& program : programs)
        targets[static_cast<std::size_t>(program.plan->kind)] += program.plan->targets.size();
    for (std::size_t i = 0; i < kProgramKinds; ++i) {
        const auto kind = static_cast<ProgramKind>(i);
        const probes::AttachMechanism* const mechanism = probes::mechanism_for(kind);
        if (!mechanism)
            continue;
        all_ += targets[i];
        const auto count = static_cast<double>(targets[i]);
        const auto [attach, detach] = mechanism->cost();
        if (listener_.announce && count * (attach + detach) > kWorthSaying)
            listener_.announce("attaching " + std::to_string(targets[i]) +
                               (info(kind).target == TargetKind::Function ? " functions" : " events") + " by " +
                               std::string(info(kind).name) + ": about " + seconds(count * attach) + ", and " +
                               seconds(count * detach) + " to detach");
    }
}

AttachProgress::~AttachProgress()
{
    if (shown_)
        listener_.progress(all_, all_);
}

void AttachProgress::add(std::size_t targets)
{
    done_ += targets;
    if (!listener_.progress || done_ >= all_ || clock_() < next_)
        return;
    listener_.progress(done_, all_);
    shown_ = true;
    next_ = clock_() + kBetween;
}

} // namespace dt
