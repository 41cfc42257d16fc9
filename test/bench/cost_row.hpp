// A row of the cost table: three texts in cost/ that do the same, NAME.d, NAME.bt for bpftrace, NAME.bpf.c by hand.
//
// The first comment of the D text says, a line each:
//   what:  what the row is about
//   total: what a reader adds up to see all firings: sum (of the numbers that are shown), elements, or records
//   each:  what a firing adds to that; left out: 1
//   promises: what D promises of a firing that the C does not do unless it is built with PROMISED
//   check: D that shows the total at the end of the loop, where nothing of the script itself does
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

struct CostRow {
    std::string name, what;
    std::string script, bpftrace; // texts
    std::string script_path, bpftrace_path;
    std::string object, object_for_check; // the second is traced at a system call that nobody else makes
    /// Where something is promised: the same with it.
    std::string promises, promised, promised_for_check;
    std::string total = "sum", check;
    unsigned long long each = 1;
};

/// All of them, by name.
std::vector<CostRow> cost_rows();

/// What the script is, in one line: without comments and pragmas.
std::string in_one_line(const CostRow& row);

} // namespace dt::bench
