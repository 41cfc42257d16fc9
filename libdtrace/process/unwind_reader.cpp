// Runs the thread, which is started for the first large file. It accesses data of other threads only by `after`.
#include "libdtrace/process/unwind_reader.hpp"

#include <utility>

#include "base/side_thread.hpp"
#include "libdtrace/elf/elf_file.hpp"

namespace dt {

UnwindReader::~UnwindReader()
{
    stop_ = true;
    wanted_.notify_one();
    if (thread_.joinable())
        thread_.join();
}

bool UnwindReader::is_slow(ForeignFiles& files, const OpenFile& file)
{
    const ReadFunction read = [](ReaderState&, std::string_view path) {
        constexpr uint64_t kBytesOfFewMilliseconds = 512 << 10; // size that takes a few milliseconds; libc has 120 KB
        const ElfFile elf{std::string(path)};
        uint64_t bytes = 0;
        for (const char* name : {".eh_frame", ".gopclntab"})
            if (const auto section = elf.get() ? find_section(elf.get(), name) : std::nullopt)
                bytes += section->sh_size;
        return std::string(bytes > kBytesOfFewMilliseconds ? "1" : "");
    };
    const Result<std::string> answer = files.read(file.path(), read, file.path());
    return answer && !answer.value().empty();
}

bool UnwindReader::start(uint64_t number, OpenFile& file)
{
    if (!thread_.joinable())
        thread_ = side_thread([this] { work(); });
    if (!thread_.joinable())
        return false;
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back({number, std::move(file), {}, {}});
    }
    wanted_.notify_one();
    return true;
}

std::vector<UnwindReader::Job> UnwindReader::take_finished()
{
    const std::lock_guard lock(mutex_);
    finished_ = 0;
    return std::exchange(done_, {});
}

void UnwindReader::work()
{
    std::unique_lock lock(mutex_);
    while (true) {
        wanted_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
        if (stop_)
            return;
        Job job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        job.rows = rows_of_foreign(foreign_, job.file.path(), &stop_);
        job.refused = foreign_.take_refused();
        if (after_ && !stop_)
            after_(job);
        lock.lock();
        done_.push_back(std::move(job));
        finished_ = done_.size();
    }
}

} // namespace dt
