#include "libdtrace/process/foreign_lines.hpp"

#include <algorithm>
#include <utility>

#include "base/packed_bytes.hpp"

namespace dt {
namespace {

constexpr std::size_t kMostFramesTold = 256;
constexpr std::size_t kMostBytesTold = std::size_t{1} << 30; ///< limit of memory that a reader may report
constexpr std::size_t kMostKept = 64;                        ///< files per reader

/// Runs in the reader. The request has the file's identity, path and name, and an address.
std::string tell_frames(ReaderState& state, std::string_view request)
{
    PackedReader asked(request);
    const std::string key = "lines " + std::string(asked.text()), path(asked.text()), named(asked.text());
    if (!state.contains(key) && state.size() >= kMostKept)
        state.clear();
    std::shared_ptr<void>& kept = state[key];
    if (!kept)
        kept = std::make_shared<SourceLines>(path, named);
    auto& lines = *static_cast<SourceLines*>(kept.get());
    const std::vector<SourceLines::Frame> frames = lines.frames(asked.number());
    PackedWriter answer;
    answer.number(lines.bytes());
    answer.number(frames.size());
    for (const SourceLines::Frame& frame : frames) {
        answer.text(frame.function);
        answer.text(frame.place);
    }
    return answer.take();
}

std::string identity_text(const OpenFile& file)
{
    const FileIdentity identity = file.identity().value_or(FileIdentity{});
    return std::to_string(identity.device) + ":" + std::to_string(identity.inode) + ":" +
           std::to_string(identity.modified_ns) + ":" + std::to_string(identity.size);
}

} // namespace

ForeignLines::ForeignLines(std::shared_ptr<ForeignFiles> foreign, OpenFile file, const std::string& named)
    : foreign_(std::move(foreign)), file_(std::move(file)), named_(name_of_foreign(named))
{
    if (foreign_->by() == ReadBy::Tracer) {
        here_.emplace(file_.path(), named);
        const OpenFile closed = std::move(file_); // closes the file: the mapping keeps its contents
    }
}

std::vector<SourceLines::Frame> ForeignLines::frames(uint64_t address)
{
    if (here_)
        return here_->frames(address);
    PackedWriter request;
    request.text(identity_text(file_));
    request.text(file_.path());
    request.text(named_);
    request.number(address);
    const Result<std::string> told = foreign_->read(file_.path(), tell_frames, request.take());
    if (!told)
        return {{}};
    PackedReader answer(told.value());
    bytes_ = std::min<std::size_t>(answer.number(), kMostBytesTold);
    std::vector<SourceLines::Frame> frames(answer.count(2, kMostFramesTold));
    for (SourceLines::Frame& frame : frames) {
        frame.function = printable_name(answer.text());
        frame.place = printable_name(answer.text());
    }
    if (!answer.good() || frames.empty())
        frames.assign(1, {});
    return frames;
}

} // namespace dt
