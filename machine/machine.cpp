#include "machine/machine.hpp"

#include <algorithm>

#include "machine/x86_64/x86_64.hpp"

namespace dt::machine {

const Machine& native()
{
#if defined(__x86_64__)
    return x86_64::kMachine;
#else
#error "no description of this machine yet: a folder here, and a row"
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

} // namespace dt::machine
