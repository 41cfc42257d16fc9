// The hand-written programs of hand.bpf.c, loaded and attached one at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace dt::bench {

class Hand {
public:
    /// Attaches the program of that name; `problem()` says why when it could not. Records, if it makes any, are read and thrown away by
    /// a thread that polls every 100 ms behind a watermark, as a consumer that formats them would.
    /// With addresses of functions a program of kprobe.multi is attached to these.
    explicit Hand(const std::string& program, const std::vector<unsigned long>& functions = {});
    /// The same, at the instruction of a file, in every process that maps it.
    Hand(const std::string& program, const std::string& file, std::size_t offset);
    ~Hand();
    void detach();

    const std::string& problem() const { return problem_; }
    bool lost_records() const;

private:
    struct Impl;
    void load(const std::string& program);
    std::unique_ptr<Impl> impl_;
    std::string problem_;
};

} // namespace dt::bench
