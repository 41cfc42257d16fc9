// Lists the described machines, selects the one of this build, and finds system calls in the table of a machine.
#include "machine/machine.hpp"

#include <algorithm>
#include <iterator>

#include "machine/accesses.hpp"
#include "machine/arm64/arm64.hpp"
#include "machine/paging.hpp"
#include "machine/x86_64/x86_64.hpp"

namespace dt::machine {

namespace {

/// System calls that have another name in the C library than in the kernel, on every machine.
constexpr SyscallName kEverywhere[] = {
    {"stat", "newstat"},   {"fstat", "newfstat"},      {"lstat", "newlstat"},
    {"uname", "newuname"}, {"sendfile", "sendfile64"}, {"umount2", "umount"},
};

constexpr const Machine* kMachines[] = {&x86_64::kMachine, &arm64::kMachine};
// calling conventions of the machines in kMachines, in the same order
constexpr const Conventions* kWays[] = {&x86_64::kWays, &arm64::kWays};

std::string_view call_named(std::span<const SyscallName> names, std::string_view name)
{
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const SyscallName& each) { return each.name == name; });
    return found != names.end() ? found->call : std::string_view();
}

} // namespace

const Machine& native()
{
#if defined(__x86_64__)
    return x86_64::kMachine;
#elif defined(__aarch64__)
    return arm64::kMachine;
#else
#error "this machine is not supported: add a folder here, and a row"
#endif
}

std::span<const Machine* const> all()
{
    return kMachines;
}

const Machine* named(std::string_view name)
{
    const auto found = std::find_if(std::begin(kMachines), std::end(kMachines),
                                    [&](const Machine* each) { return each->name == name || each->folder == name; });
    return found != std::end(kMachines) ? *found : nullptr;
}

std::vector<Access> read_accesses([[maybe_unused]] std::span<const uint8_t> code)
{
#if defined(__x86_64__)
    return x86_64::read_accesses(code);
#else
    return {};
#endif
}

std::optional<RedZoneTrial> red_zone_trial()
{
#if defined(__x86_64__)
    return x86_64::red_zone_trial();
#else
    return std::nullopt;
#endif
}

const Conventions& conventions_of(const Machine& machine)
{
    return *kWays[std::find(std::begin(kMachines), std::end(kMachines), &machine) - std::begin(kMachines)];
}

std::string_view SystemCalls::canonical(std::string_view name) const
{
    const std::string_view here = call_named(other_names(), name), everywhere = call_named(kEverywhere, name);
    return !here.empty() ? here : !everywhere.empty() ? everywhere : name;
}

std::string_view SystemCalls::stand_in(std::string_view name) const
{
    return call_named(stand_ins(), canonical(name));
}

const SyscallEntry* SystemCalls::find(std::string_view call) const
{
    const auto calls = table();
    const auto found =
        std::find_if(calls.begin(), calls.end(), [&](const SyscallEntry& entry) { return entry.name == call; });
    return found != calls.end() ? &*found : nullptr;
}

std::vector<int64_t> SystemCalls::numbers(std::initializer_list<std::string_view> calls) const
{
    std::vector<int64_t> found;
    for (const std::string_view call : calls)
        if (const SyscallEntry* const entry = find(call))
            found.push_back(entry->number);
    return found;
}

namespace {

constexpr std::string_view kPointerTypedefs[] = {"cap_user_header_t", "cap_user_data_t"};

} // namespace

std::size_t SyscallEntry::parameter_count() const
{
    return static_cast<std::size_t>(std::find(parameters.begin(), parameters.end(), std::string_view{}) -
                                    parameters.begin());
}

bool is_user_pointer(std::string_view type)
{
    return type.ends_with('*') ||
           std::find(std::begin(kPointerTypedefs), std::end(kPointerTypedefs), type) != std::end(kPointerTypedefs);
}

std::optional<Paging> paging(const Machine& machine)
{
    if (machine.elf == x86_64::kMachine.elf)
        return x86_64::kPaging;
    return std::nullopt;
}

} // namespace dt::machine
