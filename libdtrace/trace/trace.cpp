// The phases of a trace, the work of each pass, the preflight checks, and the values that one trace passes to the next.
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

// Preflight checks: failures that can be detected before anything is loaded into the kernel.

namespace dt {

/// Returns whether a trace of the object may start. The error has no prefix.
Result<void> may_start(const Program& program, const Object& object, const Options& options, LiveWorld& world,
                       const Processes& processes);

namespace {

/// Longest time for which an exit(), or an aggregation that needs room, goes unnoticed. While the trace is not idle no
/// wakeup reports them, but checking them costs nothing.
constexpr std::chrono::milliseconds kNewsCheck{20};

/// Longest time for which a process runs newly mapped code before descriptions are matched against it.
constexpr std::chrono::milliseconds kMappingCheck{5};

/// Longest time for which a late kernel timer, or the end of all followed processes, goes unnoticed.
constexpr std::chrono::milliseconds kClockCheck{100};

/// Longest interval between checks of an idle trace.
constexpr std::chrono::milliseconds kRestCheck{1000};

/// Exit status if output could not be written and the run would otherwise succeed.
constexpr int kOutputMissing = 1;

/// With -x annotate: interval in which the sample buffers do not fill.
constexpr std::chrono::milliseconds kSamplesCheck{200};

/// Returns whether a predicate can be true only in process `pid`.
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

void Trace::time_steps(Steps* steps)
{
    impl_->steps = steps;
    impl_->compilation.time_steps(steps);
    impl_->enabling.time_steps(steps);
    impl_->world.time_steps(steps);
}

const Options& Trace::options() const
{
    return impl_->options;
}

/// Reports files that were not read. They may explain missing probes or symbols.
std::string Trace::Impl::tell_refused()
{
    std::string told;
    Diagnostics& diagnostics = compilation.compiler().diagnostics();
    for (const ForeignFiles::Refused& file : world.foreign_files()->take_refused()) {
        const std::string text = file.path + " is not read: " + file.reason;
        if (diagnostics.has_errors())
            diagnostics.error({}, {}, text);
        told += "; " + text;
    }
    return told;
}

bool Trace::add(Source source, SpecKind kind, const Macros& macros)
{
    const bool added = impl_->compilation.add(std::move(source), kind, macros);
    if (!added)
        impl_->tell_refused();
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
    failure.message += impl_->tell_refused();
    return failure;
}

Result<void> Trace::take(std::unique_ptr<PackedProgram> packed, std::optional<TypedProgram> typed)
{
    const Result<void> taken = impl_->compilation.take(std::move(packed), std::move(typed));
    impl_->tracer_memory = resident_memory();
    return taken;
}

bool Trace::was_taken() const
{
    return impl_->compilation.was_taken();
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

void Trace::forget_module()
{
    impl_->compilation.forget_module();
}

void Trace::forget_program()
{
    impl_->parts = memory();
    impl_->object_is_forgotten = true;
    impl_->compilation.forget();
    impl_->enabling.loaded().forget_object();
}

void Trace::begin_with(TraceValues values)
{
    impl_->former = std::move(values);
}

void Trace::take_place_of(Trace& former)
{
    impl_->predecessor = former.impl_.get();
    impl_->enabling.take_place_of(former.impl_->enabling);
}

std::vector<std::string> Trace::go_on_from(TraceValues values)
{
    impl_->former = std::move(values);
    return impl_->begin_aggregations();
}

void Trace::show_in(output::SinkMaker make_sink)
{
    impl_->make_sink = std::move(make_sink);
}

void Trace::tell_attaching(AttachListener listener)
{
    impl_->listener = std::move(listener);
}

void Trace::load_beside(std::function<void()> waiting)
{
    impl_->enabling.load_beside(std::move(waiting));
}

Result<void> Trace::load()
{
    Impl& it = *impl_;
    if (it.world.is_elsewhere())
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
    it.symbols = &it.machine->symbols();
    const Result<void> loaded = it.enabling.load();
    return loaded ? loaded : not_enabled(loaded.error());
}

Result<void> Trace::attach(Output& output)
{
    Impl& it = *impl_;
    if (Result<void> attached = it.enabling.attach(it.listener); !attached)
        return not_enabled(attached.error());
    if (Result<void> opened = it.open_cgroup(); !opened)
        return not_enabled(opened.error());
    if (Result<void> begun =
            it.applications.begin(it.compilation.object(), it.compilation.program(), it.world, it.enabling.loaded());
        !begun)
        return not_enabled(begun.error());
    it.open_unwinder(it.enabling.loaded());
    it.open_contexts(it.enabling.loaded());
    it.find_tracer_frames();
    if (Result<void> opened = it.open_consumer(output); !opened)
        return not_enabled(opened.error());
    if (const std::string& note = it.enabling.pin_note(); !note.empty())
        it.consumer->tell({"PINNED", {}, note});
    it.annotate(it.enabling.loaded(), it.compilation.object().schema);
    it.size_clauses(it.enabling.loaded(), it.compilation.object().schema);
    if (Result<void> opened = it.open_budget(); !opened)
        return not_enabled(opened.error());
    if (Result<void> opened = it.open_cost_gates(); !opened)
        return not_enabled(opened.error());
    it.describe_in_kernel();
    it.followed.open(it.enabling.loaded().maps());
    it.followed.begin(it.processes.pids());
    it.open_later();
    it.has_bell = it.applications.empty() && it.bell.open(it.enabling.loaded().maps(), it.enabling.state());
    it.follow_processes();
    if (it.listener.attached && !it.later) // otherwise more may be attached during the run
        it.listener.attached();
    done(it.steps, "buffers");
    return {};
}

Result<void> Trace::activate()
{
    Impl& it = *impl_;
    if (!it.enabling.is_taken_up())
        if (Result<void> ran = it.run_programs_of(kBeginProbe, "dtrace:::BEGIN"); !ran) {
            it.enabling.switch_off();
            return not_enabled(ran.error());
        }
    done(it.steps, "BEGIN");
    for (const pid_t pid : it.processes.pids())
        populate_data(it.options.run().procfspath, pid);
    if (it.predecessor)
        renew_globals(it.compilation.object().schema, it.enabling.loaded(), it.former, it.predecessor->globals());
    if (Result<void> active = it.enabling.activate([&] { it.applications.take_turn(); }); !active) {
        it.enabling.switch_off();
        return not_enabled(active.error());
    }
    if (!it.enabling.loaded().is_in_kernel())
        it.clocks.begin(it.compilation.object().schema, now_monotonic());
    it.remember_mappings(); // a short-lived command ends before its first record is read
    if (it.later && LaterObjects::names_processes(it.compilation.program(), it.processes))
        it.keep_processes();
    it.renew_lease();
    it.processes.release();
    it.rest.came(now_monotonic());
    done(it.steps, "activate");
    return {};
}

const StartReport& Trace::start_report() const
{
    return impl_->enabling.report();
}

std::vector<ObjectFunction> Trace::final_code() const
{
    std::vector<ObjectFunction> functions;
    for (const ProgramPlan& plan : object().schema.programs)
        functions.push_back(impl_->enabling.loaded().final_code(plan.name));
    return functions;
}

std::vector<std::pair<std::string, uint64_t>> Trace::verified_programs() const
{
    std::vector<std::pair<std::string, uint64_t>> programs;
    for (const ProgramPlan& plan : object().schema.programs)
        programs.emplace_back(plan.name, impl_->enabling.loaded().verified(plan.name));
    return programs;
}

const std::string& Trace::verifier_log() const
{
    return impl_->enabling.verifier_log();
}

TraceLedger Trace::ledger() const
{
    return {impl_->consumer->ledger(), impl_->consumer->clause_firings(), impl_->consumer->firings()};
}

output::CostReport Trace::costs() const
{
    return impl_->consumer->costs();
}

void Trace::know_prices(std::map<HookKind, output::OutsidePrice> prices)
{
    impl_->prices = std::move(prices);
}

bool Trace::is_over()
{
    return impl_->enabling.state().exiting != 0 || impl_->all_gone() || impl_->consumer->is_full();
}

Result<void> Trace::pass()
{
    Impl& it = *impl_;
    if (it.cost_gates) // first, because a delay extends the window, in which programs pay for counting
        it.cost_gates->act();
    const bool has_rung = it.bell.answer(); // before the records are read that the wakeup announced
    if (!has_rung && it.may_rest_on() && it.consumer->rests_on())
        return {};
    if (has_rung)
        it.consumer->set_resting(false);
    it.remember_mappings();
    it.follow_cgroup();
    if (it.cgroups)
        it.cgroups->update();
    if (it.annotating)
        it.annotating->read();
    if (__atomic_exchange_n(&it.enabling.state().freezing, 0, __ATOMIC_RELAXED) != 0)
        it.consumer->ask_for_kept();
    it.run_clocks();
    if (Result<void> passed = it.consumer->pass(); !passed)
        return passed;
    if (it.unwinder)
        it.unwinder->update();
    if (it.contexts)
        it.contexts->update();
    it.decide_about_rest(has_rung);
    if (it.budget)
        it.budget->act(now_monotonic());
    it.renew_lease();
    return it.trace_later_mappings();
}

std::chrono::milliseconds Trace::until_due() const
{
    const std::chrono::milliseconds due(impl_->consumer->next_timeout_ms());
    const auto now = now_monotonic();
    const auto in = [](uint64_t ns) {
        return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(ns));
    };
    const auto until = [&](uint64_t at) { return in(std::min<uint64_t>(at > now ? at - now : 0, INT64_MAX / 2)); };
    const bool has_windows = impl_->cost_gates && (impl_->cost_gates->samples() || !impl_->rest.rests());
    return std::min({due, impl_->annotating ? kSamplesCheck : due,
                     until(impl_->budget ? impl_->budget->due() : UINT64_MAX), until(impl_->clocks.due()),
                     until(has_windows ? impl_->cost_gates->due() : UINT64_MAX)});
}

std::chrono::milliseconds Trace::early() const
{
    return std::chrono::milliseconds(impl_->consumer->early_ms());
}

std::vector<int> Trace::descriptors() const
{
    std::vector<int> all = impl_->processes.descriptors();
    if (const int records = impl_->consumer->descriptor(); records >= 0)
        all.push_back(records);
    if (const int rung = impl_->bell.descriptor(); rung >= 0)
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
    return it.enabling.state().exiting != 0 || it.consumer->is_urgent() || (it.unwinder && it.unwinder->has_news()) ||
           (it.contexts && it.contexts->has_news()) || (it.later && it.later->has_news()) ||
           (it.has_only_followers() && it.followed.followers().empty());
}

std::chrono::milliseconds Trace::look_every() const
{
    if (impl_->later)
        return kMappingCheck;
    if (!impl_->rest.asks())
        return impl_->meets_processes() || impl_->has_hasty_news ? kNewsCheck : kClockCheck;
    return impl_->has_only_followers() ? kClockCheck
                                       : std::clamp(impl_->enabling.until_late(), kClockCheck, kRestCheck);
}

void Trace::keep_time()
{
    impl_->enabling.keep_time();
}

Result<void> Trace::follow_cpus(const std::vector<int>& online)
{
    Impl& it = *impl_;
    if (online == it.cpus)
        return {};
    it.cpus = online;
    if (Result<void> followed = it.consumer->follow_cpus(online); !followed)
        return followed;
    it.enabling.follow_cpus(online);
    return {};
}

void Trace::show_so_far()
{
    impl_->consumer->show_so_far();
}

Result<void> Trace::print_aggregations(Output& to, OutputFormat format)
{
    return impl_->consumer->print_aggregations(to, format);
}

Result<void> Trace::show_aggregations(output::Sink& sink)
{
    return impl_->consumer->show_aggregations(sink);
}

Result<void> Trace::clear_aggregations()
{
    return impl_->consumer->clear_aggregations();
}

Result<void> Trace::append_metrics(output::MetricPage& page, std::string_view common)
{
    return impl_->consumer->append_metrics(page, common);
}

Result<void> Trace::add_follower(std::shared_ptr<output::Follower> follower)
{
    return impl_->consumer->add_follower(std::move(follower));
}

void Trace::reopen_output()
{
    impl_->consumer->reopen_output();
}

void Trace::interrupted()
{
    impl_->consumer->interrupted();
}

Result<void> Trace::set_attached(bool attached)
{
    for (const ProgramPlan& program : impl_->compilation.object().schema.programs)
        if (!program.is_beside && !program.probes.empty() && probes::mechanism_for(program.plan->kind))
            if (Result<void> done = impl_->enabling.set_attached(program, attached); !done)
                return done;
    return {};
}

void Trace::time_firings(bool timed)
{
    if (impl_->cost_gates)
        impl_->cost_gates->force(timed);
}

void Trace::stop_firings()
{
    if (impl_->cost_gates)
        impl_->cost_gates->finish();
    impl_->enabling.stop_firings();
}

void Trace::switch_off()
{
    impl_->enabling.switch_off();
}

Result<void> Trace::detach()
{
    Impl& it = *impl_;
    if (it.steps)
        it.steps->resume();
    if (it.later)
        it.later->has_news(); // reads the events that are still pending
    it.processes.stop_holding();
    it.tell_of_processes();
    if (it.cost_gates)
        it.cost_gates->finish();
    const auto end = now_monotonic(); // time before detaching, which takes long
    switch_off();
    it.consumer->was_active(it.enabling.active_ns());
    if (it.budget) {
        it.budget->finish(end);
        it.consumer->correct_estimates(it.budget->corrections());
    }
    done(it.steps, "detach");
    if (Result<void> followed = follow_cpus(consume::online_cpus()); !followed) // END may run on a CPU that came online
        return followed;
    if (Result<void> prepared = it.consumer->prepare_end(); !prepared)
        return prepared;
    done(it.steps, "drain");
    it.end = it.run_programs_of(kEndProbe, "dtrace:::END");
    done(it.steps, "END");
    it.enabling.state().activity = DT_STOPPED; // DT_DRAINING ends here
    return {};
}

Result<void> Trace::leave()
{
    impl_->renew_lease();
    const Result<void> left = impl_->consumer->leave();
    impl_->enabling.leave();
    return left;
}

bool Trace::is_left() const
{
    return impl_->enabling.is_left();
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
    const int status = static_cast<int>(it.enabling.state().exit_status & 0xff);
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

// Checks for options and actions that this machine, this command line or this kernel does not support.

namespace {

Result<void> may_follow(const Options& options, LiveWorld& world, const Processes& processes)
{
    if (options.compile().followchildren == "none")
        return {};
    if (processes.empty())
        return Error{"option followchildren needs a process of -c or -p", EINVAL};
    if (world.target().pid_namespace_inode != 0)
        return Error{
            "option followchildren works only in the first pid namespace: new processes have no number in another "
            "namespace yet when they are added",
            ENOTSUP};
    return {};
}

/// Returns an error if the program needs state that only the tracer has. A pinned trace consists of maps and programs
/// in the kernel, and outlives its tracer.
Result<void> may_be_pinned(const Program& program, const Object& object, const Options& options,
                           const Processes& processes)
{
    if (options.compile().pin.empty())
        return {};
    const auto any = [](const auto& all, const auto& is) { return std::any_of(all.begin(), all.end(), is); };
    const auto is_of_processes = [](const ProgramPlan& plan) {
        constexpr ProgramKind kKinds[] = {ProgramKind::Uprobe, ProgramKind::Uretprobe, ProgramKind::UprobeMulti,
                                          ProgramKind::UretprobeMulti};
        return std::find(std::begin(kKinds), std::end(kKinds), plan.plan->kind) != std::end(kKinds);
    };
    const auto takes_away = [](const Record& record) {
        return record.action && (record.action->name == "clear" || record.action->name == "trunc");
    };
    const struct {
        bool is_there;
        const char* what;
    } misfits[] = {
        {!processes.empty(), "-c and -p"},
        {any(object.schema.programs, is_of_processes) || LaterObjects::may_follow(program, processes),
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
                             ": a pinned trace keeps only data in the kernel, and this needs a running dtrace",
                         ENOTSUP};
    return {};
}

/// Returns the name of the program's first destructive action or subroutine.
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

// Saves globals by name and type, as the bytes in memory, and restores them in the next trace.

namespace {

template <typename Handle> void for_each_global(const Schema& schema, const LoadedObject& loaded, Handle handle)
{
    const auto& places = loaded.globals();
    for (const KeptGlobal& global : schema.globals)
        if (const auto place = places.find(global.name); place != places.end())
            handle(global, place->second);
}

} // namespace

void keep_globals(const Schema& schema, const LoadedObject& loaded, TraceValues& values)
{
    for_each_global(schema, loaded, [&](const KeptGlobal& global, std::span<uint8_t> memory) {
        if (global.is_scratch) // it points to memory that no longer exists
            values.globals.erase(global.name);
        else
            values.globals[global.name] = {global.type, {memory.begin(), memory.end()}};
    });
}

void restore_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& former,
                     std::vector<std::string>& begun_anew)
{
    if (former.globals.empty())
        return;
    for_each_global(schema, loaded, [&](const KeptGlobal& global, std::span<uint8_t> memory) {
        const auto known = former.globals.find(global.name);
        if (known == former.globals.end())
            return;
        const std::vector<uint8_t>& bytes = known->second.bytes;
        if (known->second.type != global.type)
            begun_anew.push_back(global.name + ": its type was " + known->second.type + " and is now " + global.type);
        else if (bytes.size() != memory.size())
            begun_anew.push_back(global.name + ": it had " + std::to_string(bytes.size()) + " bytes and now has " +
                                 std::to_string(memory.size()));
        else
            std::copy(bytes.begin(), bytes.end(), memory.begin());
    });
}

void renew_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& first, const TraceValues& now)
{
    for_each_global(schema, loaded, [&](const KeptGlobal& global, std::span<uint8_t> memory) {
        const auto given = first.globals.find(global.name), renewed = now.globals.find(global.name);
        if (given == first.globals.end() || renewed == now.globals.end() || renewed->second.type != global.type)
            return;
        const std::vector<uint8_t>&before = given->second.bytes, &bytes = renewed->second.bytes;
        if (std::equal(before.begin(), before.end(), memory.begin(), memory.end()) && bytes.size() == memory.size())
            std::copy(bytes.begin(), bytes.end(), memory.begin());
    });
}

} // namespace dt
