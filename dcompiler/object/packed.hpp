// Serialised form of a compiled program: the object with its schema and plans, and the other data that a run needs.
// Such a program runs without compilation on a kernel like the one it was compiled for (docs/decisions/62-bundles.md).
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "dcompiler/sema/program.hpp"
#include "dcompiler/syntax/input.hpp"

namespace dt {

struct PackedProgram {
    Object object;   ///< data without types: programs whose printing needs types cannot be packed
    Program program; ///< only statements, without predicate and body
    std::deque<Source> sources;
    std::deque<Probe> probes; ///< probes of the program and its plans
};

/// Input of the compilation.
struct TypedProgram {
    Source source;
    SpecKind kind = SpecKind::Script;
    Macros macros;
};

/// Probes of a packed program, by the ids stored in it. Does not search or plan probes.
class PackedProbes final : public ProbeSource {
public:
    /// Adds probes, which must outlive this object.
    void know(const std::deque<Probe>& probes)
    {
        by_id_.clear();
        for (const Probe& each : probes)
            by_id_.emplace(each.id, &each);
    }

    Result<void> find(const ProbePattern&, std::vector<const Probe*>&) override { return {}; }
    const Probe* probe(uint32_t id) override
    {
        const auto found = by_id_.find(id);
        return found == by_id_.end() ? nullptr : found->second;
    }
    bool has_provider(std::string_view) override { return false; }
    const ProbeSignature& signature(const Probe&) override { return none_; }
    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>&, const ProbeNeeds&) override
    {
        return {};
    }

private:
    std::map<uint32_t, const Probe*> by_id_;
    const ProbeSignature none_{};
};

std::string pack(const Object& object, const Program& program);

/// Unpacks a program. The error lacks only the name of the input. The result is consistent, but its code is as
/// trustworthy as its author.
Result<std::unique_ptr<PackedProgram>> unpack(std::string_view bytes);

} // namespace dt
