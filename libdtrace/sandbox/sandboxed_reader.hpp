// A sandboxed process that reads files for the tracer.
//
// Files of traced programs are untrusted and are parsed by large libraries (libelf, libdw, libctf, lzma). The tracer
// may read and write all memory of the machine, so it must not parse them itself. Instead, a child process parses them.
// The child has no capabilities, no descriptors of the tracer, a system call filter (confine() below), and limits of
// memory and time. If it crashes, loops or runs out of memory, the tracer reports this and continues.
//
// The child is forked without exec, so functions have the same addresses in both processes. A request therefore
// consists of a function's address and an argument. Starting a child takes half a millisecond.
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

/// Data that a reader stores between requests, such as open files.
using ReaderState = std::map<std::string, std::shared_ptr<void>, std::less<>>;

/// Function that runs in the reader for a request. Returns the answer; may throw std::bad_alloc.
using ReadFunction = std::string (*)(ReaderState& state, std::string_view request);

/// Function that runs in the child before its first request, and sandboxes the child. `socket` connects the child to
/// the tracer; `memory` is the number of bytes that the child may still allocate. Returns the descriptor through which
/// the parent learns which files the child wants to open, or -1 if there is none.
using ReaderPreparation = int (*)(int socket, uint64_t memory);

struct ReaderBounds {
    uint64_t memory = uint64_t{1} << 30; ///< limit of the reader's memory, in bytes beyond the memory of the tracer
    uint64_t answer = uint64_t{1} << 28; ///< maximum size of an answer in bytes
    unsigned seconds = 10;               ///< limit of a request's CPU time; the elapsed time may be three times as long
    /// maximum time that requests may lose because of one owner's unreadable files, in seconds per ten minutes; above
    /// it, the owner's files are not read for a while
    unsigned owner = 20;
};

class SandboxedReader {
public:
    /// Starts a reader. `prepare` sandboxes the reader: confine(), or one of the functions below that leave the child
    /// more rights. Fails if no process can be started.
    static Result<std::unique_ptr<SandboxedReader>> start(const ReaderBounds& bounds, ReaderPreparation prepare);
    /// Ends the reader's process.
    ~SandboxedReader();
    SandboxedReader(const SandboxedReader&) = delete;
    SandboxedReader& operator=(const SandboxedReader&) = delete;

    /// Sets a function that is called once a second while query() waits for an answer.
    void set_waiting_callback(std::function<void()> waiting) { waiting_ = std::move(waiting); }
    /// Makes the reader call a function and returns the function's result. If the reader ends, the error says how, such
    /// as "crashed (Segmentation fault)"; this object is then unusable. Another thread may set `stop` to abandon the
    /// request.
    Result<std::string> query(ReadFunction function, std::string_view request, const std::atomic<bool>* stop = nullptr);
    /// Returns how many requests the reader has received so far.
    uint64_t asked() const { return asked_; }
    pid_t pid() const { return pid_; }

private:
    SandboxedReader(pid_t pid, int socket, const ReaderBounds& bounds) : pid_(pid), socket_(socket), bounds_(bounds) {}

    Result<void> wait(const std::atomic<bool>* stop);
    void report_waiting();
    Result<void> receive(char* to, std::size_t size, const std::atomic<bool>* stop);
    ssize_t receive_some(char* to, std::size_t size);
    std::string what_became();
    void end();

    pid_t pid_;
    int socket_;
    static constexpr int kUnknown = -1, kNone = -2;
    int opening_ = kUnknown; ///< descriptor through which the kernel reports files that the child wants to open
    ReaderBounds bounds_;
    uint64_t asked_ = 0;
    std::function<void()> waiting_;
    int64_t said_ns_ = 0; ///< time in ns when the callback `waiting_` was last called, or when the request began
    /// limits of the current request in ns: CPU time, and the time at which it must have ended
    int64_t max_cpu_ns_ = 0, deadline_ns_ = 0;
};

// Sandbox of a process that parses untrusted files.

/// Runs in the child: closes all descriptors except `socket`, and unmaps all memory except private memory, of which the
/// child may allocate `memory` more bytes. From then on the child can only read its open files and manage memory; its
/// parent opens further files. Returns the descriptor through which the kernel reports the child's open calls to the
/// parent. Returns -1 if there is none, so that no file can be opened.
int confine(int socket, uint64_t memory);

/// Runs in a child that keeps the tracer's rights. Closes all descriptors except `socket` and the standard ones,
/// because other processes may wait until the closed descriptors have no user. Unmaps shared memory. `memory` is as in
/// confine(). Returns -1.
int be_compiler(int socket, uint64_t memory);

/// Prepares a child that reads files with data of the kernel itself, such as /proc/kallsyms. Returns -1.
int be_kernel_reader(int socket, uint64_t memory);

/// Runs in the parent: opens the file that the child requests, if it is an ELF file but not a core file. Even a
/// compromised child cannot read other files.
void open_for_confined(int opening, pid_t child);

} // namespace dt
