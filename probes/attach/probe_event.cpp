// perf_event_open(2) for "dynamic PMUs": the kernel numbers them when it starts, sysfs tells the numbers.
#include "probes/attach/probe_event.hpp"

#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

namespace dt::probes {

uint32_t probe_event_type(const char* kind)
{
    uint32_t type = 0;
    std::ifstream(std::string("/sys/bus/event_source/devices/") + kind + "/type") >> type;
    return type;
}

bpf_link* attach_probe_event(bpf_program* program, perf_event_attr& attr, int process, uint64_t cookie)
{
    const int cpu = process < 0 ? 0 : -1; // which one does not matter: what is probed is hit on all
    const auto event = static_cast<int>(syscall(SYS_perf_event_open, &attr, process, cpu, -1, PERF_FLAG_FD_CLOEXEC));
    if (event < 0)
        return nullptr;
    LIBBPF_OPTS(bpf_perf_event_opts, options);
    options.bpf_cookie = cookie;
    bpf_link* const link = bpf_program__attach_perf_event_opts(program, event, &options); // which owns the event
    if (!link) {
        const int code = errno;
        close(event);
        errno = code;
    }
    return link;
}

} // namespace dt::probes
