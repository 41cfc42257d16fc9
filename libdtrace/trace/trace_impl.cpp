// Operations that several phases of a trace use: opening readers, idle detection, timers of unprivileged traces, and
// notes about tables that reached their limit.
#include "libdtrace/trace/trace_impl.hpp"

#include <bpf/libbpf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "libdtrace/output/messages.hpp"
#include "libdtrace/session/capabilities.hpp"

// Notes about internal tables that are full, which makes the output incomplete (docs/decisions/32-bounds.md).

namespace dt {

class ControlGroups;
class Symbols;
class Unwinder;

/// Returns, at the end of a trace, the notes about internal tables that reached their size limit. `unwinder` and
/// `cgroups` may be null.
std::vector<output::Note> bound_notes(const Symbols& symbols, const Unwinder* unwinder, const ControlGroups* cgroups);

namespace {

/// Interval at which mappings of -c and -p processes are read. When a process ends, its known mappings are at most this
/// old.
constexpr auto kRememberInterval = std::chrono::seconds(1);

using Clock = std::chrono::steady_clock;

/// Returns whether events may occur between two calls of pass() that make no descriptor readable.
bool may_have_news(const Schema& schema)
{
    const auto exits = [](const Record& record) { return record.action && record.action->has(kExits); };
    return std::any_of(schema.aggregations.begin(), schema.aggregations.end(),
                       [](const AggregationSchema& each) { return !each.overflow_map.empty(); }) ||
           std::any_of(schema.statements.begin(), schema.statements.end(), [&](const StatementSchema& each) {
               return std::any_of(each.records.begin(), each.records.end(), exits);
           });
}

/// Returns the name of a script, or the probe description at the start of a text.
std::string short_name(const Source& source)
{
    if (source.kind != Source::Kind::CommandLine)
        return source.name;
    const std::string_view text = std::string_view(source.text).substr(0, source.text.find_first_of("/{\n"));
    return std::string(text.substr(0, text.find_last_not_of(" \t") + 1));
}

} // namespace

/// Opens the unwinder if the program records user stacks.
void Trace::Impl::open_unwinder(const LoadedObject& of)
{
    const LoadedMaps& maps = of.maps();
    interpreters.emplace(world.proc(), world.untrusted_files());
    Unwinder::Follower follower{[this](int64_t pid) { symbols->remember(pid); },
                                [this](int64_t pid) { return symbols->mappings_version(pid); }};
    if (interpreters->open({maps.descriptor(DT_MAP_INTERPRETERS), maps.descriptor(DT_MAP_INTERPRETER_TEXTS),
                            maps.descriptor(DT_MAP_INTERPRETER_COUNTS)})) {
        follower.mapped = [this](int64_t pid, const std::vector<Mapping>& mapped) {
            interpreters->update(pid, mapped);
        };
        symbols->name_interpreted([this](uint64_t word) { return interpreters->frame(word); });
    } else {
        interpreters.reset();
    }
    unwinder.emplace(world.proc(), world.untrusted_files(), std::move(follower));
    if (!unwinder->open({maps.descriptor(DT_MAP_UNWIND), maps.descriptor(DT_MAP_UNWIND_PROCESSES),
                         maps.descriptor(DT_MAP_UNWIND_MEMORY)}))
        unwinder.reset();
}

/// Opens the thread contexts if the program uses them.
void Trace::Impl::open_contexts(const LoadedObject& of)
{
    contexts.emplace(world.proc(), world.untrusted_files());
    if (!contexts->open({of.maps().descriptor(DT_MAP_CONTEXTS), of.maps().descriptor(DT_MAP_CONTEXT_PROCESSES)}))
        contexts.reset();
}

/// Computes, with option maxmem, the maximum memory of each part that grows with the traced activity
/// (memory_bound.hpp).
Result<void> Trace::Impl::limit_growth()
{
    if (!options.run().maxmem)
        return {};
    const Result<uint64_t> left = growth_left(memory_question(), *options.run().maxmem);
    if (!left)
        return left.error();
    growth = left.value();
    return {};
}

Result<void> Trace::Impl::open_consumer(Output& output)
{
    // checks the memory limit again: the object may have been planned again since the last check and may need more
    // memory
    if (Result<void> limited = limit_growth(); !limited)
        return limited;
    Options of_consumer = options;
    if (growth)
        of_consumer.put("memlimit", std::to_string(*growth));
    consumer = std::make_unique<Consumer>(compilation.object(), compilation.probes(), world.target().pid, of_consumer,
                                          output, *symbols, make_sink);
    consumer->report().set_hook_overheads(overheads);
    for (const auto& half : engine_session.engines())
        consumer->add_engine(*half);
    set_cgroup_names();
    if (options.compile().cost)
        consumer->report().set_memory_bound(
            output::sum(memory_parts(memory_question(), growth.value_or(usual_growth(options)))));
    if (predecessor) {
        former = predecessor->globals();
        consumer->expect_restored_values();
    }
    restore_globals(compilation.object().schema, program_set.loaded(), former, program_set.report().restarted_globals);
    for (std::string& anew : begin_aggregations())
        program_set.report().restarted_globals.push_back(std::move(anew));
    Result<void> opened = consumer->open(program_set.loaded().maps(), compilation.statements_of(kEndProbe),
                                         compilation.statements_of(kErrorProbe), compilation.may_follow());
    if (opened)
        consumer->watch(program_set.losses());
    has_urgent_news = may_have_news(compilation.object().schema);
    return opened;
}

std::vector<std::string> Trace::Impl::begin_aggregations()
{
    for (auto& [name, values] : former.aggregations)
        renumber_names(values, compilation.object().schema.names);
    return consumer->restore(former.aggregations);
}

/// Opens the control group of -x cgroup. A trace whose only probes are timers has no map for the group.
Result<void> Trace::Impl::open_cgroup()
{
    const LoadedMap* const map = program_set.loaded().maps().find(DT_MAP_CGROUP);
    return map ? cgroup.open(map->descriptor, options.compile().cgroup) : Result<void>();
}

void Trace::Impl::follow_cgroup()
{
    if (options.compile().cgroup.empty())
        return;
    if (std::string note = cgroup.update(); !note.empty())
        consumer->report().tell({"CGROUP", {}, std::move(note)});
}

TraceValues Trace::Impl::globals() const
{
    TraceValues values = former;
    save_globals(compilation.object().schema, program_set.loaded(), values);
    return values;
}

Result<void> Trace::Impl::open_overhead_controller()
{
    const double limit = options.compile().maxcost;
    if (limit == 0)
        return {};
    const auto attach = [this](const ProgramPlan& program, bool attached) {
        return program_set.set_attached(program, attached);
    };
    const auto tell = [this](const output::Note& note) {
        consumer->note_estimates();
        consumer->report().tell(note);
    };
    const auto lose = [this](consume::DropReason cause, uint64_t count, consume::LossTime when) {
        consumer->drops().add(cause, count, -1, when);
    };
    const auto name = [this](const ProgramPlan& program) { return served_probes(program, compilation.probes()); };
    overhead_controller.emplace(compilation.object().schema, limit, static_cast<uint32_t>(cpus.size()), overheads,
                                OverheadActions{attach, tell, lose, name, processes.first_pid(), of_target});
    return overhead_controller->open(program_set.loaded().maps(), now_monotonic());
}

Result<void> Trace::Impl::open_sampling_windows()
{
    const Schema& schema = compilation.object().schema;
    if (!options.compile().times_hits() || options.compile().maxcost != 0)
        return {};
    sampling_windows.emplace(schema, system_context->cpu_speeds());
    consumer->report().estimate_firings([this] { return sampling_windows->estimates(); });
    return sampling_windows->open(program_set.loaded().maps(), program_set.state());
}

void Trace::Impl::open_dynamic_probes()
{
    if (compilation.may_follow())
        dynamic_probes.emplace(DynamicProbes::TraceContext{
            world, processes, followed, compilation.texts(), compilation.program(), compilation.object(),
            program_set.loaded(), program_set.losses(), program_set.abandoned_calls(), program_set.switching_off(),
            [this](pid_t pid) { program_set.detach_process(pid); },
            [this](pid_t pid) { return program_set.outlive_leader(pid); }});
}

/// Adds an object's programs to the annotation. Has no effect without -x annotate.
void Trace::Impl::annotate(const LoadedObject& loaded, const Schema& schema)
{
    if (!options.compile().annotate)
        return;
    if (!annotator) {
        annotator.emplace(compilation.program().statements);
        consumer->report().annotate_with([this](const output::CostReport& costs) {
            return annotator->result(costs, [this](uint64_t address) {
                return std::string(symbols->kernel(address, Symbols::Form::Symbol));
            });
        });
    }
    annotator->add(loaded.object(), schema.programs,
                   [this](const ProgramPlan& plan) { return served_probes(plan, compilation.probes()); });
}

/// Determines the code sizes of an object's clauses. Has no effect without -x cost.
void Trace::Impl::size_clauses(const LoadedObject& loaded, const Schema& schema)
{
    if (!options.compile().cost)
        return;
    if (!clause_sizer)
        clause_sizer.emplace(compilation.program().statements);
    clause_sizer->add(loaded.object(), schema);
    consumer->report().set_clause_sizes(clause_sizer->sizes());
}

/// Stores a description of the records in the kernel, for readers of a crash dump. If this fails, the trace continues.
void Trace::Impl::describe_in_kernel()
{
    if (options.run().bufpolicy != BufferPolicy::Ring || compilation.object().schema.statements.empty())
        return;
    RecordedRun run;
    for (const Source& source : compilation.sources())
        run.program += (run.program.empty() ? "" : ", ") + short_name(source);
    run.process = static_cast<uint64_t>(getpid());
    run.boot_to_wall_ns = program_set.state().boot_to_wall_ns;
    run.options = {{"strsize", std::to_string(options.compile().strsize)}};
    for (const auto& [name, is_set] :
         {std::pair("quiet", options.print().quiet), std::pair("flowindent", options.print().flowindent),
          std::pair("rawbytes", options.print().rawbytes)})
        if (is_set)
            run.options.emplace_back(name, "");
    const Result<void> described = recorder.describe(
        program_set.loaded().maps(), compilation.object().schema,
        [this](uint32_t id) { return compilation.probes().probe(id); }, std::move(run));
    if (!described)
        consumer->report().tell(
            {"NOT_DESCRIBED",
             {},
             "the records of this trace cannot be read from a crash dump: " + described.error().message});
}

/// Runs the programs of BEGIN or END. If the object is not in the kernel, the engine in a process runs the programs. If
/// that process has ended, END is not run, but all other output is printed.
Result<void> Trace::Impl::run_programs_of(uint32_t probe, const std::string& name)
{
    if (program_set.loaded().is_in_kernel())
        return program_set.run_programs_of(probe);
    const auto& programs = compilation.object().schema.programs;
    const bool is_there = std::any_of(programs.begin(), programs.end(), [probe](const ProgramPlan& plan) {
        return !plan.probes.empty() && plan.probes.front() == probe;
    });
    const Result<void> ran = is_there ? engine_session.run(name) : Result<void>();
    if (!ran && probe == kEndProbe)
        consumer->report().tell({"APPLICATION",
                                 {},
                                 "END did not run: in a trace without rights in the kernel, the traced program runs "
                                 "END, and that program has exited"});
    return probe == kEndProbe ? Result<void>() : ran;
}

/// Fires the probes of the provider list. Their records are read in between, because there may be more objects than the
/// buffers have room for. All other probes fire already, so an object that is created meanwhile is not missed.
Result<void> Trace::Impl::list_objects()
{
    for (;;) {
        Result<bool> more = program_set.list_some();
        if (!more)
            return more.error();
        if (!*more)
            return {};
        if (Result<void> passed = consumer->pass(); !passed)
            return passed;
    }
}

/// Runs the timer probes that are due, before their records are read. In a process that has ended, nothing runs.
void Trace::Impl::run_timers()
{
    const auto now = now_monotonic();
    if (now < timers.due() || program_set.state().activity != DT_ACTIVE)
        return;
    for (const std::string& probe : timers.take(now))
        (void)engine_session.run(probe);
}

void Trace::Impl::renew_lease()
{
    if (std::string note = program_set.renew_lease(); !note.empty())
        consumer->report().tell({"LEASE", {}, std::move(note)});
}

/// Records the mappings of the processes, so that addresses can be printed as names after the processes have ended.
void Trace::Impl::remember_mappings()
{
    if (processes.empty() || Clock::now() - remembered < kRememberInterval)
        return;
    remembered = Clock::now();
    for (const pid_t pid : processes.pids())
        symbols->remember(pid);
    for (const auto& [pid, origin] : followed.followers())
        symbols->remember(pid);
}

/// Follows the mappings of processes, because a process may have ended when its stack is printed. User addresses are
/// looked up as of the time of the record, and user stacks are unwound with tables for the mapped files.
void Trace::Impl::follow_processes()
{
    symbols->want_lines(options.run().sourcelines);
    symbols->limit_memory(growth ? growth : options.compile().memlimit);
    if (!following && (unwinder || consume::names_user_addresses(compilation.object().schema))) {
        following = true;
        const bool are_kept = consume::keeps_user_addresses(compilation.object().schema) ||
                              options.run().bufpolicy != BufferPolicy::Switch;
        symbols->follow_processes(processes.empty(), are_kept);
        follows_closely = are_kept;
    }
    for (const pid_t pid : processes.pids()) {
        if (unwinder)
            unwinder->add(pid);
        if (contexts)
            contexts->add(pid);
    }
}

/// Reads the names of all existing control groups before any probe fires. A service's control group disappears when the
/// service ends.
void Trace::Impl::set_cgroup_names()
{
    const auto named = consume::named_cgroups(compilation.object().schema);
    if (!named)
        return;
    if (!cgroups)
        cgroups.emplace();
    cgroups->open(named->containers);
    consumer->set_cgroup_names(*cgroups);
}

/// Attaches probes in files that processes have mapped since the last call, and resumes the processes that were stopped
/// until these probes are attached.
Result<void> Trace::Impl::record_mappings()
{
    if (!dynamic_probes)
        return {};
    report_processes();
    if (!dynamic_probes->has_news())
        return {};
    const std::vector<MappingGate::StoppedThread> stopped_threads = processes.stopped_threads();
    const Result<void> traced = update_dynamic_probes();
    processes.resume(stopped_threads);
    return traced;
}

/// Makes processes stop when they map files. This needs CAP_SYS_PTRACE: while a tracer without this capability is
/// attached to a process, set-user-ID programs run without their file's rights.
void Trace::Impl::seize_processes()
{
    if (has_capability("CAP_SYS_PTRACE"))
        processes.seize();
    else
        consumer->report().tell(
            {"NOT_STOPPED",
             {},
             "CAP_SYS_PTRACE is missing, so processes cannot be stopped when they map a file: calls of the "
             "file's functions before its probes are attached are missed"});
}

/// Reports firings that may be missed because a process could not be stopped.
void Trace::Impl::report_processes()
{
    for (std::string& problem : processes.take_problems())
        consumer->report().tell({"NOT_STOPPED", {}, std::move(problem)});
}

Result<void> Trace::Impl::update_dynamic_probes()
{
    const probes::AttachOptions how = program_set.attach_options();
    DynamicProbes::Update update = dynamic_probes->update(how);
    for (std::string& problem : update.problems)
        consumer->report().tell({"NOT_ATTACHED", {}, std::move(problem)});
    program_set.abandoned_calls().add(dynamic_probes->unwinding(), program_set.loaded(), how, update.attachments);
    program_set.keep(std::move(update.attachments));
    if (!update.added)
        return {};
    if (!unwinder)
        open_unwinder(*update.added);
    if (!contexts)
        open_contexts(*update.added);
    follow_processes();
    set_cgroup_names();
    find_tracer_frames();
    annotate(*update.added, *update.schema);
    size_clauses(*update.added, *update.schema);
    describe_in_kernel();
    // frees the data of the object that is needed only for loading and attaching
    update.added->forget_object();
    return consumer->extend(update.added->maps(), *update.schema);
}

/// Updates the idle state after a pass(). A trace that looks for probes in newly mapped files is never idle.
void Trace::Impl::update_idle_state(bool has_woken)
{
    if (!has_wakeup || dynamic_probes)
        return;
    const auto now = now_monotonic();
    if (has_woken || consumer->had_output() || (unwinder && unwinder->has_news()) || (contexts && contexts->has_news()))
        idle_state.note_activity(now);
    else
        idle_state.note_inactivity(now);
    if (!idle_state.wants_wakeup())
        wakeup.stop_listening();
    else if (!wakeup.listen())
        idle_state.note_activity(now);
    // The consumer must not become idle if mappings of processes must be read before the processes end.
    consumer->set_idle(idle_state.is_idle() && !follows_closely);
}

/// Returns whether an idle trace has nothing to do until a wakeup, apart from the consumer's own work.
bool Trace::Impl::may_stay_idle()
{
    return idle_state.is_idle() && !dynamic_probes && !following && !watches_processes() && !annotator &&
           !overhead_controller && !(sampling_windows && sampling_windows->samples()) && !cgroups &&
           cgroup.descriptor() < 0 && processes.empty() && options.compile().pin.empty() &&
           __atomic_load_n(&program_set.state().freezing, __ATOMIC_RELAXED) == 0;
}

/// Determines how many frames of kernel stacks belong to the tracer.
void Trace::Impl::find_tracer_frames()
{
    if (!compilation.object().schema.kernel_stacks)
        return;
    const TracerFrames& frames = system_context->tracer_frames();
    program_set.state().tracer_frames = frames.tracepoint;
    // With -x cpu, BEGIN and END run in an interrupt on the selected CPU. Their kernel stacks then contain no frames of
    // the tracer's BPF_PROG_TEST_RUN.
    program_set.state().test_run_frames = options.run().cpu ? 0 : frames.test_run;
}

/// Returns the notes at the end of a trace. They report abandoned calls, inexact totals, missing names and other
/// losses.
std::vector<output::Note> Trace::Impl::last_notes()
{
    std::vector<output::Note> notes = program_set.abandoned_calls().report();
    if (overhead_controller)
        for (output::Note& note : overhead_controller->errors())
            notes.push_back(std::move(note));
    for (std::string& text : engine_session.end())
        notes.push_back({"APPLICATION", {}, std::move(text), true});
    for (output::Note& note : bound_notes(*symbols, unwinder ? &*unwinder : nullptr, cgroups ? &*cgroups : nullptr))
        notes.push_back(std::move(note));
    if (interpreters)
        for (std::string& text : interpreters->problems())
            notes.push_back({"INTERPRETER", {}, std::move(text), true});
    if (dynamic_probes)
        for (output::Note& note : dynamic_probes->coverage(options.print().errors_json))
            notes.push_back(std::move(note));
    if (!options.print().errors_json && options.print().quiet)
        std::erase_if(notes, [](const output::Note& note) { return !note.is_loss; });
    for (const UntrustedFiles::UnreadableFile& file : world.untrusted_files()->take_refused())
        notes.push_back(
            {"FILE_REFUSED", {}, file.path + " is not read, so its symbols and probes are missing: " + file.reason});
    if (const uint64_t unread = symbols->unread_files(); unread > 0)
        notes.push_back({"FILES_UNREAD",
                         {{"count", unread}},
                         std::to_string(unread) + (unread == 1 ? " file" : " files") +
                             " not read, so their addresses have no names: too many open files"});
    return notes;
}

void UserTimers::begin(const Schema& schema, uint64_t now)
{
    timers_.clear();
    for (const ProgramPlan& program : schema.programs) {
        if (!program.plan->kind_info().run_by_tracer || program.plan->targets.empty())
            continue;
        const AttachTarget& target = program.plan->targets.front();
        // the text `where` is the timer's period in ns; for the probe "BEGIN", strtoull() returns 0
        const uint64_t period = std::strtoull(target.where.c_str(), nullptr, 10);
        if (period != 0 && target.probe)
            timers_.push_back({target.probe->full_name(), period, now + period});
    }
}

uint64_t UserTimers::due() const
{
    uint64_t first = UINT64_MAX;
    for (const Clock& clock : timers_)
        first = std::min(first, clock.due);
    return first;
}

std::vector<std::string> UserTimers::take(uint64_t now)
{
    std::vector<std::string> due;
    for (Clock& clock : timers_)
        if (now >= clock.due) {
            due.push_back(clock.probe);
            clock.due += ((now - clock.due) / clock.period + 1) * clock.period;
        }
    return due;
}

std::vector<output::Note> bound_notes(const Symbols& symbols, const Unwinder* unwinder, const ControlGroups* cgroups)
{
    std::vector<output::Note> notes;
    if (const uint64_t count = symbols.forgotten_processes(); count > 0)
        notes.push_back(
            {"PROCESSES_FORGOTTEN",
             {{"count", count}},
             "addresses of " + std::to_string(count) + (count == 1 ? " process" : " processes") +
                 " are printed without names: their data were removed to make room, or kernel events were lost"});
    if (const uint64_t count = unwinder ? unwinder->times_full() : 0; count > 0)
        notes.push_back({"UNWIND_ROOM",
                         {{"count", count}},
                         "user stacks may be incomplete: the kernel map for unwind tables was full " +
                             std::to_string(count) + (count == 1 ? " time" : " times")});
    if (const uint64_t count = cgroups ? cgroups->unknown() : 0; count > 0)
        notes.push_back(
            {"CGROUPS_UNKNOWN",
             {{"count", count}},
             std::to_string(count) + (count == 1 ? " control group" : " control groups") + " without names: " +
                 (cgroups->is_anywhere()
                      ? "they were removed before dtrace read their names, or dtrace discarded the names to make room"
                      : "no file system of type cgroup2 is mounted here")});
    return notes;
}

} // namespace dt
