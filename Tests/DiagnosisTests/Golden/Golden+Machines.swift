/// For programs.
extension Golden {
  static let json = #"""
    {"host":"a.test","url":"https://a.test/","os":"18.4","verdict":"needs-exception","error":null,\#
    "rows":[{"name":"ATS Default Connection","dictionary":{},"result":"FAIL",\#
    "error":{"domain":"NSURLErrorDomain","code":-1200,"name":"SecureConnectionFailed","detail":"The \#
    origin a.test:443 negotiated AES128-GCM-SHA256, the policy asks for forward secrecy (App Transport \#
    Security, OS 18.4, Secure Transport -9882 errSSLATSCiphersuiteViolation). Enable ECDHE suites at \#
    the origin, or give the host NSExceptionRequiresForwardSecrecy = NO if it knows RSA key exchange \#
    only.","secureTransport":{"code":-9882,"name":"errSSLATSCiphersuiteViolation"}},\#
    "reasons":[{"name":"forward-secrecy","detail":"The origin a.test:443 negotiated AES128-GCM-SHA256, \#
    the policy asks for forward secrecy (App Transport Security, OS 18.4, Secure Transport -9882 \#
    errSSLATSCiphersuiteViolation). Enable ECDHE suites at the origin, or give the host \#
    NSExceptionRequiresForwardSecrecy = NO if it knows RSA key exchange only."}]},{"name":"Allow All \#
    Loads","dictionary":{"NSAllowsArbitraryLoads":true},"result":"PASS","error":null,"reasons":[]},\#
    {"name":"TLSv1.3","dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionMinimumTLSVersion":"TLSv\#
    1.3"}}},"result":"FAIL","error":{"domain":"NSURLErrorDomain","code":-1200,\#
    "name":"SecureConnectionFailed","detail":"The origin a.test:443 negotiated TLSv1.2, the policy asks \#
    for TLSv1.3 or later (App Transport Security, OS 18.4, Secure Transport -9881 \#
    errSSLATSMinimumVersionViolation). Enable TLSv1.3 at the origin, or give the host \#
    NSExceptionMinimumTLSVersion.","secureTransport":{"code":-9881,\#
    "name":"errSSLATSMinimumVersionViolation"}},"reasons":[{"name":"minimum-tls","detail":"The origin \#
    a.test:443 negotiated TLSv1.2, the policy asks for TLSv1.3 or later (App Transport Security, OS \#
    18.4, Secure Transport -9881 errSSLATSMinimumVersionViolation). Enable TLSv1.3 at the origin, or \#
    give the host NSExceptionMinimumTLSVersion."},{"name":"forward-secrecy","detail":"The origin \#
    a.test:443 negotiated AES128-GCM-SHA256, the policy asks for forward secrecy (App Transport \#
    Security, OS 18.4, Secure Transport -9882 errSSLATSCiphersuiteViolation). Enable ECDHE suites at \#
    the origin, or give the host NSExceptionRequiresForwardSecrecy = NO if it knows RSA key exchange \#
    only."}]},{"name":"TLSv1.2","dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionMinimumTLSVers\#
    ion":"TLSv1.2"}}},"result":"FAIL","error":{"domain":"NSURLErrorDomain","code":-1200,\#
    "name":"SecureConnectionFailed","detail":"The origin a.test:443 negotiated AES128-GCM-SHA256, the \#
    policy asks for forward secrecy (App Transport Security, OS 18.4, Secure Transport -9882 \#
    errSSLATSCiphersuiteViolation). Enable ECDHE suites at the origin, or give the host \#
    NSExceptionRequiresForwardSecrecy = NO if it knows RSA key exchange only.",\#
    "secureTransport":{"code":-9882,"name":"errSSLATSCiphersuiteViolation"}},\#
    "reasons":[{"name":"forward-secrecy","detail":"The origin a.test:443 negotiated AES128-GCM-SHA256, \#
    the policy asks for forward secrecy (App Transport Security, OS 18.4, Secure Transport -9882 \#
    errSSLATSCiphersuiteViolation). Enable ECDHE suites at the origin, or give the host \#
    NSExceptionRequiresForwardSecrecy = NO if it knows RSA key exchange only."}]},{"name":"TLSv1.1",\#
    "dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionMinimumTLSVersion":"TLSv1.1"}}},\#
    "result":"FAIL","error":{"domain":"NSURLErrorDomain","code":-1200,"name":"SecureConnectionFailed",\#
    "detail":"The origin a.test:443 negotiated AES128-GCM-SHA256, the policy asks for forward secrecy \#
    (App Transport Security, OS 18.4, Secure Transport -9882 errSSLATSCiphersuiteViolation). Enable \#
    ECDHE suites at the origin, or give the host NSExceptionRequiresForwardSecrecy = NO if it knows RSA \#
    key exchange only.","secureTransport":{"code":-9882,"name":"errSSLATSCiphersuiteViolation"}},\#
    "reasons":[{"name":"forward-secrecy","detail":"The origin a.test:443 negotiated AES128-GCM-SHA256, \#
    the policy asks for forward secrecy (App Transport Security, OS 18.4, Secure Transport -9882 \#
    errSSLATSCiphersuiteViolation). Enable ECDHE suites at the origin, or give the host \#
    NSExceptionRequiresForwardSecrecy = NO if it knows RSA key exchange only."}]},{"name":"TLSv1.0",\#
    "dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionMinimumTLSVersion":"TLSv1.0"}}},\#
    "result":"FAIL","error":{"domain":"NSURLErrorDomain","code":-1200,"name":"SecureConnectionFailed",\#
    "detail":"The origin a.test:443 negotiated AES128-GCM-SHA256, the policy asks for forward secrecy \#
    (App Transport Security, OS 18.4, Secure Transport -9882 errSSLATSCiphersuiteViolation). Enable \#
    ECDHE suites at the origin, or give the host NSExceptionRequiresForwardSecrecy = NO if it knows RSA \#
    key exchange only.","secureTransport":{"code":-9882,"name":"errSSLATSCiphersuiteViolation"}},\#
    "reasons":[{"name":"forward-secrecy","detail":"The origin a.test:443 negotiated AES128-GCM-SHA256, \#
    the policy asks for forward secrecy (App Transport Security, OS 18.4, Secure Transport -9882 \#
    errSSLATSCiphersuiteViolation). Enable ECDHE suites at the origin, or give the host \#
    NSExceptionRequiresForwardSecrecy = NO if it knows RSA key exchange only."}]},{"name":"Disabling \#
    Perfect Forward Secrecy","dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionRequiresForwardSe\#
    crecy":false}}},"result":"PASS","error":null,"reasons":[]},{"name":"Disabling Perfect Forward \#
    Secrecy and Allowing Insecure HTTP","dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionAllows\#
    InsecureHTTPLoads":true,"NSExceptionRequiresForwardSecrecy":false}}},"result":"PASS","error":null,\#
    "reasons":[]},{"name":"TLSv1.3 with PFS disabled",\#
    "dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionMinimumTLSVersion":"TLSv1.3",\#
    "NSExceptionRequiresForwardSecrecy":false}}},"result":"FAIL","error":{"domain":"NSURLErrorDomain",\#
    "code":-1200,"name":"SecureConnectionFailed","detail":"The origin a.test:443 negotiated TLSv1.2, \#
    the policy asks for TLSv1.3 or later (App Transport Security, OS 18.4, Secure Transport -9881 \#
    errSSLATSMinimumVersionViolation). Enable TLSv1.3 at the origin, or give the host \#
    NSExceptionMinimumTLSVersion.","secureTransport":{"code":-9881,\#
    "name":"errSSLATSMinimumVersionViolation"}},"reasons":[{"name":"minimum-tls","detail":"The origin \#
    a.test:443 negotiated TLSv1.2, the policy asks for TLSv1.3 or later (App Transport Security, OS \#
    18.4, Secure Transport -9881 errSSLATSMinimumVersionViolation). Enable TLSv1.3 at the origin, or \#
    give the host NSExceptionMinimumTLSVersion."}]},{"name":"TLSv1.2 with PFS disabled",\#
    "dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionMinimumTLSVersion":"TLSv1.2",\#
    "NSExceptionRequiresForwardSecrecy":false}}},"result":"PASS","error":null,"reasons":[]},\#
    {"name":"TLSv1.1 with PFS disabled","dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionMinimu\#
    mTLSVersion":"TLSv1.1","NSExceptionRequiresForwardSecrecy":false}}},"result":"PASS","error":null,\#
    "reasons":[]},{"name":"TLSv1.0 with PFS disabled",\#
    "dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionMinimumTLSVersion":"TLSv1.0",\#
    "NSExceptionRequiresForwardSecrecy":false}}},"result":"PASS","error":null,"reasons":[]},\#
    {"name":"TLSv1.3 with PFS disabled and insecure HTTP allowed",\#
    "dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionAllowsInsecureHTTPLoads":true,\#
    "NSExceptionMinimumTLSVersion":"TLSv1.3","NSExceptionRequiresForwardSecrecy":false}}},\#
    "result":"FAIL","error":{"domain":"NSURLErrorDomain","code":-1200,"name":"SecureConnectionFailed",\#
    "detail":"The origin a.test:443 negotiated TLSv1.2, the policy asks for TLSv1.3 or later (App \#
    Transport Security, OS 18.4, Secure Transport -9881 errSSLATSMinimumVersionViolation). Enable \#
    TLSv1.3 at the origin, or give the host NSExceptionMinimumTLSVersion.",\#
    "secureTransport":{"code":-9881,"name":"errSSLATSMinimumVersionViolation"}},\#
    "reasons":[{"name":"minimum-tls","detail":"The origin a.test:443 negotiated TLSv1.2, the policy \#
    asks for TLSv1.3 or later (App Transport Security, OS 18.4, Secure Transport -9881 \#
    errSSLATSMinimumVersionViolation). Enable TLSv1.3 at the origin, or give the host \#
    NSExceptionMinimumTLSVersion."}]},{"name":"TLSv1.2 with PFS disabled and insecure HTTP allowed",\#
    "dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionAllowsInsecureHTTPLoads":true,\#
    "NSExceptionMinimumTLSVersion":"TLSv1.2","NSExceptionRequiresForwardSecrecy":false}}},\#
    "result":"PASS","error":null,"reasons":[]},{"name":"TLSv1.1 with PFS disabled and insecure HTTP \#
    allowed","dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionAllowsInsecureHTTPLoads":true,\#
    "NSExceptionMinimumTLSVersion":"TLSv1.1","NSExceptionRequiresForwardSecrecy":false}}},\#
    "result":"PASS","error":null,"reasons":[]},{"name":"TLSv1.0 with PFS disabled and insecure HTTP \#
    allowed","dictionary":{"NSExceptionDomains":{"a.test":{"NSExceptionAllowsInsecureHTTPLoads":true,\#
    "NSExceptionMinimumTLSVersion":"TLSv1.0","NSExceptionRequiresForwardSecrecy":false}}},\#
    "result":"PASS","error":null,"reasons":[]}],"facts":{"address":"192.0.2.1:443","proxy":null,\#
    "version":"TLSv1.2","cipher":"AES128-GCM-SHA256","extendedMasterSecret":false,"hostMatches":true,\#
    "trusted":true,"systemAnchor":false,"clientCertificate":null,"status":200,"silence":null,\#
    "certificates":[{"subject":"CN=a.test","issuer":"CN=root","names":[],\#
    "notBefore":"2026-11-20T12:00:00.000Z","notAfter":"2027-01-29T12:00:00.000Z","key":"EC 256",\#
    "signatureHash":"sha256","sha256":"0101010101010101010101010101010101010101010101010101010101010101"\#
    ,"spki":"sha256/AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="}]},\#
    "handshakes":[{"offer":{"minimum":"TLSv1.2","maximum":"TLSv1.3",\#
    "suites":["ECDHE-RSA-AES128-GCM-SHA256"]},"version":null,"cipher":null,"failure":"the origin sent \#
    the alert handshake_failure (40)"}],"pins":{"okhttp":["sha256/AgICAgICAgICAgICAgICAgICAgICAgICAgICAg\#
    ICAgI=","sha256/AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM="],\#
    "curl":"sha256//AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=;sha256//AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM\#
    DAwMDAwMDAwM=","nsPinnedDomains":{"a.test":{"NSPinnedCAIdentities":[{"SPKI-SHA256-BASE64":"AwMDAwMDA\#
    wMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM="}],"NSPinnedLeafIdentities":[{"SPKI-SHA256-BASE64":"AgICAgICAgIC\#
    AgICAgICAgICAgICAgICAgICAgICAgI="}]}},"trustKit":["AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=",\#
    "AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM="],"networkSecurityConfig":"<pin-set><pin \#
    digest=\"SHA-256\">AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=</pin><pin \#
    digest=\"SHA-256\">AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=</pin></pin-set>"},\#
    "smallest":{"NSExceptionDomains":{"a.test":{"NSExceptionRequiresForwardSecrecy":false}}},\#
    "plainHTTP":null,"redirects":{"end":"reached","steps":[]},"chain":[{"kind":"expiring-soon",\#
    "level":"warning","detail":"\"CN=a.test\" expires on 2026-12-10, in 10 days."}]}
    """#

  static let jUnit = #"""
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="pinwarden diagnose" tests="16" failures="1" errors="0" skipped="6" time="0">
      <testsuite name="a.test (OS 18.4)" tests="16" failures="1" errors="0" skipped="6" time="0">
        <testcase name="ATS Default Connection" classname="a.test (OS 18.4)" time="0">
          <failure message="-1200 forward-secrecy: App Transport Security refuses a cipher suite \#
    without forward secrecy" type="failure">forward-secrecy: The origin a.test:443 negotiated \#
    AES128-GCM-SHA256, the policy asks for forward secrecy (App Transport Security, OS 18.4, Secure \#
    Transport -9882 errSSLATSCiphersuiteViolation). Enable ECDHE suites at the origin, or give the host \#
    NSExceptionRequiresForwardSecrecy = NO if it knows RSA key exchange only.</failure>
        </testcase>
        <testcase name="Allow All Loads" classname="a.test (OS 18.4)" time="0"/>
        <testcase name="TLSv1.3" classname="a.test (OS 18.4)" time="0">
          <skipped message="-1200 minimum-tls: App Transport Security refuses the origin's TLS \#
    version"/>
        </testcase>
        <testcase name="TLSv1.2" classname="a.test (OS 18.4)" time="0">
          <skipped message="-1200 forward-secrecy: App Transport Security refuses a cipher suite \#
    without forward secrecy"/>
        </testcase>
        <testcase name="TLSv1.1" classname="a.test (OS 18.4)" time="0">
          <skipped message="-1200 forward-secrecy: App Transport Security refuses a cipher suite \#
    without forward secrecy"/>
        </testcase>
        <testcase name="TLSv1.0" classname="a.test (OS 18.4)" time="0">
          <skipped message="-1200 forward-secrecy: App Transport Security refuses a cipher suite \#
    without forward secrecy"/>
        </testcase>
        <testcase name="Disabling Perfect Forward Secrecy" classname="a.test (OS 18.4)" time="0"/>
        <testcase name="Disabling Perfect Forward Secrecy and Allowing Insecure HTTP" classname="a.test \#
    (OS 18.4)" time="0"/>
        <testcase name="TLSv1.3 with PFS disabled" classname="a.test (OS 18.4)" time="0">
          <skipped message="-1200 minimum-tls: App Transport Security refuses the origin's TLS \#
    version"/>
        </testcase>
        <testcase name="TLSv1.2 with PFS disabled" classname="a.test (OS 18.4)" time="0"/>
        <testcase name="TLSv1.1 with PFS disabled" classname="a.test (OS 18.4)" time="0"/>
        <testcase name="TLSv1.0 with PFS disabled" classname="a.test (OS 18.4)" time="0"/>
        <testcase name="TLSv1.3 with PFS disabled and insecure HTTP allowed" classname="a.test (OS \#
    18.4)" time="0">
          <skipped message="-1200 minimum-tls: App Transport Security refuses the origin's TLS \#
    version"/>
        </testcase>
        <testcase name="TLSv1.2 with PFS disabled and insecure HTTP allowed" classname="a.test (OS \#
    18.4)" time="0"/>
        <testcase name="TLSv1.1 with PFS disabled and insecure HTTP allowed" classname="a.test (OS \#
    18.4)" time="0"/>
        <testcase name="TLSv1.0 with PFS disabled and insecure HTTP allowed" classname="a.test (OS \#
    18.4)" time="0"/>
      </testsuite>
    </testsuites>

    """#

  static let sarif = #"""
    {"$schema":"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.js\#
    on","version":"2.1.0","runs":[{"tool":{"driver":{"name":"pinwarden","version":"1.2.3",\#
    "rules":[{"id":"forward-secrecy","shortDescription":{"text":"The cipher suite has no forward \#
    secrecy"}},{"id":"expiring-soon","shortDescription":{"text":"A certificate expires soon"}}]}},\#
    "results":[{"ruleId":"forward-secrecy","ruleIndex":0,"level":"error","message":{"text":"a.test, OS \#
    18.4: The origin a.test:443 negotiated AES128-GCM-SHA256, the policy asks for forward secrecy (App \#
    Transport Security, OS 18.4, Secure Transport -9882 errSSLATSCiphersuiteViolation). Enable ECDHE \#
    suites at the origin, or give the host NSExceptionRequiresForwardSecrecy = NO if it knows RSA key \#
    exchange only."},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"https://a.test/"}},\#
    "logicalLocations":[{"name":"a.test","kind":"resource"}]}]},{"ruleId":"expiring-soon","ruleIndex":1,\#
    "level":"warning","message":{"text":"a.test: \"CN=a.test\" expires on 2026-12-10, in 10 days."},\#
    "locations":[{"physicalLocation":{"artifactLocation":{"uri":"https://a.test/"}},\#
    "logicalLocations":[{"name":"a.test","kind":"resource"}]}]}]}]}
    """#
}
