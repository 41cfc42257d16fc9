// The engine of a running program, as a tracer speaks to it (docs/decisions/70-live-filters.md).
//
// What comes from there is a stranger's: another user's process may answer anything, or nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "embed/live_wire.hpp"
#include "probes/process_view.hpp"

namespace dt {

class Application {
public:
    /// By the process' socket, which must be its own. Errors: there is none (ENOENT), or the program refuses.
    static Result<Application> connect(int64_t pid);
    /// The same over a connection that is there.
    explicit Application(int connection) : connection_(connection) {}

    Application(Application&& other) noexcept;
    Application& operator=(Application&&) = delete;
    ~Application();

    Result<std::vector<probes::ProcessView::ApplicationSite>> sites();

    /// Before load(): a section in which what is loaded counts is this memory.
    Result<void> place(const std::string& section, int memory);
    /// Its memory for what is recorded; the caller's to close.
    Result<int> load(std::span<const uint8_t> object, int state, std::string& executor);
    /// Why it had stopped by itself; empty: it had not.
    Result<std::string> unload();
    Result<void> run(const std::string& probe);
    /// What was loaded records from now on, and what it takes the place of no longer: see Ask::TakeTurn.
    Result<void> take_turn();

    struct Elements {
        uint32_t key_size = 0, value_size = 0;
        std::vector<uint8_t> bytes; ///< key and value of each
    };
    /// Of the answer's bytes.
    static Result<Elements> elements_in(std::span<const uint8_t> bytes);
    Result<Elements> read(const std::string& map);
    Result<void> remove(const std::string& map, std::span<const uint8_t> keys);
    /// Bytes of every value become zeros.
    Result<void> clear(const std::string& map, uint32_t offset, uint32_t size);

private:
    Result<std::vector<uint8_t>> ask(embed::wire::Ask what, std::span<const uint8_t> payload, int handed = -1,
                                     int* received = nullptr);
    Result<std::vector<uint8_t>> ask(embed::wire::Ask what, const std::string& text);

    int connection_ = -1;
};

} // namespace dt
