// check_filters [DTRACE [TEXT] | --lttng]: test that all implementations of the measured filters agree. With DTRACE
// (path of a dtrace), it also checks BPF programs in the kernel. With TEXT (docs/filters.md), it checks only the
// instruction counts in that file. With --lttng, it checks only LTTng's filters. Status 77: not possible on this
// machine.
#include <cstdio>
#include <string_view>

#include "test/bench/filters/attached.hpp"
#include "test/bench/filters/filters.hpp"
#include "test/bench/filters/measure.hpp"

int main(int argc, char** argv)
{
    using namespace dt::bench::filters;
    if (argc > 1 && std::string_view(argv[1]) == "--lttng") {
        const auto agrees = lttng_agrees();
        return !agrees ? 77 : *agrees ? 0 : 1;
    }
    if (argc > 1)
        if (const auto trial = attach_by_hand("chain_0_count"); !trial->problem.empty()) {
            std::printf("the kernel cannot be asked here: %s\n", trial->problem.c_str());
            return 77;
        }
    if (argc > 2) {
        const auto agrees = counts_agree(argv[1], argv[2]);
        return !agrees ? 77 : *agrees ? 0 : 1;
    }
    return check(argc > 1 ? argv[1] : "");
}
