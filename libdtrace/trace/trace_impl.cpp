// Operations that several phases of a trace share: opening readers, idle detection, timers of unprivileged traces, and
// notes about tables that reached their limit.
#include "libdtrace/trace/trace_impl.hpp"

#include <bpf/libbpf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "libdtrace/output/messages.hpp"
#include "libdtrace/session/capabilities.hpp"

// Notes about internal tables that reached their size limit and made the output worse (docs/decisions/32-bounds.md).

namespace dt {

class ControlGroups;
class Symbols;
class Unwinder;

/// Returns the notes at the end of a trace. `unwinder` and `cgroups` may be null.
std::vector<output::Note> bound_notes(const Symbols& symbols, const Unwinder* unwinder, const ControlGroups* cgroups);

namespace {

/// Maximum age of the known mappings of a -c or -p process when it ends.
constexpr auto kRememberInterval = std::chrono::seconds(1);

using Clock = std::chrono::steady_clock;

/// Returns whether events without a descriptor may occur between two passes.
bool may_have_news(const Schema& schema)
{
    const auto exits = [](const Record& record) { return record.action && record.action->has(kExits); };
    return std::any_of(schema.aggregations.begin(), schema.aggregations.end(),
                       [](const AggregationSchema& each) { return !each.more.empty(); }) ||
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
    unwinder.emplace(world.proc(), world.foreign_files(),
                     Unwinder::Follower{[this](int64_t pid) { symbols->remember(pid); },
                                        [this](int64_t pid) { return symbols->mappings_version(pid); }});
    const LoadedMaps& maps = of.maps();
    if (!unwinder->open({maps.descriptor(DT_MAP_UNWIND), maps.descriptor(DT_MAP_UNWIND_PROCESSES),
                         maps.descriptor(DT_MAP_UNWIND_MEMORY)}))
        unwinder.reset();
}

/// Opens the thread contexts if the program uses them.
void Trace::Impl::open_contexts(const LoadedObject& of)
{
    contexts.emplace(world.proc(), world.foreign_files());
    if (!contexts->open({of.maps().descriptor(DT_MAP_CONTEXTS), of.maps().descriptor(DT_MAP_CONTEXT_PROCESSES)}))
        contexts.reset();
}

/// Computes the limit of growing parts under maxmem.
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
    if (Result<void> limited = limit_growth(); !limited) // the object may have been planned again and need more
        return limited;
    Options of_consumer = options;
    if (growth)
        of_consumer.put("memlimit", std::to_string(*growth));
    consumer = std::make_unique<Consumer>(compilation.object(), compilation.probes(), world.target().pid, of_consumer,
                                          output, *symbols, make_sink);
    consumer->know_prices(prices);
    for (const auto& half : applications.halves())
        consumer->add_application(*half);
    name_cgroups();
    if (options.compile().cost)
        consumer->know_bound(output::sum(memory_parts(memory_question(), growth.value_or(usual_growth(options)))));
    if (predecessor) {
        former = predecessor->globals();
        consumer->await_values();
    }
    restore_globals(compilation.object().schema, enabling.loaded(), former, enabling.report().begun_anew);
    for (std::string& anew : begin_aggregations())
        enabling.report().begun_anew.push_back(std::move(anew));
    Result<void> opened = consumer->open(enabling.loaded().maps(), compilation.statements_of(kEndProbe),
                                         compilation.statements_of(kErrorProbe));
    if (opened)
        consumer->watch(enabling.losses());
    has_hasty_news = may_have_news(compilation.object().schema);
    return opened;
}

std::vector<std::string> Trace::Impl::begin_aggregations()
{
    for (auto& [name, values] : former.aggregations)
        renumber_names(values, compilation.object().schema.names);
    return consumer->begin_with(former.aggregations);
}

/// Opens the control group of -x cgroup. Programs with only timer probes have no map for it.
Result<void> Trace::Impl::open_cgroup()
{
    const LoadedMap* const map = enabling.loaded().maps().find(DT_MAP_CGROUP);
    return map ? cgroup.open(map->descriptor, options.compile().cgroup) : Result<void>();
}

void Trace::Impl::follow_cgroup()
{
    if (options.compile().cgroup.empty())
        return;
    if (std::string note = cgroup.update(); !note.empty())
        consumer->tell({"CGROUP", {}, std::move(note)});
}

TraceValues Trace::Impl::globals() const
{
    TraceValues values = former;
    keep_globals(compilation.object().schema, enabling.loaded(), values);
    return values;
}

Result<void> Trace::Impl::open_budget()
{
    const double limit = options.compile().maxcost;
    if (limit == 0)
        return {};
    const auto attach = [this](const ProgramPlan& program, bool attached) {
        return enabling.set_attached(program, attached);
    };
    const auto tell = [this](const output::Note& note) {
        consumer->note_estimates();
        consumer->tell(note);
    };
    const auto lose = [this](consume::Cause cause, uint64_t count, consume::LossTime when) {
        consumer->lose(cause, count, when);
    };
    const auto name = [this](const ProgramPlan& program) { return served_probes(program, compilation.probes()); };
    budget.emplace(compilation.object().schema, limit, static_cast<uint32_t>(cpus.size()), prices,
                   BudgetActions{attach, tell, lose, name, processes.first_pid(), of_target});
    return budget->open(enabling.loaded().maps(), now_monotonic());
}

Result<void> Trace::Impl::open_cost_gates()
{
    const Schema& schema = compilation.object().schema;
    if (!options.compile().times_firings() || options.compile().maxcost != 0)
        return {};
    cost_gates.emplace(schema, machine->paces());
    consumer->estimate_firings([this] { return cost_gates->estimates(); });
    return cost_gates->open(enabling.loaded().maps(), enabling.state());
}

void Trace::Impl::open_later()
{
    if (compilation.may_follow())
        later.emplace(LaterObjects::Running{world, processes, followed, compilation.texts(), compilation.program(),
                                            compilation.object(), enabling.loaded(), enabling.losses(),
                                            enabling.unwound(), enabling.switching_off(),
                                            [this](pid_t pid) { enabling.detach_process(pid); }});
}

/// Adds an object to the annotation. No effect without -x annotate.
void Trace::Impl::annotate(const LoadedObject& loaded, const Schema& schema)
{
    if (!options.compile().annotate)
        return;
    if (!annotating) {
        annotating.emplace(compilation.program().statements);
        consumer->annotate_with([this](const output::CostReport& costs) {
            return annotating->result(costs, [this](uint64_t address) {
                return std::string(symbols->kernel(address, Symbols::Form::Symbol));
            });
        });
    }
    annotating->add(loaded.object(), schema.programs,
                    [this](const ProgramPlan& plan) { return served_probes(plan, compilation.probes()); });
}

/// Determines the sizes of an object's clauses. No effect without -x cost.
void Trace::Impl::size_clauses(const LoadedObject& loaded, const Schema& schema)
{
    if (!options.compile().cost)
        return;
    if (!sizing)
        sizing.emplace(compilation.program().statements);
    sizing->add(loaded.object(), schema);
    consumer->know_sizes(sizing->sizes());
}

/// Stores a description of the records in the kernel, for readers of a crash dump. If this fails, tracing works
/// nevertheless.
void Trace::Impl::describe_in_kernel()
{
    if (options.run().bufpolicy != BufferPolicy::Ring || compilation.object().schema.statements.empty())
        return;
    RecordedRun run;
    for (const Source& source : compilation.sources())
        run.program += (run.program.empty() ? "" : ", ") + short_name(source);
    run.process = static_cast<uint64_t>(getpid());
    run.boot_to_wall_ns = enabling.state().boot_to_wall_ns;
    run.options = {{"strsize", std::to_string(options.compile().strsize)}};
    for (const auto& [name, is_set] :
         {std::pair("quiet", options.print().quiet), std::pair("flowindent", options.print().flowindent),
          std::pair("rawbytes", options.print().rawbytes)})
        if (is_set)
            run.options.emplace_back(name, "");
    const Result<void> described = recorder.describe(
        enabling.loaded().maps(), compilation.object().schema,
        [this](uint32_t id) { return compilation.probes().probe(id); }, std::move(run));
    if (!described)
        consumer->tell({"NOT_DESCRIBED",
                        {},
                        "the records of this trace cannot be read from a crash dump: " + described.error().message});
}

/// Runs the programs of BEGIN or END. If the object is not in the kernel, a process with an engine runs them. If that
/// process has ended, END is skipped, and everything else is printed.
Result<void> Trace::Impl::run_programs_of(uint32_t probe, const std::string& name)
{
    if (enabling.loaded().is_in_kernel())
        return enabling.run_programs_of(probe);
    const auto& programs = compilation.object().schema.programs;
    const bool is_there = std::any_of(programs.begin(), programs.end(), [probe](const ProgramPlan& plan) {
        return !plan.probes.empty() && plan.probes.front() == probe;
    });
    const Result<void> ran = is_there ? applications.run(name) : Result<void>();
    if (!ran && probe == kEndProbe)
        consumer->tell(
            {"APPLICATION",
             {},
             "END did not run: without rights in the kernel the traced program runs it, and the program has exited"});
    return probe == kEndProbe ? Result<void>() : ran;
}

/// Runs the timer probes that are due, before their records are read. A process that has ended runs none.
void Trace::Impl::run_clocks()
{
    const auto now = now_monotonic();
    if (now < clocks.due() || enabling.state().activity != DT_ACTIVE)
        return;
    for (const std::string& probe : clocks.take(now))
        (void)applications.run(probe);
}

void Trace::Impl::renew_lease()
{
    if (std::string note = enabling.renew_lease(); !note.empty())
        consumer->tell({"LEASE", {}, std::move(note)});
}

/// Records the processes' mappings, so that their addresses have names after they have ended.
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

/// Follows the mappings of processes. User addresses are looked up as of the time of the record, and user stacks use
/// tables of the mapped files. A process in a stack may have ended when the stack is printed.
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

/// Reads the names of all existing control groups before any probe fires, because a service's group disappears when the
/// service ends.
void Trace::Impl::name_cgroups()
{
    const auto named = consume::named_cgroups(compilation.object().schema);
    if (!named)
        return;
    if (!cgroups)
        cgroups.emplace();
    cgroups->open(named->containers);
    consumer->name_cgroups(*cgroups);
}

/// Attaches probes in files that processes have mapped since the last call. Processes stopped for that are then
/// resumed.
Result<void> Trace::Impl::trace_later_mappings()
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

/// Stops processes at mappings. This needs CAP_SYS_PTRACE: while a tracer without it is attached, set-user-ID programs
/// run without their file's rights.
void Trace::Impl::keep_processes()
{
    if (has_capability("CAP_SYS_PTRACE"))
        processes.keep();
    else
        consumer->tell({"NOT_STOPPED",
                        {},
                        "cannot stop processes when they map a file, because CAP_SYS_PTRACE is missing: their calls "
                        "before its probes are attached are missed"});
}

/// Reports firings that may be missed because a process could not be stopped.
void Trace::Impl::tell_of_processes()
{
    for (std::string& problem : processes.take_problems())
        consumer->tell({"NOT_STOPPED", {}, std::move(problem)});
}

Result<void> Trace::Impl::update_later()
{
    const probes::AttachOptions how = enabling.attach_options();
    LaterObjects::Update update = later->update(how);
    for (std::string& problem : update.problems)
        consumer->tell({"NOT_ATTACHED", {}, std::move(problem)});
    enabling.unwound().add(later->unwinding(), enabling.loaded(), how, update.attachments);
    enabling.keep(std::move(update.attachments));
    if (!update.added)
        return {};
    if (!unwinder)
        open_unwinder(*update.added);
    if (!contexts)
        open_contexts(*update.added);
    follow_processes();
    name_cgroups();
    find_tracer_frames();
    annotate(*update.added, *update.schema);
    size_clauses(*update.added, *update.schema);
    describe_in_kernel();
    update.added->forget_object(); // the object is complete and never attached again
    return consumer->extend(update.added->maps(), *update.schema);
}

/// Updates the idle state after a pass. A trace that looks for later mappings is never idle.
void Trace::Impl::decide_about_rest(bool has_rung)
{
    if (!has_bell || later)
        return;
    const auto now = now_monotonic();
    if (has_rung || consumer->has_come() || (unwinder && unwinder->has_news()) || (contexts && contexts->has_news()))
        rest.came(now);
    else
        rest.found_nothing(now);
    if (!rest.asks())
        bell.stop_listening();
    else if (!bell.listen())
        rest.came(now);
    consumer->set_resting(rest.rests() && !follows_closely); // mappings must be read while the processes exist
}

/// Returns whether an idle trace has no work except the consumer's until a wakeup.
bool Trace::Impl::may_rest_on()
{
    return rest.rests() && !later && !following && !meets_processes() && !annotating && !budget &&
           !(cost_gates && cost_gates->samples()) && !cgroups && cgroup.descriptor() < 0 && processes.empty() &&
           options.compile().pin.empty() && __atomic_load_n(&enabling.state().freezing, __ATOMIC_RELAXED) == 0;
}

/// Determines how many frames of kernel stacks are the tracer's own.
void Trace::Impl::find_tracer_frames()
{
    if (!compilation.object().schema.kernel_stacks)
        return;
    const TracerFrames& frames = machine->tracer_frames();
    enabling.state().tracer_frames = frames.tracepoint;
    enabling.state().test_run_frames = options.run().cpu ? 0 : frames.test_run; // on another CPU an interrupt runs it
}

/// Returns the notes at the end of a trace: about abandoned calls, inexact totals, missing names and other losses.
std::vector<output::Note> Trace::Impl::last_notes()
{
    std::vector<output::Note> notes = enabling.unwound().report();
    if (budget)
        for (output::Note& note : budget->errors())
            notes.push_back(std::move(note));
    for (std::string& text : applications.end())
        notes.push_back({"APPLICATION", {}, std::move(text), true});
    for (output::Note& note : bound_notes(*symbols, unwinder ? &*unwinder : nullptr, cgroups ? &*cgroups : nullptr))
        notes.push_back(std::move(note));
    if (later)
        for (output::Note& note : later->coverage(options.print().errors_json))
            notes.push_back(std::move(note));
    if (!options.print().errors_json && options.print().quiet)
        std::erase_if(notes, [](const output::Note& note) { return !note.is_loss; });
    for (const ForeignFiles::Refused& file : world.foreign_files()->take_refused())
        notes.push_back(
            {"FILE_REFUSED", {}, file.path + " is not read, so its symbols and probes are missing: " + file.reason});
    if (const uint64_t unread = symbols->unread_files(); unread > 0)
        notes.push_back({"FILES_UNREAD",
                         {{"count", unread}},
                         std::to_string(unread) + (unread == 1 ? " file" : " files") +
                             " not read, so their addresses have no names: too many open files"});
    return notes;
}

void OwnClocks::begin(const Schema& schema, uint64_t now)
{
    clocks_.clear();
    for (const ProgramPlan& program : schema.programs) {
        if (program.plan->kind != ProgramKind::TestRun || program.plan->targets.empty())
            continue;
        const AttachTarget& target = program.plan->targets.front();
        // `where` is the period in ns; for "BEGIN" the result is 0
        const uint64_t period = std::strtoull(target.where.c_str(), nullptr, 10);
        if (period != 0 && target.probe)
            clocks_.push_back({target.probe->full_name(), period, now + period});
    }
}

uint64_t OwnClocks::due() const
{
    uint64_t first = UINT64_MAX;
    for (const Clock& clock : clocks_)
        first = std::min(first, clock.due);
    return first;
}

std::vector<std::string> OwnClocks::take(uint64_t now)
{
    std::vector<std::string> due;
    for (Clock& clock : clocks_)
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
        notes.push_back({"PROCESSES_FORGOTTEN",
                         {{"count", count}},
                         "addresses of " + std::to_string(count) + (count == 1 ? " process" : " processes") +
                             " without names: too many other processes followed, or kernel events were lost"});
    if (const uint64_t count = unwinder ? unwinder->times_full() : 0; count > 0)
        notes.push_back({"UNWIND_ROOM",
                         {{"count", count}},
                         "user stacks may be incomplete: there was no room for all unwind tables " +
                             std::to_string(count) + (count == 1 ? " time" : " times")});
    if (const uint64_t count = cgroups ? cgroups->unknown() : 0; count > 0)
        notes.push_back(
            {"CGROUPS_UNKNOWN",
             {{"count", count}},
             std::to_string(count) + (count == 1 ? " control group" : " control groups") + " without names: " +
                 (cgroups->is_anywhere() ? "they were removed before dtrace read them, or too many others followed"
                                         : "no file system of type cgroup2 is mounted here")});
    return notes;
}

} // namespace dt
