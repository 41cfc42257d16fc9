// The phases of a trace, the work of each pass(), the preflight checks, and the values that one trace passes to the
// next.
#include "libdtrace/trace/trace.hpp"

#include <bpf/libbpf.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <span>

#include "base/time.hpp"
#include "libdtrace/attach/dynamic_probes.hpp"
#include "libdtrace/kernel/features.hpp"
#include "libdtrace/mappings/loaded_objects.hpp"
#include "libdtrace/process/process.hpp"
#include "libdtrace/session/live_world.hpp"
#include "libdtrace/symbols/symbols.hpp"
#include "libdtrace/trace/trace_impl.hpp"
#include "probes/attach/attach.hpp"

// Preflight checks, which find failures before anything is loaded into the kernel.

namespace dt {

/// Returns an error if a trace of the object cannot start. The caller adds a prefix to its message.
Result<void> may_start(const Program& program, const Object& object, const Options& options, LiveWorld& world,
                       const Processes& processes);

namespace {

/// Maximum delay until the tracer notices an exit(), or an aggregation that needs more room. While the trace is not
/// idle, BPF programs send no wakeups for these events, but checking for them costs almost nothing.
constexpr std::chrono::milliseconds kNewsCheck{20};

/// Maximum time for which a process runs newly mapped code before probes in that code are looked up.
constexpr std::chrono::milliseconds kMappingCheck{5};

/// Maximum delay until the tracer notices a late kernel timer, or the end of all followed processes.
constexpr std::chrono::milliseconds kClockCheck{100};

/// Maximum interval between two calls of pass() in an idle trace.
constexpr std::chrono::milliseconds kRestCheck{1000};

/// Exit status if some output could not be written, but no other error occurred.
constexpr int kOutputMissing = 1;

/// With -x annotate: interval between readings of the sample buffers. It is so short that the buffers do not fill.
constexpr std::chrono::milliseconds kSamplesCheck{200};

/// Returns whether the predicate `e` can be true only in process `pid`.
bool is_of_process(const TExpr& e, int64_t pid)
{
    const auto any = [&](const auto& is) {
        return std::any_of(e.kids.begin(), e.kids.end(), [&](const TExpr* kid) { return is(*kid); });
    };
    if (e.op == TOp::And)
        return any([&](const TExpr& kid) { return is_of_process(kid, pid); });
    return e.op == TOp::Equal && pid != 0 &&
           any([](const TExpr& kid) { return kid.op == TOp::Builtin && kid.builtin->name == "pid"; }) &&
           any([&](const TExpr& kid) { return kid.op == TOp::Integer && kid.value == pid; });
}

Error not_enabled(const Error& error)
{
    return {"could not enable tracing: " + error.message, error.code};
}

} // namespace

Trace::Trace(Session& session, Options options) : impl_(std::make_unique<Impl>(session, std::move(options))) {}

Trace::~Trace() = default;

void Trace::record_phases(PhaseTimes* steps)
{
    impl_->steps = steps;
    impl_->compilation.record_phases(steps);
    impl_->program_set.record_phases(steps);
    impl_->world.record_phases(steps);
}

const Options& Trace::options() const
{
    return impl_->options;
}

/// Reports files that could not be read, because they may explain missing probes or symbols.
std::string Trace::Impl::report_refused()
{
    std::string joined;
    Diagnostics& diagnostics = compilation.compiler().diagnostics();
    for (const UntrustedFiles::UnreadableFile& file : world.untrusted_files()->take_refused()) {
        const std::string text = file.path + " is not read: " + file.reason;
        if (diagnostics.has_errors())
            diagnostics.error({}, {}, text);
        joined += "; " + text;
    }
    return joined;
}

bool Trace::add(Source source, SpecKind kind, const Macros& macros)
{
    const bool added = impl_->compilation.add(std::move(source), kind, macros);
    if (!added)
        impl_->report_refused();
    return added;
}

const std::deque<Source>& Trace::sources() const
{
    return impl_->compilation.sources();
}

Compiler& Trace::compiler()
{
    return impl_->compilation.compiler();
}

std::size_t Trace::matched(uint32_t program) const
{
    return impl_->compilation.matched(program);
}

Result<void> Trace::compile()
{
    const Result<void> compiled = impl_->compilation.compile();
    impl_->tracer_memory = resident_memory();
    if (compiled)
        return compiled;
    Error failure = compiled.error();
    failure.message += impl_->report_refused();
    return failure;
}

Result<void> Trace::take(std::unique_ptr<PackedProgram> packed, std::optional<TypedProgram> typed)
{
    const Result<void> taken = impl_->compilation.take(std::move(packed), std::move(typed));
    impl_->tracer_memory = resident_memory();
    return taken;
}

bool Trace::is_precompiled() const
{
    return impl_->compilation.is_precompiled();
}

const Program& Trace::program() const
{
    return impl_->compilation.program();
}

const Object& Trace::object() const
{
    return impl_->compilation.object();
}

std::vector<output::MemoryPart> Trace::memory() const
{
    return impl_->object_is_forgotten
               ? impl_->parts
               : memory_parts(impl_->memory_question(), impl_->growth.value_or(usual_growth(impl_->options)));
}

void Trace::release_ir()
{
    impl_->compilation.release_ir();
}

void Trace::forget_program()
{
    impl_->parts = memory();
    impl_->object_is_forgotten = true;
    impl_->compilation.forget();
    impl_->program_set.loaded().forget_object();
}

void Trace::restore(TraceValues values)
{
    impl_->former = std::move(values);
}

void Trace::replace(Trace& former)
{
    impl_->predecessor = former.impl_.get();
    impl_->program_set.replace(former.impl_->program_set);
}

std::vector<std::string> Trace::continue_from(TraceValues values)
{
    impl_->former = std::move(values);
    return impl_->begin_aggregations();
}

void Trace::show_in(output::SinkMaker make_sink)
{
    impl_->make_sink = std::move(make_sink);
}

void Trace::set_attach_listener(AttachListener listener)
{
    impl_->listener = std::move(listener);
}

void Trace::load_in_child(std::function<void()> waiting)
{
    impl_->program_set.load_in_child(std::move(waiting));
}

Result<void> Trace::load()
{
    Impl& it = *impl_;
    if (it.world.is_offline())
        return not_enabled(Error{"a program compiled for another kernel (options kernel and target) does not run here: "
                                 "use -e -S to show it, or option save to store it"});
    if (Result<void> may =
            may_start(it.compilation.program(), it.compilation.object(), it.options, it.world, it.processes);
        !may)
        return not_enabled(may.error());
    if (Result<void> limited = it.limit_growth(); !limited)
        return not_enabled(limited.error());
    for (const Statement& statement : it.compilation.program().statements)
        if (statement.predicate && is_of_process(*statement.predicate, it.processes.first_pid()))
            it.of_target.insert(statement.id);
    raise_descriptor_limit(it.compilation.object().schema.programs);
    it.symbols = &it.system_context->symbols();
    const Result<void> loaded = it.program_set.load();
    return loaded ? loaded : not_enabled(loaded.error());
}

Result<void> Trace::attach(Output& output)
{
    Impl& it = *impl_;
    if (Result<void> attached = it.program_set.attach(it.listener); !attached)
        return not_enabled(attached.error());
    if (Result<void> opened = it.open_cgroup(); !opened)
        return not_enabled(opened.error());
    if (Result<void> begun = it.engine_session.begin(it.compilation.object(), it.compilation.program(), it.world,
                                                     it.program_set.loaded());
        !begun)
        return not_enabled(begun.error());
    it.open_unwinder(it.program_set.loaded());
    it.open_contexts(it.program_set.loaded());
    it.find_tracer_frames();
    if (Result<void> opened = it.open_consumer(output); !opened)
        return not_enabled(opened.error());
    if (const std::string& note = it.program_set.pin_note(); !note.empty())
        it.consumer->report().tell({"PINNED", {}, note});
    it.annotate(it.program_set.loaded(), it.compilation.object().schema);
    it.size_clauses(it.program_set.loaded(), it.compilation.object().schema);
    if (Result<void> opened = it.open_overhead_controller(); !opened)
        return not_enabled(opened.error());
    if (Result<void> opened = it.open_sampling_windows(); !opened)
        return not_enabled(opened.error());
    it.describe_in_kernel();
    it.followed.open(it.program_set.loaded().maps());
    it.followed.begin(it.processes.pids());
    it.open_dynamic_probes();
    it.has_wakeup = it.engine_session.empty() && it.wakeup.open(it.program_set.loaded().maps(), it.program_set.state());
    it.follow_processes();
    // with dynamic probes the listener is not notified that attaching has ended, because further probes may be attached
    // during the whole run
    if (it.listener.attached && !it.dynamic_probes)
        it.listener.attached();
    done(it.steps, "buffers");
    return {};
}

Result<void> Trace::activate()
{
    Impl& it = *impl_;
    if (!it.program_set.is_adopted())
        if (Result<void> ran = it.run_programs_of(kBeginProbe, "dtrace:::BEGIN"); !ran) {
            it.program_set.switch_off();
            return not_enabled(ran.error());
        }
    done(it.steps, "BEGIN");
    for (const pid_t pid : it.processes.pids())
        prefault_data(it.options.run().procfspath, pid);
    if (it.predecessor)
        renew_globals(it.compilation.object().schema, it.program_set.loaded(), it.former, it.predecessor->globals());
    if (Result<void> active = it.program_set.activate([&] { it.engine_session.take_over(); }); !active) {
        it.program_set.switch_off();
        return not_enabled(active.error());
    }
    if (!it.program_set.loaded().is_in_kernel())
        it.timers.begin(it.compilation.object().schema, now_monotonic());
    // The mappings are read now, because a short-lived command may end before its first record is read.
    it.remember_mappings();
    if (it.dynamic_probes && DynamicProbes::names_processes(it.compilation.program(), it.processes))
        it.seize_processes();
    it.renew_lease();
    if (Result<void> listed = it.program_set.is_adopted() ? Result<void>() : it.list_objects(); !listed) {
        it.program_set.switch_off();
        return not_enabled(listed.error());
    }
    it.processes.release();
    it.idle_state.note_activity(now_monotonic());
    done(it.steps, "activate");
    return {};
}

const ProgramSet& Trace::programs() const
{
    return impl_->program_set;
}

RunResults Trace::results() const
{
    return impl_->consumer->results();
}

void Trace::set_hook_overheads(std::map<HookKind, output::HookOverhead> overheads)
{
    impl_->overheads = std::move(overheads);
}

bool Trace::is_over()
{
    return impl_->program_set.state().exiting != 0 || impl_->all_gone() || impl_->consumer->is_full();
}

Result<void> Trace::pass()
{
    Impl& it = *impl_;
    // The sampling windows (-x maxcost) are handled first, because a delay would extend a window, and programs run
    // slower during a window.
    if (it.sampling_windows)
        it.sampling_windows->act();
    // the wakeup is consumed before the records are read, so that a wakeup for a later record is not lost
    const bool has_woken = it.wakeup.answer();
    if (!has_woken && it.may_stay_idle() && it.consumer->can_stay_idle())
        return {};
    if (has_woken)
        it.consumer->set_idle(false);
    it.remember_mappings();
    it.follow_cgroup();
    if (it.cgroups)
        it.cgroups->update();
    if (it.annotator)
        it.annotator->read();
    if (__atomic_exchange_n(&it.program_set.state().freezing, 0, __ATOMIC_RELAXED) != 0)
        it.consumer->request_flight_recorder();
    it.run_timers();
    if (Result<void> passed = it.consumer->pass(); !passed)
        return passed;
    if (it.unwinder)
        it.unwinder->update();
    if (it.contexts)
        it.contexts->update();
    it.update_idle_state(has_woken);
    if (it.overhead_controller)
        it.overhead_controller->act(now_monotonic());
    it.renew_lease();
    return it.record_mappings();
}

std::chrono::milliseconds Trace::until_due() const
{
    const std::chrono::milliseconds due(impl_->consumer->next_timeout_ms());
    const auto now = now_monotonic();
    const auto in = [](uint64_t ns) {
        return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(ns));
    };
    const auto until = [&](uint64_t at) { return in(std::min<uint64_t>(at > now ? at - now : 0, INT64_MAX / 2)); };
    const bool has_windows =
        impl_->sampling_windows && (impl_->sampling_windows->samples() || !impl_->idle_state.is_idle());
    return std::min({due, impl_->annotator ? kSamplesCheck : due,
                     until(impl_->overhead_controller ? impl_->overhead_controller->due() : UINT64_MAX),
                     until(impl_->timers.due()), until(has_windows ? impl_->sampling_windows->due() : UINT64_MAX)});
}

std::chrono::milliseconds Trace::early() const
{
    return std::chrono::milliseconds(impl_->consumer->timer_slack_ms());
}

std::vector<int> Trace::descriptors() const
{
    std::vector<int> all = impl_->processes.descriptors();
    if (const int records = impl_->consumer->descriptor(); records >= 0)
        all.push_back(records);
    if (const int rung = impl_->wakeup.descriptor(); rung >= 0)
        all.push_back(rung);
    if (impl_->following && impl_->symbols->descriptor() >= 0)
        all.push_back(impl_->symbols->descriptor());
    if (impl_->cgroup.descriptor() >= 0)
        all.push_back(impl_->cgroup.descriptor());
    if (impl_->cgroups && impl_->cgroups->descriptor() >= 0)
        all.push_back(impl_->cgroups->descriptor());
    return all;
}

bool Trace::has_news()
{
    Impl& it = *impl_;
    return it.program_set.state().exiting != 0 || it.consumer->is_urgent() ||
           (it.unwinder && it.unwinder->has_news()) || (it.contexts && it.contexts->has_news()) ||
           (it.dynamic_probes && it.dynamic_probes->has_news()) ||
           (it.has_only_followers() && it.followed.followers().empty());
}

std::chrono::milliseconds Trace::poll_interval() const
{
    if (impl_->dynamic_probes)
        return kMappingCheck;
    if (!impl_->idle_state.wants_wakeup())
        return impl_->watches_processes() || impl_->has_urgent_news ? kNewsCheck : kClockCheck;
    return impl_->has_only_followers() ? kClockCheck
                                       : std::clamp(impl_->program_set.until_tick_is_late(), kClockCheck, kRestCheck);
}

void Trace::repeat_late_ticks()
{
    impl_->program_set.repeat_late_ticks();
}

Result<void> Trace::follow_cpus(const std::vector<int>& online)
{
    Impl& it = *impl_;
    if (online == it.cpus)
        return {};
    it.cpus = online;
    if (Result<void> followed = it.consumer->follow_cpus(online); !followed)
        return followed;
    it.program_set.follow_cpus(online);
    return {};
}

Result<void> Trace::set_attached(bool attached)
{
    for (const ProgramPlan& program : impl_->compilation.object().schema.programs)
        if (!program.is_helper && !program.probes.empty() && probes::mechanism_for(program.plan->kind))
            if (Result<void> done = impl_->program_set.set_attached(program, attached); !done)
                return done;
    return {};
}

void Trace::time_firings(bool timed)
{
    if (impl_->sampling_windows)
        impl_->sampling_windows->force(timed);
}

void Trace::stop_firings()
{
    if (impl_->sampling_windows)
        impl_->sampling_windows->finish();
    impl_->program_set.stop_firings();
}

void Trace::switch_off()
{
    impl_->program_set.switch_off();
}

Result<void> Trace::detach()
{
    Impl& it = *impl_;
    if (it.steps)
        it.steps->resume();
    if (it.dynamic_probes)
        it.dynamic_probes->has_news(); // has_news() is called for its side effect: it reads the pending events
    it.processes.stop_gating();
    it.report_processes();
    if (it.sampling_windows)
        it.sampling_windows->finish();
    const auto end = now_monotonic(); // the end time is read before detaching, because detaching takes long
    switch_off();
    it.consumer->report().was_active(it.program_set.active_ns());
    if (it.overhead_controller) {
        it.overhead_controller->finish(end);
        it.consumer->correct_estimates(it.overhead_controller->corrections());
    }
    done(it.steps, "detach");
    // END may run on a CPU that has come online meanwhile, so a buffer for that CPU is opened here
    if (Result<void> followed = follow_cpus(consume::online_cpus()); !followed)
        return followed;
    if (Result<void> prepared = it.consumer->prepare_end(); !prepared)
        return prepared;
    done(it.steps, "drain");
    it.end = it.run_programs_of(kEndProbe, "dtrace:::END");
    done(it.steps, "END");
    it.program_set.state().activity = DT_STOPPED; // ends the state DT_DRAINING, in which END ran
    return {};
}

Result<void> Trace::leave()
{
    impl_->renew_lease();
    const Result<void> left = impl_->consumer->leave();
    impl_->program_set.leave();
    return left;
}

bool Trace::is_left() const
{
    return impl_->program_set.is_left();
}

Result<int> Trace::finish()
{
    Impl& it = *impl_;
    const Result<void> finished = it.consumer->finish([&it] { return it.last_notes(); });
    done(it.steps, "print");
    if (!finished)
        return finished.error();
    if (!it.end)
        return it.end.error();
    const int status = static_cast<int>(it.program_set.state().exit_status & 0xff);
    return status == 0 && !it.consumer->has_written_all() ? kOutputMissing : status;
}

Result<TraceValues> Trace::values()
{
    TraceValues values = impl_->globals();
    auto aggregations = impl_->consumer->values();
    if (!aggregations)
        return aggregations.error();
    for (consume::AggregationValues& each : aggregations.value())
        values.aggregations[each.shape.name] = std::move(each);
    return values;
}

// Checks for options and actions that this machine, command line or kernel does not support.

namespace {

Result<void> may_follow(const Options& options, LiveWorld& world, const Processes& processes)
{
    if (options.compile().followchildren == "none")
        return {};
    if (processes.empty())
        return Error{"option followchildren needs a process of -c or -p", EINVAL};
    if (world.target().pid_namespace_inode != 0)
        return Error{
            "option followchildren works only in the first pid namespace: when the kernel reports a new process, the "
            "process has no process ID in other namespaces yet",
            ENOTSUP};
    return {};
}

/// For a pinned trace, returns an error if the program needs data in the tracer's memory. Only maps and programs in the
/// kernel outlive the tracer.
Result<void> may_be_pinned(const Program& program, const Object& object, const Options& options,
                           const Processes& processes)
{
    if (options.compile().pin.empty())
        return {};
    const auto any = [](const auto& all, const auto& is) { return std::any_of(all.begin(), all.end(), is); };
    const auto is_of_processes = [](const ProgramPlan& plan) {
        return plan.plan->kind_info().target == TargetKind::Instruction;
    };
    const auto takes_away = [](const Record& record) {
        return record.action && (record.action->name == "clear" || record.action->name == "trunc");
    };
    const struct {
        bool is_there;
        const char* what;
    } misfits[] = {
        {!processes.empty(), "-c and -p"},
        {any(object.schema.programs, is_of_processes) || DynamicProbes::may_follow(program, processes),
         "probes of processes"},
        {consume::names_user_addresses(object.schema), "stacks and addresses of processes"},
        {any(object.schema.statements,
             [&](const StatementSchema& statement) { return any(statement.records, takes_away); }),
         "clear() and trunc()"},
        {any(program.statements, [](const Statement& statement) { return statement.speculates; }), "speculations"},
        {options.compile().maxcost != 0, "option maxcost"},
        {options.compile().aggttl != 0, "option aggttl"},
        {options.compile().annotate, "option annotate"},
        {options.run().bufpolicy != BufferPolicy::Switch, "option bufpolicy"},
    };
    for (const auto& [is_there, what] : misfits)
        if (is_there)
            return Error{std::string("option pin cannot be combined with ") + what +
                             ": a pinned trace must also work while no dtrace runs",
                         ENOTSUP};
    return {};
}

/// Returns the name of the first destructive action or subroutine in the program.
std::string destructive_name(const Program& program)
{
    for (const Statement& statement : program.statements)
        if (statement.destructive)
            return std::string(statement.destructive_name);
    return {};
}

} // namespace

Result<void> may_start(const Program& program, const Object& object, const Options& options, LiveWorld& world,
                       const Processes& processes)
{
    if (object.schema.destructive && !options.run().destructive)
        return Error{"Destructive actions not allowed\n\t" + destructive_name(program) +
                         "() changes the traced system: use -w to allow it",
                     EPERM};
    const auto& plans = object.schema.programs;
    const bool overrides =
        std::any_of(plans.begin(), plans.end(), [](const ProgramPlan& plan) { return plan.plan->overrides; });
    if (overrides && !can_override_return())
        return Error{"return( ) needs a kernel built with CONFIG_BPF_KPROBE_OVERRIDE", ENOTSUP};
    if (options.run().cpu && *options.run().cpu >= world.target().cpus)
        return Error{"CPU " + std::to_string(*options.run().cpu) + " does not exist", EINVAL};
    if (libbpf_num_possible_cpus() < 0)
        return Error{"sysfs is not mounted at /sys: mount -t sysfs sysfs /sys", ENOENT};
    if (Result<void> pinned = may_be_pinned(program, object, options, processes); !pinned)
        return pinned;
    return may_follow(options, world, processes);
}

// Saves global variables with their names, types and bytes, and restores them in the next trace.

namespace {

template <typename Handle> void for_each_global(const Schema& schema, const LoadedObject& loaded, Handle handle)
{
    const auto& places = loaded.globals();
    for (const RestorableGlobal& global : schema.globals)
        if (const auto place = places.find(global.name); place != places.end())
            handle(global, place->second);
}

} // namespace

void save_globals(const Schema& schema, const LoadedObject& loaded, TraceValues& values)
{
    for_each_global(schema, loaded, [&](const RestorableGlobal& global, std::span<uint8_t> memory) {
        // a scratch variable of a clause is not saved, because it points to memory that no longer exists
        if (global.is_scratch)
            values.globals.erase(global.name);
        else
            values.globals[global.name] = {global.type, {memory.begin(), memory.end()}};
    });
}

void restore_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& former,
                     std::vector<std::string>& restarted_globals)
{
    if (former.globals.empty())
        return;
    for_each_global(schema, loaded, [&](const RestorableGlobal& global, std::span<uint8_t> memory) {
        const auto known = former.globals.find(global.name);
        if (known == former.globals.end())
            return;
        const std::vector<uint8_t>& bytes = known->second.bytes;
        if (known->second.type != global.type)
            restarted_globals.push_back(global.name + ": its type was " + known->second.type + " and is now " +
                                        global.type);
        else if (bytes.size() != memory.size())
            restarted_globals.push_back(global.name + ": it had " + std::to_string(bytes.size()) +
                                        " bytes and now has " + std::to_string(memory.size()));
        else
            std::copy(bytes.begin(), bytes.end(), memory.begin());
    });
}

void renew_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& first, const TraceValues& now)
{
    for_each_global(schema, loaded, [&](const RestorableGlobal& global, std::span<uint8_t> memory) {
        const auto given = first.globals.find(global.name), renewed = now.globals.find(global.name);
        if (given == first.globals.end() || renewed == now.globals.end() || renewed->second.type != global.type)
            return;
        const std::vector<uint8_t>&before = given->second.bytes, &bytes = renewed->second.bytes;
        if (std::equal(before.begin(), before.end(), memory.begin(), memory.end()) && bytes.size() == memory.size())
            std::copy(bytes.begin(), bytes.end(), memory.begin());
    });
}

} // namespace dt
