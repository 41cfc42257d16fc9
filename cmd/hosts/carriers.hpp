// Processes that run commands on hosts (--on): clush, pdsh, ssh, kubectl exec, or a script. They determine how and with
// which rights hosts are reached.
//
// Either one process reaches all hosts and prefixes each line with the host's name, or each host has a process of its
// own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "base/result.hpp"
#include "cmd/hosts/lines.hpp"

namespace dt::cmd {

/// Quotes the text as one word for sh(1).
std::string shell_word(std::string_view text);

class Carriers {
public:
    struct Heard {
        std::function<void(uint32_t carrier, std::string_view line)> output, error;
        std::function<void(uint32_t carrier)> end; ///< called when a process has closed its output
    };

    ~Carriers();

    /// Starts the processes with sh(1). In `carrier`, %h is the set of hosts as given and %c the command, which
    /// otherwise is appended as one word. %n is the name of one host; a process is then started for each host.
    Result<void> start(const std::string& carrier, const std::string& set, const std::vector<std::string>& hosts,
                       const std::string& command);

    /// Returns the host of a process that reaches one host, or an empty string.
    const std::string& host(uint32_t carrier) const { return processes_[carrier].host; }
    bool any_left() const { return left_ > 0; }

    /// Waits at most `ms` and passes on the received lines. Returns false if a signal requests the end.
    bool wait(int ms, const Heard& heard);
    /// Ends all processes.
    void end();

private:
    struct Process {
        pid_t pid = -1;
        std::string host;
        int output = -1, error = -1;
        Lines output_lines, error_lines;
    };
    Result<void> start_one(const std::string& shell_text, std::string host);
    void read(uint32_t index, bool is_output, const Heard& heard);

    std::vector<Process> processes_;
    std::size_t left_ = 0;
    int signals_ = -1;
};

} // namespace dt::cmd
