// State of a running trace, and operations that several of its phases share.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libdtrace/consume/bell.hpp"
#include "libdtrace/consume/consumer.hpp"
#include "libdtrace/consume/rings.hpp"
#include "libdtrace/load/cgroup.hpp"
#include "libdtrace/load/map_memory.hpp"
#include "libdtrace/load/recorder.hpp"
#include "libdtrace/process/thread_contexts.hpp"
#include "libdtrace/process/unwinder.hpp"
#include "libdtrace/trace/annotating.hpp"
#include "libdtrace/trace/applications.hpp"
#include "libdtrace/trace/own_clocks.hpp"
#include "libdtrace/trace/budget.hpp"
#include "libdtrace/trace/cost_gates.hpp"
#include "libdtrace/trace/clause_sizes.hpp"
#include "libdtrace/trace/enabling.hpp"
#include "libdtrace/trace/followed.hpp"
#include "libdtrace/trace/memory_bound.hpp"
#include "libdtrace/trace/rest.hpp"
#include "libdtrace/trace/trace.hpp"
#include "libdtrace/world/cgroups.hpp"
#include "libdtrace/world/symbols.hpp"

namespace dt {

struct Trace::Impl {
    Impl(Session& session, Options given)
        : machine(session.machine()), world(machine->world()), processes(session.processes()),
          compilation(world, processes, std::move(given))
    {
    }
    ~Impl()
    {
        enabling.release(); // before the members that it uses are destroyed
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
    Steps* steps = nullptr; ///< recorder of phase times; set with -x timing

    // The following members are used from attach() to finish().
    TraceValues former;          ///< values of an earlier trace to restore
    Impl* predecessor = nullptr; ///< trace to be replaced; null after activate()
    consume::OutsidePrices prices;
    output::SinkMaker make_sink = output::make_sink;
    AttachListener listener;
    Enabling enabling{compilation, world};
    Applications applications; ///< user-space engines; must outlive the consumer
    OwnClocks clocks;          ///< timers of an unprivileged trace
    Followed followed;
    TracedCgroup cgroup;                  ///< control group of -x cgroup
    std::optional<ControlGroups> cgroups; ///< set if the program prints names of control groups
    std::unique_ptr<Consumer> consumer;
    consume::Bell bell;
    bool has_bell = false; ///< whether `bell` works; without it the trace never becomes idle
    Rest rest;
    Symbols* symbols = nullptr;
    std::optional<Budget> budget;        ///< the limiter of -x maxcost
    std::set<uint32_t> of_target;        ///< for `budget`: statements whose predicate is true only in $target's process
    std::optional<CostGates> cost_gates; ///< counting switches; set if firings are timed, without maxcost
    std::optional<Unwinder> unwinder;    ///< set if the program records user stacks
    std::optional<ThreadContexts> contexts; ///< set if the program uses the context of threads
    bool following = false;                 ///< whether mappings of processes are being recorded
    bool follows_closely = false; ///< user addresses are kept for later output, so the consumer must not become idle
    std::chrono::steady_clock::time_point remembered{};
    std::vector<int> cpus = consume::online_cpus(); ///< CPUs that have buffers and attachments
    std::optional<LaterObjects> later;              ///< set if descriptions may match future probes
    std::optional<Annotating> annotating;           ///< the sampler of -x annotate
    std::optional<ClauseSizing> sizing;             ///< sizes of clauses; set with -x cost
    Recorder recorder;                              ///< description of the records in the kernel, with bufpolicy=ring
    bool has_hasty_news = false;                    ///< whether the program uses exit() or growing aggregations
    uint64_t tracer_memory = resident_memory();     ///< memory of this process; updated after compilation
    std::optional<uint64_t> growth;                 ///< limit of the growing parts under maxmem
    bool object_is_forgotten = false; ///< the object was freed, and `parts` has the memory computed before
    std::vector<output::MemoryPart> parts;
    Result<void> end; ///< result of running END

    MemoryQuestion memory_question() const
    {
        return {compilation.object(), options, machine_sizes(world.target().cpus), tracer_memory};
    }
    Result<void> limit_growth();
    Result<void> open_consumer(Output& output);
    std::vector<std::string> begin_aggregations();
    Result<void> open_cgroup();
    void follow_cgroup();
    TraceValues globals() const; ///< returns the current values of the globals
    Result<void> open_budget();
    Result<void> open_cost_gates();
    void open_unwinder(const LoadedObject& of);
    void open_contexts(const LoadedObject& of);
    bool meets_processes() const { return unwinder || contexts; }
    void open_later();
    void annotate(const LoadedObject& loaded, const Schema& schema);
    void size_clauses(const LoadedObject& loaded, const Schema& schema);
    bool has_only_followers() const { return !processes.empty() && processes.pids().empty(); }
    void decide_about_rest(bool has_rung);
    bool may_rest_on();
    bool all_gone() { return processes.all_gone() && followed.followers().empty(); }
    void describe_in_kernel();
    Result<void> run_programs_of(uint32_t probe, const std::string& name);
    void run_clocks();
    void renew_lease();
    void remember_mappings();
    std::string tell_refused();
    void follow_processes();
    void name_cgroups();
    Result<void> trace_later_mappings();
    void keep_processes();
    void tell_of_processes();
    Result<void> update_later();
    void find_tracer_frames();
    std::vector<output::Note> last_notes();
};

} // namespace dt
