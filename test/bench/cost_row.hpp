// A row of the cost table: three equivalent programs in cost/, NAME.d, NAME.bt for bpftrace, and NAME.bpf.c written by
// hand.
//
// The first comment of the D text has these lines:
//   what:  description of the row
//   total: how the check counts firings: sum (the sum of the printed numbers), elements (the number of keys) or records
//   each:  how much one firing adds to this count; default: 1
//   promises: guarantee of D for a firing that the C program only gives if built with PROMISED
//   check: D clauses that print the numbers at the end of the loop, if the script itself does not print any
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

struct CostRow {
    std::string name, what;
    std::string script, bpftrace; // texts of the D and bpftrace scripts
    std::string script_path, bpftrace_path;
    // The C program, compiled twice. `object` traces getppid; `object_for_check` traces a system call that no other
    // process makes.
    std::string object, object_for_check;
    /// The guarantee of D that the row names, and paths of the C programs that give it too. All are empty if the row
    /// names none.
    std::string promises, promised, promised_for_check;
    std::string total = "sum", check;
    unsigned long long each = 1;
};

/// Returns all rows of the cost table, sorted by name.
std::vector<CostRow> cost_rows();

/// Returns the text of the script in one line, without comments and pragmas.
std::string in_one_line(const CostRow& row);

} // namespace dt::bench
