// Measures the time of a tracepoint of LTTng's user-space tracer for the same events as the other implementations. Also
// checks that LTTng's filters select the same events as the reference filters.
#include "test/bench/filters/measure.hpp"

#include <algorithm>
#include <cstdio>
#include <random>
#include <sstream>

#include "test/bench/filters/lttng/session.hpp"

namespace dt::bench::filters {

namespace {

constexpr int kWindowsOfRound = 20, kWarmUpOfRound = 4; // must equal kWindows and kWarmUp of measure_user.cpp

// If recording an event takes less than this multiple of the time of a disabled tracepoint, LTTng does not record, and
// the measurement is invalid.
constexpr double kTraced = 5;

std::string line_for(const Shape& shape, Bias bias, const std::string& what)
{
    return std::to_string(&shape - all_shapes().data()) + " " + std::to_string(static_cast<int>(bias)) + " " + what;
}

void sample(Lttng& lttng, const Shape& shape, Bias bias, std::vector<double>& into)
{
    std::istringstream answer(lttng.ask(line_for(shape, bias, std::to_string(kWindowsOfRound))));
    int window = 0;
    for (double ns = 0; answer >> ns; window++)
        if (window >= kWarmUpOfRound)
            into.push_back(ns);
}

bool measure_shape(Lttng& lttng, LttngExperiment& experiment, std::mt19937& random)
{
    const Shape& shape = *experiment.shape;
    sample(lttng, shape, Bias::AllPass, experiment.untraced);
    if (!lttng.prepare(shape, true, false))
        return false;
    sample(lttng, shape, Bias::AllPass, experiment.stopped);
    if (!lttng.start())
        return false;
    std::vector<Bias> order(std::begin(kBiases), std::end(kBiases));
    std::shuffle(order.begin(), order.end(), random);
    for (const Bias bias : order)
        sample(lttng, shape, bias, experiment.filtered[static_cast<std::size_t>(bias)]);
    if (!lttng.destroy() || !lttng.prepare(shape, false, false) || !lttng.start())
        return false;
    sample(lttng, shape, Bias::AllPass, experiment.unfiltered);
    return lttng.destroy();
}

/// Returns the number of records in a trace, counted by babeltrace2; -1 if that is not installed.
long records_of(const std::string& trace)
{
    long records = -1;
    if (FILE* pipe = popen(("babeltrace2 " + trace + " 2>/dev/null | wc -l").c_str(), "r")) {
        if (std::fscanf(pipe, "%ld", &records) != 1)
            records = -1;
        pclose(pipe);
    }
    return records;
}

} // namespace

LttngFigures measure_lttng(int rounds, const std::string& newest)
{
    LttngFigures figures;
    Lttng lttng(newest);
    figures.problem = lttng.problem();
    figures.version = lttng.version();
    if (!figures.problem.empty())
        return figures;
    for (const Shape& shape : all_shapes())
        figures.all.push_back({&shape, {}, {}, {}, {}});
    std::mt19937 random(1);
    std::vector<std::size_t> order(figures.all.size());
    for (std::size_t i = 0; i < order.size(); i++)
        order[i] = i;
    for (int round = 0; round < rounds && figures.problem.empty(); round++) {
        std::shuffle(order.begin(), order.end(), random);
        std::printf("\r  LTTng: round %d of %d", round + 1, rounds);
        std::fflush(stdout);
        for (const std::size_t i : order)
            if (!measure_shape(lttng, figures.all[i], random))
                figures.problem = "a command of LTTng failed";
    }
    std::printf("\n");
    for (const LttngExperiment& each : figures.all)
        if (quantile(each.unfiltered, 0.5) < kTraced * quantile(each.untraced, 0.5) && figures.problem.empty())
            figures.problem = "the session daemon does not know the program (are its libraries older?)";
    return figures;
}

std::optional<bool> lttng_agrees()
{
    Lttng lttng;
    if (!lttng.problem().empty()) {
        std::printf("LTTng: %s\n", lttng.problem().c_str());
        return std::nullopt;
    }
    bool agrees = true;
    for (const Shape& shape : all_shapes()) {
        std::error_code ignored;
        std::filesystem::remove_all(lttng.trace(), ignored);
        const bool ready = lttng.prepare(shape, true, true) && lttng.start();
        const long expected = ready ? std::atol(lttng.ask(line_for(shape, Bias::Any, "check")).c_str()) : -1;
        const long found = lttng.destroy() ? records_of(lttng.trace().string()) : -1;
        if (ready && found == expected)
            continue;
        std::printf("%s: LTTng recorded %ld, expected %ld\n", shape.name.c_str(), found, expected);
        agrees = false;
    }
    return agrees;
}

} // namespace dt::bench::filters
