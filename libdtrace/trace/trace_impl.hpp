// What a trace is made of while it runs, and what several of its phases do with that.
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
    TraceValues former;          ///< what to begin with
    Impl* predecessor = nullptr; ///< until activate(): whose place this one takes
    consume::OutsidePrices prices;
    output::SinkMaker make_sink = output::make_sink;
    AttachListener listener;
    Enabling enabling{compilation, world};
    Applications applications; ///< outlive the consumer
    OwnClocks clocks;          ///< without rights in the kernel
    Followed followed;
    TracedCgroup cgroup;                  ///< with -x cgroup
    std::optional<ControlGroups> cgroups; ///< in a program that prints names of theirs
    std::unique_ptr<Consumer> consumer;
    consume::Bell bell;
    bool has_bell = false; ///< else it never rests
    Rest rest;
    Symbols* symbols = nullptr;
    std::optional<Budget> budget;           ///< with -x maxcost
    std::set<uint32_t> of_target;           ///< for it: statements whose predicates only $target's process meets
    std::optional<CostGates> cost_gates;    ///< where firings are timed, without it
    std::optional<Unwinder> unwinder;       ///< in a program that walks user stacks
    std::optional<ThreadContexts> contexts; ///< in one that asks what threads work for
    bool following = false;                 ///< what processes map is being noted
    bool follows_closely = false;           ///< and somebody may want it whose programs do not ring
    std::chrono::steady_clock::time_point remembered{};
    std::vector<int> cpus = consume::online_cpus(); ///< that buffers and attachments know of
    std::optional<LaterObjects> later;              ///< when descriptions may mean more later
    std::optional<Annotating> annotating;           ///< -x annotate
    std::optional<ClauseSizing> sizing;             ///< -x cost
    Recorder recorder;                              ///< with bufpolicy=ring
    bool has_hasty_news = false;                    ///< exit() or aggregations that grow
    uint64_t tracer_memory = resident_memory();     ///< once the object is made
    std::optional<uint64_t> growth;                 ///< what maxmem leaves for what grows
    bool object_is_forgotten = false;               ///< and then what was to be known of it:
    std::vector<output::MemoryPart> parts;
    Result<void> end; ///< how END ran

    MemoryQuestion memory_question() const
    {
        return {compilation.object(), options, machine_sizes(world.target().cpus), tracer_memory};
    }
    Result<void> limit_growth();
    Result<void> open_consumer(Output& output);
    std::vector<std::string> begin_aggregations();
    Result<void> open_cgroup();
    void follow_cgroup();
    TraceValues globals() const; ///< as they are now
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
