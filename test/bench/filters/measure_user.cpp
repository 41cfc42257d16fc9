// Measures time in user space: all implementations of a filter process the same events.
#include "test/bench/filters/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>

#include <nlohmann/json.hpp>

#include "test/bench/filters/report.hpp"
#include "test/bench/filters/user.hpp"
#include "test/bench/loop.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench::filters {

namespace {

// number of windows (timed sequences of events) per round; the first ones only fill caches and are not counted
constexpr int kWindows = 20;
constexpr int kWarmUp = 4;

double ns_of_window(Evaluator& evaluator, const Events& events, Recorder* recorder)
{
    const auto begin = std::chrono::steady_clock::now();
    evaluator.run(events, 0, kEventsOfStream, recorder);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / kEventsOfStream;
}

struct Trial {
    const Shape* shape;
    Bias bias;
    bool record;
};

std::vector<Trial> all_trials()
{
    std::vector<Trial> all;
    for (const Shape& shape : all_shapes())
        for (const Bias bias : kBiases)
            for (const bool record : {false, true})
                // Distributions for which recording is measured. With the other distributions, too few events would
                // pass the filter.
                if (!record || bias == Bias::AllPass || bias == Bias::MostlyTrue)
                    all.push_back({&shape, bias, record});
    return all;
}

// Runs each round in a new process, for two reasons. The placement of code and data varies between processes. And in a
// process that calls only one filter, as a tracer does, the indirect call takes two cycles less.
nlohmann::json one_round(std::size_t trial)
{
    Tool other({"/proc/self/exe", "filters", "--trial", std::to_string(trial), "--seed", std::to_string(std::rand())});
    const Usage usage = other.wait();
    return usage.status == 0 ? nlohmann::json::parse(usage.out, nullptr, false) : nlohmann::json();
}

void add_round(Experiment& experiment, const nlohmann::json& round)
{
    if (!round.is_object()) {
        experiment.problem = "a round has failed";
        return;
    }
    experiment.problem = round.value("problem", experiment.problem);
    const auto& evaluators = round["evaluators"];
    experiment.evaluators.resize(evaluators.size());
    for (std::size_t i = 0; i < evaluators.size(); i++) {
        experiment.evaluators[i].name = evaluators[i]["name"];
        end_round(experiment.evaluators[i], evaluators[i]["ns"].get<std::vector<double>>());
    }
}

} // namespace

int run_trial(std::size_t number, unsigned seed)
{
    const auto trials = all_trials();
    if (number >= trials.size())
        return 2;
    const Trial& trial = trials[number];
    std::string problem;
    const auto evaluators = user_evaluators(*trial.shape, problem);
    const Events events = make_events(*trial.shape, trial.bias, kEventsOfStream, 1);
    Recorder recorder;
    std::vector<std::vector<double>> samples(evaluators.size());
    std::vector<std::size_t> order(evaluators.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random{seed};
    use_loop_cpu();
    for (int window = 0; window < kWindows; window++) {
        // The implementations run in random order, because each one leaves the caches in a different state.
        std::shuffle(order.begin(), order.end(), random);
        for (const std::size_t i : order) {
            const double ns = ns_of_window(*evaluators[i], events, trial.record ? &recorder : nullptr);
            if (window >= kWarmUp)
                samples[i].push_back(ns);
        }
    }
    nlohmann::json round{{"problem", problem}, {"evaluators", nlohmann::json::array()}};
    for (std::size_t i = 0; i < evaluators.size(); i++)
        round["evaluators"].push_back({{"name", evaluators[i]->name}, {"ns", samples[i]}});
    std::printf("%s\n", round.dump().c_str());
    return 0;
}

std::vector<Experiment> measure_user(int rounds)
{
    const auto trials = all_trials();
    std::vector<Experiment> all;
    for (const Trial& trial : trials)
        all.push_back({trial.shape, trial.bias, trial.record, {}, {}});
    for (int round = 0; round < rounds; round++) {
        std::printf("\r  user space: round %d of %d", round + 1, rounds);
        std::fflush(stdout);
        for (std::size_t i = 0; i < trials.size(); i++)
            add_round(all[i], one_round(i));
    }
    std::printf("\n");
    return all;
}

} // namespace dt::bench::filters
