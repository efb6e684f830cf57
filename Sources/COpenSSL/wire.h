#ifndef PINWARDEN_COPENSSL_WIRE_H
#define PINWARDEN_COPENSSL_WIRE_H

// What connections need of OpenSSL and Swift cannot see: function-like macros and typed stacks.

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/ssl.h>

static const uint64_t copenssl_op_no_ticket = SSL_OP_NO_TICKET;
static const uint64_t copenssl_op_no_compression = SSL_OP_NO_COMPRESSION;
static const uint64_t copenssl_op_no_renegotiation = SSL_OP_NO_RENEGOTIATION;

static inline void copenssl_ctx_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }
static inline int copenssl_ctx_set_versions(SSL_CTX *context, int minimum, int maximum) {
  return SSL_CTX_set_min_proto_version(context, minimum) && SSL_CTX_set_max_proto_version(context, maximum);
}
static inline int copenssl_ctx_set_groups(SSL_CTX *context, const char *groups) {
  return (int)SSL_CTX_set1_groups_list(context, groups);
}
static inline int copenssl_ctx_set_signature_algorithms(SSL_CTX *context, const char *names) {
  return (int)SSL_CTX_set1_sigalgs_list(context, names);
}
static inline void copenssl_watch_extensions(
  SSL *ssl, void (*received)(SSL *, int, int, const unsigned char *, int, void *)) {
  SSL_set_tlsext_debug_callback(ssl, received);
}
static inline void copenssl_ctx_set_session_cache_mode(SSL_CTX *context, long mode) {
  SSL_CTX_set_session_cache_mode(context, mode);
}

static inline int copenssl_set_server_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}
static inline int copenssl_add_chain_certificate(SSL *ssl, X509 *certificate) {
  return (int)SSL_add1_chain_cert(ssl, certificate);
}
static inline size_t copenssl_certificate_types(SSL *ssl, const unsigned char **types) {
  return SSL_get0_certificate_types(ssl, types);
}
/* Gives the cipher and the MAC of a ticket their keys: AES-256-CBC, HMAC-SHA-256. */
static inline int copenssl_use_ticket_key(EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac, const unsigned char *cipher_key,
                                          const unsigned char *mac_key, size_t mac_length, const unsigned char *vector,
                                          int is_sealing) {
  OSSL_PARAM parameters[3] = {
    OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)mac_key, mac_length),
    OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
    OSSL_PARAM_construct_end(),
  };
  return EVP_MAC_CTX_set_params(mac, parameters)
    && EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), NULL, cipher_key, vector, is_sealing);
}
static inline void copenssl_set_owner(SSL *ssl, void *owner) { SSL_set_app_data(ssl, owner); }
static inline void *copenssl_owner(const SSL *ssl) { return SSL_get_app_data(ssl); }

static inline void copenssl_bio_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }
static inline void copenssl_bio_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }

static inline int copenssl_sent_count(const STACK_OF(X509) *stack) { return stack ? sk_X509_num(stack) : 0; }
static inline X509 *copenssl_sent_at(const STACK_OF(X509) *stack, int index) {
  return sk_X509_value(stack, index);
}
static inline int copenssl_authority_count(const STACK_OF(X509_NAME) *stack) { return stack ? sk_X509_NAME_num(stack) : 0; }
static inline X509_NAME *copenssl_authority_at(const STACK_OF(X509_NAME) *stack, int index) {
  return sk_X509_NAME_value(stack, index);
}

static inline int copenssl_error_library(unsigned long code) { return ERR_GET_LIB(code); }
static inline int copenssl_error_reason(unsigned long code) { return ERR_GET_REASON(code); }

#endif
