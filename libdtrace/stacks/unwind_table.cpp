// Packs unwind rows by pages of code. A packed row is a 32-bit word: 16 bits for the address within the page, 16 bits
// for the index of the unwind rule. The second half of the file allocates the memory in which BPF programs read the
// tables.
#include "libdtrace/stacks/unwind_table.hpp"

#include <bpf/bpf.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/phase_times.hpp"

namespace dt {
namespace {

constexpr uint64_t kUnwindPage = uint64_t{1} << DT_UNWIND_PAGE_BITS;
// Maximum number of rows per page, which allows one row per four bytes of code.
constexpr std::size_t kMaxPageRows = (std::size_t{1} << DT_UNWIND_ROW_BITS) - 1;
// Maximum number of words per table: a quarter of the 64 MiB for all tables. So an invalid file cannot use up all of
// the memory.
constexpr std::size_t kMaxTableWords = 4 << 20;
// Maximum number of pages per part of a table. It limits the part's index to half a chunk of memory.
constexpr uint32_t kMaxPages = DT_UNWIND_CHUNK_WORDS / 4;

/// Creates a part of a table from pages of rows. It consists of an index, which says where the rows of each page begin,
/// and of the rows.
UnwindPart make_part(uint64_t first_page, const std::vector<std::vector<uint32_t>>& pages)
{
    UnwindPart part;
    part.base = part.begin = first_page * kUnwindPage;
    part.pages = static_cast<uint32_t>(pages.size());
    part.end = part.begin + pages.size() * kUnwindPage;
    auto at = part.pages + 1;
    for (const std::vector<uint32_t>& page : pages) {
        part.words.push_back(at);
        at += static_cast<uint32_t>(page.size());
    }
    part.words.push_back(at);
    for (const std::vector<uint32_t>& page : pages)
        part.words.insert(part.words.end(), page.begin(), page.end());
    return part;
}

} // namespace

uint16_t UnwindRules::number(const dt_unwind_rule& rule)
{
    static_assert(sizeof rule == sizeof(uint64_t));
    uint64_t key = 0;
    std::memcpy(&key, &rule, sizeof key);
    if (rule.cfa == DT_CFA_NONE)
        return 0;
    if (const auto known = numbers_.find(key); known != numbers_.end())
        return known->second;
    const std::size_t fresh = numbers_.size() + 1;
    if (fresh >= DT_UNWIND_RULES)
        return 0;
    rules_[fresh] = rule;
    return numbers_[key] = static_cast<uint16_t>(fresh);
}

/// Packs the rows of one page. The page's first row contains the rule that applies at the beginning of the page.
std::vector<uint32_t> UnwindParts::pack_page(uint64_t page)
{
    std::vector<uint32_t> words{DT_UNWIND_ROW(0, rule_)};
    for (; !rows_.at_end() && rows_.row().address / kUnwindPage == page; rows_.next()) {
        const auto low = static_cast<uint32_t>(rows_.row().address % kUnwindPage);
        rule_ = rules_.number(rows_.row().rule);
        if (low == 0)
            words.front() = DT_UNWIND_ROW(0, rule_);
        else if (words.size() < kMaxPageRows)
            words.push_back(DT_UNWIND_ROW(low, rule_));
    }
    return words;
}

/// Returns the next part of the table. A part begins at the next row, and ends at a long gap in the code, or when full.
std::optional<UnwindPart> UnwindParts::next()
{
    if (rows_.at_end() || words_ >= kMaxTableWords)
        return {};
    const uint64_t first = rows_.row().address / kUnwindPage;
    std::vector<std::vector<uint32_t>> pages;
    std::size_t words = 1;
    while (pages.size() < kMaxPages && words + 1 + kMaxPageRows + 1 < DT_UNWIND_CHUNK_WORDS) {
        pages.push_back(pack_page(first + pages.size()));
        words += 1 + pages.back().size();
        if (rows_.at_end() || (rule_ == 0 && rows_.row().address / kUnwindPage > first + pages.size()))
            break;
    }
    words_ += words;
    if (!rows_.at_end() && rule_ != 0 && rows_.row().address / kUnwindPage >= first + pages.size() + kMaxPages)
        rule_ = 0; // the next row is so far away that no function reaches it, so no rule applies there
    return make_part(first, pages);
}

uint64_t max_word_count(const PackedUnwindRows& rows)
{
    const uint64_t pages = rows.empty() ? 0 : (rows.last() - rows.first()) / kUnwindPage + 1;
    // In addition to its rows, each page needs two words: an element of the part's index, and the rule at the beginning
    // of the page.
    return std::min<uint64_t>(rows.size() + 2 * pages, kMaxTableWords);
}

std::vector<CodeSegment> code_segments(Elf* elf)
{
    std::vector<CodeSegment> segments;
    std::size_t headers = 0;
    if (elf)
        elf_getphdrnum(elf, &headers);
    for (std::size_t i = 0; i < headers; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, static_cast<int>(i), &header) && header.p_type == PT_LOAD && (header.p_flags & PF_X))
            segments.push_back({header.p_offset, header.p_filesz, header.p_vaddr});
    }
    return segments;
}

UnwindTable::UnwindTable(const PackedUnwindRows& rows, UnwindRules& rules, UnwindMemory& memory, bool& full)
    : memory_(memory)
{
    UnwindParts parts(rows, rules);
    while (const std::optional<UnwindPart> next = parts.next()) {
        const UnwindPart& packed = *next;
        const auto place = memory_.take(static_cast<uint32_t>(packed.words.size()));
        if (!place) {
            full = true;
            is_whole_ = false;
            return;
        }
        uint32_t* const words = memory_.words(*place);
        std::copy(packed.words.begin(), packed.words.end(), words);
        for (uint32_t i = 0; i <= packed.pages; ++i)
            words[i] += place->at;
        parts_.push_back({packed.begin, packed.end, packed.base, *place});
    }
}

UnwindTable::~UnwindTable()
{
    for (const Part& part : parts_)
        memory_.release_memory(part.place);
}

// Allocates the first free range that is large enough. A chunk is an array map with one large element, so that compiled
// code reaches all of it with one inlined lookup.

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
    first_ = side_thread([this] { add_chunk(); }); // if the thread cannot be started, take() creates the chunk later
}

std::optional<UnwindMemory::Allocation> UnwindMemory::take_free(uint32_t words)
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
        return Allocation{chunk, at, words};
    }
    return {};
}

std::optional<UnwindMemory::Allocation> UnwindMemory::take(uint32_t words)
{
    if (first_.joinable())
        first_.join();
    words = (words + DT_UNWIND_MAPPING_WORDS - 1) / DT_UNWIND_MAPPING_WORDS * DT_UNWIND_MAPPING_WORDS;
    if (words == 0 || words > DT_UNWIND_CHUNK_WORDS)
        return {};
    std::optional<Allocation> place = take_free(words);
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
    // Number of words of a chunk that a part can use. A part ends when one more page might not fit. So some words of
    // the chunk remain unused, fewer than a page needs.
    constexpr uint64_t kUsed = DT_UNWIND_CHUNK_WORDS - DT_UNWIND_CHUNK_WORDS / 32;
    while (whole_chunks() < words / kUsed + 1 && add_chunk()) {
    }
}

void UnwindMemory::release_memory(const Allocation& place)
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
