// bpf(2), BPF_OBJ_GET_INFO_BY_FD: a program counts what it skipped as recursion_misses, a kprobe's link as missed.
#include "libdtrace/load/kernel_losses.hpp"

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include <algorithm>
#include <utility>

#include "base/kernel_abi.hpp"

namespace dt {

namespace {

/// The beginning of struct bpf_link_info as kernel 6.7 has it (include/uapi/linux/bpf.h); older headers lack `missed`.
struct LinkInfo {
    uint32_t type, id, program, unused;
    union {
        struct {
            uint64_t addresses;
            uint32_t count, flags;
            uint64_t missed;
        } multi;
        struct {
            uint32_t type, unused;
            uint64_t name;
            uint32_t name_length, offset;
            uint64_t address, missed;
        } event;
    };
};

} // namespace

uint64_t missed_by_program(int descriptor)
{
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    return bpf_obj_get_info_by_fd(descriptor, &info, &size) == 0 ? info.recursion_misses : 0;
}

uint64_t missed_by_link(int descriptor)
{
    LinkInfo info{};
    uint32_t size = sizeof info;
    if (bpf_obj_get_info_by_fd(descriptor, &info, &size) != 0)
        return 0;
    if (info.type == abi::kLinkOfKprobeMulti)
        return info.multi.missed;
    const bool kprobe = info.event.type == abi::kEventKprobe || info.event.type == abi::kEventKretprobe;
    return info.type == abi::kLinkOfPerfEvent && kprobe ? info.event.missed : 0;
}

void KernelLosses::watch(std::string probes, int program, int link)
{
    const std::lock_guard lock(mutex_);
    watched_.push_back({std::move(probes), program, link});
}

void KernelLosses::read(Watched& watched) const
{
    if (watched.program >= 0)
        watched.by_program = std::max(watched.by_program, program_(watched.program));
    if (watched.link >= 0)
        watched.by_link = std::max(watched.by_link, link_(watched.link));
}

void KernelLosses::forget()
{
    const std::lock_guard lock(mutex_);
    watched_.clear();
}

void KernelLosses::end_links()
{
    const std::lock_guard lock(mutex_);
    for (Watched& watched : watched_) {
        read(watched);
        watched.link = -1;
    }
}

void KernelLosses::report(const std::function<void(const std::string& probes, uint64_t count)>& tell)
{
    std::vector<std::pair<std::string, uint64_t>> missed; // told after the lock: telling may have to wait for a reader
    {
        const std::lock_guard lock(mutex_);
        for (Watched& watched : watched_) {
            read(watched);
            const uint64_t all = watched.by_program + watched.by_link;
            if (const uint64_t before = std::exchange(watched.told, all); all != before)
                missed.emplace_back(watched.probes, all - before);
        }
    }
    for (const auto& [probes, count] : missed)
        tell(probes, count);
}

} // namespace dt
