// The place where a process has mapped a library and runs nothing of it yet: loaders call a function there for
// debuggers, _dl_debug_state() in glibc and musl. A uprobe on it, in every process that has that loader, sends a signal
// to threads of the processes that were named here (bpf-runtime/hold.bpf.c); their tracer sees it before they run on,
// and keeps it from them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/elf/foreign_files.hpp"
#include "probes/attach/attach.hpp"

struct bpf_object;

namespace dt {

class LoaderHook {
public:
    LoaderHook(std::string proc, ReadBy by);
    ~LoaderHook();

    /// Before all others. An error: what processes load cannot be seen in time, and why.
    Result<void> open();

    /// Its threads are sent a signal when they have mapped something, from now on, or no more.
    void add(pid_t process);
    void remove(pid_t process);

    enum class Loader {
        None,    ///< the program has all that it needs
        Hooked,  ///< it will be seen
        Unhooked ///< it will not
    };
    /// Looks for the loader of a process, and hooks one that it meets first.
    Loader hook(pid_t process);

    /// Did a thread get this signal from the hook? Asked once for each.
    bool sent(pid_t thread, int signal);

    /// How often threads loaded something that could not be sent a signal, as they block them all.
    uint64_t unheld() const;

private:
    struct Close {
        void operator()(bpf_object* object) const;
    };
    using File = std::pair<uint64_t, uint64_t>; ///< device, inode

    bool attach(const std::string& file);

    std::string proc_;
    ReadBy by_;
    std::unique_ptr<bpf_object, Close> object_;
    bool many_ = false; ///< by links of many uprobes
    int program_ = -1, processes_ = -1, threads_ = -1, counts_ = -1;
    std::map<File, bool> files_; ///< is it hooked?
    std::vector<std::unique_ptr<probes::Attachment>> attachments_;
};

} // namespace dt
