// Reads records and aggregations of user-space engines from shared memory and checks them. Also loads the object of a
// trace into the processes that contain an engine.
#include "libdtrace/consumer/engine_source.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "base/time.hpp"
#include "dcompiler/object/saved.hpp"

namespace dt::consume {
namespace {

using embed::wire::Channel;

constexpr uint64_t kKeepEvery = kSecond;
// Size in bytes up to which a map is read every second. Larger maps are read only on demand and at the end.
constexpr std::size_t kMaxKeptOften = 1 << 20;

/// Maps the shared memory of the process. Its file must be sealed against shrinking, because the process is not
/// trusted.
Channel* map_channel(int descriptor)
{
    const int seals = fcntl(descriptor, F_GET_SEALS);
    const bool is_whole = lseek(descriptor, 0, SEEK_END) >= static_cast<off_t>(embed::wire::kChannelSize);
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || !is_whole)
        return nullptr;
    void* const memory = mmap(nullptr, embed::wire::kChannelSize, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<Channel*>(memory);
}

/// Makes a message that the traced process sent safe to print on a terminal: at most 256 bytes, no control characters.
std::string printable(std::string text)
{
    constexpr std::size_t kMaxText = 256;
    text.resize(std::min(text.size(), kMaxText));
    for (char& c : text)
        c = c < ' ' || c == 0x7f ? '?' : c;
    return text;
}

} // namespace

EngineRing::EngineRing(Channel* channel, const Schema& schema, const std::vector<uint32_t>& probes)
    : Ring(embed::wire::kChannelData, 0, 0), channel_(channel), schema_(schema), probes_(probes)
{
}

uint64_t EngineRing::written() const
{
    const uint64_t written = __atomic_load_n(&channel_->written, __ATOMIC_ACQUIRE);
    return written >= tail_ && written - tail_ <= embed::wire::kChannelData ? written : tail_;
}

void EngineRing::release_space(uint64_t position)
{
    __atomic_store_n(&channel_->read, position, __ATOMIC_RELEASE);
}

bool EngineRing::is_ours(const dt_sample& sample) const
{
    return std::binary_search(probes_.begin(), probes_.end(), sample.probe) &&
           (sample.stmt == DT_STMT_FAULT || sample.stmt < schema_.statements.size());
}

bool EngineRing::find_front()
{
    while (tail_ < head_) {
        const uint8_t* const at =
            reinterpret_cast<const uint8_t*>(channel_) + embed::wire::kChannelHead + tail_ % embed::wire::kChannelData;
        dt_sample sample{};
        uint64_t time = 0;
        std::memcpy(&sample, at, sizeof sample);
        const bool continues = (sample.size & DT_SAMPLE_CONTINUES) != 0;
        const uint32_t size = sample.size & ~DT_SAMPLE_CONTINUES;
        const uint64_t whole = uint64_t{size} + sizeof time;
        if (size < sizeof sample || size % sizeof time != 0 || whole > embed::wire::kChannelMost ||
            whole > head_ - tail_) {
            tail_ = head_; // a malformed sample: the following bytes cannot be decoded
            return false;
        }
        copy_.assign(at + sizeof sample, at + size);
        std::memcpy(&time, at + size, sizeof time);
        next_ = tail_ + whole;
        const auto now = now_monotonic();
        // The process may have written a time in the future. It is replaced by the present time, so that it does not
        // delay records of other sources.
        latest_ = std::max(latest_, std::min(time, now));
        if (is_ours(sample)) {
            front_ = {latest_,      cpu_,     sample.spec, sample.probe, sample.stmt, size - uint32_t{sizeof sample},
                      copy_.data(), continues};
            return true;
        }
        tail_ = next_;
    }
    return false;
}

EngineSource::EngineSource(int64_t pid, EngineClient application, const Schema& schema, std::vector<uint32_t> probes)
    : pid_(pid), client_(std::move(application)), schema_(schema), probes_(std::move(probes))
{
}

Result<std::unique_ptr<EngineSource>> EngineSource::begin(int64_t pid, EngineClient application,
                                                          std::span<const uint8_t> object, int state,
                                                          const Schema& schema, std::vector<uint32_t> probes,
                                                          const std::vector<Counters>& counters)
{
    std::sort(probes.begin(), probes.end());
    std::unique_ptr<EngineSource> engine(new EngineSource(pid, std::move(application), schema, std::move(probes)));
    for (const Counters& each : counters) {
        SharedMap& memory = engine->counters_[each.section];
        if (Result<void> made = memory.make(each.size); !made)
            return made.error();
        if (Result<void> placed = engine->client_.place(each.section, memory.descriptor()); !placed)
            return placed.error();
    }
    const auto channel = engine->client_.load(object, state, engine->executor_);
    if (!channel)
        return channel.error();
    engine->channel_ = map_channel(channel.value());
    close(channel.value());
    if (!engine->channel_)
        return Error{"its memory for records cannot be mapped, has the wrong size or is not sealed", EPROTO};
    engine->ring_ = std::make_unique<EngineRing>(engine->channel_, schema, engine->probes_);
    return engine;
}

EngineSource::~EngineSource()
{
    if (channel_)
        munmap(channel_, embed::wire::kChannelSize);
}

const void* EngineSource::counters(const std::string& section) const
{
    const auto found = counters_.find(section);
    return found == counters_.end() ? nullptr : found->second.memory();
}

const EngineClient::Elements& EngineSource::elements(const std::string& map)
{
    EngineClient::Elements& kept = elements_[map];
    if (is_gone_)
        return kept;
    const uint64_t fired = __atomic_load_n(&channel_->fired, __ATOMIC_RELAXED);
    if (auto read = client_.read(map)) {
        kept = std::move(*read);
        fired_ = fired;
        return kept;
    }
    is_gone_ = true;
    read_final_values();
    return elements_[map];
}

/// Reads the final state that the engine left in shared memory. The process may still write there, so each value is
/// read only once.
void EngineSource::read_final_values()
{
    const uint64_t size = __atomic_load_n(&channel_->will, __ATOMIC_ACQUIRE);
    if (size == 0 || size > embed::wire::kChannelWill)
        return;
    const uint8_t* const from = reinterpret_cast<const uint8_t*>(channel_) + embed::wire::kChannelWillAt;
    const std::vector<uint8_t> will(from, from + size);
    for (std::size_t at = 0; at + 2 * sizeof(uint32_t) <= will.size();) {
        uint32_t sizes[2] = {};
        std::memcpy(sizes, will.data() + at, sizeof sizes);
        at += sizeof sizes;
        if (uint64_t{sizes[0]} + sizes[1] > will.size() - at)
            return;
        const auto* const text = reinterpret_cast<const char*>(will.data()) + at;
        const std::string name(text, sizes[0]);
        if (name.empty()) {
            has_final_values_ = true;
            stopped_.assign(text, sizes[1]);
        } else if (auto elements = EngineClient::elements_in(std::span(will).subspan(at + sizes[0], sizes[1]))) {
            elements_[name] = std::move(*elements);
        }
        at += uint64_t{sizes[0]} + sizes[1];
    }
}

void EngineSource::remove(const std::string& map, std::span<const uint8_t> keys)
{
    // Removes the elements from the cache too: after the process has ended, elements() returns the cached ones.
    elements_.erase(map);
    if (!is_gone_ && !keys.empty())
        is_gone_ = !client_.remove(map, keys).ok();
}

void EngineSource::zero(const std::string& map, std::size_t offset, std::size_t size)
{
    elements_.erase(map);
    if (!is_gone_)
        is_gone_ = !client_.clear(map, static_cast<uint32_t>(offset), static_cast<uint32_t>(size)).ok();
}

void EngineSource::pass(uint64_t now)
{
    if (is_gone_ || now < kept_ + kKeepEvery)
        return;
    kept_ = now;
    for (const AggregationSchema& aggregation : schema_.aggregations)
        for (const std::string& map : {aggregation.map, aggregation.short_keys_map})
            if (!map.empty() && elements_[map].bytes.size() <= kMaxKeptOften)
                elements(map);
}

void EngineSource::take_over()
{
    if (!is_gone_)
        // Errors are ignored: the engine may be too old for this request, or its process may have ended.
        (void)client_.take_over();
}

std::string EngineSource::end()
{
    if (std::exchange(has_ended_, true))
        return {};
    const std::string program = "process " + std::to_string(pid_);
    if (const Result<std::string> unloaded = is_gone_ ? Error{} : client_.unload(); unloaded) {
        stopped_ = unloaded.value();
    } else {
        is_gone_ = true;
        read_final_values();
        const uint64_t fired = __atomic_load_n(&channel_->fired, __ATOMIC_RELAXED);
        if (!has_final_values_ && fired != fired_ && !schema_.aggregations.empty())
            return program + " was killed or does not respond: up to " + std::to_string(fired - fired_) +
                   " of its last firings may be missing in the aggregations";
    }
    return stopped_.empty() ? std::string()
                            : program + " stopped running the clauses, because one exceeded a limit of the process: " +
                                  printable(stopped_);
}

Result<void> EngineAggregations::read(const AggregationSchema& schema, const Visit& visit)
{
    // for an aggregation without keys, a word that says whether the aggregation was used precedes the value
    const std::size_t touched = schema.key_size == 0 ? sizeof(uint64_t) : 0;
    const std::size_t size = touched + schema.words * sizeof(int64_t), own_cpus = own_.cpus();
    std::vector<uint8_t> values(size * cpus());
    for (std::size_t i = 0; touched != 0 && i < engines_.size(); ++i) {
        const EngineClient::Elements& all = engines_[i]->elements(schema.map);
        if (all.value_size >= schema.offset + size && all.bytes.size() >= all.key_size + all.value_size)
            std::memcpy(values.data() + (own_cpus + i) * size, all.bytes.data() + all.key_size + schema.offset, size);
    }
    const Result<void> read = own_.read(schema, [&](const uint8_t* key, const uint8_t* own, std::size_t stride) {
        for (std::size_t cpu = 0; cpu < own_cpus; ++cpu)
            std::memcpy(values.data() + cpu * size, own + cpu * stride, size);
        visit(key, values.data(), size);
    });
    for (std::size_t i = 0; read && touched == 0 && i < engines_.size(); ++i)
        read_keys(schema, i, visit);
    return read;
}

namespace {

/// Layout of an element of an engine's map: offset and size of the aggregation's key, and offset of its values (words).
struct KeyPlace {
    std::size_t key, size, words;
};

KeyPlace key_place(const AggregationSchema& schema, const std::string& map, const EngineClient::Elements& all)
{
    if (!schema.digested || map != schema.map)
        return {0, all.key_size, all.key_size};
    return {all.key_size, schema.key_size, std::size_t{all.key_size} + schema.key_size};
}

} // namespace

void EngineAggregations::read_keys(const AggregationSchema& schema, std::size_t engine, const Visit& visit)
{
    const std::size_t size = schema.words * sizeof(int64_t);
    std::vector<uint8_t> values(size * cpus()), key(schema.key_size);
    uint8_t* const own = values.data() + (own_.cpus() + engine) * size;
    for (const std::string& map : {schema.map, schema.short_keys_map}) {
        if (map.empty())
            continue;
        const EngineClient::Elements& all = engines_[engine]->elements(map);
        const std::size_t element = std::size_t{all.key_size} + all.value_size;
        const KeyPlace place = key_place(schema, map, all);
        if (all.key_size == 0 || place.size > key.size() || place.words + size > element)
            continue; // the engine has no map of that name, or its map has another layout
        for (std::size_t at = 0; at + element <= all.bytes.size(); at += element) {
            const uint8_t* const from = all.bytes.data() + at;
            uint64_t id = schema.id;
            std::memcpy(&id, from + place.key, schema.shared ? std::min<std::size_t>(sizeof id, place.size) : 0);
            if (id != schema.id)
                continue;
            std::fill(key.begin(), key.end(), uint8_t{0});
            std::memcpy(key.data(), from + place.key, place.size);
            std::memcpy(own, from + place.words, size);
            visit(key.data(), values.data(), size);
        }
    }
}

/// If an aggregation has long keys, the engine's map is indexed by digests of them, and each value begins with the full
/// key. Returns the digests that belong to `keys`.
std::vector<uint8_t> EngineAggregations::digests_of(const AggregationSchema& schema, EngineSource& engine,
                                                    std::span<const uint8_t> keys)
{
    std::unordered_set<std::string_view> wanted;
    for (std::size_t at = 0; at + schema.key_size <= keys.size(); at += schema.key_size)
        wanted.emplace(reinterpret_cast<const char*>(keys.data()) + at, schema.key_size);
    const EngineClient::Elements& all = engine.elements(schema.map);
    const std::size_t element = std::size_t{all.key_size} + all.value_size;
    std::vector<uint8_t> digests;
    for (std::size_t at = 0; all.value_size >= schema.key_size && at + element <= all.bytes.size(); at += element) {
        const uint8_t* const from = all.bytes.data() + at;
        if (wanted.count({reinterpret_cast<const char*>(from) + all.key_size, schema.key_size}) != 0)
            digests.insert(digests.end(), from, from + all.key_size);
    }
    return digests;
}

void EngineAggregations::remove(const AggregationSchema& schema, std::span<const uint8_t> keys)
{
    own_.remove(schema, keys);
    std::vector<uint8_t> short_keys_map;
    for (std::size_t at = 0; !schema.short_keys_map.empty() && at + schema.key_size <= keys.size();
         at += schema.key_size)
        short_keys_map.insert(short_keys_map.end(), keys.begin() + static_cast<std::ptrdiff_t>(at),
                              keys.begin() + static_cast<std::ptrdiff_t>(at + schema.short_key_size));
    for (EngineSource* engine : engines_) {
        engine->remove(schema.map, schema.digested ? digests_of(schema, *engine, keys)
                                                   : std::vector<uint8_t>(keys.begin(), keys.end()));
        if (!schema.short_keys_map.empty())
            engine->remove(schema.short_keys_map, short_keys_map);
    }
}

void EngineAggregations::zero(const AggregationSchema& schema)
{
    own_.zero(schema);
    for (EngineSource* engine : engines_)
        engine->zero(schema.map, schema.offset, sizeof(uint64_t) + schema.words * sizeof(int64_t));
}

} // namespace dt::consume

// Loads the object of a trace into the processes with engines, and enables and disables the trace there.

namespace dt {
namespace {

/// For each process whose engine runs clauses, returns the ids of the probes in that process.
std::map<int64_t, std::vector<uint32_t>> probes_in_applications(const Schema& schema)
{
    std::map<int64_t, std::vector<uint32_t>> found;
    for (const ProgramPlan& program : schema.programs)
        if (program.plan->kind_info().in_engine)
            for (const AttachTarget& target : program.plan->targets)
                found[target.process].push_back(target.probe->id);
    return found;
}

/// Returns the ids of the probes that the tracer runs explicitly (BEGIN, END, …).
std::vector<uint32_t> probes_by_hand(const Schema& schema)
{
    std::vector<uint32_t> found;
    for (const ProgramPlan& program : schema.programs)
        if (program.plan->kind_info().run_by_tracer)
            found.insert(found.end(), program.probes.begin(), program.probes.end());
    return found;
}

/// Returns the names and sizes of the sections with the counters of -x hits and -x cost.
std::vector<consume::EngineSource::Counters> counters_of(const LoadedObject& loaded)
{
    std::vector<consume::EngineSource::Counters> all;
    for (const char* section : {DT_SECTION_HITS, DT_SECTION_CLAUSE_HITS, DT_SECTION_COSTS, DT_SECTION_COST_TIMES})
        if (const LoadedMap* const map = loaded.maps().section(section))
            all.push_back({section, map->value_size});
    return all;
}

} // namespace

Result<void> EngineSession::begin(const Object& object, const Program& program, World& world,
                                  const LoadedObject& loaded)
{
    const auto probes = probes_in_applications(object.schema);
    if (probes.empty())
        return {};
    const auto bytes = saved_object(object, program, world);
    if (!bytes)
        return bytes.error();
    for (const auto& [pid, of_process] : probes) {
        std::vector<uint32_t> ids = of_process;
        const std::vector<uint32_t> by_hand =
            loaded.is_in_kernel() ? std::vector<uint32_t>() : probes_by_hand(object.schema);
        ids.insert(ids.end(), by_hand.begin(), by_hand.end());
        ids.push_back(kErrorProbe); // if clauses of this process cause a fault, the probe ERROR fires
        auto application = EngineClient::connect(pid);
        auto engine = application ? consume::EngineSource::begin(pid, std::move(*application), bytes.value(),
                                                                 loaded.state_descriptor(), object.schema, ids,
                                                                 counters_of(loaded))
                                  : application.error();
        if (!engine)
            return Error{"process " + std::to_string(pid) + " does not accept the program: " + engine.error().message,
                         engine.error().code};
        engines_.push_back(std::move(*engine));
    }
    return {};
}

Result<void> EngineSession::run(const std::string& probe)
{
    Result<void> ran = Error{"no traced process runs the program", ESRCH};
    for (const auto& engine : engines_)
        if (ran = engine->run(probe); ran)
            break;
    return ran;
}

void EngineSession::take_over()
{
    for (const auto& engine : engines_)
        engine->take_over();
}

std::vector<std::string> EngineSession::end()
{
    std::vector<std::string> lines;
    for (const auto& engine : engines_)
        if (std::string text = engine->end(); !text.empty())
            lines.push_back(std::move(text));
    return lines;
}

} // namespace dt
