// fbt: entry and return of the kernel's functions, with the types that its type information tells.
//
// An exact name is one look-up there; a glob reads the list of all functions. Where the kernel can attach one program to many functions it gets
// all of them at once, each with its probe's number as a cookie; else each has a perf event of its own.
#include <algorithm>

#include "dcompiler/arch.hpp"
#include "probes/attributes.hpp"
#include "probes/provider.hpp"

namespace dt::probes {
namespace {

using Kind = Location::Kind;

constexpr std::string_view kCore = "vmlinux";

// A probe's place: its module's number, the function's number in the type information, and whether it is a return.
constexpr uint32_t kModuleBits = 8, kFunctionBits = 19;
constexpr uint32_t kMostModules = 1u << kModuleBits;

bool is_return(const Probe& probe)
{
    return probe.place % 2 != 0;
}

/// Functions that a glob leaves out: no probe can be there whatever the list says, or the machine would suffer.
bool is_left_out(std::string_view function)
{
    static constexpr std::string_view kPrefixes[] = {"__ftrace_invalid_address__", "__probestub_", "__traceiter_", "bpf_dispatcher_", "rcu_"};
    static constexpr std::string_view kNames[] = {"arch_cpu_idle", "default_idle"};
    return std::any_of(std::begin(kPrefixes), std::end(kPrefixes), [&](std::string_view prefix) { return function.starts_with(prefix); }) ||
           std::find(std::begin(kNames), std::end(kNames), function) != std::end(kNames) || function.find('.') != std::string_view::npos;
}

AttachPlan entry_plan()
{
    AttachPlan plan;
    for (std::size_t i = 0; i < plan.arguments.size(); ++i)
        if (i < arch::kCallArguments.size())
            plan.arguments[i] = {Kind::Register, arch::kCallArguments[i]};
        else
            plan.arguments[i] = {Kind::StackWord, static_cast<uint32_t>(i - arch::kCallArguments.size()) + arch::kFirstStackArgument};
    return plan;
}

AttachPlan return_plan()
{
    AttachPlan plan;
    plan.arguments[0] = {Kind::Constant, 0, -1}; // which return instruction it was is not known
    plan.arguments[1] = plan.return_value = {Kind::Register, arch::kCallResult};
    return plan;
}

class FbtProvider final : public Provider {
public:
    explicit FbtProvider(KernelView& kernel) : kernel_(kernel) {}

    std::string_view name() const override { return "fbt"; }
    uint32_t places() const override { return 1u << (kModuleBits + kFunctionBits + 1); }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (!glob_match(pattern.name, "entry") && !glob_match(pattern.name, "return"))
            return {};
        KernelTypes* types = kernel_.types();
        if (!types)
            return Error{"the kernel has no type information (CONFIG_DEBUG_INFO_BTF), from which fbt knows its functions"};
        is_literal(pattern.function) ? match_name(*types, pattern, sink) : match_all(*types, pattern, sink);
        return {};
    }

    ProbeSignature signature(const Probe& probe) override
    {
        ProbeSignature signature;
        const auto prototype = kernel_.types()->prototype(probe.module, probe.function);
        if (is_return(probe)) {
            signature.arguments.push_back({"uint64_t", {}, 0});
            if (prototype && prototype->has_result)
                signature.arguments.push_back(typed(probe, 1, [](const Type& function) { return function.target; }));
            return signature;
        }
        for (uint32_t i = 0; prototype && i < std::min(prototype->parameters, 10u); ++i)
            signature.arguments.push_back(typed(probe, static_cast<uint8_t>(i), [i](const Type& function) { return function.parameters.at(i); }));
        return signature;
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&, const RefusedKinds& refused) override
    {
        AttachPlan entry = entry_plan(), leave = return_plan();
        const bool at_once = !refused.contains(ProgramKind::KprobeMulti) && !refused.contains(ProgramKind::KretprobeMulti);
        entry.kind = at_once ? ProgramKind::KprobeMulti : ProgramKind::Kprobe;
        leave.kind = at_once ? ProgramKind::KretprobeMulti : ProgramKind::Kretprobe;
        for (const Probe* probe : probes) {
            AttachPlan& plan = is_return(*probe) ? leave : entry;
            const uint64_t number = plan.probes.size();
            plan.probes.push_back({probe, number});
            plan.targets.push_back({probe->function, number, 0, probe});
        }
        std::vector<std::shared_ptr<const AttachPlan>> plans;
        for (AttachPlan* plan : {&entry, &leave}) {
            if (plan->probes.empty())
                continue;
            plan->has_fallback = at_once;
            if (plan->probes.size() > 1) {
                plan->selector = Location{Kind::Cookie};
                plan->selector_bound = static_cast<uint32_t>(plan->probes.size());
            }
            plans.push_back(std::make_shared<const AttachPlan>(std::move(*plan)));
        }
        return plans;
    }

private:
    void match_name(KernelTypes& types, const ProbePattern& pattern, ProbeSink& sink)
    {
        if (is_literal(pattern.module)) {
            add(types, pattern.module, pattern.function, types.function_id(pattern.module, pattern.function), pattern, sink);
            return;
        }
        for (const std::string& module : types.modules())
            if (glob_match(pattern.module, module))
                add(types, module, pattern.function, types.function_id(module, pattern.function), pattern, sink);
    }

    void match_all(KernelTypes& types, const ProbePattern& pattern, ProbeSink& sink)
    {
        for (const std::string& module : types.modules())
            if (glob_match(pattern.module, module))
                types.for_each_function(module, [&](std::string_view function, uint32_t id) {
                    if (glob_match(pattern.function, function) && !is_left_out(function) && kernel_.is_traceable(function))
                        add(types, module, function, id, pattern, sink);
                });
    }

    void add(KernelTypes& types, std::string_view module, std::string_view function, std::optional<uint32_t> id, const ProbePattern& pattern, ProbeSink& sink)
    {
        const auto number = id ? module_number(types, module) : std::nullopt;
        if (!number || *id >= 1u << kFunctionBits)
            return;
        for (const char* name : {"entry", "return"}) {
            if (!glob_match(pattern.name, name))
                continue;
            Probe probe;
            probe.place = ((uint64_t{*number} << kFunctionBits | *id) << 1) | (name[0] == 'r');
            probe.provider = "fbt";
            probe.module = module;
            probe.function = function;
            probe.name = name;
            probe.attributes = &kFbtAttributes;
            sink.add(std::move(probe));
        }
    }

    std::optional<uint32_t> module_number(KernelTypes& types, std::string_view module)
    {
        if (module == kCore)
            return 0;
        if (modules_.empty())
            modules_ = types.modules();
        const auto found = std::find(modules_.begin(), modules_.end(), module);
        const auto number = static_cast<uint32_t>(found - modules_.begin());
        return found != modules_.end() && number < kMostModules ? std::optional(number) : std::nullopt;
    }

    /// An argument whose type is a part of the function's prototype.
    template <typename Part> ProbeArgument typed(const Probe& probe, uint8_t mapping, Part part)
    {
        ProbeArgument argument;
        argument.mapping = mapping;
        argument.type = [this, function = probe.function, module = probe.module, part](TypeTable& table) -> const Type* {
            const Type* prototype = kernel_.types()->find(table, TypeNamespace::Function, function, module);
            return prototype ? part(*prototype) : nullptr;
        };
        return argument;
    }

    KernelView& kernel_;
    std::vector<std::string> modules_;
};

} // namespace

std::unique_ptr<Provider> make_fbt_provider(KernelView& kernel)
{
    return std::make_unique<FbtProvider>(kernel);
}

} // namespace dt::probes
