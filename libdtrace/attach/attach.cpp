// Attaches the programs of a loaded object, handles hooks that the kernel refuses, and computes how far attaching has
// progressed.
#include "libdtrace/attach/attach.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <system_error>
#include <thread>
#include <utility>

#include "libdtrace/kernel/kernel_functions.hpp"

namespace dt {
namespace {

/// Returns whether at least one of the probe's targets was not refused.
bool is_elsewhere(const AttachPlan& plan, const std::vector<probes::Refusal>& refusals, const Probe* probe)
{
    const auto places = std::count_if(plan.targets.begin(), plan.targets.end(),
                                      [&](const AttachTarget& target) { return target.probe == probe; });
    return places > std::count_if(refusals.begin(), refusals.end(),
                                  [&](const probes::Refusal& refusal) { return refusal.target->probe == probe; });
}

/// Attaches the first target of a plan and detaches it again. Returns false if the kernel lacks the mechanism. If the
/// kernel has the mechanism but refuses this target, returns true, because the kernel may accept other targets.
bool can_attach_one(const probes::AttachMechanism& mechanism, int program, const AttachPlan& plan,
                    probes::AttachOptions how)
{
    AttachPlan one = plan;
    one.targets.resize(1);
    how.progress = nullptr;
    const auto attached = mechanism.attach(program, one, how);
    constexpr std::array kOfTarget = {EINVAL, ENOENT, ESRCH, EBUSY, EADDRNOTAVAIL};
    return attached || std::find(kOfTarget.begin(), kOfTarget.end(), attached.error().code) != kOfTarget.end();
}

} // namespace

/// Raises the soft limit of open files: its usual value of 1024 is only a default, not a restriction. A privileged
/// process raises the hard limit too.
void raise_descriptor_limit(const std::vector<ProgramPlan>& programs)
{
    // number of descriptors that are needed in addition to the descriptors of targets: for maps, programs, buffers and
    // files
    constexpr rlim_t kOthers = 1024;
    rlim_t wanted = kOthers;
    for (const ProgramPlan& program : programs)
        wanted += program.plan->targets.size() + 2; // libbpf and LoadedObject each open a descriptor of the program
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max < wanted) {
        limit.rlim_cur = limit.rlim_max = wanted;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

void Attachments::take(Attachments others)
{
    std::move(others.all.begin(), others.all.end(), std::back_inserter(all));
    clocks.insert(clocks.end(), others.clocks.begin(), others.clocks.end());
    preemptible |= others.preemptible;
}

void Attachments::repeat_late_ticks()
{
    for (probes::Attachment* clock : clocks)
        clock->repeat_late_ticks();
}

std::chrono::milliseconds Attachments::until_tick_is_late() const
{
    int64_t least = INT64_MAX;
    for (const probes::Attachment* clock : clocks)
        least = std::min(least, clock->until_tick_is_late());
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::nanoseconds(least));
}

void Attachments::follow_cpus(const std::vector<int>& cpus)
{
    for (const Hook& hook : all)
        hook.attachment->follow_cpus(cpus);
}

/// Detaches everything, in parallel threads. Detaching a perf event blocks the caller for the kernel's grace periods,
/// some 100 ms; in parallel threads, these waits overlap.
void Attachments::release()
{
    clocks.clear();
    constexpr std::size_t kMaxThreads = 32, kWorthAThread = 8;
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < all.size(); i = next++)
            all[i].attachment.reset();
    };
    std::vector<std::jthread> helpers;
    try {
        for (std::size_t i = 1; i < std::min(kMaxThreads, all.size() / kWorthAThread); ++i)
            helpers.emplace_back(work);
    } catch (const std::system_error&) {
        // If the thread limit is reached, the existing threads do all the work.
    }
    work();
    helpers.clear();
    all.clear();
}

void Attachments::release(KernelLosses& losses)
{
    for (const Hook& hook : all)
        losses.end_link(hook.attachment->link());
    release();
}

/// Detaches everything except links. The Attachment objects of links are leaked, because their destructor would disable
/// the link's event.
void Attachments::leave()
{
    for (Hook& hook : all)
        if (hook.program && hook.attachment->link() >= 0)
            (void)hook.attachment.release();
    release();
}

Attachments Attachments::take_of(const ProgramPlan& program)
{
    return take_if([&](const Hook& hook) { return hook.program == &program; });
}

int Attachments::outlive_leader(int64_t process)
{
    int code = 0;
    for (const Hook& hook : all)
        if (hook.attachment->process() == process)
            if (const int failed = hook.attachment->outlive_leader(); failed != 0)
                code = failed;
    return code;
}

Attachments Attachments::take_of_process(int64_t process)
{
    return take_if([process](const Hook& hook) { return hook.attachment->process() == process; });
}

Attachments Attachments::take_if(const std::function<bool(const Hook&)>& is_meant)
{
    Attachments taken;
    const auto its = std::stable_partition(all.begin(), all.end(), std::not_fn(is_meant));
    std::move(its, all.end(), std::back_inserter(taken.all));
    all.erase(its, all.end());
    for (const Hook& hook : taken.all)
        std::erase(clocks, hook.attachment.get());
    return taken;
}

Result<void> Attacher::attach_again(const ProgramPlan& plan, const probes::AttachOptions& how)
{
    auto attached =
        probes::mechanism_for(plan.plan->kind)->attach(loaded_.program_descriptor(plan.name), *plan.plan, how);
    if (!attached)
        return attached.error();
    watch(plan, *attached, loaded_.program_descriptor(plan.name));
    return {};
}

Result<void> Attacher::adopt(const ProgramPlan& plan, const std::vector<int>& links)
{
    auto [attached, program] = probes::adopt_links(links);
    if (program < 0)
        return Error{"cannot reuse the pinned programs of " + served_probes(plan, probes_) + ": " +
                         std::strerror(-program),
                     -program};
    watch(plan, attached, program);
    return {};
}

Result<void> Attacher::attach(probes::AttachOptions how, const AttachListener& listener,
                              std::optional<ProgramKind>& refused)
{
    std::vector<FailedHook> failed;
    AttachProgress progress(object_.schema.programs, listener);
    wants_all_ = listener.wants_all;
    RefusedFunctions refused_functions(cache_);
    how.progress = [&progress](std::size_t targets) { progress.add(targets); };
    how.was_refused = [&refused_functions](uint64_t address) { return refused_functions.contains(address); };
    for (const ProgramPlan& plan : object_.schema.programs) {
        const probes::AttachMechanism* mechanism = probes::mechanism_for(plan.plan->kind);
        if (!mechanism)
            continue; // BEGIN and END are called by the tracer, not attached
        const int program = loaded_.program_descriptor(plan.name);
        if (program < 0)
            return Error{"BPF program content is invalid: no program " + plan.name, EINVAL};
        progress.begin(plan.plan->kind, [&] { return can_attach_one(*mechanism, program, *plan.plan, how); });
        auto attached = mechanism->attach(program, *plan.plan, how);
        if (!attached) {
            refused = plan.plan->has_fallback ? std::optional(plan.plan->kind) : std::nullopt;
            if (refused)
                return attached.error();
            failed.push_back({&plan, attached.error()});
            continue;
        }
        for (const probes::Refusal& refusal : attached->refusals)
            if (refusal.always)
                refused_functions.add(refusal.target->address);
        refused_functions.keep();
        if (const Result<void> bearable = judge(*plan.plan, attached->refusals); !bearable)
            return bearable;
        watch(plan, *attached, program);
        if (steps_)
            steps_->done("attach by " + std::string(plan.plan->kind_info().name));
    }
    if (const Result<void> bearable = judge(failed); !bearable)
        return bearable;
    if (attachments_.all.empty() && !report_.refused.empty() && !only_gone_)
        // If no program could be attached, no probe would ever fire, so an error is returned.
        return Error{report_.refused.front().reason};
    return {};
}

/// Records a probe that the kernel refuses. The probe is recorded once, even if several programs serve it.
void Attacher::refuse(const Probe* probe, const std::string& reason)
{
    if (std::none_of(report_.refused.begin(), report_.refused.end(),
                     [&](const auto& known) { return known.probe == probe; }))
        report_.refused.push_back({probe, reason});
}

void Attacher::watch(const ProgramPlan& plan, probes::Attached& attached, int program)
{
    const std::string served = plan.probes.empty() ? plan.plan->targets.front().where : served_probes(plan, probes_);
    int descriptor = program;
    for (std::unique_ptr<probes::Attachment>& attachment : attached.attachments) {
        const int link = attachment->link();
        losses_.watch(served, std::exchange(descriptor, -1), may_miss(link) ? link : -1);
        if (volatile dt_tick* const tick = loaded_.tick(plan)) {
            attachment->count_runs_in(tick);
            attachments_.clocks.push_back(attachment.get());
        }
        attachments_.all.push_back({std::move(attachment), &plan});
    }
    attachments_.preemptible |= plan.plan->kind_info().preemptible;
}

/// Handles programs that could not be attached. If this kernel lacks the hook, and another program serves the same
/// probes, that program is used instead. Otherwise a probe that the D program names causes an error; a probe that only
/// a pattern matches is skipped and reported.
Result<void> Attacher::judge(const std::vector<FailedHook>& failed)
{
    for (const auto& [plan, error] : failed) {
        const bool absent = error.code == ENOENT || error.code == EINVAL || error.code == EADDRNOTAVAIL;
        if (absent && is_served_by_another(*plan, failed)) {
            report_.fallbacks.push_back("a hook of " + served_probes(*plan, probes_) + ": " + error.message);
            continue;
        }
        if (is_any_named(*plan->plan))
            return error;
        only_gone_ = false;
        for (const PlannedProbe& planned : plan->plan->probes)
            refuse(planned.probe, error.message);
    }
    return {};
}

bool Attacher::is_served_by_another(const ProgramPlan& plan, const std::vector<FailedHook>& failed) const
{
    return !plan.probes.empty() &&
           std::any_of(object_.schema.programs.begin(), object_.schema.programs.end(), [&](const ProgramPlan& other) {
               return other.probes == plan.probes && !other.is_helper &&
                      std::none_of(failed.begin(), failed.end(),
                                   [&](const FailedHook& one) { return one.plan == &other; });
           });
}

/// Returns whether the D program names one of the plan's probes. A plan without probes is needed by the trace itself,
/// so the result is then true.
bool Attacher::is_any_named(const AttachPlan& plan) const
{
    return plan.probes.empty() || std::any_of(plan.probes.begin(), plan.probes.end(),
                                              [&](const PlannedProbe& planned) { return is_named(*planned.probe); });
}

/// Returns whether a probe description of the program matches only this probe. The description may have empty
/// components, as long as it matches no other probe.
bool Attacher::is_named(const Probe& probe) const
{
    const auto& statements = program_.statements;
    return wants_all_ && std::any_of(statements.begin(), statements.end(), [&](const Statement& statement) {
               return statement.probes.size() == 1 && statement.probes.front() == &probe;
           });
}

/// Returns whether a description names the probe's process explicitly, not by a pattern.
bool Attacher::is_process_named(const Probe& probe) const
{
    const auto& statements = program_.statements;
    return std::any_of(statements.begin(), statements.end(), [&](const Statement& statement) {
        return statement.description.starts_with(probe.provider + ":") &&
               std::find(statement.probes.begin(), statement.probes.end(), &probe) != statement.probes.end();
    });
}

/// Handles refused targets. A probe that the program names causes an error; a probe that only a pattern matches is
/// skipped and reported.
Result<void> Attacher::judge(const AttachPlan& plan, const std::vector<probes::Refusal>& refusals)
{
    for (const probes::Refusal& refusal : refusals) {
        const Probe* const probe = refusal.target->probe;
        if (!probe)
            return Error{"cannot attach to " + refusal.target->where + ": " + refusal.reason};
        if (is_elsewhere(plan, refusals, probe))
            report_.fallbacks.push_back("one of the functions " + refusal.target->where + ": " + refusal.reason);
        else if (refusal.is_gone ? is_process_named(*probe) : is_named(*probe))
            return Error{"cannot attach " + probe->full_name() + ": " + refusal.reason};
        else
            refuse(probe, refusal.reason);
        only_gone_ &= refusal.is_gone;
    }
    return {};
}

// Estimates how long attaching will take: the sum over all targets, with a constant time per target for each mechanism.
// Progress is the number of targets tried.

namespace {

// If attaching and detaching will probably take more than this number of milliseconds, an announcement is printed.
constexpr double kWorthSaying = 2000;
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
