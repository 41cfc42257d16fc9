// Functions by name and place: what a pattern leaves out, clones of the compiler, and the addresses that a name stands
// for.
#include "probes/fbt_functions.hpp"

#include <algorithm>
#include <unordered_map>

#include "dcompiler/probes.hpp"

namespace dt::probes {
namespace {

struct LeftOut {
    std::string_view pattern, reason;
    bool is_function = true;
};

// Only what does harm or is no use. Locks, the scheduler and the hash maps that programs use are not here: what fires
// inside a program is counted.
constexpr LeftOut kLeftOut[] = {
    {"__ftrace_invalid_address__*", "the kernel freed it when it had started", false},
    {"__probestub_*", "a tracepoint's empty end: rawtp and sdt have the tracepoint"},
    {"__traceiter_*", "a tracepoint's list of programs: rawtp and sdt have the tracepoint"},
    {"bpf_dispatcher_*", "the kernel rewrites it whenever a program comes or goes"},
    {"rcu_*", "programs rest on it: it also runs where they may not, and millions of times a second"},
    {"__rcu_*", "each firing runs through it where the kernel is preemptible: one that fires inside every other"},
    {"is_endbr", "attaching and detaching run through it, for each function"},
    {"arch_cpu_idle", "it runs where the CPU does nothing"},
    {"default_idle", "it runs where the CPU does nothing"},
};

// Locks and their likes, maps and their memory, buffers and what wakes their readers, clocks, stacks, copying.
constexpr std::string_view kUsedByPrograms[] = {
    "*lock*",  "*bpf*",    "*htab*",  "*map_*elem*",   "*percpu*", "*pcpu*", "*freelist*", "*alloc*",
    "*free*",  "*slab*",   "*perf_*", "*ring_buffer*", "*irq*",    "*rcu*",  "*ktime*",    "*timekeeping*",
    "*stack*", "*unwind*", "*copy*",  "*strn*",        "mem*",     "__mem*", "*preempt*",  "*migrate*",
    "*fault*", "*trace*",  "*probe*", "*wake*",        "*sched*"};

struct Place {
    std::string module;
    uint64_t address = 0;
    bool is_clone = false;
};
using Places = std::unordered_map<std::string_view, std::vector<Place>>;

/// Where the functions of these names are, by name.
Places places_of(KernelView& kernel, const std::vector<const Probe*>& probes, bool spelled)
{
    Places places;
    for (const Probe* probe : probes)
        places.try_emplace(probe->function);
    kernel.for_each_symbol([&](std::string_view module, std::string_view name, uint64_t address) {
        const std::string_view base = spelled ? name : base_name(name);
        if (const auto wanted = places.find(base); wanted != places.end() && (spelled || is_function(name)))
            wanted->second.push_back({std::string(module), address, base != name});
    });
    return places;
}

} // namespace

std::string_view why_left_out(std::string_view function, bool all)
{
    for (const LeftOut& left_out : kLeftOut)
        if ((!all || !left_out.is_function) && glob_match(left_out.pattern, function))
            return left_out.reason;
    return {};
}

bool is_used_by_programs(std::string_view function)
{
    return std::any_of(std::begin(kUsedByPrograms), std::end(kUsedByPrograms),
                       [&](std::string_view pattern) { return glob_match(pattern, function); });
}

std::string_view base_name(std::string_view function)
{
    return function.substr(0, function.find('.'));
}

bool is_function(std::string_view name)
{
    return !name.ends_with(".cold") && name.find(".cold.") == std::string_view::npos;
}

std::vector<std::vector<AttachTarget>> targets_of(KernelView& kernel, const std::vector<const Probe*>& probes,
                                                  bool spelled)
{
    const Places places = places_of(kernel, probes, spelled);
    std::vector<std::vector<AttachTarget>> all;
    for (const Probe* probe : probes) {
        std::vector<AttachTarget>& targets = all.emplace_back();
        for (const bool clones : {false, true})
            if (targets.empty())
                for (const Place& place : places.at(probe->function))
                    if (place.is_clone == clones && place.module == probe->module)
                        targets.push_back({probe->function, 0, place.address, probe});
        if (targets.empty())
            targets.push_back({probe->function, 0, 0, probe});
    }
    return all;
}

} // namespace dt::probes
