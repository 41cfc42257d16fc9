// The run.
//
// Order matters more than anything here. Programs are attached while the run is inactive, so that each returns at once; BEGIN runs to its
// end before the first other probe may record; only then does one store make all probes active together. At the end one store stops them
// together, and END runs when nothing else can. Every kernel object hangs on a descriptor of this process, so that any death cleans up.
#include "libdtrace/trace/trace.hpp"

#include <bpf/libbpf.h>
#include <poll.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "bpf-runtime/embedded.hpp"
#include "libdtrace/consume/consumer.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/consume/rings.hpp"
#include "libdtrace/consume/user_addresses.hpp"
#include "libdtrace/world/features.hpp"
#include "libdtrace/load/kernel_losses.hpp"
#include "libdtrace/trace/attaching.hpp"
#include "libdtrace/trace/capabilities.hpp"
#include "libdtrace/process/unwinder.hpp"
#include "libdtrace/trace/followed.hpp"
#include "libdtrace/trace/later_objects.hpp"
#include "libdtrace/trace/libraries.hpp"
#include "libdtrace/load/loader.hpp"
#include "libdtrace/load/quiescence.hpp"
#include "libdtrace/process/populate.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/trace/signals.hpp"
#include "libdtrace/trace/start_checks.hpp"
#include "libdtrace/trace/unwound.hpp"
#include "libdtrace/world/symbols.hpp"
#include "probes/attach/attach.hpp"

namespace dt {
namespace {

/// How long an exit() may go unnoticed: its sample does not wake the consumer, but the flag beside it can be read for nothing.
constexpr int kExitCheckMs = 20;

/// How long a process runs code that it has just mapped, at most, before somebody looks whether descriptions mean some of it.
constexpr int kMappingCheckMs = 5;

/// How old the known mappings of a -c or -p process may be when it ends.
constexpr auto kRememberInterval = std::chrono::seconds(1);

using Clock = std::chrono::steady_clock;

Error not_enabled(const Error& error)
{
    return {"could not enable tracing: " + error.message, error.code};
}

} // namespace

struct Trace::Impl {
    Impl(Session& session, Options given) : machine(session.machine()), world(machine->world()), processes(session.processes()), compiler(world, given)
    {
        texts.options = std::move(given);
        texts.libraries = &libraries;
    }
    ~Impl()
    {
        if (signals)
            signals->end(); // its thread uses the rest
        processes.end_run();
        if (symbols)
            symbols->end_run();
        world.time_steps(nullptr);
    }

    const std::shared_ptr<Machine> machine;
    LiveWorld& world;
    Processes& processes;
    std::deque<Source> sources;
    std::deque<Source> libraries;
    ProgramTexts texts;
    Compiler compiler;
    Steps* steps = nullptr; ///< -x timing
    const Options& options = compiler.options();
    std::optional<Object> object;

    // start() to the end of consume(); destroyed in reverse, so attachments go before what they refer to
    TraceValues former; ///< what to begin with
    std::string log;
    std::optional<LoadedObject> loaded;
    Followed followed;
    KernelLosses kernel_losses;
    std::unique_ptr<Consumer> consumer;
    Output* output = nullptr;
    Symbols* symbols = nullptr;
    std::optional<Unwinder> unwinder; ///< in a program that walks user stacks
    bool following = false;           ///< what processes map is being noted
    Clock::time_point remembered{};
    Clock::time_point looked_at_cpus{};
    std::vector<int> cpus = consume::online_cpus(); ///< that buffers and attachments know of
    std::optional<LaterObjects> later;              ///< when descriptions may mean more later
    UnwoundCalls unwound{world.proc()};
    Attachments attachments;
    StartReport report;
    AttachListener listener;
    std::mutex switching_off;
    bool switched_off = false;
    Signals* signals = nullptr;
    std::unique_ptr<Signals> own_signals;

    probes::AttachOptions attach_options() const
    {
        probes::AttachOptions attach;
        if (options.cpu)
            attach.cpu = static_cast<uint32_t>(*options.cpu);
        return attach;
    }

    /// Libraries see the macro variables of the first program, but have no arguments to leave unused.
    bool add_libraries(Macros macros)
    {
        utsname system{};
        uname(&system);
        if (const Result<void> read = read_libraries(options, system.release, libraries); !read) {
            compiler.diagnostics().error({}, {}, read.error().message);
            return false;
        }
        macros.arguments.clear();
        return compiler.add_libraries(libraries, macros);
    }

    Result<void> compile()
    {
        auto made = compiler.finish(embedded_runtime(), {.may_follow = LaterObjects::may_follow(compiler.program(), processes), .names = {}});
        if (!made)
            return made.error();
        object.emplace(std::move(made.value()));
        return {};
    }

    Result<void> load()
    {
        std::vector<const Source*> texts;
        for (const Source& source : sources)
            texts.push_back(&source);
        auto result = LoadedObject::load(*object, options, world, texts, log);
        if (!result)
            return result.error();
        loaded.emplace(std::move(result.value()));
        done(steps, "load");
        open_unwinder(*loaded);
        return {};
    }

    /// Nothing where nobody walks user stacks.
    void open_unwinder(const LoadedObject& of)
    {
        unwinder.emplace(world.proc(),
                         Unwinder::Follower{[this](int64_t pid) { symbols->remember(pid); }, [this](int64_t pid) { return symbols->mappings_version(pid); }});
        if (!unwinder->open(of.object()))
            unwinder.reset();
    }

    /// A kind that the kernel may refuse when it is loaded, and that another could serve for; none: the fault is elsewhere.
    std::optional<ProgramKind> kind_named_at_load() const
    {
        for (const ProgramPlan& plan : object->schema.programs)
            if (plan.plan->has_fallback && plan.plan->kind_info().at_load)
                return plan.plan->kind;
        return std::nullopt;
    }

    /// While the kernel will have none of some kind of program, its probes are planned anew without it.
    Result<void> load_what_is_taken()
    {
        for (;;) {
            const Result<void> result = load();
            const std::optional<ProgramKind> refused_kind = result ? std::nullopt : kind_named_at_load();
            if (!refused_kind)
                return result;
            if (const Result<void> again = plan_without(*refused_kind, result.error()); !again)
                return again;
        }
    }

    /// After load_what_is_taken(), which is repeated for what the kernel does not attach.
    Result<void> attach()
    {
        for (;;) {
            std::optional<ProgramKind> refused_kind;
            Result<void> result = Attaching(*object, *loaded, compiler.program(), world, kernel_losses, report, attachments, steps)
                                      .attach(attach_options(), listener, refused_kind);
            if (result)
                unwound.add(object->schema, *loaded, attach_options(), attachments);
            if (result || !refused_kind)
                return result;
            result = plan_without(*refused_kind, result.error());
            if (result)
                result = load_what_is_taken();
            if (!result)
                return result;
        }
    }

    /// Back to an object that is not in the kernel.
    Result<void> plan_without(ProgramKind refused_kind, const Error& reason)
    {
        report.fallbacks.push_back(std::string(info(refused_kind).name) + ": " + reason.message);
        attachments.release();
        report.refused.clear();
        kernel_losses.forget();
        unwinder.reset();
        loaded.reset();
        world.probes().refuse(refused_kind);
        return compile();
    }

    /// Ids of the statements of BEGIN, END or ERROR.
    std::vector<uint32_t> statements_of(uint32_t id) const
    {
        std::vector<uint32_t> ids;
        for (const Statement& statement : compiler.program().statements)
            for (const Probe* probe : statement.probes)
                if (probe->id == id)
                    ids.push_back(statement.id);
        return ids;
    }

    /// Runs the programs of BEGIN or END.
    Result<void> run_programs_of(uint32_t probe)
    {
        for (const ProgramPlan& plan : object->schema.programs) {
            if (plan.probes.empty() || plan.probes.front() != probe)
                continue;
            bpf_program* program = loaded->program(plan.name);
            if (!program)
                return Error{"BPF program content is invalid: no program " + plan.name, EINVAL};
            if (Result<void> ran = probes::run_once(program, attach_options().cpu); !ran)
                return ran;
        }
        return {};
    }

    /// The processes of -c and -p, and those that are followed because of them.
    bool all_gone() { return processes.all_gone() && followed.followers().empty(); }

    /// True when the run is over, for whatever reason.
    bool ended()
    {
        if (signals->interrupted()) {
            consumer->interrupted();
            return true;
        }
        return loaded->state().exiting != 0 || all_gone() || consumer->is_full();
    }

    /// Keeps the mappings of the processes, so that their addresses have names after they have ended.
    void remember_mappings()
    {
        if (processes.empty() || Clock::now() - remembered < kRememberInterval)
            return;
        remembered = Clock::now();
        for (const pid_t pid : processes.pids())
            symbols->remember(pid);
        for (const auto& [pid, origin] : followed.followers())
            symbols->remember(pid);
    }

    /// User addresses are looked up as of their time, and user stacks by tables of what processes map. Who is met in a stack may be gone when
    /// it is printed.
    void follow_processes()
    {
        symbols->want_lines(options.srclines);
        if (!following && (unwinder || consume::names_user_addresses(object->schema))) {
            following = true;
            symbols->follow_processes(processes.empty());
        }
        if (!unwinder)
            return;
        for (const pid_t pid : processes.pids())
            unwinder->add(pid);
    }

    /// Sleeps until a signal, the end of a process, exit(), data, or the time of the next pass.
    void wait()
    {
        std::vector<pollfd> polled{{signals->descriptor(), POLLIN, 0}};
        polled.push_back({consumer->descriptor(), POLLIN, 0}); // poll(2) passes over -1
        for (const int descriptor : processes.descriptors())
            polled.push_back({descriptor, POLLIN, 0});
        const auto due = Clock::now() + std::chrono::milliseconds(consumer->next_timeout_ms());
        const bool only_followers = processes.all_gone();
        while (loaded->state().exiting == 0 && !consumer->is_urgent() && !(unwinder && unwinder->has_news()) && !(later && later->has_news())) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(due - Clock::now()).count();
            if (left <= 0 || poll(polled.data(), polled.size(), static_cast<int>(std::min<int64_t>(left, later ? kMappingCheckMs : kExitCheckMs))) > 0)
                return;
            if (only_followers && followed.followers().empty())
                return;
            keep_time();
        }
    }

    /// Ticks that did not come.
    void keep_time()
    {
        const std::lock_guard lock(switching_off);
        attachments.keep_time();
    }

    /// They go with the others, or at once when those have gone.
    void keep(Attachments added)
    {
        const std::lock_guard lock(switching_off);
        if (switched_off) {
            added.release();
            return wait_for_programs(added.preemptible);
        }
        attachments.take(std::move(added));
    }

    /// Probes of what processes have mapped since the last time. Who stood still before goes on when they are there.
    Result<void> trace_later_mappings()
    {
        if (!later)
            return {};
        tell_of_processes();
        if (!later->has_news())
            return {};
        const std::vector<Keeper::Held> standing = processes.standing();
        const Result<void> traced = update_later();
        processes.let_go(standing);
        return traced;
    }

    /// What a process executes runs with the rights of its file (set-user-ID) only if the tracer might trace that.
    void keep_processes()
    {
        if (has_capability("CAP_SYS_PTRACE"))
            processes.keep();
        else
            consumer->tell({"NOT_STOPPED",
                            {},
                            "without CAP_SYS_PTRACE processes are not stopped when they have mapped a file: what they call before its probes are there is "
                            "missed"});
    }

    /// What may be missed of those that should stop.
    void tell_of_processes()
    {
        for (std::string& problem : processes.take_problems())
            consumer->tell({"NOT_STOPPED", {}, std::move(problem)});
    }

    Result<void> update_later()
    {
        LaterObjects::Update update = later->update(attach_options());
        for (std::string& problem : update.problems)
            consumer->tell({"NOT_ATTACHED", {}, std::move(problem)});
        unwound.add(later->unwinding(), *loaded, attach_options(), update.attachments);
        keep(std::move(update.attachments));
        if (!update.added)
            return {};
        if (!unwinder)
            open_unwinder(*update.added);
        follow_processes();
        find_tracer_frames();
        return consumer->extend(update.added->object(), *update.schema);
    }

    /// How much of kernel stacks is the tracer's.
    void find_tracer_frames()
    {
        if (!object->schema.kernel_stacks)
            return;
        const TracerFrames& frames = machine->tracer_frames();
        loaded->state().tracer_frames = frames.tracepoint;
        loaded->state().test_run_frames = options.cpu ? 0 : frames.test_run; // another CPU's is an interrupt's
    }

    void catch_signals()
    {
        if (!signals)
            signals = (own_signals = std::make_unique<Signals>(Signals::Then::Restore)).get();
        signals->at_stake("what was not printed yet, END and the aggregations are thrown away");
        signals->begin([this] { switch_off(); });
    }

    /// Makes all probes active together, unless the run is over already.
    void activate()
    {
        const std::lock_guard lock(switching_off);
        if (loaded->state().exiting == 0 && !signals->interrupted())
            loaded->state().activity = DT_ACTIVE;
    }

    /// No probe fires any more, and none that did is still running. Both threads may call it.
    void switch_off()
    {
        const std::lock_guard lock(switching_off);
        loaded->state().activity = DT_DRAINING;
        switched_off = true;
        if (attachments.all.empty())
            return;
        kernel_losses.end_links();
        attachments.release();
        wait_for_programs(attachments.preemptible); // detaching does not
    }

    /// CPUs come and go. Looked at once a second, and before END, which may run on one that came.
    Result<void> follow_cpus(bool now)
    {
        if (!now && Clock::now() - looked_at_cpus < std::chrono::seconds(1))
            return {};
        looked_at_cpus = Clock::now();
        std::vector<int> online = consume::online_cpus();
        if (online == cpus)
            return {};
        cpus = std::move(online);
        if (Result<void> followed = consumer->follow_cpus(cpus); !followed)
            return followed;
        const std::lock_guard lock(switching_off);
        attachments.follow_cpus(cpus);
        return {};
    }

    /// What is to be known when all is printed: of probes that did not fire, of names that are missing.
    std::vector<output::Note> last_notes()
    {
        std::vector<output::Note> notes = unwound.report();
        if (later)
            for (output::Note& note : later->coverage(options.errors_json))
                notes.push_back(std::move(note));
        if (!options.errors_json && options.quiet)
            std::erase_if(notes, [](const output::Note& note) { return !note.is_loss; });
        if (const uint64_t unread = symbols->unread_files(); unread > 0)
            notes.push_back({"FILES_UNREAD",
                             {{"count", unread}},
                             std::to_string(unread) + (unread == 1 ? " file" : " files") + " not read for the names of addresses: too many open files"});
        return notes;
    }

    Result<void> stop()
    {
        if (later)
            later->has_news(); // what happened until now
        processes.stop_holding();
        tell_of_processes();
        switch_off();
        done(steps, "detach");
        if (Result<void> followed = follow_cpus(true); !followed)
            return followed;
        if (Result<void> prepared = consumer->prepare_end(); !prepared)
            return prepared;
        done(steps, "drain");
        const Result<void> ran = run_programs_of(kEndProbe);
        done(steps, "END");
        signals->at_stake("what was not printed yet is thrown away");
        loaded->state().activity = DT_STOPPED;
        const Result<void> finished = consumer->finish([this] { return last_notes(); });
        done(steps, "print");
        return finished ? ran : finished;
    }
};

Trace::Trace(Session& session, Options options) : impl_(std::make_unique<Impl>(session, std::move(options))) {}

Trace::~Trace() = default;

void Trace::time_steps(Steps* steps)
{
    impl_->steps = steps;
    impl_->compiler.time_steps(steps);
    impl_->world.time_steps(steps);
}

const Options& Trace::options() const
{
    return impl_->options;
}

Compiler& Trace::compiler()
{
    return impl_->compiler;
}

bool Trace::add(Source source, SpecKind kind, const Macros& macros)
{
    impl_->sources.push_back(std::move(source));
    if (impl_->sources.size() == 1) {
        if (!impl_->add_libraries(macros))
            return false;
        done(impl_->steps, "libraries");
    }
    impl_->texts.programs.push_back({&impl_->sources.back(), kind, macros});
    const bool good = compiler().add(impl_->sources.back(), kind, macros);
    done(impl_->steps, "parse and check");
    return good;
}

const std::deque<Source>& Trace::sources() const
{
    return impl_->sources;
}

std::size_t Trace::matched(uint32_t program) const
{
    std::size_t count = 0;
    for (const Statement& statement : impl_->compiler.program().statements)
        if (statement.program == program)
            count += statement.probes.size();
    return count;
}

Result<void> Trace::compile()
{
    return impl_->compile();
}

const Object& Trace::object() const
{
    return *impl_->object;
}

void Trace::begin_with(TraceValues values)
{
    impl_->former = std::move(values);
}

Result<TraceValues> Trace::values()
{
    TraceValues values = impl_->former;
    keep_globals(impl_->compiler.program(), *impl_->loaded, values);
    auto aggregations = impl_->consumer->values();
    if (!aggregations)
        return aggregations.error();
    for (consume::AggregationValues& each : aggregations.value())
        values.aggregations[each.shape.name] = std::move(each);
    return values;
}

Result<void> Trace::load()
{
    Impl& run = *impl_;
    if (Result<void> may = may_start(run.compiler.program(), *run.object, run.options, run.world, run.processes); !may)
        return not_enabled(may.error());
    raise_descriptor_limit(run.object->schema.programs);
    run.symbols = &run.machine->symbols();
    const Result<void> result = run.load_what_is_taken();
    return result ? result : not_enabled(result.error());
}

Result<void> Trace::start(Output& output)
{
    Impl& run = *impl_;
    run.output = &output;
    if (Result<void> result = run.attach(); !result) {
        run.attachments.release();
        return not_enabled(result.error());
    }
    run.find_tracer_frames();
    for (auto& [name, values] : run.former.aggregations)
        renumber_names(values, run.object->schema.names);
    run.consumer = std::make_unique<Consumer>(*run.object, run.world.probes(), run.world.target().pid, run.options, output, *run.symbols);
    restore_globals(run.compiler.program(), *run.loaded, run.former, run.report.begun_anew);
    for (std::string& anew : run.consumer->begin_with(run.former.aggregations))
        run.report.begun_anew.push_back(std::move(anew));
    if (Result<void> result = run.consumer->open(run.loaded->object(), run.statements_of(kEndProbe), run.statements_of(kErrorProbe)); !result)
        return not_enabled(result.error());
    run.followed.open(run.loaded->object());
    run.followed.begin(run.processes.pids());
    if (LaterObjects::may_follow(run.compiler.program(), run.processes))
        run.later.emplace(LaterObjects::Running{run.world, run.processes, run.followed, run.texts, run.compiler.program(), *run.object, *run.loaded,
                                                run.kernel_losses, run.unwound, run.switching_off});
    run.follow_processes();
    run.consumer->watch(run.kernel_losses);
    if (run.listener.attached && !run.later) // else more may be attached as long as it runs
        run.listener.attached();
    run.catch_signals();
    if (const int error = run.signals->error(); error != 0)
        return not_enabled({std::string("cannot watch for signals: ") + std::strerror(error), error});
    done(run.steps, "buffers");
    if (Result<void> result = run.run_programs_of(kBeginProbe); !result) {
        run.switch_off();
        return not_enabled(result.error());
    }
    done(run.steps, "BEGIN");
    for (const pid_t pid : run.processes.pids())
        populate_data(run.options.procfspath, pid);
    run.activate();
    run.remember_mappings(); // a short-lived command is gone before its first record is read
    if (run.later && LaterObjects::names_processes(run.compiler.program(), run.processes))
        run.keep_processes();
    run.processes.release();
    done(run.steps, "activate");
    return {};
}

void Trace::tell_attaching(AttachListener listener)
{
    impl_->listener = std::move(listener);
}

void Trace::watch_signals(Signals& signals)
{
    impl_->signals = &signals;
}

const StartReport& Trace::start_report() const
{
    return impl_->report;
}

std::vector<ObjectFunction> Trace::final_code() const
{
    std::vector<ObjectFunction> functions;
    for (const ProgramPlan& plan : impl_->object->schema.programs)
        functions.push_back(impl_->loaded->final_code(plan.name));
    return functions;
}

std::vector<std::pair<std::string, uint64_t>> Trace::verified_programs() const
{
    std::vector<std::pair<std::string, uint64_t>> programs;
    for (const ProgramPlan& plan : impl_->object->schema.programs)
        programs.emplace_back(plan.name, impl_->loaded->verified(plan.name));
    return programs;
}

const std::string& Trace::verifier_log() const
{
    return impl_->log;
}

int Trace::ended_by_signal() const
{
    return impl_->signals->first();
}

Result<int> Trace::consume()
{
    Impl& run = *impl_;
    Result<void> result;
    while (result && !run.ended()) {
        run.remember_mappings();
        result = run.follow_cpus(false);
        if (result)
            result = run.consumer->pass(0);
        if (run.unwinder)
            run.unwinder->update();
        if (result)
            result = run.trace_later_mappings();
        if (result)
            run.wait();
    }
    if (run.steps)
        run.steps->resume();
    if (result)
        result = run.stop();
    else
        run.switch_off();
    if (!result)
        return Error{"processing aborted: " + result.error().message, result.error().code};
    return static_cast<int>(run.loaded->state().exit_status & 0xff);
}

} // namespace dt
