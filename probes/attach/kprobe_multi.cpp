// Many functions by one program and one link (kernel 5.18 with CONFIG_FPROBE): attaching and detaching cost microseconds a function, where a
// perf event for each costs tens of milliseconds.
//
// The kernel takes all functions of a link or none. So a batch that is refused is halved until the refused ones are alone; the others then hang
// on several links.
#include <bpf/libbpf.h>

#include <cerrno>
#include <cstring>

#include "probes/attach/mechanisms.hpp"

namespace dt::probes {
namespace {

class Batches {
public:
    Batches(bpf_program* program, bool at_return) : program_(program), at_return_(at_return) {}

    void attach(const AttachTarget* const* first, std::size_t count)
    {
        const int code = try_attach(first, count);
        if (code == 0 || refuses_the_kind(code))
            return;
        if (count == 1) {
            refuse(*first, code);
            return;
        }
        attach(first, count / 2);
        if (refused_ == 0)
            attach(first + count / 2, count - count / 2);
    }

    void refuse(const AttachTarget* target, int code)
    {
        const bool always = code == ENOENT || code == ESRCH || code == EINVAL;
        result_.refusals.push_back({target, always ? "the kernel allows no probe there" : std::strerror(code), always});
    }

    /// The errno with which the kernel refused more than some functions; 0: it did not.
    int refused() const { return refused_; }
    Attached take() { return std::move(result_); }

private:
    /// No function is at fault then. (EINVAL is said of functions as well.)
    bool refuses_the_kind(int code)
    {
        if (code == EOPNOTSUPP || code == ENOTSUP || code == EPERM || code == EMFILE || code == ENOMEM)
            refused_ = code;
        return refused_ != 0;
    }

    int try_attach(const AttachTarget* const* first, std::size_t count)
    {
        std::vector<const char*> names;
        std::vector<unsigned long> addresses;
        std::vector<__u64> cookies;
        for (std::size_t i = 0; i < count; ++i) {
            names.push_back(first[i]->where.c_str());
            addresses.push_back(first[i]->address);
            cookies.push_back(first[i]->cookie);
        }
        LIBBPF_OPTS(bpf_kprobe_multi_opts, options);
        if ((*first)->address != 0)
            options.addrs = addresses.data();
        else
            options.syms = names.data();
        options.cookies = cookies.data();
        options.cnt = count;
        options.retprobe = at_return_;
        bpf_link* link = bpf_program__attach_kprobe_multi_opts(program_, nullptr, &options);
        if (!link)
            return errno;
        result_.attachments.push_back(std::make_unique<LinkAttachment>(link));
        return 0;
    }

    bpf_program* program_;
    bool at_return_;
    Attached result_;
    int refused_ = 0;
};

class KprobeMulti final : public AttachMechanism {
public:
    explicit KprobeMulti(bool at_return) : at_return_(at_return) {}

    Result<Attached> attach(bpf_program* program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        Batches batches(program, at_return_);
        for (const bool by_address : {true, false}) { // a link has either all addresses or none
            std::vector<const AttachTarget*> targets;
            for (const AttachTarget& target : plan.targets)
                if ((target.address != 0) == by_address && by_address && options.was_refused && options.was_refused(target.address))
                    batches.refuse(&target, EINVAL);
                else if ((target.address != 0) == by_address)
                    targets.push_back(&target);
            if (!targets.empty() && batches.refused() == 0)
                batches.attach(targets.data(), targets.size());
            if (options.progress)
                options.progress(targets.size());
        }
        Attached result = batches.take();
        if (batches.refused() != 0 || result.attachments.empty()) {
            const int code = batches.refused() != 0 ? batches.refused() : EINVAL;
            return Error{"cannot attach to " + std::to_string(plan.targets.size()) + " kernel functions at once: " + std::strerror(code), code};
        }
        return result;
    }

    /// In the emulated guest; a machine of its own is some ten times as fast.
    AttachCost cost() const override { return {0.2, 0.09}; }

private:
    bool at_return_;
};

} // namespace

const AttachMechanism& kprobe_multi_mechanism()
{
    static const KprobeMulti mechanism(false);
    return mechanism;
}

const AttachMechanism& kretprobe_multi_mechanism()
{
    static const KprobeMulti mechanism(true);
    return mechanism;
}

} // namespace dt::probes
