// io: what block devices, and servers of files, are asked for and when they have done it (dtrace-providers(7), io).
#include "probes/stable/stable.hpp"

namespace dt::probes::stable {
namespace {

constexpr int64_t kNfs = 1, kXfs = 2;

/// What is no bio, as dcompiler/library/io.d reads it: arg2 status, arg3 which it is, arg4 whether it writes, arg5 its
/// size, arg6 its place, arg7 the device, arg8 a negative errno.
std::vector<Source> other(Source object, int64_t kind, Source writes, Source size, Source place, Source device,
                          Source error)
{
    return {std::move(object),
            {},
            {},
            constant(kind),
            std::move(writes),
            std::move(size),
            std::move(place),
            std::move(device),
            std::move(error)};
}

/// Bytes of a file on a server: the place is the file's number.
Hook file_asked(const char* tracepoint, bool writes)
{
    const Source header = word(0);
    return raw(tracepoint, other(header, kNfs, constant(writes), behind(header, "nfs_pgio_header", "args.count"),
                                 behind(behind(header, "nfs_pgio_header", "inode"), "inode", "i_ino"), {}, {}));
}

Hook file_answered(const char* tracepoint, bool writes)
{
    const Source header = word(1);
    return raw(tracepoint, other(header, kNfs, constant(writes), behind(header, "nfs_pgio_header", "res.count"),
                                 behind(behind(header, "nfs_pgio_header", "inode"), "inode", "i_ino"), {},
                                 behind(word(0), "rpc_task", "tk_status")));
}

/// A buffer of XFS's own, that somebody waits for: its size and place are in blocks of 512 bytes.
Hook buffer_awaited(const char* tracepoint, Source error)
{
    constexpr int64_t kBufferWrite = 2; // fs/xfs/xfs_buf.h: XBF_WRITE
    const Source buffer = word(0);
    return raw(tracepoint,
               other(buffer, kXfs, bits(behind(buffer, "xfs_buf", "b_flags"), kBufferWrite),
                     behind(buffer, "xfs_buf", "b_length"),
                     behind(behind(buffer, "xfs_buf", "b_maps"), "xfs_buf_map", "bm_bn"),
                     behind(behind(buffer, "xfs_buf", "b_target"), "xfs_buftarg", "bt_bdev"), std::move(error)));
}

} // namespace

const std::vector<Row>& io_rows()
{
    const Source none{};
    // No file is known of. At the end of a request its bios do not have their status yet: arg2 has.
    const std::vector<ProbeArgument> request{{"io_request_t *", "bufinfo_t *", 0},
                                             {"io_request_t *", "devinfo_t *", 0},
                                             {"struct file *", "fileinfo_t *", 1}};
    const Source first_bio = member(0, "request", "bio", 8);
    // block_bio_queue(bio), block_bio_complete(queue, bio), block_rq_complete(request, status, bytes). Of a bio that
    // was part of a request only the last fires, and a flush without data has no bio of its own.
    // nfs_initiate_*(header), nfs_*_done(task, header), xfs_buf_iowait*(buffer, caller).
    const std::vector<Hook> disk_asked{raw("block_bio_queue", {word(0)})};
    const std::vector<Hook> disk_answered{
        raw("block_bio_complete", {word(1)}),
        raw("block_rq_complete", {first_bio, none, word(1, 1)}, {{first_bio, Relation::NotEqual, {0}}})};
    const std::vector<Hook> server_asked{file_asked("nfs_initiate_read", false),
                                         file_asked("nfs_initiate_write", true)};
    const std::vector<Hook> server_answered{file_answered("nfs_readpage_done", false),
                                            file_answered("nfs_writeback_done", true)};
    const std::vector<Hook> waiting{function({"submit_bio_wait"}, {parameter(0)}),
                                    buffer_awaited("xfs_buf_iowait", none)};
    const std::vector<Hook> waited{function_return({"submit_bio_wait"}, {noted}),
                                   buffer_awaited("xfs_buf_iowait_done", behind(word(0), "xfs_buf", "b_error"))};
    const char* const disks = "genunix"; // which other systems have these in: scripts name it to leave the servers out,
                                         // or both to tell them apart
    const char* const servers = "nfs";
    static const std::vector<Row> kRows = {
        {"start", both(disk_asked, server_asked), request},
        {"done", both(disk_answered, server_answered), request},
        {"wait-start", waiting, request},
        {"wait-done", waited, request},
        {"start", disk_asked, request, {}, disks},
        {"done", disk_answered, request, {}, disks},
        {"wait-start", waiting, request, {}, disks},
        {"wait-done", waited, request, {}, disks},
        {"start", server_asked, request, {}, servers},
        {"done", server_answered, request, {}, servers},
    };
    return kRows;
}

} // namespace dt::probes::stable
