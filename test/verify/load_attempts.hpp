// Compiles clauses, loads them for a verdict of this kernel's verifier, and counts the verdicts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "libdtrace/trace/trace.hpp"

namespace dt::verify {

struct Verdicts {
    uint64_t loaded = 0;
    uint64_t compiled = 0;                    ///< number of compiled statements that this kernel cannot attach
    std::map<std::string, uint64_t> refused;  ///< number of refused statements, by error tag
    std::map<std::string, uint64_t> messages; ///< number of refused statements, by "TAG message"
    std::vector<std::string> internal;        ///< internal errors: lines with the statement and the message
    uint64_t statements() const;
    void add(const Verdicts& other);
};

class LoadAttempts {
public:
    /// `session` must be prepared and outlive this object.
    explicit LoadAttempts(Session& session) : session_(session) {}

    /// Tries the statements in clauses of `probe`. A failing clause is split until each statement has its own verdict.
    void attempt(const std::string& probe, std::vector<std::string> statements, Verdicts& verdicts);

private:
    void attempt_part(const std::string& probe, const std::vector<std::string>& statements, Verdicts& verdicts);
    void halve(const std::string& probe, const std::vector<std::string>& statements, Verdicts& verdicts);
    bool take_refused(Trace& trace, const std::string& probe, const std::vector<std::string>& statements,
                      Verdicts& verdicts);

    Session& session_;
};

} // namespace dt::verify
