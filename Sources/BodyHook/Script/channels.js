// How bodies reach the proxy although the device strips them: in fields of their own request, or ahead of it.

var uploadPath = "/.well-known/pb/u";
var smallPiece = Math.min(8192, P.piece);
// The largest piece that a header field may have: proved once, or found to be too much for some protocol on the device.
var piece = P.piece;
var isPieceProved = false;
// Accept stays a field that needs no preflight up to this length (Fetch, "CORS-safelisted request-header").
var acceptLimit = 128;

function inlineLimit() {
  return isPieceProved ? piece : smallPiece;
}

function metaOf(method, result, more) {
  var meta = { v: 1, m: method, l: result.size };
  if (result.bytes) {
    meta.d = sha256(result.bytes);
  } else {
    meta.o = true;
  }
  Object.keys(more || {}).forEach(function (key) {
    if (more[key] !== null) meta[key] = more[key];
  });
  return base64URL(utf8(stringify(meta)));
}

// The fields that carry a small body to the page's own origin with its request.
// In `more`: `t`, the Content-Type of the request, if it is known; `a`, its Accept; `f` and `c`, a form's encoding and charset.
function inlineFields(method, result, more) {
  return [["x-pb-m", metaOf(method, result, more)], ["x-pb-d", base64URL(result.bytes)]];
}

function uploadAddress(target) {
  var page = here();
  var isSandboxed = ownOrigin() === "null";
  if (page && isHooked(page)) return (isSandboxed ? page.origin : ownOrigin()) + uploadPath;
  return target.origin + uploadPath;
}

// The requests that carry a body ahead, each a list of fields.
function uploadParts(id, method, result, more, size) {
  var bytes = result.bytes || new Uint8Array(0);
  var count = Math.max(1, Math.ceil(bytes.length / size));
  var parts = [];
  for (var index = 0; index < count; index += 1) {
    var slice = bytes.subarray(index * size, (index + 1) * size);
    var fields = [["x-pb-id", id], ["x-pb-n", index + "/" + count], ["x-pb-s", String(slice.length)]];
    if (slice.length) fields.push(["x-pb-d", base64URL(slice)]);
    if (index === 0) fields.push(["x-pb-m", metaOf(method, result, more)]);
    parts.push(fields);
  }
  return parts;
}

function sendPart(address, fields) {
  var request = new XHR();
  nativeOpen.call(request, "POST", address, false);
  fields.forEach(function (field) {
    nativeSetRequestHeader.call(request, field[0], field[1]);
  });
  nativeSend.call(request);
  if (request.status !== 200) throw new Error("refused");
}

function sendPartLater(address, fields, keepalive) {
  return nativeFetch.call(g, address, {
    method: "POST", headers: fields, mode: "cors", credentials: "omit", cache: "no-store", keepalive: keepalive
  }).then(function (response) {
    if (response.status !== 200) throw new Error("refused");
  });
}

// Each `upload` calls `send` with a size of pieces and a name; if a large piece does not arrive, small ones are tried.
function sizes() {
  return isPieceProved || piece <= smallPiece ? [piece] : [piece, smallPiece];
}

function proved(size, count) {
  if (count < size) return;
  piece = size;
  isPieceProved = true;
}

// Sends a body ahead before anything else happens.
// Answers its name; null: it cannot be carried, and the request goes as it would without this script.
function upload(target, method, result, more) {
  var address = uploadAddress(target);
  var tried = sizes();
  for (var index = 0; index < tried.length; index += 1) {
    var id = hexadecimal(random(16));
    try {
      uploadParts(id, method, result, more, tried[index]).forEach(function (fields) {
        sendPart(address, fields);
      });
      proved(tried[index], result.size);
      return id;
    } catch (error) {
      if (result.size <= smallPiece) return null;
    }
  }
  return null;
}

// As `upload`, without holding up the page.
function uploadLater(target, method, result, more) {
  var address = uploadAddress(target);
  function attempt(remaining) {
    var id = hexadecimal(random(16));
    var parts = uploadParts(id, method, result, more, remaining[0]);
    return sendParts(address, parts).then(function () {
      proved(remaining[0], result.size);
      return id;
    }, function () {
      return remaining.length > 1 && result.size > smallPiece ? attempt(remaining.slice(1)) : null;
    });
  }
  return attempt(sizes());
}

// The first part alone, since it may prove too large; then some at a time.
function sendParts(address, parts) {
  var next = 1;
  function more() {
    if (next >= parts.length) return undefined;
    next += 1;
    return sendPartLater(address, parts[next - 1], false).then(more);
  }
  return sendPartLater(address, parts[0], false).then(function () {
    return Promise.all([more(), more(), more(), more()]);
  });
}

// For requests that outlive their page, where no answer may come any more: everything goes at once, and the proxy waits a little.
function uploadBlindly(target, method, result, more) {
  var id = hexadecimal(random(16));
  uploadParts(id, method, result, more, smallPiece).forEach(function (fields) {
    sendPartLater(uploadAddress(target), fields, true).catch(function () {});
  });
  return id;
}

// The Accept of a request whose body went ahead, and what the proxy is to make of it.
function acceptFor(accept, type) {
  var wanted = accept || "*/*";
  var isLong = wanted.length + 51 > acceptLimit && wanted.length <= acceptLimit;
  return {
    more: { a: isLong ? wanted : null, t: type },
    value: function (id) {
      return (isLong ? "*/*" : wanted) + ", application/x-pb." + id;
    }
  };
}
