// The hand-written programs, loaded and attached: those of hand.bpf.c one at a time, those of a row of the cost table
// together.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

struct bpf_link;
struct bpf_program;

namespace dt::bench {

/// An object whose programs all belong together (cost/NAME.bpf.c).
struct HandObject {
    std::string path;
};

class Hand {
public:
    /// Attaches the program of that name of hand.bpf.c; `problem()` says why when it could not.
    /// With addresses of functions a program of kprobe.multi is attached to these.
    explicit Hand(const std::string& program, const std::vector<unsigned long>& functions = {});
    /// The same, at the instruction of a file, in every process that maps it.
    Hand(const std::string& program, const std::string& file, std::size_t offset);
    /// All programs of an object. Records, if it makes any, are read by a thread that looks every 20 ms, as a consumer
    /// that formats them would.
    explicit Hand(const HandObject& object);
    ~Hand();
    void detach();
    /// After detach(): attaches again what was attached.
    void attach();

    bool has_records() const;

    const std::string& problem() const { return problem_; }

    /// The sum of all numbers in `result`, over all keys and CPUs.
    unsigned long long sum() const;
    /// How many keys `result` has.
    unsigned long long elements() const;
    /// Records read; to be asked when nothing is traced any more. What is left in the buffer is read first.
    unsigned long long records();
    /// What the programs counted as lost.
    unsigned long long lost() const;

private:
    struct Impl;
    void load(const std::string& path, const std::string& program);
    void attach_one(const std::string& program, const std::function<bpf_link*(bpf_program*)>& attach_it);
    std::unique_ptr<Impl> impl_;
    std::string problem_;
};

} // namespace dt::bench
