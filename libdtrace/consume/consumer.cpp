// A pass: read the buffers, merge them in time order, decode, print; and what is due at the end of a run.
#include "libdtrace/consume/consumer.hpp"

#include <algorithm>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <ctime>
#include <numeric>
#include <optional>
#include <unistd.h>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/consume/aggregate_store.hpp"
#include "libdtrace/consume/costs.hpp"
#include "libdtrace/consume/decode.hpp"
#include "libdtrace/consume/firings.hpp"
#include "libdtrace/consume/gaps.hpp"
#include "libdtrace/consume/merge.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/consume/retained.hpp"
#include "libdtrace/consume/rings.hpp"
#include "libdtrace/consume/small_buffer.hpp"
#include "libdtrace/output/folded_sink.hpp"
#include "libdtrace/output/top.hpp"
#include "libdtrace/load/shared_map.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/world/symbols.hpp"

namespace dt {

using namespace consume;

namespace {

constexpr int kMostDelayMs = 100;             // between a record and its line, when nothing fills the buffers faster
constexpr int kTerminalDelayMs = 10;          // the same where a person waits for it
constexpr uint64_t kPictureNs = kSecond;      // --top
constexpr uint64_t kMostOverflow = 512 << 20; // bytes of one aggregation's overflow map, when no memlimit is set
constexpr int kMostSleepMs = 1000;            // with switchrate
constexpr uint64_t kMostEarlyNs = 500 * kMillisecond; // resting
constexpr uint64_t kManySamples = 500;                // in one pass: worth fast lanes
constexpr uint64_t kWritingNs =
    1'000'000; // a sample of a lane is there so long after its time, unless its program was interrupted for longer

constexpr std::size_t kLeastKernelBuffer = 1 << 20;
uint64_t now_monotonic()
{
    return static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
}

// A quarter of the memory, for all CPUs together.
std::size_t most_buffer_size()
{
    const auto pages = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)),
               page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    return pages * page / 4 / static_cast<uint64_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
}

// "2m"
std::string size_text(uint64_t size)
{
    static constexpr char kSuffixes[] = "\0kmgt";
    std::size_t suffix = 0;
    for (; suffix < 4 && size % 1024 == 0; size /= 1024)
        ++suffix;
    return suffix == 0 ? std::to_string(size) + " bytes" : std::to_string(size) + kSuffixes[suffix];
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
    Rings rings;
    CpuOrder cpu_order;
    SharedMap loss_memory, spec_memory, more_memory;
    std::deque<SharedMap> firing_memory; // of each object
    std::vector<FiringCounters> firings;
    Costs costs;
    std::function<output::Annotation(const output::CostReport&)> annotation; ///< -x annotate
    uint64_t last_cost = 0;
    uint64_t began = 0, last_pass = 0, last_status = 0, last_picture = 0;
    bool resting = false;
    bool has_come = false; ///< samples, in the last pass or still there
    int most_delay_ms = kMostDelayMs;
    bpf_object* loaded = nullptr;
    int buffers_map = -1;
    std::size_t ring_size = 0, end_size = 0; // bytes of a buffer, and those that END may need
    std::size_t whole_size = 0;              // what one run of every clause may need

    Result<void> open_rings(bpf_object* loaded);
    Result<void> open_rings(std::size_t size);
    bool runs_only_once() const;
    std::size_t room_for(const std::vector<uint32_t>& statements) const;
    Result<void> open_aggregations(bpf_object* loaded);
    void tell(const output::Note& note);
    Result<void> tell_firings();
    void tell_ledger();
    void tell_costs(uint64_t now);
    void tell_annotation();
    std::vector<output::Firings> firings_so_far()
    {
        return firings_by_probe(firings, losses.thrown(), options.run().cpu, probes);
    }
    Result<void> open_counters(bpf_object* loaded);
    Result<void> open_firings(bpf_object* loaded, const Schema& schema);
    bool is_empty();
    void consume(uint64_t now, bool last);
    void speed_up(uint64_t samples);
    void give_up_speculations(uint64_t now, bool last);
    void look_at_terminal();
    Result<void> show_top(uint64_t now);
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
        decoder.handle(sample);
    }
    AggregationStore& aggregation_store() { return carried ? static_cast<AggregationStore&>(*carried) : store; }
    bool is_crowded() const
    {
        const RingList& list = rings.list();
        return std::any_of(list.begin(), list.end(), [](const Ring* ring) { return ring->was_crowded(); });
    }
};

Result<void> Consumer::Impl::open_rings(std::size_t size)
{
    Result<void> opened = rings.open(buffers_map, size);
    if (opened)
        ring_size = size;
    return opened;
}

// Whether there is nothing but BEGIN, END and ERROR.
bool Consumer::Impl::runs_only_once() const
{
    const auto& programs = object.schema.programs;
    return std::all_of(programs.begin(), programs.end(),
                       [](const ProgramPlan& plan) { return plan.plan->kind == ProgramKind::TestRun; });
}

// Bytes of a buffer that one sample of each statement takes.
std::size_t Consumer::Impl::room_for(const std::vector<uint32_t>& statements) const
{
    std::size_t size = 0;
    for (const uint32_t id : statements)
        size += record_size(object.schema.statements[id].data_size);
    return size;
}

Result<void> Consumer::Impl::open_rings(bpf_object* loaded)
{
    bpf_map* map = bpf_object__find_map_by_name(loaded, DT_MAP_BUFFERS);
    if (!map)
        return {}; // nothing is recorded
    buffers_map = bpf_map__fd(map);
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (retained.is_in_use()) // the limit is kept here; the kernel's buffers only bridge the time between two passes
        return open_rings(std::max(round_buffer_size(options.run().bufsize, page), kLeastKernelBuffer));
    if (options.run().bufsize == 0)
        return Error{"Enabling exceeds size of buffer", ENOSPC};
    small_buffer.open(page);
    const std::size_t least = kLostRecordSize + record_size(object.schema.largest_sample),
                      rounded = round_buffer_size(options.run().bufsize, page);
    std::size_t size = std::max(rounded, round_buffer_size(least, page));
    if (options.run().bufsize > page && rounded != options.run().bufsize && !options.print().quietresize)
        dprintf(STDERR_FILENO, "bufsize increased to %zu\n", rounded);
    if (runs_only_once() && !options.run().bufsize_set) // a megabyte takes the kernel 0.3 ms to make
        size = std::min(size, round_buffer_size(std::max(whole_size + 1, least), page));
    if (options.run().bufresize == "manual")
        return open_rings(size);
    // The kernel would rather end other programs than refuse a buffer: what cannot be reasonable is not asked for.
    const std::size_t asked = size;
    while (size > most_buffer_size() && size > page && size / 2 >= least)
        size /= 2;
    Result<void> opened = open_rings(size);
    const auto is_too_large = [&] {
        return opened.error().code == ENOMEM || opened.error().code == EPERM;
    }; // the latter: without CAP_IPC_LOCK
    while (!opened && is_too_large() && size > page && size / 2 >= least)
        opened = open_rings(size /= 2);
    if (opened && size != asked && !options.print().quietresize)
        tell({"BUFFER_SIZE", {{"bytes", size}}, "buffer size lowered to " + size_text(size)});
    return opened;
}

void Consumer::Impl::tell(const output::Note& note)
{
    output::say(output, note, options.print().errors_json);
    sink->note(note);
}

Result<void> Consumer::Impl::tell_firings()
{
    if (firings.empty())
        return {};
    const std::vector<output::Firings> all = firings_so_far();
    if (options.compile().firings) {
        output::say_lines(output, output::firings_table(all));
        sink->firings(all);
    }
    return options.compile().check_firings ? check_firings(all, losses.ledger()) : Result<void>{};
}

void Consumer::Impl::tell_costs(uint64_t now)
{
    last_cost = now;
    if (!costs.is_open())
        return;
    const output::CostReport report = costs.report(now, object.schema.statements, probes);
    output::say_lines(output, output::cost_table(report));
    sink->costs(report);
}

void Consumer::Impl::tell_annotation()
{
    if (!annotation)
        return;
    const output::Annotation code = annotation(costs.report(now_monotonic(), object.schema.statements, probes));
    output::say_lines(output, output::annotation_text(code));
    sink->annotation(code);
}

// The whole table where it was asked for, else a line when something was lost.
void Consumer::Impl::tell_ledger()
{
    std::vector<output::LedgerRow> rows = losses.ledger().rows();
    if (options.print().ledger) {
        output::say_lines(output, output::ledger_table(rows, reproducible ? 0 : began));
        return sink->ledger(rows);
    }
    if (!output::has_losses(rows))
        return;
    std::erase_if(rows,
                  [](const output::LedgerRow& row) { return row.kind != output::LossKind::Lost || row.count == 0; });
    output::Note note{"LOST", {}, output::losses_text(rows)};
    for (const output::LedgerRow& row : rows)
        note.numbers.emplace_back(row.cause, row.count);
    output::say(output, note, options.print().errors_json);
    sink->ledger(rows);
}

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
    if (Result<void> opened = costs.open(loaded, object.schema); !opened)
        return opened;
    return open_firings(loaded, object.schema);
}

Result<void> Consumer::Impl::open_firings(bpf_object* loaded, const Schema& schema)
{
    bpf_map* const map = section_map(loaded, DT_SECTION_FIRINGS);
    if (!map)
        return {};
    SharedMap& memory = firing_memory.emplace_back();
    if (Result<void> mapped = memory.open(map, 1); !mapped)
        return mapped;
    firings.push_back({schema.counted, schema.firing_sets, static_cast<const dt_firings*>(memory.memory())});
    return {};
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
        tell({"NO_STACKS",
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
    if (Result<void> opened = impl_->open_aggregations(object); !opened)
        return opened;
    if (Result<void> opened = impl_->aggregations.open(schema.aggregations, impl_->aggregation_store()); !opened)
        return opened;
    if (Result<void> planned = impl_->decoder.plan(schema.statements); !planned)
        return planned;
    const bool for_people = !impl_->reproducible && !impl_->options.print().diag_brief;
    const uint64_t lines = !for_people || impl_->options.compile().errtags ? UINT64_MAX
                           : isatty(STDERR_FILENO)                         ? 1
                                                                           : 10;
    impl_->decoder.explain_faults(schema, {for_people, lines});
    if (Result<void> opened = impl_->open_counters(object); !opened)
        return opened;
    if (Result<void> opened = impl_->retained.open(schema.statements, end_statements); !opened)
        return opened;
    // A clause of END has a sample, or else a fault and what the clauses of ERROR record.
    const std::size_t faulting = record_size(sizeof(dt_fault)) + impl_->room_for(error_statements);
    const auto room = [&](const std::vector<uint32_t>& ids) {
        return kLostRecordSize + impl_->room_for(ids) + ids.size() * faulting;
    };
    impl_->end_size = room(end_statements);
    std::vector<uint32_t> all(schema.statements.size());
    std::iota(all.begin(), all.end(), 0);
    impl_->whole_size = room(all);
    impl_->began = impl_->last_status = now_monotonic();
    impl_->gaps.begin(impl_->began);
    impl_->costs.begin(impl_->began);
    impl_->last_cost = impl_->began;
    return impl_->open_rings(object);
}

Result<void> Consumer::extend(bpf_object* object, const Schema& added)
{
    if (Result<void> opened = impl_->open_firings(object, added); !opened)
        return opened;
    if (Result<void> opened = impl_->costs.open(object, added); !opened)
        return opened;
    return impl_->decoder.plan(impl_->object.schema.statements);
}

// Without a system call: the buffers are.
bool Consumer::Impl::is_empty()
{
    const RingList& list = rings.list();
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
    rings.wait(0); // what woke the reader is answered by this pass
    const RingList& list = rings.list();
    for (Ring* ring : list)
        ring->refresh();
    uint64_t samples = 0;
    const auto print = [&](const Sample& sample) {
        ++samples;
        handle(sample);
    };
    if (options.run().temporal)
        merge_by_time(list, last ? UINT64_MAX : rings.has_lanes() ? now - kWritingNs : now, print);
    else
        cpu_order.run(list, last, print);
    has_come |= samples != 0 || !is_empty();
    for (Ring* ring : list)
        ring->release();
    give_up_speculations(now, false);
    if (!last)
        speed_up(samples);
}

// Lanes are for those who have many samples and, as two buffers of one CPU must be merged, want them in order.
void Consumer::Impl::speed_up(uint64_t samples)
{
    if (samples >= kManySamples && options.run().temporal && !retained.is_in_use() &&
        2 * ring_size <= most_buffer_size())
        rings.open_lanes(loaded);
}

// It may be another after freopen(), and another size at any time.
void Consumer::Impl::look_at_terminal()
{
    const auto terminal = output.terminal();
    most_delay_ms = terminal ? kTerminalDelayMs : kMostDelayMs;
    env.columns = terminal && !reproducible ? terminal->columns : 0;
    env.escape = must_escape(options, output);
}

Result<void> Consumer::Impl::show_top(uint64_t now)
{
    if (!options.run().top || now - last_picture < kPictureNs)
        return {};
    last_picture = now;
    const auto terminal = options.print().format == OutputFormat::Text ? output.terminal() : std::nullopt;
    if (terminal)
        output.send();
    if (Result<void> printed = aggregations.print_all(*sink); !printed || !terminal)
        return printed;
    const std::string shown = output::picture(output.text().view(), *terminal);
    output.text().clear();
    output.write(shown);
    return {};
}

// What overwrites older samples, or stops at the first that has no room, tells nothing of that as dropped.
void Consumer::Impl::give_up_speculations(uint64_t now, bool last)
{
    const uint64_t lost = speculations.give_up_lost(now, last, &losses.thrown());
    losses.count_speculative_drops(lost, !retained.is_in_use());
}

Result<void> Consumer::pass()
{
    Impl& run = *impl_;
    const uint64_t now = now_monotonic();
    run.has_come = run.store.wants_growth();
    run.store.grow();
    unsigned occasion = 0;
    const bool is_due = run.options.run().switchrate == 0 || run.until_due_ms(now) <= early_ms();
    if (is_due && !run.output.is_full()) {
        run.last_pass = now;
        if (!run.resting || run.options.run().top || !run.is_empty())
            run.consume(now, false);
        if (Result<void> shown = run.show_top(now); !shown)
            return shown;
        occasion |= kEachPass;
    }
    if (now - run.last_status + run.early(run.options.run().statusrate) >= run.options.run().statusrate) {
        run.last_status = now;
        occasion |= kEachStatus;
        run.decoder.tell_repeated_faults(false);
    }
    run.losses.report(occasion);
    if (const uint64_t every = run.options.compile().cost_every; every != 0 && now - run.last_cost >= every)
        run.tell_costs(now);
    if (Result<void> failure = run.decoder.take_failure(); !failure)
        return failure;
    run.output.offer();
    if (run.output.is_full())
        run.losses.note_stopped_reader();
    return run.output.failure();
}

Result<void> Consumer::follow_cpus(const std::vector<int>& online)
{
    return impl_->rings.follow_cpus(online);
}

Result<void> Consumer::prepare_end()
{
    Impl& run = *impl_;
    run.consume(now_monotonic(), true);
    if (run.ring_size != 0 && run.ring_size <= run.end_size)
        if (Result<void> opened =
                run.open_rings(round_buffer_size(run.end_size + 1, static_cast<std::size_t>(sysconf(_SC_PAGESIZE))));
            !opened)
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
    impl_->tell(note);
}

Result<void> Consumer::finish(const std::function<std::vector<output::Note>()>& last)
{
    Impl& run = *impl_;
    run.aggregation_store().settle(); // END has run
    run.consume(now_monotonic(), true);
    run.retained.replay([&](const Sample& sample) { run.show(sample); });
    run.give_up_speculations(now_monotonic(), true);
    run.decoder.tell_repeated_faults(true);
    run.losses.report(kAtEnd);
    run.gaps.finish(now_monotonic());
    run.sink->end_of_records();
    run.decoder.note_failure(run.aggregations.print_unprinted(*run.sink));
    for (const output::Note& note : last()) {
        run.tell(note);
        run.losses.ledger().add(note, {run.began, now_monotonic()});
    }
    run.tell_ledger();
    run.tell_costs(now_monotonic());
    run.tell_annotation();
    const Result<void> balanced = run.tell_firings();
    run.sink->finish();
    if (Result<void> failure = run.decoder.take_failure(); !failure)
        return failure;
    const Result<void> flushed = run.output.flush();
    return flushed ? balanced : flushed;
}

std::vector<output::LedgerRow> Consumer::ledger() const
{
    return impl_->losses.ledger().rows();
}

std::vector<output::Firings> Consumer::firings() const
{
    return impl_->firings_so_far();
}

output::CostReport Consumer::costs() const
{
    return impl_->costs.report(now_monotonic(), impl_->object.schema.statements, impl_->probes);
}

void Consumer::know_prices(OutsidePrices prices)
{
    impl_->costs.know(std::move(prices));
}

void Consumer::annotate_with(std::function<output::Annotation(const output::CostReport&)> annotation)
{
    impl_->annotation = std::move(annotation);
}

void Consumer::interrupted()
{
    impl_->sink->interrupted();
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
    if (options.run().top)
        due = std::min(due, last_picture + kPictureNs);
    if (const uint64_t every = options.compile().cost_every; every != 0)
        due = std::min(due, last_cost + every);
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
    return impl_->output.is_waiting() ? std::min(due, kTerminalDelayMs) : due; // it is to be offered again
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
    return impl_->has_come || impl_->output.is_waiting();
}

bool Consumer::is_urgent() const
{
    return impl_->store.wants_growth();
}

int Consumer::descriptor() const
{
    return impl_->options.run().switchrate == 0 ? impl_->rings.descriptor() : -1;
}

} // namespace dt
