// What reaches hosts: clush, pdsh, ssh, kubectl exec, a script. How, with which rights, and by which way is theirs.
//
// One process may reach all hosts, which then puts the host's name in front of each line, or there is one for each
// host.
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

/// One word for sh(1).
std::string shell_word(std::string_view text);

class Carriers {
public:
    struct Heard {
        std::function<void(uint32_t carrier, std::string_view line)> output, error;
        std::function<void(uint32_t carrier)> end; ///< nothing more comes of it
    };

    ~Carriers();

    /// The `carrier` is for sh(1): %h in it is the set of hosts as it was given, %n the name of one, each with a
    /// carrier of its own, %c the command, which else stands at the end as one word.
    Result<void> start(const std::string& carrier, const std::string& set, const std::vector<std::string>& hosts,
                       const std::string& command);

    /// The host of a carrier that reaches one; empty: it reaches all.
    const std::string& host(uint32_t carrier) const { return processes_[carrier].host; }
    bool any_left() const { return left_ > 0; }

    /// Waits at most so long, and hands over what came. False: a signal came, at which all is to end.
    bool wait(int ms, const Heard& heard);
    /// Ends them all.
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
