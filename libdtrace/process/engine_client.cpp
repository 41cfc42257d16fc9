#include "libdtrace/process/engine_client.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

namespace dt {
namespace {

using embed::wire::Ask;
using Site = probes::ProcessView::ApplicationSite;

constexpr timeval kAnswerTimeout{10, 0}; // maximum wait for an answer in s, because the program may be stopped
constexpr std::size_t kMaxSites = 65536, kMaxName = 128;

Error no_answer()
{
    return Error{"the program does not answer", ETIMEDOUT};
}

/// Returns a string member of a JSON answer. Removes characters that have a special meaning in output or in probe
/// descriptions.
std::string name_in(const nlohmann::json& json, const char* member)
{
    std::string name = json.at(member).get<std::string>().substr(0, kMaxName);
    std::erase_if(name, [](char c) { return c <= ' ' || c == ':' || c == 0x7f || c == '/' || c == '{' || c == '}'; });
    return name;
}

std::vector<std::string> types_in(const std::string& text)
{
    std::vector<std::string> types;
    constexpr std::string_view kBlank = " \t";
    for (std::size_t at = 0; at < text.size() && types.size() < 24;) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string_view part = std::string_view(text).substr(at, end - at);
        const std::size_t first = std::min(part.find_first_not_of(kBlank), part.size());
        types.emplace_back(part.substr(first, part.find_last_not_of(kBlank) + 1 - first));
        at = end + 1;
    }
    return types;
}

} // namespace

Result<EngineClient> EngineClient::connect(int64_t pid)
{
    EngineClient application(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int connection = application.connection_;
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &kAnswerTimeout, sizeof kAnswerTimeout);
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &kAnswerTimeout, sizeof kAnswerTimeout);
    const auto [address, size] = embed::live_address(static_cast<int>(pid));
    ucred peer{};
    socklen_t length = sizeof peer;
    if (connection < 0 || ::connect(connection, reinterpret_cast<const sockaddr*>(&address), size) != 0)
        return Error{std::string("the program has no engine that accepts tracers: ") + std::strerror(errno),
                     errno == ECONNREFUSED ? ENOENT : errno};
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 || peer.pid != pid)
        return Error{"another process uses the name of its socket", EPERM};
    return application;
}

EngineClient::EngineClient(EngineClient&& other) noexcept : connection_(std::exchange(other.connection_, -1)) {}

EngineClient::~EngineClient()
{
    if (connection_ >= 0)
        close(connection_);
}

Result<std::vector<uint8_t>> EngineClient::ask(Ask what, std::span<const uint8_t> payload, int handed, int* received)
{
    // The result of sending is ignored: a program that refuses a request answers before it has read the whole request.
    // Sending then fails although an answer arrives.
    embed::send_request(connection_, what, payload, handed);
    auto answer = embed::receive_answer(connection_);
    if (!answer)
        return no_answer();
    if (answer->failed)
        return Error{std::string(answer->payload.begin(), answer->payload.end()), EACCES};
    if (received)
        *received = std::exchange(answer->descriptor, -1);
    return std::move(answer->payload);
}

Result<std::vector<uint8_t>> EngineClient::ask(Ask what, const std::string& text)
{
    return ask(what, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

Result<std::vector<Site>> EngineClient::sites()
{
    const auto reply = ask(Ask::Sites, std::string());
    if (!reply)
        return reply.error();
    std::vector<Site> sites;
    try {
        const auto json = nlohmann::json::parse(reply.value());
        if (json.at("version") != embed::wire::kVersion)
            return Error{"the program's engine has another version than dtrace", EPROTO};
        for (const auto& each : json.at("sites"))
            if (sites.size() < kMaxSites)
                sites.push_back({name_in(json, "provider"), name_in(json, "module"), name_in(each, "function"),
                                 name_in(each, "name"), types_in(each.at("types").get<std::string>())});
    } catch (const nlohmann::json::exception&) { // the program sent JSON with other members or types than expected
        return Error{"the program sent a malformed list of its probes", EPROTO};
    }
    return sites;
}

Result<void> EngineClient::place(const std::string& section, int memory)
{
    const auto placed = ask(Ask::Place, {reinterpret_cast<const uint8_t*>(section.data()), section.size()}, memory);
    return placed ? Result<void>() : placed.error();
}

Result<int> EngineClient::load(std::span<const uint8_t> object, int state, std::string& executor)
{
    if (object.size() > embed::wire::kMaxRequest)
        return Error{"the compiled D program is too large for the engine", E2BIG};
    int channel = -1;
    const auto loaded = ask(Ask::Load, object, state, &channel);
    if (!loaded)
        return loaded.error();
    if (channel < 0)
        return no_answer();
    executor.assign(loaded.value().begin(), loaded.value().end());
    return channel;
}

Result<std::string> EngineClient::unload()
{
    const auto unloaded = ask(Ask::Unload, std::string());
    if (!unloaded)
        return unloaded.error();
    return std::string(unloaded.value().begin(), unloaded.value().end());
}

Result<void> EngineClient::run(const std::string& probe)
{
    const auto ran = ask(Ask::Run, probe);
    return ran ? Result<void>() : ran.error();
}

Result<void> EngineClient::take_over()
{
    const auto taken = ask(Ask::TakeTurn, std::string());
    return taken ? Result<void>() : taken.error();
}

Result<EngineClient::Elements> EngineClient::elements_in(std::span<const uint8_t> bytes)
{
    Elements elements;
    uint32_t sizes[2] = {};
    if (bytes.size() < sizeof sizes)
        return no_answer();
    std::memcpy(sizes, bytes.data(), sizeof sizes);
    elements.key_size = sizes[0];
    elements.value_size = sizes[1];
    elements.bytes.assign(bytes.begin() + sizeof sizes, bytes.end());
    return elements;
}

Result<EngineClient::Elements> EngineClient::read(const std::string& map)
{
    const auto reply = ask(Ask::Read, map);
    return reply ? elements_in(reply.value()) : reply.error();
}

Result<void> EngineClient::remove(const std::string& map, std::span<const uint8_t> keys)
{
    const auto length = static_cast<uint32_t>(map.size());
    std::vector<uint8_t> payload(sizeof length);
    std::memcpy(payload.data(), &length, sizeof length);
    payload.insert(payload.end(), map.begin(), map.end());
    payload.insert(payload.end(), keys.begin(), keys.end());
    const auto removed = ask(Ask::Remove, payload);
    return removed ? Result<void>() : removed.error();
}

Result<void> EngineClient::clear(const std::string& map, uint32_t offset, uint32_t size)
{
    const uint32_t place[] = {offset, size};
    std::vector<uint8_t> payload(sizeof place);
    std::memcpy(payload.data(), place, sizeof place);
    payload.insert(payload.end(), map.begin(), map.end());
    const auto cleared = ask(Ask::Clear, payload);
    return cleared ? Result<void>() : cleared.error();
}

} // namespace dt
