// What the bench measures: one function a row (or a few that belong together).
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dt::bench {

struct Bench {
    std::string dtrace, progs;
    bool bpftrace;
};

using Measure = void (*)(const Bench&);

const std::vector<std::pair<std::string, Measure>>& all_rows();

void measure_startup(const Bench& bench); // rows_process.cpp
void measure_catalogue(const Bench& bench);
void measure_oneliner(const Bench& bench);
void measure_compile(const Bench& bench);
void measure_memory(const Bench& bench);
void measure_event(const Bench& bench); // rows_event.cpp
void measure_reject(const Bench& bench);
void measure_keys(const Bench& bench);
void measure_store(const Bench& bench);
void measure_record(const Bench& bench);
void measure_storm(const Bench& bench);
void measure_function(const Bench& bench); // rows_function.cpp
void measure_attach(const Bench& bench);
void measure_user(const Bench& bench); // rows_user.cpp
void measure_user_attach(const Bench& bench);

} // namespace dt::bench
