// Implements the kernel's BPF helpers. Results, errors (negative errno) and buffer contents after a failure are those
// of kernel/bpf/helpers.c and kernel/trace/bpf_trace.c.
#include "engine/vm/helpers.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include "base/kernel_abi.hpp"
#include "engine/vm/interpreter.hpp"

namespace dt::vm {

// Reads this process's own memory, also at unmapped addresses without a fault. Probe sites in a host process pass
// pointers into that process.

/// Fills `to` from `address`. Returns 0, or -EFAULT and zeros.
int read_own_memory(std::span<uint8_t> to, uint64_t address);

/// Copies text up to its NUL: at most to.size() - 1 characters and a NUL. Returns the number of bytes including the
/// NUL, or -EFAULT and zeros.
int64_t read_own_text(std::span<uint8_t> to, uint64_t address);

namespace {

constexpr uint64_t kMaxLoops = 1 << 23; // maximum number of iterations of bpf_loop(), as BPF_MAX_LOOPS in the kernel
constexpr uint64_t kSkipMask = 0xff;    // mask of the bits in bpf_get_stack()'s flags that give the frames to skip

uint64_t negative(int error)
{
    return static_cast<uint64_t>(static_cast<int64_t>(-error));
}

uint64_t result_of(int status)
{
    return static_cast<uint64_t>(static_cast<int64_t>(status));
}

// ---- maps

uint64_t map_lookup(Interpreter& run, const Arguments& a)
{
    Map* map = run.map(a[0]);
    const uint8_t* key = map ? run.read(a[1], map->spec().key_size) : nullptr;
    if (!key)
        return 0;
    return run.expect(map->lookup({key, map->spec().key_size}, run.environment().cpu), map->spec().value_size);
}

uint64_t map_update(Interpreter& run, const Arguments& a)
{
    Map* map = run.map(a[0]);
    const uint8_t* key = map ? run.read(a[1], map->spec().key_size) : nullptr;
    const uint8_t* value = key ? run.read(a[2], map->spec().value_size) : nullptr;
    if (!value)
        return 0;
    return result_of(
        map->update({key, map->spec().key_size}, {value, map->spec().value_size}, a[3], run.environment().cpu));
}

uint64_t map_delete(Interpreter& run, const Arguments& a)
{
    Map* map = run.map(a[0]);
    const uint8_t* key = map ? run.read(a[1], map->spec().key_size) : nullptr;
    return key ? result_of(map->erase({key, map->spec().key_size})) : 0;
}

uint64_t map_lookup_percpu(Interpreter& run, const Arguments& a)
{
    Map* map = run.map(a[0]);
    const uint8_t* key = map ? run.read(a[1], map->spec().key_size) : nullptr;
    return key && a[2] < run.cpus() ? map->lookup({key, map->spec().key_size}, static_cast<uint32_t>(a[2])) : 0;
}

uint64_t task_storage_get(Interpreter& run, const Arguments& a)
{
    Map* map = run.map(a[0]);
    if (!map || !a[1] || a[3] > BPF_LOCAL_STORAGE_GET_F_CREATE)
        return 0;
    const uint32_t size = map->spec().value_size;
    if (const uint64_t value = map->task_value(a[1]))
        return run.expect(value, size);
    const uint64_t value = a[3] != 0 ? map->make_task_value(a[1]) : 0;
    if (value && a[2])
        if (const uint8_t* initial = run.read(a[2], size))
            std::memcpy(run.vm().memory().host(value, size), initial, size);
    return run.expect(value, size);
}

uint64_t task_storage_delete(Interpreter& run, const Arguments& a)
{
    Map* map = run.map(a[0]);
    return map ? result_of(map->erase_task(a[1])) : 0;
}

uint64_t perf_event_output(Interpreter& run, const Arguments& a)
{
    Map* map = run.map(a[1]);
    const uint8_t* data = map ? run.read(a[3], a[4]) : nullptr;
    if (!data)
        return 0;
    const uint64_t index = a[2] & uint64_t{abi::kCurrentCpu};
    const uint32_t cpu = index == uint64_t{abi::kCurrentCpu} ? run.environment().cpu : static_cast<uint32_t>(index);
    if (a[2] >> 32)
        return negative(EINVAL);
    if (cpu >= map->spec().max_entries)
        return negative(E2BIG);
    if (cpu != run.environment().cpu)
        return negative(EOPNOTSUPP); // bpf_perf_event_output() may only select the buffer of the current CPU
    return result_of(map->output({cpu, run.environment().moment(), {data, data + a[4]}}));
}

/// Stores the record as a sample, because the ring has no reader.
uint64_t ringbuf_output(Interpreter& run, const Arguments& a)
{
    Map* map = run.map(a[0]);
    const uint8_t* data = map ? run.read(a[1], a[2]) : nullptr;
    if (!data)
        return 0;
    if (a[3] & ~static_cast<uint64_t>(abi::kNoWakeup | abi::kForceWakeup))
        return negative(EINVAL);
    Environment& now = run.environment();
    return map->output({now.cpu, now.moment(), {data, data + a[2]}}) == 0 ? 0 : negative(EAGAIN);
}

// ---- identity and time

uint64_t ktime(Interpreter& run, const Arguments&)
{
    const uint64_t now = run.environment().moment();
    run.environment().time += run.environment().time_step;
    return now;
}

/// Implements bpf_ktime_get_boot_ns(), which only code that measures costs calls. Reads the clock at each call if the
/// environment has one.
uint64_t ktime_boot(Interpreter& run, const Arguments& a)
{
    const Environment& environment = run.environment();
    return environment.clock ? environment.clock() : ktime(run, a);
}

/// Generates xorshift64 numbers: any sequence is fine as long as tests can repeat it.
uint64_t prandom(Interpreter& run, const Arguments&)
{
    uint64_t& x = run.environment().random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x & 0xffffffff;
}

uint64_t processor(Interpreter& run, const Arguments&)
{
    return run.environment().cpu;
}

uint64_t pid_tgid(Interpreter& run, const Arguments&)
{
    return static_cast<uint64_t>(run.environment().pid) << 32 | run.environment().tid;
}

uint64_t uid_gid(Interpreter& run, const Arguments&)
{
    return static_cast<uint64_t>(run.environment().gid) << 32 | run.environment().uid;
}

uint64_t comm(Interpreter& run, const Arguments& a)
{
    uint8_t* to = run.write(a[0], a[1]);
    if (!to || !a[1])
        return 0;
    const std::string& name = run.environment().comm;
    const std::size_t length = std::min({name.size(), std::size_t{15}, static_cast<std::size_t>(a[1] - 1)});
    std::memset(to, 0, a[1]);
    std::memcpy(to, name.data(), length);
    return 0;
}

uint64_t current_task(Interpreter& run, const Arguments&)
{
    return run.environment().task;
}

uint64_t task_registers(Interpreter& run, const Arguments& a)
{
    return a[0] == run.environment().task ? run.task_registers() : 0;
}

uint64_t cgroup(Interpreter& run, const Arguments&)
{
    return run.environment().cgroup;
}

uint64_t cookie(Interpreter& run, const Arguments&)
{
    return run.environment().cookie;
}

// ---- reads of memory that is possibly not mapped

/// Returns the region that bpf_probe_read_user() (`user`) or bpf_probe_read_kernel() may read at `address`, or null.
/// User memory and other memory are read by different helpers.
const Region* probed(Interpreter& run, uint64_t address, bool user)
{
    const Region* region = run.find(address, 1);
    return region && (region->kind == Kind::User) == user ? region : nullptr;
}

uint64_t probe_read(Interpreter& run, const Arguments& a, bool user)
{
    uint8_t* to = run.write(a[0], a[1]);
    if (!to || !a[1])
        return 0;
    const Region* region = probed(run, a[2], user);
    if (!region || a[1] > region->size - (a[2] - region->address)) {
        std::memset(to, 0, a[1]);
        return negative(EFAULT);
    }
    std::memmove(to, region->host + (a[2] - region->address), a[1]);
    return 0;
}

uint64_t probe_read_str(Interpreter& run, const Arguments& a, bool user)
{
    uint8_t* to = run.write(a[0], a[1]);
    if (!to || !a[1])
        return 0;
    const Region* region = probed(run, a[2], user);
    const uint64_t room = region ? region->size - (a[2] - region->address) : 0;
    const uint8_t* from = region ? region->host + (a[2] - region->address) : nullptr;
    const uint64_t most = std::min(room, a[1]);
    const uint64_t length = from ? static_cast<uint64_t>(std::find(from, from + most, 0) - from) : 0;
    if (length == most && most < a[1]) { // the text does not end with a NUL within the readable memory
        std::memset(to, 0, a[1]);
        return negative(EFAULT);
    }
    const uint64_t copied = std::min(length + 1, a[1]);
    std::memmove(to, from, copied);
    to[copied - 1] = 0;
    return copied;
}

uint64_t probe_read_kernel(Interpreter& run, const Arguments& a)
{
    return probe_read(run, a, false);
}
/// Returns whether the address is in the host process's memory, outside of all regions, and the program may read there.
bool is_own(Interpreter& run, uint64_t address)
{
    return run.environment().own_memory && !run.vm().memory().find(address, 1);
}

uint64_t probe_read_user(Interpreter& run, const Arguments& a)
{
    if (is_own(run, a[2]))
        if (uint8_t* to = run.write(a[0], a[1]))
            return result_of(read_own_memory({to, a[1]}, a[2]));
    return probe_read(run, a, true);
}
uint64_t probe_read_kernel_str(Interpreter& run, const Arguments& a)
{
    return probe_read_str(run, a, false);
}
uint64_t probe_read_user_str(Interpreter& run, const Arguments& a)
{
    if (is_own(run, a[2]))
        if (uint8_t* to = run.write(a[0], a[1]))
            return result_of(read_own_text({to, a[1]}, a[2]));
    return probe_read_str(run, a, true);
}

uint64_t probe_write_user(Interpreter& run, const Arguments& a)
{
    const uint8_t* from = run.read(a[1], a[2]);
    const Region* region = run.find(a[0], a[2]);
    if (!from)
        return 0;
    if (!region || region->kind != Kind::User || !region->writable)
        return negative(EFAULT);
    std::memcpy(region->host + (a[0] - region->address), from, a[2]);
    return 0;
}

// ---- other helpers

/// Implements bpf_strncmp(). Only the first string has a size: the verifier requires that the second one is constant.
uint64_t strncmp_helper(Interpreter& run, const Arguments& a)
{
    const uint8_t* left = run.read(a[0], a[1]);
    if (!left)
        return 0;
    for (uint64_t i = 0; i < a[1]; ++i) {
        const uint8_t* right = run.read(a[2] + i, 1);
        if (!right)
            return 0;
        if (left[i] != *right)
            return result_of(left[i] < *right ? -1 : 1);
        if (!*right)
            return 0;
    }
    return 0;
}

uint64_t loop(Interpreter& run, const Arguments& a)
{
    const auto callback = run.function(a[1]);
    if (!callback)
        return 0;
    if (a[3])
        return negative(EINVAL);
    const uint64_t count = a[0] & 0xffffffff;
    if (count > kMaxLoops)
        return negative(E2BIG);
    for (uint64_t i = 0; i < count; ++i) {
        const auto stop = run.call(*callback, i, a[2]);
        if (!stop)
            return 0;
        if (*stop)
            return i + 1;
    }
    return count;
}

uint64_t get_stack(Interpreter& run, const Arguments& a)
{
    uint8_t* to = run.write(a[1], a[2]);
    if (!to)
        return 0;
    if (a[2] % 8)
        return negative(EINVAL);
    const auto& frames =
        a[3] & uint64_t{abi::kUserStack} ? run.environment().user_stack : run.environment().kernel_stack;
    const uint64_t skip = std::min<uint64_t>(a[3] & kSkipMask, frames.size());
    const uint64_t bytes = std::min<uint64_t>(a[2], (frames.size() - skip) * 8);
    std::memset(to, 0, a[2]);
    if (bytes)
        std::memcpy(to, frames.data() + skip, bytes);
    return bytes;
}

uint64_t send_signal(Interpreter& run, const Arguments& a)
{
    run.environment().signals.push_back(static_cast<uint32_t>(a[0]));
    return 0;
}

uint64_t override_return(Interpreter& run, const Arguments& a)
{
    run.environment().overrides.push_back(a[1]);
    return 0;
}

constexpr HelperEntry kHelpers[] = {
    {BPF_FUNC_map_lookup_elem, "map_lookup_elem", 2, map_lookup, true},
    {BPF_FUNC_map_update_elem, "map_update_elem", 4, map_update},
    {BPF_FUNC_map_delete_elem, "map_delete_elem", 2, map_delete},
    {BPF_FUNC_ktime_get_ns, "ktime_get_ns", 0, ktime},
    {BPF_FUNC_get_prandom_u32, "get_prandom_u32", 0, prandom},
    {BPF_FUNC_get_smp_processor_id, "get_smp_processor_id", 0, processor},
    {BPF_FUNC_get_current_pid_tgid, "get_current_pid_tgid", 0, pid_tgid},
    {BPF_FUNC_get_current_uid_gid, "get_current_uid_gid", 0, uid_gid},
    {BPF_FUNC_get_current_comm, "get_current_comm", 2, comm, false, 0, 1},
    {BPF_FUNC_perf_event_output, "perf_event_output", 5, perf_event_output},
    {BPF_FUNC_get_current_task, "get_current_task", 0, current_task},
    {BPF_FUNC_probe_write_user, "probe_write_user", 3, probe_write_user},
    {BPF_FUNC_override_return, "override_return", 2, override_return},
    {BPF_FUNC_get_stack, "get_stack", 4, get_stack, false, 1, 2},
    {BPF_FUNC_get_current_cgroup_id, "get_current_cgroup_id", 0, cgroup},
    {BPF_FUNC_send_signal, "send_signal", 1, send_signal},
    {BPF_FUNC_probe_read_user, "probe_read_user", 3, probe_read_user, false, 0, 1},
    {BPF_FUNC_probe_read_kernel, "probe_read_kernel", 3, probe_read_kernel, false, 0, 1},
    {BPF_FUNC_probe_read_user_str, "probe_read_user_str", 3, probe_read_user_str, false, 0, 1},
    {BPF_FUNC_probe_read_kernel_str, "probe_read_kernel_str", 3, probe_read_kernel_str, false, 0, 1},
    {BPF_FUNC_ktime_get_boot_ns, "ktime_get_boot_ns", 0, ktime_boot},
    {BPF_FUNC_ringbuf_output, "ringbuf_output", 4, ringbuf_output},
    {BPF_FUNC_task_storage_get, "task_storage_get", 4, task_storage_get, true},
    {BPF_FUNC_task_storage_delete, "task_storage_delete", 2, task_storage_delete},
    {BPF_FUNC_get_current_task_btf, "get_current_task_btf", 0, current_task},
    {BPF_FUNC_get_attach_cookie, "get_attach_cookie", 1, cookie},
    {BPF_FUNC_task_pt_regs, "task_pt_regs", 1, task_registers},
    {BPF_FUNC_loop, "loop", 4, loop},
    {BPF_FUNC_strncmp, "strncmp", 3, strncmp_helper},
    {BPF_FUNC_map_lookup_percpu_elem, "map_lookup_percpu_elem", 3, map_lookup_percpu, true},
};

} // namespace

std::optional<Reading> reading(int32_t id, const Environment& environment)
{
    // pid and tid, and uid and gid, are read as one word of 8 bytes, so these members must be adjacent
    static_assert(offsetof(Ids, tid) == offsetof(Ids, pid) + 4 && offsetof(Ids, gid) == offsetof(Ids, uid) + 4);
    switch (id) {
    case BPF_FUNC_get_smp_processor_id:
        return Reading{&environment.cpu, 4};
    case BPF_FUNC_get_current_pid_tgid:
        return Reading{&environment.pid, 8, true};
    case BPF_FUNC_get_current_uid_gid:
        return Reading{&environment.uid, 8};
    case BPF_FUNC_get_current_task:
    case BPF_FUNC_get_current_task_btf:
        return Reading{&environment.task, 8};
    case BPF_FUNC_get_current_cgroup_id:
        return Reading{&environment.cgroup, 8};
    case BPF_FUNC_get_attach_cookie:
        return Reading{&environment.cookie, 8};
    default:
        return std::nullopt;
    }
}

const HelperEntry* find_helper(int32_t id)
{
    for (const HelperEntry& entry : kHelpers)
        if (entry.id == id)
            return &entry;
    return nullptr;
}

// Reads memory through the kernel, so that an unmapped address gives an error instead of a signal.

namespace {

constexpr uint64_t kProcessPage = 4096; // number of bytes to read at a time: a divisor of every kernel's page size

bool copy(std::span<uint8_t> to, uint64_t address)
{
    const iovec local{to.data(), to.size()}, remote{reinterpret_cast<void*>(address), to.size()};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(to.size());
}

} // namespace

int read_own_memory(std::span<uint8_t> to, uint64_t address)
{
    if (to.empty() || copy(to, address))
        return 0;
    std::memset(to.data(), 0, to.size());
    return -EFAULT;
}

int64_t read_own_text(std::span<uint8_t> to, uint64_t address)
{
    for (std::size_t done = 0; done < to.size();) {
        const std::size_t part =
            std::min<std::size_t>(to.size() - done, kProcessPage - (address + done) % kProcessPage);
        const auto piece = to.subspan(done, part);
        if (!copy(piece, address + done)) {
            std::memset(to.data(), 0, to.size());
            return -EFAULT;
        }
        done += part;
        if (const auto end = std::find(piece.begin(), piece.end(), 0); end != piece.end())
            return end - to.begin() + 1;
    }
    if (!to.empty())
        to.back() = 0;
    return static_cast<int64_t>(to.size());
}

} // namespace dt::vm
