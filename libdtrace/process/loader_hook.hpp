// Detects that a process has mapped a library but has not run the library's code yet.
//
// At that point, loaders call a function for debuggers: _dl_debug_state() in glibc and musl. A uprobe on this function
// fires in every process with that loader. If the process is registered, the uprobe's program sends a signal to the
// thread (bpf-runtime/processes/loader_stop.bpf.c). The process's tracer receives the signal before the thread runs on,
// and does not deliver it.
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

/// Inode of the first pid namespace: PROC_PID_INIT_INO (linux/proc_ns.h).
inline constexpr ino_t kFirstPidNamespace = 0xeffffffc;

class LoaderHook {
public:
    LoaderHook(std::string proc, ReadBy by);
    ~LoaderHook();

    /// Loads the BPF program. Must be called before all other functions. The error says why the loading of libraries
    /// cannot be detected in time.
    Result<void> open();

    /// Registers or unregisters a process. The threads of a registered process are sent a signal when they have loaded
    /// a library.
    void add(pid_t process);
    void remove(pid_t process);

    enum class Loader {
        None,    ///< the process has no dynamic loader
        Hooked,  ///< the hook will detect that the process loads libraries
        Unhooked ///< the process has a loader, but the hook cannot be attached to it
    };
    /// Finds the loader of a process, and attaches the hook unless it is already attached to that loader.
    Loader hook(pid_t process);

    /// Returns whether the hook sent this signal to the thread. For each signal, only the first call returns true.
    bool sent(pid_t thread, int signal);

    /// Returns how many times a thread loaded a library without being stopped, because the thread blocks all signals.
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
    std::map<File, bool> files_; ///< the loaders found so far, and whether the hook is attached to each of them
    std::vector<std::unique_ptr<probes::Attachment>> attachments_;
};

} // namespace dt
