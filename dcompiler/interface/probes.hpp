// Probes for the compiler: a name and an id, with stability attributes and arguments. A ProbeSource provides arguments
// and plans only when a program needs them, because there may be a hundred thousand probes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/text.hpp"

namespace dt {

class Type;
class TypeTable;
struct AttachPlan; // defined in plan.hpp
struct ProbeNeeds; // defined in plan.hpp

// ---- stability (dtrace-language(7), STABILITY) ---------------------------------------------------------------------

enum class Stability : uint8_t { Internal, Private, Obsolete, External, Unstable, Evolving, Stable, Standard };
enum class DependencyClass : uint8_t { Unknown, Cpu, Platform, Group, Isa, Common };

struct Attributes {
    Stability name = Stability::Stable;
    Stability data = Stability::Stable;
    DependencyClass dependency = DependencyClass::Common;
    bool operator==(const Attributes&) const = default;
};

struct ProviderAttributes {
    Attributes provider, module, function, name, args;
};

// ---- names --------------------------------------------------------------------------------------------------------

/// Ids of the probes of provider dtrace, which are the same in every run (dtrace-providers(7), dtrace).
inline constexpr uint32_t kBeginProbe = 1, kEndProbe = 2, kErrorProbe = 3;

struct Probe {
    uint32_t id = 0;
    uint32_t owner = 0; ///< index of the provider that created the probe
    uint64_t place = 0; ///< value by which that provider identifies the probe
    std::string provider, module, function, name;
    const ProviderAttributes* attributes = nullptr;
    /// Whether the process itself reported the probe. Files that the process maps later then contain no instances of
    /// the probe.
    bool reported_by_process = false;
    bool enters_kernel = false; ///< whether entry and return cross the kernel boundary, so that -F prints => and <=

    std::string full_name() const { return provider + ":" + module + ":" + function + ":" + name; }
};

/// The four components of a probe description. Each is a shell glob; empty matches anything.
struct ProbePattern {
    std::string provider, module, function, name;
};

// ---- arguments ----------------------------------------------------------------------------------------------------

/// How a call passes a structure in words: as its bytes, as a word for each of its numbers (Go), or as its address.
enum class StructureForm : uint8_t { Bytes, Numbers, Address };

struct ProbeArgument {
    std::string native;     ///< D type as text: "int", "const char *"; empty if `type` creates it
    std::string translated; ///< translated D type as text, or empty
    uint8_t mapping = 0;    ///< index of the raw argument
    bool userland = false;  ///< whether the argument is a user-space pointer
    /// Function that creates the native type, for providers that cannot describe it as text. If it is null, `native`
    /// contains the text, or the type is unknown.
    std::function<const Type*(TypeTable&)> type;
    std::string name;                          ///< name of the parameter, if known
    std::string refusal;                       ///< reason why the argument's value is not available; empty if it is
    StructureForm form = StructureForm::Bytes; ///< for a structure: meaning of the raw arguments from `mapping` on
};

/// Information about a probe that a clause can use at compile time.
struct ProbeSignature {
    std::vector<ProbeArgument> arguments; ///< types and names of the arguments in args[]
    bool overridable = false;             ///< whether return() may replace the result of the probed function
    std::function<std::string()> note;    ///< note for users of the probe; null: none
    /// Reason why the probe has no args[] although probes of its kind can have one. Empty if there is an args[], or if
    /// no probe of the kind has one.
    std::string untyped;
};

// ---- sources of probes --------------------------------------------------------------------------------------------

class ProbeSource {
public:
    virtual ~ProbeSource() = default;

    /// Appends every matching probe in id order, each once, and creates on-demand probes (profile-123). If the pattern
    /// names one provider and that provider could not search, returns an error with the reason; no match is not an
    /// error. Probes live as long as the source.
    virtual Result<void> find(const ProbePattern& pattern, std::vector<const Probe*>& found) = 0;
    /// Returns the probe with the id, or null if this kernel has none. For an unknown id, all probes of the only
    /// provider that may have it are listed.
    virtual const Probe* probe(uint32_t id) = 0;
    virtual bool has_provider(std::string_view name) = 0;
    /// Explains why a pattern matches no probe on this kernel although it may match on others, and names a remedy.
    /// Returns an empty string if the reason is unknown.
    virtual std::string why_absent(const ProbePattern&) { return {}; }

    /// Returns the signature, which is created at the first call. It lives as long as the source.
    virtual const ProbeSignature& signature(const Probe& probe) = 0;
    /// Returns the reason why argument arg0, arg1, … (`number`) is not available at the probe; empty if the argument is
    /// available or always 0. Cheaper than the signature.
    virtual std::string argument_refusal(const Probe&, std::size_t /* number */) { return {}; }

    /// Returns plans to hook a set of probes. Each probe is in one plan, or in several if several kinds of hooks make
    /// it fire. Probes share a program if possible.
    virtual std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes,
                                                                const ProbeNeeds& needs) = 0;
};

// Conversion between names of a provider definition's probes in D and in C, where names have no dashes.

/// Replaces `__` by `-`.
std::string dashed(std::string_view name);
/// Replaces `-` by `__`.
std::string underscored(std::string_view name);

} // namespace dt
