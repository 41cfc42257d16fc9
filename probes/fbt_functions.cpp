// Resolves functions by name: exclusions from patterns, compiler-made clones, and the addresses of a name.
#include "probes/fbt_functions.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/name_numbers.hpp"
#include "dcompiler/probes.hpp"

namespace dt::probes {
namespace {

struct LeftOut {
    std::string_view pattern, reason;
    bool is_function = true;
};

// Functions that patterns exclude, because probes on them are harmful or useless. Locks, the scheduler and the hash
// maps of programs are allowed: firings inside of a program are counted.
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

// Locks, maps and their memory, buffers and wakeups of their readers, clocks, stacks, copying.
constexpr std::string_view kUsedByPrograms[] = {
    "*lock*",  "*bpf*",    "*htab*",  "*map_*elem*",   "*percpu*", "*pcpu*", "*freelist*", "*alloc*",
    "*free*",  "*slab*",   "*perf_*", "*ring_buffer*", "*irq*",    "*rcu*",  "*ktime*",    "*timekeeping*",
    "*stack*", "*unwind*", "*copy*",  "*strn*",        "mem*",     "__mem*", "*preempt*",  "*migrate*",
    "*fault*", "*trace*",  "*probe*", "*wake*",        "*sched*"};

struct Place {
    uint32_t name, module; ///< indexes of the name and module
    bool is_clone;
    uint64_t address;
};

/// The addresses of functions with certain names.
class Places {
public:
    Places(KernelView& kernel, const std::vector<const Probe*>& probes, bool spelled) : numbers_(probes.size())
    {
        for (const Probe* probe : probes) {
            const auto [number, is_new] = numbers_.add(probe->function, names_);
            if (is_new)
                names_.push_back(probe->function);
            of_probe_.push_back(number);
        }
        std::vector<std::string_view> bases = names_;
        for (std::string_view& base : bases)
            base = base_name(base);
        const auto take = [&](std::string_view module, std::string_view name, uint64_t address) {
            const std::string_view base = spelled ? name : base_name(name);
            if (const auto number = numbers_.find(base, names_); number && (spelled || is_function(name)))
                places_.push_back({*number, number_of_module(module), base != name, address});
        };
        kernel.for_each_symbol(take, bases);
        std::stable_sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
            return a.name != b.name ? a.name < b.name : a.is_clone < b.is_clone;
        });
        first_.resize(names_.size() + 1);
        for (const Place& place : places_)
            ++first_[place.name + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
    }

    /// Returns the addresses for one of the probes; literal matches come first.
    std::span<const Place> of(std::size_t probe) const
    {
        const uint32_t name = of_probe_[probe];
        return std::span(places_).subspan(first_[name], first_[name + 1] - first_[name]);
    }
    const std::string& module_of(const Place& place) const { return modules_[place.module]; }

private:
    uint32_t number_of_module(std::string_view module)
    {
        if (last_module_ < modules_.size() && modules_[last_module_] == module)
            return last_module_;
        last_module_ = static_cast<uint32_t>(std::find(modules_.begin(), modules_.end(), module) - modules_.begin());
        if (last_module_ == modules_.size())
            modules_.emplace_back(module);
        return last_module_;
    }

    NameNumbers numbers_;
    std::vector<std::string_view> names_;
    std::vector<uint32_t> of_probe_; ///< index of its name
    std::vector<std::string> modules_;
    uint32_t last_module_ = 0;
    std::vector<Place> places_;      ///< sorted by name
    std::vector<std::size_t> first_; ///< index of each name's first place, and the end
};

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
    const Places places(kernel, probes, spelled);
    std::vector<std::vector<AttachTarget>> all;
    all.reserve(probes.size());
    for (std::size_t i = 0; i < probes.size(); ++i) {
        const Probe* const probe = probes[i];
        std::vector<AttachTarget>& targets = all.emplace_back();
        bool are_clones = false;
        for (const Place& place : places.of(i)) {
            if (places.module_of(place) != probe->module || (!targets.empty() && place.is_clone != are_clones))
                continue;
            are_clones = place.is_clone;
            targets.push_back({probe->function, 0, place.address, probe});
        }
        if (targets.empty())
            targets.push_back({probe->function, 0, 0, probe});
    }
    return all;
}

} // namespace dt::probes
