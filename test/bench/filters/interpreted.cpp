// Compares the kernel's JIT compiler with its BPF interpreter, as the first of the two papers in docs/filters.md did.
// The result is the program's time as measured by the kernel, minus the time of a program without a filter.
#include "test/bench/filters/interpreted.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "test/bench/filters/native.hpp"
#include "test/bench/plot.hpp"

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

/// Switches the JIT compiler on or off for programs that are loaded during this object's lifetime.
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
    return figure_of(experiment.evaluators[evaluator]) - figure_of(experiment.evaluators[kEmpty]);
}

double over_none(const NativeExperiment* native)
{
    return native && native->problem.empty() ? figure_of(native->filter) - figure_of(native->empty) : NAN;
}

struct Row {
    const KernelExperiment &compiled, &interpreted;
    const NativeExperiment* native; ///< results of the filters as native code in a kernel module; null: no module
};

std::string in_table(const Row& row)
{
    std::string out = "| " + filter_name(*row.compiled.shape) + " | " + name_of(row.compiled.bias) + " | ";
    for (const KernelExperiment* each : {&row.compiled, &row.interpreted})
        if (!each->problem.empty())
            return out + "not measured: " + each->problem + " |\n";
    const double native = over_none(row.native);
    out += number(native) + " | ";
    for (const KernelEvaluator evaluator : {kHand, kScript}) {
        const double fast = over_none(row.compiled, evaluator), slow = over_none(row.interpreted, evaluator);
        out +=
            number(fast) + " | " + number(slow) + " | **" + ratio(slow, fast) + "** | " + ratio(fast, native) + " | ";
    }
    return out + std::to_string(row.compiled.instructions[kHand]) + " | " +
           std::to_string(row.compiled.instructions[kScript]) + " |\n";
}

/// Plots the times of the filters with 1, 2, 4, 8 and 16 chained predicates, for events that all pass.
void write_plot(const std::string& folder, const std::vector<Row>& rows)
{
    dt::bench::Plot plot{"filters in the kernel, over no filter, all pass", "ns"};
    plot.first = 1, plot.last = 16, plot.what = "predicates, twice as many at each step";
    plot.lines = {
        {"native", {}}, {"C, compiled", {}}, {"D, compiled", {}}, {"C, interpreted", {}}, {"D, interpreted", {}}};
    for (const Row& row : rows)
        if (row.compiled.shape->source == Source::Chain && row.compiled.bias == Bias::AllPass) {
            const double values[] = {over_none(row.native), over_none(row.compiled, kHand),
                                     over_none(row.compiled, kScript), over_none(row.interpreted, kHand),
                                     over_none(row.interpreted, kScript)};
            for (std::size_t i = 0; i < std::size(values); ++i)
                if (std::isfinite(values[i]))
                    plot.lines[i].values.push_back(values[i]);
        }
    std::erase_if(plot.lines, [](const PlotLine& line) { return line.values.empty(); });
    std::filesystem::create_directories(folder);
    write_svg(folder + "/interpreted.svg", plot);
}

std::string module_problem(const std::vector<NativeExperiment>& native)
{
    for (const NativeExperiment& experiment : native)
        if (!experiment.problem.empty())
            return "The module was not measured: " + experiment.problem + ".\n\n";
    return native.empty() ? "There was no module to measure.\n\n" : "";
}

constexpr const char* kInterpretedText =
    "What is over an empty program, or an empty function of the module, by the kernel's account of programs and by the "
    "module's own, which is kept in the same way: what passes is counted. Native is the filter as a module has it "
    "(`test/bench/filters/native`), called by the tracepoint. In an emulated guest a nanosecond is not one of any "
    "processor, and with `--icount` it is an instruction; what is compared within a row means something.\n\n";

} // namespace

std::string interpreted_tables(const std::string& dtrace, int rounds, const Facts& machine, const std::string& module,
                               const std::string& plots, int windows)
{
    std::string out = "## Interpreted by the kernel, and native\n\n    ./dev bench filters --guest [--docs]\n\n";
    for (const auto& [name, value] : machine)
        out += name + ": " + value + "; ";
    out += "\n\n";
    std::vector<KernelExperiment> compiled, interpreted;
    if (const Compiler off(false); off.is_set())
        interpreted = measure_kernel(dtrace, rounds, {Then::Count}, windows);
    else
        return out + "Not measured: this kernel has no interpreter (CONFIG_BPF_JIT_ALWAYS_ON).\n";
    if (const Compiler on(true); on.is_set())
        compiled = measure_kernel(dtrace, rounds, {Then::Count}, windows);
    else
        return out + "Not measured: this kernel has no compiler.\n";
    std::vector<NativeExperiment> native;
    if (!module.empty())
        native = measure_native(module, rounds, windows);
    out += kInterpretedText + module_problem(native);
    out += "| filter | events | native | C: compiled | interpreted | interpreted / compiled | compiled / native | D: "
           "compiled | interpreted | interpreted / compiled | compiled / native | instructions: C | D |\n"
           "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    std::vector<Row> rows;
    for (std::size_t i = 0; i < compiled.size(); ++i)
        rows.push_back({compiled[i], interpreted[i], i < native.size() ? &native[i] : nullptr});
    for (const Row& row : rows)
        out += in_table(row);
    write_plot(plots, rows);
    return out + "\n![filters in the kernel: native, compiled, interpreted](filters/interpreted.svg)\n";
}

} // namespace dt::bench::filters
