// Reads what large files say of their stacks, in a thread of its own: it takes 160 ms for a library of 100 MB, and the
// consumer's records would wait.
//
// (The files are read there, and room for their tables is made; what programs see is changed by the consumer alone.)
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
    /// A file, by whatever number the caller gives it.
    struct Job {
        uint64_t number = 0;
        OpenFile file;
        PackedUnwindRows rows;
        std::vector<ForeignFiles::Refused> refused; ///< the file, where it could not be read
    };

    /// `after`: is handed each job that was read, in the thread.
    explicit UnwindReader(ReadBy by, std::function<void(const Job&)> after = {})
        : after_(std::move(after)), foreign_(by)
    {
    }
    /// What is being read is left.
    ~UnwindReader();
    UnwindReader(const UnwindReader&) = delete;
    UnwindReader& operator=(const UnwindReader&) = delete;

    /// Is the file so large that it should not be waited for?
    static bool is_slow(ForeignFiles& files, const OpenFile& file);

    /// Takes the file. False: there can be no thread, and it is left.
    bool start(uint64_t number, OpenFile& file);
    /// Is there something to take? Cheap.
    bool has_finished() const { return finished_.load(std::memory_order_relaxed) != 0; }
    /// What was read since the last call.
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
    ForeignFiles foreign_; ///< of the thread
    std::thread thread_;
};

} // namespace dt
