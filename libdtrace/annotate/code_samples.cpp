// Finds the instruction of each clock sample by its address, and reads the samples from one perf event per CPU.
#include "libdtrace/annotate/code_samples.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

namespace dt {

void CodeSamples::add(std::vector<ProgramCode> programs, uint32_t first, const PartOf& part_of)
{
    for (ProgramCode& program : programs) {
        for (std::size_t i = 0; i < program.functions.size(); ++i) {
            std::vector<CodeRange> ranges = code_ranges(program.functions[i], i == 0, part_of);
            functions_.push_back({first, std::move(program.functions[i]), std::move(ranges), {}});
        }
        ++first;
    }
    std::sort(functions_.begin(), functions_.end(),
              [](const Function& a, const Function& b) { return a.code.address < b.code.address; });
}

CodeSamples::Function* CodeSamples::find(uint64_t address)
{
    const auto next = std::upper_bound(functions_.begin(), functions_.end(), address,
                                       [](uint64_t at, const Function& each) { return at < each.code.address; });
    if (next == functions_.begin())
        return nullptr;
    Function& function = *std::prev(next);
    return address - function.code.address < function.code.bytes.size() ? &function : nullptr;
}

const CodeSamples::Function* CodeSamples::begins_at(uint64_t address) const
{
    const auto found = std::lower_bound(functions_.begin(), functions_.end(), address,
                                        [](const Function& each, uint64_t at) { return each.code.address < at; });
    return found != functions_.end() && found->code.address == address ? &*found : nullptr;
}

void CodeSamples::count(std::span<const uint64_t> frames)
{
    ++samples_;
    bool is_in_program = false;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        // A return address points behind the call, so the address before it is used: it lies in the call instruction.
        const uint64_t address = i == 0 ? frames[i] : frames[i] - 1;
        Function* const function = find(address);
        if (!function)
            continue;
        is_in_program = true;
        SampleCount& count = function->counts[address];
        ++(i == 0 ? count.own : count.called);
        if (function->owner_at(address).kind != CodeOwner::Kind::Runtime)
            break;
    }
    in_programs_ += is_in_program ? 1 : 0;
}

// Implements the sampling: libbpf maps and reads the buffers of one perf event per CPU.

namespace {

constexpr std::size_t kBufferPages = 128; // number of pages of a CPU's buffer, enough for 1,800 of the longest samples
// Maximum number of frames recorded per sample. If a program calls kernel functions, its stack is about ten frames
// deep.
constexpr uint16_t kMaxSampledFrames = 32;

/// Sample as the kernel writes it (linux/perf_event.h, PERF_RECORD_SAMPLE with PERF_SAMPLE_IP and _CALLCHAIN).
struct ChainRecord {
    perf_event_header header;
    uint64_t ip, count;
};

/// Record of lost samples, PERF_RECORD_LOST.
struct LostRecord {
    perf_event_header header;
    uint64_t id, count;
};

} // namespace

ClockSamples::~ClockSamples()
{
    buffer_.reset();
    if (map_ >= 0)
        ::close(map_);
}

void ClockSamples::Close::operator()(perf_buffer* buffer) const
{
    perf_buffer__free(buffer);
}

Result<void> ClockSamples::open()
{
    map_ = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "clock_samples", sizeof(int), sizeof(int),
                          static_cast<uint32_t>(std::max(libbpf_num_possible_cpus(), 1)), nullptr);
    sees_all_ = map_ >= 0 && open_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
    if (map_ < 0 || (!sees_all_ && !open_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK)))
        return Error{std::string("cannot sample CPUs: ") + std::strerror(errno), errno};
    return {};
}

bool ClockSamples::open_event(uint32_t type, uint64_t config)
{
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = type;
    attributes.config = config;
    attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
    attributes.exclude_user = attributes.exclude_idle = attributes.exclude_callchain_user = 1;
    attributes.sample_max_stack = kMaxSampledFrames;
    attributes.watermark = 1; // wakes the reader only when much data has arrived, not for each sample
    attributes.wakeup_watermark = UINT32_MAX;
    if (type == PERF_TYPE_SOFTWARE) {
        attributes.sample_period = kPeriod;
    } else {
        attributes.freq = 1;
        attributes.sample_freq = kPerSecond;
    }
    const auto handle = [](void* self, int, perf_event_header* header) {
        static_cast<ClockSamples*>(self)->handle(header);
        return LIBBPF_PERF_EVENT_CONT;
    };
    LIBBPF_OPTS(perf_buffer_raw_opts, options);
    buffer_.reset(perf_buffer__new_raw(map_, kBufferPages, &attributes, handle, this, &options));
    return buffer_ != nullptr;
}

void ClockSamples::handle(const void* record)
{
    perf_event_header header;
    std::memcpy(&header, record, sizeof header);
    if (header.type == PERF_RECORD_LOST && header.size >= sizeof(LostRecord)) {
        LostRecord lost;
        std::memcpy(&lost, record, sizeof lost);
        lost_ += lost.count;
    }
    if (header.type != PERF_RECORD_SAMPLE || header.size < sizeof(ChainRecord))
        return;
    ChainRecord sample;
    std::memcpy(&sample, record, sizeof sample);
    const std::size_t room = (header.size - sizeof sample) / sizeof(uint64_t);
    std::array<uint64_t, kMaxSampledFrames + 2> frames{};
    std::size_t count = 0;
    const auto* const chain = static_cast<const uint8_t*>(record) + sizeof sample;
    for (std::size_t i = 0; i < std::min<uint64_t>(sample.count, room) && count < frames.size(); ++i) {
        uint64_t address = 0;
        std::memcpy(&address, chain + i * sizeof address, sizeof address);
        // Values in a recorded stack that are larger than this are not addresses: they mark the context (kernel or
        // user) of the frames that follow.
        if (address < static_cast<uint64_t>(PERF_CONTEXT_MAX))
            frames[count++] = address;
    }
    if (count == 0)
        frames[count++] = sample.ip;
    if (take_)
        (*take_)(std::span<const uint64_t>(frames.data(), count));
}

void ClockSamples::read(const std::function<void(std::span<const uint64_t> frames)>& take)
{
    if (!buffer_)
        return;
    take_ = &take;
    perf_buffer__consume(buffer_.get());
    take_ = nullptr;
}

} // namespace dt
