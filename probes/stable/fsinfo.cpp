// fsinfo: requests to file systems of all types (dtrace-providers(7), fsinfo). args[0] is the file, args[1] the number
// of bytes read or written.
#include "probes/stable/stable.hpp"

namespace dt::probes::stable {
namespace {

// Type of arg0's target in arg2, as dcompiler/library/fsinfo.d reads it: struct file, path or dentry.
constexpr int64_t kFile = 0, kPath = 1, kDentry = 2;

using Functions = std::vector<const char*>;

Hook asked(Functions functions, Source object, int64_t kind = kFile, std::vector<When> when = {})
{
    return function(std::move(functions), {std::move(object), constant(0), constant(kind)}, std::move(when));
}

/// Makes a hook for functions(file, …), which return a number of bytes or a negative error.
Hook transferred(Functions functions)
{
    const Source returned = result_of(8);
    return function_return(std::move(functions),
                           {noted, choice(bits(returned, INT64_MIN), 0, returned, constant(0)), constant(kFile)});
}

} // namespace

const std::vector<Row>& fsinfo_rows()
{
    // A file has its properties only after it has been opened: vfs_open(path, file).
    const Hook opened = function_return({"vfs_open"}, {noted, constant(0), constant(kFile)},
                                        {{result, Relation::Equal, {0}}}, false, 1);
    const std::vector<ProbeArgument> arguments{{"fsinfo_object_t *", "fileinfo_t *", 0}, number(1)};
    const When is_file{parameter(0), Relation::NotEqual, {0}};
    static const std::vector<Row> kRows = {
        {"open", {opened}, arguments},
        {"close", {asked({"filp_flush", "filp_close"}, parameter(0))}, arguments},
        {"read", {transferred({"vfs_read"}), transferred({"do_iter_read", "vfs_readv"})}, arguments},
        {"write", {transferred({"vfs_write"}), transferred({"do_iter_write", "vfs_writev"})}, arguments},
        {"ioctl", {asked({"security_file_ioctl"}, parameter(0))}, arguments},
        {"fsync", {asked({"vfs_fsync_range"}, parameter(0))}, arguments},
        {"frlock",
         {asked({"security_file_lock"}, parameter(0))},
         arguments}, // vfs_lock_file() is inlined into its callers
        {"map", {asked({"security_mmap_file"}, parameter(0), kFile, {is_file})}, arguments},
        {"space", {asked({"vfs_fallocate"}, parameter(0))}, arguments},
        {"readdir", {asked({"iterate_dir"}, parameter(0))}, arguments},
        {"getattr", {asked({"vfs_getattr_nosec"}, parameter(0), kPath)}, arguments},
        {"setattr", {asked({"notify_change"}, parameter(1), kDentry)}, arguments},
        {"create", {asked({"security_inode_create"}, parameter(1), kDentry)}, arguments},
        {"remove", {asked({"vfs_unlink"}, parameter(2), kDentry)}, arguments},
        {"link", {asked({"vfs_link"}, parameter(3), kDentry)}, arguments},
        {"rename", {asked({"vfs_rename"}, behind(parameter(0), "renamedata", "old_dentry"), kDentry)}, arguments},
        {"mkdir", {asked({"vfs_mkdir"}, parameter(2), kDentry)}, arguments},
        {"rmdir", {asked({"vfs_rmdir"}, parameter(2), kDentry)}, arguments},
        {"symlink", {asked({"vfs_symlink"}, parameter(2), kDentry)}, arguments},
        {"readlink", {asked({"vfs_readlink"}, parameter(0), kDentry)}, arguments},
    };
    return kRows;
}

} // namespace dt::probes::stable
