// Implements the stable providers, whose probes are described by tables with one row per probe (stable.hpp). When a
// probe is planned, the structure members that its row reads are looked up in the kernel's types. This file also
// contains the table of the provider sdt.
#include "probes/stable/stable.hpp"

#include <algorithm>
#include <map>

#include "base/kernel_abi.hpp"
#include "dcompiler/interface/foreign_names.hpp"
#include "machine/conventions.hpp"
#include "probes/attach/probe_event.hpp"
#include "probes/attributes.hpp"
#include "probes/provider.hpp"

namespace dt::probes {
namespace stable {
namespace {

struct Named {
    std::string_view name;
    /// Returns the provider's table. It is created at its first use: most scripts need no table, and creating all of
    /// them takes a millisecond.
    const std::vector<Row>& (*rows)();
    /// Whether listings hide probes for which this kernel has no hook. If they are not hidden and a user enables such a
    /// probe, an error message names the missing hook.
    bool only_hooked = false;
};

class StableProvider final : public Provider {
public:
    StableProvider(const Named& named, KernelView& kernel) : named_(named), kernel_(kernel) {}

    std::string_view name() const override { return named_.name; }
    uint32_t places() const override { return kMaxRows; }

    /// Replaces the module names that other systems use by vmlinux, because scripts written for these systems contain
    /// them.
    ProbePattern canonical(const ProbePattern& pattern) const override
    {
        ProbePattern here = pattern;
        const auto has_own = [&](const Row& row) { return row.module && pattern.module == row.module; };
        if (!foreign_name(ForeignKind::Module, pattern.module).empty() &&
            std::none_of(named_.rows().begin(), named_.rows().end(), has_own))
            here.module = "vmlinux";
        return here;
    }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        const std::vector<Row>& rows = named_.rows();
        const auto matches_probe = [&](const Row& row) {
            return glob_match(pattern.name, row.name) &&
                   (row.module ? pattern.module == row.module : glob_match(pattern.module, "vmlinux"));
        };
        if (!glob_match(pattern.function, "") || std::none_of(rows.begin(), rows.end(), matches_probe))
            return {};
        if (!kernel_.types())
            return Error{"the kernel has no type information (CONFIG_DEBUG_INFO_BTF), which " +
                         std::string(named_.name) + " needs to find members of structures"};
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Row& row = rows[i];
            if (!matches_probe(row) || is_absent(row))
                continue;
            Probe probe;
            probe.place = i;
            probe.provider = named_.name;
            probe.module = row.module ? row.module : "vmlinux";
            probe.name = row.name;
            probe.attributes = &kStableAttributes;
            sink.add(std::move(probe));
        }
        return {};
    }

    void explain_absent(const ProbePattern& pattern, const VisitAbsent& visit) override
    {
        if (!kernel_.types())
            return;
        for (const Row& row : named_.rows()) {
            if (!glob_match(pattern.name, row.name) || !is_absent(row))
                continue;
            if (info(row.hooks.front().kind).target == TargetKind::Iterator) {
                visit(std::string(named_.name) + ":::" + row.name, lacking_iterator(row.hooks.front()));
                continue;
            }
            std::string reason = "this kernel has no function or tracepoint at which the probe could fire (";
            for (const Hook& hook : row.hooks)
                for (const char* target : hook.targets)
                    reason +=
                        (reason.ends_with('(') ? "" : ", ") + std::string(target) +
                        (hook.least_parameters != 0 ? " with " + std::to_string(hook.least_parameters) + " arguments"
                                                    : "");
            const bool has_function = std::any_of(row.hooks.begin(), row.hooks.end(), [](const Hook& hook) {
                return info(hook.kind).target == TargetKind::Function;
            });
            visit(std::string(named_.name) + ":::" + row.name,
                  reason + (!has_function           ? "), or the module that has it is not loaded"
                            : kernel_.has_kprobes() ? ")"
                                                    : "): it is built without CONFIG_KPROBES"));
        }
    }

    std::string_view why_unattachable(const Probe& probe) override
    {
        if (kernel_.has_kprobes())
            return {};
        const std::vector<Hook> hooks = hooks_there(named_.rows()[probe.place]);
        const bool lost = std::all_of(hooks.begin(), hooks.end(), needs_kprobe);
        return lost ? kNoKprobes : std::string_view();
    }

    ProbeSignature signature(const Probe& probe) override
    {
        const Row& row = named_.rows()[probe.place];
        ProbeSignature made{row.signature, false};
        std::string lacking;
        for (const Hook& hook : hooks_there(row))
            if (lacking.empty())
                lacking = lacking_member(hook);
        for (ProbeArgument& argument : made.arguments)
            argument.refusal = lacking.empty() ? "" : "this kernel has no " + lacking;
        return made;
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&,
                                                        const RefusedKinds& refused) override
    {
        std::vector<std::shared_ptr<const AttachPlan>> plans;
        for (const Probe* probe : probes) {
            const Row& row = named_.rows()[probe->place];
            std::vector<Hook> hooks = hooks_there(row);
            const bool is_refused =
                std::any_of(hooks.begin(), hooks.end(), [&](const Hook& hook) { return refused.contains(hook.kind); });
            if (is_refused && !row.fallback.empty())
                hooks = row.fallback;
            for (const Hook& hook : hooks) {
                AttachPlan plan = planned(*probe, hook, refused);
                plan.has_fallback |= !row.fallback.empty() && plan.kind_info().refusable;
                plans.push_back(std::make_shared<const AttachPlan>(std::move(plan)));
            }
        }
        return plans;
    }

private:
    static std::string lacking_iterator(const Hook& hook)
    {
        return std::string("this kernel has no BPF iterator ") + hook.targets.front() + ", which Linux has from " +
               hook.first_release + " on";
    }

    bool is_locked()
    {
        if (!is_locked_)
            is_locked_ = is_locked_down();
        return *is_locked_;
    }
    /// Returns whether kprobes can be attached. A locked-down kernel supports kprobes but does not allow them.
    bool allows_kprobes() { return kernel_.has_kprobes() && !is_locked(); }

    static bool needs_kprobe(const Hook& hook)
    {
        return info(hook.kind).target == TargetKind::Function && hook.kind != ProgramKind::Fentry &&
               hook.kind != ProgramKind::Fexit;
    }

    const std::vector<Hook>& hooks_of(const Row& row)
    {
        const auto may_attach = [this](const Hook& hook) {
            return needs_kprobe(hook) ? allows_kprobes() : is_there(hook);
        };
        const auto is_lost = [this](const Hook& hook) { return needs_kprobe(hook) && !allows_kprobes(); };
        if (!row.locked.empty() && is_locked() && may_attach(row.locked.front()))
            return row.locked;
        const bool incomplete = std::any_of(row.hooks.begin(), row.hooks.end(), is_lost) ||
                                std::none_of(row.hooks.begin(), row.hooks.end(), may_attach);
        if (incomplete)
            for (const std::vector<Hook>* other : {&row.otherwise, &row.fallback})
                if (!other->empty() && may_attach(other->front()))
                    return *other;
        if (incomplete && is_locked())
            if (const std::vector<Hook>& calls = direct_calls(row); !calls.empty())
                return calls;
        return row.hooks;
    }

    /// Returns hooks by fentry and fexit, which lockdown allows, at the functions of a row's kprobes. Returns nothing
    /// if such a hook cannot provide a value of the row, or if the kernel's types lack a function.
    const std::vector<Hook>& direct_calls(const Row& row)
    {
        const auto [cached, is_new] = direct_calls_.try_emplace(&row);
        if (is_new)
            cached->second = find_direct_calls(row);
        return cached->second;
    }

    std::vector<Hook> find_direct_calls(const Row& row)
    {
        std::vector<Hook> calls;
        for (const Hook& hook : row.hooks)
            if (!needs_kprobe(hook))
                calls.push_back(hook);
            else if (!add_direct_calls(hook, calls))
                return {};
        return calls;
    }

    bool add_direct_calls(const Hook& hook, std::vector<Hook>& calls)
    {
        bool found = false;
        for (const char* target : hook.targets) {
            const auto prototype = kernel_.types()->prototype("vmlinux", target);
            if (!prototype || !prototype->words || prototype->parameters > kernel_.machine().calls.arguments.size())
                continue;
            const std::optional<Hook> call = direct_call_of(hook, target, *prototype);
            if (!call)
                return false;
            calls.push_back(*call);
            found = true;
            if (!hook.every)
                break;
        }
        return found;
    }

    static std::optional<Hook> direct_call_of(const Hook& hook, const char* target,
                                              const KernelTypes::Prototype& prototype)
    {
        const bool returns = hook.kind == ProgramKind::Kretprobe;
        if (hook.kind != ProgramKind::Kprobe && !returns)
            return std::nullopt;
        const Hook* const entry = hook.start_hook.get();
        if (entry && (!returns || entry->kind != ProgramKind::Kprobe || !entry->filters.empty()))
            return std::nullopt;
        Hook call = hook;
        call.kind = returns ? ProgramKind::Fexit : ProgramKind::Fentry;
        call.targets = {target};
        call.start_hook = nullptr;
        call.key.clear();
        call.every = false;
        bool possible = true;
        const auto take = [&](Source& source) {
            if (possible)
                possible = read_from_context(source, entry, prototype);
        };
        std::for_each(call.arguments.begin(), call.arguments.end(), take);
        for (Filter& filter : call.filters) {
            take(filter.left);
            if (filter.right)
                take(*filter.right);
        }
        return possible ? std::optional(std::move(call)) : std::nullopt;
    }

    /// Makes a source for a kprobe usable in fentry and fexit programs, whose context contains the function's arguments
    /// and then its result. Replaces registers, and the argument that was stored at the function's entry. Returns false
    /// if the context lacks a datum.
    static bool read_from_context(Source& source, const Hook* entry, const KernelTypes::Prototype& prototype)
    {
        if (source.where.kind == Kind::Recorded) {
            if (!entry || entry->arguments.size() != 1 || entry->arguments.front().role != Role::Argument)
                return false;
            source = entry->arguments.front();
        }
        if (source.role == Role::Argument || source.role == Role::Result) {
            const bool is_result = source.role == Role::Result;
            if (is_result ? !prototype.has_result : source.where.index >= prototype.parameters)
                return false;
            source.where.kind = Kind::ContextWord;
            source.where.index = is_result ? prototype.parameters : source.where.index;
            source.role = Role::None;
        }
        const auto possible = [&](Source& part) { return read_from_context(part, entry, prototype); };
        return source.where.kind != Kind::Register && source.where.kind != Kind::ContextAddress &&
               source.where.kind != Kind::Elapsed && std::all_of(source.of.begin(), source.of.end(), possible) &&
               std::all_of(source.otherwise.begin(), source.otherwise.end(), possible);
    }

    /// Returns the row's hooks that this kernel has. If it has none of them, returns all of the row's hooks for this
    /// machine, so that the error message can name them.
    std::vector<Hook> hooks_there(const Row& row)
    {
        const bool returns = machine::conventions_of(kernel_.machine()).new_threads_return;
        std::vector<Hook> there, of_machine;
        for (const Hook& hook : hooks_of(row))
            if (hook.new_threads_return.value_or(returns) == returns)
                of_machine.push_back(hook);
        for (const Hook& hook : of_machine)
            // Functions are assumed to exist, because the type information does not contain every function.
            if ((info(hook.kind).target != TargetKind::Tracepoint && !named_.only_hooked) || is_there(hook))
                there.push_back(hook);
        return there.empty() ? of_machine : there;
    }

    bool is_hooked(const Row& row)
    {
        const std::vector<Hook>& hooks = hooks_of(row);
        return std::any_of(hooks.begin(), hooks.end(), [this](const Hook& hook) { return is_there(hook); });
    }

    /// Returns whether a row's probe is hidden. Some kernels inline the functions that a row hooks, such as those of
    /// locks, into all callers. If a row needs such functions and all are inlined, its probe cannot be attached, and is
    /// not listed.
    bool is_absent(const Row& row)
    {
        if (named_.only_hooked)
            return !is_hooked(row);
        const std::vector<Hook>& hooks = hooks_of(row);
        return kernel_.has_kprobes() && std::all_of(hooks.begin(), hooks.end(),
                                                    [this](const Hook& hook) { return hook.every && !is_there(hook); });
    }

    bool is_there(const Hook& hook)
    {
        KernelTypes& types = *kernel_.types();
        const TargetKind kind = info(hook.kind).target;
        if (kind == TargetKind::Tracepoint) {
            const auto prototype = types.tracepoint_prototype(hook.targets.front(), "");
            return prototype && prototype->parameters >= hook.least_parameters;
        }
        if (kind == TargetKind::Iterator)
            return types.function_id("vmlinux", std::string("bpf_iter_") + hook.targets.front()).has_value();
        return kind == TargetKind::Other ||
               ((kernel_.has_kprobes() || !needs_kprobe(hook)) &&
                std::any_of(hook.targets.begin(), hook.targets.end(),
                            [&](const char* name) { return types.function_id("vmlinux", name).has_value(); }));
    }

    static bool takes_time(const Source& source)
    {
        return source.where.kind == Kind::Elapsed || std::any_of(source.of.begin(), source.of.end(), takes_time);
    }

    /// Returns the prototype of the kernel functions that access the session word, which the kernel keeps for each
    /// function call from entry to return. Returns nothing if this kernel does not have the functions. The functions
    /// have no parameter, or, from Linux 7.0 on, the program's context as a parameter.
    std::optional<KernelTypes::Prototype> session_word()
    {
        const auto found = kernel_.types()->prototype("vmlinux", "bpf_session_cookie");
        return found && found->parameters <= 1 ? found : std::nullopt;
    }

    AttachPlan planned(const Probe& probe, const Hook& hook, const RefusedKinds& refused)
    {
        AttachPlan plan;
        parameters_ = parameters_of(hook);
        const bool of_call =
            hook.kind == ProgramKind::Kretprobe && hook.start_hook && hook.start_hook->kind == ProgramKind::Kprobe;
        // The session word, which the kernel keeps from a call's entry to its return, has no room for a timestamp. So
        // it is used only if the hook's arguments need no timestamp.
        const bool by_word = of_call && std::none_of(hook.arguments.begin(), hook.arguments.end(), takes_time);
        const auto word = by_word && !refused.contains(ProgramKind::KprobeSession) ? session_word() : std::nullopt;
        plan.has_fallback = word.has_value();
        plan.kfuncs_take_context = word && word->parameters == 1;
        plan.kind = plan.has_fallback ? ProgramKind::KprobeSession : hook.kind;
        plan.probes = {{&probe, 0}};
        plan.needs_event = hook.needs_event;
        plan.is_asynchronous = info(hook.kind).target == TargetKind::Iterator; // dtrace itself runs the iterators
        plan.alternatives = !hook.every && hook.targets.size() > 1;
        for (const char* target : hook.targets)
            if (!hook.every || kernel_.types()->function_id("vmlinux", target))
                plan.targets.push_back({target, 0, 0, &probe});
        if (plan.targets.empty())
            // if this kernel has none of the functions, the first one is the plan's target, so that the error message
            // names it
            plan.targets.push_back({hook.targets.front(), 0, 0, &probe});
        for (std::size_t i = 0; i < hook.arguments.size(); ++i)
            plan.arguments[i] = located(hook.arguments[i]);
        for (const Source& part : hook.key)
            plan.key.push_back(located(part));
        for (const Filter& filters : hook.filters)
            plan.conditions.push_back({located(filters.left), filters.relation, values_of(filters),
                                       filters.right ? std::optional(located(*filters.right)) : std::nullopt});
        if (hook.start_hook)
            plan.start_hook = std::make_shared<const AttachPlan>(planned(probe, *hook.start_hook, refused));
        return plan;
    }

    std::vector<int64_t> values_of(const Filter& filters)
    {
        std::vector<int64_t> values = filters.values;
        for (const char* function : filters.functions)
            values.push_back(static_cast<int64_t>(kernel_.symbol_address(function)));
        if (const auto& [type, name] = filters.enumerator; type)
            values.push_back(enumerator(type, name));
        for (const std::string_view name : filters.calls)
            if (const machine::SyscallEntry* const call = kernel_.machine().syscalls.find(name))
                values.push_back(call->number);
        return values;
    }

    /// Returns an enumerator, whose value may differ between kernel releases; -1 if this kernel has no enumerator of
    /// that name.
    int64_t enumerator(const char* type, std::string_view name)
    {
        TypeTable table;
        const Type* const found = kernel_.types()->find(table, TypeNamespace::Enum, type, {});
        if (found)
            for (const Enumerator& each : found->enumerators())
                if (each.name == name)
                    return each.value;
        return -1;
    }

    void take_role(Role role, Location& where) const
    {
        const machine::Machine& machine = kernel_.machine();
        switch (role) {
        case Role::None:
            break;
        case Role::Argument:
            where.index = machine.calls.arguments[where.index];
            break;
        case Role::ArgumentHome:
            where.offset = int64_t{machine.calls.arguments[static_cast<std::size_t>(where.offset)]} * 8;
            break;
        case Role::Result:
            where.index = machine.calls.result;
            break;
        case Role::Stack:
            where.index = machine.saved.stack_pointer;
            break;
        case Role::ReturnPops:
            where.offset = -machine.calls.return_pops;
            break;
        case Role::Call:
            where = number_of_call(machine.syscalls);
            break;
        case Role::CallArgument:
            where.index = machine.syscalls.arguments[where.index];
            break;
        case Role::CallStatus:
            where.index = machine.syscalls.status_offset;
            break;
        case Role::CallCompat:
            where.offset = int64_t{1} << machine.syscalls.narrow_status_bit;
        }
    }

    /// Returns the first structure member that a hook reads and that this kernel's types lack, or nothing if they lack
    /// none.
    std::string lacking_member(const Hook& hook)
    {
        parameters_ = parameters_of(hook);
        std::string lacking;
        const auto visit = [&](const Source& source) {
            if (lacking.empty())
                lacking = lacking_member(source);
        };
        std::for_each(hook.arguments.begin(), hook.arguments.end(), visit);
        std::for_each(hook.key.begin(), hook.key.end(), visit);
        for (const Filter& filters : hook.filters) {
            visit(filters.left);
            if (filters.right)
                visit(*filters.right);
        }
        return lacking.empty() && hook.start_hook ? lacking_member(*hook.start_hook) : lacking;
    }

    /// Returns the number of parameters of the tracepoint that a hook uses; nothing if the hook is not a tracepoint.
    std::optional<std::size_t> parameters_of(const Hook& hook)
    {
        if (info(hook.kind).target != TargetKind::Tracepoint)
            return std::nullopt;
        const auto prototype = kernel_.types()->tracepoint_prototype(hook.targets.front(), "");
        return prototype ? std::optional<std::size_t>(prototype->parameters) : std::nullopt;
    }

    /// Returns the source (location of a datum), or, if this kernel lacks it, the first alternative in its `otherwise`
    /// that the kernel has.
    const Source& existing(const Source& source)
    {
        const auto is_there = [this](const Source& each) {
            return each.record
                       ? kernel_.types()->member("", each.record, each.member).has_value()
                       : each.where.kind != Kind::ContextWord || !parameters_ || each.where.index < *parameters_;
        };
        if (source.otherwise.empty() || is_there(source))
            return source;
        const auto other = std::find_if(source.otherwise.begin(), source.otherwise.end(), is_there);
        return other == source.otherwise.end() ? source : *other;
    }

    std::string lacking_member(const Source& wanted)
    {
        const Source& source = existing(wanted);
        if (source.record && !kernel_.types()->member("", source.record, source.member))
            return std::string("member ") + source.member + " of struct " + source.record;
        for (const Source& part : source.of)
            if (std::string lacking = lacking_member(part); !lacking.empty())
                return lacking;
        return {};
    }

    /// Returns the location for a source, with the offsets of structure members from the running kernel's types. If a
    /// member is missing, the location's size is 0, and compiling code that reads the location fails.
    Location located(const Source& wanted)
    {
        const Source& source = existing(wanted);
        Location where = source.where;
        for (const Source& part : source.of)
            where.of.push_back(located(part));
        take_role(source.role, where);
        const auto place = source.record ? kernel_.types()->member("", source.record, source.member) : std::nullopt;
        if (source.record && !place)
            return {Kind::KernelMemory, 0, 0, 0};
        if (!place)
            return where;
        if (where.kind == Kind::TaskWord)
            where.index = static_cast<uint32_t>(place->bit_offset / 8);
        else
            where.offset = static_cast<int64_t>(place->bit_offset / 8);
        if (where.size == 0)
            where.size = static_cast<uint8_t>(place->size);
        return where;
    }

    const Named& named_;
    KernelView& kernel_;
    std::optional<bool> is_locked_;
    std::map<const Row*, std::vector<Hook>> direct_calls_; ///< cached direct_calls()
    std::optional<std::size_t> parameters_;                ///< number of parameters of the hook being looked up
};

const Named kProviders[] = {
    {"proc", proc_rows},
    {"sched", sched_rows},
    {"ip", ip_rows},
    {"tcp", tcp_rows},
    {"udp", udp_rows},
    {"io", io_rows},
    {"lockstat", lockstat_rows},
    {"vminfo", vminfo_rows, true},
    {"sysinfo", sysinfo_rows, true},
    {"sdt", sdt_rows},
    {"fsinfo", fsinfo_rows, true},
    {"mib", mib_rows, true},
    {"nfsv3", nfsv3_rows, true},
    {"nfsv4", nfsv4_rows, true},
    {"list", list_rows, true},
};

} // namespace
} // namespace stable

std::vector<std::unique_ptr<Provider>> make_stable_providers(KernelView& kernel)
{
    std::vector<std::unique_ptr<Provider>> providers;
    for (const auto& provider : stable::kProviders)
        providers.push_back(std::make_unique<stable::StableProvider>(provider, kernel));
    return providers;
}

} // namespace dt::probes

// sdt: probe names that other systems use for tracepoints of Linux. The remaining sdt probes have the tracepoints' own
// names (probes/kernel/sdt.cpp).

namespace dt::probes::stable {

const std::vector<Row>& sdt_rows()
{
    // Hooks: irq_handler_entry(number, action), irq_handler_exit(number, action, result). The probes have the arguments
    // that other systems have: the interrupt's device (not 0), its handler, the handler's two arguments, and whether
    // the device had raised the interrupt (1: IRQ_HANDLED, DDI_INTR_CLAIMED).
    const Source action = word(1), handler = field_of(action, "irqaction", "handler"),
                 device = field_of(action, "irqaction", "dev_id"), number_ = word(0, 4);
    const std::vector<ProbeArgument> begun{
        {"struct irqaction *", {}, 0}, {"uintptr_t", {}, 1}, number(2), {"void *", {}, 3}};
    std::vector<ProbeArgument> ended = begun;
    ended.push_back(number(4));
    static const std::vector<Row> kRows = {
        {"interrupt-start", {raw("irq_handler_entry", {action, handler, number_, device})}, begun},
        {"interrupt-complete", {raw("irq_handler_exit", {action, handler, number_, device, word(2, 4)})}, ended},
    };
    return kRows;
}

} // namespace dt::probes::stable
