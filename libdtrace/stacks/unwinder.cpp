// Creates unwind tables and publishes processes. A call of update() has a time limit, because the consumer prints no
// records meanwhile; the next call continues the work. A BPF program may still read the memory of a removed table, so
// the memory is reused only after a delay. A separate thread reads large files.
#include "libdtrace/stacks/unwinder.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/phase_times.hpp"
#include "base/proc_file.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/identification.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

constexpr auto kBudget = std::chrono::milliseconds(20); // time limit of a call of update()
// Pause before tables are created again after memory ran out. It is longer than the delay after which released memory
// can be used again.
constexpr auto kRest = std::chrono::milliseconds(1500);
// Interval at which a process is examined again while some of its data are missing and no change of its mappings is
// reported.
constexpr auto kReread = std::chrono::seconds(5);
constexpr std::size_t kMaxProcesses = DT_UNWIND_PROCESSES - DT_UNWIND_PROCESSES / 8;
constexpr std::size_t kMaxMappings = (std::size_t{1} << DT_UNWIND_MAPPING_BITS) - 1;
constexpr std::size_t kMaxTables = 8192;

std::vector<Mapping> read_mappings(const std::string& proc, int64_t pid)
{
    return parse_maps(read_maps(proc + "/" + std::to_string(pid)));
}

enum class WordSizes : uint8_t { Wide, Narrow, Mixed };

/// Returns the sizes of words on a process's stack. An x32 program mixes two sizes: the compiler pushes words of four
/// bytes, the machine words of eight. Such a program gets no tables, so the kernel unwinds its stacks by frame
/// pointers.
WordSizes word_sizes_of(const std::string& proc, int64_t pid)
{
    Elf32_Ehdr header{}; // the members used here have the same offsets in Elf64_Ehdr
    const int file = ::open((process_folder(proc, pid) + "/exe").c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return WordSizes::Wide;
    const ssize_t got = ::pread(file, &header, sizeof header, 0);
    ::close(file);
    if (got != sizeof header || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS32)
        return WordSizes::Wide;
    return header.e_machine == machine::native().narrow_elf ? WordSizes::Narrow : WordSizes::Mixed;
}

/// Adds to `to` an element for each part of the file's table that overlaps `mapping`, a mapping of the file.
void add_mappings(const Mapping& mapping, std::span<const CodeSegment> segments, const UnwindTable& table,
                  std::vector<dt_unwind_mapping>& to)
{
    for (const CodeSegment& code : segments) {
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

Unwinder::Unwinder(std::string proc, std::shared_ptr<UntrustedFiles> untrusted, Follower follower)
    : proc_(std::move(proc)), untrusted_(std::move(untrusted)), follower_(std::move(follower)),
      reader_(untrusted_->by(), [this](const UnwindReader::Job& job) { memory_->prepare(max_word_count(job.rows)); })
{
}

Unwinder::~Unwinder()
{
    if (shared_)
        munmap(shared_, sizeof *shared_);
}

bool Unwinder::open(const Maps& maps)
{
    if (maps.shared < 0 || maps.processes < 0 || maps.memory < 0)
        return false;
    void* const mapped = mmap(nullptr, sizeof *shared_, PROT_READ | PROT_WRITE, MAP_SHARED, maps.shared, 0);
    if (mapped == MAP_FAILED)
        return false;
    shared_ = static_cast<dt_unwind*>(mapped);
    processes_map_ = maps.processes;
    rules_ = std::make_unique<UnwindRules>(shared_->rules);
    memory_ = std::make_unique<UnwindMemory>(maps.memory);
    return true;
}

void Unwinder::add(int64_t pid)
{
    if (shared_ && pid > 0)
        load(pid, ReadPolicy::Now);
}

void Unwinder::update()
{
    const Clock::time_point now = Clock::now();
    if (!shared_)
        return;
    memory_->settle(now);
    ++shared_->generation;
    if (now < idle_until_)
        return;
    take_finished();
    for (const auto& [pid, process] : processes_)
        if (const uint64_t version = follower_.version(pid); version != 0 && process.version != version)
            due_.insert(pid);
    for (uint32_t& slot : shared_->wanted) {
        const uint32_t pid = slot == 0 ? 0 : __atomic_exchange_n(&slot, 0, __ATOMIC_RELAXED);
        if (pid != 0 && is_stale(pid))
            due_.insert(pid);
    }
    while (!due_.empty() && Clock::now() - now < kBudget)
        load(due_.extract(due_.begin()).value(), ReadPolicy::Later);
}

void Unwinder::take_finished()
{
    if (!reader_.has_finished())
        return;
    for (const UnwindReader::Job& job : reader_.take_finished()) {
        untrusted_->add_refused(job.refused);
        const Table table = make_table(job.rows);
        for (auto& [file, content] : files_)
            if (content.job == job.number) {
                content.table = table;
                content.job = 0;
            }
    }
    for (const auto& [pid, process] : processes_)
        if (process.waits)
            due_.insert(pid);
}

bool Unwinder::has_news() const
{
    if (!shared_ || Clock::now() < idle_until_)
        return false;
    return !due_.empty() || reader_.has_finished() ||
           std::any_of(std::begin(shared_->wanted), std::end(shared_->wanted),
                       [this](uint32_t pid) { return pid != 0 && is_stale(pid); });
}

bool Unwinder::is_stale(int64_t pid) const
{
    const auto known = processes_.find(pid);
    return known == processes_.end() || Clock::now() - known->second.read > kReread;
}

void Unwinder::load(int64_t pid, ReadPolicy read_policy)
{
    if (processes_.size() >= kMaxProcesses)
        make_room();
    if (processes_.contains(pid) && access((proc_ + "/" + std::to_string(pid)).c_str(), F_OK) != 0)
        return drop(pid);
    follower_.met(pid);
    Process process;
    process.version = follower_.version(pid);
    process.read = Clock::now();
    const std::vector<Mapping> mapped = read_mappings(proc_, pid);
    if (mapped.empty())
        return drop(pid); // a process without mappings is a zombie
    const std::vector<dt_unwind_mapping> mappings = mappings_of(pid, mapped, process, read_policy);
    if (follower_.mapped)
        follower_.mapped(pid, mapped);
    if (publish(pid, process, mappings)) {
        Process& known = processes_[pid];
        if (known.list.words != 0)
            memory_->release_memory(known.list);
        known = std::move(process);
    }
    if (full_) {
        ++times_full_;
        make_room();
        idle_until_ = Clock::now() + kRest;
        full_ = false;
    }
}

std::vector<dt_unwind_mapping> Unwinder::mappings_of(int64_t pid, const std::vector<Mapping>& mapped, Process& process,
                                                     ReadPolicy read_policy)
{
    std::vector<dt_unwind_mapping> mappings;
    const WordSizes words = word_sizes_of(proc_, pid);
    if (words == WordSizes::Mixed)
        return mappings;
    process.is_narrow = words == WordSizes::Narrow;
    for (const Mapping& mapping : mapped) {
        const Content* const content = mapping.path == kVdso           ? &vdso(pid, mapping)
                                       : mapping.path.starts_with('/') ? content_of(pid, mapping, read_policy)
                                                                       : nullptr;
        process.waits |= content && content->job != 0;
        if (!content || content->is_narrow != process.is_narrow || !content->table || content->table->parts().empty())
            continue;
        add_mappings(mapping, content->segments, *content->table, mappings);
        process.tables.push_back(content->table);
    }
    std::sort(mappings.begin(), mappings.end(),
              [](const dt_unwind_mapping& a, const dt_unwind_mapping& b) { return a.start < b.start; });
    if (mappings.size() > kMaxMappings)
        mappings.resize(kMaxMappings);
    return mappings;
}

const Unwinder::Content* Unwinder::content_of(int64_t pid, const Mapping& mapping, ReadPolicy read_policy)
{
    for (const std::string& name : names_of_mapped(proc_, pid, mapping)) {
        struct stat status {};
        if (stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        const File file{status.st_dev, status.st_ino,
                        static_cast<uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
                            static_cast<uint64_t>(status.st_mtim.tv_nsec),
                        static_cast<uint64_t>(status.st_size)};
        const auto known = files_.find(file);
        return known != files_.end() ? &known->second : read_content(file, name, read_policy);
    }
    return nullptr;
}

/// Reads the unwind information of a file. If a copy of the same build was already read, for instance in another
/// container, both files use the same table.
const Unwinder::Content* Unwinder::read_content(const File& file, const std::string& name, ReadPolicy read_policy)
{
    if (files_.size() >= kMaxTables)
        drop_unused_tables();
    OpenFile opened(name);
    const ElfIdentification elf = identify_elf(opened.descriptor());
    Content content;
    content.build_id = elf.build_id;
    for (const ElfIdentification::Segment& segment : elf.loaded)
        if (segment.is_code)
            content.segments.push_back({segment.offset, segment.size, segment.address});
    content.is_narrow = elf.is_narrow;
    const auto same = std::find_if(files_.begin(), files_.end(), [&](const auto& known) {
        return !content.build_id.empty() && known.second.build_id == content.build_id &&
               known.second.segments == content.segments;
    });
    if (same != files_.end()) {
        content.table = same->second.table;
        content.job = same->second.job;
    } else if (!elf.found) {
        content.table = make_table({});
    } else if (read_policy == ReadPolicy::Now || !UnwindReader::is_slow(*untrusted_, opened) ||
               !reader_.start(jobs_ + 1, opened)) {
        content.table = make_table(rows_of_untrusted(*untrusted_, opened.path()));
    } else {
        content.job = ++jobs_;
    }
    return &(files_[file] = std::move(content));
}

/// Returns the unwind table of the vdso. The kernel maps one vdso into all 64-bit processes, and another one into all
/// 32-bit processes.
const Unwinder::Content& Unwinder::vdso(int64_t pid, const Mapping& mapping)
{
    const bool is_narrow = CompatVdso::is_at(mapping.start);
    std::unique_ptr<Content>& known = is_narrow ? compat_vdso_ : vdso_;
    if (known && known->table)
        return *known;
    known = std::make_unique<Content>();
    known->is_narrow = is_narrow;
    if (is_narrow)
        compat_vdso_image_.read(proc_, pid, mapping.start, mapping.end);
    const std::span<const char> image = is_narrow ? compat_vdso_image_.image() : vdso_image(proc_);
    if (image.empty())
        return *known;
    if (is_narrow) { // a process may have changed the image of the 32-bit vdso, so a sandboxed reader parses it
        for (const ElfIdentification::Segment& segment : identify_elf(compat_vdso_image_.path()).loaded)
            if (segment.is_code)
                known->segments.push_back({segment.offset, segment.size, segment.address});
        known->table = make_table(rows_of_untrusted(*untrusted_, compat_vdso_image_.path()));
        return *known;
    }
    elf_version(EV_CURRENT);
    std::vector<char> copy(image.begin(), image.end()); // libelf needs writable memory, so it gets a copy of the image
    const std::unique_ptr<Elf, decltype(&elf_end)> elf(elf_memory(copy.data(), copy.size()), elf_end);
    known->segments = code_segments(elf.get());
    known->table = make_table(PackedUnwindRows(read_vdso_rows(elf.get())));
    return *known;
}

Unwinder::Table Unwinder::make_table(const PackedUnwindRows& rows)
{
    return std::make_shared<const UnwindTable>(rows, *rules_, *memory_, full_);
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
    entry.is_32bit = process.is_narrow ? 1 : 0;
    const auto key = static_cast<uint32_t>(pid);
    return bpf_map_update_elem(processes_map_, &key, &entry, BPF_ANY) == 0;
}

void Unwinder::drop(int64_t pid)
{
    const auto key = static_cast<uint32_t>(pid);
    bpf_map_delete_elem(processes_map_, &key);
    if (follower_.mapped)
        follower_.mapped(pid, {});
    const auto known = processes_.find(pid);
    if (known == processes_.end())
        return;
    if (known->second.list.words != 0)
        memory_->release_memory(known->second.list);
    processes_.erase(known);
}

void Unwinder::drop_unused_tables()
{
    std::set<const UnwindTable*> used;
    for (const auto& [pid, process] : processes_)
        for (const Table& table : process.tables)
            used.insert(table.get());
    std::erase_if(files_, [&](const auto& file) {
        const Content& content = file.second;
        return content.job == 0 && (used.count(content.table.get()) == 0 || !content.table->is_whole());
    });
}

/// Removes the least recently used quarter of the processes, and the files that only these processes map.
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

// The thread of UnwindReader, which is started for the first large file. Other threads receive its results only through
// `after` and the locked lists.

UnwindReader::~UnwindReader()
{
    stop_ = true;
    wanted_.notify_one();
    if (thread_.joinable())
        thread_.join();
}

bool UnwindReader::is_slow(UntrustedFiles& files, const OpenFile& file)
{
    const ReadFunction read = [](ReaderState&, std::string_view path) {
        // Size in bytes of unwind information that takes only a few milliseconds to read (libc has 120 KB). Larger
        // files are read by the thread.
        constexpr uint64_t kBytesOfFewMilliseconds = 512 << 10;
        const ElfFile elf{std::string(path)};
        uint64_t bytes = 0;
        for (const char* name : {".eh_frame", ".gopclntab"})
            if (const auto section = elf.get() ? find_section(elf.get(), name) : std::nullopt)
                bytes += section->sh_size;
        return std::string(bytes > kBytesOfFewMilliseconds ? "1" : "");
    };
    const Result<std::string> answer = files.read(file.path(), read, file.path());
    return answer && !answer.value().empty();
}

bool UnwindReader::start(uint64_t number, OpenFile& file)
{
    if (!thread_.joinable())
        thread_ = side_thread([this] { work(); });
    if (!thread_.joinable())
        return false;
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back({number, std::move(file), {}, {}});
    }
    wanted_.notify_one();
    return true;
}

std::vector<UnwindReader::Job> UnwindReader::take_finished()
{
    const std::lock_guard lock(mutex_);
    finished_ = 0;
    return std::exchange(done_, {});
}

void UnwindReader::work()
{
    std::unique_lock lock(mutex_);
    while (true) {
        wanted_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
        if (stop_)
            return;
        Job job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        job.rows = rows_of_untrusted(untrusted_, job.file.path(), &stop_);
        job.refused = untrusted_.take_refused();
        if (after_ && !stop_)
            after_(job);
        lock.lock();
        done_.push_back(std::move(job));
        finished_ = done_.size();
    }
}

} // namespace dt
