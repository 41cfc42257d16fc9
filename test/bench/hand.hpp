// Loaded and attached hand-written programs: the programs of hand.bpf.c one at a time, the programs of a cost table row
// together.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

struct bpf_link;
struct bpf_program;

namespace dt::bench {

/// An object file whose programs are attached together (cost/NAME.bpf.c).
struct HandObject {
    std::string path;
};

class Hand {
public:
    /// Attaches the named program of hand.bpf.c. If that fails, problem() returns the reason. A kprobe.multi program is
    /// attached to the given function addresses.
    explicit Hand(const std::string& program, const std::vector<unsigned long>& functions = {});
    /// Attaches the named program of hand.bpf.c to the instruction at an offset of a file, in every process that maps
    /// the file.
    Hand(const std::string& program, const std::string& file, std::size_t offset);
    /// Attaches all programs of an object. A thread reads their records every 20 ms, as a consumer that formats them
    /// would.
    explicit Hand(const HandObject& object);
    ~Hand();
    void detach();
    /// Attaches the programs again after detach().
    void attach();

    bool has_records() const;

    const std::string& problem() const { return problem_; }

    /// Returns the sum of all numbers in the map `result`, over all keys and CPUs.
    unsigned long long sum() const;
    /// Returns the number of keys in the map `result` of the programs.
    unsigned long long elements() const;
    /// Reads the remaining records. Returns the number of all records read by this object. Call it when tracing has
    /// ended.
    unsigned long long records();
    /// Returns the number of records that the programs counted as lost.
    unsigned long long lost() const;

private:
    struct Impl;
    void load(const std::string& path, const std::string& program);
    void attach_one(const std::string& program, const std::function<bpf_link*(bpf_program*)>& attach_it);
    std::unique_ptr<Impl> impl_;
    std::string problem_;
};

} // namespace dt::bench
