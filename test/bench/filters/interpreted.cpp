// What the first paper compares, on a kernel that can do both: the program's time by the kernel's account, over that of
// a program without a filter.
#include "test/bench/filters/interpreted.hpp"

#include <fstream>

namespace dt::bench::filters {

namespace {

constexpr const char* kCompiler = "/proc/sys/net/core/bpf_jit_enable";

std::string setting()
{
    std::string value;
    std::ifstream(kCompiler) >> value;
    return value;
}

bool set(const std::string& value)
{
    std::ofstream stream(kCompiler);
    stream << value << std::flush;
    return setting() == value;
}

/// Programs that are loaded while it lives are compiled, or not; that is decided when they are loaded.
class Compiler {
public:
    explicit Compiler(bool on) : before_(setting()), is_set_(set(on ? "1" : "0")) {}
    ~Compiler() { set(before_); }
    Compiler(const Compiler&) = delete;
    Compiler& operator=(const Compiler&) = delete;

    bool is_set() const { return is_set_; }

private:
    const std::string before_;
    const bool is_set_;
};

double over_none(const KernelExperiment& experiment, KernelEvaluator evaluator)
{
    return figure_of(experiment.evaluators[evaluator].ns) - figure_of(experiment.evaluators[kEmpty].ns);
}

std::string row(const KernelExperiment& compiled, const KernelExperiment& interpreted)
{
    std::string out = "| " + filter_name(*compiled.shape) + " | " + name_of(compiled.bias) + " | ";
    for (const KernelExperiment* each : {&compiled, &interpreted})
        if (!each->problem.empty())
            return out + "not measured: " + each->problem + " |\n";
    for (const KernelEvaluator evaluator : {kHand, kScript}) {
        const double fast = over_none(compiled, evaluator), slow = over_none(interpreted, evaluator);
        out += number(fast) + " | " + number(slow) + " | **" + ratio(slow, fast) + "** | ";
    }
    return out + std::to_string(compiled.instructions[kHand]) + " | " + std::to_string(compiled.instructions[kScript]) +
           " |\n";
}

} // namespace

std::string interpreted_tables(const std::string& dtrace, int rounds, const Facts& machine)
{
    std::string out =
        "## Interpreted by the kernel\n\n"
        "    ./dev guest --kernel debian build/release/test/bench/bench filters --interpreted --rounds 1\n\n";
    for (const auto& [name, value] : machine)
        out += name + ": " + value + "; ";
    out += "\n\n";
    std::vector<KernelExperiment> compiled, interpreted;
    if (const Compiler off(false); off.is_set())
        interpreted = measure_kernel(dtrace, rounds, {Then::Count});
    else
        return out + "Not measured: this kernel has no interpreter (CONFIG_BPF_JIT_ALWAYS_ON).\n";
    if (const Compiler on(true); on.is_set())
        compiled = measure_kernel(dtrace, rounds, {Then::Count});
    else
        return out + "Not measured: this kernel has no compiler.\n";
    out +=
        "The kernel's account of the program, over that of an empty one: what passes is counted. In an emulated guest "
        "a nanosecond is not one of any processor; what is compared within a row means something.\n\n"
        "| filter | events | C: compiled | interpreted | interpreted / compiled | D: compiled | interpreted | "
        "interpreted / compiled | instructions: C | D |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for (std::size_t i = 0; i < compiled.size(); ++i)
        out += row(compiled[i], interpreted[i]);
    return out;
}

} // namespace dt::bench::filters
