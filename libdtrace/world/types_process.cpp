#include "libdtrace/world/types_process.hpp"

#include <sys/stat.h>

#include "base/time.hpp"
#include "libdtrace/elf/identification.hpp"
#include "libdtrace/world/types_foreign.hpp"

namespace dt {

std::shared_ptr<TypesOfFile> ProcessTypes::object(const std::string& file)
{
    struct stat status {};
    if (stat(file.c_str(), &status) != 0)
        status = {};
    const Identity identity{static_cast<int64_t>(status.st_dev), static_cast<int64_t>(status.st_ino), status.st_size,
                            nanoseconds(status.st_mtim)};
    std::shared_ptr<TypesOfFile>& known = files_[identity];
    if (known)
        return known;
    const std::string id = build_id_of_foreign(file);
    if (const auto same = by_build_id_.find(id); !id.empty() && same != by_build_id_.end())
        return known = same->second;
    if (foreign_->by() == ReadBy::Readers)
        known = std::make_shared<ForeignTypes>(foreign_, file);
    else
        known = std::make_shared<FileTypes>(file, file);
    if (!id.empty())
        by_build_id_[id] = known;
    return known;
}

} // namespace dt
