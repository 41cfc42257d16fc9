// The cost of attaching is the sum of the cost per target of each mechanism. Progress is the number of targets tried.
#include "libdtrace/trace/attach_progress.hpp"

#include <utility>

#include "probes/attach/attach.hpp"

namespace dt {
namespace {

constexpr double kWorthSaying = 2000; // minimum expected time for an announcement, in milliseconds
constexpr auto kBeforeShowing = std::chrono::milliseconds(1000), kBetween = std::chrono::milliseconds(100);

std::string seconds(double ms)
{
    return std::to_string((static_cast<long>(ms) + 999) / 1000) + " s";
}

} // namespace

AttachProgress::AttachProgress(const std::vector<ProgramPlan>& programs, const AttachListener& listener, Clock clock)
    : listener_(listener), clock_(std::move(clock)), next_(clock_() + kBeforeShowing)
{
    for (const ProgramPlan& program : programs)
        if (probes::mechanism_for(program.plan->kind)) {
            targets_[static_cast<std::size_t>(program.plan->kind)] += program.plan->targets.size();
            all_ += program.plan->targets.size();
        }
}

void AttachProgress::begin(ProgramKind kind, const std::function<bool()>& works)
{
    const std::size_t targets = std::exchange(targets_[static_cast<std::size_t>(kind)], 0);
    if (!listener_.announce || targets == 0)
        return;
    const auto [attach, detach] = probes::mechanism_for(kind)->cost();
    const auto count = static_cast<double>(targets);
    if (count * (attach + detach) > kWorthSaying && works())
        listener_.announce("attaching " + std::to_string(targets) +
                           (info(kind).target == TargetKind::Function ? " functions" : " events") + " by " +
                           std::string(info(kind).name) + ": about " + seconds(count * attach) + ", and " +
                           seconds(count * detach) + " to detach");
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
