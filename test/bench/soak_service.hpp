// Service of a soak test: a folder of tools, and requests to the service while it runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "test/bench/tool.hpp"

namespace dt::bench {

/// How often a script fired and with which result, summed over its restarts.
struct SoakFirings {
    uint64_t fired = 0, filtered = 0, recorded = 0, lost = 0;
    bool adds_up() const { return fired == filtered + recorded + lost; }
};

struct SoakScript {
    std::string name;
    SoakFirings firings;
    int lives = 0;     ///< number of ended runs of the script whose firings are included in the totals
    std::string error; ///< error message that ended the script; empty if it runs
};

class SoakService {
public:
    static constexpr std::size_t kScripts = 24;

    /// Starts the service with the first `most` tools that work on this machine. Returns after every tool has been
    /// tried.
    explicit SoakService(const std::string& build, std::size_t most = kScripts);
    ~SoakService();
    SoakService(const SoakService&) = delete;
    SoakService& operator=(const SoakService&) = delete;

    pid_t pid() const { return tool_->pid(); }
    bool running() const { return tool_->running(); }
    const std::string& folder() const { return folder_; }
    const std::vector<SoakScript>& scripts() const { return scripts_; }

    /// Changes a script's text and makes the service reload it. Returns for how many ms the script did not trace, or
    /// nothing if the script was not replaced.
    std::optional<double> reload(std::size_t script);
    /// Ends a script, adds its firings to its totals, and starts it again.
    void end_and_start(std::size_t script);
    /// Renames all outputs and sends SIGHUP to the service, as logrotate does.
    void rotate();
    /// Starts a client that prints a script's output as it comes. Kills the previous such client.
    void follow(std::size_t script);

    /// Ends all scripts and the service. Returns the service's final output.
    Usage end();

private:
    void write_scripts(std::size_t most);
    void end_script(SoakScript& script);
    std::optional<std::string> ask(const std::string& method, const std::string& target, const std::string& body = {});
    std::string text_of(const std::string& name, int version) const;

    std::string dtrace_, tools_, folder_;
    std::vector<SoakScript> scripts_;
    std::unique_ptr<Tool> tool_, follower_;
    int version_ = 0;
};

} // namespace dt::bench
