// The data members of class Consumer, in a struct that the source files of the class share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/aggregations/aggregate_store.hpp"
#include "libdtrace/aggregations/key_expiry.hpp"
#include "libdtrace/buffers/ring.hpp"
#include "libdtrace/buffers/rings.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/consumer/engine_source.hpp"
#include "libdtrace/consumer/run_report.hpp"
#include "libdtrace/consumer/snapshots.hpp"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/losses/lost_intervals.hpp"
#include "libdtrace/output/follower.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/records/decode.hpp"
#include "libdtrace/records/flight_recorder.hpp"
#include "libdtrace/symbols/symbols.hpp"

namespace dt {

using namespace consume;

struct Consumer::Impl {
    /// maximum delay between the recording of data and its line while the buffers fill slowly
    static constexpr int kMaxDelayMs = 100;
    /// maximum time by which an idle consumer's pass may come early
    static constexpr uint64_t kMaxEarlyNs = 500 * kMillisecond;

    Impl(const Object& object_, ProbeSource& probes_, int64_t target, Options options_, Output& output_,
         Symbols& symbols, const output::SinkMaker& make_sink)
        : object(object_), probes(probes_), options(std::move(options_)),
          output(output_), env{object.schema.names, options.print(), symbols, target},
          sink(make_sink({options.print(), output, env, reproducible, object.schema.program_digest})),
          aggregations(env, options.run()), speculations(options.compile().specsize), losses(options, output, *sink),
          decoder(probes, options, output, env, aggregations, speculations, losses, *sink)
    {
        expiring_keys.open(object.schema.aggregations, options.compile().aggttl,
                           options.compile().memlimit.value_or(kMaxOverflow));
        env.strsize = options.compile().strsize;
        if (reproducible)
            options.put("quietresize");
        if (options.run().top)
            // --top prints the largest values first, so option aggsortrev is inverted
            options.put("aggsortrev", options.print().aggsortrev ? "off" : "on");
    }

    const Object& object;
    ProbeSource& probes;
    Options options;
    Output& output;
    const bool reproducible = reproducible_output();
    format::Environment env;
    std::unique_ptr<output::Sink> sink;
    KernelAggregations store;
    ExpiringKeys expiring_keys{store}; ///< store that adds key expiry (-x aggttl) to `store`
    EngineAggregations engine_aggregations{expiring_keys};
    std::vector<EngineSource*> engines;
    AggregationStore& counted_store()
    {
        return engine_aggregations.empty() ? static_cast<AggregationStore&>(expiring_keys) : engine_aggregations;
    }
    /// store that adds the restored values of a previous run to the values of this run
    std::optional<RestoredAggregations> restored;
    Aggregations aggregations;
    Speculations speculations;
    Losses losses;
    LostIntervals lost_intervals{losses.drops(), *sink};
    FlightRecorder flight_recorder{options.run(), losses};
    BufferLimit buffer_limit{options.run(), object.schema.statements};
    /// Samples that were dropped because of buffer_limit, by CPU and probe. They serve to count a firing of which
    /// several samples were dropped only once.
    DiscardedHits::Seen no_room;
    Decoder decoder;
    PrincipalBuffers buffers{object.schema, options};
    CpuOrder cpu_order;
    SharedMap loss_memory, spec_memory, more_memory, sent_memory;
    RunReport run_report{object.schema, probes, options, output, *sink, losses, [this] {
                             return OtherMemory{buffers.rings().memory(), store.overflow_memory()};
                         }};
    OutputErrors output_errors{options, output, run_report, losses.drops()};
    Snapshots snapshots{options, output, *sink, aggregations, [this] { return totals(); }};
    uint64_t last_pass = 0, last_status = 0, last_whole_pass = 0;
    Followers followers{*sink, options.print(), env, reproducible};
    bool idle = false;
    bool flight_recorder_requested = false;
    bool reported_early_expiry = false; ///< whether a message has reported that keys expired early for lack of memory
    /// whether the last pass printed samples, left samples unread, or had to enlarge an aggregation's map
    bool had_output = false;
    uint64_t consumed = 0; ///< number of samples read; with -x pin, includes the samples that earlier tracers have read
    int max_delay_ms = kMaxDelayMs;
    const LoadedMaps* maps = nullptr; ///< the maps of the loaded object; null before open()
    dt_sent* sent() { return static_cast<dt_sent*>(sent_memory.memory()); }
    Result<void> open_sent(const LoadedMaps& maps);
    void note_read();
    Result<void> open_aggregations(const LoadedMaps& maps);
    void make_room_for_keys(uint64_t now);
    Result<void> open_counters(const LoadedMaps& maps);
    Result<void> count_evicted();
    Result<void> count_open_requests();
    bool is_empty();
    void consume(uint64_t now, bool last);
    void print_flight_recorder();
    void speed_up(uint64_t samples);
    void abandon_speculations(uint64_t now, bool last);
    void look_at_terminal();
    bool is_quiet(uint64_t now);
    int until_due_ms(uint64_t now);
    uint64_t idle_period() const;
    uint64_t early(uint64_t period) const { return idle ? std::min(period / 2, kMaxEarlyNs) : 0; }
    void handle(const Sample& sample)
    {
        if (options.run().cpu && *options.run().cpu != sample.cpu)
            return;
        if (flight_recorder.is_in_use())
            return keep(sample);
        if (buffer_limit.has_room(sample))
            return show(sample);
        losses.count_principal_drop(sample, DropReason::Buffer);
        losses.discarded_hits().add(sample, no_room);
        lost_intervals.add(sample, DropReason::Buffer);
    }
    output::Totals totals();
    void keep(const Sample& sample)
    {
        flight_recorder.keep(sample);
        if (flight_recorder.is_ring() && decoder.freezes(sample))
            print_flight_recorder();
    }
    void show(const Sample& sample)
    {
        lost_intervals.show(sample);
        if (!decoder.handle(sample))
            lost_intervals.add(sample.cpu, DropReason::Speculation, 1, sample.time);
    }
    AggregationStore& aggregation_store()
    {
        return restored ? static_cast<AggregationStore&>(*restored) : counted_store();
    }
    bool is_filling_up() const
    {
        const RingList& list = buffers.rings().list();
        return std::any_of(list.begin(), list.end(), [](const Ring* ring) { return ring->was_filling_up(); });
    }
};

} // namespace dt
