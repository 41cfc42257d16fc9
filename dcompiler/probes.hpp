// Probes as the compiler sees them: a name and a small number. What a probe's arguments are, and how it is hooked, is
// asked of whoever made it (ProbeSource), and only when a program needs to know: there may be a hundred thousand of
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/glob.hpp"
#include "base/result.hpp"

namespace dt {

class Type;
class TypeTable;
struct AttachPlan; // plan.hpp
struct ProbeNeeds; // plan.hpp

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

/// The run's own probes have these ids everywhere (dtrace-providers(7), dtrace).
inline constexpr uint32_t kBeginProbe = 1, kEndProbe = 2, kErrorProbe = 3;

struct Probe {
    uint32_t id = 0;
    uint32_t owner = 0; ///< which provider made it: the catalogue's business
    uint64_t place = 0; ///< the provider's own number for it
    std::string provider, module, function, name;
    const ProviderAttributes* attributes = nullptr;
    bool is_told = false;       ///< its process has named it: files that are mapped later have no more of it
    bool enters_kernel = false; ///< entry and return lead into the kernel and out again: -F draws => and <=

    std::string full_name() const { return provider + ":" + module + ":" + function + ":" + name; }
};

/// The four components of a probe description; each a shell glob, empty matches anything.
struct ProbePattern {
    std::string provider, module, function, name;
};

// ---- arguments ----------------------------------------------------------------------------------------------------

struct ProbeArgument {
    std::string native;     ///< D type text: "int", "const char *"; empty where `type` makes it
    std::string translated; ///< D type text of the translated type, or empty
    uint8_t mapping = 0;    ///< raw argument it comes from
    bool userland = false;  ///< a user-space pointer
    std::function<const Type*(TypeTable&)>
        type;            ///< makes the native type, where the provider has no text of it; null: it cannot be told
    std::string name;    ///< of the parameter, where that is known
    std::string refusal; ///< why its value cannot be had; empty: it can
};

/// What a clause may know of a probe before it fires.
struct ProbeSignature {
    std::vector<ProbeArgument> arguments; ///< args[]
    bool overridable = false;             ///< return() may answer in place of the function the probe is in
    std::function<std::string()> note;    ///< what else a user of them must know; null: nothing
    std::string
        untyped; ///< why there are no args[] of a probe that could have some; empty: it has them, or never has any
};

// ---- where they come from -----------------------------------------------------------------------------------------

class ProbeSource {
public:
    virtual ~ProbeSource() = default;

    /// Appends every probe that matches, in id order, each once; on-demand ones (profile-123) are made. An error means
    /// that the one provider the pattern names could not look (and says why); no match is not an error. Probes live as
    /// long as the source.
    virtual Result<void> find(const ProbePattern& pattern, std::vector<const Probe*>& found) = 0;
    /// Null: no probe of this kernel has the id. Cost: for an id that was never met, a listing of the provider it can
    /// only be of.
    virtual const Probe* probe(uint32_t id) = 0;
    virtual bool has_provider(std::string_view name) = 0;
    /// Why a pattern that matches nothing has no probe here although it could mean one, and what would bring it; empty
    /// when nobody knows.
    virtual std::string why_absent(const ProbePattern&) { return {}; }

    /// Made on the first question. Lives as long as the source.
    virtual const ProbeSignature& signature(const Probe& probe) = 0;
    /// Returns why the value of arg0, arg1, … (by number) cannot be had at the probe; empty: it can, or is 0 there.
    /// Cheap, unlike the signature.
    virtual std::string argument_refusal(const Probe&, std::size_t /* number */) { return {}; }

    /// How to hook a set of probes: each is in one of the plans, or in several when it is fed from several places.
    /// Probes that can share a program do.
    virtual std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes,
                                                                const ProbeNeeds& needs) = 0;
};

} // namespace dt
