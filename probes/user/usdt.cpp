// PROVIDERpid:object:function:name: probes that programs were built with. The programs' files describe the probes
// (process_view.hpp).
//
// A provider component that ends with a number matches the provider in the process with this id. A pattern (shop*)
// matches the provider in every process; a pattern that matches any provider only considers the processes of -c and -p.
//
// For a pattern, sites are attached in the file and not in single processes, so that probes also fire in processes that
// map the file later. Which probe fires depends on the process: each process that exists at the start has its own
// probes. All later processes share one set of probes, called the family, whose provider has the name shop*.
//
// The compiler chooses the locations of each site's arguments. Sites with the same locations share a BPF program, even
// in different processes; the cookie selects the probe.
#include <algorithm>
#include <charconv>
#include <map>

#include "machine/machine.hpp"
#include "probes/attributes.hpp"
#include "probes/process_view.hpp"
#include "probes/provider.hpp"

namespace dt::probes {
namespace {

using Object = ProcessView::Object;

bool is_decimal_digit(char c)
{
    return c >= '0' && c <= '9';
}

/// A provider name split into its parts: "shop" and 123 for "shop123". The number is 0 if the name has none.
struct ProcessName {
    std::string_view provider;
    int64_t pid = 0;
};

ProcessName split(std::string_view name)
{
    std::size_t end = name.size();
    while (end > 0 && is_decimal_digit(name[end - 1]))
        --end;
    ProcessName parts{name.substr(0, end), 0};
    std::from_chars(name.data() + end, name.data() + name.size(), parts.pid);
    return parts;
}

class UsdtProvider final : public Provider {
public:
    explicit UsdtProvider(KernelView& kernel) : kernel_(kernel) {}

    std::string_view name() const override { return "usdt"; }

    bool serves(std::string_view provider) const override
    {
        if (!is_literal(provider) || provider.empty() || place_of_path(provider))
            return true;
        const ProcessName parts = split(provider);
        return parts.pid > 0 && !parts.provider.empty() && parts.provider != "pid" &&
               parts.provider.find('@') == std::string::npos;
    }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (const auto path = place_of_path(pattern.provider))
            return look_at_file(*path, pattern, sink);
        if (is_literal(pattern.provider) && !pattern.provider.empty()) {
            look_at(split(pattern.provider).pid, pattern, sink);
            return {};
        }
        ProcessView& processes = kernel_.processes();
        const bool names_some = !pattern.provider.empty() && pattern.provider.find_first_of("*?[") != 0;
        const std::vector<int64_t> session = processes.pids(false);
        // If children are traced too, sites are attached by file and not by process, so that the probes fire in the
        // whole process tree.
        const bool is_tree =
            std::any_of(session.begin(), session.end(), [&](int64_t pid) { return processes.is_followed(pid); });
        const bool with_family = names_some && pattern.provider.ends_with('*') && !is_tree;
        for (const int64_t pid : processes.pids(names_some))
            look_at(pid, pattern, sink, with_family);
        if (with_family)
            look_at_files(pattern, sink);
        return {};
    }

    ProbeSignature signature(const Probe& probe) override
    {
        const UserProbe& made = probes_.at(probe.full_name()).probe;
        ProbeSignature signature;
        const bool translated = !made.translated.empty() && made.mapping.size() == made.translated.size();
        const std::size_t count = translated ? made.translated.size() : made.native.size();
        for (std::size_t i = 0; i < count && i < kMaxArguments; ++i) {
            const uint8_t from = translated ? made.mapping[i] : static_cast<uint8_t>(i);
            ProbeArgument argument{made.native.at(from),
                                   translated && made.translated[i] != made.native[from] ? made.translated[i] : "",
                                   from};
            argument.userland = true;
            argument.refusal = argument_refusal(probe, from);
            signature.arguments.push_back(std::move(argument));
        }
        if (!made.remark.empty())
            signature.note = [remark = made.remark] { return remark; };
        return signature;
    }

    std::string argument_refusal(const Probe& probe, std::size_t number) override
    {
        const std::vector<std::string>& refusals = probes_.at(probe.full_name()).probe.refusals;
        return number < refusals.size() ? refusals[number] : std::string();
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&,
                                                        const RefusedKinds& refused) override
    {
        Plans plans(refused.contains(ProgramKind::UprobeMulti) ? ProgramKind::Uprobe : ProgramKind::UprobeMulti,
                    kernel_);
        std::map<std::string, const Probe*> wanted;
        for (const Probe* probe : probes)
            wanted.emplace(probe->full_name(), probe);
        for (const Probe* probe : probes) {
            const Made& made = probes_.at(probe->full_name());
            const auto family = wanted.find(made.family);
            for (const FileSites& place : made.places)
                if (kernel_.processes().identity(place.file) != place.identity)
                    // The location is skipped, because a different file is now at its path.
                    continue;
                else if (family != wanted.end() && has(probes_.at(made.family), place.kept))
                    plans.add_to_family(probe, place, family->second);
                else
                    plans.add(probe, place);
        }
        return plans.take();
    }

private:
    /// The sites of one probe in one file, as one process maps it.
    struct FileSites {
        int64_t pid = 0;
        std::string file;
        std::vector<UserSite> sites;
        std::vector<uint64_t> is_enabled_sites;
        ProcessView::Identity identity = {}; ///< device and inode numbers of the file at the time of the search
        /// Path by which the sites are attached for all processes that map the file; empty if they are attached only
        /// for this process.
        std::string kept = {};
    };
    struct Made {
        UserProbe probe; ///< description of the probe in the first file in which it was found
        std::vector<FileSites> places;
        /// Full name of the family's probe, which all processes without a probe of their own share. Empty if this probe
        /// is itself shared in this way, or if there is no family.
        std::string family = {};
    };

    static bool has(const Made& made, const std::string& file)
    {
        return !file.empty() && std::any_of(made.places.begin(), made.places.end(),
                                            [&](const FileSites& place) { return place.file == file; });
    }

    /// Returns whether other processes can share the probe. A probe cannot be shared if the locations of its arguments
    /// contain addresses that are valid in only one process.
    static bool is_for_all(const UserProbe& probe)
    {
        const auto is_address = [](const Location& argument) {
            return argument.kind == Location::Kind::UserMemory && argument.index == Location::kNoRegister &&
                   argument.scale == 0;
        };
        return std::none_of(probe.sites.begin(), probe.sites.end(), [&](const UserSite& site) {
            return std::any_of(site.arguments.begin(), site.arguments.end(), is_address);
        });
    }

    struct Plans {
        ProgramKind kind;
        ProcessView& processes;
        std::vector<AttachPlan> all = {};
        AttachPlan is_enabled_probe = {};

        Plans(ProgramKind of, KernelView& kernel) : kind(of), processes(kernel.processes())
        {
            is_enabled_probe.kind = kind;
            is_enabled_probe.has_fallback = kind == ProgramKind::UprobeMulti;
            is_enabled_probe.arguments[0] = {.kind = Location::Kind::Register,
                                             .index = kernel.machine().calls.arguments[0]};
        }

        AttachPlan& of_shape(const UserSite& site, ProcessScope process_scope, bool everywhere)
        {
            std::array<Location, kMaxArguments> arguments{};
            std::copy_n(site.arguments.begin(), std::min(site.arguments.size(), arguments.size()), arguments.begin());
            const auto known = std::find_if(all.begin(), all.end(), [&](const AttachPlan& plan) {
                return plan.arguments == arguments && plan.process_scope == process_scope &&
                       plan.everywhere == everywhere;
            });
            if (known != all.end())
                return *known;
            AttachPlan& made = all.emplace_back();
            made.kind = kind;
            made.has_fallback = is_enabled_probe.has_fallback;
            made.arguments = arguments;
            made.process_scope = process_scope;
            made.everywhere = everywhere;
            return made;
        }

        static uint64_t selector_of(AttachPlan& plan, const Probe* probe, int64_t process)
        {
            const auto known = std::find_if(plan.probes.rbegin(), plan.probes.rend(),
                                            [&](const PlannedProbe& planned) { return planned.probe == probe; });
            if (known != plan.probes.rend())
                return known->selector;
            plan.probes.push_back({probe, plan.probes.size(), process});
            return plan.probes.back().selector;
        }

        /// Makes the hooks of the shared probe `family` fire `probe` instead, in the process of `place`.
        void add_to_family(const Probe* probe, const FileSites& place, const Probe* family)
        {
            for (const UserSite& site : place.sites) {
                AttachPlan& plan = of_shape(site, ProcessScope::Any, true);
                const uint64_t common_selector = selector_of(plan, family, 0),
                               own = selector_of(plan, probe, place.pid);
                const bool is_known =
                    std::any_of(plan.per_process_selectors.rbegin(), plan.per_process_selectors.rend(),
                                [&](const PerProcessSelector& each) {
                                    return each.common_selector == common_selector && each.process == place.pid;
                                });
                if (!is_known)
                    plan.per_process_selectors.push_back({common_selector, place.pid, own});
            }
        }

        void add(const Probe* probe, const FileSites& place)
        {
            const bool everywhere = place.pid == 0;
            const ProcessScope where = everywhere ? ProcessScope::Any : process_scope(processes, place.pid, kind);
            const int64_t process = attached_process(processes, place.pid, where);
            for (const UserSite& site : place.sites) {
                AttachPlan& plan = of_shape(site, where, everywhere);
                plan.targets.push_back(
                    {place.file, selector_of(plan, probe, place.pid), site.place, probe, site.counter, process});
            }
            for (const uint64_t offset : place.is_enabled_sites)
                is_enabled_probe.targets.push_back({place.file, 0, offset, probe, 0, process});
            if (where == ProcessScope::Tree && !place.is_enabled_sites.empty())
                is_enabled_probe.process_scope = where;
        }

        /// Returns the attach plans of the probes. A program can query at certain sites whether a probe is enabled. The
        /// plans also hook these sites, so that the query returns 1 as long as the probe can fire.
        std::vector<std::shared_ptr<const AttachPlan>> take()
        {
            if (!all.empty() && !is_enabled_probe.targets.empty())
                all.front().is_enabled_probe = std::make_shared<const AttachPlan>(std::move(is_enabled_probe));
            std::vector<std::shared_ptr<const AttachPlan>> result;
            for (AttachPlan& plan : all) {
                if (plan.probes.size() > 1) {
                    plan.selector = Location{Location::Kind::Cookie};
                    plan.selector_bound = static_cast<uint32_t>(plan.probes.size());
                }
                result.push_back(std::make_shared<const AttachPlan>(std::move(plan)));
            }
            return result;
        }
    };

    void look_at(int64_t pid, const ProbePattern& pattern, ProbeSink& sink, bool with_family = false)
    {
        ProcessView& processes = kernel_.processes();
        if (pid <= 0 || processes.is_tracer(pid))
            return;
        for (const int64_t process : processes.tree(pid))
            // A process whose objects cannot be listed is skipped, because it has ended or is a kernel thread.
            if (const auto objects = processes.objects(process))
                look_in(objects.value(), pid, pattern, sink, with_family);
    }

    void look_in(const std::vector<Object>& objects, int64_t pid, const ProbePattern& pattern, ProbeSink& sink,
                 bool with_family)
    {
        ProcessView& processes = kernel_.processes();
        const std::string number = std::to_string(pid);
        for (const Object& object : objects) {
            const std::string base = object.path.substr(object.path.rfind('/') + 1);
            if (!matches_file(object.path, object.is_executable, pattern.module))
                continue;
            for (UserProbe& each : processes.user_probes(object)) {
                // A pattern with a part of a process number, such as shop1*, does not match the probes that processes
                // share (shop*).
                const bool is_of_family = with_family && glob_match(pattern.provider, each.provider + "*");
                if (glob_match(pattern.provider, each.provider + number) &&
                    glob_match(pattern.function, each.function) && glob_match(pattern.name, each.name))
                    add(pid, base, object, std::move(each), sink, is_of_family);
            }
        }
    }

    /// Returns the position of the path in a provider name such as shop@/usr/bin/shop; nothing for other names.
    static std::optional<std::size_t> place_of_path(std::string_view provider)
    {
        const std::size_t at = provider.find('@');
        return at == std::string_view::npos || provider.starts_with("pid@") ? std::nullopt : std::optional(at + 1);
    }

    /// Adds probes for all processes that map the file, and for processes that map it later.
    Result<void> look_at_file(std::size_t path, const ProbePattern& pattern, ProbeSink& sink)
    {
        ProcessView& processes = kernel_.processes();
        const std::string file = pattern.provider.substr(path);
        auto copies = processes.files(file);
        if (!copies)
            return Error{"failed to grab file " + file + ": " + copies.error().message, 0, "D_PROC_GRAB"};
        for (const Object& object : copies.value()) {
            const std::string module = object.path.substr(object.path.rfind('/') + 1);
            if (!matches_file(object.path, object.is_executable, pattern.module))
                continue;
            for (UserProbe& each : processes.user_probes(object))
                if (each.provider == std::string_view(pattern.provider).substr(0, path - 1) &&
                    glob_match(pattern.function, each.function) && glob_match(pattern.name, each.name) &&
                    is_for_all(each))
                    make("@" + file, 0, module, object.file, std::move(each), sink, object.file);
        }
        return {};
    }

    /// Adds the probes (shop*) for files that processes may map later, which these processes share.
    void look_at_files(const ProbePattern& pattern, ProbeSink& sink)
    {
        ProcessView& processes = kernel_.processes();
        for (const Object& object : processes.later_files()) {
            const std::string kept = matches_file(object.path, object.is_executable, pattern.module)
                                         ? processes.kept(object)
                                         : std::string();
            for (UserProbe& each : kept.empty() ? std::vector<UserProbe>() : processes.user_probes(object))
                if (glob_match(pattern.provider, each.provider + "*") && glob_match(pattern.function, each.function) &&
                    glob_match(pattern.name, each.name) && is_for_all(each))
                    make("*", 0, object.path.substr(object.path.rfind('/') + 1), kept, std::move(each), sink, kept);
        }
    }

    void add(int64_t pid, const std::string& module, const Object& object, UserProbe each, ProbeSink& sink,
             bool with_family)
    {
        const std::string kept = with_family && is_for_all(each) ? kernel_.processes().kept(object) : std::string();
        const std::string family =
            kept.empty() ? std::string() : make("*", 0, module, kept, each, sink, kept).full_name();
        const Probe own = make(std::to_string(pid), pid, module, object.file, std::move(each), sink, kept);
        if (!family.empty())
            probes_.at(own.full_name()).family = family;
    }

    /// Makes a probe. `whose` is the text after the provider's base name: a process id; "*" for the probes that
    /// processes without own probes share; or "@FILE". `pid` is 0 in the last two cases.
    Probe make(const std::string& whose, int64_t pid, const std::string& module, const std::string& file,
               UserProbe each, ProbeSink& sink, const std::string& kept)
    {
        Probe probe;
        probe.provider = each.provider + whose;
        probe.module = module;
        probe.function = each.function;
        probe.name = each.name;
        probe.attributes = &kUsdtAttributes;
        Made& made = probes_[probe.full_name()];
        const auto known = std::find_if(made.places.begin(), made.places.end(),
                                        [&](const FileSites& place) { return place.file == file; });
        FileSites& place = known == made.places.end() ? made.places.emplace_back() : *known;
        place = {pid, file, std::move(each.sites), std::move(each.is_enabled_sites), kernel_.processes().identity(file),
                 kept};
        made.probe = std::move(each);
        sink.add_on_demand(probe);
        return probe;
    }

    KernelView& kernel_;
    std::map<std::string, Made> probes_; ///< all probes; the key is the probe's full name
};

} // namespace

std::unique_ptr<Provider> make_usdt_provider(KernelView& kernel)
{
    return std::make_unique<UsdtProvider>(kernel);
}

} // namespace dt::probes
