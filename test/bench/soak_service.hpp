// The service of a soak: a folder of the tree's tools, and what is asked of it while it runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "test/bench/tool.hpp"

namespace dt::bench {

/// How the firings of a script ended, of all of its lives.
struct SoakFirings {
    uint64_t fired = 0, filtered = 0, recorded = 0, lost = 0;
    bool adds_up() const { return fired == filtered + recorded + lost; }
};

struct SoakScript {
    std::string name;
    SoakFirings firings;
    int lives = 0;     ///< how often its firings were asked for when it had ended
    std::string error; ///< it does not trace (any more)
};

class SoakService {
public:
    static constexpr std::size_t kScripts = 24;

    /// Starts it with the first `most` tools that can be traced here, and waits until all were tried.
    explicit SoakService(const std::string& build, std::size_t most = kScripts);
    ~SoakService();
    SoakService(const SoakService&) = delete;
    SoakService& operator=(const SoakService&) = delete;

    pid_t pid() const { return tool_->pid(); }
    bool running() const { return tool_->running(); }
    const std::string& folder() const { return folder_; }
    const std::vector<SoakScript>& scripts() const { return scripts_; }

    /// A script's text is changed, and the service reloads: ms in which it did not trace; none: it was not replaced.
    std::optional<double> reload(std::size_t script);
    /// Ends a script, whose firings are added up, and starts it again.
    void end_and_start(std::size_t script);
    /// All outputs are renamed, and the service is told by SIGHUP.
    void rotate();
    /// One who follows a script and is killed when the next one comes.
    void follow(std::size_t script);

    /// Ends all scripts, and then the service, whose last words it gives.
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
