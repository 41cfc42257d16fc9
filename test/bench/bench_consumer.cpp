// Measures how many records per second the consumer prints on one core (required: 2,000,000). The measured path goes
// from a perf buffer's memory to text written to /dev/null, and merges the records of two CPUs by time. Needs neither
// kernel support nor root.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "libdtrace/buffers/ring.hpp"
#include "libdtrace/records/decode.hpp"
#include "libdtrace/sinks/text_sink.hpp"
#include "test/support/probe_table.hpp"

namespace {

using namespace dt;
using namespace dt::consume;

constexpr std::size_t kPage = 4096;
constexpr std::size_t kDataBytes = 4 << 20;
constexpr uint32_t kCpus = 2;

class NoStore final : public AggregationStore {
public:
    uint32_t cpus() const override { return kCpus; }
    Result<void> read(const AggregationSchema&, const Visit&) override { return {}; }
    void remove(const AggregationSchema&, std::span<const uint8_t>) override {}
    void zero(const AggregationSchema&) override {}
};

// Perf buffer that is full of samples with the given data.
class FullBuffer {
public:
    FullBuffer(uint32_t cpu, const std::vector<uint8_t>& data) : memory_((kPage + kDataBytes) / 8)
    {
        const auto size = static_cast<uint32_t>(sizeof(dt_sample) + data.size());
        const uint32_t raw_size = (size + 4 + 7) / 8 * 8 - 4;
        const dt_sample head{size, 0, 77, 0};
        auto* at = reinterpret_cast<uint8_t*>(memory_.data()) + kPage;
        const perf_event_header header{PERF_RECORD_SAMPLE, 0, static_cast<uint16_t>(8 + 8 + 4 + raw_size)};
        for (uint64_t used = 0; used + header.size <= kDataBytes; used += header.size, ++samples_) {
            const uint64_t time = samples_ * kCpus + cpu;
            std::memcpy(at + used, &header, sizeof header);
            std::memcpy(at + used + 8, &time, 8);
            std::memcpy(at + used + 16, &raw_size, 4);
            std::memcpy(at + used + 20, &head, sizeof head);
            std::memcpy(at + used + 20 + sizeof head, data.data(), data.size());
            reinterpret_cast<perf_event_mmap_page*>(memory_.data())->data_head = used + header.size;
        }
    }
    PerfRing ring(uint32_t cpu)
    {
        reinterpret_cast<perf_event_mmap_page*>(memory_.data())->data_tail = 0;
        return PerfRing(memory_.data(), memory_.size() * 8, kPage, cpu);
    }
    uint64_t samples() const { return samples_; }

private:
    std::vector<uint64_t> memory_;
    uint64_t samples_ = 0;
};

struct Run {
    Run(std::vector<Datum> data, std::vector<uint8_t> bytes, std::string_view action, std::string format)
        : sample_bytes(std::move(bytes))
    {
        probes.add(77, "syscall", "vmlinux", "write", "entry");
        action_.name = action;
        Record record;
        record.action = &action_;
        record.data = std::move(data);
        record.format = format;
        record.has_format = !format.empty();
        StatementSchema schema;
        schema.data_size = static_cast<uint32_t>(sample_bytes.size());
        schema.records = {record};
        statements = {schema};
        (void)aggregations.open(schemas, store);
        if (const Result<void> planned = decoder.plan(statements); !planned)
            std::abort();
    }
    ~Run() { close(null); }

    std::vector<uint8_t> sample_bytes;
    Action action_{};
    std::vector<StatementSchema> statements;
    std::vector<AggregationSchema> schemas;
    int null = open("/dev/null", O_WRONLY);
    test::ProbeTable probes;
    Options options;
    std::vector<std::string> names;
    Symbols symbols{"/nonexistent"};
    Output output{null};
    format::Environment env{names, options.print(), symbols, 0};
    NoStore store;
    Aggregations aggregations{env, options.run()};
    Speculations speculations{options.compile().specsize};
    output::TextSink sink{options.print(), output, env, false};
    Losses losses{options, output, sink};
    Decoder decoder{probes, options, output, env, aggregations, speculations, losses, sink};
};

void consume_all(benchmark::State& state, Run& run)
{
    std::vector<FullBuffer> buffers;
    for (uint32_t cpu = 0; cpu < kCpus; ++cpu)
        buffers.emplace_back(cpu, run.sample_bytes);
    uint64_t records = 0;
    for (auto _ : state) {
        std::vector<PerfRing> rings;
        rings.reserve(kCpus); // `list` will point to elements of this container, so later insertions must not move them
        RingList list;
        for (uint32_t cpu = 0; cpu < kCpus; ++cpu) {
            list.push_back(&rings.emplace_back(buffers[cpu].ring(cpu)));
            list.back()->refresh();
        }
        merge_by_time(list, UINT64_MAX, [&](const Sample& sample) { run.decoder.handle(sample); });
        (void)run.output.flush();
        records += buffers[0].samples() * kCpus;
    }
    state.counters["records/s"] = benchmark::Counter(static_cast<double>(records), benchmark::Counter::kIsRate);
}

Datum datum(Datum::Kind kind, uint32_t offset, uint32_t size)
{
    Datum result;
    result.kind = kind;
    result.offset = offset;
    result.size = size;
    return result;
}

// Measures printf("%s %d %d
// ", execname, pid, arg0) with and without the default columns.
void printf_record(benchmark::State& state)
{
    std::vector<uint8_t> bytes(32);
    std::memcpy(bytes.data(), "some_program", 13);
    bytes[16] = 57;
    bytes[25] = 1;
    Run run({datum(Datum::Kind::Text, 0, 16), datum(Datum::Kind::Signed, 16, 4), datum(Datum::Kind::Signed, 24, 8)},
            bytes, "printf", "%s %d %d\n");
    run.options.put("quiet", state.range(0) != 0 ? "on" : "off");
    consume_all(state, run);
}
BENCHMARK(printf_record)->ArgName("quiet")->Arg(0)->Arg(1);

// Measures trace(arg0), printed with the default columns of dtrace.
void trace_record(benchmark::State& state)
{
    Run run({datum(Datum::Kind::Signed, 0, 8)}, {1, 2, 3, 0, 0, 0, 0, 0}, "trace", "");
    consume_all(state, run);
}
BENCHMARK(trace_record);

// Measures an empty clause, for which dtrace prints a line with only the default columns.
void default_record(benchmark::State& state)
{
    Run run({}, {}, "raise", "");
    consume_all(state, run);
}
BENCHMARK(default_record);

} // namespace

BENCHMARK_MAIN();
