// Probes as the compiler sees them: each has a name, an id, stability attributes and arguments. A ProbeSource provides
// arguments and attach plans only when a program needs them, because there may be a hundred thousand probes.
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

/// Ids of the probes of provider dtrace, which are the same in every trace (dtrace-providers(7), dtrace).
inline constexpr uint32_t kBeginProbe = 1, kEndProbe = 2, kErrorProbe = 3;

struct Probe {
    uint32_t id = 0;
    uint32_t owner = 0; ///< index of the provider to which the probe belongs
    uint64_t place = 0; ///< number by which the provider identifies the probe
    std::string provider, module, function, name;
    const ProviderAttributes* attributes = nullptr;
    /// Whether the process itself registered the probe with the tracer at run time. The tracer then need not search for
    /// it in files that the process maps later.
    bool reported_by_process = false;
    bool enters_kernel = false; ///< entry and return cross the kernel boundary; -F prints => and <=

    std::string full_name() const { return provider + ":" + module + ":" + function + ":" + name; }
};

/// The four components of a probe description. Each is a shell glob; empty matches anything.
struct ProbePattern {
    std::string provider, module, function, name;
};

// ---- arguments of probes ------------------------------------------------------------------------------------------

/// How a function receives a structure as argument: as its bytes in argument words, as a word for each of its numbers
/// (Go), or as its address.
enum class StructureForm : uint8_t { Bytes, Numbers, Address };

struct ProbeArgument {
    std::string native;     ///< D type as a string such as "int" or "const char *"; empty if `type` creates the type
    std::string translated; ///< D type after translation, as a string; empty if there is none
    uint8_t mapping = 0;    ///< index of the raw argument (arg0, arg1, …) that this argument takes its value from
    bool userland = false;  ///< whether the argument is a user-space pointer
    /// Function that creates the argument's native type, for providers that cannot describe it as a string. If there is
    /// no function, the string `native` describes the type, or the type is unknown.
    std::function<const Type*(TypeTable&)> type;
    std::string name; ///< name of the parameter, if known
    /// reason why the argument's value is not available; empty if it is available
    std::string refusal;
    /// for a structure: how the raw arguments, beginning with number `mapping`, contain it
    StructureForm form = StructureForm::Bytes;
};

/// Properties of a probe that the compilation of clauses depends on.
struct ProbeSignature {
    std::vector<ProbeArgument> arguments; ///< types and names of the arguments in args[]
    bool overridable = false;             ///< whether the action return() may replace the result of the traced function
    std::function<std::string()> note;    ///< note on the probe for its users, such as a restriction; null: none
    /// Reason why the probe has no args[], although similar probes may have one. Empty if it has args[], or if no probe
    /// of this kind can have one.
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

    /// Appends every matching probe in id order, each once, and creates on-demand probes (profile-123). Returns an
    /// error with the reason if the pattern names exactly one provider and that provider could not search. A pattern
    /// without a match is not an error. Probes live as long as the source.
    virtual Result<void> find(const ProbePattern& pattern, std::vector<const Probe*>& found) = 0;
    /// Returns the probe with the id, or null if this kernel has none. If no listed probe has the id, the provider to
    /// which the id may belong lists all its probes.
    virtual const Probe* probe(uint32_t id) = 0;
    virtual bool has_provider(std::string_view name) = 0;
    /// Explains why a pattern matches no probe on this kernel although it may match on other kernels, and what the user
    /// can do. Returns an empty string if the reason is unknown.
    virtual std::string why_absent(const ProbePattern&) { return {}; }

    /// Returns the signature of a probe, which is created at the first call. It lives as long as the ProbeSource.
    virtual const ProbeSignature& signature(const Probe& probe) = 0;
    /// Returns the reason why raw argument `number` (arg0, arg1, …) is not available at the probe. Returns an empty
    /// string if the argument is available or always 0. The function is cheaper than creating the signature.
    virtual std::string argument_refusal(const Probe&, std::size_t /* number */) { return {}; }

    /// Returns the traced program's variables that are visible at the probe. With an empty name, these are all
    /// variables of the function; otherwise only the variable with this name, which may be global.
    virtual ProbeVariables variables(const Probe&, const std::string& /* name */)
    {
        return {{}, "only probes of provider pid have variables"};
    }

    /// Returns attach plans for a set of probes. Each probe is in one plan, or in several plans if several kinds of
    /// hooks make it fire. Probes share a program if possible.
    virtual std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes,
                                                                const ProbeNeeds& needs) = 0;
};

// Convert the names of probes in a provider definition between the D form and the C form, which has no dashes.

/// Replaces each `__` in a name by `-`.
std::string dashed(std::string_view name);
/// Replaces each `-` in a name by `__`.
std::string underscored(std::string_view name);

} // namespace dt
