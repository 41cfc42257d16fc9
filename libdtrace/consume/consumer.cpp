// A pass: read the buffers, merge them in time order, decode, print; and what is due at the end of a run.
#include "libdtrace/consume/consumer.hpp"

#include <algorithm>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <unistd.h>
#include <utility>

#include "base/text.hpp"
#include "base/time.hpp"
#include "libdtrace/consume/aggregate_store.hpp"
#include "libdtrace/consume/decode.hpp"
#include "libdtrace/consume/followers.hpp"
#include "libdtrace/consume/gaps.hpp"
#include "libdtrace/consume/merge.hpp"
#include "libdtrace/consume/output_troubles.hpp"
#include "libdtrace/consume/principal_buffers.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/consume/replaced.hpp"
#include "libdtrace/consume/reports.hpp"
#include "libdtrace/consume/retained.hpp"
#include "libdtrace/consume/small_buffer.hpp"
#include "libdtrace/consume/snapshots.hpp"
#include "libdtrace/output/folded_sink.hpp"
#include "libdtrace/load/shared_map.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/world/symbols.hpp"

namespace dt {

using namespace consume;

namespace {

constexpr int kMostDelayMs = 100;    // between a record and its line, when nothing fills the buffers faster
constexpr int kTerminalDelayMs = 10; // the same where a person waits for it
constexpr int kMostSleepMs = 1000;   // with switchrate
constexpr uint64_t kMostEarlyNs = 500 * kMillisecond; // resting
constexpr uint64_t kMostLines = 10;                   // of the same error or loss
constexpr uint64_t kManySamples = 500;                // in one pass: worth fast lanes
constexpr uint64_t kWritingNs =
    1'000'000; // a sample of a lane is there so long after its time, unless its program was interrupted for longer

uint64_t now_monotonic()
{
    return static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
}

} // namespace

bool reproducible_output()
{
    const char* value = std::getenv("DTRACE_REPRODUCIBLE");
    return value && *value;
}

struct Consumer::Impl {
    Impl(const Object& object_, ProbeSource& probes_, int64_t target, Options options_, Output& output_,
         Symbols& symbols)
        : object(object_), probes(probes_), options(std::move(options_)),
          output(output_), env{object.schema.names, options.print(), symbols, target},
          sink(output::make_sink({options.print(), output, env, reproducible})), aggregations(env, options.run()),
          speculations(options.compile().specsize), losses(options, output, *sink),
          decoder(probes, options, output, env, aggregations, speculations, losses, *sink)
    {
        env.strsize = options.compile().strsize;
        if (reproducible)
            options.put("quietresize");
        if (options.run().top)
            options.put("aggsortrev", options.print().aggsortrev ? "off" : "on"); // the largest first
    }

    const Object& object;
    ProbeSource& probes;
    Options options;
    Output& output;
    const bool reproducible = reproducible_output();
    format::Environment env;
    std::unique_ptr<output::Sink> sink;
    KernelAggregations store;
    std::optional<CarriedAggregations> carried; ///< over the store
    Aggregations aggregations;
    Speculations speculations;
    Losses losses;
    Gaps gaps{losses.ledger(), *sink};
    Retained retained{options.run(), losses};
    SmallBuffer small_buffer{options.run(), object.schema.statements};
    ThrownFirings::Seen no_room; ///< of small_buffer
    Decoder decoder;
    PrincipalBuffers buffers{object.schema, options};
    CpuOrder cpu_order;
    SharedMap loss_memory, spec_memory, more_memory, sent_memory;
    Reports reports{object.schema, probes, options, output, *sink, losses, [this] {
                        return OtherMemory{buffers.rings().memory(), store.overflow_memory()};
                    }};
    OutputTroubles troubles{options, output, reports, losses.ledger()};
    Snapshots snapshots{options, output, *sink, aggregations};
    uint64_t last_pass = 0, last_status = 0;
    Followers followers{*sink, options.print(), env, reproducible};
    bool resting = false;
    bool has_come = false; ///< samples, in the last pass or still there
    uint64_t consumed = 0; ///< samples, with -x pin those that other tracers read as well
    int most_delay_ms = kMostDelayMs;
    bpf_object* loaded = nullptr;
    dt_sent* sent() { return static_cast<dt_sent*>(sent_memory.memory()); }
    Result<void> open_sent(bpf_object* loaded);
    void note_read();
    Result<void> open_aggregations(bpf_object* loaded);
    Result<void> open_counters(bpf_object* loaded);
    Result<void> count_replaced();
    bool is_empty();
    void consume(uint64_t now, bool last);
    void speed_up(uint64_t samples);
    void give_up_speculations(uint64_t now, bool last);
    void look_at_terminal();
    int until_due_ms(uint64_t now) const;
    uint64_t resting_period() const;
    uint64_t early(uint64_t period) const { return resting ? std::min(period / 2, kMostEarlyNs) : 0; }
    void handle(const Sample& sample)
    {
        if (options.run().cpu && *options.run().cpu != sample.cpu)
            return;
        if (retained.is_in_use())
            return retained.keep(sample);
        if (small_buffer.has_room(sample))
            return show(sample);
        losses.count_principal_drop(sample, Cause::Buffer);
        losses.thrown().add(sample, no_room);
        gaps.add(sample, Cause::Buffer);
    }
    void show(const Sample& sample)
    {
        gaps.show(sample);
        if (!decoder.handle(sample))
            gaps.add(sample.cpu, Cause::Speculation, 1, sample.time);
    }
    AggregationStore& aggregation_store() { return carried ? static_cast<AggregationStore&>(*carried) : store; }
    bool is_crowded() const
    {
        const RingList& list = buffers.rings().list();
        return std::any_of(list.begin(), list.end(), [](const Ring* ring) { return ring->was_crowded(); });
    }
};

Result<void> Consumer::Impl::open_counters(bpf_object* loaded)
{
    if (bpf_map* map = bpf_object__find_map_by_name(loaded, DT_MAP_LOSSES)) {
        const uint32_t cpus = bpf_map__max_entries(map);
        if (Result<void> mapped = loss_memory.open(map, cpus); !mapped)
            return mapped;
        losses.attach(static_cast<const dt_losses*>(loss_memory.memory()), cpus);
    }
    if (bpf_map* map = section_map(loaded, DT_SECTION_SPEC)) {
        if (Result<void> mapped = spec_memory.open(map, 1); !mapped)
            return mapped;
        speculations.attach(static_cast<const dt_spec*>(spec_memory.memory()),
                            bpf_map__value_size(map) / sizeof(dt_spec) - 1);
    }
    return reports.open(loaded, object.schema);
}

/// Before there are buffers: nothing is sent then. What another tracer has left in its own is lost with them.
Result<void> Consumer::Impl::open_sent(bpf_object* loaded)
{
    const bpf_map* const map = section_map(loaded, DT_SECTION_SENT);
    if (!map)
        return {};
    if (Result<void> mapped = sent_memory.open(map, 1); !mapped)
        return mapped;
    const uint64_t now = now_monotonic(), missing = sent()->sent - sent()->read;
    sent()->read = consumed = sent()->sent;
    if (missing != 0)
        losses.ledger().add(Cause::Tracer, missing, -1, {now, now});
    return {};
}

/// What is written survives this process, and not what waits for who reads.
void Consumer::Impl::note_read()
{
    if (sent() && !output.is_waiting())
        sent()->read = consumed;
}

Result<void> Consumer::Impl::open_aggregations(bpf_object* loaded)
{
    if (bpf_map* map = section_map(loaded, DT_SECTION_MORE))
        if (Result<void> mapped = more_memory.open(map, 1); !mapped)
            return mapped;
    const auto& all = object.schema.aggregations;
    const bool wants_stacks =
        options.print().format == OutputFormat::Folded || options.print().format == OutputFormat::Flamegraph;
    if (wants_stacks && std::none_of(all.begin(), all.end(), output::is_foldable))
        reports.tell(
            {"NO_STACKS",
             {},
             "formats folded and flamegraph show count(), sum() and max() keyed by stack() or ustack(): this program "
             "has none"});
    const void* inserted = more_memory.memory();
    return store.open(loaded, object.schema.aggregations, static_cast<const uint64_t*>(inserted),
                      options.compile().memlimit.value_or(kMostOverflow));
}

Consumer::Consumer(const Object& object, ProbeSource& probes, int64_t target, Options options, Output& output,
                   Symbols& symbols)
    : impl_(std::make_unique<Impl>(object, probes, target, std::move(options), output, symbols))
{
}

Consumer::~Consumer() = default;

void Consumer::name_cgroups(ControlGroups& cgroups)
{
    impl_->env.cgroups = &cgroups;
}

std::vector<std::string> Consumer::begin_with(const std::map<std::string, AggregationValues>& values)
{
    std::vector<std::string> anew;
    for (const AggregationSchema& schema : impl_->object.schema.aggregations) {
        const auto former = values.find(schema.name);
        if (former == values.end() || former->second.entries.empty())
            continue;
        const std::string misfit = impl_->options.print().aggpercpu
                                       ? "it is shown by CPU"
                                       : CarriedAggregations::misfit(schema, former->second);
        if (!misfit.empty()) {
            anew.push_back("@" + schema.name + ": " + misfit);
            continue;
        }
        if (!impl_->carried)
            impl_->carried.emplace(impl_->store);
        impl_->carried->add(schema, former->second);
    }
    return anew;
}

Result<std::vector<AggregationValues>> Consumer::values()
{
    return impl_->aggregations.values();
}

Result<void> Consumer::open(bpf_object* object, const std::vector<uint32_t>& end_statements,
                            const std::vector<uint32_t>& error_statements)
{
    impl_->loaded = object;
    const Schema& schema = impl_->object.schema;
    const OutputFormat format = impl_->options.print().format;
    if (impl_->options.run().top && format != OutputFormat::Text && format != OutputFormat::Jsonl)
        return Error{"option top shows formats text and jsonl only", EINVAL};
    if (impl_->output.is_connected() && format != OutputFormat::Journal)
        return Error{"-o names a socket, to which format journal alone writes", EINVAL};
    if (impl_->options.run().aggevery != 0 && format == OutputFormat::Flamegraph)
        return Error{"option aggevery shows every format but flamegraph, which is one picture", EINVAL};
    if (const RunOptions& run = impl_->options.run(); run.rotate_size != 0 || run.rotate_age != 0)
        if (Result<void> rotates = impl_->output.rotate_at({run.rotate_size, run.rotate_age, run.rotate_files});
            !rotates)
            return rotates;
    impl_->output.rotate_if_old();
    impl_->output.outlast();
    if (Result<void> opened = impl_->sink->open(); !opened)
        return opened;
    if (Result<void> opened = impl_->open_aggregations(object); !opened)
        return opened;
    if (Result<void> opened = impl_->aggregations.open(schema.aggregations, impl_->aggregation_store()); !opened)
        return opened;
    if (Result<void> planned = impl_->decoder.plan(schema.statements); !planned)
        return planned;
    const bool for_people = !impl_->reproducible && !impl_->options.print().diag_brief;
    const uint64_t lines = !for_people || impl_->options.compile().errtags ? UINT64_MAX
                           : isatty(STDERR_FILENO)                         ? 1
                                                                           : kMostLines;
    impl_->decoder.explain_faults(schema, {for_people, lines}, now_monotonic());
    if (lines != UINT64_MAX)
        impl_->losses.limit_lines(kMostLines);
    if (Result<void> opened = impl_->open_counters(object); !opened)
        return opened;
    if (Result<void> opened = impl_->retained.open(schema.statements, end_statements); !opened)
        return opened;
    impl_->small_buffer.open(static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    if (Result<void> opened = impl_->open_sent(object); !opened)
        return opened;
    const uint64_t now = now_monotonic();
    impl_->last_status = now;
    impl_->gaps.begin(now);
    impl_->reports.begin(now);
    impl_->snapshots.begin(now);
    return impl_->buffers.open(object, impl_->retained.is_in_use(), end_statements, error_statements,
                               [this](const output::Note& note) { tell(note); });
}

Result<void> Consumer::extend(bpf_object* object, const Schema& added)
{
    if (Result<void> opened = impl_->reports.open(object, added); !opened)
        return opened;
    return impl_->decoder.plan(impl_->object.schema.statements);
}

// Without a system call: the buffers are.
bool Consumer::Impl::is_empty()
{
    const RingList& list = buffers.rings().list();
    return std::all_of(list.begin(), list.end(), [](Ring* ring) {
        ring->refresh();
        return ring->front() == nullptr;
    });
}

// Prints what the buffers hold. A sample younger than `now` may have an older one behind it on another CPU, so it
// waits.
void Consumer::Impl::consume(uint64_t now, bool last)
{
    look_at_terminal();
    env.symbols.update();
    aggregations.begin_pass(now, last);
    small_buffer.begin_pass();
    buffers.rings().wait(0); // what woke the reader is answered by this pass
    const RingList& list = buffers.rings().list();
    for (Ring* ring : list)
        ring->refresh();
    uint64_t samples = 0;
    const auto print = [&](const Sample& sample) {
        ++samples;
        handle(sample);
    };
    if (options.run().temporal)
        merge_by_time(list, last ? UINT64_MAX : buffers.rings().has_lanes() ? now - kWritingNs : now, print);
    else
        cpu_order.run(list, last, print);
    has_come |= samples != 0 || !is_empty();
    for (Ring* ring : list)
        ring->release();
    consumed += samples;
    give_up_speculations(now, false);
    if (!last)
        speed_up(samples);
}

// Lanes are for those who have many samples and, as two buffers of one CPU must be merged, want them in order.
void Consumer::Impl::speed_up(uint64_t samples)
{
    if (samples >= kManySamples && options.run().temporal && !retained.is_in_use() && !sent())
        buffers.open_lanes(loaded);
}

// It may be another after freopen(), and another size at any time.
void Consumer::Impl::look_at_terminal()
{
    const auto terminal = output.terminal();
    most_delay_ms = terminal ? kTerminalDelayMs : kMostDelayMs;
    env.columns = terminal && !reproducible ? terminal->columns : 0;
    env.escape = must_escape(options, output);
}

// What overwrites older samples, or stops at the first that has no room, tells nothing of that as dropped.
void Consumer::Impl::give_up_speculations(uint64_t now, bool last)
{
    for (const std::vector<Speculations::Kept>& speculation : speculations.give_up_lost(now, last)) {
        ThrownFirings::Seen seen;
        for (const Speculations::Kept& kept : speculation) {
            losses.count_speculative_drop(kept.sample(), seen, !retained.is_in_use());
            gaps.add(kept.head.cpu, Cause::Speculation, 1, kept.head.time);
        }
    }
}

Result<void> Consumer::pass()
{
    Impl& run = *impl_;
    const uint64_t now = now_monotonic();
    run.decoder.sink = &run.followers.sink();
    run.has_come = run.store.wants_growth();
    run.store.grow();
    unsigned occasion = 0;
    const bool is_asked = run.snapshots.is_asked();
    const bool is_due = run.options.run().switchrate == 0 || is_asked || run.until_due_ms(now) <= early_ms();
    const bool is_shown = is_due && !run.output.is_full();
    if (is_shown) {
        run.last_pass = now;
        if (!run.resting || run.snapshots.is_due(now) || !run.is_empty())
            run.consume(now, false);
        if (Result<void> shown = run.snapshots.show(now); !shown)
            return shown;
        occasion |= is_asked ? kEachPass | kEachStatus : kEachPass;
    }
    if (now - run.last_status + run.early(run.options.run().statusrate) >= run.options.run().statusrate) {
        run.last_status = now;
        occasion |= kEachStatus;
        run.decoder.tell_repeated_faults(now, false);
    }
    run.losses.report(occasion);
    if (!run.retained.is_in_use()) // else nothing is shown yet
        run.gaps.look(now_monotonic());
    run.losses.count_cut_keys(run.aggregations.cut_keys());
    run.reports.pass(now);
    if (is_asked && is_shown)
        run.reports.tell_so_far(now, run.reproducible);
    if (Result<void> failure = run.decoder.take_failure(); !failure)
        return failure;
    run.output.rotate_if_old();
    run.output.offer();
    run.note_read();
    run.troubles.tell(now);
    if (run.output.is_full())
        run.losses.note_stopped_reader();
    return run.output.failure();
}

Result<void> Consumer::Impl::count_replaced()
{
    if (options.compile().dynvars != "lru" || !loaded)
        return {};
    const Result<uint64_t> there = elements_there(loaded);
    if (!there)
        return there.error();
    const uint64_t replaced = losses.count_replaced(there.value());
    if (replaced != 0)
        reports.tell({"REPLACED",
                      {{"elements", replaced}},
                      grouped(replaced) + (replaced == 1 ? " element" : " elements") +
                          " of arrays and thread-local variables made room for younger ones: raise option dynvarsize "
                          "(now " +
                          std::to_string(options.compile().dynvarsize) + " bytes) to keep more"});
    return {};
}

void Consumer::show_so_far()
{
    impl_->snapshots.ask();
}

Result<void> Consumer::print_aggregations(Output& to, OutputFormat format)
{
    return print_elsewhere(impl_->aggregations, impl_->options.print(), impl_->env, to, format);
}

Result<void> Consumer::add_follower(std::shared_ptr<output::Follower> follower)
{
    Result<void> added = impl_->followers.add(std::move(follower));
    impl_->decoder.sink = &impl_->followers.sink();
    return added;
}

void Consumer::reopen_output()
{
    if (const Result<void> opened = impl_->output.reopen(); !opened)
        impl_->troubles.tell_not_reopened(opened.error());
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

void Consumer::tell(const output::Note& note)
{
    impl_->reports.tell(note);
}

void Consumer::was_active(uint64_t ns)
{
    impl_->reports.was_active(ns);
}

Result<void> Consumer::finish(const std::function<std::vector<output::Note>()>& last)
{
    Impl& run = *impl_;
    run.aggregation_store().settle(); // END has run
    run.consume(now_monotonic(), true);
    run.retained.replay(
        [&](const Sample& sample) { run.show(sample); },
        [&](uint32_t cpu, Cause cause, uint64_t count, uint64_t since) { run.gaps.add(cpu, cause, count, since); });
    run.give_up_speculations(now_monotonic(), true);
    run.decoder.tell_repeated_faults(now_monotonic(), true);
    run.losses.report(kAtEnd);
    run.gaps.finish(now_monotonic());
    run.sink->end_of_records();
    run.decoder.note_failure(run.snapshots.finish(now_monotonic()));
    run.decoder.note_failure(run.count_replaced());
    run.troubles.settle(now_monotonic());
    run.losses.count_cut_keys(run.aggregations.cut_keys());
    const Result<void> balanced = run.reports.finish(last, run.reproducible);
    run.sink->finish();
    if (Result<void> failure = run.decoder.take_failure(); !failure)
        return failure;
    run.troubles.finish(now_monotonic());
    const Result<void> flushed = run.output.flush();
    run.followers.finish(); // they have all of it
    run.decoder.sink = &run.followers.sink();
    return flushed ? balanced : flushed;
}

void Consumer::lose(Cause cause, uint64_t count, LossTime when)
{
    impl_->losses.ledger().add(cause, count, -1, when);
}

void Consumer::note_estimates()
{
    impl_->env.has_estimates = true;
}

std::vector<output::LedgerRow> Consumer::ledger() const
{
    return impl_->losses.ledger().rows();
}

std::vector<output::Firings> Consumer::firings() const
{
    return impl_->reports.firings();
}

std::vector<output::Firings> Consumer::clause_firings() const
{
    return impl_->reports.clause_firings();
}

output::CostReport Consumer::costs() const
{
    return impl_->reports.costs(now_monotonic());
}

void Consumer::know_bound(output::MemorySum most)
{
    impl_->reports.know_bound(most);
}

void Consumer::know_sizes(ClauseSizes sizes)
{
    impl_->reports.know_sizes(std::move(sizes));
}

void Consumer::know_prices(OutsidePrices prices)
{
    impl_->reports.know_prices(std::move(prices));
}

void Consumer::annotate_with(std::function<output::Annotation(const output::CostReport&)> annotate)
{
    impl_->reports.annotate_with(std::move(annotate));
}

void Consumer::interrupted()
{
    impl_->sink->interrupted();
}

bool Consumer::has_written_all() const
{
    return impl_->troubles.is_whole();
}

bool Consumer::is_full() const
{
    return impl_->retained.is_full();
}

// From one pass to the next, where nothing comes: what else is due is a status, and a picture. After a while in which
// nobody ran, each wakeup finds the caches cold, which is most of what it costs: several traces wake together.
uint64_t Consumer::Impl::resting_period() const
{
    const uint64_t delay = static_cast<uint64_t>(most_delay_ms) * kMillisecond;
    uint64_t due = last_pass + kMostSleepMs * kMillisecond;
    due = std::min(due, last_status + std::min(options.run().statusrate, kMostSleepMs * kMillisecond));
    due = std::min({due, snapshots.due(), reports.due()});
    return std::max(due, last_pass + delay) - last_pass;
}

int Consumer::Impl::until_due_ms(uint64_t now) const
{
    const uint64_t period = options.run().switchrate != 0 ? options.run().switchrate
                            : resting                     ? resting_period()
                                                          : static_cast<uint64_t>(most_delay_ms) * kMillisecond;
    const uint64_t due = last_pass + std::min<uint64_t>(period, UINT64_MAX / 2);
    if (last_pass == 0 || now >= due)
        return 0;
    return static_cast<int>(std::min<uint64_t>((due - now + kMillisecond - 1) / kMillisecond, kMostSleepMs));
}

int Consumer::next_timeout_ms() const
{
    if (impl_->options.run().switchrate == 0 && impl_->is_crowded())
        return 0;
    const int due = impl_->until_due_ms(now_monotonic());
    return impl_->output.is_waiting_for_reader() ? std::min(due, kTerminalDelayMs) : due; // it is to be offered again
}

int Consumer::early_ms() const
{
    const uint64_t period = impl_->options.run().switchrate;
    if (period == 0 && !impl_->resting)
        return impl_->most_delay_ms / 2;
    return static_cast<int>(impl_->early(period != 0 ? period : kSecond) / kMillisecond);
}

void Consumer::set_resting(bool resting)
{
    impl_->resting = resting;
}

bool Consumer::has_come() const
{
    return impl_->has_come || impl_->output.is_waiting_for_reader();
}

bool Consumer::is_urgent() const
{
    return impl_->store.wants_growth();
}

int Consumer::descriptor() const
{
    return impl_->options.run().switchrate == 0 ? impl_->buffers.rings().descriptor() : -1;
}

} // namespace dt
