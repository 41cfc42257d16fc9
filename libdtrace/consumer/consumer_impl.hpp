// State of a consumer while a trace runs.
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
    /// maximum delay between a record and its line while the buffers fill slowly
    static constexpr int kMostDelayMs = 100;
    /// maximum that an idle consumer's pass may come early
    static constexpr uint64_t kMostEarlyNs = 500 * kMillisecond;

    Impl(const Object& object_, ProbeSource& probes_, int64_t target, Options options_, Output& output_,
         Symbols& symbols, const output::SinkMaker& make_sink)
        : object(object_), probes(probes_), options(std::move(options_)),
          output(output_), env{object.schema.names, options.print(), symbols, target},
          sink(make_sink({options.print(), output, env, reproducible, object.schema.text_digest})),
          aggregations(env, options.run()), speculations(options.compile().specsize), losses(options, output, *sink),
          decoder(probes, options, output, env, aggregations, speculations, losses, *sink)
    {
        silent.open(object.schema.aggregations, options.compile().aggttl,
                    options.compile().memlimit.value_or(kMostOverflow));
        env.strsize = options.compile().strsize;
        if (reproducible)
            options.put("quietresize");
        if (options.run().top)
            // --top shows the largest values first
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
    SilentKeys silent{store}; ///< store with key expiry, stacked on `store`
    ApplicationAggregations in_applications{silent};
    std::vector<ApplicationHalf*> halves;
    AggregationStore& counted_store()
    {
        return in_applications.empty() ? static_cast<AggregationStore&>(silent) : in_applications;
    }
    std::optional<CarriedAggregations> carried; ///< store with restored values, stacked on counted_store()
    Aggregations aggregations;
    Speculations speculations;
    Losses losses;
    Gaps gaps{losses.ledger(), *sink};
    Retained retained{options.run(), losses};
    SmallBuffer small_buffer{options.run(), object.schema.statements};
    /// CPU and probe of the samples that small_buffer dropped, so that a firing counts once
    ThrownFirings::Seen no_room;
    Decoder decoder;
    PrincipalBuffers buffers{object.schema, options};
    CpuOrder cpu_order;
    SharedMap loss_memory, spec_memory, more_memory, sent_memory;
    Reports reports{object.schema, probes, options, output, *sink, losses, [this] {
                        return OtherMemory{buffers.rings().memory(), store.overflow_memory()};
                    }};
    OutputTroubles troubles{options, output, reports, losses.ledger()};
    Snapshots snapshots{options, output, *sink, aggregations, [this] { return totals(); }};
    uint64_t last_pass = 0, last_status = 0, last_whole_pass = 0;
    Followers followers{*sink, options.print(), env, reproducible};
    bool resting = false;
    bool kept_is_asked = false;
    bool has_told_of_early = false; ///< whether the early expiry of keys was reported
    bool has_come = false;          ///< the last pass found something to print soon
    uint64_t consumed = 0;          ///< samples read; with -x pin including those that other tracers have read
    int most_delay_ms = kMostDelayMs;
    const LoadedMaps* maps = nullptr; ///< maps of the loaded object; null before open()
    dt_sent* sent() { return static_cast<dt_sent*>(sent_memory.memory()); }
    Result<void> open_sent(const LoadedMaps& maps);
    void note_read();
    Result<void> open_aggregations(const LoadedMaps& maps);
    void make_room_for_keys(uint64_t now);
    Result<void> open_counters(const LoadedMaps& maps);
    Result<void> count_replaced();
    Result<void> count_open_requests();
    bool is_empty();
    void consume(uint64_t now, bool last);
    void show_kept();
    void speed_up(uint64_t samples);
    void give_up_speculations(uint64_t now, bool last);
    void look_at_terminal();
    bool is_quiet(uint64_t now);
    int until_due_ms(uint64_t now);
    uint64_t resting_period() const;
    uint64_t early(uint64_t period) const { return resting ? std::min(period / 2, kMostEarlyNs) : 0; }
    void handle(const Sample& sample)
    {
        if (options.run().cpu && *options.run().cpu != sample.cpu)
            return;
        if (retained.is_in_use())
            return keep(sample);
        if (small_buffer.has_room(sample))
            return show(sample);
        losses.count_principal_drop(sample, Cause::Buffer);
        losses.thrown().add(sample, no_room);
        gaps.add(sample, Cause::Buffer);
    }
    output::Totals totals();
    void keep(const Sample& sample)
    {
        retained.keep(sample);
        if (retained.is_ring() && decoder.freezes(sample))
            show_kept();
    }
    void show(const Sample& sample)
    {
        gaps.show(sample);
        if (!decoder.handle(sample))
            gaps.add(sample.cpu, Cause::Speculation, 1, sample.time);
    }
    AggregationStore& aggregation_store()
    {
        return carried ? static_cast<AggregationStore&>(*carried) : counted_store();
    }
    bool is_crowded() const
    {
        const RingList& list = buffers.rings().list();
        return std::any_of(list.begin(), list.end(), [](const Ring* ring) { return ring->was_crowded(); });
    }
};

} // namespace dt
