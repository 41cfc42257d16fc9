// fbt: entry and return of the kernel's functions, with types from its type information. rawfbt: entry and return of
// every symbol by its literal name, including compiler-made clones, without types.
//
// For an exact name, one lookup in the type information suffices; for a glob or an unknown name, the list of all
// functions is read. If the kernel supports it, one program is attached to many functions by one link, with the id of
// each probe as a cookie. Otherwise each function has its own perf event. Functions can also call programs directly,
// through trampolines: one program for each of a few functions, and in the newest kernels one program for thousands of
// functions.
#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_numbers.hpp"
#include "dcompiler/interface/plan.hpp"
#include "dcompiler/interface/probes.hpp"
#include "machine/machine.hpp"
#include "probes/attach/probe_event.hpp"
#include "probes/attributes.hpp"
#include "probes/kernel_view.hpp"
#include "probes/provider.hpp"

namespace dt::probes {

// Selects the kernel functions that get probes, and finds their addresses.
//
// Several functions may have the same name. The compiler may have made only clones ("foo.isra.0", whose arguments
// differ from foo's), or several files may have a static function with that name. So probes are attached by address.

/// Returns the reason why a pattern does not match a function; empty if it may match. If `all` is set, patterns exclude
/// only symbols that are not functions.
std::string_view exclusion_reason(std::string_view function, bool all);

/// Returns whether a BPF program may cause a call of the function, by calling a helper.
bool is_used_by_programs(std::string_view function);

/// Returns a function's name without the suffix of a clone: "foo" for "foo.isra.0".
std::string_view base_name(std::string_view function);

/// Returns whether the symbol is a function or a clone of one. A cold part ("foo.cold") is entered by a jump and is
/// neither.
bool is_function(std::string_view name);

/// Returns targets for a probe of each function: every function with the probe's name, or, if there is none, every
/// clone of it. If the kernel hides addresses, the target has only the name. If `spelled` is set, names are literal,
/// and a dot in a name does not mark a clone.
std::vector<std::vector<AttachTarget>> targets_of(KernelView& kernel, const std::vector<const Probe*>& probes,
                                                  bool spelled);

namespace {

using Kind = Location::Kind;

constexpr std::string_view kKernelModule = "vmlinux";

/// Up to this number of probes in a plan, each probe gets its own trampoline program, if the kernel supports that.
/// Firings of such a probe are cheapest, but attaching and detaching take about 100 ms each.
constexpr std::size_t kFew = 8;

/// At most this number of functions share one trampoline program, if the kernel supports that. Each function takes 2 KB
/// of kernel memory.
constexpr std::size_t kMany = 4096;

// The index of a probe in this provider (Probe::place) consists of the module's index, the function's id in the type
// information, and a bit for returns.
constexpr uint32_t kModuleBits = 8, kFunctionBits = 19;
constexpr uint32_t kMaxModules = 1u << kModuleBits;

bool is_function_return(const Probe& probe)
{
    return probe.name == "return";
}

AttachPlan entry_plan(const machine::Calls& calls)
{
    AttachPlan plan;
    for (std::size_t i = 0; i < plan.arguments.size(); ++i)
        if (i < calls.arguments.size())
            plan.arguments[i] = {Kind::Register, calls.arguments[i]};
        else
            plan.arguments[i] = {Kind::StackWord,
                                 static_cast<uint32_t>(i - calls.arguments.size()) + calls.first_stack_argument};
    return plan;
}

AttachPlan return_plan(const machine::Calls& calls)
{
    AttachPlan plan;
    plan.arguments[0] = {Kind::Constant, 0, -1}; // arg0, the offset of the return instruction, is unknown
    plan.arguments[1] = plan.return_value = {Kind::Register, calls.result};
    return plan;
}

/// Returns the plan for a program that a trampoline calls. The program's context consists of the function's arguments,
/// one word each, and then the result.
AttachPlan trampoline_plan(const machine::Calls& calls, const Probe& probe, const KernelTypes::Prototype& prototype)
{
    AttachPlan plan;
    if (is_function_return(probe)) {
        plan = return_plan(calls);
        plan.arguments[1] = plan.return_value =
            prototype.has_result ? Location{Kind::ContextWord, prototype.parameters} : Location{};
    } else {
        for (uint32_t i = 0; i < prototype.parameters; ++i)
            plan.arguments[i] = {Kind::ContextWord, i};
    }
    plan.kind = is_function_return(probe) ? ProgramKind::Fexit : ProgramKind::Fentry;
    plan.has_fallback = true;
    plan.probes = {{&probe, 0}};
    plan.targets = {{probe.function, 0, 0, &probe}};
    return plan;
}

/// Returns the plan for functions that share one trampoline program. The plan cannot use the number of a function's
/// arguments, because the functions have different prototypes.
AttachPlan calling_plan(const machine::Calls& calls)
{
    AttachPlan plan;
    for (uint32_t i = 0; i < calls.arguments.size(); ++i)
        plan.arguments[i] = {Kind::FunctionArgument, i};
    plan.kind = ProgramKind::FentryMulti;
    plan.has_fallback = true;
    return plan;
}

void add_probe(AttachPlan& plan, const Probe& probe, std::vector<AttachTarget> targets)
{
    const uint64_t number = plan.probes.size();
    plan.probes.push_back({&probe, number});
    for (AttachTarget& target : targets) {
        target.cookie = number;
        plan.targets.push_back(std::move(target));
    }
}

/// Common base of fbt and rawfbt.
class FunctionProvider : public Provider {
public:
    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&,
                                                        const RefusedKinds& refused) override
    {
        std::erase_if(planned_, [](const Planned& planned) { return planned.plans_in_use().empty(); });
        for (const Planned& planned : planned_)
            if (planned.probes == probes && planned.refused == refused)
                return planned.plans_in_use();
        auto plans = plan_unrefused(probes, refused);
        planned_.push_back({probes, refused, {plans.begin(), plans.end()}});
        return plans;
    }

    std::string_view why_unattachable(const Probe&) override
    {
        if (!has_kprobes_)
            has_kprobes_ = kernel_.has_kprobes();
        return *has_kprobes_ ? std::string_view() : kNoKprobes;
    }

protected:
    FunctionProvider(KernelView& kernel, bool spelled) : kernel_(kernel), spelled_(spelled) {}

    /// Returns the signature of a probe whose function has no type information. The arguments are words: for an entry
    /// probe, all arguments that are passed in registers; for a return probe, arg0 and arg1.
    ProbeSignature untyped(const Probe& probe) const
    {
        ProbeSignature signature;
        for (std::size_t i = 0; i < (is_function_return(probe) ? 2 : calls().arguments.size()); ++i)
            signature.arguments.push_back({"uint64_t", {}, static_cast<uint8_t>(i)});
        return signature;
    }

    /// Adds the function's entry and return if the pattern matches them. Calls `make` to create each of them.
    template <typename Make>
    void add_both(std::string_view module, std::string_view function, const ProbePattern& pattern, Make make)
    {
        for (const char* name : {"entry", "return"}) {
            if (!glob_match(pattern.name, name))
                continue;
            Probe probe;
            probe.provider = this->name();
            probe.module = module;
            probe.function = function;
            probe.name = name;
            probe.attributes = &kFbtAttributes;
            make(std::move(probe));
        }
    }

    KernelView& kernel_;

private:
    const machine::Calls& calls() const { return kernel_.machine().calls; }

    /// Cached attach plans of existing traces. Making the plans of 40,000 probes takes 100 ms, and they need about 10
    /// MB. So a trace for --estimate, which only counts the firings of another trace's probes, uses the cached plans of
    /// that trace.
    struct Planned {
        std::vector<const Probe*> probes;
        RefusedKinds refused;
        std::vector<std::weak_ptr<const AttachPlan>> plans;

        /// Returns the plans, or nothing if some of the plans have been freed.
        std::vector<std::shared_ptr<const AttachPlan>> plans_in_use() const
        {
            std::vector<std::shared_ptr<const AttachPlan>> in_use;
            for (const auto& plan : plans)
                if (auto held = plan.lock())
                    in_use.push_back(std::move(held));
            return in_use.size() == plans.size() ? std::move(in_use) : std::vector<std::shared_ptr<const AttachPlan>>();
        }
    };

    std::vector<std::shared_ptr<const AttachPlan>> plan_unrefused(const std::vector<const Probe*>& probes,
                                                                  const RefusedKinds& refused)
    {
        AttachPlan entry = entry_plan(calls()), leave = return_plan(calls()), calling = calling_plan(calls());
        const bool at_once =
            !refused.contains(ProgramKind::KprobeMulti) && !refused.contains(ProgramKind::KretprobeMulti);
        const bool alone =
            probes.size() <= kFew && !refused.contains(ProgramKind::Fentry) && !refused.contains(ProgramKind::Fexit);
        const bool together = probes.size() > kFew && probes.size() <= kMany && may_call_one_program(refused);
        entry.kind = at_once ? ProgramKind::KprobeMulti : ProgramKind::Kprobe;
        leave.kind = at_once ? ProgramKind::KretprobeMulti : ProgramKind::Kretprobe;
        entry.has_fallback = leave.has_fallback = at_once;
        std::vector<std::shared_ptr<const AttachPlan>> plans;
        auto targets = targets_of(kernel_, probes, spelled_);
        for (std::size_t i = 0; i < probes.size(); ++i) {
            const Probe& probe = *probes[i];
            const bool may_call = (alone || (together && !is_function_return(probe))) && targets[i].size() == 1;
            const auto prototype = may_call ? typed_prototype(probe) : std::nullopt;
            if (prototype && alone)
                plans.push_back(std::make_shared<const AttachPlan>(trampoline_plan(calls(), probe, *prototype)));
            else if (const uint32_t type = prototype ? type_to_call_by(probe) : 0; type != 0)
                add_probe(calling, probe, {{probe.function, 0, 0, &probe, 0, 0, type}});
            else
                add_probe(is_function_return(probe) ? leave : entry, probe, std::move(targets[i]));
        }
        for (AttachPlan* plan : {&calling, &entry, &leave}) {
            if (plan->probes.empty())
                continue;
            if (plan->probes.size() > 1) {
                plan->selector = Location{Kind::Cookie};
                plan->selector_bound = static_cast<uint32_t>(plan->probes.size());
            }
            plans.push_back(std::make_shared<const AttachPlan>(std::move(*plan)));
        }
        return plans;
    }

    std::optional<bool> has_kprobes_; ///< cached result of KernelView::has_kprobes(), needed for each of many functions
    std::vector<Planned> planned_;    ///< cached plans of existing traces

    /// Returns the prototype of a function if the function can have a trampoline program of its own. The function must
    /// belong to the core kernel and have all parameters in registers. Excludes functions that BPF programs themselves
    /// call, because only kprobes have a guard against recursion that covers all programs of a CPU.
    std::optional<KernelTypes::Prototype> typed_prototype(const Probe& probe)
    {
        KernelTypes* const types = spelled_ || probe.module != kKernelModule || is_used_by_programs(probe.function)
                                       ? nullptr
                                       : kernel_.types();
        const auto prototype = types ? types->prototype(probe.module, probe.function) : std::nullopt;
        return prototype && prototype->words && prototype->parameters <= calls().arguments.size() ? prototype
                                                                                                  : std::nullopt;
    }

    bool may_call_one_program(const RefusedKinds& refused)
    {
        return !refused.contains(ProgramKind::FentryMulti) && kernel_.types() &&
               kernel_.types()->function_id(kKernelModule, "bpf_tracing_multi_attach");
    }

    /// Returns the type id of a function, or 0 if the function cannot share a trampoline program with others. The
    /// kernel looks up the function by name, so clones and ambiguous names are excluded.
    uint32_t type_to_call_by(const Probe& probe)
    {
        const auto listed = kernel_.traceable();
        const auto [first, end] =
            std::equal_range(listed.begin(), listed.end(), KernelFunction{probe.function, {}},
                             [](const KernelFunction& a, const KernelFunction& b) { return a.name < b.name; });
        return end - first == 1 && first->module == kKernelModule
                   ? kernel_.types()->function_id(kKernelModule, probe.function).value_or(0)
                   : 0;
    }

    const bool spelled_; ///< whether names of functions are literal and may be names of clones (rawfbt)
};

bool names_no_probe(const ProbePattern& pattern)
{
    return !glob_match(pattern.name, "entry") && !glob_match(pattern.name, "return");
}

class FbtProvider final : public FunctionProvider {
public:
    explicit FbtProvider(KernelView& kernel) : FunctionProvider(kernel, false) {}

    std::string_view name() const override { return "fbt"; }
    uint32_t places() const override { return 1u << (kModuleBits + kFunctionBits + 1); }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (names_no_probe(pattern))
            return {};
        if (!kernel_.types() && kernel_.traceable().empty())
            return Error{
                "the kernel has no type information (CONFIG_DEBUG_INFO_BTF), from which fbt gets its functions"};
        is_literal(pattern.function) ? match_name(pattern, sink) : match_all(pattern, sink);
        return {};
    }

    ProbeSignature signature(const Probe& probe) override
    {
        const auto prototype =
            kernel_.types() ? kernel_.types()->prototype(probe.module, probe.function) : std::nullopt;
        ProbeSignature signature;
        if (!prototype) {
            signature = untyped(probe);
        } else if (is_function_return(probe)) {
            signature.arguments.push_back({"uint64_t", {}, 0});
            if (prototype->has_result)
                signature.arguments.push_back(typed(probe, 1, [](const Type& function) { return function.target; }));
        } else {
            const std::vector<std::string> names = kernel_.types()->parameter_names(probe.module, probe.function);
            for (uint32_t i = 0; i < std::min(prototype->parameters, 10u); ++i) {
                signature.arguments.push_back(typed(probe, static_cast<uint8_t>(i),
                                                    [i](const Type& function) { return function.parameters.at(i); }));
                signature.arguments.back().name = i < names.size() ? names[i] : std::string();
            }
        }
        signature.note = [this, &probe] { return note(probe); };
        return signature;
    }

    void explain_absent(const ProbePattern& pattern, const VisitAbsent& visit) override
    {
        KernelTypes* const types = kernel_.types();
        // Exact names are skipped here, because they are never excluded.
        if (!types || names_no_probe(pattern) || is_literal(pattern.function))
            return;
        for (const std::string& module : types->modules())
            if (glob_match(pattern.module, module))
                types->for_each_function(module, [&](std::string_view function, uint32_t) {
                    if (!glob_match(pattern.function, function))
                        return;
                    std::string_view reason = exclusion_reason(function, kernel_.wants_all_functions());
                    if (reason.empty() && !is_listed(module, function))
                        reason = "the kernel does not list it as traceable";
                    if (!reason.empty())
                        visit("fbt:" + module + ":" + std::string(function), reason);
                });
    }

private:
    void match_name(const ProbePattern& pattern, ProbeSink& sink)
    {
        bool found = false;
        for (const std::string& module : is_literal(pattern.module) ? std::vector{pattern.module} : modules())
            if (glob_match(pattern.module, module))
                if (const auto id = id_of(module, pattern.function)) {
                    add(module, pattern.function, id, pattern, sink);
                    found = true;
                }
        if (found || pattern.function.find('.') != std::string::npos)
            return;
        for (const KernelFunction& function : functions_named(pattern.function))
            if (glob_match(pattern.module, function.module) && is_function(function.name))
                add(function.module, pattern.function, std::nullopt, pattern, sink);
    }

    void match_all(const ProbePattern& pattern, ProbeSink& sink)
    {
        const bool all = kernel_.wants_all_functions();
        const auto take = [&](std::string_view module, std::string_view function, std::optional<uint32_t> id) {
            if (glob_match(pattern.module, module) && glob_match(pattern.function, function) &&
                exclusion_reason(function, all).empty())
                add(module, function, id, pattern, sink);
        };
        for (const KernelFunction& listed : kernel_.traceable())
            if (is_function(listed.name))
                take(listed.module, base_name(listed.name), id_of(listed.module, base_name(listed.name)));
        if (kernel_.traceable().empty())
            for (const std::string& module : modules())
                kernel_.types()->for_each_function(
                    module, [&](std::string_view function, uint32_t id) { take(module, function, id); });
    }

    /// Returns the functions in the kernel's list that have this name, and clones of such functions.
    std::span<const KernelFunction> functions_named(std::string_view name)
    {
        const auto listed = kernel_.traceable();
        const auto first =
            std::partition_point(listed.begin(), listed.end(), [&](const KernelFunction& f) { return f.name < name; });
        const auto end =
            std::find_if(first, listed.end(), [&](const KernelFunction& f) { return base_name(f.name) != name; });
        return {first, end};
    }

    /// Returns whether the kernel lists the function or a clone of it. Also returns true if the list is empty, because
    /// it is then unknown which functions exist.
    bool is_listed(std::string_view module, std::string_view function)
    {
        const auto named = functions_named(function);
        return kernel_.traceable().empty() || std::any_of(named.begin(), named.end(), [&](const KernelFunction& each) {
                   return each.module == module && is_function(each.name);
               });
    }

    /// Returns a remark for users on arguments whose types are unknown.
    std::string note(const Probe& probe)
    {
        const KernelFunction* clone = nullptr;
        const auto named = functions_named(probe.function);
        for (const KernelFunction& each : named)
            if (each.module == probe.module && each.name == probe.function)
                return {};
            else if (each.module == probe.module)
                clone = &each;
        return clone ? "The compiler replaced it by " + std::string(clone->name) + ": arguments may differ"
                     : std::string();
    }

    /// Returns the function's id in the type information if it fits into kFunctionBits bits.
    std::optional<uint32_t> id_of(std::string_view module, std::string_view function)
    {
        const auto id = kernel_.types() ? kernel_.types()->function_id(module, function) : std::nullopt;
        return id && *id < 1u << kFunctionBits ? id : std::nullopt;
    }

    void add(std::string_view module, std::string_view function, std::optional<uint32_t> id,
             const ProbePattern& pattern, ProbeSink& sink)
    {
        const auto number = id ? module_number(module) : std::nullopt;
        add_both(module, function, pattern, [&](Probe probe) {
            if (!number) {
                sink.add_on_demand(std::move(probe));
                return;
            }
            probe.place = ((uint64_t{*number} << kFunctionBits | *id) << 1) | is_function_return(probe);
            sink.add(std::move(probe));
        });
    }

    const std::vector<std::string>& modules()
    {
        if (modules_.empty() && kernel_.types())
            modules_ = kernel_.types()->modules();
        return modules_;
    }

    std::optional<uint32_t> module_number(std::string_view module)
    {
        if (module == kKernelModule)
            return 0;
        const auto found = std::find(modules().begin(), modules().end(), module);
        const auto number = static_cast<uint32_t>(found - modules().begin());
        return found != modules().end() && number < kMaxModules ? std::optional(number) : std::nullopt;
    }

    /// Returns an argument whose type is looked up when it is needed: `part` selects it from the function's prototype.
    template <typename Part> ProbeArgument typed(const Probe& probe, uint8_t mapping, Part part)
    {
        ProbeArgument argument;
        argument.mapping = mapping;
        argument.type = [this, function = probe.function, module = probe.module,
                         part](TypeTable& table) -> const Type* {
            const Type* prototype = kernel_.types()->find(table, TypeNamespace::Function, function, module);
            return prototype ? part(*prototype) : nullptr;
        };
        return argument;
    }

    std::vector<std::string> modules_;
};

/// Provider rawfbt. It creates probes only for descriptions that name the provider. Otherwise a description without a
/// provider would match every function twice.
class RawFbtProvider final : public FunctionProvider {
public:
    explicit RawFbtProvider(KernelView& kernel) : FunctionProvider(kernel, true) {}

    std::string_view name() const override { return "rawfbt"; }
    bool serves(std::string_view provider_pattern) const override
    {
        return !provider_pattern.empty() && Provider::serves(provider_pattern);
    }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (names_no_probe(pattern))
            return {};
        const bool exact = is_literal(pattern.function), all = kernel_.wants_all_functions();
        const auto take = [&](std::string_view module, std::string_view function) {
            if (glob_match(pattern.module, module) && glob_match(pattern.function, function) &&
                (exact || exclusion_reason(function, all).empty()))
                add_both(module, function, pattern, [&](Probe probe) { sink.add_on_demand(std::move(probe)); });
        };
        for (const KernelFunction& listed : kernel_.traceable())
            take(listed.module, listed.name);
        if (kernel_.traceable().empty())
            kernel_.for_each_symbol(
                [&](std::string_view module, std::string_view function, uint64_t) { take(module, function); });
        return {};
    }

    ProbeSignature signature(const Probe& probe) override { return untyped(probe); }
};

} // namespace

std::unique_ptr<Provider> make_rawfbt_provider(KernelView& kernel)
{
    return std::make_unique<RawFbtProvider>(kernel);
}

std::unique_ptr<Provider> make_fbt_provider(KernelView& kernel)
{
    return std::make_unique<FbtProvider>(kernel);
}

// Implements functions about names of kernel functions. They decide which names patterns exclude and which ones are
// clones, and find the addresses for a name.

namespace {

struct ExcludedFunctions {
    std::string_view pattern, reason;
    bool is_function = true;
};

// Functions that patterns exclude, because probes on them are harmful or useless. Locks, the scheduler and the hash
// maps of programs are not excluded: if such a probe fires while a program runs, the kernel skips the firing and dtrace
// counts it.
constexpr ExcludedFunctions kExcludedFunctions[] = {
    {"__ftrace_invalid_address__*", "its code was freed after the kernel had booted", false},
    {"__probestub_*", "it belongs to a tracepoint and is empty: use provider rawtp or sdt for the tracepoint"},
    {"__traceiter_*", "it runs the programs of a tracepoint: use provider rawtp or sdt for the tracepoint"},
    {"bpf_dispatcher_*", "the kernel rewrites it whenever a BPF program is added or removed"},
    {"rcu_*", "it is part of RCU, on which BPF programs depend: it also runs where no BPF program may run, and "
              "millions of times a second"},
    {"__rcu_*", "on a preemptible kernel each firing calls it: its probe would fire inside every other probe"},
    {"is_endbr", "the kernel calls it for each function when probes are attached or detached"},
    {"arch_cpu_idle", "it runs while the CPU is idle"},
    {"default_idle", "it runs while the CPU is idle"},
};

// Patterns for functions that BPF programs call through helpers: locks, maps and their memory, buffers and wakeups of
// their readers, clocks, stacks, copying.
constexpr std::string_view kUsedByPrograms[] = {
    "*lock*",  "*bpf*",    "*htab*",  "*map_*elem*",   "*percpu*", "*pcpu*", "*freelist*", "*alloc*",
    "*free*",  "*slab*",   "*perf_*", "*ring_buffer*", "*irq*",    "*rcu*",  "*ktime*",    "*timekeeping*",
    "*stack*", "*unwind*", "*copy*",  "*strn*",        "mem*",     "__mem*", "*preempt*",  "*migrate*",
    "*fault*", "*trace*",  "*probe*", "*wake*",        "*sched*"};

struct FunctionAddress {
    uint32_t name, module; ///< indexes of the names of the function and its module
    bool is_clone;
    uint64_t address;
};

/// Finds the addresses of the functions that the given probes name.
class FunctionAddresses {
public:
    FunctionAddresses(KernelView& kernel, const std::vector<const Probe*>& probes, bool spelled)
        : numbers_(probes.size())
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
        std::stable_sort(places_.begin(), places_.end(), [](const FunctionAddress& a, const FunctionAddress& b) {
            return a.name != b.name ? a.name < b.name : a.is_clone < b.is_clone;
        });
        first_.resize(names_.size() + 1);
        for (const FunctionAddress& place : places_)
            ++first_[place.name + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
    }

    /// Returns the addresses of a probe's function and of its clones; functions with exactly that name come first.
    std::span<const FunctionAddress> of(std::size_t probe) const
    {
        const uint32_t name = of_probe_[probe];
        return std::span(places_).subspan(first_[name], first_[name + 1] - first_[name]);
    }
    const std::string& module_of(const FunctionAddress& place) const { return modules_[place.module]; }

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
    std::vector<uint32_t> of_probe_; ///< index in names_ of each probe's function
    std::vector<std::string> modules_;
    uint32_t last_module_ = 0;
    std::vector<FunctionAddress> places_; ///< addresses of functions, sorted by name
    /// index in places_ of the first address of each name; the last element is the total number of addresses
    std::vector<std::size_t> first_;
};

} // namespace

std::string_view exclusion_reason(std::string_view function, bool all)
{
    for (const ExcludedFunctions& exclude : kExcludedFunctions)
        if ((!all || !exclude.is_function) && glob_match(exclude.pattern, function))
            return exclude.reason;
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
    const FunctionAddresses places(kernel, probes, spelled);
    std::vector<std::vector<AttachTarget>> all;
    all.reserve(probes.size());
    for (std::size_t i = 0; i < probes.size(); ++i) {
        const Probe* const probe = probes[i];
        std::vector<AttachTarget>& targets = all.emplace_back();
        bool are_clones = false;
        for (const FunctionAddress& place : places.of(i)) {
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
