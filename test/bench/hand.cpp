// Loading of the hand-written programs.
#include "test/bench/hand.hpp"

#include <atomic>
#include <cstring>
#include <thread>
#include <utility>

#include <bpf/libbpf.h>
#include <linux/perf_event.h>

#include "test/bench/loop.hpp"

namespace dt::bench {

namespace {

struct RecordCount {
    std::atomic<long> seen{0}, lost{0};
};

// Reads each record as a consumer must, and counts those the kernel says it lost: a lost record costs almost nothing, and would flatter.
bpf_perf_event_ret count_record(void* counter, int, perf_event_header* header)
{
    auto& records = *static_cast<RecordCount*>(counter);
    if (header->type == PERF_RECORD_SAMPLE)
        records.seen++;
    else if (header->type == PERF_RECORD_LOST)
        records.lost++;
    return LIBBPF_PERF_EVENT_CONT;
}

perf_buffer* open_buffer(bpf_object* object, RecordCount& counter)
{
    perf_event_attr attr{};
    attr.type = PERF_TYPE_SOFTWARE;
    attr.size = sizeof(attr);
    attr.config = PERF_COUNT_SW_BPF_OUTPUT;
    attr.sample_type = PERF_SAMPLE_RAW;
    attr.sample_period = 1;
    attr.watermark = 1;
    attr.wakeup_watermark = 65536;
    const std::size_t pages = 16384; // 64 MiB a CPU, as the dtrace run beside it
    return perf_buffer__new_raw(bpf_object__find_map_fd_by_name(object, "records"), pages, &attr, count_record, &counter, nullptr);
}

bpf_link* attach(bpf_program* program, const std::vector<unsigned long>& functions)
{
    if (functions.empty())
        return bpf_program__attach(program);
    LIBBPF_OPTS(bpf_kprobe_multi_opts, options);
    options.addrs = functions.data();
    options.cnt = functions.size();
    return bpf_program__attach_kprobe_multi_opts(program, nullptr, &options);
}

} // namespace

struct Hand::Impl {
    bpf_object* object = nullptr;
    bpf_link* link = nullptr;
    perf_buffer* buffer = nullptr;
    RecordCount records;
    std::atomic<bool> stop{false};
    std::thread reader;

    ~Impl()
    {
        stop = true;
        if (reader.joinable())
            reader.join();
        bpf_link__destroy(link);
        perf_buffer__free(buffer);
        bpf_object__close(object);
    }
};

void Hand::load(const std::string& program)
{
    libbpf_set_print(nullptr);
    impl_->object = bpf_object__open(DTRACE_BENCH_HAND_OBJECT);
    bpf_program* each = nullptr;
    if (impl_->object != nullptr)
        bpf_object__for_each_program(each, impl_->object) bpf_program__set_autoload(each, program == bpf_program__name(each)); // a kernel may lack some kinds
    if (impl_->object == nullptr || bpf_object__load(impl_->object) != 0) {
        problem_ = std::string("cannot load ") + DTRACE_BENCH_HAND_OBJECT + ": " + std::strerror(errno);
        return;
    }
    if (program == "record") {
        impl_->buffer = open_buffer(impl_->object, impl_->records);
        if (impl_->buffer != nullptr) {
            impl_->reader = std::thread([impl = impl_.get()] {
                use_other_cpus();
                while (!impl->stop)
                    perf_buffer__poll(impl->buffer, 100);
            });
        }
    }
}

Hand::Hand(const std::string& program, const std::string& file, std::size_t offset) : impl_(std::make_unique<Impl>())
{
    load(program);
    auto* found = problem_.empty() ? bpf_object__find_program_by_name(impl_->object, program.c_str()) : nullptr;
    impl_->link = found == nullptr ? nullptr : bpf_program__attach_uprobe(found, false, -1, file.c_str(), offset);
    if (impl_->link == nullptr && problem_.empty())
        problem_ = "cannot attach " + program + ": " + std::strerror(errno);
}

Hand::Hand(const std::string& program, const std::vector<unsigned long>& functions) : impl_(std::make_unique<Impl>())
{
    load(program);
    if (!problem_.empty())
        return;
    auto* found = bpf_object__find_program_by_name(impl_->object, program.c_str());
    impl_->link = found == nullptr ? nullptr : attach(found, functions);
    if (impl_->link == nullptr)
        problem_ = "cannot attach " + program + ": " + std::strerror(errno);
}

void Hand::detach()
{
    bpf_link__destroy(std::exchange(impl_->link, nullptr));
}

Hand::~Hand() = default;

bool Hand::lost_records() const
{
    return impl_->records.lost > 0;
}

} // namespace dt::bench
