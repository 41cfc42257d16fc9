// Adds the aggregation values that user-space engines have counted. Each engine appears as one more CPU after those of
// the kernel.
#pragma once

#include <vector>

#include "libdtrace/consume/aggregate.hpp"
#include "libdtrace/consume/application_half.hpp"

namespace dt::consume {

class ApplicationAggregations final : public AggregationStore {
public:
    /// Creates the store on top of `own`, which has the kernel's values and must outlive this object.
    explicit ApplicationAggregations(AggregationStore& own) : own_(own) {}

    /// Adds an engine; must be called before the first read.
    void add(ApplicationHalf& half) { halves_.push_back(&half); }
    bool empty() const { return halves_.empty(); }

    uint32_t cpus() const override { return own_.cpus() + static_cast<uint32_t>(halves_.size()); }
    Result<void> read(const AggregationSchema& schema, const Visit& visit) override;
    void settle() override { own_.settle(); }
    void remove(const AggregationSchema& schema, std::span<const uint8_t> keys) override;
    void keep_overflow(const AggregationSchema& schema, const std::vector<std::string>& kept) override
    {
        own_.keep_overflow(schema, kept);
    }
    void zero(const AggregationSchema& schema) override;
    bool forgets(const AggregationSchema& schema) const override { return own_.forgets(schema); }
    void empty(const AggregationSchema& schema) override { own_.empty(schema); }
    const std::vector<int64_t>* gone(const AggregationSchema& schema) const override { return own_.gone(schema); }
    void forget_gone(const AggregationSchema& schema) override { own_.forget_gone(schema); }

private:
    void read_keys(const AggregationSchema& schema, std::size_t half, const Visit& visit);

    AggregationStore& own_;
    std::vector<ApplicationHalf*> halves_;
};

} // namespace dt::consume
