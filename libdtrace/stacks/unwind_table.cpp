// Allocates by first fit. A chunk is an array map with one large element, so that compiled code reaches all of it by
// one inlined lookup.
#include "libdtrace/process/unwind_memory.hpp"

#include <bpf/bpf.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "base/side_thread.hpp"

namespace dt {
namespace {

constexpr std::size_t kChunkBytes = DT_UNWIND_CHUNK_WORDS * sizeof(uint32_t);
constexpr auto kStillRead = std::chrono::seconds(1);

} // namespace

UnwindMemory::UnwindMemory(int outer, uint32_t most) : outer_(outer), chunks_(most), free_(most)
{
    add_first_chunk();
}

UnwindMemory::~UnwindMemory()
{
    if (first_.joinable())
        first_.join();
    for (const Chunk& chunk : chunks_)
        if (chunk.descriptor >= 0)
            close(chunk.descriptor);
}

int UnwindMemory::make_chunk()
{
    LIBBPF_OPTS(bpf_map_create_opts, options);
    options.map_flags = BPF_F_MMAPABLE;
    return bpf_map_create(BPF_MAP_TYPE_ARRAY, "unwind_chunk", sizeof(uint32_t), kChunkBytes, 1, &options);
}

bool UnwindMemory::add_chunk()
{
    uint32_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        if (made_ == chunks_.size())
            return false;
        number = made_++;
    }
    const int descriptor = make_chunk();
    if (descriptor < 0)
        return false;
    Chunk& chunk = chunks_[number];
    chunk.descriptor = descriptor;
    if (!chunk.map.open(descriptor, kChunkBytes) || bpf_map_update_elem(outer_, &number, &descriptor, BPF_ANY) != 0)
        return false;
    chunk.map.hide();
    const std::lock_guard lock(mutex_);
    free_[number] = {{0, DT_UNWIND_CHUNK_WORDS}};
    return true;
}

void UnwindMemory::add_first_chunk()
{
    first_ = side_thread([this] { add_chunk(); }); // if no thread can be started, take() makes the chunk
}

std::optional<UnwindMemory::Place> UnwindMemory::take_free(uint32_t words)
{
    const std::lock_guard lock(mutex_);
    for (uint32_t chunk = 0; chunk < made_; ++chunk) {
        auto& gaps = free_[chunk];
        const auto gap = std::find_if(gaps.begin(), gaps.end(), [&](const auto& each) { return each.second >= words; });
        if (gap == gaps.end())
            continue;
        if (!chunks_[chunk].map.show())
            return {};
        chunks_[chunk].written = std::chrono::steady_clock::now();
        const auto [at, room] = *gap;
        gaps.erase(gap);
        if (room > words)
            gaps.emplace(at + words, room - words);
        return Place{chunk, at, words};
    }
    return {};
}

std::optional<UnwindMemory::Place> UnwindMemory::take(uint32_t words)
{
    if (first_.joinable())
        first_.join();
    words = (words + DT_UNWIND_MAPPING_WORDS - 1) / DT_UNWIND_MAPPING_WORDS * DT_UNWIND_MAPPING_WORDS;
    if (words == 0 || words > DT_UNWIND_CHUNK_WORDS)
        return {};
    std::optional<Place> place = take_free(words);
    while (!place && add_chunk())
        place = take_free(words);
    return place;
}

std::size_t UnwindMemory::whole_chunks()
{
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(
        std::count(free_.begin(), free_.end(), std::map<uint32_t, uint32_t>{{0, DT_UNWIND_CHUNK_WORDS}}));
}

void UnwindMemory::prepare(uint64_t words)
{
    constexpr uint64_t kUsed =
        DT_UNWIND_CHUNK_WORDS -
        DT_UNWIND_CHUNK_WORDS /
            32; // the rest of a chunk that a part leaves unused is less than one more page would take
    while (whole_chunks() < words / kUsed + 1 && add_chunk()) {
    }
}

void UnwindMemory::give_back(const Place& place)
{
    returned_.push_back({place, std::chrono::steady_clock::now()});
}

void UnwindMemory::settle(std::chrono::steady_clock::time_point now)
{
    const std::lock_guard lock(mutex_);
    for (Chunk& chunk : chunks_)
        if (chunk.written.time_since_epoch().count() != 0 && now - chunk.written >= kStillRead) {
            chunk.map.hide();
            chunk.written = {};
        }
    const auto fresh = std::find_if(returned_.begin(), returned_.end(),
                                    [&](const Returned& each) { return now - each.when < kStillRead; });
    for (auto each = returned_.begin(); each != fresh; ++each) {
        auto& gaps = free_[each->place.chunk];
        auto gap = gaps.emplace(each->place.at, each->place.words).first;
        if (const auto next = std::next(gap); next != gaps.end() && gap->first + gap->second == next->first) {
            gap->second += next->second;
            gaps.erase(next);
        }
        if (gap != gaps.begin() && std::prev(gap)->first + std::prev(gap)->second == gap->first) {
            std::prev(gap)->second += gap->second;
            gaps.erase(gap);
        }
    }
    returned_.erase(returned_.begin(), fresh);
}

} // namespace dt
