// Measurements of the benchmark. Each function measures a row of the report, or a set of rows.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dt::bench {

class Report;

struct Bench {
    std::string self, dtrace, progs;
    bool bpftrace;
    int rounds;
    /// Names of the cost table rows to measure; empty: all rows.
    std::vector<std::string> cost_rows;
    Report& report;
};

using Measure = void (*)(const Bench&);

const std::vector<std::pair<std::string, Measure>>& all_rows();

// this function and those up to measure_memory() are defined in rows_process.cpp
void measure_startup(const Bench& bench);
void measure_catalogue(const Bench& bench);
void measure_oneliner(const Bench& bench);
void measure_compile(const Bench& bench);
void measure_load(const Bench& bench);
void measure_memory(const Bench& bench);
void measure_event(const Bench& bench); // this function and those up to measure_storm() are defined in rows_event.cpp
void measure_reject(const Bench& bench);
void measure_storm(const Bench& bench);
void measure_cost_table(const Bench& bench); // this function is defined in rows_cost.cpp
void measure_function(const Bench& bench);   // this function and measure_attach() are defined in rows_function.cpp
void measure_attach(const Bench& bench);
void measure_user(const Bench& bench); // this function and measure_user_attach() are defined in rows_user.cpp
void measure_user_attach(const Bench& bench);

} // namespace dt::bench
