// A list of probes for tests of the record decoder, which looks probes up by id. The probes have only a name and an id.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "dcompiler/interface/plan.hpp"
#include "dcompiler/interface/probes.hpp"

namespace dt::test {

class ProbeTable final : public ProbeSource {
public:
    void add(uint32_t id, std::string provider, std::string module, std::string function, std::string name)
    {
        Probe& probe = probes_[id];
        probe.id = id;
        probe.enters_kernel = provider == "syscall";
        probe.provider = std::move(provider);
        probe.module = std::move(module);
        probe.function = std::move(function);
        probe.name = std::move(name);
    }

    Result<void> find(const ProbePattern&, std::vector<const Probe*>&) override { return {}; }
    const Probe* probe(uint32_t id) override
    {
        const auto found = probes_.find(id);
        return found == probes_.end() ? nullptr : &found->second;
    }
    bool has_provider(std::string_view) override { return false; }
    const ProbeSignature& signature(const Probe&) override { return none_; }
    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>&, const ProbeNeeds&) override
    {
        return {};
    }

private:
    std::map<uint32_t, Probe> probes_;
    ProbeSignature none_;
};

} // namespace dt::test
