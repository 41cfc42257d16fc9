// sdt:GROUP::EVENT: the kernel's tracepoints with the fields of their records.
//
// Only an event's format file describes the fields, so there are no probes without tracefs. Each probe needs a separate
// program, because the first frames of a stack depend on the tracepoint.
#include <algorithm>

#include "base/kernel_abi.hpp"
#include "probes/attributes.hpp"
#include "probes/kernel/trace_events.hpp"

namespace dt::probes {
namespace {

using Kind = Location::Kind;
using Shape = TraceField::Shape;

Location location(const TraceField& field)
{
    switch (field.shape) {
    case Shape::Scalar:
        return {Kind::ContextField, 0, field.offset, static_cast<uint8_t>(field.size), field.is_signed};
    case Shape::Bytes:
        return {Kind::ContextAddress, 0, field.offset};
    case Shape::Located:
        return {Kind::DataLoc, 0, field.offset};
    case Shape::LocatedRelative:
        return {Kind::DataLoc, field.offset + field.size, field.offset};
    }
    return {};
}

/// Returns the type whose name is given as text in a format file; null if the type is unknown.
const Type* type_of_text(TypeTable& table, KernelTypes* types, std::string_view text)
{
    for (std::string_view word : {"const ", "volatile "})
        for (std::size_t at; (at = text.find(word)) == 0;)
            text.remove_prefix(word.size());
    while (text.ends_with(' '))
        text.remove_suffix(1);
    if (text.ends_with('*')) {
        const Type* const target = type_of_text(table, types, text.substr(0, text.size() - 1));
        return table.pointer_to(target ? target : table.void_type());
    }
    for (const auto& [word, space] : {std::pair<std::string_view, TypeNamespace>{"struct ", TypeNamespace::Struct},
                                      {"union ", TypeNamespace::Union},
                                      {"enum ", TypeNamespace::Enum}})
        if (text.starts_with(word))
            return types ? types->find(table, space, text.substr(word.size()), {}) : nullptr;
    if (const Type* const known = table.named(text))
        return known;
    return types ? types->find(table, TypeNamespace::Ordinary, text, {}) : nullptr;
}

/// Returns the D type of a field. If a field is not a number, the argument is a pointer to the field; a pointer to text
/// can be used as a string.
const Type* type_of(const TraceField& field, TypeTable& table, KernelTypes* types)
{
    const Type* const named = type_of_text(table, types, field.type);
    if (field.shape == Shape::Scalar) {
        const bool fits = named && named->resolve()->size == field.size && named->is_scalar();
        return fits ? named : table.integer(field.size, field.is_signed);
    }
    const bool is_text = named && named->resolve()->kind == TypeKind::Integer && named->resolve()->is_char;
    if (is_text)
        return field.shape == Shape::Bytes && field.size != 0 ? table.array_of(named, field.size) : table.string();
    return table.pointer_to(named ? named : table.void_type());
}

class SdtProvider final : public Provider {
public:
    explicit SdtProvider(KernelView& kernel) : kernel_(kernel) {}

    std::string_view name() const override { return "sdt"; }
    uint32_t places() const override { return kTraceEventNumbers; }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (!may_be_trace_event(pattern))
            return {};
        for_each_trace_event(kernel_, pattern, [&](const TraceEvent& event, uint32_t number) {
            Probe probe;
            probe.place = number;
            probe.provider = "sdt";
            probe.module = event.group;
            probe.name = event.name;
            probe.attributes = &kTracepointAttributes;
            sink.add(std::move(probe));
        });
        if (kernel_.trace_events().empty() && is_locked_down())
            return Error{"the kernel's list of events cannot be read: " + std::string(kLockedDown) +
                         " and blocks tracefs"};
        if (kernel_.trace_events().empty())
            return Error{"the kernel's list of events cannot be read: sdt needs tracefs (CONFIG_TRACING), and "
                         "CAP_SYS_ADMIN if tracefs is not mounted"};
        return {};
    }

    ProbeSignature signature(const Probe& probe) override
    {
        ProbeSignature signature;
        for (const TraceField& field : fields(probe)) {
            ProbeArgument argument;
            argument.mapping = static_cast<uint8_t>(signature.arguments.size());
            argument.name = field.name;
            argument.type = [this, field](TypeTable& table) { return type_of(field, table, kernel_.types()); };
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
            plan.kind = ProgramKind::Tracepoint;
            plan.targets = {{std::to_string(probe->place), 0, 0, probe}};
            plan.probes = {{probe, 0}};
            std::size_t i = 0;
            for (const TraceField& field : fields(*probe))
                plan.arguments[i++] = location(field);
            plans.push_back(std::make_shared<const AttachPlan>(std::move(plan)));
        }
        return plans;
    }

private:
    /// Returns those fields of the record that can be probe arguments.
    std::vector<TraceField> fields(const Probe& probe)
    {
        std::vector<TraceField> fields = read_trace_format(kernel_.trace_event_format({probe.module, probe.name}));
        fields.resize(std::min(fields.size(), AttachPlan{}.arguments.size()));
        return fields;
    }

    KernelView& kernel_;
};

} // namespace

std::unique_ptr<Provider> make_sdt_provider(KernelView& kernel)
{
    return std::make_unique<SdtProvider>(kernel);
}

} // namespace dt::probes
