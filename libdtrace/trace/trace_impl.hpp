// State of a running trace, and operations that several of its phases use.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/annotate/annotate.hpp"
#include "libdtrace/attach/process_coverage.hpp"
#include "libdtrace/buffers/reader_wakeup.hpp"
#include "libdtrace/buffers/rings.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/consumer/engine_source.hpp"
#include "libdtrace/consumer/run_report.hpp"
#include "libdtrace/cost/overhead_controller.hpp"
#include "libdtrace/cost/sampling_windows.hpp"
#include "libdtrace/interpreters/interpreters.hpp"
#include "libdtrace/kernel/cgroup_filter.hpp"
#include "libdtrace/kernel/cgroups.hpp"
#include "libdtrace/load/map_sizes.hpp"
#include "libdtrace/postmortem/recorder_map.hpp"
#include "libdtrace/process/thread_contexts.hpp"
#include "libdtrace/stacks/unwinder.hpp"
#include "libdtrace/symbols/symbols.hpp"
#include "libdtrace/trace/memory_bound.hpp"
#include "libdtrace/trace/program_set.hpp"
#include "libdtrace/trace/trace.hpp"

// Idle detection: decides when a trace without records may sleep for long.
//
// A tracer that is always on is idle most of the time. While active it checks for records ten times a second, so that a
// line is delayed by at most 100 ms; events without a descriptor are checked more often. After a check without records,
// the tracer requests wakeups from the BPF programs (buffers/reader_wakeup.hpp). After another check without records,
// it sleeps until a wakeup, or until other work is due. After a wakeup the tracer requests the next one immediately,
// because usually a single record has arrived. If more records follow, it stays active until no record arrives.

namespace dt {

class IdleState {
public:
    /// Minimum time without records before wakeups are requested. On a terminal, the tracer checks for records so often
    /// that one check without a record does not mean that the trace is idle.
    static constexpr uint64_t kQuietNs = 50 * kMillisecond;
    /// Minimum time after a request for wakeups before the tracer relies on them. By then, programs that wrote a record
    /// just before the request have ended, and all later programs see the request.
    static constexpr uint64_t kWakeupRequestedNs = 5 * kMillisecond;

    /// Records that a record arrived at `now` (CLOCK_MONOTONIC ns).
    void note_activity(uint64_t now)
    {
        state_ = state_ == State::Resting ? State::Asking : State::Awake;
        since_ = now;
    }
    /// Records that a check at `now` found no record and no wakeup.
    void note_inactivity(uint64_t now)
    {
        if (state_ == State::Awake && now - since_ >= kQuietNs) {
            state_ = State::Asking;
            since_ = now;
        } else if (state_ == State::Asking && now - since_ >= kWakeupRequestedNs) {
            state_ = State::Resting;
        }
    }

    /// Returns whether BPF programs must send wakeups.
    bool wants_wakeup() const { return state_ != State::Awake; }
    /// Returns whether wakeups announce all urgent events, so that the tracer may sleep.
    bool is_idle() const { return state_ == State::Resting; }

private:
    enum class State : uint8_t { Awake, Asking, Resting } state_ = State::Awake;
    uint64_t since_ = 0;
};

// Timer probes (tick-N, profile-N) of an unprivileged trace. The tracer itself checks the time, and requests a process
// with an engine to run the clauses. A probe fires once for all CPUs, at most once each millisecond.

class UserTimers {
public:
    /// Starts the tracer's own timers for the timer probes in `schema`. `now` is CLOCK_MONOTONIC ns.
    void begin(const Schema& schema, uint64_t now);

    /// Returns the time when the next timer is due (CLOCK_MONOTONIC ns); UINT64_MAX if there is none.
    uint64_t due() const;
    /// Returns the full names of the probes that are due. A probe is listed once, even if it missed several periods.
    std::vector<std::string> take(uint64_t now);

private:
    struct Clock {
        std::string probe;
        uint64_t period = 0, due = 0; ///< period and next time of the tracer's own timer, in ns
    };
    std::vector<Clock> timers_;
};

struct Trace::Impl {
    Impl(Session& session, Options given)
        : system_context(session.system_context()), world(system_context->world()), processes(session.processes()),
          compilation(world, processes, std::move(given))
    {
    }
    ~Impl()
    {
        program_set.release(); // detaches the programs first, because they use members that are destroyed later
        processes.end_run();
        if (symbols)
            symbols->end_run();
        world.record_phases(nullptr);
    }

    const std::shared_ptr<SystemContext> system_context;
    LiveWorld& world;
    Processes& processes;
    Compilation compilation;
    const Options& options = compilation.options();
    PhaseTimes* steps = nullptr; ///< object that records how long each phase takes; set with -x timing

    // Members that are used from attach() to finish():
    TraceValues former;          ///< values of an earlier trace, which this trace restores
    Impl* predecessor = nullptr; ///< the trace that this one replaces; null after activate()
    consume::HookOverheads overheads;
    output::SinkMaker make_sink = output::make_sink;
    AttachListener listener;
    ProgramSet program_set{compilation, world};
    EngineSession engine_session; ///< user-space engines; must outlive the consumer
    UserTimers timers;            ///< timers of an unprivileged trace
    FollowedProcesses followed;
    CgroupFilter cgroup;                  ///< control group of -x cgroup
    std::optional<ControlGroups> cgroups; ///< names of control groups, if the program prints them
    std::unique_ptr<Consumer> consumer;
    consume::ReaderWakeup wakeup;
    bool has_wakeup = false; ///< whether the wakeup by BPF programs works; if not, the trace never becomes idle
    IdleState idle_state;
    Symbols* symbols = nullptr;
    std::optional<OverheadController> overhead_controller; ///< limits the overhead of tracing; created with -x maxcost
    /// Ids of the statements whose predicate is true only in the process $target; `overhead_controller` needs them.
    std::set<uint32_t> of_target;
    /// Decides when firings are timed. Exists only if firings are timed and maxcost is not set.
    std::optional<SamplingWindows> sampling_windows;
    std::optional<Interpreters> interpreters; ///< frames of interpreters; created if the program uses jstack()
    std::optional<Unwinder> unwinder;         ///< unwinder of user stacks; created if the program records user stacks
    std::optional<ThreadContexts> contexts;   ///< OpenTelemetry thread contexts; created if the program uses them
    bool following = false;                   ///< whether the trace follows the mappings of processes
    /// Whether user addresses are stored for later output. If so, the consumer must not become idle, because it must
    /// read new mappings before they disappear.
    bool follows_closely = false;
    std::chrono::steady_clock::time_point remembered{};
    std::vector<int> cpus = consume::online_cpus(); ///< CPUs for which buffers and attachments exist
    /// Search for dynamic probes; created if probe descriptions may match future probes.
    std::optional<DynamicProbes> dynamic_probes;
    std::optional<Annotator> annotator;      ///< takes the samples for -x annotate
    std::optional<ClauseSizer> clause_sizer; ///< computes the sizes of clauses; created with -x cost
    /// description of the records in the kernel; created with bufpolicy=ring
    Recorder recorder;
    bool has_urgent_news = false;               ///< whether the program uses exit() or aggregations that grow
    uint64_t tracer_memory = resident_memory(); ///< memory of this process; updated after compilation
    /// maximum memory in bytes of each part of the trace that grows (memory_bound.hpp), if option maxmem is set
    std::optional<uint64_t> growth;
    /// Whether the object was freed. If so, `parts` contains the parts of the maximum memory.
    bool object_is_forgotten = false;
    std::vector<output::MemoryPart> parts;
    Result<void> end; ///< result of running END, which finish() returns

    MemoryQuestion memory_question() const
    {
        return {compilation.object(), options, machine_sizes(world.target().cpus), tracer_memory};
    }
    Result<void> limit_growth();
    Result<void> open_consumer(Output& output);
    std::vector<std::string> begin_aggregations();
    Result<void> open_cgroup();
    void follow_cgroup();
    TraceValues globals() const; ///< returns the current values of the global variables
    Result<void> open_overhead_controller();
    Result<void> open_sampling_windows();
    void open_unwinder(const LoadedObject& of);
    void open_contexts(const LoadedObject& of);
    bool watches_processes() const { return unwinder || contexts; }
    void open_dynamic_probes();
    void annotate(const LoadedObject& loaded, const Schema& schema);
    void size_clauses(const LoadedObject& loaded, const Schema& schema);
    bool has_only_followers() const { return !processes.empty() && processes.pids().empty(); }
    void update_idle_state(bool has_woken);
    bool may_stay_idle();
    bool all_gone() { return processes.all_gone() && followed.followers().empty(); }
    void describe_in_kernel();
    Result<void> run_programs_of(uint32_t probe, const std::string& name);
    Result<void> list_objects();
    void run_timers();
    void renew_lease();
    void remember_mappings();
    std::string report_refused();
    void follow_processes();
    void set_cgroup_names();
    Result<void> record_mappings();
    void seize_processes();
    void report_processes();
    Result<void> update_dynamic_probes();
    void find_tracer_frames();
    std::vector<output::Note> last_notes();
};

} // namespace dt
