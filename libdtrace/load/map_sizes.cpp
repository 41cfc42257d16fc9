// Computes map sizes by the rules of the kernel's kernel/bpf/arraymap.c, hashtab.c, ringbuf.c and bpf_local_storage.c.
// If elements are allocated one by one, their sizes are rounded up as by the kernel's allocator. The second half of the
// file finds the kernel functions, tracepoints and iterators to which fentry, fexit, tp_btf and iter programs attach,
// in place of libbpf.
#include "libdtrace/load/map_sizes.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <elf.h>
#include <linux/btf.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/kernel_abi.hpp"
#include "base/proc_file.hpp"
#include "bpf-runtime/abi.h"
#include "probes/btf_file.hpp"

namespace dt {
namespace {

constexpr uint64_t kWord = 8;
constexpr uint64_t kMapHead = 512;    // size in bytes of a map without elements: struct bpf_array, bpf_htab, …
constexpr uint64_t kHashElement = 48; // size in bytes of struct htab_elem without key and value
// Size of a hash bucket in bytes. There are as many buckets as elements, rounded up to a power of two.
constexpr uint64_t kBucket = 16;
constexpr uint64_t kLocks = 8 * 4; // size in bytes of the locks of a hash, per CPU
// Pages of a ring buffer besides the data: header, consumer position and producer position.
constexpr uint64_t kRingPages = 4;
// Size of an element of thread storage: struct bpf_local_storage_elem and a share of its header.
constexpr uint64_t kStorageElement = 96;

/// Returns the size that kmalloc() allocates for `bytes`: 96, 192 or a power of two.
uint64_t allocated(uint64_t bytes)
{
    const uint64_t power = std::bit_ceil(std::max<uint64_t>(bytes, kWord));
    const uint64_t between = power / 4 * 3;
    return between >= bytes && (between == 96 || between == 192) ? between : power;
}

uint64_t rounded(uint64_t bytes, uint64_t to)
{
    return (bytes + to - 1) / to * to;
}

uint64_t hash_memory(const PlannedMap& map, const MachineSizes& machine)
{
    const bool is_per_cpu = map.type == BPF_MAP_TYPE_PERCPU_HASH;
    const uint64_t value = rounded(map.value_size, kWord), key = rounded(map.key_size, kWord);
    const uint64_t element = kHashElement + key + (is_per_cpu ? kWord : value);
    const uint64_t of_cpus = is_per_cpu ? value * machine.cpus : 0;
    const uint64_t begin = kMapHead + kBucket * std::bit_ceil(map.entries) + kLocks * machine.cpus;
    // If a map grows, the kernel allocates its elements on demand. Each element has an additional pointer for the
    // allocator's free list.
    if (map.grows())
        return begin + map.entries * (allocated(element + kWord) + of_cpus + (is_per_cpu ? 2 * kWord : 0));
    return begin + (map.entries + machine.cpus) * (element + of_cpus) + kWord * machine.cpus;
}

uint64_t array_memory(const PlannedMap& map, const MachineSizes& machine)
{
    const uint64_t value = rounded(map.value_size, kWord);
    if (map.type == BPF_MAP_TYPE_PERCPU_ARRAY)
        return kMapHead + map.entries * (kWord + value * machine.cpus);
    if (map.flags & BPF_F_MMAPABLE)
        return machine.page + rounded(map.entries * value, machine.page);
    return kMapHead + map.entries * value;
}

} // namespace

MachineSizes machine_sizes(uint32_t cpus)
{
    MachineSizes machine{std::max(cpus, 1U), static_cast<uint64_t>(sysconf(_SC_PAGESIZE)), 0};
    std::ifstream("/proc/sys/kernel/threads-max") >> machine.threads;
    return machine;
}

bool PlannedMap::grows() const
{
    return type == BPF_MAP_TYPE_TASK_STORAGE || (flags & BPF_F_NO_PREALLOC) != 0;
}

void set_machine_sizes(bpf_object* object, const MachineSizes& machine)
{
    const struct {
        const char* map;
        uint32_t entries;
    } kSizes[] = {{DT_MAP_BUFFERS, machine.cpus},
                  {DT_MAP_MMAP_RINGS, machine.cpus},
                  {DT_MAP_LOSSES, machine.cpus},
                  {DT_MAP_ACTIVE_EPOCH, machine.cpus},
                  {DT_MAP_SCRATCH, machine.cpus * DT_SLOTS},
                  {DT_MAP_WAKEUP, static_cast<uint32_t>(machine.page)}};
    for (const auto& size : kSizes)
        if (bpf_map* map = bpf_object__find_map_by_name(object, size.map))
            bpf_map__set_max_entries(map, size.entries);
}

std::vector<PlannedMap> planned_maps(const Object& object, const MachineSizes& machine)
{
    know_function_sections();
    LIBBPF_OPTS(bpf_object_open_opts, options);
    options.object_name = "dtrace";
    bpf_object* const opened = bpf_object__open_mem(object.elf.data(), object.elf.size(), &options);
    if (!opened)
        return {};
    set_machine_sizes(opened, machine);
    std::vector<PlannedMap> maps;
    const bpf_map* map = nullptr;
    bpf_object__for_each_map(map, opened)
    {
        maps.push_back({bpf_map__name(map), static_cast<uint32_t>(bpf_map__type(map)), bpf_map__key_size(map),
                        bpf_map__value_size(map), bpf_map__map_flags(map), bpf_map__max_entries(map)});
    }
    bpf_object__close(opened);
    return maps;
}

uint64_t max_map_memory(const PlannedMap& map, const MachineSizes& machine)
{
    switch (map.type) {
    case BPF_MAP_TYPE_HASH:
    case BPF_MAP_TYPE_PERCPU_HASH:
    case BPF_MAP_TYPE_LRU_HASH:
        return hash_memory(map, machine);
    case BPF_MAP_TYPE_ARRAY:
    case BPF_MAP_TYPE_PERCPU_ARRAY:
        return array_memory(map, machine);
    case BPF_MAP_TYPE_RINGBUF:
        return kMapHead + kRingPages * machine.page + map.entries;
    case BPF_MAP_TYPE_TASK_STORAGE:
        return kMapHead + machine.threads * allocated(kStorageElement + map.value_size);
    default: // maps of all other types are arrays with a pointer per entry
        return kMapHead + map.entries * kWord;
    }
}

uint64_t map_memory(int map)
{
    static constexpr std::string_view kName = "memlock:";
    const std::string text = read_proc_file("/proc/self/fdinfo/" + std::to_string(map));
    const std::size_t at = text.find(kName);
    if (at == std::string::npos)
        return 0;
    std::istringstream value(text.substr(at + kName.size()));
    uint64_t bytes = 0;
    value >> bytes;
    return bytes;
}

uint32_t map_id(int map)
{
    bpf_map_info info{};
    uint32_t size = sizeof info;
    return bpf_obj_get_info_by_fd(map, &info, &size) == 0 ? info.id : 0;
}

uint64_t resident_memory()
{
    std::istringstream text(read_proc_file("/proc/self/statm"));
    uint64_t whole = 0, resident = 0;
    text >> whole >> resident;
    return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t mapped_from_kernel(std::string_view smaps)
{
    static constexpr std::string_view kOfKernel = "anon_inode:", kResident = "Rss:";
    std::istringstream lines{std::string(smaps)};
    uint64_t kilobytes = 0;
    bool is_of_kernel = false;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first;
        uint64_t size = 0;
        words >> first;
        // a line whose first word has no colon is the first line of the next mapping: "begin-end rwxp offset device
        // inode name"
        if (!first.ends_with(':'))
            is_of_kernel = line.find(kOfKernel) != std::string::npos;
        else if (is_of_kernel && first == kResident && words >> size)
            kilobytes += size;
    }
    return kilobytes << 10;
}

uint64_t own_memory()
{
    const uint64_t all = resident_memory(), mapped = mapped_from_kernel(read_proc_file("/proc/self/smaps"));
    return all > mapped ? all - mapped : all;
}

// Section handlers for libbpf. To load an fentry or fexit program, the kernel needs the BTF id of the traced function.
// To load a tp_btf program, it needs the BTF id of the tracepoint; to load an iterator, the BTF id of the iterator's
// function.
//
// The search by name in libbpf first parses all kernel types, which takes 8 ms, and half a second in an emulated
// machine. The handlers here find the id in the unparsed BTF file.

namespace {

// Marks a helper call that is hidden from libbpf. The mark is in the field dst_reg, which call instructions do not use;
// libbpf does not recognize calls with this mark.
constexpr uint8_t kHiddenCall = 1;

bool is_helper_call(const bpf_insn& insn, uint8_t mark)
{
    return insn.code == (BPF_JMP | BPF_CALL) && insn.src_reg == 0 && insn.dst_reg == mark;
}

/// Undoes hide_read_calls(). Runs after libbpf has searched the program for calls, and before the program is passed to
/// the kernel.
int restore_read_calls(bpf_program* program, bpf_prog_load_opts*, long)
{
    const std::size_t count = bpf_program__insn_cnt(program);
    std::vector<bpf_insn> insns(bpf_program__insns(program), bpf_program__insns(program) + count);
    bool is_changed = false;
    for (bpf_insn& insn : insns)
        if (is_helper_call(insn, kHiddenCall)) {
            insn.dst_reg = 0;
            is_changed = true;
        }
    return is_changed ? bpf_program__set_insns(program, insns.data(), count) : 0;
}

/// For a tracing program, libbpf parses the kernel's types to find the attach target, unless the target is another BPF
/// program. To avoid the parsing, this function pretends that the target is a BPF program. The handler that runs at
/// loading then sets the real target.
int set_up(bpf_program* program, long)
{
    constexpr int kSomeProgram = 1;
    return bpf_program__set_attach_target(program, kSomeProgram, nullptr);
}

/// Prefixes of the names by which the kernel's type information contains the targets of the sections.
constexpr char kNoPrefix[] = "", kTracepointPrefix[] = "btf_trace_", kIteratorPrefix[] = "bpf_iter_";

template <uint32_t Kind, const char* Prefix> int find_target(bpf_program* program, bpf_prog_load_opts* options, long)
{
    if (const int code = restore_read_calls(program, options, 0); code != 0)
        return code;
    const std::string section = bpf_program__section_name(program);
    const auto types = probes::BtfFile::open("/sys/kernel/btf/vmlinux");
    if (!types)
        return -ENOENT;
    const uint32_t id = types.value()->find(Prefix + section.substr(section.find('/') + 1),
                                            [](const btf_type* type) { return BTF_INFO_KIND(type->info) == Kind; });
    options->attach_prog_fd = 0;
    options->attach_btf_id = id;
    return id == 0 ? -ESRCH : 0;
}

/// Loads a program for many functions ("fentry.multi") without the name of a function, because the list of functions is
/// passed to the kernel only when the program is attached.
int name_no_function(bpf_program* program, bpf_prog_load_opts* options, long)
{
    options->attach_prog_fd = 0;
    return restore_read_calls(program, options, 0);
}

/// Sections that need a handler only because it must call restore_read_calls().
constexpr struct {
    const char* section;
    bpf_prog_type type;
    bpf_attach_type attach_type = BPF_CGROUP_INET_INGRESS; // attach type 0, for programs that need no attach type
} kOtherSections[] = {
    {"raw_tp+", BPF_PROG_TYPE_RAW_TRACEPOINT},
    {"perf_event", BPF_PROG_TYPE_PERF_EVENT},
    {"tracepoint+", BPF_PROG_TYPE_TRACEPOINT},
    {"kprobe+", BPF_PROG_TYPE_KPROBE},
    {"kretprobe+", BPF_PROG_TYPE_KPROBE},
    {"kprobe.multi+", BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI},
    {"kretprobe.multi+", BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI},
    {"uprobe+", BPF_PROG_TYPE_KPROBE},
    {"uretprobe+", BPF_PROG_TYPE_KPROBE},
};

bool know_other_sections()
{
    LIBBPF_OPTS(libbpf_prog_handler_opts, handlers);
    handlers.prog_prepare_load_fn = restore_read_calls;
    return std::all_of(std::begin(kOtherSections), std::end(kOtherSections), [&](const auto& each) {
        return libbpf_register_prog_handler(each.section, each.type, each.attach_type, &handlers) >= 0;
    });
}

/// Returns the headers of the sections of an ELF file for BPF, or nothing if they are damaged.
std::span<Elf64_Shdr> sections_of(std::span<uint8_t> elf)
{
    Elf64_Ehdr head;
    if (elf.size() < sizeof head)
        return {};
    std::memcpy(&head, elf.data(), sizeof head);
    const std::size_t bytes = head.e_shnum * sizeof(Elf64_Shdr);
    if (head.e_shoff % alignof(Elf64_Shdr) != 0 || head.e_shoff > elf.size() || bytes > elf.size() - head.e_shoff)
        return {};
    return {reinterpret_cast<Elf64_Shdr*>(elf.data() + head.e_shoff), head.e_shnum};
}

} // namespace

bool hide_read_calls(std::span<uint8_t> elf)
{
    static const bool known = know_other_sections();
    if (!known)
        return false;
    for (const Elf64_Shdr& section : sections_of(elf)) {
        if ((section.sh_flags & SHF_EXECINSTR) == 0 || section.sh_offset > elf.size() ||
            section.sh_size > elf.size() - section.sh_offset)
            continue;
        for (uint64_t at = 0; at + sizeof(bpf_insn) <= section.sh_size; at += sizeof(bpf_insn)) {
            bpf_insn insn;
            uint8_t* const place = elf.data() + section.sh_offset + at;
            std::memcpy(&insn, place, sizeof insn);
            if (!is_helper_call(insn, 0) || insn.imm < BPF_FUNC_probe_read_user ||
                insn.imm > BPF_FUNC_probe_read_kernel_str)
                continue;
            insn.dst_reg = kHiddenCall;
            std::memcpy(place, &insn, sizeof insn);
        }
    }
    return true;
}

void know_function_sections()
{
    static const bool known = [] {
        LIBBPF_OPTS(libbpf_prog_handler_opts, handlers);
        handlers.prog_setup_fn = set_up;
        handlers.prog_prepare_load_fn = find_target<BTF_KIND_FUNC, kNoPrefix>;
        LIBBPF_OPTS(libbpf_prog_handler_opts, of_tracepoints);
        of_tracepoints.prog_setup_fn = set_up;
        of_tracepoints.prog_prepare_load_fn = find_target<BTF_KIND_TYPEDEF, kTracepointPrefix>;
        LIBBPF_OPTS(libbpf_prog_handler_opts, of_iterators);
        of_iterators.prog_setup_fn = set_up;
        of_iterators.prog_prepare_load_fn = find_target<BTF_KIND_FUNC, kIteratorPrefix>;
        LIBBPF_OPTS(libbpf_prog_handler_opts, of_many);
        of_many.prog_setup_fn = set_up;
        of_many.prog_prepare_load_fn = name_no_function;
        const auto know = [](const char* section, uint32_t attach_type, const libbpf_prog_handler_opts& opts) {
            return libbpf_register_prog_handler(section, BPF_PROG_TYPE_TRACING,
                                                static_cast<bpf_attach_type>(attach_type), &opts) >= 0;
        };
        return know("fentry+", BPF_TRACE_FENTRY, handlers) && know("fexit+", BPF_TRACE_FEXIT, handlers) &&
               know("tp_btf+", BPF_TRACE_RAW_TP, of_tracepoints) && know("iter+", BPF_TRACE_ITER, of_iterators) &&
               know("fentry.multi", abi::kTraceFentryMulti, of_many);
    }();
    (void)known; // the result is ignored: if registering fails, libbpf uses its own handlers
}

} // namespace dt
