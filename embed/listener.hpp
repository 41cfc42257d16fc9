// Tracers that attach to a running program: its probe sites, the socket by which it is found, and the programs that
// they have brought.
//
// A thread waits for tracers, and each has one of its own, so that one that says nothing keeps nobody waiting. Sites
// are hit by the program's threads, one at a time as far as tracers look.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "embed/dtrace_engine.h"
#include "embed/live_program.hpp"

namespace dt::embed {

class Listener {
public:
    /// Sites must stay where they are until the listener is gone. Errors: no such socket can be made.
    static Result<std::unique_ptr<Listener>> open(const std::string& provider, std::span<dt_site* const> sites,
                                                  const LiveLimits& limits);
    ~Listener();

    void hit(std::size_t site, std::span<const uint64_t> words);

    /// The process ends.
    void leave();

private:
    struct Tracer;
    Listener(std::string provider, std::span<dt_site* const> sites, const LiveLimits& limits);

    void wait_for_tracers();
    void take_up(int connection);
    void serve(Tracer& tracer);
    void end_program(Tracer& tracer);
    std::string describe() const;
    bool is_childs() const;
    Result<std::vector<uint8_t>> answer(Tracer& tracer, wire::Ask ask, std::span<const uint8_t> payload, int descriptor,
                                        int& handed);
    Result<std::vector<uint8_t>> load(Tracer& tracer, std::span<const uint8_t> object, int state, int& handed);

    const std::string provider_;
    const std::vector<dt_site*> sites_;
    std::vector<std::string> names_; ///< full, of the sites
    const LiveLimits limits_;
    const int process_; ///< whose it is: a child has none of it
    int socket_ = -1;
    std::thread waiting_;
    std::mutex mutex_; ///< of all that follows and of what programs do
    std::vector<std::unique_ptr<Tracer>> tracers_;
    bool is_ending_ = false;
};

} // namespace dt::embed
