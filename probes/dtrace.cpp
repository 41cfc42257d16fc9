// BEGIN, END and ERROR: the run's own probes.
//
// BEGIN and END are programs that this process runs itself (BPF_PROG_TEST_RUN), so they belong to this run only and leave nothing in the
// kernel. ERROR is attached to nothing: compiled code calls its clauses when a clause faults.
#include "probes/attributes.hpp"
#include "probes/provider.hpp"

namespace dt::probes {
namespace {

constexpr uint32_t kFaultWords = 6; ///< arg0 … arg5 of ERROR (providers reference 4)

class DtraceProvider final : public Provider {
public:
    std::string_view name() const override { return "dtrace"; }

    uint32_t places() const override { return 3; }

    // The whole provider at once: it is small, and World looks up BEGIN by its number.
    Result<void> match(const ProbePattern&, ProbeSink& sink) override
    {
        uint32_t place = 0;
        for (const char* name : {"BEGIN", "END"}) {
            Probe probe = described(name);
            auto hook = std::make_shared<Hook>();
            hook->kind = ProgramKind::TestRun;
            hook->section = "raw_tp";
            hook->target = name;
            probe.hook = std::move(hook);
            sink.add(std::move(probe), place++);
        }
        Probe error = described("ERROR");
        for (uint32_t word = 0; word < kFaultWords; ++word)
            error.args[word] = {ContextValue::Kind::FaultWord, word};
        sink.add(std::move(error), place);
        return {};
    }

private:
    static Probe described(const char* name)
    {
        Probe probe;
        probe.provider = "dtrace";
        probe.name = name;
        probe.attributes = &kDtraceAttributes;
        return probe;
    }
};

} // namespace

std::unique_ptr<Provider> make_dtrace_provider()
{
    return std::make_unique<DtraceProvider>();
}

} // namespace dt::probes
