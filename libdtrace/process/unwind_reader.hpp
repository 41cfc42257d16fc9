// Reads the unwind information of large files in its own thread. A library of 100 MB takes 160 ms, for which the
// consumer's records would have to wait.
//
// The thread reads files and allocates memory for their tables; only the consumer changes data that BPF programs see.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "libdtrace/elf/foreign_files.hpp"
#include "libdtrace/process/mapped_files.hpp"
#include "libdtrace/process/packed_unwind_rows.hpp"

namespace dt {

class UnwindReader {
public:
    /// A file to read; the caller chooses `number`.
    struct Job {
        uint64_t number = 0;
        OpenFile file;
        PackedUnwindRows rows;
        std::vector<ForeignFiles::Refused> refused; ///< the file, if it could not be read
    };

    /// The thread calls `after` with each finished job.
    explicit UnwindReader(ReadBy by, std::function<void(const Job&)> after = {})
        : after_(std::move(after)), foreign_(by)
    {
    }
    /// Abandons unfinished jobs.
    ~UnwindReader();
    UnwindReader(const UnwindReader&) = delete;
    UnwindReader& operator=(const UnwindReader&) = delete;

    /// Returns whether the file is so large that a caller should not wait for it.
    static bool is_slow(ForeignFiles& files, const OpenFile& file);

    /// Queues the file and takes it over. Returns false, and leaves `file` alone, if no thread can be started.
    bool start(uint64_t number, OpenFile& file);
    /// Returns whether take_finished() would return a job. Cheap.
    bool has_finished() const { return finished_.load(std::memory_order_relaxed) != 0; }
    /// Returns the jobs finished since the last call.
    std::vector<Job> take_finished();

private:
    void work();

    const std::function<void(const Job&)> after_;
    std::mutex mutex_; ///< guards the lists
    std::condition_variable wanted_;
    std::deque<Job> jobs_;
    std::vector<Job> done_;
    std::atomic<std::size_t> finished_ = 0;
    std::atomic<bool> stop_ = false;
    ForeignFiles foreign_; ///< used only by the thread
    std::thread thread_;
};

} // namespace dt
