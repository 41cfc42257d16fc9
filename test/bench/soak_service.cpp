#include "test/bench/soak_service.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <nlohmann/json.hpp>

#include "cmd/service/client.hpp"

namespace dt::bench {

namespace {

using Json = nlohmann::json;

constexpr unsigned kRefused = 300; // HTTP statuses from this one on are no success

/// Maximum number of checks by rotate(), one every 10 ms, whether the service has reopened its outputs.
constexpr int kMaxLooks = 1000;

/// Tools that record only numbers and command names. So they may also trace processes that do not belong to the test.
constexpr const char* kCounting[] = {
    "biosize",     "cachestat",  "cpudist",    "errsnoop",       "exitsnoop", "iolatency",  "iosnoop",
    "iotop",       "killsnoop",  "pagefaults", "runqlat",        "runqlen",   "signals",    "slowcalls",
    "syscount",    "syslatency", "tcpaccept",  "tcpconnect",     "tcplife",   "tcpretrans", "tcpstates",
    "threadsnoop", "ttysnoop",   "udptop",     "lockcontention", "fsslower"};

/// Tools that record paths, arguments and stacks. They are used only in guests, whose processes are not private.
constexpr const char* kReading[] = {"opensnoop",  "execsnoop", "statsnoop",  "filetop",
                                    "offcputime", "profile",   "mountsnoop", "capable"};

std::vector<std::string> candidates()
{
    std::vector<std::string> names;
    if (std::getenv("DTRACE_GUEST"))
        names.insert(names.end(), std::begin(kReading), std::end(kReading));
    names.insert(names.end(), std::begin(kCounting), std::end(kCounting));
    return names;
}

} // namespace

SoakService::SoakService(const std::string& build, std::size_t most)
    : dtrace_(build + "/dtrace"), tools_(build + "/tools")
{
    std::string folder = std::filesystem::temp_directory_path() / "dtrace-soak.XXXXXX";
    folder_ = mkdtemp(folder.data()) ? folder : "";
    write_scripts(most);
    setenv("DTRACE_CHECK_FIRINGS", "1", 1);
    tool_ =
        std::make_unique<Tool>(std::vector<std::string>{dtrace_, "-x", "hits", "-x", "control=" + folder_ + "/control",
                                                        "--service", folder_ + "/scripts.d"},
                               folder_ + "/printed");
    unsetenv("DTRACE_CHECK_FIRINGS");
    std::optional<std::string> answer;
    while (running() && !(answer = ask("GET", "/v1/scripts")))
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const Json all = Json::parse(answer.value_or("{\"scripts\":[]}"));
    for (const Json& each : all["scripts"])
        scripts_.push_back(
            {each["name"], {}, 0, each["state"] == "tracing" ? "" : each.value("error", "it has ended")});
}

SoakService::~SoakService()
{
    follower_.reset();
    tool_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::string SoakService::text_of(const std::string& name, int version) const
{
    std::ostringstream text;
    text << "#pragma D option output=" << folder_ << "/log/" << name << ".log\n"
         << std::ifstream(tools_ + "/" + name + ".d").rdbuf() << "/* " << version << " */\n";
    return text.str();
}

void SoakService::write_scripts(std::size_t most)
{
    std::filesystem::create_directory(folder_ + "/scripts.d");
    std::filesystem::create_directory(folder_ + "/log");
    std::filesystem::create_directory(folder_ + "/load");
    std::size_t written = 0;
    for (const std::string& name : candidates()) {
        if (written == most)
            break;
        Tool compiles({dtrace_, "-e", "-q", "-s", tools_ + "/" + name + ".d"}, "/dev/null");
        if (compiles.wait().status != 0)
            continue;
        std::ofstream(folder_ + "/scripts.d/" + name + ".d") << text_of(name, 0);
        ++written;
    }
}

std::optional<std::string> SoakService::ask(const std::string& method, const std::string& target,
                                            const std::string& body)
{
    const Result<service::Response> answered = service::ask(folder_ + "/control", method, target, body);
    if (!answered || answered.value().status >= kRefused)
        return std::nullopt;
    return answered.value().body;
}

std::optional<double> SoakService::reload(std::size_t script)
{
    const std::string& name = scripts_[script].name;
    const std::string path = folder_ + "/scripts.d/" + name + ".d";
    std::ofstream(path + ".new") << text_of(name, ++version_);
    std::filesystem::rename(path + ".new", path);
    const Result<service::Response> answered = service::ask(folder_ + "/control", "POST", "/v1/reload", "");
    const std::string answer = answered ? answered.value().body : answered.error().message;
    const Json all = Json::parse(answer, nullptr, false);
    for (const Json& change : all.is_object() ? all.value("changes", Json::array()) : Json::array())
        if (change["name"] == name && change["change"] == "replaced")
            return change["without_ms"];
    std::fprintf(stderr, "bench soak: %s is not replaced: %s\n", name.c_str(), answer.c_str());
    return std::nullopt;
}

void SoakService::end_script(SoakScript& script)
{
    const std::optional<std::string> answer = ask("DELETE", "/v1/scripts/" + script.name);
    if (!answer) {
        script.error = "it does not trace any more";
        return;
    }
    const Json health = Json::parse(*answer);
    const Json& firings = health["firings"];
    script.firings.fired += firings["fired"].get<uint64_t>();
    script.firings.filtered += firings["filtered"].get<uint64_t>();
    script.firings.recorded += firings["recorded"].get<uint64_t>();
    script.firings.lost += firings["lost"].get<uint64_t>();
    script.error = health["state"] == "detached" ? "" : health.value("error", "");
    ++script.lives;
}

void SoakService::end_and_start(std::size_t script)
{
    SoakScript& which = scripts_[script];
    if (!which.error.empty())
        return;
    end_script(which);
    // reload() changes the script's text, because the service does not restart an unchanged script that was detached
    if (!reload(script))
        which.error = "it cannot be started again";
}

void SoakService::rotate()
{
    std::error_code ignored;
    for (const SoakScript& script : scripts_) {
        const std::string log = folder_ + "/log/" + script.name + ".log";
        std::filesystem::rename(log, log + ".1", ignored);
    }
    kill(pid(), SIGHUP);
    // Waits until the outputs exist again: then the service has handled SIGHUP, which also reloads changed scripts.
    // Otherwise SIGHUP could load the change that the next reload() makes, before reload() requests it.
    const auto any =
        std::find_if(scripts_.begin(), scripts_.end(), [](const auto& each) { return each.error.empty(); });
    const std::string log = folder_ + "/log/" + (any == scripts_.end() ? "" : any->name + ".log");
    for (int i = 0; i < kMaxLooks && !std::filesystem::exists(log); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void SoakService::follow(std::size_t script)
{
    follower_ = std::make_unique<Tool>(std::vector<std::string>{dtrace_, "service", "follow", scripts_[script].name,
                                                                "-x", "control=" + folder_ + "/control"},
                                       "/dev/null");
}

Usage SoakService::end()
{
    follower_.reset();
    for (SoakScript& script : scripts_)
        if (script.error.empty())
            end_script(script);
    kill(pid(), SIGTERM);
    return tool_->wait();
}

} // namespace dt::bench
