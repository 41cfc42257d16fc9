// Probes for the compiler: a name and an id, with stability attributes and arguments. A ProbeSource provides arguments
// and attach plans only when a program needs them, because there may be a hundred thousand probes.
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

// ---- stability attributes (dtrace-language(7), STABILITY) ----------------------------------------------------------

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

// ---- names of probes ----------------------------------------------------------------------------------------------

/// Ids of the probes of provider dtrace, which are the same in every run (dtrace-providers(7), dtrace).
inline constexpr uint32_t kBeginProbe = 1, kEndProbe = 2, kErrorProbe = 3;

struct Probe {
    uint32_t id = 0;
    uint32_t owner = 0; ///< index of the provider that created the probe
    uint64_t place = 0; ///< identifier of the probe inside that provider
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

// ---- arguments of probes ------------------------------------------------------------------------------------------

/// How a call passes a structure in argument words: as its bytes, as a word for each of its numbers (Go), or as its
/// address.
enum class StructureForm : uint8_t { Bytes, Numbers, Address };

struct ProbeArgument {
    std::string native;     ///< D type as a string such as "int" or "const char *"; empty if `type` creates the type
    std::string translated; ///< D type after translation, as a string; empty if there is none
    uint8_t mapping = 0;    ///< index of the raw argument (arg0, arg1, …) that this argument takes its value from
    bool userland = false;  ///< whether the argument is a user-space pointer
    /// Function that creates the native type, for providers that cannot describe it as a string. If the function is
    /// null, `native` contains the string, or the type is unknown.
    std::function<const Type*(TypeTable&)> type;
    std::string name; ///< name of the parameter, if known
    /// reason why the argument's value is not available; empty if it is available
    std::string refusal;
    /// for a structure: how raw argument number `mapping` and the following ones contain it
    StructureForm form = StructureForm::Bytes;
};

/// Properties of a probe that clauses depend on at compile time.
struct ProbeSignature {
    std::vector<ProbeArgument> arguments; ///< types and names of the arguments in args[]
    bool overridable = false;             ///< whether return() may replace the result of the probed function
    std::function<std::string()> note;    ///< note that is shown to users of the probe; null: none
    /// Reason why the probe has no args[] although probes of its kind can have one. Empty if there is an args[], or if
    /// no probe of the kind has one.
    std::string untyped;
};

/// The bytes [start, end) of a variable.
struct ByteRange {
    uint64_t start = 0, end = 0;
    bool operator==(const ByteRange&) const = default;
};

/// A variable of the traced program that is visible at a probe.
struct ProbeVariable {
    std::string name;
    /// Functions that create the variable's type, one for each instruction of the probe. A function may return null.
    std::vector<std::function<const Type*(TypeTable&)>> types;
    std::string refusal; ///< reason why the variable cannot be read at some instruction of the probe; empty if it can
    bool is_in_memory = false; ///< whether the whole variable is in memory at all instructions of the probe
    bool is_parameter = false;
    std::vector<ByteRange> lost; ///< bytes that are optimized away at some instruction of the probe
};

struct ProbeVariables {
    std::vector<ProbeVariable> found; ///< variables that are visible at all instructions of the probe
    std::string problem;              ///< reason why the variables are unknown; empty if they are known
};

// ---- sources of probes --------------------------------------------------------------------------------------------

class ProbeSource {
public:
    virtual ~ProbeSource() = default;

    /// Appends every matching probe in id order, each once, and creates on-demand probes (profile-123). If the pattern
    /// names one provider and that provider could not search, returns an error with the reason; no match is not an
    /// error. Probes live as long as the source.
    virtual Result<void> find(const ProbePattern& pattern, std::vector<const Probe*>& found) = 0;
    /// Returns the probe with the id, or null if this kernel has none. If the id is new, the provider that may have it
    /// lists all its probes.
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

    /// Returns the traced program's variables that are visible at the probe: the one with this name, or if the name is
    /// empty, all variables of the function. A name may also be that of a global variable.
    virtual ProbeVariables variables(const Probe&, const std::string& /* name */)
    {
        return {{}, "only probes of provider pid have variables"};
    }

    /// Returns attach plans for a set of probes. Each probe is in one plan, or in several plans if several kinds of
    /// hooks make it fire. Probes share a program if possible.
    virtual std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes,
                                                                const ProbeNeeds& needs) = 0;
};

// Converts names of probes in a provider definition between D and C, where names have no dashes.

/// Replaces each `__` in a name by `-`.
std::string dashed(std::string_view name);
/// Replaces each `-` in a name by `__`.
std::string underscored(std::string_view name);

} // namespace dt
