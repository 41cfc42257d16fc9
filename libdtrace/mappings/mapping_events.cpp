// Reads mapping events from one perf event per CPU, whose buffers libbpf maps (perf_event_open(2)). The events of one
// CPU are ordered by time. Reading merges the events of all CPUs by time.
#include "libdtrace/mappings/mapping_events.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <queue>
#include <string_view>
#include <utility>

#include "base/proc_file.hpp"

namespace dt {
namespace {

constexpr std::size_t kPages = 128; // number of pages of a CPU's buffer, which holds about 5,000 events

// Layout of the kernel's records (linux/perf_event.h, enum perf_event_type). With sample_id_all, the last word of each
// record is its timestamp.
struct MapRecord {
    perf_event_header header;
    uint32_t pid, tid;
    uint64_t start, size, offset;
    union {
        struct {
            uint32_t major, minor;
            uint64_t inode, generation;
        } file;
        struct {
            uint8_t size, reserved[3];
            uint8_t bytes[20];
        } build_id;
    };
    uint32_t protection, flags;
};
struct TaskRecord {
    perf_event_header header;
    uint32_t pid, parent, tid, parent_tid;
};
struct NameRecord {
    perf_event_header header;
    uint32_t pid, tid;
};

template <typename Record> std::optional<Record> load(const perf_event_header& header)
{
    if (header.size < sizeof(Record) + sizeof(uint64_t))
        return {};
    Record record;
    std::memcpy(&record, &header, sizeof record);
    return record;
}

std::optional<MappingEvent> map_event(const perf_event_header& header)
{
    const auto record = load<MapRecord>(header);
    const char* path = reinterpret_cast<const char*>(&header) + sizeof(MapRecord);
    if (!record || path[0] != '/' || (path[1] == '/' && std::string_view(path) == "//anon"))
        return {};
    MappingEvent event;
    event.kind = MappingEvent::Kind::Map;
    event.pid = static_cast<pid_t>(record->pid);
    event.start = record->start;
    event.end = record->start + record->size;
    event.offset = record->offset;
    event.path.assign(path, ::strnlen(path, header.size - sizeof(MapRecord) - sizeof(uint64_t)));
    if (header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
        event.build_id.assign(reinterpret_cast<const char*>(record->build_id.bytes),
                              std::min<std::size_t>(record->build_id.size, 20));
    else
        event.inode = record->file.inode;
    return event;
}

std::optional<MappingEvent> event_of(const perf_event_header& header)
{
    MappingEvent event;
    if (header.type == PERF_RECORD_MMAP2)
        return map_event(header);
    if (header.type == PERF_RECORD_LOST)
        return event;
    if (header.type == PERF_RECORD_FORK) {
        const auto record = load<TaskRecord>(header);
        // the event is the start of a thread, not of a process; follow_threads() handles it
        if (!record || record->pid == record->parent)
            return {};
        event.kind = MappingEvent::Kind::Fork;
        event.pid = static_cast<pid_t>(record->pid);
        event.parent = static_cast<pid_t>(record->parent);
        return event;
    }
    if (header.type == PERF_RECORD_EXIT) {
        const auto record = load<TaskRecord>(header);
        // the event is the end of a thread other than the first one; follow_threads() handles it
        if (!record || record->pid != record->tid)
            return {};
        event.kind = MappingEvent::Kind::Exit;
        event.pid = static_cast<pid_t>(record->pid);
        return event;
    }
    const auto record = header.type == PERF_RECORD_COMM && (header.misc & PERF_RECORD_MISC_COMM_EXEC)
                            ? load<NameRecord>(header)
                            : std::nullopt;
    if (!record)
        return {};
    event.kind = MappingEvent::Kind::Exec;
    event.pid = static_cast<pid_t>(record->pid);
    return event;
}

uint64_t time_of(const perf_event_header& header)
{
    uint64_t time = 0;
    std::memcpy(&time, reinterpret_cast<const char*>(&header) + header.size - sizeof time, sizeof time);
    return time;
}

} // namespace

/// The perf event buffer of a CPU: struct perf_event_mmap_page, and the data after it.
class MappingEvents::Ring {
public:
    Ring(void* mapping, std::size_t data_size)
        : page_(static_cast<perf_event_mmap_page*>(mapping)),
          data_(static_cast<const char*>(mapping) + sysconf(_SC_PAGESIZE)), size_(data_size), tail_(page_->data_tail)
    {
    }

    /// Reads the kernel's write position, so that front() can return all records written so far.
    void refresh() { head_ = __atomic_load_n(&page_->data_head, __ATOMIC_ACQUIRE); }

    /// Returns the first unread record as contiguous bytes; null if there is none.
    const perf_event_header* front()
    {
        if (tail_ == head_)
            return nullptr;
        const std::size_t at = tail_ & (size_ - 1), until_end = size_ - at;
        // Headers are 8-byte aligned, so a header never wraps around.
        const auto* const header = reinterpret_cast<const perf_event_header*>(data_ + at);
        if (header->size < sizeof *header + sizeof(uint64_t) ||
            header->size > std::min<uint64_t>(head_ - tail_, size_)) {
            drop(head_ - tail_); // the length of an invalid record is unknown, so all records after it are dropped too
            return nullptr;
        }
        if (header->size <= until_end)
            return header;
        whole_.assign(data_ + at, until_end);
        whole_.append(data_, header->size - until_end);
        return reinterpret_cast<const perf_event_header*>(whole_.data());
    }

    /// Removes `bytes` bytes from the front of the buffer.
    void drop(uint64_t bytes)
    {
        tail_ += bytes;
        __atomic_store_n(&page_->data_tail, tail_, __ATOMIC_RELEASE);
    }

private:
    perf_event_mmap_page* page_;
    const char* data_;
    std::size_t size_;
    uint64_t tail_, head_ = 0;
    std::string whole_; ///< copy of a record that wraps around the end of the buffer
};

std::array<uint64_t, 2> file_of(const std::string& proc, const MappingEvent& event)
{
    struct stat status {};
    for (const std::string& path : {process_folder(proc, event.pid) + "/root" + event.path, event.path})
        if (stat(path.c_str(), &status) == 0)
            return {status.st_dev, status.st_ino};
    return {};
}

MappingEvents::MappingEvents() = default;

MappingEvents::~MappingEvents()
{
    close();
}

void MappingEvents::close()
{
    rings_.clear();
    threads_.clear();
    buffer_.reset();
    if (map_ >= 0)
        ::close(std::exchange(map_, -1));
}

void MappingEvents::Close::operator()(perf_buffer* buffer) const
{
    perf_buffer__free(buffer);
}

bool MappingEvents::open()
{
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_DUMMY;
    attributes.sample_type = PERF_SAMPLE_TIME;
    attributes.sample_id_all = 1;
    attributes.mmap = attributes.mmap2 = attributes.build_id = 1;
    attributes.comm = attributes.comm_exec = attributes.task = 1;
    attributes.watermark = 1;
    attributes.wakeup_watermark = static_cast<uint32_t>(kPages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 2);
    attributes.use_clockid = 1;
    attributes.clockid = CLOCK_MONOTONIC;
    map_ = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "mapping_events", sizeof(int), sizeof(int),
                          static_cast<uint32_t>(std::max(libbpf_num_possible_cpus(), 1)), nullptr);
    const auto handle = [](void*, int, perf_event_header*) {
        return LIBBPF_PERF_EVENT_CONT;
    }; // libbpf requires this callback but never calls it, because this class reads the buffers itself
    LIBBPF_OPTS(perf_buffer_raw_opts, options);
    if (map_ >= 0)
        buffer_.reset(perf_buffer__new_raw(map_, kPages, &attributes, handle, this, &options));
    open_rings();
    return buffer_ != nullptr;
}

void MappingEvents::open_rings()
{
    const std::size_t count = buffer_ ? perf_buffer__buffer_cnt(buffer_.get()) : 0;
    for (std::size_t i = 0; i < count; ++i) {
        void* mapping = nullptr;
        std::size_t data_size = 0;
        if (perf_buffer__buffer(buffer_.get(), static_cast<int>(i), &mapping, &data_size) == 0)
            rings_.emplace_back(mapping, data_size);
    }
}

int MappingEvents::descriptor() const
{
    return buffer_ ? perf_buffer__epoll_fd(buffer_.get()) : -1;
}

/// Creates the Exit event of a process from the ends of its threads. This code is necessary because the first thread
/// need not be the last one to end.
void MappingEvents::follow_threads(const perf_event_header& header, std::optional<MappingEvent>& event)
{
    using Kind = MappingEvent::Kind;
    if (event && event->kind == Kind::Lost) {
        threads_.clear();
    } else if (event && (event->kind == Kind::Fork || event->kind == Kind::Exec)) {
        threads_.erase(event->pid);
    } else if (event && event->kind == Kind::Exit) {
        const auto of = threads_.find(event->pid);
        if (of != threads_.end()) {
            of->second.has_no_leader = true;
            event->kind = Kind::LeaderExit;
        }
    } else if (!event && (header.type == PERF_RECORD_FORK || header.type == PERF_RECORD_EXIT)) {
        const auto record = load<TaskRecord>(header);
        if (!record)
            return;
        const auto pid = static_cast<pid_t>(record->pid);
        if (header.type == PERF_RECORD_FORK) {
            ++threads_[pid].others;
            return;
        }
        const auto of = threads_.find(pid);
        if (of == threads_.end() || --of->second.others > 0)
            return;
        if (of->second.has_no_leader) {
            event.emplace();
            event->kind = Kind::Exit;
            event->pid = pid;
        }
        threads_.erase(of);
    }
}

void MappingEvents::take(const std::function<void(const MappingEvent&)>& visit)
{
    using Front = std::pair<uint64_t, std::size_t>; // time of the first record in a ring, and index of this ring
    std::priority_queue<Front, std::vector<Front>, std::greater<>> fronts;
    const auto add_front = [&](std::size_t ring) {
        if (const perf_event_header* const header = rings_[ring].front())
            fronts.emplace(time_of(*header), ring);
    };
    for (std::size_t i = 0; i < rings_.size(); ++i) {
        rings_[i].refresh();
        add_front(i);
    }
    while (!fronts.empty()) {
        const auto [time, number] = fronts.top();
        fronts.pop();
        Ring& ring = rings_[number];
        const perf_event_header* const header = ring.front();
        std::optional<MappingEvent> event = event_of(*header);
        follow_threads(*header, event);
        ring.drop(header->size);
        if (event) {
            event->time = time;
            visit(*event);
        }
        add_front(number);
    }
}

} // namespace dt
