// Interface of providers. A provider names probes, describes their arguments, and plans their hooks. It never emits
// instructions and never attaches programs: the folder attach/ does that, with one file per kernel mechanism. To add a
// provider, add one file and a line in all_providers().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "dcompiler/interface/plan.hpp"
#include "dcompiler/interface/probes.hpp"
#include "probes/kernel_view.hpp"

namespace dt::probes {

/// Receives matching probes from providers; ProbeRegistry implements it.
class ProbeSink {
public:
    virtual ~ProbeSink() = default;
    /// Returns the probe whose index in the provider is probe.place, and creates that probe if it does not exist. The
    /// index must be less than Provider::places(). The probe's id is derived from the index, so the id is always the
    /// same.
    virtual const Probe* add(Probe probe) = 0;
    /// Returns the probe with this full name, and creates it with the next free id if it does not exist. The registry
    /// ignores probe.place, so the provider may store any value in it.
    virtual const Probe* add_on_demand(Probe probe) = 0;
};

/// kinds of programs that the kernel has refused in this session
using RefusedKinds = std::set<ProgramKind>;

class Provider {
public:
    virtual ~Provider() = default;

    /// Returns whether the provider component of a pattern may match this provider's name (the provider pid matches
    /// "pid" followed by a number).
    virtual bool serves(std::string_view provider_pattern) const { return glob_match(provider_pattern, name()); }
    virtual std::string_view name() const = 0;

    /// Returns an upper bound for Probe::place of this provider's probes, except on-demand ones. Constant until the
    /// kernel is rebooted.
    virtual uint32_t places() const { return 0; }

    /// Replaces aliases in a pattern by the probes' own names.
    virtual ProbePattern canonical(const ProbePattern& pattern) const { return pattern; }

    /// Adds every matching probe, including on-demand ones (profile-123). `pattern` is canonical. If the search fails,
    /// the error contains the reason, a remedy and the tag of the error message; it is no error if nothing matches. A
    /// pattern without globs costs one lookup.
    virtual Result<void> match(const ProbePattern& pattern, ProbeSink& sink) = 0;

    /// Returns whether the probe is an alias of another one. The registry finds an alias only if match() of its
    /// provider returns it for the pattern.
    virtual bool is_alias_probe(const Probe&) const { return false; }
    virtual ProbeSignature signature(const Probe&) { return {}; }
    /// Returns why probe argument number `number` cannot be read; empty if it can be read, or if it is always 0. The
    /// call is cheap.
    virtual std::string argument_refusal(const Probe&, std::size_t /* number */) { return {}; }

    /// Implements ProbeSource::variables().
    virtual ProbeVariables variables(const Probe& /* probe */, const std::string& /* name */)
    {
        return {{}, "only probes of provider pid have variables"};
    }

    using VisitAbsent = std::function<void(const std::string& what, std::string_view reason)>;
    /// Calls the visitor for names that match but have no probe, and passes the reasons. `pattern` is canonical.
    virtual void explain_absent(const ProbePattern&, const VisitAbsent&) {}

    /// Returns why this kernel cannot attach a listed probe; empty if no reason is known without trying.
    virtual std::string_view why_unattachable(const Probe&) { return {}; }

    /// Returns plans for probes of this provider. Avoids refused kinds of programs if other kinds are possible.
    virtual std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>&, const ProbeNeeds&,
                                                                const RefusedKinds&)
    {
        return {};
    }
};

/// Returns all providers of this build in the order of their ids. The first one has the probes BEGIN, END and ERROR,
/// with the ids 1, 2 and 3. `kernel` must outlive them.
std::vector<std::unique_ptr<Provider>> all_providers(KernelView& kernel);

/// Returns whether the probe's full name matches.
bool matches(const ProbePattern& pattern, const Probe& probe);

/// Returns whether a pattern component has no glob characters and thus stands for a single name.
bool is_literal(std::string_view component);

/// Returns plans for probes that fire by perf events. `event` returns the target text of each probe (perf_event.cpp).
/// If the CPU was in the kernel, arg0 is the interrupted address; if it was in a process, arg1 is that address.
std::vector<std::shared_ptr<AttachPlan>> perf_event_plans(const std::vector<const Probe*>& probes,
                                                          const std::function<std::string(const Probe&)>& event);

std::unique_ptr<Provider> make_dtrace_provider();
std::unique_ptr<Provider> make_profile_provider();
std::unique_ptr<Provider> make_pid_provider(KernelView& kernel);
std::unique_ptr<Provider> make_watch_provider(KernelView& kernel);
std::unique_ptr<Provider> make_usdt_provider(KernelView& kernel);
std::unique_ptr<Provider> make_syscall_provider(KernelView& kernel);
std::unique_ptr<Provider> make_fbt_provider(KernelView& kernel);
std::unique_ptr<Provider> make_rawfbt_provider(KernelView& kernel);
std::unique_ptr<Provider> make_application_provider(KernelView& kernel);
std::unique_ptr<Provider> make_cpc_provider(KernelView& kernel);
/// Creates the stable providers, such as proc and sched, whose probes are described by tables (stable/stable.hpp).
std::vector<std::unique_ptr<Provider>> make_stable_providers(KernelView& kernel);
std::unique_ptr<Provider> make_rawtp_provider(KernelView& kernel);
std::unique_ptr<Provider> make_sdt_provider(KernelView& kernel);

} // namespace dt::probes
