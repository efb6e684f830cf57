#ifndef PINWARDEN_COPENSSL_H
#define PINWARDEN_COPENSSL_H
#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <openssl/pkcs12.h>
#include <openssl/hmac.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include "wire.h"
#include "x509.h"
#include "evidence.h"
#endif
