/* The probes of market.c. */
provider shop {
	probe open();
	probe sale(int id, const char *item);
	probe many(long a, long b, long c, long d, long e, long f, long g, int h);
	probe close__day(int id, char kind) : (char kind, int id);
	probe unwanted(int id);
};

#pragma D attributes Evolving/Evolving/Common provider shop provider
#pragma D attributes Private/Private/Unknown provider shop module
#pragma D attributes Private/Private/Unknown provider shop function
#pragma D attributes Evolving/Evolving/Common provider shop name
#pragma D attributes Evolving/Evolving/Common provider shop args
