/* Probe site of adaptive.c, which fires after each request. */
provider adaptive {
	probe request__done(int64_t number, int64_t nanoseconds);
};

#pragma D attributes Evolving/Evolving/Common provider adaptive provider
#pragma D attributes Private/Private/Unknown provider adaptive module
#pragma D attributes Private/Private/Unknown provider adaptive function
#pragma D attributes Evolving/Evolving/Common provider adaptive name
#pragma D attributes Evolving/Evolving/Common provider adaptive args
