// The half of a trace that runs in a program: what its engine records and counts, as another CPU's.
//
// The program may end, be stopped or lie at any time. Samples are copied out of its memory before anybody looks at
// them, and those that no statement of the trace makes are passed over. Aggregations are in its maps; what was read
// last is kept for when they are gone.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/ring.hpp"
#include "libdtrace/load/shared_map.hpp"
#include "libdtrace/process/application.hpp"

namespace dt::consume {

class ApplicationRing final : public Ring {
public:
    /// All must outlive this. `is_probe`: of the trace.
    ApplicationRing(embed::wire::Channel* channel, const Schema& schema, const std::vector<uint32_t>& probes);

private:
    uint64_t written() const override;
    void give_back(uint64_t position) override;
    bool find_front() override;
    bool is_ours(const dt_sample& sample) const;

    embed::wire::Channel* channel_;
    const Schema& schema_;
    const std::vector<uint32_t>& probes_; ///< in order
    std::vector<uint8_t> copy_;
    uint64_t latest_ = 0;
};

class ApplicationHalf {
public:
    /// A section in which clauses count.
    struct Counters {
        std::string section;
        std::size_t size = 0; ///< bytes
    };
    /// Hands the object to the program. `state`: descriptor of the memory of the globals. Errors are the program's
    /// words, or say that it does not answer.
    static Result<std::unique_ptr<ApplicationHalf>> begin(int64_t pid, Application application,
                                                          std::span<const uint8_t> object, int state,
                                                          const Schema& schema, std::vector<uint32_t> probes,
                                                          const std::vector<Counters>& counters);
    ~ApplicationHalf();
    ApplicationHalf(const ApplicationHalf&) = delete;

    int64_t pid() const { return pid_; }
    const std::string& executor() const { return executor_; }
    Ring& ring() { return *ring_; }
    const dt_losses* losses() const { return &channel_->losses; }
    /// The section's memory, in which the program counts, also after it has gone; null: there is none.
    const void* counters(const std::string& section) const;

    /// The elements of a map now, or as they were when they could be read last.
    const Application::Elements& elements(const std::string& map);
    void remove(const std::string& map, std::span<const uint8_t> keys);
    void zero(const std::string& map, std::size_t offset, std::size_t size);
    /// To be called in each pass: keeps what aggregations came to, once a second.
    void pass(uint64_t now);
    Result<void> run(const std::string& probe) { return application_.run(probe); }
    /// Of two traces, one in the place of the other, it is this one's turn there. Of a program that has gone, nobody's.
    void take_turn();
    /// It fires no more. What is to be told of it; empty: nothing.
    std::string end();

private:
    ApplicationHalf(int64_t pid, Application application, const Schema& schema, std::vector<uint32_t> probes);

    const int64_t pid_;
    Application application_;
    const Schema& schema_;
    const std::vector<uint32_t> probes_;
    std::map<std::string, SharedMap> counters_; ///< by section
    std::string executor_;
    embed::wire::Channel* channel_ = nullptr;
    std::unique_ptr<ApplicationRing> ring_;
    void read_will();

    std::map<std::string, Application::Elements> elements_; ///< by map
    uint64_t kept_ = 0, fired_ = 0;                         ///< when they were read, and how many firings were in them
    std::string stopped_;                                   ///< of a program that has gone
    bool has_will_ = false;
    bool is_gone_ = false, has_ended_ = false;
};

using ApplicationHalves = std::vector<std::unique_ptr<ApplicationHalf>>;

} // namespace dt::consume
