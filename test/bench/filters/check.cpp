// Checks that all implementations of each filter give equal results.
#include "test/bench/filters/filters.hpp"

#include <cstdio>
#include <memory>
#include <thread>

#include "test/bench/filters/attached.hpp"
#include "test/bench/filters/measure.hpp"
#include "test/bench/filters/shapes.hpp"
#include "test/bench/filters/traffic.hpp"
#include "test/bench/filters/user.hpp"
#include "test/bench/loop.hpp"

namespace dt::bench::filters {

namespace {

constexpr std::size_t kEvents = 10'000;

// Runs one implementation of a filter and the reference filter (Shape::passes) on each event, and reports the first
// event with different results.
bool agrees(Evaluator& evaluator, const Shape& shape, const Events& events)
{
    for (std::size_t i = 0; i < events.count(); i++) {
        const bool right = shape.passes(events.at(i));
        if ((evaluator.run(events, i, 1, nullptr) == 1) == right)
            continue;
        std::printf("%s: %s, event %zu: the verdict must be %d\n", shape.name.c_str(), evaluator.name.c_str(), i,
                    right);
        return false;
    }
    return true;
}

bool check_user()
{
    bool all_right = true;
    for (const Shape& shape : all_shapes()) {
        std::string problem;
        const auto evaluators = user_evaluators(shape, problem);
        for (const Bias bias : {Bias::Any, Bias::AllPass, Bias::AllFail, Bias::MostlyTrue, Bias::MostlyFalse}) {
            const Events events = make_events(shape, bias, kEvents, 7);
            // starts at 1, because element 0 has no filter
            for (std::size_t i = 1; i < evaluators.size(); i++)
                all_right &= agrees(*evaluators[i], shape, events);
        }
        if (!problem.empty())
            std::printf("%s: left out: %s\n", shape.name.c_str(), problem.c_str());
    }
    return all_right;
}

// Limits for the number of kernel events that should pass the filter. For system calls, the reference filter counts
// them; for task switches, the kernel's counters of voluntary sleeps do.
struct Expected {
    long least, most;
};

// Allowed difference in the number of task switches: some occur while the threads change their names and while the
// counters are read.
constexpr long kRenaming = 4;

Expected fire(const Shape& shape, Traffic& traffic)
{
    if (shape.source == Source::Chain) {
        const Events events = make_events(shape, Bias::Any, kEvents, 7);
        long passed = 0;
        for (std::size_t i = 0; i < events.count(); i++) {
            call_with(events.at(i));
            passed += shape.passes(events.at(i));
        }
        return {passed, passed};
    }
    traffic.use(shape, Bias::AllFail);
    traffic.fire(kEvents);
    const long before = traffic.sleeps();
    traffic.use(shape, Bias::AllPass);
    traffic.fire(kEvents);
    if (shape.source == Source::Packet)
        // There is no upper limit, because other programs also send packets over lo.
        return {static_cast<long>(kEvents), -1};
    const long slept = traffic.sleeps() - before;
    return {slept - kRenaming, slept + kRenaming};
}

bool check_counts(const Shape& shape, Attached& attached, Traffic& traffic, const char* evaluator)
{
    if (!attached.problem.empty()) {
        std::printf("%s: %s: %s\n", shape.name.c_str(), evaluator, attached.problem.c_str());
        return false;
    }
    const Expected expected = fire(shape, traffic);
    const long counted = attached.finish();
    if (counted >= expected.least && (expected.most < 0 || counted <= expected.most))
        return true;
    std::printf("%s: %s counted %ld, expected %ld to %ld\n", shape.name.c_str(), evaluator, counted, expected.least,
                expected.most);
    return false;
}

void check_kernel(const std::string& dtrace, const Shape& shape, bool& all_right)
{
    use_loop_cpu();
    std::string problem;
    const auto traffic = make_traffic(shape.source, problem);
    if (!traffic) {
        std::printf("%s: %s\n", shape.name.c_str(), problem.c_str());
        all_right = false;
        return;
    }
    all_right &= check_counts(shape, *attach_by_hand(shape.name + "_count"), *traffic, "hand-written C");
    all_right &= check_counts(shape, *attach_script(dtrace, script(shape, true, false)), *traffic, "D");
}

} // namespace

int check(const std::string& dtrace)
{
    bool all_right = check_user();
    if (!dtrace.empty())
        for (const Shape& shape : all_shapes())
            std::thread([&] { check_kernel(dtrace, shape, all_right); }).join();
    std::printf("%s\n", all_right ? "all evaluators agree" : "evaluators disagree");
    return all_right ? 0 : 1;
}

} // namespace dt::bench::filters
