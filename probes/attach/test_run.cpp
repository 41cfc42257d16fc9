// Runs the programs of BEGIN and END synchronously in this process. The current task is then dtrace, and nothing is
// attached.
//
// BPF_PROG_TEST_RUN supports raw tracepoint programs from kernel 5.10 (net/bpf/test_run.c). The context may have up to
// 12 words.
#include <bpf/bpf.h>

#include <cerrno>
#include <cstring>

#include "probes/attach/attach.hpp"

namespace dt::probes {

Result<void> run_once(int program, const std::string& name, std::optional<uint32_t> cpu)
{
    uint64_t context[12] = {};
    LIBBPF_OPTS(bpf_test_run_opts, options);
    options.ctx_in = context;
    options.ctx_size_in = sizeof context;
    if (cpu) {
        options.flags = BPF_F_TEST_RUN_ON_CPU;
        options.cpu = *cpu;
    }
    if (bpf_prog_test_run_opts(program, &options) == 0)
        return {};
    const int code = errno;
    if (cpu && (code == ENXIO || code == EINVAL))
        return Error{"CPU " + std::to_string(*cpu) + " is not online", code};
    return Error{"cannot run " + name + ": " + std::strerror(code), code};
}

} // namespace dt::probes
