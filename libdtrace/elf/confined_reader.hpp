// A process that reads files for the tracer and may do nothing else.
//
// Files of traced programs are written by whoever runs those, and are read by large libraries (libelf, libdw, libctf,
// lzma) in a tracer that may read and write all memory of the machine. So what reads them is a child of the tracer
// without capabilities and descriptors, under a filter of system calls (confinement.hpp), with bounds of memory and
// time. One that crashes, loops or eats memory is gone; the tracer says so and goes on.
//
// The child is a fork and not a program of its own: functions are where they are here, so a request is a function and
// its argument, and the child is there in half a millisecond.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"

namespace dt {

/// What a reader keeps from one request to the next: files that are open.
using ReaderState = std::map<std::string, std::shared_ptr<void>, std::less<>>;

/// Runs in the reader. What it gives back is its answer; it may throw std::bad_alloc.
using ReadFunction = std::string (*)(ReaderState& state, std::string_view request);

/// What a child gives up first; its arguments are its socket and how many bytes more it may have. Gives the descriptor
/// by which the parent learns which files it wants to open; -1: there is none.
using ReaderPreparation = int (*)(int socket, uint64_t memory);

struct ReaderBounds {
    uint64_t memory = uint64_t{1} << 30; ///< bytes, beyond what the tracer has
    uint64_t answer = uint64_t{1} << 28; ///< bytes
    unsigned seconds = 10;               ///< of a processor, for one request; three times as many of waiting
    unsigned owner = 20;                 ///< seconds of waiting in vain for files of one owner, in ten minutes
};

class ConfinedReader {
public:
    /// `prepare`: confine(), or what leaves a child the rights that it works with (confinement.hpp). Error: there can
    /// be no more processes.
    static Result<std::unique_ptr<ConfinedReader>> start(const ReaderBounds& bounds, ReaderPreparation prepare);
    /// It is ended.
    ~ConfinedReader();
    ConfinedReader(const ConfinedReader&) = delete;
    ConfinedReader& operator=(const ConfinedReader&) = delete;

    /// Is called once a second while an answer is waited for.
    void tell_waiting(std::function<void()> waiting) { waiting_ = std::move(waiting); }
    /// Has the reader call a function. Error: what has become of it, as "crashed (Segmentation fault)"; then this is of
    /// no more use. `stop`: becomes true, in another thread, when nobody wants the answer any more.
    Result<std::string> ask(ReadFunction function, std::string_view request, const std::atomic<bool>* stop = nullptr);
    /// How often it was asked.
    uint64_t asked() const { return asked_; }
    pid_t pid() const { return pid_; }

private:
    ConfinedReader(pid_t pid, int socket, const ReaderBounds& bounds) : pid_(pid), socket_(socket), bounds_(bounds) {}

    Result<void> wait(const std::atomic<bool>* stop);
    void say_waiting();
    Result<void> receive(char* to, std::size_t size, const std::atomic<bool>* stop);
    ssize_t receive_some(char* to, std::size_t size);
    std::string what_became();
    void end();

    pid_t pid_;
    int socket_;
    static constexpr int kUnknown = -1, kNone = -2;
    int opening_ = kUnknown; ///< the kernel's descriptor for files that it wants to open (confinement.hpp)
    ReaderBounds bounds_;
    uint64_t asked_ = 0;
    std::function<void()> waiting_;
    int64_t said_ns_ = 0;                       ///< when it was called, or the request began
    int64_t most_cpu_ns_ = 0, deadline_ns_ = 0; ///< of the request
};

} // namespace dt
