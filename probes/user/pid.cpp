// pidN:object:function:name. Descriptions are resolved in the process N. Every error in a description has a tag
// (dtrace-errors(7), PROBES OF PROCESSES).
//
// Probes are made on demand. A probe belongs to an instruction of a file, or to several instructions if several
// functions have the same name. The kernel limits the probe to one process, so that other processes that map the file
// are not slowed down. There are three BPF programs: one for all entry probes, one for all return probes, and one for
// probes on other instructions. The cookie of each target is its probe's id.
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <tuple>

#include "probes/user/pid_search.hpp"

namespace dt::probes {
namespace {

using Object = ProcessView::Object;
using Function = ProcessView::Function;
using Calls = ProcessView::Calls;
using Point = PidPoint;

constexpr std::string_view kFamily = "pid", kOfFile = "pid@";

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

class PidProvider final : public Provider {
public:
    explicit PidProvider(KernelView& kernel) : kernel_(kernel), variables_(kernel) {}

    std::string_view name() const override { return kFamily; }

    /// Accepts provider components of these forms: "pid" with a complete number, pid@FILE, and patterns that match
    /// processes or existing probes. A name such as nfsv3 also ends in a digit, but belongs to another provider.
    bool serves(std::string_view provider) const override
    {
        if (is_of_file(provider))
            return true;
        if (!is_literal(provider))
            return !probes_.empty() || means_processes(provider);
        return provider.size() > kFamily.size() && provider.starts_with(kFamily) && is_digit(provider[kFamily.size()]);
    }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (is_of_file(pattern.provider))
            return match_file(pattern, &sink, nullptr);
        if (!is_literal(pattern.provider))
            return match_all(pattern, sink);
        const std::string& provider = pattern.provider;
        const char* last = provider.data() + provider.size();
        int64_t pid = 0;
        const auto [end, error] = std::from_chars(provider.data() + kFamily.size(), last, pid);
        if (error != std::errc{} || pid > std::numeric_limits<int32_t>::max())
            return {}; // a process id cannot be that large, so nothing matches
        if (pid == 0 || end != last)
            return pid_error("D_PROC_BADPID", "'" + provider + "' does not contain a valid pid");
        if (kernel_.processes().is_tracer(pid))
            return pid_error("D_PROC_DYN", "process " + std::to_string(pid) +
                                               " is dtrace itself, which cannot be traced with the pid provider");
        PidSearch search(kernel_, probes_, unwinders_, pattern, &sink, nullptr, pid);
        Result<void> looked;
        for (const int64_t process : kernel_.processes().tree(pid)) {
            const auto objects = kernel_.processes().objects(process);
            if (!objects && process == pid)
                looked = pid_error("D_PROC_GRAB",
                                   "failed to grab process " + std::to_string(pid) + ": " + objects.error().message);
            else if (objects && process == pid)
                looked = search.run(objects.value(), process);
            else if (objects)
                // errors are ignored, because a descendant of `pid` may have mapped other objects than `pid`
                static_cast<void>(search.run(objects.value(), process));
        }
        return !search.has_found() || search.has_refused() ? looked : Result<void>{};
    }

    void explain_absent(const ProbePattern& pattern, const VisitAbsent& visit) override
    {
        if (is_of_file(pattern.provider))
            return static_cast<void>(match_file(pattern, nullptr, &visit));
        int64_t pid = 0;
        std::from_chars(pattern.provider.data() + kFamily.size(), pattern.provider.data() + pattern.provider.size(),
                        pid);
        const auto objects = is_literal(pattern.provider) ? kernel_.processes().objects(pid) : Error{};
        if (objects)
            static_cast<void>(
                PidSearch(kernel_, probes_, unwinders_, pattern, nullptr, &visit, pid).run(objects.value(), 0));
    }

    bool is_alias_probe(const Probe& probe) const override
    {
        const auto made = probes_.find(probe.full_name());
        return made != probes_.end() && made->second.is_alias;
    }

    /// Returns the types of the parameters (entry probe) or of the result (return probe), as far as debug information
    /// describes them.
    ProbeSignature signature(const Probe& probe) override
    {
        const PidProbe& made = probes_.at(probe.full_name());
        ProbeSignature signature;
        if (made.point == Point::Offset || made.places.empty())
            return signature;
        const PidPlace& begin = made.places.front();
        const std::string function =
            made.serving.empty() || made.serving.front().empty() ? probe.function : made.serving.front();
        ProcessView::Prototype prototype =
            kernel_.processes().prototype(begin.file, begin.offset, function, made.function_calls);
        signature.untyped = prototype.untyped;
        if (const std::string origin = origin_of(probe.function, made.function_calls);
            !origin.empty() && prototype.note.empty())
            prototype.note = "The compiler made it from " + origin + ": arguments may differ";
        if (!made.serving.empty())
            prototype.note = describe_serving(made) + (prototype.note.empty() ? "" : ". ") + prototype.note;
        if (!prototype.note.empty())
            signature.note = [note = prototype.note] { return note; };
        if (made.point != Point::Entry) {
            if (signature.untyped.empty())
                signature.arguments.push_back({"uint64_t", {}, 0});
            if (prototype.result)
                signature.arguments.push_back(typed(*prototype.result));
            return signature;
        }
        for (const ProcessView::Value& parameter : prototype.parameters)
            if (signature.arguments.size() < kMaxArguments)
                signature.arguments.push_back(typed(parameter));
        return signature;
    }

    ProbeVariables variables(const Probe& probe, const std::string& name) override
    {
        std::vector<PidVariables::Instruction> instructions;
        const PidProbe& made = probes_.at(probe.full_name());
        for (const PidPlace& place : made.places) {
            if (place.point == Point::Return || place.point == Point::Leave)
                return {{}, "a return probe fires after the function has left its variables"};
            for (const uint64_t offset : offsets_of(made, place))
                instructions.push_back({place.file, place.identity, offset});
        }
        return variables_.find(instructions, name);
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes,
                                                        const ProbeNeeds& needs, const RefusedKinds& refused) override
    {
        const bool at_once =
            !refused.contains(ProgramKind::UprobeMulti) && !refused.contains(ProgramKind::UretprobeMulti);
        std::map<std::tuple<Point, Calls, ProcessScope, bool, std::size_t>, AttachPlan> plans;
        std::vector<PidVariables::Locations> layouts{{}}; // an instruction's plan depends on the variables' locations
        std::map<std::string, ProcessView::Identity> identities;
        for (const Probe* probe : probes) {
            const PidProbe& made = probes_.at(probe->full_name());
            for (const PidPlace& place : made.places) {
                AttachPlan fresh = plan_pid_probes(kernel_.machine(), place.point, made.calls, at_once);
                fresh.process_scope =
                    made.pid == 0 ? ProcessScope::Any : process_scope(kernel_.processes(), made.pid, fresh.kind);
                fresh.everywhere = made.pid == 0;
                const int64_t process = attached_process(kernel_.processes(), made.pid, fresh.process_scope);
                const auto [identity, is_new] = identities.try_emplace(place.file);
                if (is_new)
                    identity->second = kernel_.processes().identity(place.file);
                // The location has no targets if its path now leads to another file.
                const bool is_same = identity->second == place.identity;
                const auto read = needs.variables.find(probe);
                const std::vector<uint64_t> offsets = offsets_of(made, place);
                for (const uint64_t offset : offsets) {
                    if (read != needs.variables.end())
                        fresh.variables = variables_.locations({place.file, place.identity, offset}, read->second);
                    const std::size_t layout = index_of(layouts, fresh.variables);
                    AttachPlan& plan =
                        plans
                            .try_emplace({place.point, made.calls, fresh.process_scope, fresh.everywhere, layout},
                                         fresh)
                            .first->second;
                    if (plan.probes.empty() || plan.probes.back().probe != probe)
                        plan.probes.push_back({probe, plan.probes.size(), made.pid});
                    if (is_same)
                        plan.targets.push_back({place.file, plan.probes.back().selector, offset, probe, 0, process});
                    if (is_same && offset == offsets.front())
                        add_ranges(place, probe, plan);
                }
            }
        }
        std::vector<std::shared_ptr<const AttachPlan>> result;
        for (auto& [what, plan] : plans) {
            if (plan.probes.size() > 1) {
                plan.selector = Location{Location::Kind::Cookie};
                plan.selector_bound = static_cast<uint32_t>(plan.probes.size());
            }
            if (!plan.return_probe_ranges.empty())
                plan.unwinder = unwinders_.plan(kernel_.processes(), plan);
            result.push_back(std::make_shared<const AttachPlan>(std::move(plan)));
        }
        return result;
    }

private:
    static void add_ranges(const PidPlace& place, const Probe* probe, AttachPlan& plan)
    {
        for (const ReturnProbeRange& code : place.code) {
            plan.return_probe_ranges.push_back(code);
            plan.return_probe_ranges.back().probe = probe;
        }
    }

    /// Returns the index of the variables' locations in a list. Adds the locations to the list if they are new.
    static std::size_t index_of(std::vector<PidVariables::Locations>& layouts, const PidVariables::Locations& wanted)
    {
        const auto found = std::find(layouts.begin(), layouts.end(), wanted);
        const auto index = static_cast<std::size_t>(found - layouts.begin());
        if (found == layouts.end())
            layouts.push_back(wanted);
        return index;
    }

    /// Returns whether the provider names a file. pid@/usr/bin/shop stands for every process that runs or maps the
    /// file, even processes that start later. With a build id, pid@ stands for all copies of the file.
    static bool is_of_file(std::string_view provider) { return provider.starts_with(kOfFile); }

    Result<void> match_file(const ProbePattern& pattern, ProbeSink* sink, const VisitAbsent* visit)
    {
        const std::string path = pattern.provider.substr(kOfFile.size());
        auto copies = kernel_.processes().files(path);
        if (!copies)
            return pid_error("D_PROC_GRAB", "failed to grab file " + path + ": " + copies.error().message);
        const bool matches_probe = std::any_of(copies->begin(), copies->end(), [&](const Object& object) {
            return matches_file(object.path, object.is_executable, pattern.module);
        });
        if (!matches_probe && is_literal(pattern.module))
            return pid_error("D_PROC_LIB", "module '" + pattern.module + "' is not " + path +
                                               ", and pid@ matches only functions of that file");
        return PidSearch(kernel_, probes_, unwinders_, pattern, sink, visit, 0).run(copies.value(), 0);
    }

    /// Returns whether a pattern creates probes in processes. `pid*`, or a pattern with part of a number, creates
    /// probes in the matching processes; `*:::entry` only matches pid probes that already exist.
    static bool means_processes(std::string_view provider)
    {
        return provider.starts_with(kFamily) || std::any_of(provider.begin(), provider.end(), is_digit);
    }

    /// Searches every process whose provider the pattern matches. Ignores errors in single processes, because the
    /// pattern may be meant for other processes.
    Result<void> match_all(const ProbePattern& pattern, ProbeSink& sink)
    {
        if (!means_processes(pattern.provider))
            return {};
        ProcessView& processes = kernel_.processes();
        for (const int64_t pid : processes.pids(true)) {
            const ProbePattern own{std::string(kFamily) + std::to_string(pid), pattern.module, pattern.function,
                                   pattern.name};
            if (!glob_match(pattern.provider, own.provider) || processes.is_tracer(pid))
                continue;
            PidSearch search(kernel_, probes_, unwinders_, own, &sink, nullptr, pid);
            for (const int64_t process : processes.tree(pid))
                // skips a process whose objects cannot be listed, because it has ended or is a kernel thread
                if (const auto objects = processes.objects(process))
                    static_cast<void>(search.run(objects.value(), process));
        }
        return {};
    }

    /// Returns a remark for users such as "Implemented by __memset_evex_unaligned_erms".
    static std::string describe_serving(const PidProbe& made)
    {
        std::vector<std::string> names = made.serving;
        std::replace(names.begin(), names.end(), std::string(), std::string("a function without a symbol"));
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        std::string text = made.is_chosen ? "Implemented by " : "Implemented by one of ";
        for (const std::string& name : names)
            text += (&name == &names.front() ? "" : ", ") + name;
        return text;
    }

    /// Returns "foo" for "foo.constprop.0", "foo(int)" for "foo(int) [clone .isra.0]"; empty if the function is not a
    /// clone.
    static std::string origin_of(const std::string& function, Calls calls)
    {
        const bool has_parameters = function.find('(') != std::string::npos;
        const std::size_t end = calls == Calls::C || calls == Calls::C32
                                    ? function.find(has_parameters ? " [clone " : ".", 1)
                                    : std::string::npos;
        return end == std::string::npos ? std::string() : function.substr(0, end);
    }

    static ProbeArgument typed(const ProcessView::Value& value)
    {
        ProbeArgument argument;
        argument.mapping = value.word;
        argument.userland = true;
        argument.type = value.type;
        argument.name = value.name;
        argument.refusal = value.refusal;
        argument.form = value.form;
        return argument;
    }

    /// Returns the file offsets at which a probe is attached for one of its locations. The kernel's return probes are
    /// attached at the function's entry too. So entry and return probes use an offset at which the return address is
    /// still where the call stored it.
    std::vector<uint64_t> offsets_of(const PidProbe& made, const PidPlace& place)
    {
        if (place.point == Point::Leave)
            return place.leaves;
        if (place.point == Point::Offset || place.size == 0 || place.size > kLongestPidFunction || place.is_32bit)
            return {place.offset};
        const FunctionCode code(kernel_.machine(), kernel_.processes().bytes(place.file, place.offset, place.size));
        return {place.offset + (made.calls == Calls::C ? code.entry_place() : code.go_entry_place())};
    }

    KernelView& kernel_;
    PidProbes probes_;
    Unwinders unwinders_;
    PidVariables variables_;
};

} // namespace

std::unique_ptr<Provider> make_pid_provider(KernelView& kernel)
{
    return std::make_unique<PidProvider>(kernel);
}

} // namespace dt::probes
