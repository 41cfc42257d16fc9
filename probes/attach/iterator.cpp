// Attaches BPF iterators, which call a program once for each existing object of a kind: each task, open file, socket.
// The program runs only while this process reads the iterator's file.
#include <bpf/bpf.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "probes/attach/mechanisms.hpp"

namespace dt::probes {
namespace {

/// Number of objects per read. The program writes a byte for each object (ProgramKindInfo::writes_file). Between two
/// reads the tracer empties its buffers, which have room for the records of this number of objects.
constexpr std::size_t kObjectsPerRead = 64;

class IteratorAttachment final : public Attachment {
public:
    IteratorAttachment(int link, std::string name) : link_(link), name_(std::move(name)) {}
    ~IteratorAttachment() override { finish(); }
    int link() const override { return link_.link(); }

    Result<bool> list_some() override
    {
        if (is_over_)
            return false;
        if (file_ < 0)
            file_ = bpf_iter_create(link());
        if (file_ < 0)
            return refused("open", errno);
        std::array<char, kObjectsPerRead> bytes;
        const ssize_t count = read(file_, bytes.data(), bytes.size());
        // EAGAIN: the kernel has visited a million objects in one read, and the program has written nothing, because
        // its probes are off.
        if (count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)))
            return true;
        const int code = count < 0 ? errno : 0;
        finish();
        is_over_ = true;
        if (code != 0)
            return refused("read", code);
        return false;
    }

private:
    Error refused(const char* what, int code) const
    {
        return {std::string("cannot ") + what + " the BPF iterator " + name_ + ": " + std::strerror(code), code};
    }

    void finish()
    {
        if (file_ >= 0)
            close(file_);
        file_ = -1;
    }

    DescriptorAttachment link_;
    std::string name_;
    int file_ = -1; ///< the iterator's file, from the first list_some() until all objects are listed
    bool is_over_ = false;
};

class Iterator final : public AttachMechanism {
public:
    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions&) const override
    {
        const std::string& name = plan.targets.front().where;
        const int link = bpf_link_create(program, 0, BPF_TRACE_ITER, nullptr);
        if (link < 0)
            return Error{"cannot attach to the BPF iterator " + name + ": " + std::strerror(-link), -link};
        return attached(std::make_unique<IteratorAttachment>(link, name));
    }
};

} // namespace

const AttachMechanism& iterator_mechanism()
{
    static const Iterator mechanism;
    return mechanism;
}

} // namespace dt::probes
