// PROVIDERpid:object:function:name: probes that programs were built with, described by their files (user_probe.hpp).
//
// A provider component with a number at its end means one process. A pattern (shop*) means the same provider in every process; one that could mean
// anything only looks at the processes of -c and -p.
//
// Each site has its arguments where the compiler happened to have them. Sites whose arguments are in the same places share a program, whatever process
// they are in; the cookie tells the probe.
#include <algorithm>
#include <charconv>
#include <map>

#include "dcompiler/arch.hpp"
#include "probes/attributes.hpp"
#include "probes/process_view.hpp"
#include "probes/provider.hpp"

namespace dt::probes {
namespace {

using Object = ProcessView::Object;

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/// "shop" and 123, of "shop123"; the number is 0 where there is none.
struct ProcessName {
    std::string_view provider;
    int64_t pid = 0;
};

ProcessName split(std::string_view name)
{
    std::size_t end = name.size();
    while (end > 0 && is_digit(name[end - 1]))
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
        if (!is_literal(provider) || provider.empty())
            return true;
        const ProcessName parts = split(provider);
        return parts.pid > 0 && !parts.provider.empty() && parts.provider != "pid";
    }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (is_literal(pattern.provider) && !pattern.provider.empty()) {
            look_at(split(pattern.provider).pid, pattern, sink);
            return {};
        }
        const bool names_some = !pattern.provider.empty() && pattern.provider.find_first_of("*?[") != 0;
        for (const int64_t pid : kernel_.processes().pids(names_some))
            look_at(pid, pattern, sink);
        return {};
    }

    ProbeSignature signature(const Probe& probe) override
    {
        const UserProbe& made = probes_.at(probe.full_name()).probe;
        ProbeSignature signature;
        const bool translated = !made.translated.empty() && made.mapping.size() == made.translated.size();
        const std::size_t count = translated ? made.translated.size() : made.native.size();
        for (std::size_t i = 0; i < count && i < kMostArguments; ++i) {
            const uint8_t from = translated ? made.mapping[i] : static_cast<uint8_t>(i);
            ProbeArgument argument{made.native.at(from), translated && made.translated[i] != made.native[from] ? made.translated[i] : "", from};
            argument.userland = true;
            signature.arguments.push_back(std::move(argument));
        }
        if (!made.remark.empty())
            signature.note = [remark = made.remark] { return remark; };
        return signature;
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&, const RefusedKinds& refused) override
    {
        Plans plans(refused.contains(ProgramKind::UprobeMulti) ? ProgramKind::Uprobe : ProgramKind::UprobeMulti, kernel_.processes());
        for (const Probe* probe : probes)
            for (const Place& place : probes_.at(probe->full_name()).places)
                plans.add(probe, place);
        return plans.take();
    }

private:
    /// A probe's sites in one file of one process.
    struct Place {
        int64_t pid = 0;
        std::string file;
        std::vector<UserSite> sites;
        std::vector<uint64_t> asking;
    };
    struct Made {
        UserProbe probe; ///< of the file that was met first
        std::vector<Place> places;
    };

    struct Plans {
        ProgramKind kind;
        ProcessView& processes;
        std::vector<AttachPlan> all = {};
        AttachPlan asking = {};

        Plans(ProgramKind of, ProcessView& view) : kind(of), processes(view)
        {
            asking.kind = kind;
            asking.has_fallback = kind == ProgramKind::UprobeMulti;
            asking.arguments[0] = {.kind = Location::Kind::Register, .index = arch::kCallArguments[0]};
        }

        AttachPlan& of_shape(const UserSite& site, FiresIn fires_in)
        {
            std::array<Location, kMostArguments> arguments{};
            std::copy_n(site.arguments.begin(), std::min(site.arguments.size(), arguments.size()), arguments.begin());
            const auto known =
                std::find_if(all.begin(), all.end(), [&](const AttachPlan& plan) { return plan.arguments == arguments && plan.fires_in == fires_in; });
            if (known != all.end())
                return *known;
            AttachPlan& made = all.emplace_back();
            made.kind = kind;
            made.has_fallback = asking.has_fallback;
            made.arguments = arguments;
            made.fires_in = fires_in;
            return made;
        }

        void add(const Probe* probe, const Place& place)
        {
            const FiresIn where = fires_in(processes, place.pid, kind);
            const int64_t process = where == FiresIn::Tree ? 0 : place.pid;
            for (const UserSite& site : place.sites) {
                AttachPlan& plan = of_shape(site, where);
                if (plan.probes.empty() || plan.probes.back().probe != probe)
                    plan.probes.push_back({probe, plan.probes.size(), place.pid});
                plan.targets.push_back({place.file, plan.probes.back().selector, site.place, probe, site.counter, process});
            }
            for (const uint64_t offset : place.asking)
                asking.targets.push_back({place.file, 0, offset, probe, 0, process});
            if (where == FiresIn::Tree && !place.asking.empty())
                asking.fires_in = where;
        }

        /// Who asks is answered as long as any of the probes can fire.
        std::vector<std::shared_ptr<const AttachPlan>> take()
        {
            if (!all.empty() && !asking.targets.empty())
                all.front().asking = std::make_shared<const AttachPlan>(std::move(asking));
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

    void look_at(int64_t pid, const ProbePattern& pattern, ProbeSink& sink)
    {
        ProcessView& processes = kernel_.processes();
        if (pid <= 0 || processes.is_tracer(pid))
            return;
        for (const int64_t process : processes.tree(pid))
            if (const auto objects = processes.objects(process)) // else it is gone, or a kernel thread: it has no probes
                look_in(objects.value(), pid, pattern, sink);
    }

    void look_in(const std::vector<Object>& objects, int64_t pid, const ProbePattern& pattern, ProbeSink& sink)
    {
        ProcessView& processes = kernel_.processes();
        const std::string number = std::to_string(pid);
        for (const Object& object : objects) {
            const std::string base = object.path.substr(object.path.rfind('/') + 1);
            if (!is_called(object.path, object.is_executable, pattern.module))
                continue;
            for (UserProbe& each : processes.user_probes(object))
                if (glob_match(pattern.provider, each.provider + number) && glob_match(pattern.function, each.function) && glob_match(pattern.name, each.name))
                    add(pid, base, object, std::move(each), sink);
        }
    }

    void add(int64_t pid, const std::string& module, const Object& object, UserProbe each, ProbeSink& sink)
    {
        Probe probe;
        probe.provider = each.provider + std::to_string(pid);
        probe.module = module;
        probe.function = each.function;
        probe.name = each.name;
        probe.attributes = &kUsdtAttributes;
        Made& made = probes_[probe.full_name()];
        const auto known = std::find_if(made.places.begin(), made.places.end(), [&](const Place& place) { return place.file == object.file; });
        Place& place = known == made.places.end() ? made.places.emplace_back() : *known;
        place = {pid, object.file, std::move(each.sites), std::move(each.asking)};
        made.probe = std::move(each);
        sink.add_on_demand(std::move(probe));
    }

    KernelView& kernel_;
    std::map<std::string, Made> probes_; ///< by full name
};

} // namespace

std::unique_ptr<Provider> make_usdt_provider(KernelView& kernel)
{
    return std::make_unique<UsdtProvider>(kernel);
}

} // namespace dt::probes
