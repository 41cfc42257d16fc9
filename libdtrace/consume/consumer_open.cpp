// Opens the sources and the output of a consumer, for the first loaded object and for each later one.
#include <bpf/libbpf.h>
#include <cerrno>
#include <unistd.h>

#include "libdtrace/consume/consumer_impl.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/output/stack_sink.hpp"

namespace dt {

namespace {

constexpr uint64_t kMostLines = 10; // limit of lines for the same error or loss

bool records_stacks(const Schema& schema)
{
    const auto has_stack = [](const Record& record) {
        return std::any_of(record.data.begin(), record.data.end(), output::is_stack);
    };
    return std::any_of(schema.statements.begin(), schema.statements.end(), [&](const StatementSchema& statement) {
        return std::any_of(statement.records.begin(), statement.records.end(), has_stack);
    });
}

/// Returns a warning if the format shows only stacks and the program records none; otherwise an empty text.
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
    return reports.open(maps, object.schema);
}

/// Opens the count of samples sent, before buffers exist and samples arrive. Samples that a previous tracer did not
/// read were lost with its buffers.
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
        losses.ledger().add(Cause::Tracer, missing, -1, {now, now});
    return {};
}

Result<void> Consumer::Impl::open_aggregations(const LoadedMaps& maps)
{
    if (const LoadedMap* map = maps.section(DT_SECTION_MORE))
        if (Result<void> mapped = more_memory.open(*map, 1); !mapped)
            return mapped;
    if (const std::string_view missing = missing_stacks(options.print().format, object.schema); !missing.empty())
        reports.tell({"NO_STACKS", {}, std::string(missing)});
    const void* inserted = more_memory.memory();
    uint64_t limit = options.compile().memlimit.value_or(kMostOverflow);
    if (silent.is_open() && options.compile().aggsize_set) // aggsize is per CPU, and all CPUs share the overflow map
        limit =
            std::min(limit, options.compile().aggsize * static_cast<uint64_t>(std::max(libbpf_num_possible_cpus(), 1)));
    return store.open(maps, object.schema.aggregations, static_cast<const uint64_t*>(inserted), limit);
}

void Consumer::add_application(ApplicationHalf& half)
{
    impl_->halves.push_back(&half);
    impl_->in_applications.add(half);
    impl_->buffers.rings().also_read(half.ring());
}

void Consumer::await_values()
{
    if (!impl_->options.print().aggpercpu)
        impl_->carried.emplace(impl_->counted_store());
}

std::vector<std::string> Consumer::begin_with(std::map<std::string, AggregationValues>& values)
{
    std::vector<std::string> anew;
    for (const AggregationSchema& schema : impl_->object.schema.aggregations) {
        auto taken = values.extract(schema.name); // frees the values' memory early, not only when the trace ends
        if (taken.empty() || (taken.mapped().entries.empty() && taken.mapped().gone.empty()))
            continue;
        AggregationValues& former = taken.mapped();
        const std::string misfit =
            impl_->options.print().aggpercpu ? "it is shown by CPU" : CarriedAggregations::misfit(schema, former);
        if (!misfit.empty()) {
            anew.push_back("@" + schema.name + ": " + misfit);
            continue;
        }
        if (impl_->silent.forgets(schema)) {
            impl_->silent.add(schema, former, now_monotonic());
            continue;
        }
        if (!impl_->carried)
            impl_->carried.emplace(impl_->counted_store());
        impl_->carried->add(schema, std::move(former));
    }
    return anew;
}

Result<void> Consumer::open(const LoadedMaps& maps, const std::vector<uint32_t>& end_statements,
                            const std::vector<uint32_t>& error_statements)
{
    impl_->maps = &maps;
    const Schema& schema = impl_->object.schema;
    const OutputFormat format = impl_->options.print().format;
    if (impl_->options.run().top && format != OutputFormat::Text && format != OutputFormat::Jsonl)
        return Error{"option top shows formats text and jsonl only", EINVAL};
    if (impl_->output.is_connected() && format != OutputFormat::Journal)
        return Error{"-o names a socket, to which format journal alone writes", EINVAL};
    if (!impl_->output.folder().empty() && (row_of(format).flags & kFormatToFolder) == 0)
        return Error{"-o names a folder, which is not what format " + std::string(row_of(format).name) + " writes",
                     EINVAL};
    if (impl_->options.run().aggevery != 0 && (row_of(format).flags & kFormatAtEnd) != 0)
        return Error{"option aggevery shows every format but flamegraph and pprof, which are written at the end",
                     EINVAL};
    if (impl_->options.compile().aggttl != 0 && impl_->options.print().aggpercpu)
        return Error{"option aggttl does not go with aggpercpu: what a key has counted is kept for all CPUs together",
                     EINVAL};
    if (const std::string& user = impl_->options.run().user;
        impl_->output.has_file() && user != impl_->output.makes_files_for())
        return Error{"option user comes too late for the file of -o, which is opened before the program is read: "
                     "-x user=" +
                         user + " is in time",
                     EINVAL};
    if (const RunOptions& run = impl_->options.run(); run.rotate_size != 0 || run.rotate_age != 0)
        if (Result<void> rotates = impl_->output.rotate_at({run.rotate_size, run.rotate_age, run.rotate_files});
            !rotates)
            return rotates;
    impl_->output.rotate_if_old();
    impl_->output.outlast();
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
                                                                           : kMostLines;
    impl_->decoder.explain_faults(schema, {for_people, lines}, now_monotonic());
    if (lines != UINT64_MAX)
        impl_->losses.limit_lines(kMostLines);
    if (Result<void> opened = impl_->open_counters(maps); !opened)
        return opened;
    for (ApplicationHalf* half : impl_->halves) {
        impl_->losses.attach(half->losses(), "process " + std::to_string(half->pid()));
        impl_->reports.add(*half);
    }
    if (Result<void> opened = impl_->retained.open(schema.statements, end_statements); !opened)
        return opened;
    impl_->small_buffer.open(static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    if (Result<void> opened = impl_->open_sent(maps); !opened)
        return opened;
    const uint64_t now = now_monotonic();
    impl_->last_status = now;
    impl_->gaps.begin(now);
    impl_->reports.begin(now);
    impl_->snapshots.begin(now);
    return impl_->buffers.open(maps, impl_->retained.is_in_use(), end_statements, error_statements,
                               [this](const output::Note& note) { tell(note); });
}

Result<void> Consumer::extend(const LoadedMaps& maps, const Schema& added)
{
    if (Result<void> opened = impl_->reports.open(maps, added); !opened)
        return opened;
    return impl_->decoder.plan(impl_->object.schema.statements);
}

} // namespace dt
