// --merge: merges the output files of several hosts, whenever they were written.
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "base/time.hpp"
#include "cmd/hosts/lines.hpp"
#include "cmd/hosts/tell_answers.hpp"
#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "libdtrace/consume/consumer.hpp"

namespace dt::cmd {
namespace {

struct SnapshotFile {
    uint64_t ours = 0, others = 0; ///< numbers of snapshot lines and of other lines
    int failed = 0;                ///< errno
};

SnapshotFile read_snapshots(const std::string& path, uint32_t source, consume::Answers& answers)
{
    SnapshotFile file;
    const int descriptor = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return {0, 0, errno};
    const auto now = static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
    const auto add = [&](std::string_view line) { ++(answers.add(source, line, now) ? file.ours : file.others); };
    Lines lines;
    char bytes[1 << 16];
    for (ssize_t size; (size = read(descriptor, bytes, sizeof bytes)) != 0;) {
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0) {
            file.failed = errno;
            break;
        }
        lines.add({bytes, static_cast<std::size_t>(size)}, add);
    }
    lines.finish(add);
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    return file;
}

} // namespace

int merge_mode(const Arguments& arguments, const Options& options, Output& output)
{
    consume::Answers answers({options, output, reproducible_output()});
    uint32_t source = 0;
    for (const std::string& path : arguments.operands) {
        const SnapshotFile file = read_snapshots(path, source++, answers);
        if (file.failed != 0) {
            say(arguments, "failed to read " + path + ": " + std::strerror(file.failed));
            return kFailure;
        }
        if (file.ours == 0) {
            answers.expect(path);
            answers.excuse(path, "no answer is in it: -x format=snapshot writes one");
        } else if (file.others != 0 && arguments.verbose) {
            say(arguments,
                path + ": left out " + std::to_string(file.others) + " lines that are not of -x format=snapshot");
        }
    }
    answers.finish("it ends in the middle");
    return tell_answers(arguments, answers, output);
}

} // namespace dt::cmd
