// Reads loss counters by bpf(2), BPF_OBJ_GET_INFO_BY_FD: recursion_misses of programs, and `missed` of kprobe links.
#include "libdtrace/losses/kernel_losses.hpp"

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include <algorithm>
#include <cstddef>

#include "base/kernel_abi.hpp"

namespace dt {

namespace {

/// Start of struct bpf_link_info in kernel 6.7 (include/uapi/linux/bpf.h); older headers lack `missed`.
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

// Reads the counter of a program. The kernel also reports the size of its version of struct bpf_prog_info. Returns
// nothing if the struct of that size does not contain the counter.
std::optional<uint64_t> missed_by_program(int descriptor)
{
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    if (bpf_obj_get_info_by_fd(descriptor, &info, &size) != 0)
        return 0;
    if (size < offsetof(bpf_prog_info, recursion_misses) + sizeof info.recursion_misses)
        return std::nullopt;
    return info.recursion_misses;
}

std::optional<uint64_t> missed_by_link(int descriptor)
{
    LinkInfo info{};
    uint32_t size = sizeof info;
    if (bpf_obj_get_info_by_fd(descriptor, &info, &size) != 0)
        return 0;
    const bool counts = size >= sizeof info;
    if (!counts && (info.type == abi::kLinkOfKprobeMulti || info.type == abi::kLinkOfPerfEvent))
        return std::nullopt;
    if (info.type == abi::kLinkOfKprobeMulti)
        return info.multi.missed;
    const bool kprobe = info.event.type == abi::kEventKprobe || info.event.type == abi::kEventKretprobe;
    return info.type == abi::kLinkOfPerfEvent && kprobe ? info.event.missed : 0;
}

bool may_miss(int link)
{
    LinkInfo info{};
    uint32_t size = sizeof info;
    return bpf_obj_get_info_by_fd(link, &info, &size) == 0 &&
           (info.type == abi::kLinkOfKprobeMulti || info.type == abi::kLinkOfPerfEvent);
}

void KernelLosses::watch(std::string probes, int program, int link)
{
    const std::lock_guard lock(mutex_);
    watched_.push_back({std::move(probes), program, link, {}, {}});
}

void KernelLosses::read(Watched& watched)
{
    const auto read = [](const Counter& counter, int descriptor, uint64_t& missed, std::atomic<bool>& counts) {
        if (descriptor < 0)
            return;
        const std::optional<uint64_t> now = counter(descriptor);
        if (!now)
            counts = false;
        missed = std::max(missed, now.value_or(0));
    };
    read(program_, watched.program, watched.missed.by_program, counts_programs_);
    read(link_, watched.link, watched.missed.by_link, counts_links_);
}

void KernelLosses::forget()
{
    const std::lock_guard lock(mutex_);
    watched_.clear();
}

void KernelLosses::end_link(int link)
{
    const std::lock_guard lock(mutex_);
    for (Watched& watched : watched_)
        if (link >= 0 && watched.link == link) {
            read(watched);
            watched.link = -1;
        }
}

void KernelLosses::end_links()
{
    const std::lock_guard lock(mutex_);
    for (Watched& watched : watched_) {
        read(watched);
        watched.link = -1;
    }
}

void KernelLosses::report(const std::function<void(const std::string& probes, const MissedFirings& missed)>& tell)
{
    // Missed firings are reported after the lock is released, because reporting may wait for the reader of the output.
    std::vector<std::pair<std::string, MissedFirings>> missed;
    {
        const std::lock_guard lock(mutex_);
        for (Watched& watched : watched_) {
            read(watched);
            const MissedFirings before = std::exchange(watched.reported, watched.missed);
            const MissedFirings grown{watched.missed.by_program - before.by_program,
                                      watched.missed.by_link - before.by_link};
            if (grown.all() != 0)
                missed.emplace_back(watched.probes, grown);
        }
    }
    for (const auto& [probes, grown] : missed)
        tell(probes, grown);
}

} // namespace dt
