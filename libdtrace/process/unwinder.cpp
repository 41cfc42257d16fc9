// A pass has a budget, because the consumer's records wait meanwhile: what was met and not yet read is met again. Memory that a table gave back may
// still be walked by a program that found it a moment before, so it rests until that is over.
#include "libdtrace/process/unwinder.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include "libdtrace/process/elf_file.hpp"
#include "libdtrace/process/proc_file.hpp"
#include "libdtrace/process/vdso.hpp"

namespace dt {
namespace {

constexpr auto kBudget = std::chrono::milliseconds(20); // of a pass
constexpr auto kRest = std::chrono::milliseconds(1500); // after memory ran out: what was given back is free by then
constexpr auto kReread = std::chrono::seconds(5);       // nothing is known to have changed, and still something is not known
constexpr std::size_t kMostProcesses = DT_UNWIND_PROCESSES - DT_UNWIND_PROCESSES / 8;
constexpr std::size_t kMostMappings = (std::size_t{1} << DT_UNWIND_MAPPING_BITS) - 1;
constexpr std::size_t kMostTables = 8192;

std::vector<Mapping> read_mappings(const std::string& proc, int64_t pid)
{
    return parse_maps(read_proc_file(proc + "/" + std::to_string(pid) + "/maps"));
}

/// Names by which the file that is mapped can be opened: itself, and what has its name now.
std::vector<std::string> names_of(const std::string& proc, int64_t pid, const Mapping& mapping)
{
    char range[48];
    std::snprintf(range, sizeof range, "/map_files/%llx-%llx", static_cast<unsigned long long>(mapping.start), static_cast<unsigned long long>(mapping.end));
    const std::string process = proc + "/" + std::to_string(pid);
    return {process + range, process + "/root" + mapping.path};
}

/// What a mapping shows of a table's parts.
void add_mappings(const Mapping& mapping, const UnwindTable& table, std::vector<dt_unwind_mapping>& to)
{
    for (const CodeSegment& code : table.segments()) {
        const uint64_t bias = mapping.start - mapping.offset + code.offset - code.address;
        const uint64_t code_begin = code.address + bias, code_end = code_begin + code.size;
        for (const UnwindTable::Part& part : table.parts()) {
            dt_unwind_mapping shown{};
            shown.start = std::max({mapping.start, code_begin, part.begin + bias});
            shown.end = std::min({mapping.end, code_end, part.end + bias});
            shown.base = part.base + bias;
            shown.chunk = part.place.chunk;
            shown.at = part.place.at;
            if (shown.start < shown.end)
                to.push_back(shown);
        }
    }
}

} // namespace

Unwinder::Unwinder(std::string proc, Follower follower) : proc_(std::move(proc)), follower_(std::move(follower)) {}

Unwinder::~Unwinder()
{
    if (shared_)
        munmap(shared_, sizeof *shared_);
}

bool Unwinder::open(bpf_object* object)
{
    const bpf_map* const shared = bpf_object__find_map_by_name(object, DT_MAP_UNWIND);
    const bpf_map* const processes = bpf_object__find_map_by_name(object, DT_MAP_UNWIND_PROCESSES);
    const bpf_map* const memory = bpf_object__find_map_by_name(object, DT_MAP_UNWIND_MEMORY);
    if (!shared || !processes || !memory)
        return false;
    void* const mapped = mmap(nullptr, sizeof *shared_, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(shared), 0);
    if (mapped == MAP_FAILED)
        return false;
    shared_ = static_cast<dt_unwind*>(mapped);
    processes_map_ = bpf_map__fd(processes);
    rules_ = std::make_unique<UnwindRules>(shared_->rules);
    memory_ = std::make_unique<UnwindMemory>(bpf_map__fd(memory));
    return true;
}

void Unwinder::add(int64_t pid)
{
    if (shared_ && pid > 0)
        load(pid);
}

void Unwinder::update()
{
    const Clock::time_point now = Clock::now();
    if (!shared_)
        return;
    memory_->settle(now);
    ++shared_->generation;
    if (now < rest_until_)
        return;
    std::vector<int64_t> changed;
    for (const auto& [pid, process] : processes_)
        if (process.version != follower_.version(pid))
            changed.push_back(pid);
    for (uint32_t& slot : shared_->wanted) {
        const uint32_t pid = slot == 0 ? 0 : __atomic_exchange_n(&slot, 0, __ATOMIC_RELAXED);
        if (pid != 0 && is_stale(pid))
            changed.push_back(pid);
    }
    for (const int64_t pid : changed)
        if (Clock::now() - now < kBudget) // the others are met again
            load(pid);
}

bool Unwinder::has_news() const
{
    return shared_ && Clock::now() >= rest_until_ &&
           std::any_of(std::begin(shared_->wanted), std::end(shared_->wanted), [this](uint32_t pid) { return pid != 0 && is_stale(pid); });
}

bool Unwinder::is_stale(int64_t pid) const
{
    const auto known = processes_.find(pid);
    return known == processes_.end() || Clock::now() - known->second.read > kReread;
}

void Unwinder::load(int64_t pid)
{
    if (processes_.size() >= kMostProcesses)
        make_room();
    follower_.met(pid);
    Process process;
    process.version = follower_.version(pid);
    process.read = Clock::now();
    const std::vector<dt_unwind_mapping> mappings = mappings_of(pid, process);
    const bool is_gone = mappings.empty() && processes_.count(pid) == 0 && access((proc_ + "/" + std::to_string(pid)).c_str(), F_OK) != 0;
    if (!is_gone && publish(pid, process, mappings)) {
        Process& known = processes_[pid];
        if (known.list.words != 0)
            memory_->give_back(known.list);
        known = std::move(process);
    }
    if (full_) {
        make_room();
        rest_until_ = Clock::now() + kRest;
        full_ = false;
    }
}

std::vector<dt_unwind_mapping> Unwinder::mappings_of(int64_t pid, Process& process)
{
    std::vector<dt_unwind_mapping> mappings;
    for (const Mapping& mapping : read_mappings(proc_, pid)) {
        Table table = mapping.path == kVdso ? vdso() : mapping.path.starts_with('/') ? table_of(pid, mapping) : nullptr;
        if (!table || table->parts().empty())
            continue;
        add_mappings(mapping, *table, mappings);
        process.tables.push_back(std::move(table));
    }
    std::sort(mappings.begin(), mappings.end(), [](const dt_unwind_mapping& a, const dt_unwind_mapping& b) { return a.start < b.start; });
    if (mappings.size() > kMostMappings)
        mappings.resize(kMostMappings);
    return mappings;
}

Unwinder::Table Unwinder::table_of(int64_t pid, const Mapping& mapping)
{
    for (const std::string& name : names_of(proc_, pid, mapping)) {
        struct stat status {};
        if (stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        const File file{status.st_dev, status.st_ino,
                        static_cast<uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(status.st_mtim.tv_nsec),
                        static_cast<uint64_t>(status.st_size)};
        if (const auto known = tables_.find(file); known != tables_.end())
            return known->second;
        if (tables_.size() >= kMostTables)
            drop_unused_tables();
        Table table = make_table(ElfFile(name).get());
        if (!full_) // else something of it may be missing
            tables_[file] = table;
        return table;
    }
    return nullptr;
}

/// The kernel puts the same code into all processes.
Unwinder::Table Unwinder::vdso()
{
    if (vdso_)
        return vdso_;
    elf_version(EV_CURRENT);
    const std::span<const char> image = vdso_image(proc_);
    if (image.empty())
        return vdso_;
    std::vector<char> copy(image.begin(), image.end()); // libelf wants to write to it
    const std::unique_ptr<Elf, decltype(&elf_end)> elf(elf_memory(copy.data(), copy.size()), elf_end);
    return vdso_ = make_table(elf.get());
}

Unwinder::Table Unwinder::make_table(Elf* elf)
{
    return std::make_shared<const UnwindTable>(elf, *rules_, *memory_, full_);
}

bool Unwinder::publish(int64_t pid, Process& process, const std::vector<dt_unwind_mapping>& mappings)
{
    dt_unwind_process entry{};
    static_assert(sizeof(dt_unwind_mapping) == DT_UNWIND_MAPPING_WORDS * sizeof(uint32_t));
    if (!mappings.empty()) {
        const auto place = memory_->take(static_cast<uint32_t>(mappings.size() * DT_UNWIND_MAPPING_WORDS));
        full_ |= !place;
        if (!place)
            return false;
        std::memcpy(memory_->words(*place), mappings.data(), mappings.size() * sizeof mappings.front());
        process.list = *place;
        entry.chunk = place->chunk;
        entry.at = place->at;
        entry.count = static_cast<uint32_t>(mappings.size());
    }
    entry.used = shared_->generation;
    const auto key = static_cast<uint32_t>(pid);
    return bpf_map_update_elem(processes_map_, &key, &entry, BPF_ANY) == 0;
}

void Unwinder::drop(int64_t pid)
{
    const auto key = static_cast<uint32_t>(pid);
    bpf_map_delete_elem(processes_map_, &key);
    const auto known = processes_.find(pid);
    if (known == processes_.end())
        return;
    if (known->second.list.words != 0)
        memory_->give_back(known->second.list);
    processes_.erase(known);
}

void Unwinder::drop_unused_tables()
{
    std::erase_if(tables_, [](const auto& each) { return each.second.use_count() == 1; });
}

/// The quarter of the processes that were met least recently, and what only they map.
void Unwinder::make_room()
{
    std::vector<std::pair<uint32_t, int64_t>> by_age;
    for (const auto& [pid, process] : processes_) {
        const auto key = static_cast<uint32_t>(pid);
        dt_unwind_process entry{};
        bpf_map_lookup_elem(processes_map_, &key, &entry);
        by_age.emplace_back(entry.used, pid);
    }
    std::sort(by_age.begin(), by_age.end());
    by_age.resize((by_age.size() + 3) / 4);
    for (const auto& [used, pid] : by_age)
        drop(pid);
    drop_unused_tables();
}

} // namespace dt
