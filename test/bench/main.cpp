// bench: the table of the budgets in docs/design.md, measured side by side in one run.
//
//   bench [ROWS...]      names of rows (startup, oneliner, event, reject, keys, store, record, storm, compile, catalogue, memory,
//                        function, attach); default: all
//
// Every figure is the least (or, for rates, the best) of several repetitions; costs per event are differences to the same loop untraced,
// measured next to them. Status 0 whatever the figures are: a benchmark is read by a person.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "test/bench/rows.hpp"
#include "test/bench/table.hpp"
#include "test/bench/tool.hpp"

using namespace dt::bench;

namespace {

// bpftrace looks its tracepoints up in tracefs, which not every machine has mounted: the bench and what it starts get one of their own.
void mount_tracefs()
{
    const char* const place = "/sys/kernel/tracing";
    if (std::filesystem::exists(std::string(place) + "/events") || std::filesystem::exists("/sys/kernel/debug/tracing/events"))
        return;
    if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 || mount("tracefs", place, "tracefs", 0, nullptr) != 0)
        std::printf("(no tracefs: the column of bpftrace stays empty where it needs one)\n");
}

} // namespace

int main(int argc, char** argv)
{
    if (geteuid() != 0) {
        std::fprintf(stderr, "bench: tracing needs root\n");
        return 1;
    }
    auto build = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "../..").lexically_normal();
    Bench bench{(build / "dtrace").string(), (build / "test/progs").string(), installed("bpftrace")};
    const std::vector<std::string> wanted(argv + 1, argv + argc);
    mount_tracefs();

    print_heading();
    for (const auto& [name, measure] : all_rows()) {
        bool chosen = wanted.empty();
        for (const auto& word : wanted)
            chosen |= word == name;
        if (chosen)
            measure(bench);
    }
    if (!bench.bpftrace)
        std::printf("(bpftrace is not installed: its column is empty)\n");
    return 0;
}
