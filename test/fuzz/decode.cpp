// Fuzz target: decodes arbitrary contents of kernel buffers, from perf records to printed text, with wrong sizes,
// offsets and ids.
//
// The schema, which describes the records, is fixed and valid, as if the compiler had made it. The bytes of the records
// are arbitrary. The first byte chooses the output format.
#include <deque>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "libdtrace/buffers/mmap_ring.hpp"
#include "libdtrace/buffers/ring.hpp"
#include "libdtrace/records/decode.hpp"
#include "libdtrace/records/flight_recorder.hpp"
#include "test/support/probe_table.hpp"

namespace {

using namespace dt;
using namespace dt::consume;

using Kind = Datum::Kind;

Datum datum(Kind kind, uint32_t offset, uint32_t size)
{
    Datum datum;
    datum.kind = kind;
    datum.offset = offset;
    datum.size = size;
    return datum;
}

struct Shape {
    const Action* action;
    std::vector<Datum> data;
    const char* format;
};

std::vector<Shape> shapes()
{
    const auto action = [](const char* name) { return find_action(name); };
    return {
        {action("trace"), {datum(Kind::Signed, 0, 8)}, nullptr},
        {action("trace"), {datum(Kind::Text, 0, 24)}, nullptr},
        {action("trace"), {datum(Kind::Bytes, 3, 21)}, nullptr},
        {action("trace"), {datum(Kind::Name, 4, 4)}, nullptr},
        {action("stack"), {datum(Kind::Stack, 0, 40)}, nullptr},
        {action("ustack"), {datum(Kind::UserStack, 0, 40)}, nullptr},
        {action("usym"), {datum(Kind::UserSymbol, 0, 16)}, nullptr},
        {action("tracemem"), {datum(Kind::Bytes, 8, 32), datum(Kind::Signed, 0, 8)}, nullptr},
        {action("pcap"),
         {datum(Kind::Unsigned, 0, 8), datum(Kind::Unsigned, 8, 4), datum(Kind::Signed, 12, 4),
          datum(Kind::Bytes, 16, 24)},
         nullptr},
        {action("printf"),
         {datum(Kind::Signed, 0, 4), datum(Kind::Signed, 4, 4), datum(Kind::Text, 8, 16), datum(Kind::Unsigned, 24, 8)},
         "%*d %S %Y\n"},
        {action("printf"),
         {datum(Kind::Unsigned, 0, 8), datum(Kind::Bytes, 8, 16), datum(Kind::Signed, 24, 1)},
         "%a|%-20.3s|%c|"},
        {action("exit"), {datum(Kind::Signed, 0, 4)}, nullptr},
        {action("commit"), {datum(Kind::Signed, 0, 8)}, nullptr},
        {action("discard"), {datum(Kind::Signed, 0, 8)}, nullptr},
    };
}

// Builds perf records from the input. Most are valid; in some, one size is wrong.
class Records {
public:
    Records(const uint8_t* data, std::size_t size) : data_(data), left_(size) {}

    std::vector<uint8_t> make(std::size_t room)
    {
        std::vector<uint8_t> bytes;
        while (left_ > 4 && bytes.size() + kWhole <= room) {
            const uint8_t lies = next();
            perf_event_header header{PERF_RECORD_SAMPLE, 0, kWhole};
            const uint32_t whole = sizeof(dt_sample) + kDataSize;
            dt_sample sample{whole, next() & 3u, 1u + (next() & 3u), next() % 18u};
            uint32_t raw = whole;
            if ((lies & 7) == 0)
                header.size = static_cast<uint16_t>(next() | next() << 8);
            if ((lies & 0x38) == 0)
                sample.size = static_cast<uint32_t>(next() | next() << 8 | next() << 24);
            if ((lies & 0x40) != 0 && next() == 0)
                raw = next();
            if (sample.stmt == 17)
                sample.stmt = DT_STMT_FAULT;
            append(bytes, header);
            append(bytes, uint64_t{next()});
            append(bytes, raw);
            append(bytes, sample);
            for (uint32_t i = 0; i < kDataSize; ++i)
                bytes.push_back(next());
            bytes.resize((bytes.size() + 7) / 8 * 8);
        }
        return bytes;
    }

private:
    static constexpr uint32_t kDataSize = 40;
    // size of a sample with header and fields: 8 + 8 + 4 + 16 + 40, rounded up to a multiple of 8
    static constexpr uint16_t kWhole = 80;

    uint8_t next() { return left_ != 0 ? (--left_, *data_++) : 0; }
    template <typename T> static void append(std::vector<uint8_t>& to, const T& value)
    {
        const auto* first = reinterpret_cast<const uint8_t*>(&value);
        to.insert(to.end(), first, first + sizeof value);
    }

    const uint8_t* data_;
    std::size_t left_;
};

constexpr uint32_t kDataSize = 40;
constexpr std::size_t kPage = 4096;

/// File in place of the BPF map of an mmap ring. A reader maps it into memory in pieces.
struct LaneFile {
    LaneFile() : file(memfd_create("lane", MFD_CLOEXEC))
    {
        void* const mapped = ftruncate(file, sizeof(dt_mmap_ring)) == 0
                                 ? mmap(nullptr, sizeof(dt_mmap_ring), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                                 : MAP_FAILED;
        if (mapped == MAP_FAILED)
            std::abort();
        memory = static_cast<dt_mmap_ring*>(mapped);
    }

    const int file;
    dt_mmap_ring* memory = nullptr;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    if (size < 2)
        return 0;
    Options options;
    static constexpr const char *kFormats[] = {"text", "jsonl", "csv", "folded"},
                                *kPolicies[] = {"switch", "fill", "ring"};
    options.put("format", kFormats[data[0] & 3]);
    options.put("quiet", data[0] & 4 ? "on" : "off");
    options.put("flowindent", data[0] & 8 ? "on" : "off");
    options.put("rawbytes", data[0] & 16 ? "on" : "off");
    options.put("bufpolicy", kPolicies[data[1] % 3]);
    options.put("bufsize", std::to_string(64 + data[1]));

    // Removes PATH, so that pcap() cannot start tshark. If tshark started and ended early, the next write to it would
    // end this program by SIGPIPE.
    static const bool alone = unsetenv("PATH") == 0;
    (void)alone;
    static const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    test::ProbeTable probes; // the table of probes is empty, so every probe id in the input is unknown
    Output output(null);
    Symbols symbols("/nonexistent");
    const std::vector<std::string> names{"", "name"};
    const format::Environment env{names, options.print(), symbols, 0};
    const auto sink = output::make_sink({options.print(), output, env});
    Aggregations aggregations(env, options.run());
    Speculations speculations(256);
    dt_spec specs[3] = {{2}, {0}, {2}};
    speculations.attach(specs, 2);
    Losses losses(options, output, *sink);
    Decoder decoder(probes, options, output, env, aggregations, speculations, losses, *sink);

    const std::vector<Shape> all = shapes();
    std::vector<StatementSchema> statements;
    for (const Shape& shape : all) {
        Record record;
        record.action = shape.action;
        record.data = shape.data;
        record.has_format = shape.format != nullptr;
        record.format = shape.format ? shape.format : "";
        StatementSchema& statement = statements.emplace_back();
        statement.id = static_cast<uint32_t>(statements.size() - 1);
        statement.data_size = kDataSize;
        statement.records.push_back(std::move(record));
    }
    if (!decoder.plan(statements))
        __builtin_trap();

    // Stores the input in the perf buffers of two CPUs. In one of them, the input wraps around at the end of the
    // buffer.
    FlightRecorder retained(options.run(), losses);
    static_cast<void>(retained.open(statements, {}));
    std::vector<uint8_t> memory[2];
    std::deque<PerfRing> buffers;
    RingList rings;
    for (uint32_t cpu = 0; cpu < 2; ++cpu) {
        memory[cpu].resize(2 * kPage);
        const uint64_t start = cpu * (kPage - 64);
        const std::vector<uint8_t> records = Records(data + 2, size - 2).make(kPage);
        for (std::size_t i = 0; i < records.size(); ++i)
            memory[cpu][kPage + (start + i) % kPage] = records[i];
        auto* page = reinterpret_cast<perf_event_mmap_page*>(memory[cpu].data());
        page->data_tail = start;
        page->data_head = start + records.size();
        rings.push_back(&buffers.emplace_back(memory[cpu].data(), 2 * kPage, kPage, cpu));
        rings.back()->refresh();
    }
    // Also stores the input, without changes, in an mmap ring.
    static const LaneFile lane;
    const std::size_t written = std::min(size - 2, kPage) / 8 * 8;
    lane.memory->read = 0;
    lane.memory->written = written;
    std::memcpy(lane.memory->data, data + 2, written);
    MmapRing fast(lane.file, lane.memory, kPage, 1);
    fast.refresh();
    rings.push_back(&fast);
    const auto handle = [&](const Sample& sample) {
        if (sample.stmt == DT_STMT_FAULT && sample.size >= sizeof(dt_fault))
            return; // decodes no valid faults, because the decoder would print them on stderr
        if (retained.is_in_use())
            retained.keep(sample);
        else
            decoder.handle(sample);
    };
    if (data[1] & 0x80)
        merge_by_time(rings, UINT64_MAX, handle);
    else
        CpuOrder().run(rings, true, handle);
    retained.replay([&](const Sample& sample) { decoder.handle(sample); }, [](auto&&...) {});
    if (data[1] % 64 == 0) // checks only a few inputs, because the check waits for the kernel
        speculations.abandon_lost(0, true);
    sink->end_of_records();
    sink->finish();
    output.send();
    return 0;
}
