/* defines: bufinfo_t bufinfo devinfo_t devinfo io_request_t io_request caddr_t */
/* Requests to devices (dtrace-providers(7), TYPES), translated from the kernel's bio or buffer_head. */
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

/* Converts a status to an errno like blk_status_to_errno() of block/blk-core.c. */
inline int _blk_errno[int status] = status == 0 ? 0 : status == 1 ? EOPNOTSUPP : status == 2 ? ETIMEDOUT : status == 3 ? ENOSPC :
    status == 4 ? ENOLINK : status == 5 ? EREMOTEIO : status == 6 ? EBADE : status == 7 ? ENODATA : status == 8 ? EILSEQ :
    status == 9 ? ENOMEM : status == 11 ? EREMCHG : status == 12 || status == 13 ? EAGAIN : EIO;

/* Before Linux 5.12 a request has the disk instead of the partition, and counts blocks from the disk's beginning. */
!bio.bi_bdev	inline dev_t _disk_number[struct gendisk *G] = G->major << 20 | G->first_minor;

/* include/linux/blk_types.h: odd operations write to the device; REQ_SYNC is 1 << 11. */
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
?bio.bi_bdev	b_edev = B->bi_bdev != NULL ? B->bi_bdev->bd_dev : 0;
!bio.bi_bdev	b_edev = B->bi_disk != NULL ? _disk_number[B->bi_disk] : 0;
};

/* Block numbers count in units of b_size. A buffer_head has no direction; it is an argument of the function that submits it. */
#pragma D attributes Stable/Stable/Common translator
translator bufinfo_t < struct buffer_head *B > {
	b_flags = arg1 & 1 ? B_WRITE : B_READ;
	b_bcount = B->b_size;
	b_addr = (caddr_t)B->b_data;
	b_lblkno = B->b_blocknr;
	b_blkno = B->b_blocknr;
	b_resid = 0;
	b_bufsize = B->b_size;
?buffer_head.b_end_io	b_iodone = (caddr_t)B->b_end_io;
!buffer_head.b_end_io	b_iodone = NULL;
	b_error = 0;
	b_edev = B->b_bdev != NULL ? B->b_bdev->bd_dev : 0;
};

inline int _partition[struct block_device *D] =
?block_device.bd_partno	D->bd_partno;
!block_device.bd_partno	D->__bd_flags.counter & 255;

inline char _last[struct block_device *D] = D->bd_disk->disk_name[strlen(D->bd_disk->disk_name) - 1];

/* Like the kernel's bdevname(): a p before the number if the disk's name ends with a digit. */
inline string _statname[struct block_device *D] = _partition[D] == 0 ? stringof(D->bd_disk->disk_name) :
    strjoin(strjoin(D->bd_disk->disk_name, _last[D] >= '0' && _last[D] <= '9' ? "p" : ""), lltostr(_partition[D]));

#pragma D attributes Stable/Stable/Common translator
translator devinfo_t < struct block_device *D > {
	dev_major = D != NULL ? getmajor(D->bd_dev) : 0;
	dev_minor = D != NULL ? getminor(D->bd_dev) : 0;
	dev_instance = 0;
	dev_name = D != NULL ? _block_driver(getmajor(D->bd_dev)) : "nfs";
	dev_statname = D != NULL ? _statname[D] : "nfs";
	dev_pathname = D != NULL ? strjoin("/dev/", _statname[D]) : "<nfs>";
};

#pragma D attributes Stable/Stable/Common translator
translator devinfo_t < struct gendisk *G > {
	dev_major = G != NULL ? G->major : 0;
	dev_minor = G != NULL ? G->first_minor : 0;
	dev_instance = 0;
	dev_name = G != NULL ? _block_driver(G->major) : "nfs";
	dev_statname = G != NULL ? stringof(G->disk_name) : "nfs";
	dev_pathname = G != NULL ? strjoin("/dev/", stringof(G->disk_name)) : "<nfs>";
};

#pragma D attributes Stable/Stable/Common translator
translator devinfo_t < struct bio *B > {
?bio.bi_bdev	dev_major = xlate <devinfo_t> (B->bi_bdev).dev_major;
?bio.bi_bdev	dev_minor = xlate <devinfo_t> (B->bi_bdev).dev_minor;
?bio.bi_bdev	dev_name = xlate <devinfo_t> (B->bi_bdev).dev_name;
?bio.bi_bdev	dev_statname = xlate <devinfo_t> (B->bi_bdev).dev_statname;
?bio.bi_bdev	dev_pathname = xlate <devinfo_t> (B->bi_bdev).dev_pathname;
!bio.bi_bdev	dev_major = xlate <devinfo_t> (B->bi_disk).dev_major;
!bio.bi_bdev	dev_minor = xlate <devinfo_t> (B->bi_disk).dev_minor;
!bio.bi_bdev	dev_name = xlate <devinfo_t> (B->bi_disk).dev_name;
!bio.bi_bdev	dev_statname = xlate <devinfo_t> (B->bi_disk).dev_statname;
!bio.bi_bdev	dev_pathname = xlate <devinfo_t> (B->bi_disk).dev_pathname;
	dev_instance = 0;
};

#pragma D attributes Stable/Stable/Common translator
translator devinfo_t < struct buffer_head *B > {
	dev_major = xlate <devinfo_t> (B->b_bdev).dev_major;
	dev_minor = xlate <devinfo_t> (B->b_bdev).dev_minor;
	dev_instance = 0;
	dev_name = xlate <devinfo_t> (B->b_bdev).dev_name;
	dev_statname = xlate <devinfo_t> (B->b_bdev).dev_statname;
	dev_pathname = xlate <devinfo_t> (B->b_bdev).dev_pathname;
};

/* The object of an io probe: a bio, with the status of an ended request in arg2; or another object that arg3 to arg8 describe (1: a read or
 * write of a file server, 2: a buffer of XFS, which counts in blocks of 512 bytes). */
typedef struct io_request {
	uintptr_t bio;
} io_request_t;

inline struct bio *_bio[io_request_t *R] = (struct bio *)R;

?bio.bi_bdev	inline struct block_device *_device[io_request_t *R] = arg3 != 0 ? (struct block_device *)arg7 : _bio[R]->bi_bdev;
!bio.bi_bdev	inline struct block_device *_device[io_request_t *R] = (struct block_device *)arg7;

#pragma D attributes Stable/Stable/Common translator
translator bufinfo_t < io_request_t *R > {
	b_flags = arg3 == 0 ? xlate <bufinfo_t> (_bio[R]).b_flags : (arg4 ? B_WRITE : B_READ) | (arg3 == 1 ? B_ASYNC : 0) | B_PHYS;
	b_bcount = arg3 == 0 ? _bio[R]->bi_iter.bi_size : arg3 == 1 ? arg5 : arg5 * 512;
	b_addr = NULL;
	b_lblkno = arg3 == 0 ? _bio[R]->bi_iter.bi_sector : arg6;
	b_blkno = arg3 == 0 ? _bio[R]->bi_iter.bi_sector : arg6;
	b_resid = 0;
	b_bufsize = arg3 == 0 ? _bio[R]->bi_iter.bi_size : arg3 == 1 ? arg5 : arg5 * 512;
	b_iodone = arg3 == 0 ? (caddr_t)_bio[R]->bi_end_io : NULL;
	b_error = arg3 != 0 ? -(int)arg8 : arg2 != 0 ? _blk_errno[arg2] : xlate <bufinfo_t> (_bio[R]).b_error;
?bio.bi_bdev	b_edev = _device[R] != NULL ? _device[R]->bd_dev : 0;
!bio.bi_bdev	b_edev = arg3 == 0 ? xlate <bufinfo_t> (_bio[R]).b_edev : _device[R] != NULL ? _device[R]->bd_dev : 0;
};

#pragma D attributes Stable/Stable/Common translator
translator devinfo_t < io_request_t *R > {
?bio.bi_bdev	dev_major = xlate <devinfo_t> (_device[R]).dev_major;
!bio.bi_bdev	dev_major = arg3 == 0 ? xlate <devinfo_t> (_bio[R]).dev_major : xlate <devinfo_t> (_device[R]).dev_major;
?bio.bi_bdev	dev_minor = xlate <devinfo_t> (_device[R]).dev_minor;
!bio.bi_bdev	dev_minor = arg3 == 0 ? xlate <devinfo_t> (_bio[R]).dev_minor : xlate <devinfo_t> (_device[R]).dev_minor;
	dev_instance = 0;
?bio.bi_bdev	dev_name = xlate <devinfo_t> (_device[R]).dev_name;
!bio.bi_bdev	dev_name = arg3 == 0 ? xlate <devinfo_t> (_bio[R]).dev_name : xlate <devinfo_t> (_device[R]).dev_name;
?bio.bi_bdev	dev_statname = xlate <devinfo_t> (_device[R]).dev_statname;
!bio.bi_bdev	dev_statname = arg3 == 0 ? xlate <devinfo_t> (_bio[R]).dev_statname : xlate <devinfo_t> (_device[R]).dev_statname;
?bio.bi_bdev	dev_pathname = xlate <devinfo_t> (_device[R]).dev_pathname;
!bio.bi_bdev	dev_pathname = arg3 == 0 ? xlate <devinfo_t> (_bio[R]).dev_pathname : xlate <devinfo_t> (_device[R]).dev_pathname;
};
