// Loads and attaches programs with the mechanisms that the kernel supports, and stops them at the end. After detaching,
// waits until running programs have ended.
#include "libdtrace/trace/program_set.hpp"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <span>
#include <string_view>

#include "base/time.hpp"
#include "libdtrace/kernel/features.hpp"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/session/capabilities.hpp"
#include "probes/attach/attach.hpp"

namespace dt {

namespace {

/// Sets dt_state::activity, which says whether probes are active. Also turns on all timing switches, because a program
/// whose timing switch is off does not read dt_state::activity (SamplingWindows::turn_off).
void set_activity(volatile dt_state& state, uint32_t activity)
{
    __atomic_store_n(&state.activity, activity, __ATOMIC_SEQ_CST);
    for (volatile dt_timing_switch& timing_switch : state.timing_switches)
        __atomic_store_n(&timing_switch.off, 0, __ATOMIC_SEQ_CST);
}

/// Hands over from one trace to another at the hooks of both (DT_HANDOVER), so that exactly one of them sees each
/// firing. The hand-over is done CPU by CPU: this thread moves to each CPU on which it may run, and switches the CPU to
/// the other trace. All other CPUs, such as offline ones, are switched remotely at the end. A firing on such a CPU may
/// be seen by both traces or by neither.
void hand_over(volatile dt_state& from, volatile dt_state& to, std::span<volatile uint64_t> turns,
               const std::function<void()>& elsewhere)
{
    to.activity = DT_HANDOVER;
    if (from.activity == DT_ACTIVE)
        set_activity(from, DT_HANDOVER);
    if (!turns.empty())
        on_each_cpu([&](uint32_t cpu) { turns[cpu] = to.epoch; });
    for (volatile uint64_t& epoch : turns)
        epoch = to.epoch;
    elsewhere();
    to.activity = DT_ACTIVE;
}

} // namespace

probes::AttachOptions ProgramSet::attach_options() const
{
    probes::AttachOptions attach;
    if (compilation_.options().run().cpu)
        attach.cpu = static_cast<uint32_t>(*compilation_.options().run().cpu);
    return attach;
}

Result<void> ProgramSet::load_once()
{
    std::vector<const Source*> texts;
    for (const Source& source : compilation_.sources())
        texts.push_back(&source);
    if (Result<void> looked = look_for_pins(); !looked)
        return looked;
    if (!needs_kernel()) {
        auto opened = LoadedObject::without_kernel(compilation_.object(), world_.target().cpus);
        if (!opened)
            return opened.error();
        loaded_.emplace(std::move(opened.value()));
        return {};
    }
    const ExistingMaps there{{}, adopted_ ? &*pins_ : nullptr, former_ ? &former_->loaded() : nullptr};
    const Object& object = compilation_.object();
    const uint32_t cpus = world_.target().cpus;
    auto result =
        while_loading_ && !wants_object()
            ? LoadedObject::load_in_child(object, compilation_.options(), compilation_.probes(), cpus, texts, log_,
                                          there, while_loading_)
            : LoadedObject::load(object, compilation_.options(), compilation_.probes(), cpus, texts, log_, there);
    if (!result)
        return result.error();
    loaded_.emplace(std::move(result.value()));
    done(steps_, "load");
    return {};
}

/// Returns whether this process needs the compiled object after loading, because options inspect its instructions.
bool ProgramSet::wants_object() const
{
    return compilation_.options().compile().annotate || compilation_.options().compile().cost;
}

/// Returns whether the trace needs BPF programs in the kernel. Without privileges, a trace works if all its probes are
/// in processes with an engine. The engine then also runs BEGIN and END.
bool ProgramSet::needs_kernel() const
{
    return missing_to_trace().empty() || !can_do_without_kernel(false);
}

/// Returns whether engines can run all programs. `timers`: the result assumes that the tracer itself runs timer probes.
bool ProgramSet::can_do_without_kernel(bool timers) const
{
    const auto& programs = compilation_.object().schema.programs;
    const auto is_elsewhere = [timers](const ProgramPlan& program) {
        const AttachPlan& plan = *program.plan;
        const ProgramKindInfo& kind = plan.kind_info();
        return kind.in_engine || kind.run_by_tracer || !kind.is_program() || (timers && plan.period != 0);
    };
    const bool is_any_in_application = std::any_of(programs.begin(), programs.end(), [](const ProgramPlan& program) {
        return program.plan->kind_info().in_engine;
    });
    return is_any_in_application && std::all_of(programs.begin(), programs.end(), is_elsewhere);
}

/// Searches for an earlier tracer's pin of this BPF object. The search is repeated when the kernel refuses a program,
/// because the probes are then planned again, which creates another object.
Result<void> ProgramSet::look_for_pins()
{
    const std::string& name = compilation_.options().compile().pin;
    if (name.empty())
        return {};
    pins_.reset();
    Result<Pins> opened = Pins::open(name, compilation_.object().elf);
    if (!opened)
        return opened.error();
    pins_.emplace(std::move(opened.value()));
    adopted_ = pins_->found() == Pins::Found::Same;
    if (adopted_)
        pin_note_ = "the trace of pin " + name + " continues: it started " + std::to_string(pins_->age()) + " s ago";
    else if (pins_->found() == Pins::Found::Other)
        pin_note_ = "pin " + name + " had another program, which started " + std::to_string(pins_->age()) +
                    " s ago: its counts are discarded, and this program starts from zero";
    return {};
}

/// Adopts the links of a pinned trace. Its tracer may have been killed while the trace was idle, so the idle state that
/// is still set in the maps is cleared.
Result<void> ProgramSet::adopt_links()
{
    Attacher attaching(compilation_.object(), *loaded_, compilation_.program(), compilation_.probes(), world_.cache(),
                       losses_, report_, attachments_, steps_);
    const std::vector<ProgramPlan>& plans = compilation_.object().schema.programs;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const Result<std::vector<int>> links = pins_->links(i);
        if (!links)
            return links.error();
        const Result<void> attached = !links.value().empty() ? attaching.adopt(plans[i], links.value())
                                      : probes::mechanism_for(plans[i].plan->kind)
                                          ? attaching.attach_again(plans[i], attach_options())
                                          : Result<void>();
        if (!attached)
            return attached;
    }
    state().reader_state = DT_READER_AWAKE;
    return {};
}

/// Pins the trace. Hooks without a BPF link disappear with the tracer, and the next tracer attaches them again. The
/// lease, after which an unattended trace stops (-x pintimeout), starts before the first pin exists. So the trace also
/// ends if the tracer is killed while it pins the trace.
Result<void> ProgramSet::pin()
{
    const uint64_t lease = compilation_.options().compile().pintimeout;
    if (lease != 0)
        state().lease = now_monotonic() + lease;
    const std::vector<ProgramPlan>& plans = compilation_.object().schema.programs;
    std::vector<std::pair<std::size_t, int>> links;
    for (const Hook& hook : attachments_.all)
        if (const int link = hook.attachment->link(); link >= 0 && hook.program)
            links.emplace_back(static_cast<std::size_t>(hook.program - plans.data()), link);
    pins_->clear();
    if (Result<void> kept = pins_->keep(loaded_->maps(), links); !kept)
        return kept;
    pins_->own(lease);
    return pins_->complete();
}

/// Returns a kind of program that the kernel may have refused to load and for which there is a substitute. Returns
/// nothing if there is no such kind; the error then has another cause.
std::optional<ProgramKind> ProgramSet::refusable_kind() const
{
    for (const ProgramPlan& plan : compilation_.object().schema.programs)
        if (plan.plan->has_fallback && plan.plan->kind_info().refusable)
            return plan.plan->kind;
    return std::nullopt;
}

std::vector<ObjectFunction> ProgramSet::final_code() const
{
    std::vector<ObjectFunction> functions;
    for (const ProgramPlan& plan : compilation_.object().schema.programs)
        functions.push_back(loaded_->final_code(plan.name));
    return functions;
}

std::vector<std::pair<std::string, uint64_t>> ProgramSet::verified_programs() const
{
    std::vector<std::pair<std::string, uint64_t>> programs;
    for (const ProgramPlan& plan : compilation_.object().schema.programs)
        programs.emplace_back(plan.name, loaded_->verified(plan.name));
    return programs;
}

Result<void> ProgramSet::load()
{
    if (needs_kernel() && !missing_to_trace().empty() && can_do_without_kernel(true))
        if (Result<void> planned =
                plan_without(ProgramKind::PerfEvent, Error{"dtrace lacks the capabilities to use it"});
            !planned)
            return planned;
    for (;;) {
        const Result<void> result = load_once();
        if (result)
            return result;
        Result<void> again = result;
        // The verifier may refuse the program because direct loads made it too large. Code that loads memory directly
        // calls a helper if the load returns 0, as it does for unreadable memory. The verifier explores both paths,
        // which may exceed its limit.
        if (result.error().code == E2BIG && world_.forgo_readable_cast()) {
            again = give_up("direct loads of kernel memory in such a large program", result.error());
            if (again)
                again = compilation_.compile();
        } else if (const std::optional<ProgramKind> refused = refusable_kind()) {
            again = plan_without(*refused, result.error());
        }
        if (!again)
            return again;
    }
}

Result<void> ProgramSet::attach(const AttachListener& listener)
{
    if (adopted_)
        return adopt_links();
    for (;;) {
        std::optional<ProgramKind> refused;
        const Object& object = compilation_.object();
        Result<void> result = Attacher(object, *loaded_, compilation_.program(), compilation_.probes(), world_.cache(),
                                       losses_, report_, attachments_, steps_)
                                  .attach(attach_options(), listener, refused);
        if (result) {
            abandoned_calls_.add(object.schema, *loaded_, attach_options(), attachments_);
            return {};
        }
        if (refused) {
            const Error reason = result.error();
            result = plan_without(*refused, reason);
            if (result)
                result = listener.goes_on ? load() : Result<void>(reason);
        }
        if (!refused || !result) {
            attachments_.release();
            return result;
        }
    }
}

/// Unloads the object after the kernel has refused a feature, so that the object can be compiled again without it.
Result<void> ProgramSet::give_up(const std::string& refused, const Error& reason)
{
    report_.fallbacks.push_back(refused + ": " + reason.message);
    attachments_.release();
    report_.refused.clear();
    losses_.forget();
    loaded_.reset();
    if (!compilation_.has_text())
        return Error{"the kernel refuses " + refused + ", which the bundle needs: " + reason.message, reason.code};
    return {};
}

Result<void> ProgramSet::plan_without(ProgramKind refused, const Error& reason)
{
    if (const Result<void> given = give_up(std::string(info(refused).name), reason); !given)
        return given;
    world_.probes().refuse(refused);
    return compilation_.compile();
}

Result<void> ProgramSet::activate(const std::function<void()>& take_turn_elsewhere)
{
    const std::lock_guard lock(switching_off_);
    if (state().exiting != 0 || switched_off_)
        return {};
    active_since_ = now_monotonic();
    if (adopted_) {
        pins_->own(compilation_.options().compile().pintimeout);
        // activates the trace, because the tracer that created the pin was killed before it had done so
        if (state().activity == DT_INACTIVE)
            state().activity = DT_ACTIVE;
        return {}; // a pinned trace that has stopped is restarted by the next call of renew_lease()
    }
    if (pins_)
        if (Result<void> pinned = pin(); !pinned)
            return pinned;
    if (former_)
        return take_over(take_turn_elsewhere);
    state().activity = DT_ACTIVE;
    return {};
}

/// Hands over from the former trace. If the former trace has stopped meanwhile, the programs of this trace stay off. A
/// trace whose only probes are BEGIN and END has no map for a handover.
Result<void> ProgramSet::take_over(const std::function<void()>& elsewhere)
{
    const uint32_t cpus = world_.target().cpus;
    std::span<volatile uint64_t> turns;
    SharedMap shared;
    if (const LoadedMap* const map = loaded_->maps().find(DT_MAP_ACTIVE_EPOCH)) {
        if (Result<void> opened = shared.open(*map, cpus); !opened)
            return opened;
        turns = {static_cast<volatile uint64_t*>(shared.memory()), cpus};
    }
    const std::lock_guard lock(former_->switching_off_);
    state().epoch = former_->state().epoch + 1;
    hand_over(former_->state(), state(), turns, elsewhere);
    former_->stop_firings();
    former_ = nullptr;
    return {};
}

std::string ProgramSet::renew_lease()
{
    const uint64_t lease = compilation_.options().compile().pintimeout;
    if (compilation_.options().compile().pin.empty() || lease == 0)
        return {};
    const std::lock_guard lock(switching_off_);
    const auto now = now_monotonic();
    const uint64_t former = state().lease;
    state().lease = now + lease;
    if (former == 0 || former > now || switched_off_ || active_until_ != 0 || state().activity != DT_DRAINING)
        return {};
    state().activity = DT_ACTIVE;
    return "option pintimeout: tracing was paused " + std::to_string((now - former) / kSecond) +
           " s ago, because no tracer was running; it resumes now";
}

void ProgramSet::stop_firings()
{
    set_activity(state(), DT_DRAINING);
    if (active_since_ != 0 && active_until_ == 0)
        active_until_ = now_monotonic();
}

void ProgramSet::switch_off()
{
    const std::lock_guard lock(switching_off_);
    if (is_left_)
        return;
    stop_firings();
    switched_off_ = true;
    if (pins_)
        pins_->remove();
    pins_.reset(); // frees the pin's name for other traces
    if (attachments_.all.empty())
        return;
    losses_.end_links();
    attachments_.release();
    // detaching does not wait for programs that are still running
    wait_for_programs(attachments_.preemptible);
}

void ProgramSet::leave()
{
    const std::lock_guard lock(switching_off_);
    is_left_ = switched_off_ = true;
    losses_.end_links();
    attachments_.leave();
}

void ProgramSet::release()
{
    const std::lock_guard lock(switching_off_);
    attachments_.release();
}

Result<void> ProgramSet::run_programs_of(uint32_t probe)
{
    for (const ProgramPlan& plan : compilation_.object().schema.programs) {
        if (plan.probes.empty() || plan.probes.front() != probe)
            continue;
        const int program = loaded_->program_descriptor(plan.name);
        if (program < 0)
            return Error{"BPF program content is invalid: no program " + plan.name, EINVAL};
        if (Result<void> ran = probes::run_once(program, plan.name, attach_options().cpu); !ran) {
            const std::string missing = missing_kernel_feature();
            return missing.empty() ? ran : Error{missing, ran.error().code};
        }
    }
    return {};
}

Result<bool> ProgramSet::list_some()
{
    const std::lock_guard lock(switching_off_);
    if (switched_off_ || state().exiting != 0)
        return false;
    for (const Hook& hook : attachments_.all) {
        Result<bool> more = hook.attachment->list_some();
        if (!more || *more)
            return more;
    }
    return false;
}

Result<void> ProgramSet::set_attached(const ProgramPlan& program, bool attached)
{
    const std::lock_guard lock(switching_off_);
    if (switched_off_)
        return {};
    if (attached)
        return Attacher(compilation_.object(), *loaded_, compilation_.program(), compilation_.probes(), world_.cache(),
                        losses_, report_, attachments_)
            .attach_again(program, attach_options());
    attachments_.take_of(program).release(losses_);
    return {};
}

int ProgramSet::outlive_leader(int64_t process)
{
    const std::lock_guard lock(switching_off_);
    return attachments_.outlive_leader(process);
}

void ProgramSet::detach_process(int64_t process)
{
    const std::lock_guard lock(switching_off_);
    attachments_.take_of_process(process).release(losses_);
}

void ProgramSet::keep(Attachments added)
{
    const std::lock_guard lock(switching_off_);
    if (switched_off_) {
        added.release(losses_);
        return wait_for_programs(added.preemptible);
    }
    attachments_.take(std::move(added));
}

void ProgramSet::repeat_late_ticks()
{
    const std::lock_guard lock(switching_off_);
    attachments_.repeat_late_ticks();
}

std::chrono::milliseconds ProgramSet::until_tick_is_late()
{
    const std::lock_guard lock(switching_off_);
    return attachments_.until_tick_is_late();
}

void ProgramSet::follow_cpus(const std::vector<int>& cpus)
{
    const std::lock_guard lock(switching_off_);
    attachments_.follow_cpus(cpus);
}

// Waits for running programs after detaching. The kernel's grace period lasts several ticks, which would be a visible
// delay between ^C and the prompt. A program that runs with preemption off has ended as soon as another thread has run
// on its CPU. So this thread moves to each CPU in turn. It visits only CPUs in its affinity mask, so it never waits for
// a thread that occupies an isolated CPU.

namespace {

/// Returns whether the kernel is PREEMPT_RT, where hardly any code runs with preemption off.
bool is_realtime_kernel()
{
    utsname system{};
    return uname(&system) != 0 || std::string_view(system.version).find("PREEMPT_RT") != std::string_view::npos;
}

class CpuSet {
public:
    explicit CpuSet(long cpus) : cpus_(static_cast<std::size_t>(cpus)), set_(CPU_ALLOC(cpus_))
    {
        CPU_ZERO_S(size(), set_.get());
    }

    std::size_t size() const { return CPU_ALLOC_SIZE(cpus_); }
    cpu_set_t* get() const { return set_.get(); }
    void add(std::size_t cpu) { CPU_SET_S(cpu, size(), set_.get()); }
    bool has(std::size_t cpu) const { return CPU_ISSET_S(cpu, size(), set_.get()); }

private:
    struct Free {
        void operator()(cpu_set_t* set) const { CPU_FREE(set); }
    };
    std::size_t cpus_;
    std::unique_ptr<cpu_set_t, Free> set_;
};

} // namespace

bool on_each_cpu(const std::function<void(uint32_t)>& there)
{
    const long possible = sysconf(_SC_NPROCESSORS_CONF), online = sysconf(_SC_NPROCESSORS_ONLN);
    if (possible <= 0 || online <= 0)
        return false;
    const CpuSet own(possible);
    if (sched_getaffinity(0, own.size(), own.get()) != 0)
        return false;
    long visited = 0;
    for (std::size_t cpu = 0; cpu < static_cast<std::size_t>(possible); ++cpu) {
        CpuSet one(possible);
        one.add(cpu);
        if (!own.has(cpu) || sched_setaffinity(0, one.size(), one.get()) != 0)
            continue;
        there(static_cast<uint32_t>(cpu));
        ++visited;
    }
    sched_setaffinity(0, own.size(), own.get());
    return visited >= online;
}

void wait_for_programs(bool preemptible)
{
    if (preemptible || is_realtime_kernel() || !on_each_cpu([](uint32_t) {}))
        ::syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

} // namespace dt
