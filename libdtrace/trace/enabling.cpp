// Loading and attaching with what the kernel takes, and switching off.
#include "libdtrace/trace/enabling.hpp"

#include <cerrno>
#include <ctime>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/load/quiescence.hpp"
#include "probes/attach/attach.hpp"

namespace dt {

probes::AttachOptions Enabling::attach_options() const
{
    probes::AttachOptions attach;
    if (compilation_.options().run().cpu)
        attach.cpu = static_cast<uint32_t>(*compilation_.options().run().cpu);
    return attach;
}

Result<void> Enabling::load_once()
{
    std::vector<const Source*> texts;
    for (const Source& source : compilation_.sources())
        texts.push_back(&source);
    auto result = LoadedObject::load(compilation_.object(), compilation_.options(), world_, texts, log_);
    if (!result)
        return result.error();
    loaded_.emplace(std::move(result.value()));
    done(steps_, "load");
    return {};
}

/// A kind that the kernel may refuse when it is loaded, and that another could serve for; none: the fault is elsewhere.
std::optional<ProgramKind> Enabling::kind_named_at_load() const
{
    for (const ProgramPlan& plan : compilation_.object().schema.programs)
        if (plan.plan->has_fallback && plan.plan->kind_info().at_load)
            return plan.plan->kind;
    return std::nullopt;
}

Result<void> Enabling::load()
{
    for (;;) {
        const Result<void> result = load_once();
        const std::optional<ProgramKind> refused = result ? std::nullopt : kind_named_at_load();
        if (!refused)
            return result;
        if (const Result<void> again = plan_without(*refused, result.error()); !again)
            return again;
    }
}

Result<void> Enabling::attach(const AttachListener& listener)
{
    for (;;) {
        std::optional<ProgramKind> refused;
        const Object& object = compilation_.object();
        Result<void> result =
            Attaching(object, *loaded_, compilation_.program(), world_, losses_, report_, attachments_, steps_)
                .attach(attach_options(), listener, refused);
        if (result) {
            unwound_.add(object.schema, *loaded_, attach_options(), attachments_);
            return {};
        }
        if (refused)
            result = plan_without(*refused, result.error());
        if (refused && result)
            result = load();
        if (!refused || !result) {
            attachments_.release();
            return result;
        }
    }
}

/// Back to an object that is not in the kernel.
Result<void> Enabling::plan_without(ProgramKind refused, const Error& reason)
{
    report_.fallbacks.push_back(std::string(info(refused).name) + ": " + reason.message);
    attachments_.release();
    report_.refused.clear();
    losses_.forget();
    loaded_.reset();
    world_.probes().refuse(refused);
    return compilation_.compile();
}

void Enabling::activate()
{
    const std::lock_guard lock(switching_off_);
    if (state().exiting != 0 || switched_off_)
        return;
    active_since_ = static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
    state().activity = DT_ACTIVE;
}

void Enabling::switch_off()
{
    const std::lock_guard lock(switching_off_);
    state().activity = DT_DRAINING;
    if (active_since_ != 0 && active_until_ == 0)
        active_until_ = static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
    switched_off_ = true;
    if (attachments_.all.empty())
        return;
    losses_.end_links();
    attachments_.release();
    wait_for_programs(attachments_.preemptible); // detaching does not
}

void Enabling::release()
{
    const std::lock_guard lock(switching_off_);
    attachments_.release();
}

Result<void> Enabling::run_programs_of(uint32_t probe)
{
    for (const ProgramPlan& plan : compilation_.object().schema.programs) {
        if (plan.probes.empty() || plan.probes.front() != probe)
            continue;
        bpf_program* program = loaded_->program(plan.name);
        if (!program)
            return Error{"BPF program content is invalid: no program " + plan.name, EINVAL};
        if (Result<void> ran = probes::run_once(program, attach_options().cpu); !ran)
            return ran;
    }
    return {};
}

Result<void> Enabling::set_attached(const ProgramPlan& program, bool attached)
{
    const std::lock_guard lock(switching_off_);
    if (switched_off_)
        return {};
    if (attached)
        return Attaching(compilation_.object(), *loaded_, compilation_.program(), world_, losses_, report_,
                         attachments_)
            .attach_again(program, attach_options());
    Attachments its = attachments_.take_of(program);
    for (const Hook& hook : its.all)
        losses_.end_link(hook.attachment->link());
    its.release();
    return {};
}

void Enabling::keep(Attachments added)
{
    const std::lock_guard lock(switching_off_);
    if (switched_off_) {
        added.release();
        return wait_for_programs(added.preemptible);
    }
    attachments_.take(std::move(added));
}

void Enabling::keep_time()
{
    const std::lock_guard lock(switching_off_);
    attachments_.keep_time();
}

std::chrono::milliseconds Enabling::until_late()
{
    const std::lock_guard lock(switching_off_);
    return attachments_.until_late();
}

void Enabling::follow_cpus(const std::vector<int>& cpus)
{
    const std::lock_guard lock(switching_off_);
    attachments_.follow_cpus(cpus);
}

} // namespace dt
