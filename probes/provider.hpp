// A provider names probes, and says what their arguments are and how to hook them when somebody wants to know. It never
// emits instructions and never attaches: attach/ does, one file per kernel mechanism. One provider is one file and its
// row in all_providers().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "dcompiler/plan.hpp"
#include "dcompiler/probes.hpp"
#include "probes/kernel_view.hpp"

namespace dt::probes {

/// Takes the probes that match; made by the catalogue, filled by providers.
class ProbeSink {
public:
    virtual ~ProbeSink() = default;
    /// The probe at probe.place, below Provider::places(), made unless there is one: its id is computed from that, and
    /// so is the same whatever else was asked for.
    virtual const Probe* add(Probe probe) = 0;
    /// The probe of this full name, made unless there is one: it takes the next id that is free. probe.place is the
    /// provider's own business.
    virtual const Probe* add_on_demand(Probe probe) = 0;
};

/// Kinds of programs that the kernel has refused in this session.
using RefusedKinds = std::set<ProgramKind>;

class Provider {
public:
    virtual ~Provider() = default;

    /// Whether a pattern for this provider component could mean this provider (pid providers match by prefix).
    virtual bool serves(std::string_view provider_pattern) const { return glob_match(provider_pattern, name()); }
    virtual std::string_view name() const = 0;

    /// Its probes' places are below this, on-demand ones apart: the same for the whole boot of a kernel.
    virtual uint32_t places() const { return 0; }

    /// The pattern that names the same probes by their own names: aliases that users may write are replaced.
    virtual ProbePattern canonical(const ProbePattern& pattern) const { return pattern; }

    /// Adds every probe of this provider that matches, on-demand ones (profile-123) included. An error means that the
    /// provider could not look, and says why, what to do and the tag; no match is success. `pattern` is canonical. A
    /// pattern without globs costs one look-up.
    virtual Result<void> match(const ProbePattern& pattern, ProbeSink& sink) = 0;

    /// Another name of a probe that has a better one: it is meant by what match() finds it for, and by no pattern
    /// besides.
    virtual bool is_other_name(const Probe&) const { return false; }
    virtual ProbeSignature signature(const Probe&) { return {}; }
    /// Why arg0, arg1, … (by number) of the probe cannot be read; empty: it can, or is 0 there. Cheap.
    virtual std::string argument_refusal(const Probe&, std::size_t /* number */) { return {}; }

    using VisitAbsent = std::function<void(const std::string& what, std::string_view reason)>;
    /// What the pattern would mean and has no probe, and why. `pattern` is canonical.
    virtual void explain_absent(const ProbePattern&, const VisitAbsent&) {}

    /// Why this kernel cannot attach a probe that it lists; empty: it can, as far as can be known without trying.
    virtual std::string_view why_unattachable(const Probe&) { return {}; }

    /// Plans for probes of this provider, made of kinds of programs that are not refused while there are any.
    virtual std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>&, const ProbeNeeds&,
                                                                const RefusedKinds&)
    {
        return {};
    }
};

/// All providers of this build, in the order of their ids: the first makes BEGIN, END and ERROR 1, 2 and 3. `kernel`
/// must outlive them.
std::vector<std::unique_ptr<Provider>> all_providers(KernelView& kernel);

/// Does the probe's full name match?
bool matches(const ProbePattern& pattern, const Probe& probe);

/// Has a pattern component no glob characters, so that it can only mean one name?
bool is_literal(std::string_view component);

/// Of probes that a perf event each fires, told by its text (perf_event.cpp); arg0 and arg1 are the kernel's and the
/// process's address interrupted.
std::vector<std::shared_ptr<AttachPlan>> perf_event_plans(const std::vector<const Probe*>& probes,
                                                          const std::function<std::string(const Probe&)>& event);

std::unique_ptr<Provider> make_dtrace_provider();
std::unique_ptr<Provider> make_profile_provider();
std::unique_ptr<Provider> make_pid_provider(KernelView& kernel);
std::unique_ptr<Provider> make_usdt_provider(KernelView& kernel);
std::unique_ptr<Provider> make_syscall_provider(KernelView& kernel);
std::unique_ptr<Provider> make_fbt_provider(KernelView& kernel);
std::unique_ptr<Provider> make_rawfbt_provider(KernelView& kernel);
std::unique_ptr<Provider> make_application_provider(KernelView& kernel);
std::unique_ptr<Provider> make_cpc_provider(KernelView& kernel);
/// proc, sched: probes that are made of others.
std::vector<std::unique_ptr<Provider>> make_stable_providers(KernelView& kernel);
std::unique_ptr<Provider> make_rawtp_provider(KernelView& kernel);
std::unique_ptr<Provider> make_sdt_provider(KernelView& kernel);

} // namespace dt::probes
