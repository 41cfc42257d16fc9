// BEGIN, END and ERROR: the probes about the run itself.
//
// This process runs the programs of BEGIN and END itself (BPF_PROG_TEST_RUN), so they fire only for this run, and
// nothing remains attached in the kernel. ERROR is not attached: compiled code calls its clauses when a clause faults.
#include "probes/attributes.hpp"
#include "probes/provider.hpp"

namespace dt::probes {
namespace {

constexpr uint32_t kFaultWords = 6; ///< the locations of arg0 … arg5 of ERROR (dtrace-providers(7), ERROR)
constexpr const char* kNames[] = {"BEGIN", "END", "ERROR"};

class DtraceProvider final : public Provider {
public:
    std::string_view name() const override { return "dtrace"; }

    uint32_t places() const override { return std::size(kNames); }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        for (uint32_t place = 0; place < std::size(kNames); ++place)
            if (glob_match(pattern.name, kNames[place]) && glob_match(pattern.module, "") &&
                glob_match(pattern.function, "")) {
                Probe probe;
                probe.place = place;
                probe.provider = "dtrace";
                probe.name = kNames[place];
                probe.attributes = &kDtraceAttributes;
                sink.add(std::move(probe));
            }
        return {};
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&,
                                                        const RefusedKinds&) override
    {
        std::vector<std::shared_ptr<const AttachPlan>> plans;
        for (const Probe* probe : probes) {
            AttachPlan plan;
            plan.probes = {{probe, 0}};
            plan.kind = probe->id == kErrorProbe ? ProgramKind::FaultCall : ProgramKind::TestRun;
            plan.targets = {{probe->name, 0, 0, probe}};
            if (probe->id == kErrorProbe)
                for (uint32_t word = 0; word < kFaultWords; ++word)
                    plan.arguments[word] = {Location::Kind::FaultWord, word};
            plans.push_back(std::make_shared<const AttachPlan>(std::move(plan)));
        }
        return plans;
    }
};

} // namespace

std::unique_ptr<Provider> make_dtrace_provider()
{
    return std::make_unique<DtraceProvider>();
}

} // namespace dt::probes
