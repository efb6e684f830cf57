#ifndef PINWARDEN_CPSL_H
#define PINWARDEN_CPSL_H
#include <libpsl.h>
#endif
