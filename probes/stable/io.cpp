// io: what block devices are asked for and when they have done it (providers reference 14).
#include "probes/stable/stable.hpp"

namespace dt::probes::stable {

const std::vector<Row>& io_rows()
{
    const Source none{};
    // No file is known of. At the end of a request its bios do not have their status yet: arg2 has.
    const std::vector<ProbeArgument> request{{"io_request_t *", "bufinfo_t *", 0}, {"struct bio *", "devinfo_t *", 0}, {"struct file *", "fileinfo_t *", 1}};
    const Source first_bio = member(0, "request", "bio", 8);
    // block_bio_queue(bio), block_bio_complete(queue, bio), block_rq_complete(request, status, bytes). Of a bio that was part of a request only the
    // last fires, and a flush without data has no bio of its own.
    static const std::vector<Row> kRows = {
        {"start", {raw("block_bio_queue", {word(0)})}, request},
        {"done",
         {raw("block_bio_complete", {word(1)}),
          raw("block_rq_complete", {first_bio, none, word(1, 1)}, {{first_bio, Relation::NotEqual, {0}}})},
         request},
        {"wait-start", {function({"submit_bio_wait"}, {parameter(0)})}, request},
        {"wait-done", {function_return({"submit_bio_wait"}, {noted})}, request},
    };
    return kRows;
}

} // namespace dt::probes::stable
