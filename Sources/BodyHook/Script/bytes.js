// UTF-8; half a surrogate pair becomes U+FFFD, as it does in what browsers send.
function utf8(text) {
  return new g.TextEncoder().encode(text);
}

function concatenated(pieces) {
  var count = pieces.reduce(function (sum, piece) {
    return sum + piece.length;
  }, 0);
  var bytes = new Uint8Array(count);
  pieces.reduce(function (offset, piece) {
    bytes.set(piece, offset);
    return offset + piece.length;
  }, 0);
  return bytes;
}

function base64URL(bytes) {
  var text = "";
  for (var start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode.apply(null, bytes.subarray(start, start + 8192));
  }
  return g.btoa(text).replace(/\+/g, "-").replace(/\u002f/g, "_").replace(/=+$/, "");
}

function hexadecimal(bytes) {
  var text = "";
  for (var index = 0; index < bytes.length; index += 1) text += (256 + bytes[index]).toString(16).slice(1);
  return text;
}

function random(count) {
  return g.crypto.getRandomValues(new Uint8Array(count));
}

// SHA-256 (FIPS 180-4): the browser's own is asynchronous, and there in secure contexts only.
var roundConstants = (function () {
  var constants = [];
  for (var candidate = 2; constants.length < 64; candidate += 1) {
    var isPrime = true;
    for (var divisor = 2; divisor * divisor <= candidate; divisor += 1) isPrime = isPrime && candidate % divisor !== 0;
    if (isPrime) constants.push(candidate);
  }
  return {
    roots: constants.slice(0, 8).map(function (prime) {
      return ((Math.pow(prime, 1 / 2) % 1) * 4294967296) | 0;
    }),
    cubes: Int32Array.from(constants, function (prime) {
      return ((Math.pow(prime, 1 / 3) % 1) * 4294967296) | 0;
    })
  };
})();

function sha256(bytes) {
  var state = Int32Array.from(roundConstants.roots);
  var words = new Int32Array(64);
  var whole = bytes.length - (bytes.length % 64);
  digestBlocks(state, words, bytes, whole);
  var rest = bytes.subarray(whole);
  var tail = new Uint8Array(rest.length < 56 ? 64 : 128);
  tail.set(rest);
  tail[rest.length] = 128;
  var view = new DataView(tail.buffer);
  view.setUint32(tail.length - 8, Math.floor(bytes.length / 536870912));
  view.setUint32(tail.length - 4, (bytes.length * 8) >>> 0);
  digestBlocks(state, words, tail, tail.length);
  var digest = new Uint8Array(32);
  state.forEach(function (word, index) {
    new DataView(digest.buffer).setInt32(index * 4, word);
  });
  return hexadecimal(digest);
}

function digestBlocks(state, w, bytes, end) {
  var k = roundConstants.cubes;
  for (var start = 0; start < end; start += 64) {
    var i = 0;
    for (; i < 16; i += 1) {
      var at = start + i * 4;
      w[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    }
    for (; i < 64; i += 1) {
      var x = w[i - 15];
      var y = w[i - 2];
      var s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      var s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    var a = state[0];
    var b = state[1];
    var c = state[2];
    var e = state[4];
    var f = state[5];
    var h = state[7];
    var dd = state[3];
    var gg = state[6];
    for (i = 0; i < 64; i += 1) {
      var t1 = (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) + h;
      t1 = (t1 + ((e & f) ^ (~e & gg)) + k[i] + w[i]) | 0;
      var t2 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      t2 = (t2 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = gg;
      gg = f;
      f = e;
      e = (dd + t1) | 0;
      dd = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0] = (state[0] + a) | 0;
    state[1] = (state[1] + b) | 0;
    state[2] = (state[2] + c) | 0;
    state[3] = (state[3] + dd) | 0;
    state[4] = (state[4] + e) | 0;
    state[5] = (state[5] + f) | 0;
    state[6] = (state[6] + gg) | 0;
    state[7] = (state[7] + h) | 0;
  }
}
