// A provider describes probes: names, arguments, the hook each fires at. It never emits instructions and never attaches: attach/ does,
// one file per kernel mechanism. One provider is one file.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "dcompiler/world.hpp"

namespace dt::probes {

/// Hands out ids and keeps the probes; made by the World, filled by providers.
class ProbeSink {
public:
    virtual ~ProbeSink() = default;
    /// Adds a probe unless one of the same full name exists; its id is set here. Returns the kept probe. `place`: the probe's number among those that
    /// its provider always has, below Provider::places(); its id is computed from that, and so is the same whatever else was asked for. A probe
    /// made on demand has none, and takes the next id that is free.
    virtual const Probe* add(Probe probe, std::optional<uint32_t> place) = 0;
};

class Provider {
public:
    virtual ~Provider() = default;

    /// Whether a pattern for this provider component could mean this provider (pid providers match by prefix).
    virtual bool serves(std::string_view provider_pattern) const { return glob_match(provider_pattern, name()); }
    virtual std::string_view name() const = 0;

    /// How many numbers its probes may have, on-demand ones apart: the same for the whole boot of a kernel.
    virtual uint32_t places() const { return 0; }

    /// The pattern that names the same probes by their own names: aliases that users may write are replaced.
    virtual ProbePattern canonical(const ProbePattern& pattern) const { return pattern; }

    /// Adds every probe of this provider that matches and is not yet there, on-demand ones (profile-123) included. An error means the
    /// provider cannot work on this kernel at all and says why and what to do; no match is success. `pattern` is canonical.
    virtual Result<void> match(const ProbePattern& pattern, ProbeSink& sink) = 0;
};

class ProcessView; // process_view.hpp

/// All providers of this build, in the order of their ids: the first makes BEGIN, END and ERROR 1, 2 and 3.
std::vector<std::unique_ptr<Provider>> all_providers(std::unique_ptr<ProcessView> processes);

/// Does the probe's full name match?
bool matches(const ProbePattern& pattern, const Probe& probe);

/// Has a pattern component no glob characters, so that it can only mean one name?
bool is_literal(std::string_view component);

struct SyscallEntry; // syscall_table.hpp

std::unique_ptr<Provider> make_dtrace_provider();
std::unique_ptr<Provider> make_profile_provider();
std::unique_ptr<Provider> make_pid_provider(std::unique_ptr<ProcessView> processes);
/// `exists` tells whether the running kernel has a call; asked only for calls that not every supported kernel has.
std::unique_ptr<Provider> make_syscall_provider(std::function<bool(const SyscallEntry&)> exists);

} // namespace dt::probes
