// Program traced by LTTng: fires tracepoints on request and reports the time.
//
// Each line of standard input names a filter by its index in all_shapes(), a distribution of events (Bias), and a
// number of windows to measure. A window is kEventsOfStream events that are timed together. The answer is a line with
// ns per event for each window. If the line has "check N" instead of the number of windows, the program fires N events
// once and answers how many of them should pass the filter.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "test/bench/filters/lttng/fire.h"
#include "test/bench/filters/measure.hpp"

namespace {

using namespace dt::bench::filters;

void fire(const Shape& shape, const void* events, std::size_t count)
{
    if (shape.source == Source::Chain)
        dt_fire_chain(events, count);
    else if (shape.source == Source::Packet)
        dt_fire_packet(events, count);
    else
        dt_fire_switch(events, count);
}

void measure(const Shape& shape, const Events& events, int windows)
{
    for (int window = 0; window < windows; window++) {
        const auto begin = std::chrono::steady_clock::now();
        fire(shape, events.at(0), kEventsOfStream);
        const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
        std::printf("%.3f ", taken.count() / static_cast<double>(kEventsOfStream));
    }
    std::printf("\n");
}

void check(const Shape& shape, const Events& events)
{
    fire(shape, events.at(0), events.count());
    long pass = 0;
    for (std::size_t i = 0; i < events.count(); i++)
        pass += shape.passes(events.at(i));
    std::printf("%ld\n", pass);
}

} // namespace

int main()
{
    for (std::string line; std::getline(std::cin, line); std::fflush(stdout)) {
        std::istringstream words(line);
        std::size_t shape = 0, bias = 0;
        std::string windows;
        if (!(words >> shape >> bias >> windows) || shape >= all_shapes().size())
            return 2;
        const Shape& chosen = all_shapes()[shape];
        const auto stream = static_cast<Bias>(bias);
        if (windows == "check")
            check(chosen, make_events(chosen, stream, kEventsOfStream, 7));
        else
            measure(chosen, make_events(chosen, stream, kEventsOfStream, 1), std::stoi(windows));
    }
    return 0;
}
