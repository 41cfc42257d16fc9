// Finds and starts other tracers, such as bpftrace, for comparisons with dtrace.
#include "test/bench/peer_tools.hpp"

#include <filesystem>
#include <regex>
#include <sstream>
#include <utility>

#include "test/bench/peer_root.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

constexpr int kMaxHidden = 5;

std::string program_of(Peer peer)
{
    static constexpr std::array<const char*, kPeers> kPrograms = {"dtrace", "bpftrace", "dtrace", "ply", "stap"};
    return kPrograms[peer];
}

// Returns the file that an error message of the form `…: "FILE", line N: …` names.
std::string file_complained_of(const std::string& text)
{
    const auto end = text.find("\", line ");
    const auto begin = end == std::string::npos ? end : text.rfind('"', end - 1);
    return begin == std::string::npos ? std::string() : text.substr(begin + 1, end - begin - 1);
}

} // namespace

const PeerTexts& empty_programs()
{
    static const PeerTexts texts = {"BEGIN { exit(0); }", "BEGIN { exit(); }", "BEGIN { exit(0); }",
                                    "BEGIN { exit(0); }", "probe begin { exit() }"};
    return texts;
}

std::string complaint(const std::string& text)
{
    static const std::regex colours("\x1b\\[[0-9;]*m");
    std::string first;
    std::istringstream lines(std::regex_replace(text, colours, ""));
    for (std::string line; std::getline(lines, line);) {
        const bool harmless = line.compare(0, 4, "info") == 0 || line.compare(0, 4, "warn") == 0 ||
                              line.compare(0, 4, "WARN") == 0 || line.compare(0, 4, "Pass") == 0 || line.empty();
        if (!harmless && line.find("rror") != std::string::npos)
            return line;
        if (!harmless && first.empty())
            first = line;
    }
    return first;
}

PeerTools::PeerTools(std::string folder, std::string dtrace) : folder_(std::move(folder)), dtrace_(std::move(dtrace))
{
    for (std::size_t peer = 0; peer < kPeers; peer++)
        look(static_cast<Peer>(peer));
}

Words PeerTools::words(Peer peer, const std::string& text) const
{
    Words words = {dtrace_};
    if (peer != kDtrace)
        words = {"chroot", folder_ + "/root", program_of(peer)};
    static const std::array<Words, kPeers> options = {Words{"-qn"}, Words{"-e"}, Words{"-qn"},
                                                      // the option -k makes ply continue when records are lost
                                                      Words{"-k"}, Words{"--runtime=bpf", "-e"}};
    words.insert(words.end(), options[peer].begin(), options[peer].end());
    words.push_back(text);
    return words;
}

void PeerTools::look(Peer peer)
{
    if (peer != kDtrace && !std::filesystem::exists(folder_ + "/bin/" + program_of(peer))) {
        problems_[peer] = "not in the folder";
        return;
    }
    const Words start = words(peer, "");
    const Words program(start.begin(), start.begin() + (peer == kDtrace ? 1 : 3));
    Words asked = program;
    asked.emplace_back(peer == kDtrace || peer == kOracle ? "-V" : peer == kPly ? "-v" : "--version");
    const Usage told = Tool(asked).wait();
    const std::string version = told.out + told.err;
    versions_[peer] = version.substr(0, version.find('\n'));
    for (int attempt = 0; attempt <= kMaxHidden; attempt++) {
        const Usage usage = Tool(words(peer, empty_programs()[peer])).wait();
        problems_[peer] = usage.status == 0 ? std::string() : complaint(usage.err + "\n" + usage.out);
        const std::string file = file_complained_of(problems_[peer]);
        if (usage.status == 0 || peer != kOracle || file.empty() || !hide_in_peer_root(folder_, file))
            return;
        hidden_.push_back(problems_[peer]);
    }
}

} // namespace dt::bench
