#include "test/verify/loaded.hpp"

#include <bpf/bpf.h>

#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "bpf-runtime/embedded.hpp"
#include "dcompiler/object/emit.hpp"

namespace dt::test {
namespace {

thread_local std::string libbpf_text;

int keep_text(libbpf_print_level level, const char* format, va_list args)
{
    if (level == LIBBPF_DEBUG)
        return 0;
    char line[1 << 16];
    const int n = vsnprintf(line, sizeof line, format, args);
    libbpf_text += line;
    return n;
}

} // namespace

bool can_load()
{
    const bpf_insn insns[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K}, {.code = BPF_JMP | BPF_EXIT}};
    const int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "probe", "GPL", insns, 2, nullptr);
    if (fd < 0)
        return false;
    close(fd);
    return true;
}

Sketch::Sketch()
{
    ir::Function f;
    f.name = "prog";
    f.section = "raw_tp/sys_enter";
    f.param_mem = {ir::Mem::Context};
    f.param_region = {0};
    module.functions.push_back(std::move(f));
}

uint32_t Sketch::add_map(std::string name, uint32_t type, uint32_t key, uint32_t value, uint32_t entries,
                         uint32_t flags)
{
    module.maps.push_back({std::move(name), type, key, value, entries, flags});
    return static_cast<uint32_t>(module.maps.size() - 1);
}

uint32_t Sketch::add_data(std::string name, std::string section, uint32_t size, std::vector<uint8_t> bytes)
{
    module.data.push_back({std::move(name), std::move(section), size, 8, std::move(bytes)});
    return static_cast<uint32_t>(module.data.size() - 1);
}

uint32_t Sketch::add_function(std::string name, uint32_t params, std::vector<ir::Mem> mem, std::vector<uint32_t> region)
{
    ir::Function f;
    f.name = std::move(name);
    f.params = params;
    mem.resize(params, ir::Mem::None);
    region.resize(params, 0);
    f.param_mem = std::move(mem);
    f.param_region = std::move(region);
    module.functions.push_back(std::move(f));
    return static_cast<uint32_t>(module.functions.size() - 1);
}

Loaded::Loaded(const ir::Module& module) : object_(nullptr, bpf_object__close)
{
    libbpf_text.clear();
    libbpf_set_print(keep_text);
    const auto runtime = embedded_runtime();
    auto elf = emit_elf(module, runtime);
    if (elf)
        elf = link(elf.value(), runtime_calls(module), runtime);
    if (!elf) {
        error_ = elf.error().message + "\n" + libbpf_text;
        return;
    }
    bpf_object_open_opts options{};
    options.sz = sizeof options;
    options.object_name = "test";
    object_.reset(bpf_object__open_mem(elf->data(), elf->size(), &options));
    if (!object_) {
        error_ = "open: " + std::string(std::strerror(errno)) + "\n" + libbpf_text;
        return;
    }
    if (const int code = bpf_object__load(object_.get()))
        error_ = "load: " + std::string(std::strerror(-code)) + "\n" + libbpf_text;
}

std::optional<uint32_t> Loaded::run(const std::vector<uint64_t>& context, const char* name)
{
    bpf_program* program = object_ ? bpf_object__find_program_by_name(object_.get(), name) : nullptr;
    if (!program)
        return std::nullopt;
    bpf_test_run_opts options{};
    options.sz = sizeof options;
    options.ctx_in = context.empty() ? nullptr : context.data();
    options.ctx_size_in = static_cast<uint32_t>(context.size() * 8);
    if (bpf_prog_test_run_opts(bpf_program__fd(program), &options) != 0)
        return std::nullopt;
    return options.retval;
}

uint64_t Loaded::word(const char* section, uint32_t offset)
{
    bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object_.get())
    {
        const std::string name = bpf_map__name(map);
        if (!name.ends_with(section))
            continue;
        std::vector<char> bytes(bpf_map__value_size(map));
        const uint32_t zero = 0;
        uint64_t value = ~uint64_t{0};
        if (bpf_map_lookup_elem(bpf_map__fd(map), &zero, bytes.data()) == 0 && offset + 8 <= bytes.size())
            std::memcpy(&value, bytes.data() + offset, 8);
        return value;
    }
    return ~uint64_t{0};
}

int Loaded::map_fd(const char* name)
{
    return bpf_object__find_map_fd_by_name(object_.get(), name);
}

} // namespace dt::test
