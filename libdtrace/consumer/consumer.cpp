// Opens the sources and the output of a consumer, runs its passes, and prints the final output at the end of a run. A
// pass reads the buffers, merges their samples in time order, and decodes and prints them.
#include <bpf/libbpf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "base/text.hpp"
#include "libdtrace/consumer/consumer_impl.hpp"
#include "libdtrace/losses/drop_messages.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/sinks/stack_sink.hpp"

namespace dt {

namespace {

constexpr int kTerminalDelayMs = 10;           // maximum delay between the recording of data and its line on a terminal
constexpr int kMaxSleepMs = 1000;              // maximum sleep of the run loop if option switchrate is set
constexpr uint64_t kMaxQuietNs = 10 * kSecond; // maximum time between two full passes of an idle consumer
constexpr uint64_t kManySamples = 500;         // if a pass reads at least this many samples, mmap rings pay off
// A sample in an mmap ring is completely written at most this long after its timestamp, unless the program that writes
// it was interrupted.
constexpr uint64_t kWritingNs = 1'000'000;

} // namespace

bool reproducible_output()
{
    const char* value = std::getenv("DTRACE_REPRODUCIBLE");
    return value && *value;
}

/// Publishes how many samples were read, for a tracer that takes over this trace. While output waits for its reader,
/// the published number is not changed. If this process ended, that output would be lost, and the next tracer must not
/// skip its samples.
void Consumer::Impl::note_read()
{
    if (sent() && !output.is_waiting())
        sent()->read = consumed;
}

Consumer::Consumer(const Object& object, ProbeSource& probes, int64_t target, Options options, Output& output,
                   Symbols& symbols, const output::SinkMaker& make_sink)
    : impl_(std::make_unique<Impl>(object, probes, target, std::move(options), output, symbols, make_sink))
{
}

Consumer::~Consumer() = default;

void Consumer::set_cgroup_names(ControlGroups& cgroups)
{
    impl_->env.cgroups = &cgroups;
}

Result<std::vector<AggregationValues>> Consumer::values()
{
    return impl_->aggregations.values();
}

// Returns whether all buffers are empty. Makes no system call.
bool Consumer::Impl::is_empty()
{
    const RingList& list = buffers.rings().list();
    return std::all_of(list.begin(), list.end(), [](Ring* ring) {
        ring->refresh();
        return ring->front() == nullptr;
    });
}

// Prints the contents of the buffers. Samples later than `now` stay in the buffers, because another CPU may still write
// an earlier sample.
void Consumer::Impl::consume(uint64_t now, bool last)
{
    look_at_terminal();
    env.symbols.update();
    aggregations.begin_pass(now, last);
    buffer_limit.begin_pass();
    buffers.rings().wait(0); // makes epoll descriptors unreadable again, because this pass reads all buffers
    const RingList& list = buffers.rings().list();
    for (Ring* ring : list)
        ring->refresh();
    uint64_t samples = 0;
    const auto print = [&](const Sample& sample) {
        ++samples;
        had_output |= decoder.is_awaited(sample);
        handle(sample);
    };
    if (options.run().temporal)
        merge_by_time(list, last ? UINT64_MAX : buffers.rings().has_mmap_rings() ? now - kWritingNs : now, print);
    else
        cpu_order.run(list, last, print);
    // Without option temporal, the next pass must come soon if samples are still in the buffers. With temporal, the
    // samples in the buffers are later than `now`. If the consumer has requested wakeups, the programs that wrote these
    // samples wake it.
    if (!options.run().temporal)
        had_output |= !is_empty();
    for (Ring* ring : list)
        ring->release();
    consumed += samples;
    abandon_speculations(now, false);
    if (!last)
        speed_up(samples);
}

/// Prints the samples in the flight recorder, and removes them from it.
void Consumer::Impl::print_flight_recorder()
{
    flight_recorder.replay([this](const Sample& sample) { show(sample); },
                           [this](uint32_t cpu, DropReason cause, uint64_t count, uint64_t since) {
                               lost_intervals.add(cpu, cause, count, since);
                           });
}

// Opens mmap rings after a pass that has read so many samples that the rings pay off. A CPU then has two buffers, whose
// samples must be merged in time order, so option temporal is required.
void Consumer::Impl::speed_up(uint64_t samples)
{
    if (samples >= kManySamples && options.run().temporal && !flight_recorder.is_in_use() && !sent())
        buffers.open_mmap_rings(*maps);
}

// Updates the terminal's properties, which freopen() or a resize may have changed.
void Consumer::Impl::look_at_terminal()
{
    const auto terminal = output.terminal();
    max_delay_ms = terminal ? kTerminalDelayMs : kMaxDelayMs;
    env.columns = terminal && !reproducible ? terminal->columns : 0;
    env.escape = must_escape(options, output);
}

// Ends speculations that can no longer be committed. With the buffer policies ring and fill, the discarded records are
// not reported as drops.
void Consumer::Impl::abandon_speculations(uint64_t now, bool last)
{
    for (const std::vector<Speculations::Kept>& speculation : speculations.abandon_lost(now, last)) {
        DiscardedHits::Seen seen;
        for (const Speculations::Kept& kept : speculation) {
            losses.count_speculative_drop(kept.sample(), seen, !flight_recorder.is_in_use());
            lost_intervals.add(kept.head.cpu, DropReason::Speculation, 1, kept.head.time);
        }
    }
}

Result<void> Consumer::pass()
{
    Impl& run = *impl_;
    const uint64_t now = run.last_whole_pass = now_monotonic();
    run.decoder.sink = &run.followers.sink();
    run.had_output = run.store.needs_growth();
    run.make_room_for_keys(now);
    for (EngineSource* engine : run.engines)
        engine->pass(now);
    unsigned occasion = 0;
    const bool is_asked = run.snapshots.is_asked();
    const bool is_due = run.options.run().switchrate == 0 || is_asked || run.until_due_ms(now) <= timer_slack_ms();
    const bool is_shown = is_due && !run.output.is_full();
    if (is_shown) {
        run.last_pass = now;
        if (!run.idle || run.snapshots.is_due(now) || !run.is_empty())
            run.consume(now, false);
        else
            run.env.symbols.update();
        if (std::exchange(run.flight_recorder_requested, false))
            run.print_flight_recorder();
        if (Result<void> shown = run.snapshots.show(now); !shown)
            return shown;
        occasion |= is_asked ? kEachPass | kEachStatus | kAsked : kEachPass;
    }
    if (now - run.last_status + run.early(run.options.run().statusrate) >= run.options.run().statusrate) {
        run.last_status = now;
        occasion |= kEachStatus;
        run.decoder.report_repeated_faults(now, false);
    }
    run.losses.report(occasion);
    run.sink->end_of_pass(now);
    // under the buffer policies ring and fill, no record has been printed yet, so discarded records are not reported as
    // lost
    if (!run.flight_recorder.is_in_use())
        run.lost_intervals.check(now_monotonic());
    run.losses.count_truncated_keys(run.aggregations.truncated_keys());
    run.run_report.pass(now);
    if (is_asked && is_shown)
        run.run_report.report_so_far(now, run.reproducible);
    if (Result<void> failure = run.decoder.take_failure(); !failure)
        return failure;
    run.output.rotate_if_old();
    run.output.offer();
    run.note_read();
    run.output_errors.tell(now);
    if (run.output.is_full())
        run.losses.note_stopped_reader();
    return run.output.failure();
}

bool Consumer::Impl::is_quiet(uint64_t now)
{
    const bool is_due = snapshots.is_due(now) || now >= std::min(run_report.due(), expiring_keys.due());
    const bool is_output_quiet = !output.is_waiting() && output.blocked() == 0 && options.run().rotate_age == 0;
    return idle && !flight_recorder_requested && now < last_whole_pass + kMaxQuietNs && !is_due && is_output_quiet &&
           !followers.were_there() && !sink->needs_passes() && !store.needs_growth() && losses.is_quiet() &&
           decoder.faults_are_quiet() && is_empty();
}

bool Consumer::can_stay_idle()
{
    const uint64_t now = now_monotonic();
    const bool is_quiet = impl_->is_quiet(now);
    if (is_quiet)
        impl_->last_pass = impl_->last_status = now;
    return is_quiet;
}

Result<void> Consumer::Impl::count_evicted()
{
    if (options.compile().dynvarpolicy != "lru" || !maps)
        return {};
    const Result<uint64_t> there = element_count(*maps);
    if (!there)
        return there.error();
    const uint64_t replaced = losses.count_evicted(there.value());
    if (replaced != 0)
        run_report.tell({"REPLACED",
                         {{"elements", replaced}},
                         grouped(replaced) + (replaced == 1 ? " element" : " elements") +
                             " of arrays and thread-local variables evicted to make room for newer ones: raise option "
                             "dynvarsize (now " +
                             std::to_string(options.compile().dynvarsize) + " bytes) to keep more"});
    return {};
}

Result<void> Consumer::Impl::count_open_requests()
{
    if (!maps)
        return {};
    const Result<uint64_t> open = open_request_count(*maps);
    if (!open)
        return open.error();
    if (open.value() != 0)
        run_report.tell({"REQUESTS",
                         {{"requests", open.value()}},
                         grouped(open.value()) + (open.value() == 1 ? " request was" : " requests were") +
                             " started but not ended by request_done()"});
    return {};
}

/// Enlarges overflow maps that are filling up, and moves the counts of aggregations with key expiry out of the kernel.
void Consumer::Impl::make_room_for_keys(uint64_t now)
{
    const bool is_urgent = store.needs_growth();
    store.grow();
    expiring_keys.pass(now, is_urgent);
    if (expiring_keys.expired_early() == 0 || std::exchange(reported_early_expiry, true))
        return;
    run_report.tell(
        {"AGGREGATION_TTL",
         {},
         "aggregation keys expire sooner than option aggttl says, because there are too many: raise option " +
             std::string(options.run().maxmem ? "maxmem" : "memlimit")});
}

void Consumer::request_flight_recorder()
{
    impl_->flight_recorder_requested = impl_->flight_recorder.is_ring();
}

output::Totals Consumer::Impl::totals()
{
    losses.report(kEachPass | kEachStatus);
    output::Totals all{losses.drops().rows(), {}};
    uint64_t fired = 0, sampled_out = 0;
    for (const output::HitCounts& probe : run_report.firings(consume::Firing::Seen)) {
        fired += probe.fired;
        sampled_out += probe.sampled_out;
    }
    if (sampled_out != 0 && fired > sampled_out)
        all.weight = static_cast<double>(fired) / static_cast<double>(fired - sampled_out);
    return all;
}

Result<void> Consumer::follow_cpus(const std::vector<int>& online)
{
    return impl_->buffers.rings().follow_cpus(online);
}

Result<void> Consumer::prepare_end()
{
    Impl& run = *impl_;
    run.consume(now_monotonic(), true);
    if (Result<void> opened = run.buffers.make_room_for_end(); !opened)
        return opened;
    if (Result<void> failure = run.decoder.take_failure(); !failure)
        return failure;
    run.output.offer();
    return run.output.failure();
}

void Consumer::watch(KernelLosses& kernel)
{
    impl_->losses.attach(kernel);
}

Result<void> Consumer::finish(const std::function<std::vector<output::Note>()>& last)
{
    Impl& run = *impl_;
    run.aggregation_store().settle(); // values no longer change, because END has run
    run.consume(now_monotonic(), true);
    run.print_flight_recorder();
    run.abandon_speculations(now_monotonic(), true);
    run.decoder.report_repeated_faults(now_monotonic(), true);
    run.losses.report(kAtEnd);
    run.lost_intervals.finish(now_monotonic());
    run.sink->end_of_records();
    run.decoder.keep_first_failure(run.snapshots.finish(now_monotonic()));
    run.sink->end_of_aggregations();
    run.decoder.keep_first_failure(run.count_evicted());
    run.decoder.keep_first_failure(run.count_open_requests());
    run.output_errors.settle(now_monotonic());
    run.losses.count_truncated_keys(run.aggregations.truncated_keys());
    const Result<void> balanced = run.run_report.finish(last, run.reproducible);
    run.sink->finish();
    if (Result<void> failure = run.decoder.take_failure(); !failure)
        return failure;
    run.output_errors.finish(now_monotonic());
    const Result<void> flushed = run.output.flush();
    run.followers.finish(); // the readers that follow the output (dtrace service follow) have now received all of it
    run.decoder.sink = &run.followers.sink();
    return flushed ? balanced : flushed;
}

Result<void> Consumer::leave()
{
    Impl& run = *impl_;
    run.consume(now_monotonic(), true);
    run.decoder.report_repeated_faults(now_monotonic(), true);
    run.losses.report(kEachPass | kEachStatus | kAsked);
    run.sink->leave();
    run.output_errors.settle(now_monotonic());
    const Result<void> failure = run.decoder.take_failure();
    const Result<void> flushed = run.output.flush();
    run.note_read();
    run.followers.finish();
    run.decoder.sink = &run.followers.sink();
    return failure ? flushed : failure;
}

void Consumer::note_estimates()
{
    impl_->env.has_estimates = true;
}

void Consumer::correct_estimates(const std::vector<double>& factors)
{
    impl_->aggregations.correct_by(factors);
}

RunReport& Consumer::report()
{
    return impl_->run_report;
}

DropStats& Consumer::drops()
{
    return impl_->losses.drops();
}

RunResults Consumer::results()
{
    return RunResults(*impl_);
}

TraceDrops RunResults::losses() const
{
    const RunReport& report = run_.run_report;
    return {run_.losses.drops().rows(), report.clause_firings(), report.firings(consume::Firing::Seen)};
}

output::CostReport RunResults::costs() const
{
    return run_.run_report.costs(now_monotonic());
}

void RunResults::show_so_far()
{
    run_.flight_recorder_requested = run_.flight_recorder.is_ring();
    run_.snapshots.ask();
}

Result<void> RunResults::print_aggregations(Output& to, OutputFormat format)
{
    return print_elsewhere(run_.aggregations, run_.options.print(), run_.env, to, format, run_.totals());
}

Result<void> RunResults::show_aggregations(output::Sink& sink)
{
    run_.env.symbols.update();
    const uint64_t now = now_monotonic();
    run_.aggregations.begin_pass(now, true); // `true`: the snapshot ignores option aggrate
    Result<void> shown = run_.aggregations.print_all(sink, Aggregations::Order::OfIds);
    run_.aggregations.begin_pass(now, false);
    return shown;
}

Result<void> RunResults::clear_aggregations()
{
    for (uint32_t id = 0; id < run_.aggregations.count(); ++id)
        if (Result<void> cleared = run_.aggregations.clear(id); !cleared)
            return cleared;
    return {};
}

Result<void> RunResults::append_metrics(output::MetricPage& page, std::string_view common)
{
    return consume::append_metrics(run_.aggregations, run_.env, page, common, run_.totals());
}

Result<void> RunResults::add_follower(std::shared_ptr<output::Follower> follower)
{
    Result<void> added = run_.followers.add(std::move(follower));
    run_.decoder.sink = &run_.followers.sink();
    return added;
}

void RunResults::reopen_output()
{
    if (const Result<void> opened = run_.output.reopen(); !opened)
        run_.output_errors.report_reopen_failure(opened.error());
}

void RunResults::interrupted()
{
    run_.sink->interrupted();
}

bool Consumer::has_written_all() const
{
    return impl_->output_errors.is_whole();
}

bool Consumer::is_full() const
{
    return impl_->flight_recorder.is_full();
}

// Returns the time between passes of an idle consumer: until the next status check, snapshot or report is due. A wakeup
// after a long sleep is costly, mostly because caches are cold. So the period is long, and several traces share a
// wakeup.
uint64_t Consumer::Impl::idle_period() const
{
    const uint64_t delay = static_cast<uint64_t>(max_delay_ms) * kMillisecond;
    uint64_t due = last_pass + kMaxSleepMs * kMillisecond;
    due = std::min(due, last_status + std::min(options.run().statusrate, kMaxSleepMs * kMillisecond));
    due = std::min({due, snapshots.due(), run_report.due(), expiring_keys.due()});
    return std::max(due, last_pass + delay) - last_pass;
}

/// Returns the milliseconds until the next pass. In an idle trace, each record wakes the consumer, so empty buffers are
/// not checked, even with switchrate. There are two exceptions. Speculative records send no wakeup, so a trace with
/// speculations checks its buffers. Losses send no wakeup either, so passes continue while records are being lost.
int Consumer::Impl::until_due_ms(uint64_t now)
{
    const uint64_t wanted = options.run().switchrate;
    const uint64_t usual = wanted != 0 ? wanted : static_cast<uint64_t>(max_delay_ms) * kMillisecond;
    const auto rings = [](const StatementSchema& each) { return !each.speculative && !each.only_discards(); };
    const std::vector<StatementSchema>& statements = object.schema.statements;
    const bool is_losing = losses.grew() != 0 && now < losses.grew() + kMaxSleepMs * kMillisecond;
    const bool may_rest =
        idle && (wanted == 0 || (!is_losing && is_empty() && std::all_of(statements.begin(), statements.end(), rings)));
    const uint64_t period = may_rest ? std::max(wanted, idle_period()) : usual;
    const uint64_t due = last_pass + std::min<uint64_t>(period, UINT64_MAX / 2);
    if (last_pass == 0 || now >= due)
        return 0;
    return static_cast<int>(std::min<uint64_t>((due - now + kMillisecond - 1) / kMillisecond, kMaxSleepMs));
}

int Consumer::next_timeout_ms() const
{
    if (impl_->options.run().switchrate == 0 && impl_->is_filling_up())
        return 0;
    const int due = impl_->until_due_ms(now_monotonic());
    // If output is waiting for a slow reader, the next attempt to write comes soon.
    return impl_->output.is_waiting_for_reader() ? std::min(due, kTerminalDelayMs) : due;
}

int Consumer::timer_slack_ms() const
{
    const uint64_t period = impl_->options.run().switchrate;
    if (period == 0 && !impl_->idle)
        return impl_->max_delay_ms / 2;
    return static_cast<int>(impl_->early(period != 0 ? period : kSecond) / kMillisecond);
}

void Consumer::set_idle(bool idle)
{
    impl_->idle = idle;
}

bool Consumer::had_output() const
{
    return impl_->had_output || impl_->output.is_waiting_for_reader();
}

bool Consumer::is_urgent() const
{
    return impl_->store.needs_growth();
}

int Consumer::descriptor() const
{
    return impl_->options.run().switchrate == 0 ? impl_->buffers.rings().descriptor() : -1;
}

// Opens the sources and the output of a consumer for the first loaded object. Adds the schema of each object that is
// loaded later.

namespace {

constexpr uint64_t kMaxLines = 10; // maximum number of messages about the same error or loss

bool records_stacks(const Schema& schema)
{
    const auto has_stack = [](const Record& record) {
        return std::any_of(record.data.begin(), record.data.end(), output::is_stack);
    };
    return std::any_of(schema.statements.begin(), schema.statements.end(), [&](const StatementSchema& statement) {
        return std::any_of(statement.records.begin(), statement.records.end(), has_stack);
    });
}

/// Returns a warning if the output format contains only stacks but the program records none; otherwise an empty text.
std::string_view missing_stacks(OutputFormat format, const Schema& schema)
{
    const bool is_pprof = format == OutputFormat::Pprof;
    if (format != OutputFormat::Folded && format != OutputFormat::Flamegraph && !is_pprof)
        return {};
    const auto& all = schema.aggregations;
    if (std::any_of(all.begin(), all.end(), output::is_line) || (is_pprof && records_stacks(schema)))
        return {};
    return is_pprof
               ? "format pprof shows count(), sum() and max() keyed by stack() or ustack(), breakdown(), blame(), and "
                 "records with a stack: this program has none"
               : "formats folded and flamegraph show count(), sum() and max() keyed by stack() or ustack(), "
                 "breakdown() and blame(): this program has none";
}

} // namespace

Result<void> Consumer::Impl::open_counters(const LoadedMaps& maps)
{
    if (const LoadedMap* map = maps.find(DT_MAP_LOSSES)) {
        const uint32_t cpus = map->max_entries;
        if (Result<void> mapped = loss_memory.open(*map, cpus); !mapped)
            return mapped;
        losses.attach(static_cast<const dt_losses*>(loss_memory.memory()), cpus);
    }
    if (const LoadedMap* map = maps.section(DT_SECTION_SPEC)) {
        if (Result<void> mapped = spec_memory.open(*map, 1); !mapped)
            return mapped;
        speculations.attach(static_cast<const dt_spec*>(spec_memory.memory()), map->value_size / sizeof(dt_spec) - 1);
    }
    return run_report.open(maps, object.schema);
}

/// Maps the counters of sent and read samples. If a previous tracer did not read all sent samples, the unread ones were
/// lost with its buffers and are counted as drops. Called before this tracer opens buffers, so that no new samples
/// arrive.
Result<void> Consumer::Impl::open_sent(const LoadedMaps& maps)
{
    const LoadedMap* const map = maps.section(DT_SECTION_SENT);
    if (!map)
        return {};
    if (Result<void> mapped = sent_memory.open(*map, 1); !mapped)
        return mapped;
    const uint64_t now = now_monotonic(), missing = sent()->sent - sent()->read;
    sent()->read = consumed = sent()->sent;
    if (missing != 0)
        losses.drops().add(DropReason::Tracer, missing, -1, {now, now});
    return {};
}

Result<void> Consumer::Impl::open_aggregations(const LoadedMaps& maps)
{
    if (const LoadedMap* map = maps.section(DT_SECTION_OVERFLOW_KEYS))
        if (Result<void> mapped = more_memory.open(*map, 1); !mapped)
            return mapped;
    if (const std::string_view missing = missing_stacks(options.print().format, object.schema); !missing.empty())
        run_report.tell({"NO_STACKS", {}, std::string(missing)});
    const void* inserted = more_memory.memory();
    uint64_t limit = options.compile().memlimit.value_or(kMaxOverflow);
    // Option aggsize is a size per CPU, but all CPUs share one overflow map per aggregation, so the size is multiplied
    // by the number of CPUs.
    if (expiring_keys.is_open() && options.compile().aggsize_set)
        limit =
            std::min(limit, options.compile().aggsize * static_cast<uint64_t>(std::max(libbpf_num_possible_cpus(), 1)));
    return store.open(maps, object.schema.aggregations, static_cast<const uint64_t*>(inserted), limit);
}

void Consumer::add_engine(EngineSource& engine)
{
    impl_->engines.push_back(&engine);
    impl_->engine_aggregations.add(engine);
    impl_->buffers.rings().add_ring(engine.ring());
}

void Consumer::expect_restored_values()
{
    if (!impl_->options.print().aggpercpu)
        impl_->restored.emplace(impl_->counted_store());
}

std::vector<std::string> Consumer::restore(std::map<std::string, AggregationValues>& values)
{
    std::vector<std::string> anew;
    for (const AggregationSchema& schema : impl_->object.schema.aggregations) {
        // removes the aggregation from `values`, so that the memory of its values is freed before the trace ends
        auto taken = values.extract(schema.name);
        if (taken.empty() || (taken.mapped().entries.empty() && taken.mapped().expired.empty()))
            continue;
        AggregationValues& former = taken.mapped();
        const std::string misfit =
            impl_->options.print().aggpercpu
                ? "option aggpercpu is set, but the values of the previous run are stored only as sums over all CPUs"
                : RestoredAggregations::misfit(schema, former);
        if (!misfit.empty()) {
            anew.push_back("@" + schema.name + ": " + misfit);
            continue;
        }
        if (impl_->expiring_keys.expires_keys(schema)) {
            impl_->expiring_keys.add(schema, former, now_monotonic());
            continue;
        }
        if (!impl_->restored)
            impl_->restored.emplace(impl_->counted_store());
        impl_->restored->add(schema, std::move(former));
    }
    return anew;
}

Result<void> Consumer::open(const LoadedMaps& maps, const std::vector<uint32_t>& end_statements,
                            const std::vector<uint32_t>& error_statements, bool may_extend)
{
    impl_->maps = &maps;
    const Schema& schema = impl_->object.schema;
    const OutputFormat format = impl_->options.print().format;
    if (impl_->options.run().top && format != OutputFormat::Text && format != OutputFormat::Jsonl)
        return Error{"option top works only with formats text and jsonl", EINVAL};
    if (impl_->output.is_connected() && format != OutputFormat::Journal)
        return Error{"-o names a socket, and only format journal writes to a socket", EINVAL};
    if (!impl_->output.folder().empty() && (row_of(format).flags & kFormatToFolder) == 0)
        return Error{"-o names a folder, and format " + std::string(row_of(format).name) +
                         " does not write to a folder",
                     EINVAL};
    if (impl_->options.run().aggevery != 0 && (row_of(format).flags & kFormatAtEnd) != 0)
        return Error{
            "option aggevery does not work with formats flamegraph and pprof, which are written only at the end",
            EINVAL};
    if (impl_->options.compile().aggttl != 0 && impl_->options.print().aggpercpu)
        return Error{"option aggttl cannot be combined with aggpercpu: the values of expired keys are kept for all "
                     "CPUs together",
                     EINVAL};
    if (const std::string& user = impl_->options.run().user;
        impl_->output.has_file() && user != impl_->output.file_owner())
        return Error{"the program sets option user, but the file of -o is already open: set -x user=" + user +
                         " on the command line",
                     EINVAL};
    if (const RunOptions& run = impl_->options.run(); run.rotate_size != 0 || run.rotate_age != 0)
        if (Result<void> rotates = impl_->output.rotate_at({run.rotate_size, run.rotate_age, run.rotate_files});
            !rotates)
            return rotates;
    impl_->output.rotate_if_old();
    impl_->output.enable_retry();
    if (Result<void> opened = impl_->sink->open(); !opened)
        return opened;
    if (Result<void> opened = impl_->open_aggregations(maps); !opened)
        return opened;
    if (Result<void> opened = impl_->aggregations.open(schema.aggregations, impl_->aggregation_store()); !opened)
        return opened;
    if (Result<void> planned = impl_->decoder.plan(schema.statements); !planned)
        return planned;
    const bool for_people = !impl_->reproducible && !impl_->options.print().diag_brief;
    const uint64_t lines = !for_people || impl_->options.compile().errtags ? UINT64_MAX
                           : isatty(STDERR_FILENO)                         ? 1
                                                                           : kMaxLines;
    impl_->decoder.explain_faults(schema, {for_people, lines}, now_monotonic());
    if (lines != UINT64_MAX)
        impl_->losses.limit_lines(kMaxLines);
    if (Result<void> opened = impl_->open_counters(maps); !opened)
        return opened;
    for (EngineSource* engine : impl_->engines) {
        impl_->losses.attach(engine->losses(), "process " + std::to_string(engine->pid()));
        impl_->run_report.add(*engine);
    }
    if (Result<void> opened = impl_->flight_recorder.open(schema.statements, end_statements); !opened)
        return opened;
    impl_->buffer_limit.open(static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    if (Result<void> opened = impl_->open_sent(maps); !opened)
        return opened;
    const uint64_t now = now_monotonic();
    impl_->last_status = now;
    impl_->lost_intervals.begin(now);
    impl_->run_report.begin(now);
    impl_->snapshots.begin(now);
    return impl_->buffers.open(maps, impl_->flight_recorder.is_in_use(), may_extend, end_statements, error_statements,
                               [this](const output::Note& note) { impl_->run_report.tell(note); });
}

Result<void> Consumer::extend(const LoadedMaps& maps, const Schema& added)
{
    if (Result<void> opened = impl_->run_report.open(maps, added); !opened)
        return opened;
    return impl_->decoder.plan(impl_->object.schema.statements);
}

} // namespace dt
