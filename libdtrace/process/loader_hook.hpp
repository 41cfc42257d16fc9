// Detects that a process has mapped a library and has not run its code yet. Loaders call a function for debuggers at
// that point: _dl_debug_state() in glibc and musl. A uprobe on it fires in every process with that loader and sends a
// signal to threads of registered processes (bpf-runtime/processes/loader_stop.bpf.c). Their tracer sees the signal
// before they run on, and does not deliver it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "probes/attach/attach.hpp"

struct bpf_object;

namespace dt {

class LoaderHook {
public:
    LoaderHook(std::string proc, ReadBy by);
    ~LoaderHook();

    /// Loads the program; call it before all other functions. On error, loading of libraries cannot be detected in
    /// time; the error says why.
    Result<void> open();

    /// Adds or removes a process whose threads are sent a signal when they have loaded a library.
    void add(pid_t process);
    void remove(pid_t process);

    enum class Loader {
        None,    ///< the program needs no loader
        Hooked,  ///< loading of libraries will be detected
        Unhooked ///< loading of libraries will not be detected
    };
    /// Looks for the loader of a process, and attaches the hook to a new one.
    Loader hook(pid_t process);

    /// Returns whether the hook sent this signal to the thread. Returns true only once per signal.
    bool sent(pid_t thread, int signal);

    /// Returns how often a thread loaded a library and could not be sent a signal, because it blocks all signals.
    uint64_t unheld() const;

private:
    struct Close {
        void operator()(bpf_object* object) const;
    };
    using File = std::pair<uint64_t, uint64_t>; ///< identity of a file: device and inode

    bool attach(const std::string& file);

    std::string proc_;
    ReadBy by_;
    std::unique_ptr<bpf_object, Close> object_;
    bool many_ = false; ///< whether the program is attached by uprobe_multi
    int program_ = -1, processes_ = -1, threads_ = -1, counts_ = -1;
    std::map<File, bool> files_; ///< whether the file has the hook
    std::vector<std::unique_ptr<probes::Attachment>> attachments_;
};

} // namespace dt
