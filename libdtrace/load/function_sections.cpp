// Section handlers for libbpf. When loading an fentry or fexit program, the kernel needs the BTF id of the traced
// function, and for a typed tracepoint's program the id of the tracepoint.
//
// The search by name in libbpf first parses all kernel types, which takes 8 ms, and half a second in an emulated
// machine. The handlers here look the id up in the unparsed BTF file.
#include "libdtrace/load/function_sections.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/btf.h>

#include <cerrno>
#include <string>

#include "base/kernel_abi.hpp"
#include "probes/btf_file.hpp"

namespace dt {
namespace {

/// Declares the program as attached to another program until it is loaded, because libbpf parses kernel types for every
/// other tracing program.
int set_up(bpf_program* program, long)
{
    constexpr int kSomeProgram = 1;
    return bpf_program__set_attach_target(program, kSomeProgram, nullptr);
}

template <uint32_t Kind> int find_target(bpf_program* program, bpf_prog_load_opts* options, long)
{
    constexpr const char* kPrefix = Kind == BTF_KIND_TYPEDEF ? "btf_trace_" : "";
    const std::string section = bpf_program__section_name(program);
    const auto types = probes::BtfFile::open("/sys/kernel/btf/vmlinux");
    if (!types)
        return -ENOENT;
    const uint32_t id = types.value()->find(kPrefix + section.substr(section.find('/') + 1),
                                            [](const btf_type* type) { return BTF_INFO_KIND(type->info) == Kind; });
    options->attach_prog_fd = 0;
    options->attach_btf_id = id;
    return id == 0 ? -ESRCH : 0;
}

/// Leaves the function open, because it is set when the program is attached.
int name_no_function(bpf_program*, bpf_prog_load_opts* options, long)
{
    options->attach_prog_fd = 0;
    return 0;
}

} // namespace

void know_function_sections()
{
    static const bool known = [] {
        LIBBPF_OPTS(libbpf_prog_handler_opts, handlers);
        handlers.prog_setup_fn = set_up;
        handlers.prog_prepare_load_fn = find_target<BTF_KIND_FUNC>;
        LIBBPF_OPTS(libbpf_prog_handler_opts, of_tracepoints);
        of_tracepoints.prog_setup_fn = set_up;
        of_tracepoints.prog_prepare_load_fn = find_target<BTF_KIND_TYPEDEF>;
        LIBBPF_OPTS(libbpf_prog_handler_opts, of_many);
        of_many.prog_setup_fn = set_up;
        of_many.prog_prepare_load_fn = name_no_function;
        const auto know = [](const char* section, uint32_t attach_type, const libbpf_prog_handler_opts& opts) {
            return libbpf_register_prog_handler(section, BPF_PROG_TYPE_TRACING,
                                                static_cast<bpf_attach_type>(attach_type), &opts) >= 0;
        };
        return know("fentry+", BPF_TRACE_FENTRY, handlers) && know("fexit+", BPF_TRACE_FEXIT, handlers) &&
               know("tp_btf+", BPF_TRACE_RAW_TP, of_tracepoints) &&
               know("fentry.multi", abi::kTraceFentryMulti, of_many);
    }();
    (void)known; // without it, libbpf's own handlers apply
}

} // namespace dt
