// The running kernel, as providers look at it: each fact is read when it is first asked for, from where it is cheapest.
#include "libdtrace/world/kernel.hpp"

#include <string.h>

#include <optional>
#include <set>
#include <string>

#include "libdtrace/process/view.hpp"
#include "probes/btf_file.hpp"

namespace dt {
namespace {

/// Names behind "__x64_sys_" in the kernel's BTF. tracefs would tell which calls there are, but is often not mounted; /proc/kallsyms would tell,
/// but takes 50 ms to read. The BTF is searched in 1 ms, and has that name in its strings for each call that takes arguments.
std::set<std::string, std::less<>> implemented_calls()
{
    static constexpr std::string_view kPrefix = "__x64_sys_";
    std::set<std::string, std::less<>> names;
    const auto kernel = probes::BtfFile::open("/sys/kernel/btf/vmlinux");
    if (!kernel)
        return names;
    const std::string_view strings = kernel.value()->strings();
    const char* at = strings.data();
    const char* const end = at + strings.size();
    // memmem is several times faster than std::string::find here.
    while ((at = static_cast<const char*>(memmem(at, static_cast<std::size_t>(end - at), kPrefix.data(), kPrefix.size())))) {
        const bool starts_string = at != strings.data() && at[-1] == '\0';
        at += kPrefix.size();
        if (starts_string)
            names.emplace(at);
    }
    return names;
}

class LiveKernel final : public probes::KernelView {
public:
    /// Without BTF every call counts as there, which does no harm: the tracepoint fires for any number.
    bool has_syscall(std::string_view name) override
    {
        if (!calls_)
            calls_ = implemented_calls();
        return calls_->empty() || calls_->contains(name);
    }

    probes::ProcessView& processes() override
    {
        if (!processes_)
            processes_ = live_processes();
        return *processes_;
    }

private:
    std::optional<std::set<std::string, std::less<>>> calls_;
    std::unique_ptr<probes::ProcessView> processes_;
};

} // namespace

std::unique_ptr<probes::KernelView> live_kernel()
{
    return std::make_unique<LiveKernel>();
}

} // namespace dt
