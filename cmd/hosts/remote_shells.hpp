// Processes that run commands on hosts (--hosts): clush, pdsh, ssh, kubectl exec, or a script. These programs make the
// connections and control access.
//
// Either one process reaches all hosts and prefixes each line with the host's name, or each host has a process of its
// own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt::cmd {

/// Splits a stream of bytes into lines.
class Lines {
public:
    /// Calls `handle` for each complete line, without newline. The rest of an overlong line is discarded.
    template <typename Handle> void add(std::string_view bytes, Handle handle)
    {
        for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
            append(bytes.substr(0, end));
            handle(std::string_view(rest_));
            rest_.clear();
            bytes.remove_prefix(end + 1);
        }
        append(bytes);
    }
    /// Handles the last line of the stream if the line has no newline.
    template <typename Handle> void finish(Handle handle)
    {
        if (!rest_.empty())
            handle(std::string_view(rest_));
        rest_ = {};
    }

private:
    static constexpr std::size_t kLongest = 4 << 20;

    void append(std::string_view bytes) { rest_.append(bytes.substr(0, kLongest - rest_.size())); }

    std::string rest_;
};

/// Quotes the text as one word for sh(1).
std::string shell_word(std::string_view text);

class RemoteShells {
public:
    struct Handlers {
        std::function<void(uint32_t remote_shell, std::string_view line)> output, error;
        /// callback for the end of the output of a process that reaches hosts
        std::function<void(uint32_t remote_shell)> end;
    };

    ~RemoteShells();

    /// Starts processes that run `remote_shell` with sh(1). In this text, %h stands for the set of hosts as given, and
    /// %c for the command. Without %c, the command is appended as one word. If the text contains %n, a process is
    /// started for each host, and %n stands for its name.
    Result<void> start(const std::string& remote_shell, const std::string& set, const std::vector<std::string>& hosts,
                       const std::string& command);

    /// Returns the host that a process reaches; an empty string if the process reaches several hosts.
    const std::string& host(uint32_t remote_shell) const { return processes_[remote_shell].host; }
    bool any_left() const { return left_ > 0; }

    /// Waits at most `ms` and passes on the received lines. Returns false if a signal requests the end.
    bool wait(int ms, const Handlers& handlers);
    /// Ends all processes that this object has started.
    void end();

private:
    struct Process {
        pid_t pid = -1;
        std::string host;
        int output = -1, error = -1;
        Lines output_lines, error_lines;
    };
    Result<void> start_one(const std::string& shell_text, std::string host);
    void read(uint32_t index, bool is_output, const Handlers& handlers);

    std::vector<Process> processes_;
    std::size_t left_ = 0;
    int signals_ = -1;
};

} // namespace dt::cmd
