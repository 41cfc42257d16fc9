// Locates tracefs. If tracefs is not mounted, this code does not mount it at its usual path, because other processes
// would see the mount, and it would outlast this process. Names of the processor's events come from libpfm4, which is
// opened at run time.
#include "libdtrace/kernel/tracefs.hpp"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

// libpfm4 contains a copy of <linux/perf_event.h>. This macro is the include guard of the copy. Defining it excludes
// the copy, because other files of the same compilation unit include the original header.
#define __PERFMON_PERF_EVENT_H__
#include <perfmon/pfmlib_perf_event.h>

#include "base/linkage.hpp"

namespace dt {
namespace {

int open_mounted()
{
    for (const char* directory : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
        const int root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (root >= 0 && faccessat(root, "available_events", R_OK, 0) == 0)
            return root;
        if (root >= 0)
            close(root);
    }
    return -1;
}

int mount_privately()
{
    const int context = fsopen("tracefs", FSOPEN_CLOEXEC);
    if (context < 0)
        return -1;
    const bool created = fsconfig(context, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) == 0;
    const int root = created ? fsmount(context, FSMOUNT_CLOEXEC, 0) : -1;
    close(context);
    return root;
}

} // namespace

Tracefs::Tracefs() : root_(open_mounted())
{
    if (root_ < 0)
        root_ = mount_privately();
}

Tracefs::~Tracefs()
{
    if (root_ >= 0)
        close(root_);
}

std::string Tracefs::read(const std::string& path) const
{
    std::string text;
    const int file = root_ >= 0 ? openat(root_, path.c_str(), O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return text;
    char block[16384];
    for (ssize_t got; (got = ::read(file, block, sizeof block)) > 0;)
        text.append(block, static_cast<std::size_t>(got));
    close(file);
    return text;
}

// Uses libpfm4 through dlopen(), because its tables take 3 MB and few scripts need them.

namespace {

class Pfm final : public ProcessorEvents {
public:
    Pfm()
    {
        void* const library = open_library("libpfm.so.4");
        decltype(&pfm_initialize) start = nullptr;
        if (!library || !find_function(library, start, "pfm_initialize") || start() != PFM_SUCCESS)
            return;
        find_function(library, encode_, "pfm_get_os_event_encoding");
        find_function(library, unit_, "pfm_get_pmu_info");
        find_function(library, event_, "pfm_get_event_info");
        find_function(library, next_, "pfm_get_event_next");
    }

    std::optional<probes::PerfEvent> find(std::string_view name) override
    {
        if (!encode_)
            return {};
        perf_event_attr wanted{};
        pfm_perf_encode_arg_t request{};
        request.attr = &wanted;
        request.size = sizeof request;
        if (encode_(std::string(name).c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &request) != PFM_SUCCESS)
            return {};
        const bool by_one_number = wanted.config1 == 0 && wanted.config2 == 0;
        return by_one_number ? std::optional(probes::PerfEvent{wanted.type, wanted.config}) : std::nullopt;
    }

    void for_each(const probes::KernelView::VisitName& visit) override
    {
        if (!unit_ || !event_ || !next_)
            return;
        for (int number = PFM_PMU_NONE; number < PFM_PMU_MAX; ++number) {
            pfm_pmu_info_t unit{};
            unit.size = sizeof unit;
            const auto which = static_cast<pfm_pmu_t>(number);
            // The events of perf's generic PMUs are skipped, because dtrace has its own names for them.
            const bool generic = which == PFM_PMU_PERF_EVENT || which == PFM_PMU_PERF_EVENT_RAW;
            if (generic || unit_(which, &unit) != PFM_SUCCESS || !unit.is_present)
                continue;
            for (int index = unit.first_event; index != -1; index = next_(index))
                visit(lower_name(index));
        }
    }

private:
    std::string lower_name(int index)
    {
        pfm_event_info_t event{};
        event.size = sizeof event;
        std::string name = event_(index, PFM_OS_PERF_EVENT, &event) == PFM_SUCCESS ? event.name : "";
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return name;
    }

    // function pointers of libpfm4; null if the library is not installed
    decltype(&pfm_get_os_event_encoding) encode_ = nullptr;
    decltype(&pfm_get_pmu_info) unit_ = nullptr;
    decltype(&pfm_get_event_info) event_ = nullptr;
    decltype(&pfm_get_event_next) next_ = nullptr;
};

} // namespace

ProcessorEvents& processor_events()
{
    static Pfm events;
    return events;
}

} // namespace dt
