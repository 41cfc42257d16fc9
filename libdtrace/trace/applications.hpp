// The halves of a trace that run in programs: each gets the object, and runs of it what is at its own probe sites.
//
// All have the globals of the kernel's half, so that exit() and what switches the trace on and off are one store for
// all of them.
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
    /// Nothing where the program has no such probes. `loaded`: what has the globals. Where that is not in the kernel,
    /// they record for BEGIN and END and clocks too, which run() runs there. Errors name the process.
    Result<void> begin(const Object& object, const Program& program, World& world, const LoadedObject& loaded);
    /// In the first program that is there. Errors: none is.
    Result<void> run(const std::string& probe);
    bool empty() const { return halves_.empty(); }
    const consume::ApplicationHalves& halves() const { return halves_; }

    /// The trace takes the place of another one (DT_TURNS): from now on it is this one's turn in programs.
    void take_turn();
    /// They fire no more. What is to be told of them.
    std::vector<std::string> end();

private:
    consume::ApplicationHalves halves_;
};

} // namespace dt
