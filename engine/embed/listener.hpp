// Listener for tracers that attach to a running program: the program's probe sites, the socket by which tracers find
// them, and the programs that tracers load.
//
// One thread accepts tracers, and each tracer has its own thread, so a silent tracer blocks no other. The program's
// threads hit the sites. Programs at enabled sites run one at a time.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/embed/dtrace_engine.h"
#include "engine/embed/live_program.hpp"

namespace dt::embed {

class Listener {
public:
    /// Starts listening. The sites must outlive the listener. Fails if the socket cannot be created.
    static Result<std::unique_ptr<Listener>> open(const std::string& provider, std::span<dt_site* const> sites,
                                                  const LiveLimits& limits);
    ~Listener();

    void hit(std::size_t site, std::span<const uint64_t> words);

    /// Stores final results for the tracers when the process ends.
    void leave();

private:
    struct Tracer;
    Listener(std::string provider, std::span<dt_site* const> sites, const LiveLimits& limits);

    void wait_for_tracers();
    void adopt(int connection);
    void serve(Tracer& tracer);
    void end_program(Tracer& tracer);
    std::string describe() const;
    bool is_childs() const;
    Result<std::vector<uint8_t>> answer(Tracer& tracer, wire::Ask ask, std::span<const uint8_t> payload, int descriptor,
                                        int& handed);
    Result<std::vector<uint8_t>> load(Tracer& tracer, std::span<const uint8_t> object, int state, int& handed);

    const std::string provider_;
    const std::vector<dt_site*> sites_;
    std::vector<std::string> names_; ///< full names of the sites' probes
    const LiveLimits limits_;
    const int process_; ///< pid of the process that opened the listener; a forked child has no listener
    int socket_ = -1;
    std::thread waiting_;
    std::mutex mutex_; ///< protects all members below, and is held while a program runs
    std::vector<std::unique_ptr<Tracer>> tracers_;
    bool is_ending_ = false;
};

} // namespace dt::embed
