// Loads the hand-written programs and reads their results.
#include "test/bench/hand.hpp"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <thread>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "test/bench/loop.hpp"

namespace dt::bench {

namespace {

// Reads every byte of a record, as a consumer must that prints the record.
int take_record(void* reader, void* data, std::size_t size)
{
    auto* sum = static_cast<volatile uint64_t*>(reader);
    const auto* bytes = static_cast<const uint8_t*>(data);
    sum[0] = sum[0] + 1;
    sum[1] = std::accumulate(bytes, bytes + size, sum[1]);
    return 0;
}

// Attaches a program by its type. libbpf's automatic attachment fails for ELF sections for which the tracer has
// registered handlers (map_sizes.cpp).
bpf_link* attach_by_type(const bpf_program* program)
{
    return bpf_program__type(program) == BPF_PROG_TYPE_TRACING ? bpf_program__attach_trace(program)
                                                               : bpf_program__attach(program);
}

bpf_link* attach_multi(bpf_program* program, const std::vector<unsigned long>& functions)
{
    LIBBPF_OPTS(bpf_kprobe_multi_opts, options);
    options.addrs = functions.data();
    options.cnt = functions.size();
    return bpf_program__attach_kprobe_multi_opts(program, nullptr, &options);
}

bpf_map* variables(bpf_object* object)
{
    bpf_map* each = nullptr;
    bpf_object__for_each_map(each, object)
    {
        const std::string name = bpf_map__name(each);
        if (name.size() >= 4 && name.compare(name.size() - 4, 4, ".bss") == 0)
            return each;
    }
    return nullptr;
}

bpf_map* result_of(bpf_object* object)
{
    bpf_map* result = bpf_object__find_map_by_name(object, "result");
    return result != nullptr ? result : variables(object);
}

bool per_cpu(const bpf_map* map)
{
    const auto type = bpf_map__type(map);
    return type == BPF_MAP_TYPE_PERCPU_ARRAY || type == BPF_MAP_TYPE_PERCPU_HASH;
}

template <typename Visit> void each_element(const bpf_map* map, Visit visit)
{
    const std::size_t copies = per_cpu(map) ? static_cast<std::size_t>(libbpf_num_possible_cpus()) : 1;
    std::vector<uint64_t> value((bpf_map__value_size(map) + 7) / 8 * copies);
    std::vector<uint8_t> key(bpf_map__key_size(map)), next(key.size());
    const int fd = bpf_map__fd(map);
    for (void* from = nullptr; bpf_map_get_next_key(fd, from, next.data()) == 0; from = key.data()) {
        key = next;
        if (bpf_map_lookup_elem(fd, key.data(), value.data()) == 0)
            visit(value);
    }
}

} // namespace

struct Hand::Impl {
    struct Place {
        std::string program; ///< name of the program in the object file
        std::function<bpf_link*()> attach;
    };

    bpf_object* object = nullptr;
    std::vector<Place> places;
    std::vector<bpf_link*> links;
    ring_buffer* buffer = nullptr;
    volatile uint64_t records[2] = {0, 0}; // number of records, and sum of their bytes
    std::jthread reader;

    void detach()
    {
        for (auto* link : links)
            bpf_link__destroy(link);
        links.clear();
    }
    ~Impl()
    {
        stop_reading();
        detach();
        ring_buffer__free(buffer);
        bpf_object__close(object);
    }
    void stop_reading()
    {
        reader.request_stop();
        if (reader.joinable())
            reader.join();
    }
};

void Hand::load(const std::string& path, const std::string& program)
{
    libbpf_set_print(nullptr);
    impl_->object = bpf_object__open(path.c_str());
    bpf_program* each = nullptr;
    if (impl_->object != nullptr && !program.empty())
        bpf_object__for_each_program(each, impl_->object)
            // loads only this program, because the kernel may lack the program types of the others
            bpf_program__set_autoload(each, program == bpf_program__name(each));
    if (impl_->object == nullptr || bpf_object__load(impl_->object) != 0)
        problem_ = "cannot load " + path + ": " + std::strerror(errno);
}

Hand::Hand(const HandObject& object) : impl_(std::make_unique<Impl>())
{
    load(object.path, {});
    if (!problem_.empty())
        return;
    if (const int records = bpf_object__find_map_fd_by_name(impl_->object, "records"); records >= 0) {
        impl_->buffer = ring_buffer__new(records, take_record, const_cast<uint64_t*>(impl_->records), nullptr);
        impl_->reader = std::jthread([impl = impl_.get()](const std::stop_token& stop) {
            use_other_cpus();
            for (; !stop.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(20)))
                ring_buffer__consume(impl->buffer);
        });
    }
    bpf_program* each = nullptr;
    bpf_object__for_each_program(each, impl_->object)
        impl_->places.push_back({bpf_program__name(each), [each] { return attach_by_type(each); }});
    attach();
}

bool Hand::has_records() const
{
    return impl_->buffer != nullptr;
}

void Hand::attach()
{
    for (const auto& [program, attach_it] : impl_->places)
        if (bpf_link* link = attach_it())
            impl_->links.push_back(link);
        else
            problem_ = "cannot attach " + program + ": " + std::strerror(errno);
}

void Hand::attach_one(const std::string& program, const std::function<bpf_link*(bpf_program*)>& attach_it)
{
    load(DTRACE_BENCH_HAND_OBJECT, program);
    if (!problem_.empty())
        return;
    auto* found = bpf_object__find_program_by_name(impl_->object, program.c_str());
    impl_->places.push_back({program, [=] { return found == nullptr ? nullptr : attach_it(found); }});
    attach();
}

Hand::Hand(const std::string& program, const std::string& file, std::size_t offset) : impl_(std::make_unique<Impl>())
{
    attach_one(program,
               [=](bpf_program* found) { return bpf_program__attach_uprobe(found, false, -1, file.c_str(), offset); });
}

Hand::Hand(const std::string& program, const std::vector<unsigned long>& functions) : impl_(std::make_unique<Impl>())
{
    attach_one(program, [=](bpf_program* found) {
        return functions.empty() ? attach_by_type(found) : attach_multi(found, functions);
    });
}

void Hand::detach()
{
    impl_->detach();
}

Hand::~Hand() = default;

unsigned long long Hand::sum() const
{
    unsigned long long sum = 0;
    if (const bpf_map* result = result_of(impl_->object))
        each_element(result, [&](const std::vector<uint64_t>& value) {
            sum = std::accumulate(value.begin(), value.end(), sum);
        });
    return sum;
}

unsigned long long Hand::elements() const
{
    unsigned long long elements = 0;
    if (const bpf_map* result = result_of(impl_->object))
        each_element(result, [&](const std::vector<uint64_t>&) { elements++; });
    return elements;
}

unsigned long long Hand::records()
{
    impl_->stop_reading();
    if (impl_->buffer != nullptr)
        ring_buffer__consume(impl_->buffer);
    return impl_->records[0];
}

unsigned long long Hand::lost() const
{
    const bpf_map* counter = variables(impl_->object);
    if (counter == nullptr || counter == result_of(impl_->object))
        return 0;
    unsigned long long lost = 0;
    each_element(counter, [&](const std::vector<uint64_t>& value) { lost += value.front(); });
    return lost;
}

} // namespace dt::bench
