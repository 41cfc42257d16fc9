// A compiled program as bytes: the object with its schema and plans, and what a run asks of the program besides. Who
// has them runs it without compiling anything, where the kernel is the one that it was compiled for
// (docs/decisions/62-bundles.md).
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
    Object object;   ///< its data have no types: nothing that prints by them can be packed
    Program program; ///< statements without predicate and body, and nothing else
    std::deque<Source> sources;
    std::deque<Probe> probes; ///< that they and the plans are about
};

/// What it was compiled from.
struct TypedProgram {
    Source source;
    SpecKind kind = SpecKind::Script;
    Macros macros;
};

/// The probes of a packed program, by the numbers that it has for them. Nobody finds or plans any.
class PackedProbes final : public ProbeSource {
public:
    /// They must outlive this.
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

/// The error is complete but for what the bytes are of. What is unpacked is consistent in itself; the code in it is
/// whoever's who made it.
Result<std::unique_ptr<PackedProgram>> unpack(std::string_view bytes);

} // namespace dt
