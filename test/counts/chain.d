struct node { uint64_t flags; uint64_t number; };
struct mapping { uint64_t flags; struct node *host; };
syscall::getppid:entry { @ = sum(((struct mapping *)arg0)->host->number); }
