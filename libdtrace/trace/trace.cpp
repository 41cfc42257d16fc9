// The phases of a trace, and what is done in each pass.
#include "libdtrace/trace/trace.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/consume/bell.hpp"
#include "libdtrace/consume/consumer.hpp"
#include "libdtrace/consume/rings.hpp"
#include "libdtrace/consume/user_addresses.hpp"
#include "libdtrace/load/map_memory.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/process/populate.hpp"
#include "libdtrace/process/unwinder.hpp"
#include "libdtrace/trace/annotating.hpp"
#include "libdtrace/trace/bound_notes.hpp"
#include "libdtrace/trace/budget.hpp"
#include "libdtrace/trace/capabilities.hpp"
#include "libdtrace/trace/enabling.hpp"
#include "libdtrace/trace/followed.hpp"
#include "libdtrace/trace/memory_bound.hpp"
#include "libdtrace/trace/rest.hpp"
#include "libdtrace/trace/start_checks.hpp"
#include "libdtrace/world/symbols.hpp"

namespace dt {
namespace {

/// How long an exit() may go unnoticed, or an aggregation that needs room: while the trace does not rest nothing wakes
/// the tracer for them, but it can read what tells of them for nothing.
constexpr std::chrono::milliseconds kNewsCheck{20};

/// How long a process runs code that it has just mapped, at most, before somebody looks whether descriptions mean some
/// of it.
constexpr std::chrono::milliseconds kMappingCheck{5};

/// How old the known mappings of a -c or -p process may be when it ends.
constexpr auto kRememberInterval = std::chrono::seconds(1);

/// How long a clock of the kernel may be late, and nobody learn that all who were followed have ended.
constexpr std::chrono::milliseconds kClockCheck{100};

/// How long nobody looks after a trace that rests.
constexpr std::chrono::milliseconds kRestCheck{1000};

/// With -x annotate: within which the buffers of samples do not become full.
constexpr std::chrono::milliseconds kSamplesCheck{200};

using Clock = std::chrono::steady_clock;

/// Whether something may happen between two passes that no descriptor tells.
bool may_have_news(const Schema& schema)
{
    const auto exits = [](const Record& record) { return record.action && record.action->has(kExits); };
    return std::any_of(schema.aggregations.begin(), schema.aggregations.end(),
                       [](const AggregationSchema& each) { return !each.more.empty(); }) ||
           std::any_of(schema.statements.begin(), schema.statements.end(), [&](const StatementSchema& each) {
               return std::any_of(each.records.begin(), each.records.end(), exits);
           });
}

Error not_enabled(const Error& error)
{
    return {"could not enable tracing: " + error.message, error.code};
}

} // namespace

struct Trace::Impl {
    Impl(Session& session, Options given)
        : machine(session.machine()), world(machine->world()), processes(session.processes()),
          compilation(world, processes, std::move(given))
    {
    }
    ~Impl()
    {
        enabling.release(); // before what came later goes
        processes.end_run();
        if (symbols)
            symbols->end_run();
        world.time_steps(nullptr);
    }

    const std::shared_ptr<Machine> machine;
    LiveWorld& world;
    Processes& processes;
    Compilation compilation;
    const Options& options = compilation.options();
    Steps* steps = nullptr; ///< -x timing

    // attach() to finish()
    TraceValues former; ///< what to begin with
    std::map<HookKind, double> prices;
    AttachListener listener;
    Enabling enabling{compilation, world};
    Followed followed;
    std::unique_ptr<Consumer> consumer;
    consume::Bell bell;
    bool has_bell = false; ///< else it never rests
    Rest rest;
    Symbols* symbols = nullptr;
    std::optional<Budget> budget;     ///< with -x maxcost
    std::optional<Unwinder> unwinder; ///< in a program that walks user stacks
    bool following = false;           ///< what processes map is being noted
    Clock::time_point remembered{};
    std::vector<int> cpus = consume::online_cpus(); ///< that buffers and attachments know of
    std::optional<LaterObjects> later;              ///< when descriptions may mean more later
    std::optional<Annotating> annotating;           ///< -x annotate
    bool has_hasty_news = false;                    ///< exit() or aggregations that grow
    uint64_t tracer_memory = resident_memory();     ///< once the object is made
    std::optional<uint64_t> growth;                 ///< what maxmem leaves for what grows
    Result<void> end;                               ///< how END ran

    MemoryQuestion memory_question() const
    {
        return {compilation.object(), options, machine_sizes(world.target().cpus), tracer_memory};
    }
    Result<void> limit_growth();
    Result<void> open_consumer(Output& output);
    Result<void> open_budget();
    void open_unwinder(const LoadedObject& of);
    void open_later();
    void annotate(const LoadedObject& loaded, const Schema& schema);
    bool has_only_followers() const { return !processes.empty() && processes.pids().empty(); }
    void decide_about_rest(bool has_rung);
    bool all_gone() { return processes.all_gone() && followed.followers().empty(); }
    void remember_mappings();
    void follow_processes();
    Result<void> trace_later_mappings();
    void keep_processes();
    void tell_of_processes();
    Result<void> update_later();
    void find_tracer_frames();
    std::vector<output::Note> last_notes();
};

/// Nothing where nobody walks user stacks.
void Trace::Impl::open_unwinder(const LoadedObject& of)
{
    unwinder.emplace(world.proc(), Unwinder::Follower{[this](int64_t pid) { symbols->remember(pid); },
                                                      [this](int64_t pid) { return symbols->mappings_version(pid); }});
    if (!unwinder->open(of.object()))
        unwinder.reset();
}

/// What maxmem leaves for what grows.
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
    if (Result<void> limited = limit_growth(); !limited) // what was planned anew may take more
        return limited;
    Options of_consumer = options;
    if (growth)
        of_consumer.put("memlimit", std::to_string(*growth));
    for (auto& [name, values] : former.aggregations)
        renumber_names(values, compilation.object().schema.names);
    consumer = std::make_unique<Consumer>(compilation.object(), world.probes(), world.target().pid, of_consumer, output,
                                          *symbols);
    consumer->know_prices(prices);
    if (options.compile().cost)
        consumer->know_bound(output::sum(memory_parts(memory_question(), growth.value_or(usual_growth(options)))));
    restore_globals(compilation.program(), enabling.loaded(), former, enabling.report().begun_anew);
    for (std::string& anew : consumer->begin_with(former.aggregations))
        enabling.report().begun_anew.push_back(std::move(anew));
    Result<void> opened = consumer->open(enabling.loaded().object(), compilation.statements_of(kEndProbe),
                                         compilation.statements_of(kErrorProbe));
    if (opened)
        consumer->watch(enabling.losses());
    has_hasty_news = may_have_news(compilation.object().schema);
    return opened;
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
    const auto name = [this](const ProgramPlan& program) { return served_probes(program, world); };
    budget.emplace(compilation.object().schema, limit, static_cast<uint32_t>(cpus.size()), prices,
                   BudgetActions{attach, tell, lose, name});
    return budget->open(enabling.loaded().object(), static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)));
}

void Trace::Impl::open_later()
{
    if (compilation.may_follow())
        later.emplace(LaterObjects::Running{world, processes, followed, compilation.texts(), compilation.program(),
                                            compilation.object(), enabling.loaded(), enabling.losses(),
                                            enabling.unwound(), enabling.switching_off()});
}

/// Nothing without -x annotate.
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
                    [this](const ProgramPlan& plan) { return served_probes(plan, world); });
}

/// Keeps the mappings of the processes, so that their addresses have names after they have ended.
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

/// User addresses are looked up as of their time, and user stacks by tables of what processes map. Who is met in a
/// stack may be gone when it is printed.
void Trace::Impl::follow_processes()
{
    symbols->want_lines(options.run().srclines);
    symbols->limit_memory(growth ? growth : options.compile().memlimit);
    if (!following && (unwinder || consume::names_user_addresses(compilation.object().schema))) {
        following = true;
        symbols->follow_processes(processes.empty());
    }
    if (!unwinder)
        return;
    for (const pid_t pid : processes.pids())
        unwinder->add(pid);
}

/// Probes of what processes have mapped since the last time. Who stood still before goes on when they are there.
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

/// What a process executes runs with the rights of its file (set-user-ID) only if the tracer might trace that.
void Trace::Impl::keep_processes()
{
    if (has_capability("CAP_SYS_PTRACE"))
        processes.keep();
    else
        consumer->tell({"NOT_STOPPED",
                        {},
                        "without CAP_SYS_PTRACE processes are not stopped when they have mapped a file: what they call "
                        "before its probes are there is "
                        "missed"});
}

/// What may be missed of those that should stop.
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
    follow_processes();
    find_tracer_frames();
    annotate(*update.added, *update.schema);
    return consumer->extend(update.added->object(), *update.schema);
}

/// After a pass. Where later mappings are looked for, somebody looks all the time.
void Trace::Impl::decide_about_rest(bool has_rung)
{
    if (!has_bell || later)
        return;
    const auto now = static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
    if (has_rung || consumer->has_come() || (unwinder && unwinder->has_news()))
        rest.came(now);
    else
        rest.found_nothing(now);
    if (!rest.asks())
        bell.stop_listening();
    else if (!bell.listen())
        rest.came(now);
    consumer->set_resting(rest.rests() && !following); // what processes map is to be read while they are there
}

/// How much of kernel stacks is the tracer's.
void Trace::Impl::find_tracer_frames()
{
    if (!compilation.object().schema.kernel_stacks)
        return;
    const TracerFrames& frames = machine->tracer_frames();
    enabling.state().tracer_frames = frames.tracepoint;
    enabling.state().test_run_frames = options.run().cpu ? 0 : frames.test_run; // another CPU's is an interrupt's
}

/// What is to be known when all is printed: of probes that did not fire, of names that are missing.
std::vector<output::Note> Trace::Impl::last_notes()
{
    std::vector<output::Note> notes = enabling.unwound().report();
    for (output::Note& note : bound_notes(*symbols, unwinder ? &*unwinder : nullptr))
        notes.push_back(std::move(note));
    if (later)
        for (output::Note& note : later->coverage(options.print().errors_json))
            notes.push_back(std::move(note));
    if (!options.print().errors_json && options.print().quiet)
        std::erase_if(notes, [](const output::Note& note) { return !note.is_loss; });
    if (const uint64_t unread = symbols->unread_files(); unread > 0)
        notes.push_back({"FILES_UNREAD",
                         {{"count", unread}},
                         std::to_string(unread) + (unread == 1 ? " file" : " files") +
                             " not read for the names of addresses: too many open files"});
    return notes;
}

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

bool Trace::add(Source source, SpecKind kind, const Macros& macros)
{
    return impl_->compilation.add(std::move(source), kind, macros);
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
    return compiled;
}

const Object& Trace::object() const
{
    return impl_->compilation.object();
}

std::vector<output::MemoryPart> Trace::memory() const
{
    return memory_parts(impl_->memory_question(), impl_->growth.value_or(usual_growth(impl_->options)));
}

void Trace::begin_with(TraceValues values)
{
    impl_->former = std::move(values);
}

void Trace::tell_attaching(AttachListener listener)
{
    impl_->listener = std::move(listener);
}

Result<void> Trace::load()
{
    Impl& it = *impl_;
    if (Result<void> may =
            may_start(it.compilation.program(), it.compilation.object(), it.options, it.world, it.processes);
        !may)
        return not_enabled(may.error());
    if (Result<void> limited = it.limit_growth(); !limited)
        return not_enabled(limited.error());
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
    it.open_unwinder(it.enabling.loaded());
    it.find_tracer_frames();
    if (Result<void> opened = it.open_consumer(output); !opened)
        return not_enabled(opened.error());
    it.annotate(it.enabling.loaded(), it.compilation.object().schema);
    if (Result<void> opened = it.open_budget(); !opened)
        return not_enabled(opened.error());
    it.followed.open(it.enabling.loaded().object());
    it.followed.begin(it.processes.pids());
    it.open_later();
    it.has_bell = it.bell.open(it.enabling.loaded().object(), it.enabling.state());
    it.follow_processes();
    if (it.listener.attached && !it.later) // else more may be attached as long as it runs
        it.listener.attached();
    done(it.steps, "buffers");
    return {};
}

Result<void> Trace::activate()
{
    Impl& it = *impl_;
    if (Result<void> ran = it.enabling.run_programs_of(kBeginProbe); !ran) {
        it.enabling.switch_off();
        return not_enabled(ran.error());
    }
    done(it.steps, "BEGIN");
    for (const pid_t pid : it.processes.pids())
        populate_data(it.options.run().procfspath, pid);
    it.enabling.activate();
    it.remember_mappings(); // a short-lived command is gone before its first record is read
    if (it.later && LaterObjects::names_processes(it.compilation.program(), it.processes))
        it.keep_processes();
    it.processes.release();
    it.rest.came(static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)));
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
    return {impl_->consumer->ledger(), impl_->consumer->firings()};
}

output::CostReport Trace::costs() const
{
    return impl_->consumer->costs();
}

void Trace::know_prices(std::map<HookKind, double> prices)
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
    const bool has_rung = it.bell.answer(); // before it is read what somebody rang for
    if (has_rung)
        it.consumer->set_resting(false);
    it.remember_mappings();
    if (it.annotating)
        it.annotating->read();
    if (Result<void> passed = it.consumer->pass(); !passed)
        return passed;
    if (it.unwinder)
        it.unwinder->update();
    it.decide_about_rest(has_rung);
    if (it.budget)
        it.budget->act(static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)));
    return it.trace_later_mappings();
}

std::chrono::milliseconds Trace::until_due() const
{
    const std::chrono::milliseconds due(impl_->consumer->next_timeout_ms());
    const auto now = static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
    const auto in = [](uint64_t ns) {
        return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(ns));
    };
    const uint64_t budget = impl_->budget ? impl_->budget->due() : UINT64_MAX;
    return std::min({due, impl_->annotating ? kSamplesCheck : due,
                     in(impl_->rest.until_last_look(now).value_or(INT64_MAX / 2)),
                     in(std::min<uint64_t>(budget > now ? budget - now : 0, INT64_MAX / 2))});
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
    return all;
}

bool Trace::has_news()
{
    Impl& it = *impl_;
    return it.enabling.state().exiting != 0 || it.consumer->is_urgent() || (it.unwinder && it.unwinder->has_news()) ||
           (it.later && it.later->has_news()) || (it.has_only_followers() && it.followed.followers().empty());
}

std::chrono::milliseconds Trace::look_every() const
{
    if (impl_->later)
        return kMappingCheck;
    if (!impl_->rest.rests())
        return impl_->unwinder || impl_->has_hasty_news ? kNewsCheck : kClockCheck;
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

void Trace::show_aggregations()
{
    impl_->consumer->show_aggregations();
}

void Trace::reopen_output()
{
    impl_->consumer->reopen_output();
}

void Trace::interrupted()
{
    impl_->consumer->interrupted();
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
        it.later->has_news(); // what happened until now
    it.processes.stop_holding();
    it.tell_of_processes();
    switch_off();
    it.consumer->was_active(it.enabling.active_ns());
    if (it.budget)
        it.budget->finish(static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)));
    done(it.steps, "detach");
    if (Result<void> followed = follow_cpus(consume::online_cpus()); !followed) // END may run on one that came
        return followed;
    if (Result<void> prepared = it.consumer->prepare_end(); !prepared)
        return prepared;
    done(it.steps, "drain");
    it.end = it.enabling.run_programs_of(kEndProbe);
    done(it.steps, "END");
    it.enabling.state().activity = DT_STOPPED;
    return {};
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
    return static_cast<int>(it.enabling.state().exit_status & 0xff);
}

Result<TraceValues> Trace::values()
{
    TraceValues values = impl_->former;
    keep_globals(impl_->compilation.program(), impl_->enabling.loaded(), values);
    auto aggregations = impl_->consumer->values();
    if (!aggregations)
        return aggregations.error();
    for (consume::AggregationValues& each : aggregations.value())
        values.aggregations[each.shape.name] = std::move(each);
    return values;
}

} // namespace dt
