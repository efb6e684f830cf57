#ifndef PINWARDEN_CIDN2_H
#define PINWARDEN_CIDN2_H
#include <idn2.h>
#endif
