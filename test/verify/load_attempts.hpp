// Compiles clauses and has this kernel's verifier judge them; counts the verdicts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "libdtrace/trace/trace.hpp"

namespace dt::verify {

struct Verdicts {
    uint64_t loaded = 0;
    uint64_t compiled = 0;                    ///< this kernel has no mechanism to attach them by
    std::map<std::string, uint64_t> refused;  ///< by the tag of the error
    std::map<std::string, uint64_t> messages; ///< "TAG message" of what was refused
    std::vector<std::string> internal;        ///< complete lines: the statement, and what was said
    uint64_t statements() const;
    void add(const Verdicts& other);
};

class LoadAttempts {
public:
    /// `session` is prepared and outlives this.
    explicit LoadAttempts(Session& session) : session_(session) {}

    /// Tries the statements in clauses of `probe`. A clause that fails is taken apart until each statement has a
    /// verdict of its own.
    void attempt(const std::string& probe, std::vector<std::string> statements, Verdicts& verdicts);

private:
    void attempt_part(const std::string& probe, const std::vector<std::string>& statements, Verdicts& verdicts);
    void halve(const std::string& probe, const std::vector<std::string>& statements, Verdicts& verdicts);
    bool take_refused(Trace& trace, const std::string& probe, const std::vector<std::string>& statements,
                      Verdicts& verdicts);

    Session& session_;
};

} // namespace dt::verify
