// Finds flight recorders in a dump, decodes and prints their records in the order of time, and prints their
// aggregations.
#include "libdtrace/postmortem/postmortem.hpp"

#include <linux/perf_event.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <deque>
#include <utility>

#include "base/time.hpp"
#include "bpf-runtime/abi.h"
#include "dcompiler/object/record_description.hpp"
#include "libdtrace/buffers/ring.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/postmortem/dumped_aggregations.hpp"
#include "libdtrace/postmortem/recorder_map.hpp"
#include "libdtrace/records/decode.hpp"
#include "libdtrace/symbols/kernel_symbols.hpp"
#include "libdtrace/symbols/symbols.hpp"

namespace dt::postmortem {
namespace {

/// Path of a nonexistent folder that is used instead of /proc: the processes of the dump no longer exist, and other
/// processes of this host may have their ids.
constexpr char kNoProcesses[] = "/dev/null";

/// ProbeSource for the probes that are listed in a trace's description. Finds probes only by id, because a sample
/// contains only the id of its probe.
class DescribedProbes final : public ProbeSource {
public:
    explicit DescribedProbes(const std::map<uint32_t, Probe>& probes) : probes_(probes) {}
    Result<void> find(const ProbePattern&, std::vector<const Probe*>&) override { return {}; }
    const Probe* probe(uint32_t id) override
    {
        const auto found = probes_.find(id);
        return found != probes_.end() ? &found->second : nullptr;
    }
    bool has_provider(std::string_view) override { return false; }
    const ProbeSignature& signature(const Probe&) override { return none_; }
    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>&, const ProbeNeeds&) override
    {
        return {};
    }

private:
    const std::map<uint32_t, Probe>& probes_;
    ProbeSignature none_;
};

/// Sets a buffer's read position to the oldest record. Returns false if the buffer contains no record.
bool begin_at_oldest(DumpedBuffer& buffer, std::size_t page, uint32_t statements, FoundTrace& trace)
{
    auto* const control = reinterpret_cast<perf_event_mmap_page*>(buffer.mapping.data());
    // In a dump of a running kernel, the end of the reserved space may have been read earlier than the end of the data
    // (head). If it is smaller than the head, the head is used instead.
    const RingPositions at{control->data_head, control->data_tail,
                           std::max<uint64_t>(buffer.reserved, control->data_head)};
    const LastRecords found = find_last_records(std::span(buffer.mapping).subspan(page), at, statements);
    control->data_tail = found.first;
    trace.former += found.former;
    trace.waiting += found.waiting;
    trace.torn += found.is_torn ? 1 : 0;
    trace.missing_pages += buffer.missing_pages;
    ++trace.cpus;
    return found.first < at.head;
}

/// Prints samples as class Consumer does. Unlike a consumer, it needs no trace in the running kernel.
class Replay {
public:
    Replay(const DescribedRecords& records, Options options, Output& output, Symbols& symbols)
        : options_(std::move(options)), probes_(records.probes), env_{records.schema.names, options_.print(), symbols},
          sink_(output::make_sink({options_.print(), output, env_, reproducible_output()})),
          aggregations_(env_, options_.run()), speculations_(options_.compile().specsize),
          losses_(options_, output, *sink_),
          decoder_(probes_, options_, output, env_, aggregations_, speculations_, losses_, *sink_), output_(output)
    {
        env_.strsize = options_.compile().strsize;
        env_.escape = consume::must_escape(options_, output);
    }

    Result<void> open(const Schema& schema, consume::AggregationStore& store)
    {
        if (Result<void> opened = sink_->open(); !opened)
            return opened;
        if (Result<void> opened = aggregations_.open(schema.aggregations, store); !opened)
            return opened;
        if (Result<void> planned = decoder_.plan(schema.statements); !planned)
            return planned;
        decoder_.explain_faults(schema, {false, UINT64_MAX}, 0);
        aggregations_.begin_pass(0, true);
        return {};
    }

    /// Prints all records in the order of time. Returns how many records belong to speculations that never ended.
    Result<uint64_t> print(const consume::RingList& rings, uint64_t shift)
    {
        for (consume::Ring* ring : rings)
            ring->refresh();
        consume::merge_by_time(rings, UINT64_MAX, [&](const consume::Sample& sample) {
            consume::Sample shifted = sample;
            shifted.time += shift;
            decoder_.handle(shifted);
        });
        uint64_t undecided = 0;
        for (const auto& speculation : speculations_.abandon_lost(UINT64_MAX, true))
            undecided += speculation.size();
        sink_->end_of_records();
        decoder_.keep_first_failure(aggregations_.print_unprinted(*sink_));
        sink_->end_of_aggregations();
        sink_->finish();
        if (const Result<void> failure = decoder_.take_failure(); !failure)
            return failure.error();
        const Result<void> flushed = output_.flush();
        return flushed ? Result<uint64_t>(undecided) : flushed.error();
    }

private:
    Options options_;
    DescribedProbes probes_;
    format::Environment env_;
    std::unique_ptr<output::Sink> sink_;
    consume::Aggregations aggregations_;
    consume::Speculations speculations_;
    consume::Losses losses_;
    consume::Decoder decoder_;
    Output& output_;
};

/// Sets the options to their values in the recorded run, except those options that the caller has set.
void take_options(const RecordedRun& run, Options& options)
{
    for (const auto& [name, value] : run.options)
        options.put(name, value.empty() ? OptionText() : OptionText(value));
}

/// Returns the ns to add to recorded times for -x timestamps (wall-clock time). The formatter adds this machine's
/// difference between wall clock and monotonic clock. So this function returns the dumped kernel's difference minus
/// this machine's difference.
uint64_t shift_of_times(const RecordedRun& run, const Options& options)
{
    if (!options.print().timestamps)
        return 0;
    return static_cast<uint64_t>(run.boot_to_wall_ns) -
           static_cast<uint64_t>(now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC));
}

Result<DescribedRecords> read_recorder(const DumpedKernel& kernel, const DumpedMap& map)
{
    const std::vector<uint8_t> value = dumped_value(kernel, map, kMaxRecorder + sizeof(RecorderHead));
    RecorderHead head{};
    if (value.size() < sizeof head)
        return Error{"the description of its records is not in the dump"};
    std::memcpy(&head, value.data(), sizeof head);
    if (head.magic != kRecorderMagic || head.bytes > value.size() - sizeof head)
        return Error{"the description of its records is damaged"};
    const std::string_view text(reinterpret_cast<const char*>(value.data()) + sizeof head, head.bytes);
    if (digest_of_description(text) != head.digest)
        return Error{"the description of its records is damaged"};
    return read_record_description(text);
}

} // namespace

struct Postmortem::Impl {
    explicit Impl(DumpedKernel kernel_) : kernel(std::move(kernel_)) {}

    DumpedKernel kernel;
    std::shared_ptr<KernelSymbols> symbols;
    std::vector<DumpedMap> maps;
    std::deque<DescribedRecords> traces;
    std::vector<std::string> damaged;

    const DumpedMap* map(const RecordedRun& run, std::string_view name) const
    {
        const auto number = run.maps.find(std::string(name));
        if (number == run.maps.end())
            return nullptr;
        const auto found = std::find_if(maps.begin(), maps.end(),
                                        [&](const DumpedMap& each) { return each.number == number->second; });
        return found != maps.end() ? &*found : nullptr;
    }
    const DumpedMap* map_at(uint64_t address) const
    {
        const auto found =
            std::find_if(maps.begin(), maps.end(), [&](const DumpedMap& each) { return each.address == address; });
        return found != maps.end() ? &*found : nullptr;
    }
};

Postmortem::Postmortem(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Postmortem::Postmortem(Postmortem&&) noexcept = default;
Postmortem::~Postmortem() = default;

Result<Postmortem> Postmortem::open(KernelDump& dump)
{
    Result<DumpedKernel> kernel = DumpedKernel::read(dump);
    if (!kernel)
        return kernel.error();
    auto impl = std::make_unique<Impl>(std::move(kernel.value()));
    Result<std::vector<DumpedMap>> maps = dumped_maps(impl->kernel);
    if (!maps)
        return maps.error();
    impl->maps = std::move(maps.value());
    impl->symbols = std::make_shared<KernelSymbols>(impl->kernel.take_symbols(), "");
    for (const DumpedMap& map : impl->maps) {
        if (map.name != kRecorderMap)
            continue;
        Result<DescribedRecords> records = read_recorder(impl->kernel, map);
        if (records)
            impl->traces.push_back(std::move(records.value()));
        else
            impl->damaged.push_back(records.error().message);
    }
    return Postmortem(std::move(impl));
}

std::size_t Postmortem::traces() const
{
    return impl_->traces.size();
}

const std::vector<std::string>& Postmortem::damaged() const
{
    return impl_->damaged;
}

Result<FoundTrace> Postmortem::print(std::size_t trace, Options options, Output& output)
{
    const DescribedRecords& records = impl_->traces[trace];
    FoundTrace found;
    found.program = records.run.program;
    found.process = records.run.process;
    take_options(records.run, options);
    std::vector<DumpedBuffer> buffers;
    if (const DumpedMap* const map = impl_->map(records.run, DT_MAP_BUFFERS)) {
        Result<std::vector<DumpedBuffer>> read = dumped_buffers(impl_->kernel, *map);
        if (!read)
            return read.error();
        buffers = std::move(read.value());
    }
    const std::size_t page = impl_->kernel.dump().page_size();
    std::deque<consume::PerfRing> rings;
    consume::RingList list;
    for (DumpedBuffer& buffer : buffers)
        if (begin_at_oldest(buffer, page, static_cast<uint32_t>(records.schema.statements.size()), found))
            list.push_back(&rings.emplace_back(buffer.mapping.data(), buffer.mapping.size(), page, buffer.cpu));
    DumpedAggregations store(impl_->kernel, {[&](const std::string& name) { return impl_->map(records.run, name); },
                                             [&](uint64_t address) { return impl_->map_at(address); }});
    const uint64_t shift = shift_of_times(records.run, options);
    Symbols symbols(kNoProcesses, impl_->symbols);
    Replay replay(records, std::move(options), output, symbols);
    if (Result<void> opened = replay.open(records.schema, store); !opened)
        return opened.error();
    const Result<uint64_t> undecided = replay.print(list, shift);
    if (!undecided)
        return undecided.error();
    found.undecided = undecided.value();
    found.unread_aggregations = store.unread();
    return found;
}

namespace {

constexpr uint64_t kWord = sizeof(uint64_t);
constexpr uint64_t kLongestOther = 64; // maximum size in bytes of a record that is not a sample
// Records may be out of order by up to this time in ns. An interrupt may occur after a record got its time and before
// the record is written. Then the interrupt's record is written first.
constexpr uint64_t kDisorder = kSecond;
constexpr uint64_t kNoRecord = UINT64_MAX, kAnyTime = UINT64_MAX - 1;
constexpr uint64_t kSampleHead = 20; // size in bytes of a sample's header, time and data length (buffers/ring.cpp)

class RingWords {
public:
    RingWords(std::span<const uint8_t> data, const RingPositions& at, uint32_t statements)
        : data_(data), at_(at), statements_(statements),
          low_(at.reserved > data.size() ? at.reserved - data.size() : 0),
          times_((at.head - low_) / kWord + 1, kNoRecord)
    {
        times_.back() = kAnyTime;
        for (uint64_t place = at_.head; place >= low_ + kWord;) {
            place -= kWord;
            times_[(place - low_) / kWord] = time_of(place);
        }
    }

    LastRecords found() const
    {
        LastRecords found;
        found.is_torn = at_.reserved != at_.head;
        found.first = low_ + static_cast<uint64_t>(std::find_if(times_.begin(), times_.end(),
                                                                [](uint64_t time) { return time != kNoRecord; }) -
                                                   times_.begin()) *
                                 kWord;
        for (uint64_t place = found.first; place < at_.head;) {
            const perf_event_header header = header_at(place);
            if (header.type == PERF_RECORD_SAMPLE)
                ++(place < at_.tail ? found.former : found.waiting);
            place += header.size;
        }
        return found;
    }

private:
    template <typename T> T load(uint64_t place) const
    {
        static_assert(sizeof(T) <= kWord);
        T value;
        std::memcpy(&value, data_.data() + (place & (data_.size() - 1)), sizeof value);
        return value;
    }
    perf_event_header header_at(uint64_t place) const { return load<perf_event_header>(place); }

    /// Returns the time of the record at position `place`, or, if that record contains no time, of the next record with
    /// a time. Returns kNoRecord if no record begins at `place`.
    uint64_t time_of(uint64_t place) const
    {
        const perf_event_header header = header_at(place);
        if (header.size < 2 * kWord || header.size % kWord != 0 || header.size > at_.head - place)
            return kNoRecord;
        const uint64_t next = times_[(place + header.size - low_) / kWord];
        if (next == kNoRecord)
            return kNoRecord;
        if (header.type != PERF_RECORD_SAMPLE) {
            const bool is_loss = header.type == PERF_RECORD_LOST || header.type == PERF_RECORD_LOST_SAMPLES ||
                                 header.type == PERF_RECORD_THROTTLE || header.type == PERF_RECORD_UNTHROTTLE;
            return is_loss && header.size <= kLongestOther ? next : kNoRecord;
        }
        const auto time = load<uint64_t>(place + kWord);
        return is_sample(place, header.size) && (next == kAnyTime || time < next + kDisorder) ? time : kNoRecord;
    }

    bool is_sample(uint64_t place, uint64_t size) const
    {
        if (size < kSampleHead + sizeof(dt_sample))
            return false;
        const auto raw = load<uint32_t>(place + 2 * kWord);
        const uint32_t bytes = load<uint32_t>(place + kSampleHead) & ~DT_SAMPLE_CONTINUES;
        const auto statement = load<uint32_t>(place + kSampleHead + offsetof(dt_sample, stmt));
        return raw == size - kSampleHead && bytes >= sizeof(dt_sample) && bytes <= raw && raw - bytes < kWord &&
               (statement < statements_ || statement == DT_STMT_FAULT);
    }

    const std::span<const uint8_t> data_;
    const RingPositions at_;
    const uint32_t statements_;
    /// newer data have overwritten the part of the ring before this position
    const uint64_t low_;
    std::vector<uint64_t> times_; ///< cached results of time_of(), for each word of the ring
};

} // namespace

LastRecords find_last_records(std::span<const uint8_t> data, const RingPositions& at, uint32_t statements)
{
    const bool is_ring = !data.empty() && (data.size() & (data.size() - 1)) == 0 && data.size() >= kWord;
    const bool is_in_order = at.tail <= at.head && at.head <= at.reserved && at.reserved - at.head <= data.size() &&
                             at.head % kWord == 0 && at.reserved % kWord == 0;
    if (!is_ring || !is_in_order || at.head == 0)
        return {at.head, 0, 0, false};
    return RingWords(data, at, statements).found();
}

} // namespace dt::postmortem
