// Compiles clauses and loads them, to see whether this kernel's verifier accepts them. Counts the results.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "libdtrace/trace/trace.hpp"

namespace dt::verify {

struct Verdicts {
    uint64_t loaded = 0;
    uint64_t compiled = 0;                    ///< number of compiled statements that this kernel cannot attach
    std::map<std::string, uint64_t> refused;  ///< number of statements that were refused, by error tag
    std::map<std::string, uint64_t> messages; ///< number of refused statements, by "TAG message"
    /// internal errors of the compiler: lines with the statement and the message
    std::vector<std::string> internal;
    uint64_t statements() const;
    void add(const Verdicts& other);
};

class LoadAttempts {
public:
    /// `session` must be prepared and outlive this object.
    explicit LoadAttempts(Session& session) : session_(session) {}

    /// Compiles and loads clauses of `probe` with these statements. If a clause fails, splits it until each statement
    /// has a result of its own.
    void attempt(const std::string& probe, std::vector<std::string> statements, Verdicts& verdicts);

private:
    void attempt_part(const std::string& probe, const std::vector<std::string>& statements, Verdicts& verdicts);
    void halve(const std::string& probe, const std::vector<std::string>& statements, Verdicts& verdicts);
    bool take_refused(Trace& trace, const std::string& probe, const std::vector<std::string>& statements,
                      Verdicts& verdicts);

    Session& session_;
};

} // namespace dt::verify
