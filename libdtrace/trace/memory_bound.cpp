#include "libdtrace/trace/memory_bound.hpp"

#include <algorithm>
#include <bpf/libbpf.h>
#include <cerrno>
#include <set>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "bpf-runtime/abi.h"
#include "bpf-runtime/accounting/account.h"
#include "dcompiler/object/functions.hpp"
#include "dcompiler/object/record_description.hpp"
#include "libdtrace/aggregations/aggregate_store.hpp"
#include "libdtrace/aggregations/key_expiry.hpp"
#include "libdtrace/buffers/rings.hpp"
#include "libdtrace/format/value.hpp"
#include "libdtrace/kernel/cgroups.hpp"
#include "libdtrace/metrics/otlp_sender.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/records/flight_recorder.hpp"
#include "libdtrace/symbols/symbols.hpp"

namespace dt {
namespace {

using output::MemoryPart;

// Kernel memory for a program. The bytes per instruction are for the instruction, its machine code, and its source line
// with text. Additional pages are needed because a program occupies whole pages.
constexpr uint64_t kBytesOfInstruction = 64, kPagesOfProgram = 2;
// tracer's memory for the kernel's symbol list and the index of its names
constexpr uint64_t kKernelNames = 32 << 20;
// Tracer's memory in bytes per stored sample in addition to its data: the sample's header and the allocator's overhead.
constexpr uint64_t kSampleKept = 112;
constexpr uint64_t kKeyPrinted = 96; // tracer's memory in bytes per printed aggregation entry, for lookup and sorting
constexpr uint64_t kKeyText = 256;   // additional bytes per printed entry if keys are compared by their printed text

// Factors for the memory of a metric series. Its current value, the value that the D program removed, and its previous
// value are in growing vectors. Its key is a text that is stored twice, in the index and temporarily during a lookup;
// every character in it may be escaped.
constexpr uint64_t kSeriesWords = 6, kSeriesText = 8;

/// Returns an upper estimate of the kernel memory of a probe's hook.
uint64_t memory_of_hook(ProgramKind kind, const MachineSizes& machine)
{
    return uint64_t{info(kind).hook_memory} * (info(kind).memory_per_cpu ? machine.cpus : 1);
}

class Parts {
public:
    Parts(const MemoryQuestion& question, uint64_t growth)
        : object_(question.object), schema_(question.object.schema), options_(question.options),
          machine_(question.machine), growth_(growth), maps_(planned_maps(object_, machine_))
    {
        for (const PlannedMap& map : maps_)
            add_map(map);
        add_buffers();
        add_programs();
        add_aggregations();
        parts_.push_back({"the tracer after compilation", false, question.tracer, "measured", true});
        add("output that is not yet written", false, Output::kMaxMemory,
            "20 MiB; beyond that, records stay in the kernel's buffers");
        // the sink for OpenTelemetry has separate queues for metrics and records, and this limit applies to each queue
        if (options_.print().format == OutputFormat::Otlp)
            add("metrics and records that are not yet sent", false, 2 * output::OtlpSender::kMaxBytes,
                "16 MiB of each");
        add_names();
        add_samples();
    }

    std::vector<MemoryPart> take() { return std::move(parts_); }

private:
    void add(const std::string& name, bool in_kernel, uint64_t bytes, const std::string& bound)
    {
        if (bytes == 0)
            return;
        const auto same = std::find_if(parts_.begin(), parts_.end(), [&](const MemoryPart& part) {
            return part.name == name && part.bound == bound && part.in_kernel == in_kernel;
        });
        if (same != parts_.end())
            same->most += bytes;
        else
            parts_.push_back({name, in_kernel, bytes, bound});
    }

    const PlannedMap* map(std::string_view name) const
    {
        const auto found =
            std::find_if(maps_.begin(), maps_.end(), [&](const PlannedMap& each) { return each.name == name; });
        return found != maps_.end() ? &*found : nullptr;
    }

    void add_map(const PlannedMap& map)
    {
        const std::string_view name = map.name;
        const uint64_t bytes = max_map_memory(map, machine_);
        const bool is_hash = map.type == BPF_MAP_TYPE_HASH || map.type == BPF_MAP_TYPE_PERCPU_HASH;
        if (name.starts_with("agg"))
            add("aggregations", true, bytes, is_hash ? "aggsize" : "the program");
        else if (map.type == BPF_MAP_TYPE_TASK_STORAGE)
            add("thread-local variables", true, bytes, "the maximum number of threads");
        else if (name.starts_with("arr_") || name.starts_with("tls_") || name == DT_MAP_SELF)
            add("associative arrays and thread-local variables", true, bytes, "dynvarsize");
        else if (name == DT_MAP_REQUESTS)
            add("requests", true, bytes, "dynvarsize");
        else if (name == DT_SECTION_HITS || name == DT_SECTION_CLAUSE_HITS || name == DT_SECTION_COSTS ||
                 name == DT_SECTION_COST_TIMES)
            add("counters of firings", true, bytes, "the number of probes");
        else if (name.starts_with("unwind"))
            add("unwind tables", true, bytes, "64 MiB");
        else
            add("other data of the programs", true, bytes, "the program");
        if (name == DT_MAP_UNWIND_MEMORY)
            add("unwind tables", true, uint64_t{DT_UNWIND_CHUNKS} * DT_UNWIND_CHUNK_WORDS * 4, "64 MiB");
    }

    bool keeps_samples() const { return options_.run().bufpolicy != BufferPolicy::Switch; }

    /// Returns the size in bytes of one CPU's buffer.
    uint64_t buffer_size() const
    {
        constexpr std::size_t kMinRetained = 1 << 20;
        const uint64_t least = keeps_samples() ? kMinRetained : schema_.largest_sample;
        return consume::round_buffer_size(std::max(options_.run().bufsize, least), machine_.page);
    }

    void add_buffers()
    {
        if (!map(DT_MAP_BUFFERS))
            return;
        const uint64_t size = buffer_size();
        add("buffers", true, machine_.cpus * (size + machine_.page), "bufsize, for each CPU");
        if (options_.run().bufpolicy == BufferPolicy::Ring)
            add("descriptions of records, for a crash dump", true, max_record_description_size(schema_), "the program");
        if (!map(DT_MAP_MMAP_RINGS) || !options_.run().temporal || keeps_samples() || size < DT_MMAP_RING_BYTES)
            return;
        const PlannedMap ring{{}, BPF_MAP_TYPE_ARRAY, 4, sizeof(dt_mmap_ring), BPF_F_MMAPABLE, 1};
        add("memory-mapped rings", true, machine_.cpus * max_map_memory(ring, machine_), "2 MiB for each CPU");
    }

    void add_programs()
    {
        const Result<std::vector<ObjectFunction>> functions = read_functions(object_.elf);
        std::set<std::string_view> programs;
        for (const ProgramPlan& plan : schema_.programs)
            programs.insert(plan.name);
        uint64_t own = 0, shared = 0;
        if (functions)
            for (const ObjectFunction& function : functions.value())
                (programs.contains(function.name) ? own : shared) += function.insns.size();
        const uint64_t count = schema_.programs.size();
        add("programs", true, (own + count * shared) * kBytesOfInstruction + count * kPagesOfProgram * machine_.page,
            "the program");
        uint64_t hooks = 0;
        for (const ProgramPlan& plan : schema_.programs)
            hooks += std::max<uint64_t>(plan.plan->targets.size(), 1) * memory_of_hook(plan.plan->kind, machine_);
        add("hooks", true, hooks, "the probes");
    }

    void add_aggregations()
    {
        for (const AggregationSchema& schema : schema_.aggregations) {
            if (schema.key_size == 0)
                continue;
            const PlannedMap *const first = map(schema.map), *const short_keys_map = map(schema.short_keys_map);
            uint64_t keys = (first ? first->entries : 0) + (short_keys_map ? short_keys_map->entries : 0);
            // If the trace uses key expiry, a second overflow map of the largest size exists for a short time.
            const bool is_taken = options_.compile().aggttl != 0;
            if (first && !schema.overflow_map.empty()) {
                std::vector<uint32_t> sizes = consume::overflow_sizes(schema, growth_, first->flags);
                if (is_taken)
                    sizes.push_back(sizes.back());
                const CpuElements elements(schema);
                for (const uint32_t entries : sizes) {
                    add("aggregations that grow", true,
                        max_map_memory({{},
                                        BPF_MAP_TYPE_HASH,
                                        elements.map_key_size(),
                                        elements.map_value_size(),
                                        first->flags,
                                        entries},
                                       machine_),
                        growth_bound("512 MiB each"));
                    keys += entries;
                }
            }
            if (is_taken && !schema.overflow_map.empty()) {
                add("keys that have not expired yet", false, growth_, growth_bound("512 MiB each"));
                keys = consume::max_key_count(schema, growth_);
            }
            // While a vector grows, its old and its new memory exist at the same time.
            const uint64_t cpus = options_.print().aggpercpu ? 1 + machine_.cpus : 1;
            const bool has_texts = std::any_of(schema.keys.begin(), schema.keys.end(), [](const Datum& key) {
                return names_address(key) || format::is_recorded_as_number(key);
            });
            const uint64_t of_key = 2 * (schema.key_size + schema.words * 8 * cpus) + kKeyPrinted +
                                    (has_texts ? 2 * schema.key_size + kKeyText : 0);
            add("aggregations while they are printed", false, keys * of_key,
                schema.overflow_map.empty() ? "aggsize" : growth_bound("512 MiB each"));
            if (exports_metrics(options_.run(), options_.print()))
                add("series of metrics", false,
                    std::min(keys, options_.print().maxseries) *
                        (kSeriesWords * schema.words * 8 + kSeriesText * schema.key_size + kKeyText),
                    "maxseries");
        }
    }

    static bool names_address(const Datum& datum)
    {
        return datum.kind == Datum::Kind::Stack || datum.kind == Datum::Kind::UserStack ||
               datum.kind == Datum::Kind::Symbol || datum.kind == Datum::Kind::UserSymbol;
    }
    static bool names_kernel_address(const Datum& datum)
    {
        return names_address(datum) && datum.kind != Datum::Kind::UserSymbol;
    }

    std::string growth_bound(const char* usual) const
    {
        return options_.run().maxmem ? "maxmem" : options_.compile().memlimit ? "memlimit" : usual;
    }

    void add_names()
    {
        if (map(DT_MAP_UNWIND) || consume::names_user_addresses(schema_))
            add("names of user addresses", false, std::min(growth_, Symbols::kMaxMemory), growth_bound("224 MiB"));
        if (consume::named_cgroups(schema_))
            add("names of control groups", false, ControlGroups::kMax * ControlGroups::kBytesOfOne,
                grouped(ControlGroups::kMax) + " of them");
        bool is_named = false;
        for (const StatementSchema& statement : schema_.statements)
            for (const Record& record : statement.records)
                is_named |= record.format.find_first_of("aA") != std::string::npos ||
                            std::any_of(record.data.begin(), record.data.end(), names_kernel_address);
        for (const AggregationSchema& aggregation : schema_.aggregations)
            is_named |= std::any_of(aggregation.keys.begin(), aggregation.keys.end(), names_kernel_address);
        if (is_named)
            add("names of kernel addresses", false, kKernelNames, "the kernel");
    }

    /// Returns the memory of stored samples with `bytes` bytes of data. The overhead per sample is computed as if all
    /// samples had the smallest size.
    static uint64_t with_heads(uint64_t bytes, uint64_t smallest)
    {
        return bytes + bytes / std::max<uint64_t>(smallest, 8) * kSampleKept;
    }

    void add_samples()
    {
        uint64_t smallest = UINT64_MAX, smallest_speculative = UINT64_MAX;
        for (const StatementSchema& statement : schema_.statements) {
            smallest = std::min(smallest, consume::traditional_size(statement));
            if (statement.speculative)
                smallest_speculative =
                    std::min<uint64_t>(smallest_speculative, sizeof(dt_sample) + statement.data_size);
        }
        if (map(DT_MAP_BUFFERS) && keeps_samples())
            add("samples kept until the end", false, machine_.cpus * with_heads(options_.run().bufsize, smallest),
                "bufsize, for each CPU");
        if (map(DT_SECTION_SPEC) && smallest_speculative != UINT64_MAX)
            add("speculations", false,
                options_.compile().nspec * with_heads(options_.compile().specsize, smallest_speculative),
                "specsize, nspec times");
    }

    const Object& object_;
    const Schema& schema_;
    const Options& options_;
    const MachineSizes& machine_;
    const uint64_t growth_;
    const std::vector<PlannedMap> maps_;
    std::vector<MemoryPart> parts_;
};

} // namespace

uint64_t usual_growth(const Options& options)
{
    return options.compile().memlimit.value_or(consume::kMaxOverflow);
}

std::vector<MemoryPart> memory_parts(const MemoryQuestion& question, uint64_t growth)
{
    return Parts(question, growth).take();
}

std::optional<uint64_t> growth_within(const MemoryQuestion& question, uint64_t limit, uint64_t most)
{
    const auto fits = [&](uint64_t growth) { return output::sum(memory_parts(question, growth)).all() <= limit; };
    if (fits(most))
        return most;
    if (!fits(0))
        return {};
    constexpr uint64_t kExact = 4096;
    uint64_t good = 0;
    for (uint64_t bad = most; bad - good > kExact;) {
        const uint64_t middle = good + (bad - good) / 2;
        (fits(middle) ? good : bad) = middle;
    }
    return good;
}

Result<uint64_t> growth_left(const MemoryQuestion& question, uint64_t limit)
{
    if (const auto growth = growth_within(question, limit, usual_growth(question.options)))
        return *growth;
    const std::vector<MemoryPart> least = memory_parts(question, 0);
    return Error{"maxmem of " + grouped(limit) + " bytes is not enough: the trace may take " +
                     grouped(output::sum(least).all()) +
                     " bytes even if nothing grows\n\tthe largest parts: " + output::largest_parts(least),
                 ENOBUFS};
}

} // namespace dt
