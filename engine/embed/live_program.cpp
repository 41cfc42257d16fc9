// Runs a tracer's program at probe sites, and passes its records through shared memory. The tracer can change that
// memory at any time, so no size in it is trusted.
#include "engine/embed/live_program.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace dt::embed {
namespace {

/// Maximum number of bytes that the answer to one request contains.
constexpr std::size_t kMaxRead = wire::kMaxAnswer;

/// Returns whether the memory cannot shrink: access to a removed part would kill the process with SIGBUS.
bool is_there_to_stay(int descriptor, std::size_t size)
{
    if (const int seals = fcntl(descriptor, F_GET_SEALS); seals >= 0) {
        struct stat status {};
        return (seals & F_SEAL_SHRINK) != 0 && fstat(descriptor, &status) == 0 && status.st_size >= 0 &&
               static_cast<uint64_t>(status.st_size) >= size;
    }
    char name[64] = "";
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    return readlink(link.c_str(), name, sizeof name - 1) > 0 && std::string_view(name) == "anon_inode:bpf-map";
}

} // namespace

Result<void> LiveState::open(int descriptor, std::size_t size)
{
    if (struct stat status{}; size == 0 && fstat(descriptor, &status) == 0 && status.st_size > 0)
        size = static_cast<std::size_t>(status.st_size);
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t whole = (size + page - 1) / page * page;
    if (size == 0 || !is_there_to_stay(descriptor, whole))
        return Error{"the memory for the globals is neither a BPF map nor sealed memory of the right size", EINVAL};
    void* const memory = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED)
        return Error{std::string("cannot map the globals: ") + std::strerror(errno), errno};
    bytes_ = {static_cast<uint8_t*>(memory), size};
    return {};
}

LiveState::LiveState(LiveState&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

LiveState::~LiveState()
{
    if (bytes_.empty())
        return;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    munmap(bytes_.data(), (bytes_.size() + page - 1) / page * page);
}

Result<std::unique_ptr<LiveProgram>> LiveProgram::load(std::span<const uint8_t> elf, int state,
                                                       const std::vector<std::string>& sites, const LiveLimits& limits,
                                                       SharedSections placed)
{
    auto channel = LiveChannel::make();
    if (!channel)
        return channel.error();
    std::unique_ptr<LiveProgram> program(new LiveProgram(std::move(*channel)));
    const auto record = [&to = program->channel_](const vm::SampleView& sample) { return to.put(sample); };
    auto host = EngineHost::load(elf, {limits.memory, limits.instructions, record});
    if (!host)
        return host.error();
    program->host_ = std::move(*host);
    if (state >= 0) {
        if (Result<void> opened = program->state_.open(state, program->host_->state().size()); !opened)
            return opened.error();
        if (Result<void> placed = program->host_->place_state(program->state_.bytes()); !placed)
            return placed.error();
    }
    program->placed_ = std::move(placed);
    for (const auto& [section, memory] : program->placed_)
        if (Result<void> there = program->host_->place_counters(section, memory.bytes()); !there)
            return there.error();
    if (Result<void> prepared = program->host_->prepare(); !prepared)
        return prepared.error();
    for (const std::string& site : sites) {
        const auto& probes = program->host_->description().probes;
        const auto found =
            std::find_if(probes.begin(), probes.end(), [&](const Probe& probe) { return probe.name == site; });
        program->probes_.push_back(found == probes.end() ? nullptr : &*found);
    }
    return program;
}

void LiveProgram::fire(std::size_t site, std::span<const uint64_t> words)
{
    if (probes_[site] && stopped_.empty()) {
        channel_.count_firing();
        fire(*probes_[site], words);
    }
}

/// Runs a probe's program. Compiled D never fails, so a program that fails is faulty or exceeds the process's limits,
/// and is stopped.
void LiveProgram::fire(const Probe& probe, std::span<const uint64_t> words)
{
    const Result<void> fired = host_->fire(probe, words);
    if (const dt_losses* const losses = host_->losses())
        channel_.show_losses(*losses);
    if (fired)
        return;
    stopped_ = fired.error().message;
    channel_.stop();
}

Result<void> LiveProgram::run(const std::string& name)
{
    const auto& probes = host_->description().probes;
    const auto probe = std::find_if(probes.begin(), probes.end(), [&](const Probe& each) { return each.name == name; });
    if (probe == probes.end())
        return Error{"the object has no probe " + name};
    fire(*probe, {});
    return stopped_.empty() ? Result<void>() : Error{stopped_};
}

uint64_t LiveProgram::epoch() const
{
    const auto state = host_->state();
    uint64_t epoch = 0;
    if (state.size() >= sizeof(dt_state))
        std::memcpy(&epoch, state.data() + offsetof(dt_state, epoch), sizeof epoch);
    return epoch;
}

void LiveProgram::set_active_epoch(uint64_t epoch)
{
    const auto state = host_->state();
    const vm::Map* const turns = host_->map(DT_MAP_ACTIVE_EPOCH);
    const uint32_t cpu = 0;
    uint32_t activity = 0;
    if (state.size() < sizeof(dt_state) || !turns)
        return;
    std::memcpy(&activity, state.data() + offsetof(dt_state, activity), sizeof activity);
    const auto place = turns->value({reinterpret_cast<const uint8_t*>(&cpu), sizeof cpu});
    if (activity == DT_HANDOVER && place.size() == sizeof epoch)
        std::memcpy(place.data(), &epoch, sizeof epoch);
}

void LiveProgram::leave()
{
    for (const Aggregation& aggregation : host_->description().aggregations)
        for (const std::string& name : {aggregation.map, aggregation.brief})
            if (const auto elements = name.empty() ? Error{} : read(name))
                channel_.leave(name, elements.value());
    channel_.leave({}, {reinterpret_cast<const uint8_t*>(stopped_.data()), stopped_.size()});
}

std::string_view LiveProgram::executor() const
{
    switch (host_->executor()) {
    case vm::Executor::Native:
        return "machine code";
    case vm::Executor::Threaded:
        return "threaded code";
    case vm::Executor::Checked:
        break;
    }
    return "checked";
}

Result<vm::Map*> LiveProgram::map(const std::string& name)
{
    vm::Map* const map = host_->map(name);
    return map ? Result<vm::Map*>(map) : Error{"the object has no map " + name};
}

/// Returns the key size, the value size, and all elements of a map.
Result<std::vector<uint8_t>> LiveProgram::read(const std::string& name)
{
    auto found = map(name);
    if (!found)
        return found.error();
    const vm::Map& map = **found;
    const uint32_t sizes[] = {map.spec().key_size, map.spec().value_size};
    std::vector<uint8_t> bytes(sizeof sizes);
    std::memcpy(bytes.data(), sizes, sizeof sizes);
    for (const vm::Bytes& key : map.keys()) {
        const auto value = map.value(key);
        if (key.size() != sizes[0] || value.size() != sizes[1] || bytes.size() + key.size() + value.size() > kMaxRead)
            return Error{"map " + name + " is too large to be sent"};
        bytes.insert(bytes.end(), key.begin(), key.end());
        bytes.insert(bytes.end(), value.begin(), value.end());
    }
    return bytes;
}

Result<void> LiveProgram::remove(const std::string& name, std::span<const uint8_t> keys)
{
    auto found = map(name);
    if (!found)
        return found.error();
    const std::size_t size = (*found)->spec().key_size;
    for (std::size_t at = 0; size != 0 && at + size <= keys.size(); at += size)
        (*found)->erase(keys.subspan(at, size));
    return {};
}

Result<void> LiveProgram::clear(const std::string& name, std::size_t offset, std::size_t size)
{
    auto found = map(name);
    if (!found)
        return found.error();
    for (const vm::Bytes& key : (*found)->keys()) {
        const auto value = (*found)->value(key);
        if (offset <= value.size() && size <= value.size() - offset)
            std::memset(value.data() + offset, 0, size);
    }
    return {};
}

Result<LiveChannel> LiveChannel::make()
{
    const auto failed = [](int descriptor) {
        const int code = errno;
        if (descriptor >= 0)
            close(descriptor);
        return Error{std::string("cannot make memory for records: ") + std::strerror(code), code};
    };
    const int descriptor = memfd_create("dtrace-engine", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0 || ftruncate(descriptor, wire::kChannelSize) != 0 ||
        fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return failed(descriptor);
    void* const memory = mmap(nullptr, wire::kChannelSize, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED)
        return failed(descriptor);
    // A forked child gets no copy of the channel (shared memory for records), because its records would interleave with
    // those of this process.
    madvise(memory, wire::kChannelSize, MADV_DONTFORK);
    return LiveChannel(descriptor, memory);
}

LiveChannel::LiveChannel(int descriptor, void* memory)
    : descriptor_(descriptor), head_(static_cast<wire::Channel*>(memory))
{
}

LiveChannel::LiveChannel(LiveChannel&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), head_(std::exchange(other.head_, nullptr)),
      written_(other.written_), fired_(other.fired_), left_(other.left_)
{
}

LiveChannel::~LiveChannel()
{
    if (head_)
        munmap(head_, wire::kChannelSize);
    if (descriptor_ >= 0)
        close(descriptor_);
}

int LiveChannel::put(const vm::SampleView& sample)
{
    const std::size_t size = sample.bytes.size(), whole = size + sizeof sample.time;
    const uint64_t read = __atomic_load_n(&head_->read, __ATOMIC_ACQUIRE);
    // The difference of the two positions is unsigned: if the reader has written a wrong value, the count is wrong, but
    // nothing overflows.
    const uint64_t waiting = written_ - read;
    dt_sample head{};
    std::memcpy(&head, sample.bytes.data(), std::min(size, sizeof head));
    if (size < sizeof head || (head.size & ~DT_SAMPLE_CONTINUES) != size || size % sizeof(uint64_t) != 0 ||
        whole > wire::kChannelMost || waiting > wire::kChannelData - whole)
        return -ENOSPC;
    uint8_t* const at = reinterpret_cast<uint8_t*>(head_) + wire::kChannelHead + written_ % wire::kChannelData;
    std::memcpy(at, sample.bytes.data(), size);
    std::memcpy(at + size, &sample.time, sizeof sample.time);
    written_ += whole;
    __atomic_store_n(&head_->written, written_, __ATOMIC_RELEASE);
    return 0;
}

void LiveChannel::leave(const std::string& name, std::span<const uint8_t> bytes)
{
    const uint32_t sizes[] = {static_cast<uint32_t>(name.size()), static_cast<uint32_t>(bytes.size())};
    const std::size_t whole = sizeof sizes + name.size() + bytes.size();
    if (bytes.size() > wire::kChannelWill || whole > wire::kChannelWill - left_)
        return;
    uint8_t* at = reinterpret_cast<uint8_t*>(head_) + wire::kChannelWillAt + left_;
    std::memcpy(at, sizes, sizeof sizes);
    std::memcpy(at + sizeof sizes, name.data(), name.size());
    if (!bytes.empty())
        std::memcpy(at + sizeof sizes + name.size(), bytes.data(), bytes.size());
    left_ += whole;
    __atomic_store_n(&head_->will, left_, __ATOMIC_RELEASE);
}

} // namespace dt::embed
