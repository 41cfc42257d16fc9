// rawtp:GROUP::EVENT: the kernel's tracepoints with the values that the kernel's code passes to them.
//
// Each tracepoint needs a separate program, because before Linux 6.10 a program cannot determine which tracepoint runs
// it. The kernel refuses a program that reads more words than the tracepoint has, so without type information probes
// have no arguments. Tracepoints for which the kernel cannot write a record belong to no group and are not in the
// kernel's list of events. They are found only in the type information, and their module is vmlinux.
#include <algorithm>
#include <set>

#include "probes/attributes.hpp"
#include "probes/kernel/trace_events.hpp"

namespace dt::probes {
namespace {

constexpr std::string_view kVmlinux = "vmlinux";

// The index of a probe in this provider (Probe::place) is the id of the tracepoint's event. For a tracepoint without an
// event, the index is kTraceEventNumbers plus the id of its type in the core kernel's BTF.
constexpr uint32_t kMaxTypes = 1u << 19;

constexpr uint32_t kMaxWords = 12; ///< maximum number of words that a tracepoint passes (bpf_trace_run12)

/// Returns the type of parameter `i`. A struct that is passed by value in one word becomes a number.
const Type* parameter_type(TypeTable& table, const Type* prototype, uint32_t i)
{
    const Type* const type = prototype && i < prototype->parameters.size() ? prototype->parameters[i] : nullptr;
    return type && type->is_record() ? table.integer(8, false) : type;
}

class RawtpProvider final : public Provider {
public:
    explicit RawtpProvider(KernelView& kernel) : kernel_(kernel) {}

    std::string_view name() const override { return "rawtp"; }
    uint32_t places() const override { return kTraceEventNumbers + kMaxTypes; }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (!may_be_trace_event(pattern))
            return {};
        for_each_trace_event(kernel_, pattern, [&](const TraceEvent& event, uint32_t number) {
            add(sink, event.group, event.name, number);
        });
        KernelTypes* const types = kernel_.types();
        if (types && glob_match(pattern.module, kVmlinux))
            match_recordless(*types, pattern, sink);
        if (!types && kernel_.trace_events().empty())
            return Error{"cannot find the kernel's tracepoints: neither its list of events (tracefs) nor type "
                         "information (CONFIG_DEBUG_INFO_BTF) can be read"};
        return {};
    }

    ProbeSignature signature(const Probe& probe) override
    {
        ProbeSignature signature;
        for (uint32_t i = 0; i < words(probe); ++i) {
            ProbeArgument argument;
            argument.mapping = static_cast<uint8_t>(i);
            argument.type = [this, event = probe.name, i](TypeTable& table) {
                return parameter_type(table, kernel_.types()->tracepoint_type(table, event, {}), i);
            };
            signature.arguments.push_back(std::move(argument));
        }
        return signature;
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&,
                                                        const RefusedKinds&) override
    {
        std::vector<std::shared_ptr<const AttachPlan>> plans;
        for (const Probe* probe : probes) {
            AttachPlan plan;
            plan.kind = ProgramKind::RawTracepoint;
            plan.targets = {{probe->name, 0, 0, probe}};
            plan.probes = {{probe, 0}};
            for (uint32_t i = 0; i < words(*probe); ++i)
                plan.arguments[i] = {Location::Kind::ContextWord, i};
            plans.push_back(std::make_shared<const AttachPlan>(std::move(plan)));
        }
        return plans;
    }

private:
    /// Returns the number of words of the context that are arguments of the tracepoint.
    uint32_t words(const Probe& probe)
    {
        KernelTypes* const types = kernel_.types();
        const auto prototype = types ? types->tracepoint_prototype(probe.name, {}) : std::nullopt;
        return prototype ? std::min(prototype->parameters, kMaxWords) : 0;
    }

    bool has_record(std::string_view event)
    {
        if (events_.empty())
            for (const TraceEvent& each : kernel_.trace_events())
                events_.insert(each.name);
        return events_.contains(event);
    }

    void match_recordless(KernelTypes& types, const ProbePattern& pattern, ProbeSink& sink)
    {
        const auto add_type = [&](std::string_view event, uint32_t id) {
            if (id < kMaxTypes && !has_record(event))
                add(sink, kVmlinux, event, kTraceEventNumbers + id);
        };
        if (is_literal(pattern.name)) {
            if (const auto id = types.tracepoint_id(kVmlinux, pattern.name))
                add_type(pattern.name, *id);
        } else {
            types.for_each_tracepoint(kVmlinux, [&](std::string_view event, uint32_t id) {
                if (glob_match(pattern.name, event))
                    add_type(event, id);
            });
        }
    }

    static void add(ProbeSink& sink, std::string_view group, std::string_view event, uint32_t place)
    {
        Probe probe;
        probe.place = place;
        probe.provider = "rawtp";
        probe.module = group;
        probe.name = event;
        probe.attributes = &kTracepointAttributes;
        sink.add(std::move(probe));
    }

    KernelView& kernel_;
    std::set<std::string, std::less<>> events_; ///< names of the tracepoints for which the kernel can write a record
};

} // namespace

std::unique_ptr<Provider> make_rawtp_provider(KernelView& kernel)
{
    return std::make_unique<RawtpProvider>(kernel);
}

} // namespace dt::probes
