/*@
 * what:    a classic script with its own structs, enum, translator, arrays and inlines with parameters runs unmodified
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/write_sizes 16 300 16 5000'
 */

enum class { TINY = 1, SMALL, LARGE = 10 };

typedef struct pt { int x, y; } pt_t;

typedef struct ioinfo {
	int	io_fd;			/* file descriptor */
	size_t	io_size;
	enum class io_class;
	string	io_name;
	pt_t	io_where;
} ioinfo_t;

struct rawio { int fd; size_t size; };

translator ioinfo_t < struct rawio *R > {
	io_fd = R->fd;
	io_size = R->size;
	io_class = R->size < 32 ? TINY : R->size < 1024 ? SMALL : LARGE;
	io_name = execname;
};

inline size_t ROUND[size_t n, size_t to] = ((n) + (to) - 1) / (to) * (to);
inline string CLASS[int c] = c == TINY ? "tiny" : c == SMALL ? "small" : "large";

struct rawio	raw;
pt_t		corner;
self int	last[4];
uint64_t	history[8];
string		names[int, int];
int		seq;

syscall::write:entry
/pid == $target && arg0 == 3/
{
	this->raw = (struct rawio *)alloca(sizeof (struct rawio));
	this->raw->fd = arg0;
	this->raw->size = arg2;

	this->class = xlate <ioinfo_t> (this->raw).io_class;
	this->bytes = xlate <ioinfo_t *> (this->raw)->io_size;

	history[seq & 7] = this->bytes;
	self->last[seq % 4] = this->class;
	names[this->class, seq] = CLASS[this->class];
	@c[CLASS[this->class]] = sum(ROUND[this->bytes, 512]);
	corner.x = seq; corner.y += this->class;
	seq++;
}

syscall::write:return
/seq == 4 && pid == $target/
{
	printf("%d %d %d %d\n", self->last[0], self->last[1], self->last[2], self->last[3]);
	self->last[3] = 0;
	printf("%s %s %s %s\n", names[TINY, 0], names[SMALL, 1], names[TINY, 2], names[LARGE, 3]);
	printf("%s\n", names[TINY, 1] == NULL ? "not there" : names[TINY, 1]);
	seq = 0;
	done = 1;
}

END
/done/
{
	printf("%d %d %d %d\n", history[0], history[1], history[2], history[3]);
	printf("(%d,%d) %d %d\n", corner.x, corner.y, sizeof (pt_t), offsetof(pt_t, y));
	printa("%-6s %@d\n", @c);
}
