// A row of the cost table: three equivalent programs in cost/, NAME.d, NAME.bt for bpftrace, and NAME.bpf.c written by
// hand.
//
// The first comment of the D text has these lines:
//   what:  description of the row
//   total: output that is summed to count all firings: sum (of the printed numbers), elements, or records
//   each:  contribution of a firing to that sum; default: 1
//   promises: guarantee of D for a firing that the C program only gives if built with PROMISED
//   check: D that prints the sum at the end of the loop, if the script itself does not
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

struct CostRow {
    std::string name, what;
    std::string script, bpftrace; // texts of the D and bpftrace scripts
    std::string script_path, bpftrace_path;
    // Paths of the compiled C programs; the second one traces a system call that no other program makes.
    std::string object, object_for_check;
    /// Name of the guarantee, and paths of the C programs that give it, if the row has one.
    std::string promises, promised, promised_for_check;
    std::string total = "sum", check;
    unsigned long long each = 1;
};

/// Returns all rows, by name.
std::vector<CostRow> cost_rows();

/// Returns the script in one line, without comments and pragmas.
std::string in_one_line(const CostRow& row);

} // namespace dt::bench
