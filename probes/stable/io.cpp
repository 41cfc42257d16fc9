// io: requests to block devices and file servers, and their completion (dtrace-providers(7), io).
#include "probes/stable/stable.hpp"

namespace dt::probes::stable {
namespace {

constexpr int64_t kNfs = 1, kXfs = 2;

/// Returns the raw arguments of the io probes for a request without a bio (block I/O structure); dcompiler/library/io.d
/// translates them. arg2 is the status, arg3 the kind, arg4 whether the request writes, arg5 the size, arg6 the
/// position, arg7 the device, arg8 a negative errno.
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

/// Returns a hook for a request to a file server. The inode number of the file is reported as the position.
Hook file_asked(const char* tracepoint, bool writes)
{
    const Source header = word(0);
    return raw(tracepoint, other(header, kNfs, constant(writes), field_of(header, "nfs_pgio_header", "args.count"),
                                 field_of(field_of(header, "nfs_pgio_header", "inode"), "inode", "i_ino"), {}, {}));
}

Hook file_answered(const char* tracepoint, bool writes)
{
    const Source header = word(1);
    return raw(tracepoint, other(header, kNfs, constant(writes), field_of(header, "nfs_pgio_header", "res.count"),
                                 field_of(field_of(header, "nfs_pgio_header", "inode"), "inode", "i_ino"), {},
                                 field_of(word(0), "rpc_task", "tk_status")));
}

/// Returns a hook for the start or end of waiting for an XFS buffer. Its size and position are in blocks of 512 bytes.
Hook buffer_awaited(const char* tracepoint, Source error)
{
    constexpr int64_t kBufferWrite = 2; // the kernel's XBF_WRITE (fs/xfs/xfs_buf.h)
    const Source buffer = word(0);
    return raw(tracepoint,
               other(buffer, kXfs, bits(field_of(buffer, "xfs_buf", "b_flags"), kBufferWrite),
                     field_of(buffer, "xfs_buf", "b_length"),
                     field_of(field_of(buffer, "xfs_buf", "b_maps"), "xfs_buf_map", "bm_bn"),
                     field_of(field_of(buffer, "xfs_buf", "b_target"), "xfs_buftarg", "bt_bdev"), std::move(error)));
}

} // namespace

const std::vector<Row>& io_rows()
{
    const Source none{};
    // args[2] is null, because the file is unknown. When a request ends, its bios (block I/O structures) do not have
    // their status yet, so arg2 contains the status.
    const std::vector<ProbeArgument> request{{"io_request_t *", "bufinfo_t *", 0},
                                             {"io_request_t *", "devinfo_t *", 0},
                                             {"struct file *", "fileinfo_t *", 1}};
    const Source first_bio = member(0, "request", "bio", 8);
    // Tracepoints: block_bio_queue(bio) (before Linux 5.11: block_bio_queue(queue, bio)), block_bio_complete(queue,
    // bio), block_rq_complete(request, status, bytes). For the end of a bio that was part of a request, only
    // block_rq_complete fires. A flush without data has no bio. Further tracepoints: nfs_initiate_*(header),
    // nfs_*_done(task, header), xfs_buf_iowait*(buffer, caller).
    const std::vector<Hook> disk_asked{raw("block_bio_queue", {either(word(1), word(0))})};
    const std::vector<Hook> disk_answered{
        raw("block_bio_complete", {word(1)}),
        raw("block_rq_complete", {first_bio, none, word(1, 1)}, {{first_bio, Relation::NotEqual, {0}}})};
    const std::vector<Hook> server_asked{file_asked("nfs_initiate_read", false),
                                         file_asked("nfs_initiate_write", true)};
    const std::vector<Hook> server_answered{file_answered("nfs_readpage_done", false),
                                            file_answered("nfs_writeback_done", true)};
    const std::vector<Hook> waiting{function({"submit_bio_wait"}, {parameter(0)}),
                                    buffer_awaited("xfs_buf_iowait", none)};
    const std::vector<Hook> waited{function_return({"submit_bio_wait"}, {recorded}),
                                   buffer_awaited("xfs_buf_iowait_done", field_of(word(0), "xfs_buf", "b_error"))};
    // Names that other systems use as modules of the io probes, for disks and for file servers. Scripts select probes
    // by these names.
    const char* const disks = "genunix";
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
