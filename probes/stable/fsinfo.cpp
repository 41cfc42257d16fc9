// Tables for the providers about files: fsinfo, and nfsv3 and nfsv4 for file servers. Each row of a table describes one
// probe (stable.hpp).
#include <sys/socket.h>

#include <deque>
#include <string>

#include "probes/stable/stable.hpp"

namespace dt::probes::stable {
namespace {

// fsinfo: requests to file systems of all types (dtrace-providers(7), fsinfo). args[0] is the file, args[1] the number
// of bytes read or written.

// Values of arg2, the type of the kernel object to which arg0 points (struct file, path or dentry). The translators in
// dcompiler/library/fsinfo.d read arg2.
constexpr int64_t kFile = 0, kPath = 1, kDentry = 2;

using Functions = std::vector<const char*>;

Hook asked(Functions functions, Source object, int64_t kind = kFile, std::vector<Filter> filters = {})
{
    return function(std::move(functions), {std::move(object), constant(0), constant(kind)}, std::move(filters));
}

/// Returns a hook for the returns of functions f(file, …) whose result is a number of bytes or a negative error.
Hook transferred(Functions functions)
{
    const Source returned = result_of(8);
    return function_return(std::move(functions),
                           {recorded, choice(bits(returned, INT64_MIN), 0, returned, constant(0)), constant(kFile)});
}

} // namespace

const std::vector<Row>& fsinfo_rows()
{
    // vfs_open(path, file) is hooked at its return, because the file is initialised only then.
    const Hook opened = function_return({"vfs_open"}, {recorded, constant(0), constant(kFile)},
                                        {{result, Relation::Equal, {0}}}, false, 1);
    const std::vector<ProbeArgument> arguments{{"fsinfo_object_t *", "fileinfo_t *", 0}, number(1)};
    const Filter is_file{parameter(0), Relation::NotEqual, {0}};
    static const std::vector<Row> kRows = {
        {"open", {opened}, arguments},
        {"close", {asked({"filp_flush", "filp_close"}, parameter(0))}, arguments},
        {"read", {transferred({"vfs_read"}), transferred({"do_iter_read", "vfs_readv"})}, arguments},
        {"write", {transferred({"vfs_write"}), transferred({"do_iter_write", "vfs_writev"})}, arguments},
        {"ioctl", {asked({"security_file_ioctl"}, parameter(0))}, arguments},
        {"fsync", {asked({"vfs_fsync_range"}, parameter(0))}, arguments},
        {"frlock",
         {asked({"security_file_lock"}, parameter(0))},
         arguments}, // vfs_lock_file() itself cannot be hooked, because it is inlined into its callers
        {"map", {asked({"security_mmap_file"}, parameter(0), kFile, {is_file})}, arguments},
        {"space", {asked({"vfs_fallocate"}, parameter(0))}, arguments},
        {"readdir", {asked({"iterate_dir"}, parameter(0))}, arguments},
        {"getattr", {asked({"vfs_getattr_nosec"}, parameter(0), kPath)}, arguments},
        {"setattr", {asked({"notify_change"}, parameter(1), kDentry)}, arguments},
        {"create", {asked({"security_inode_create"}, parameter(1), kDentry)}, arguments},
        {"remove", {asked({"vfs_unlink"}, parameter(2), kDentry)}, arguments},
        {"link", {asked({"vfs_link"}, parameter(3), kDentry)}, arguments},
        {"rename", {asked({"vfs_rename"}, field_of(parameter(0), "renamedata", "old_dentry"), kDentry)}, arguments},
        {"mkdir", {asked({"vfs_mkdir"}, parameter(2), kDentry)}, arguments},
        {"rmdir", {asked({"vfs_rmdir"}, parameter(2), kDentry)}, arguments},
        {"symlink", {asked({"vfs_symlink"}, parameter(2), kDentry)}, arguments},
        {"readlink", {asked({"vfs_readlink"}, parameter(0), kDentry)}, arguments},
    };
    return kRows;
}

// nfsv3 and nfsv4: requests that a file server receives, and their replies (dtrace-providers(7), nfsv3). The kernel's
// RPC code has two tracepoints: svc_process(call, program) before it reads a call's arguments, and svc_send(call,
// status) after it has sent the reply.

namespace {

constexpr int64_t kNfsProgram = 100003; // program number of NFS (RFC 1813, RFC 7530)

/// Returns the raw arguments of the nfsv3 and nfsv4 probes, which dcompiler/library/nfs.d translates. arg1 and arg2
/// point to the remote and the local address, arg3 is the IP version of both, and arg4 is the number of the NFS call.
std::vector<Source> call_arguments()
{
    // offset of the address: 4 in struct sockaddr_in, 8 in struct sockaddr_in6
    const Source call = word(0), there = address(call, "svc_rqst", "rq_addr"),
                 here = address(call, "svc_rqst", "rq_daddr"), family = bytes(there, 0, 2);
    const auto address_in = [&](const Source& at) {
        return choice(family, AF_INET, sum(at, constant(4)),
                      choice(family, AF_INET6, sum(at, constant(8)), constant(0)));
    };
    const Source version = choice(family, AF_INET, constant(4), choice(family, AF_INET6, constant(6), constant(0)));
    return {call, address_in(there), address_in(here), version, field_of(call, "svc_rqst", "rq_xid")};
}

Hook called(const char* tracepoint, int64_t version, int64_t procedure)
{
    const auto is = [](const char* member, int64_t value) {
        return Filter{field_of(word(0), "svc_rqst", member), Relation::Equal, {value}};
    };
    return raw(tracepoint, call_arguments(),
               {is("rq_prog", kNfsProgram), is("rq_vers", version), is("rq_proc", procedure)});
}

/// Returns one row (probe) for each name in `procedures`. The index of a name is the NFS number of its procedure.
std::vector<Row> rows_of(int64_t version, const std::vector<std::string>& procedures, const char* information)
{
    static std::deque<std::string> names; // static, because the rows contain pointers to the names
    const std::vector<ProbeArgument> arguments{{"nfs_call_t *", "conninfo_t *", 0}, {"nfs_call_t *", information, 0}};
    std::vector<Row> rows;
    for (std::size_t i = 0; i < procedures.size(); ++i)
        for (const auto& [end, tracepoint] : {std::pair{"-start", "svc_process"}, std::pair{"-done", "svc_send"}})
            rows.push_back({names.emplace_back(procedures[i] + end).c_str(),
                            {called(tracepoint, version, static_cast<int64_t>(i))},
                            arguments});
    return rows;
}

} // namespace

const std::vector<Row>& nfsv3_rows()
{
    static const std::vector<Row> kRows =
        rows_of(3, {"op-null",   "op-getattr", "op-setattr",  "op-lookup", "op-access",  "op-readlink",
                    "op-read",   "op-write",   "op-create",   "op-mkdir",  "op-symlink", "op-mknod",
                    "op-remove", "op-rmdir",   "op-rename",   "op-link",   "op-readdir", "op-readdirplus",
                    "op-fsstat", "op-fsinfo",  "op-pathconf", "op-commit"},
                "nfsv3opinfo_t *");
    return kRows;
}

const std::vector<Row>& nfsv4_rows()
{
    static const std::vector<Row> kRows = rows_of(4, {"null", "compound"}, "nfsv4opinfo_t *");
    return kRows;
}

} // namespace dt::probes::stable
