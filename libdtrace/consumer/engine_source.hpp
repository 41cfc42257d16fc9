// The part of a trace that runs in a process's user-space engine. Its records and counts are presented as if they came
// from one more CPU. This file defines the ring and the channel of one process, the aggregations of all engines, and
// the set of processes.
//
// The process may end, stop or write wrong data at any time. So samples are copied out of its memory before they are
// decoded, and samples that match no statement of the trace are skipped. Aggregations are in maps of the engine; the
// consumer saves a copy of their values, because they are lost when the process ends.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/driver/compiler.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/aggregations/aggregate.hpp"
#include "libdtrace/buffers/ring.hpp"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/load/loader.hpp"
#include "libdtrace/process/engine_client.hpp"

namespace dt::consume {

class EngineRing final : public Ring {
public:
    /// Creates the ring of a mapped channel. `probes` contains the ids of the trace's probes, sorted. All arguments
    /// must outlive this object.
    EngineRing(embed::wire::Channel* channel, const Schema& schema, const std::vector<uint32_t>& probes);

private:
    uint64_t written() const override;
    void release_space(uint64_t position) override;
    bool find_front() override;
    bool is_ours(const dt_sample& sample) const;

    embed::wire::Channel* channel_;
    const Schema& schema_;
    const std::vector<uint32_t>& probes_; ///< ids of the trace's probes, sorted
    std::vector<uint8_t> copy_;
    uint64_t latest_ = 0;
};

class EngineSource {
public:
    /// Describes a section of the object that contains counters, which the clauses increment.
    struct Counters {
        std::string section;
        std::size_t size = 0; ///< size of the section in bytes
    };
    /// Loads the object into the process's engine. `state` is the descriptor of the memory with the global variables.
    /// An error contains the engine's message, or says that the engine did not answer.
    static Result<std::unique_ptr<EngineSource>> begin(int64_t pid, EngineClient application,
                                                       std::span<const uint8_t> object, int state, const Schema& schema,
                                                       std::vector<uint32_t> probes,
                                                       const std::vector<Counters>& counters);
    ~EngineSource();
    EngineSource(const EngineSource&) = delete;

    int64_t pid() const { return pid_; }
    const std::string& executor() const { return executor_; }
    Ring& ring() { return *ring_; }
    const dt_losses* losses() const { return &channel_->losses; }
    /// Returns the address of the section's counters in this process, or null if the section does not exist. The memory
    /// stays valid after the process has ended.
    const void* counters(const std::string& section) const;

    /// Returns the current elements of a map. If the process has ended, returns the elements that were read last.
    const EngineClient::Elements& elements(const std::string& map);
    void remove(const std::string& map, std::span<const uint8_t> keys);
    void zero(const std::string& map, std::size_t offset, std::size_t size);
    /// Saves the aggregations' values once a second; must be called in each pass.
    void pass(uint64_t now);
    Result<void> run(const std::string& probe) { return client_.run(probe); }
    /// Makes this trace the active one in the process, during an atomic handover from another trace. Has no effect
    /// after the process has ended.
    void take_over();
    /// Ends tracing in the process. Returns a message for the user, or an empty string.
    std::string end();

private:
    EngineSource(int64_t pid, EngineClient application, const Schema& schema, std::vector<uint32_t> probes);

    const int64_t pid_;
    EngineClient client_;
    const Schema& schema_;
    const std::vector<uint32_t> probes_;
    std::map<std::string, SharedMap> counters_; ///< memory of the counters; the key is the section name
    std::string executor_;
    embed::wire::Channel* channel_ = nullptr;
    std::unique_ptr<EngineRing> ring_;
    void read_final_values();

    /// Elements of each engine map as they were last read, by map name.
    std::map<std::string, EngineClient::Elements> elements_;
    /// `kept_`: time when aggregation values were last saved (CLOCK_MONOTONIC ns). `fired_`: the engine's firing count
    /// at that time.
    uint64_t kept_ = 0, fired_ = 0;
    std::string stopped_; ///< reason why the engine stopped running clauses; empty if it did not stop
    bool has_final_values_ = false;
    bool is_gone_ = false, has_ended_ = false;
};

using EngineSources = std::vector<std::unique_ptr<EngineSource>>;

// Adds the aggregation values that user-space engines have counted. The values of each engine are presented as the
// values of one more CPU, after the kernel's CPUs.

class EngineAggregations final : public AggregationStore {
public:
    /// Creates the store on top of the store `own`, which contains the kernel's values and must outlive this object.
    explicit EngineAggregations(AggregationStore& own) : own_(own) {}

    /// Adds an engine; must be called before the first read.
    void add(EngineSource& engine) { engines_.push_back(&engine); }
    bool empty() const { return engines_.empty(); }

    uint32_t cpus() const override { return own_.cpus() + static_cast<uint32_t>(engines_.size()); }
    Result<void> read(const AggregationSchema& schema, const Visit& visit) override;
    void settle() override { own_.settle(); }
    void remove(const AggregationSchema& schema, std::span<const uint8_t> keys) override;
    void keep_overflow(const AggregationSchema& schema, const std::vector<std::string>& kept) override
    {
        own_.keep_overflow(schema, kept);
    }
    void zero(const AggregationSchema& schema) override;
    bool expires_keys(const AggregationSchema& schema) const override { return own_.expires_keys(schema); }
    void empty(const AggregationSchema& schema) override { own_.empty(schema); }
    const std::vector<int64_t>* expired(const AggregationSchema& schema) const override { return own_.expired(schema); }
    void clear_expired(const AggregationSchema& schema) override { own_.clear_expired(schema); }

private:
    void read_keys(const AggregationSchema& schema, std::size_t engine, const Visit& visit);
    static std::vector<uint8_t> digests_of(const AggregationSchema& schema, EngineSource& engine,
                                           std::span<const uint8_t> keys);

    AggregationStore& own_;
    std::vector<EngineSource*> engines_;
};

} // namespace dt::consume

// The parts of a trace that run in processes with a user-space engine. The object is loaded into each process, which
// runs the clauses of its own probe sites.
//
// All parts, including the one in the kernel, share the global variables. So exit(), enabling and disabling affect all
// parts simultaneously.

namespace dt {

class EngineSession {
public:
    /// Loads the object into the processes; has no effect if the program has no probes there. `loaded` contains the
    /// global variables. If the object is not loaded into the kernel, BEGIN, END and timer probes are also run by the
    /// engines: run() fires them. Errors name the process.
    Result<void> begin(const Object& object, const Program& program, World& world, const LoadedObject& loaded);
    /// Runs a probe in the first process that is still alive. Fails if there is none.
    Result<void> run(const std::string& probe);
    bool empty() const { return engines_.empty(); }
    const consume::EngineSources& engines() const { return engines_; }

    /// Makes this trace the active one in the processes, when an atomic handover (DT_HANDOVER) replaces another trace.
    void take_over();
    /// Ends tracing in the processes. Returns messages for the user.
    std::vector<std::string> end();

private:
    consume::EngineSources engines_;
};

} // namespace dt
