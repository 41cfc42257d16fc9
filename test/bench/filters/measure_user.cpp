// Time in user space: each evaluator over windows of the same events.
#include "test/bench/filters/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>

#include "test/bench/filters/report.hpp"
#include "test/bench/filters/user.hpp"
#include "test/bench/loop.hpp"

namespace dt::bench::filters {

namespace {

constexpr int kWindows = 20; // a round; the first ones fill caches and are not counted
constexpr int kWarmUp = 4;

double ns_of_window(Evaluator& evaluator, const Events& events, std::size_t first, Recorder* recorder)
{
    const auto begin = std::chrono::steady_clock::now();
    evaluator.run(events, first, kWindowOfEvents, recorder);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / kWindowOfEvents;
}

// An experiment from one round to the next.
struct Trial {
    Experiment experiment;
    Events events;
    std::vector<std::size_t> order;
    std::mt19937 random{1};

    Trial(const Shape& shape, Bias bias, bool record)
        : experiment{&shape, bias, record, {}, {}}, events(make_events(shape, bias, kEventsOfStream, 1))
    {
        for (const auto& evaluator : user_evaluators(shape, experiment.problem))
            experiment.evaluators.push_back({evaluator->name, {}, {}});
    }

    // Whoever comes after the same neighbour each time has its caches each time.
    std::vector<std::size_t>& shuffled(std::size_t count)
    {
        while (order.size() < count)
            order.push_back(order.size());
        std::shuffle(order.begin(), order.end(), random);
        return order;
    }

    void measure(Recorder& recorder)
    {
        const auto evaluators = user_evaluators(*experiment.shape, experiment.problem); // in other places than before
        std::vector<std::vector<double>> round(evaluators.size());
        for (int window = 0; window < kWindows; window++)
            for (const std::size_t i : shuffled(evaluators.size())) {
                const std::size_t first =
                    static_cast<std::size_t>(window) % (kEventsOfStream / kWindowOfEvents) * kWindowOfEvents;
                const double ns = ns_of_window(*evaluators[i], events, first, experiment.record ? &recorder : nullptr);
                if (window >= kWarmUp)
                    round[i].push_back(ns);
            }
        for (std::size_t i = 0; i < evaluators.size(); i++)
            end_round(experiment.evaluators[i], round[i]);
    }
};

} // namespace

std::vector<Experiment> measure_user(int rounds)
{
    std::vector<Trial> trials;
    for (const Shape& shape : all_shapes())
        for (const Bias bias : kBiases)
            for (const bool record : {false, true})
                if (!record || bias == Bias::AllPass || bias == Bias::MostlyTrue) // nothing to record otherwise
                    trials.emplace_back(shape, bias, record);
    Recorder recorder;
    use_loop_cpu();
    for (int round = 0; round < rounds; round++) {
        std::printf("\r  user space: round %d of %d", round + 1, rounds);
        std::fflush(stdout);
        for (Trial& trial : trials)
            trial.measure(recorder);
    }
    std::printf("\n");
    use_other_cpus();
    std::vector<Experiment> all;
    for (Trial& trial : trials)
        all.push_back(std::move(trial.experiment));
    return all;
}

} // namespace dt::bench::filters
