// Loads the kernel module with the filters, lets it time windows of events, and removes it.
#include "test/bench/filters/native.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test/bench/filters/traffic.hpp"
#include "test/bench/loop.hpp"

namespace dt::bench::filters {

namespace {

constexpr const char* kName = "dt_filter";

class LoadedFilter {
public:
    LoadedFilter(const std::string& module, const std::string& filter)
    {
        const int file = open(module.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0 || syscall(SYS_finit_module, file, ("filter=" + filter).c_str(), 0) != 0)
            problem = module + ": " + std::strerror(errno);
        close(file);
    }
    ~LoadedFilter()
    {
        if (problem.empty())
            syscall(SYS_delete_module, kName, O_NONBLOCK);
    }
    LoadedFilter(const LoadedFilter&) = delete;
    LoadedFilter& operator=(const LoadedFilter&) = delete;

    double sum(const char* what) const
    {
        double value = 0;
        std::ifstream(std::string("/sys/module/") + kName + "/parameters/" + what) >> value;
        return value;
    }

    std::string problem;
};

// Returns the times per event, one per window. Like measure_kernel.cpp, omits windows during which the filter also ran
// for other threads, except for task switches.
std::vector<double> native_samples(const LoadedFilter& filter, Traffic& traffic, bool of_everybody, int windows)
{
    std::vector<double> samples;
    for (int i = 0; i < windows; i++) {
        const double runs = filter.sum("runs"), ns = filter.sum("ns");
        traffic.fire(kKernelEvents);
        const double more = filter.sum("runs") - runs;
        if (more > 0 && (of_everybody || (more >= kKernelEvents && more <= kForeignRuns * kKernelEvents)))
            samples.push_back((filter.sum("ns") - ns) / more);
    }
    return samples;
}

void add_windows(const std::string& module, const std::string& filter, Traffic& traffic, NativeExperiment& experiment,
                 int windows, std::vector<double>& to)
{
    const LoadedFilter loaded(module, filter);
    if (!loaded.problem.empty()) {
        experiment.problem = loaded.problem;
        return;
    }
    traffic.use(*experiment.shape, experiment.bias);
    traffic.fire(kKernelEvents);
    const auto samples = native_samples(loaded, traffic, experiment.shape->source == Source::Switch, windows);
    to.insert(to.end(), samples.begin(), samples.end());
}

// Measures one filter. Must be called in a thread of its own, because it may move the thread to another network
// namespace permanently.
void measure_one(const std::string& module, int rounds, int windows, NativeExperiment& experiment)
{
    use_loop_cpu();
    const auto traffic = make_traffic(experiment.shape->source, experiment.problem);
    const std::string& name = experiment.shape->name;
    for (int round = 0; traffic && round < rounds && experiment.problem.empty(); round++) {
        add_windows(module, name.substr(0, name.find('_')) + "_empty", *traffic, experiment, windows, experiment.empty);
        add_windows(module, name, *traffic, experiment, windows, experiment.filter);
    }
}

} // namespace

std::vector<NativeExperiment> measure_native(const std::string& module, int rounds, int windows)
{
    std::vector<NativeExperiment> all;
    for (const Shape& shape : all_shapes())
        for (const Bias bias : kBiases)
            if (is_measured_in_kernel(shape, bias))
                all.push_back({&shape, bias, {}, {}, {}});
    for (NativeExperiment& experiment : all)
        std::thread(measure_one, module, rounds, windows, std::ref(experiment)).join();
    return all;
}

} // namespace dt::bench::filters
