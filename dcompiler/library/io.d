/* defines: bufinfo_t bufinfo devinfo_t devinfo io_request_t io_request caddr_t */
/* Requests to devices (providers reference 24.4, 24.5), made of the kernel's bio or buffer_head. */
typedef char *caddr_t;

typedef struct bufinfo {
	int b_flags;
	size_t b_bcount;
	caddr_t b_addr;
	uint64_t b_lblkno;
	uint64_t b_blkno;
	size_t b_resid;
	size_t b_bufsize;
	caddr_t b_iodone;
	int b_error;
	dev_t b_edev;
} bufinfo_t;

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;
	string dev_name;
	string dev_statname;
	string dev_pathname;
} devinfo_t;

/* The errno that blk_status_to_errno() of block/blk-core.c makes of a status. */
inline int _blk_errno[int status] = status == 0 ? 0 : status == 1 ? EOPNOTSUPP : status == 2 ? ETIMEDOUT : status == 3 ? ENOSPC :
    status == 4 ? ENOLINK : status == 5 ? EREMOTEIO : status == 6 ? EBADE : status == 7 ? ENODATA : status == 8 ? EILSEQ :
    status == 9 ? ENOMEM : status == 11 ? EREMCHG : status == 12 || status == 13 ? EAGAIN : EIO;

/* include/linux/blk_types.h: an odd operation takes data to the device; REQ_SYNC is 1 << 11. */
#pragma D attributes Stable/Stable/Common translator
translator bufinfo_t < struct bio *B > {
	b_flags = (B->bi_opf & 1 ? B_WRITE : B_READ) | (B->bi_opf & 0x800 ? 0 : B_ASYNC) | B_PHYS;
	b_bcount = B->bi_iter.bi_size;
	b_addr = NULL;
	b_lblkno = B->bi_iter.bi_sector;
	b_blkno = B->bi_iter.bi_sector;
	b_resid = 0;
	b_bufsize = B->bi_iter.bi_size;
	b_iodone = (caddr_t)B->bi_end_io;
	b_error = _blk_errno[B->bi_status];
	b_edev = B->bi_bdev != NULL ? B->bi_bdev->bd_dev : 0;
};

inline int _partition[struct block_device *D] =
?block_device.bd_partno	D->bd_partno;
!block_device.bd_partno	D->__bd_flags.counter & 255;

inline char _last[struct block_device *D] = D->bd_disk->disk_name[strlen(D->bd_disk->disk_name) - 1];

/* As the kernel's bdevname(): a p before the number where the disk's name ends in a digit. */
inline string _statname[struct block_device *D] = _partition[D] == 0 ? stringof(D->bd_disk->disk_name) :
    strjoin(strjoin(D->bd_disk->disk_name, _last[D] >= '0' && _last[D] <= '9' ? "p" : ""), lltostr(_partition[D]));

#pragma D attributes Stable/Stable/Common translator
translator devinfo_t < struct bio *B > {
	dev_major = B->bi_bdev != NULL ? getmajor(B->bi_bdev->bd_dev) : 0;
	dev_minor = B->bi_bdev != NULL ? getminor(B->bi_bdev->bd_dev) : 0;
	dev_instance = 0;
	dev_name = B->bi_bdev != NULL ? _block_driver(getmajor(B->bi_bdev->bd_dev)) : "nfs";
	dev_statname = B->bi_bdev != NULL ? _statname[B->bi_bdev] : "nfs";
	dev_pathname = B->bi_bdev != NULL ? strjoin("/dev/", _statname[B->bi_bdev]) : "<nfs>";
};

/* What an io probe tells of: a bio, and in arg2 the status of a request that ended. */
typedef struct io_request {
	uintptr_t bio;
} io_request_t;

#pragma D attributes Stable/Stable/Common translator
translator bufinfo_t < io_request_t *R > {
	b_flags = xlate <bufinfo_t> ((struct bio *)R).b_flags;
	b_bcount = xlate <bufinfo_t> ((struct bio *)R).b_bcount;
	b_addr = xlate <bufinfo_t> ((struct bio *)R).b_addr;
	b_lblkno = xlate <bufinfo_t> ((struct bio *)R).b_lblkno;
	b_blkno = xlate <bufinfo_t> ((struct bio *)R).b_blkno;
	b_resid = xlate <bufinfo_t> ((struct bio *)R).b_resid;
	b_bufsize = xlate <bufinfo_t> ((struct bio *)R).b_bufsize;
	b_iodone = xlate <bufinfo_t> ((struct bio *)R).b_iodone;
	b_error = arg2 != 0 ? _blk_errno[arg2] : xlate <bufinfo_t> ((struct bio *)R).b_error;
	b_edev = xlate <bufinfo_t> ((struct bio *)R).b_edev;
};
