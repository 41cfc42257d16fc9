// Implements dtrace_aggregate_buckets(): the counts of histogram buckets for every aggregating function, from the table
// that also prints them.
#include <algorithm>
#include <cstring>

#include "api/handle.hpp"

extern "C" int dtrace_aggregate_buckets(dtrace_hdl_t* handle, const dtrace_aggdata_t* data, dtrace_bucket_t* buckets,
                                        int most)
{
    return dt::api::guarded(handle, -1, [&] {
        const dt::api::SnapshotTable* const table = handle->snapshot.table(data->dtada_desc->dtagd_varid);
        if (!table || !table->shape)
            return handle->fail(EDT_BADAGG, "its function has no buckets");
        const dt::format::HistogramShape& shape = *table->shape;
        const dtrace_recdesc_t& value = table->records.back();
        const bool has_parameters = value.dtrd_size / sizeof(int64_t) > shape.words(); // the parameters precede the
                                                                                       // buckets
        const char* at = data->dtada_data + value.dtrd_offset + (has_parameters ? sizeof(int64_t) : 0);
        for (std::size_t i = 0; i < shape.size() && i < static_cast<std::size_t>(std::max(most, 0)); ++i) {
            const dt::format::HistogramShape::Bounds& bounds = shape.bounds(i);
            dtrace_bucket_t& bucket = buckets[i];
            bucket = {bounds.low.value_or(INT64_MIN), bounds.high.value_or(INT64_MAX), 0, 0, nullptr};
            std::memcpy(&bucket.dtb_count, at + i * sizeof(int64_t), sizeof bucket.dtb_count);
            if (shape.has_parts())
                bucket.dtb_name = handle->kept(shape.label(i));
            else
                bucket.dtb_flags = (bounds.low ? 0u : DTRACE_BUCKET_NOLOW) | (bounds.high ? 0u : DTRACE_BUCKET_NOHIGH) |
                                   (shape.is_ghost(i) ? DTRACE_BUCKET_NEVER : 0u);
        }
        return static_cast<int>(shape.size());
    });
}
