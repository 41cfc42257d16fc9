// Checks and drops capabilities with libcap.
#include "libdtrace/session/capabilities.hpp"

#include <sys/capability.h>

#include <iterator>
#include <memory>

#include "probes/attach/probe_event.hpp"

namespace dt {
namespace {

struct FreeCapabilities {
    void operator()(void* what) const { cap_free(what); }
};
using Capabilities = std::unique_ptr<std::remove_pointer_t<cap_t>, FreeCapabilities>;

/// Capabilities that the consumer needs while tracing. They permit the consumer to use maps and programs, to open
/// buffers for further CPUs, to read processes and their files, and to read kernel addresses.
constexpr std::string_view kOfConsumer[] = {
    "CAP_BPF",    "CAP_PERFMON", "CAP_IPC_LOCK", "CAP_SYS_PTRACE", "CAP_DAC_READ_SEARCH", "CAP_CHECKPOINT_RESTORE",
    "CAP_SYSLOG", "CAP_KILL"};

bool number_of(std::string_view name, cap_value_t& number)
{
    return cap_from_name(std::string(name).c_str(), &number) == 0;
}

} // namespace

bool has_capability(std::string_view name)
{
    const Capabilities mine(cap_get_proc());
    cap_value_t number = 0;
    cap_flag_value_t value = CAP_CLEAR;
    return mine && number_of(name, number) && cap_get_flag(mine.get(), number, CAP_EFFECTIVE, &value) == 0 &&
           value == CAP_SET;
}

std::vector<std::string_view> missing_to_trace()
{
    std::vector<std::string_view> missing;
    if (!has_capability("CAP_SYS_ADMIN")) // CAP_SYS_ADMIN includes CAP_BPF and CAP_PERFMON
        for (const std::string_view name : {"CAP_BPF", "CAP_PERFMON"})
            if (!has_capability(name))
                missing.push_back(name);
    return missing;
}

std::string listed(const std::vector<std::string_view>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + std::string(names[i]);
    return text;
}

void drop_unneeded_capabilities(bool reopens_file, bool gives_away)
{
    const Capabilities mine(cap_get_proc()), kept(cap_init());
    if (!mine || !kept)
        return;
    std::vector<std::string_view> wanted(std::begin(kOfConsumer), std::end(kOfConsumer));
    if (probes::perf_events_take_admin())
        wanted.push_back("CAP_SYS_ADMIN");
    if (reopens_file)
        wanted.push_back("CAP_DAC_OVERRIDE");
    if (gives_away)
        wanted.push_back("CAP_CHOWN");
    for (const std::string_view name : wanted)
        for (const cap_flag_t set : {CAP_PERMITTED, CAP_EFFECTIVE}) {
            cap_value_t number = 0;
            cap_flag_value_t value = CAP_CLEAR;
            if (number_of(name, number) && cap_get_flag(mine.get(), number, set, &value) == 0 && value == CAP_SET)
                cap_set_flag(kept.get(), set, 1, &number, CAP_SET);
        }
    // Clears the ambient capability set, because children must not inherit capabilities that are no longer permitted.
    cap_reset_ambient();
    cap_set_proc(kept.get());
}

} // namespace dt
