// The parts of a trace that run in processes with a user-space engine. Each process gets the object, and runs the
// clauses of its own probe sites.
//
// They share the global variables with the part in the kernel. So exit() and the switches that enable and disable the
// trace affect all parts at once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/compiler.hpp"
#include "libdtrace/consume/application_half.hpp"
#include "libdtrace/load/loader.hpp"

namespace dt {

class Applications {
public:
    /// Loads the object into the processes; no effect if the program has no such probes. `loaded` has the global
    /// variables. If it is not in the kernel, the processes also record for BEGIN, END and timer probes, which run()
    /// starts there. Errors name the process.
    Result<void> begin(const Object& object, const Program& program, World& world, const LoadedObject& loaded);
    /// Runs a probe in the first process that is still alive. Fails if there is none.
    Result<void> run(const std::string& probe);
    bool empty() const { return halves_.empty(); }
    const consume::ApplicationHalves& halves() const { return halves_; }

    /// Makes this trace the active one in the processes, when an atomic handover (DT_TURNS) replaces another trace.
    void take_turn();
    /// Ends tracing in the processes. Returns messages for the user.
    std::vector<std::string> end();

private:
    consume::ApplicationHalves halves_;
};

} // namespace dt
