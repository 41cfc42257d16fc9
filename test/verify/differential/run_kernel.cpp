// Runs a compiled program in the kernel through libbpf. Returns its results, or the verifier's error message.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "bpf-runtime/abi.h"
#include "libdtrace/load/loaded_maps.hpp"
#include "test/verify/differential/observe.hpp"

namespace dt::differential {

namespace {

constexpr std::size_t kLogSize = std::size_t{1} << 22;
constexpr int kBufferPages = 16;

/// Room in a hash map whose elements the kernel allocates when it creates the map (Linux 5.10). Programs store a few
/// keys, and an emulated kernel needs a second to allocate the 65,536 elements of an ordinary trace.
constexpr uint32_t kElements = 512;

Error failed(const std::string& what, int code)
{
    return {what + ": " + std::strerror(code), code};
}

class KernelRunner final : public Runner {
public:
    KernelRunner() : cpus_(static_cast<uint32_t>(libbpf_num_possible_cpus())) { libbpf_set_print(nullptr); }
    ~KernelRunner() override { close(); }

    const char* name() const override { return "kernel"; }

    Result<void> run(const Object& object, std::size_t context_words) override
    {
        if (auto loaded = load(object); !loaded)
            return loaded;
        samples_.clear();
        perf_buffer* buffer = perf_buffer__new(
            map_fd(DT_MAP_BUFFERS), kBufferPages,
            [](void* self, int, void* data, uint32_t size) {
                const auto* bytes = static_cast<const uint8_t*>(data);
                static_cast<KernelRunner*>(self)->samples_.emplace_back(bytes, bytes + size);
            },
            nullptr, this, nullptr);
        if (!buffer)
            return failed("perf_buffer__new", errno);
        std::vector<uint64_t> context(context_words);
        LIBBPF_OPTS(bpf_test_run_opts, options);
        options.ctx_in = context.data();
        options.ctx_size_in = static_cast<uint32_t>(context.size() * 8);
        const bpf_program* program =
            bpf_object__find_program_by_name(object_, object.schema.programs.at(0).name.c_str());
        const int status = program ? bpf_prog_test_run_opts(bpf_program__fd(program), &options) : -ENOENT;
        perf_buffer__consume(buffer);
        perf_buffer__free(buffer);
        return status ? Result<void>(failed("test run", -status)) : Result<void>();
    }

    const std::vector<Bytes>& samples() const override { return samples_; }

    Result<void> entries(const std::string& name,
                         const std::function<void(const Bytes&, const std::vector<Bytes>&)>& visit) override
    {
        const bpf_map* map = bpf_object__find_map_by_name(object_, name.c_str());
        if (!map)
            return Error{"no map " + name};
        const int fd = bpf_map__fd(map);
        const std::size_t stride = (bpf_map__value_size(map) + 7) & ~std::size_t{7};
        const bool per_cpu =
            bpf_map__type(map) == BPF_MAP_TYPE_PERCPU_HASH || bpf_map__type(map) == BPF_MAP_TYPE_PERCPU_ARRAY;
        const uint32_t copies = per_cpu ? cpus_ : 1;
        Bytes key(bpf_map__key_size(map)), all(stride * copies);
        for (void* previous = nullptr; bpf_map_get_next_key(fd, previous, key.data()) == 0; previous = key.data()) {
            if (bpf_map_lookup_elem(fd, key.data(), all.data()))
                return failed("look-up in " + name, errno);
            std::vector<Bytes> values;
            for (uint32_t cpu = 0; cpu < copies; ++cpu)
                values.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(cpu * stride),
                                    all.begin() + static_cast<std::ptrdiff_t>((cpu + 1) * stride));
            visit(key, values);
        }
        return {};
    }

private:
    int map_fd(const char* name) const
    {
        const bpf_map* map = bpf_object__find_map_by_name(object_, name);
        return map ? bpf_map__fd(map) : -1;
    }

    bool open(const Object& object)
    {
        close();
        object_ = bpf_object__open_mem(object.elf.data(), object.elf.size(), nullptr);
        if (!object_)
            return false;
        const struct {
            const char* map;
            uint32_t entries;
        } sizes[] = {{DT_MAP_BUFFERS, cpus_},
                     {DT_MAP_MMAP_RINGS, cpus_},
                     {DT_MAP_LOSSES, cpus_},
                     {DT_MAP_SCRATCH, cpus_ * DT_SLOTS}};
        for (const auto& size : sizes)
            if (bpf_map* map = bpf_object__find_map_by_name(object_, size.map))
                bpf_map__set_max_entries(map, size.entries);
        bpf_map* map = nullptr;
        bpf_object__for_each_map(map, object_)
        {
            const bool is_hash =
                bpf_map__type(map) == BPF_MAP_TYPE_HASH || bpf_map__type(map) == BPF_MAP_TYPE_PERCPU_HASH;
            if (is_hash && !(bpf_map__map_flags(map) & BPF_F_NO_PREALLOC) && bpf_map__max_entries(map) > kElements)
                bpf_map__set_max_entries(map, kElements);
        }
        return true;
    }

    /// Loads the object without a verifier log. If the kernel refuses it, loads it again with a log; the end of the log
    /// is the error message.
    Result<void> load(const Object& object)
    {
        if (!open(object))
            return failed("bpf_object__open_mem", errno);
        const InnerMaps inner(object_, object.schema);
        const int status = bpf_object__load(object_);
        if (status == 0)
            return {};
        std::vector<char> log(kLogSize);
        if (!open(object))
            return failed("bpf_object__open_mem", errno);
        bpf_program* program = nullptr;
        bpf_object__for_each_program(program, object_)
        {
            bpf_program__set_log_level(program, 1);
            bpf_program__set_log_buf(program, log.data(), log.size());
        }
        const InnerMaps again(object_, object.schema);
        bpf_object__load(object_);
        const std::string text = log.data();
        const std::size_t most = 1500;
        return Error{"the kernel refuses it: " + std::string(std::strerror(-status)) + "\n" +
                         (text.size() > most ? text.substr(text.size() - most) : text),
                     -status};
    }

    void close()
    {
        bpf_object__close(object_);
        object_ = nullptr;
    }

    uint32_t cpus_;
    bpf_object* object_ = nullptr;
    std::vector<Bytes> samples_;
};

/// Returns whether this process may load programs.
bool allowed()
{
    const bpf_insn nothing[] = {{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0}, {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
    const int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "probe", "GPL", nothing, 2, nullptr);
    if (fd < 0)
        return false;
    ::close(fd);
    return true;
}

} // namespace

std::unique_ptr<Runner> kernel_runner()
{
    return allowed() ? std::make_unique<KernelRunner>() : nullptr;
}

} // namespace dt::differential
