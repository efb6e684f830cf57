#ifndef PINWARDEN_COPENSSL_EVIDENCE_H
#define PINWARDEN_COPENSSL_EVIDENCE_H
/* What stands beside a chain: timestamps of Certificate Transparency, stapled status, and where issuers are to be had. */
#include <openssl/ct.h>
#include <openssl/ocsp.h>
#include <openssl/pkcs7.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/* Extensions of a hello. */

static inline int copenssl_ctx_ask_for_status(SSL_CTX *context, int (*arrived)(SSL *, void *)) {
  return SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp)
    && SSL_CTX_set_tlsext_status_cb(context, arrived);
}

/* The stapled response as it came, or NULL; it belongs to `ssl`. */
static inline const unsigned char *copenssl_status_response(SSL *ssl, long *length) {
  const unsigned char *bytes = NULL;
  *length = SSL_get_tlsext_status_ocsp_resp(ssl, &bytes);
  return *length > 0 ? bytes : NULL;
}

/* Signed certificate timestamps (RFC 6962 section 3.2). */

static inline STACK_OF(SCT) *copenssl_timestamps_read(const unsigned char *bytes, size_t length) {
  const unsigned char *position = bytes;
  return o2i_SCT_LIST(NULL, &position, length);
}

static inline STACK_OF(SCT) *copenssl_timestamps_of_certificate(const X509 *certificate) {
  return (STACK_OF(SCT) *)X509_get_ext_d2i(certificate, NID_ct_precert_scts, NULL, NULL);
}

static inline STACK_OF(SCT) *copenssl_timestamps_of_response(OCSP_SINGLERESP *response) {
  return (STACK_OF(SCT) *)OCSP_SINGLERESP_get1_ext_d2i(response, NID_ct_cert_scts, NULL, NULL);
}

static inline int copenssl_timestamps_count(const STACK_OF(SCT) *list) { return list == NULL ? 0 : sk_SCT_num(list); }
static inline SCT *copenssl_timestamps_at(const STACK_OF(SCT) *list, int index) { return sk_SCT_value(list, index); }

/* The TBSCertificate without its list of timestamps, which is what logs sign. Below 0: failed. */
static inline int copenssl_precertificate(const X509 *certificate, unsigned char **encoded) {
  X509 *copy = X509_dup(certificate);
  int index = copy == NULL ? -1 : X509_get_ext_by_NID(copy, NID_ct_precert_scts, -1);
  int length = -1;
  if (index >= 0) {
    X509_EXTENSION_free(X509_delete_ext(copy, index));
    length = i2d_re_X509_tbs(copy, encoded);
  }
  X509_free(copy);
  return length;
}

/* Online status (RFC 6960). */

/* Whether a response speaks of this certificate, by whatever hash the responder names it. */
static inline int copenssl_response_is_about(const OCSP_SINGLERESP *response, const X509 *certificate, const X509 *issuer) {
  OCSP_CERTID *id = (OCSP_CERTID *)OCSP_SINGLERESP_get0_id(response);
  ASN1_OBJECT *hash = NULL;
  if (id == NULL || !OCSP_id_get0_info(NULL, &hash, NULL, NULL, id)) return 0;
  const EVP_MD *digest = EVP_get_digestbyobj(hash);
  OCSP_CERTID *wanted = digest == NULL ? NULL : OCSP_cert_to_id(digest, certificate, issuer);
  int is_same = wanted != NULL && OCSP_id_cmp(id, wanted) == 0;
  OCSP_CERTID_free(wanted);
  return is_same;
}

/* Authority information access and the TLS feature (RFC 5280 section 4.2.2.1, RFC 7633). */

static inline AUTHORITY_INFO_ACCESS *copenssl_information_access(const X509 *certificate) {
  return (AUTHORITY_INFO_ACCESS *)X509_get_ext_d2i(certificate, NID_info_access, NULL, NULL);
}

static inline int copenssl_information_count(const AUTHORITY_INFO_ACCESS *access) {
  return access == NULL ? 0 : sk_ACCESS_DESCRIPTION_num(access);
}

/* The bytes of a URI at which certificates of the issuer are; NULL for anything else. They belong to `access`. */
static inline const unsigned char *copenssl_issuer_location(const AUTHORITY_INFO_ACCESS *access, int index, int *length) {
  const ACCESS_DESCRIPTION *description = sk_ACCESS_DESCRIPTION_value(access, index);
  *length = 0;
  if (OBJ_obj2nid(description->method) != NID_ad_ca_issuers || description->location->type != GEN_URI) return NULL;
  *length = ASN1_STRING_length(description->location->d.uniformResourceIdentifier);
  return ASN1_STRING_get0_data(description->location->d.uniformResourceIdentifier);
}

/* Whether a server with this certificate must use the TLS extension. */
static inline int copenssl_has_tls_feature(const X509 *certificate, long extension) {
  TLS_FEATURE *features = (TLS_FEATURE *)X509_get_ext_d2i(certificate, NID_tlsfeature, NULL, NULL);
  int found = 0;
  for (int i = 0; features != NULL && i < sk_ASN1_INTEGER_num(features); i++)
    if (ASN1_INTEGER_get(sk_ASN1_INTEGER_value(features, i)) == extension) found = 1;
  TLS_FEATURE_free(features);
  return found;
}

/* The certificates of a certs-only message (RFC 2315); NULL for other kinds. They belong to `message`. */
static inline STACK_OF(X509) *copenssl_message_certificates(const PKCS7 *message) {
  if (OBJ_obj2nid(message->type) != NID_pkcs7_signed || message->d.sign == NULL) return NULL;
  return message->d.sign->cert;
}

#endif
