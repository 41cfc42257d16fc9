// The tracer's connection to the engine inside a running program (docs/decisions/70-live-filters.md).
//
// Answers are untrusted input: another user's process may send anything, or never answer.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/embed/live_socket.hpp"
#include "probes/process_view.hpp"

namespace dt {

class EngineClient {
public:
    /// Connects to the socket of the process and checks that the process owns the socket. Errors: ENOENT if nothing
    /// listens on the socket; EPERM if another process owns the socket; else the error of connect(2).
    static Result<EngineClient> connect(int64_t pid);
    /// Takes ownership of an open connection.
    explicit EngineClient(int connection) : connection_(connection) {}

    EngineClient(EngineClient&& other) noexcept;
    EngineClient& operator=(EngineClient&&) = delete;
    ~EngineClient();

    Result<std::vector<probes::ProcessView::ApplicationSite>> sites();

    /// Sends the descriptor `memory` to the program. The engine uses this memory for the section `section` of the
    /// object that the next load() loads.
    Result<void> place(const std::string& section, int memory);
    /// Loads an object. Returns a descriptor of the memory into which the engine writes records; the caller closes it.
    Result<int> load(std::span<const uint8_t> object, int state, std::string& executor);
    /// Unloads the object. Returns the reason if the engine had already stopped by itself, else an empty string.
    Result<std::string> unload();
    Result<void> run(const std::string& probe);
    /// Makes the loaded object record from now on. The object that it replaces stops recording (Ask::TakeTurn).
    Result<void> take_over();

    struct Elements {
        uint32_t key_size = 0, value_size = 0;
        std::vector<uint8_t> bytes; ///< key and value of each element, one after the other
    };
    /// Parses the program's answer to a request for a map's elements.
    static Result<Elements> elements_in(std::span<const uint8_t> bytes);
    Result<Elements> read(const std::string& map);
    Result<void> remove(const std::string& map, std::span<const uint8_t> keys);
    /// Sets `size` bytes at `offset` of every value in a map to zero.
    Result<void> clear(const std::string& map, uint32_t offset, uint32_t size);

private:
    Result<std::vector<uint8_t>> ask(embed::wire::Ask what, std::span<const uint8_t> payload, int handed = -1,
                                     int* received = nullptr);
    Result<std::vector<uint8_t>> ask(embed::wire::Ask what, const std::string& text);

    int connection_ = -1;
};

} // namespace dt
