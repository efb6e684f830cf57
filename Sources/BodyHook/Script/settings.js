// The script of the body hook. Its parts stand one after the other inside `install(g)`, which hooks one global object `g`: a window, or
// the scope of a worker. `P` is what the proxy says: `hosts`, patterns as [kind, name, port]; `limit`, the largest body in bytes; `piece`,
// the bytes that one header field may carry.
//
// Rules for these files: every statement ends in a semicolon, a comment stands on lines of its own, no text holds two slashes, and
// nothing but ASCII occurs, since the parts are joined into one line that keeps the page's line numbers.

var d = g.document;
var XHR = g.XMLHttpRequest;
var nativeFetch = g.fetch;
var nativeRequest = g.Request;
var nativeURL = g.URL;
var now = Date.now;

var stringify = JSON.stringify;

function quietly(work) {
  try {
    return work();
  } catch (error) {
    return undefined;
  }
}

function tag(value) {
  return Object.prototype.toString.call(value).slice(8, -1);
}

// What stands in the place of the browser's functions, with what it stands for.
var natives = new WeakMap();

function standIn(native, traps) {
  var made = new Proxy(native, traps);
  natives.set(made, native);
  return made;
}

function applying(handler) {
  return {
    apply: function (target, self, args) {
      return handler(target, self, args);
    }
  };
}

// Replaces a method so that nobody can tell: a Proxy of a native function keeps its name and its length.
function patch(object, name, handler) {
  var owner = object;
  while (owner && !Object.prototype.hasOwnProperty.call(owner, name)) owner = Object.getPrototypeOf(owner);
  if (!owner) return undefined;
  var property = Object.getOwnPropertyDescriptor(owner, name);
  var native = property.value;
  if (typeof native !== "function" || !property.configurable) return undefined;
  property.value = standIn(native, applying(handler));
  Object.defineProperty(owner, name, property);
  return native;
}

// As `patch`, for the getter or setter of a property.
function patchAccessor(owner, name, which, handler) {
  var property = owner && Object.getOwnPropertyDescriptor(owner, name);
  if (!property || !property[which] || !property.configurable) return;
  property[which] = standIn(property[which], applying(handler));
  Object.defineProperty(owner, name, property);
}

patch(g.Function.prototype, "toString", function (native, self, args) {
  return Reflect.apply(native, natives.get(self) || self, args);
});

// The address of this page or worker; frames without one have that of their parent.
function here() {
  return quietly(function () {
    return new nativeURL(d ? d.baseURI : g.location.href);
  });
}

function ownOrigin() {
  if (typeof g.origin === "string") return g.origin;
  return g.location.origin;
}

// Whether the proxy restores bodies for that host; no other host is ever sent anything.
function isHooked(url) {
  if (url.protocol !== "https:" && url.protocol !== "http:") return false;
  var host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  var port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  return P.hosts.some(function (pattern) {
    var kind = pattern[0];
    var name = pattern[1];
    if (pattern[2] && pattern[2] !== port) return false;
    if (kind === "*") return true;
    if (host === name) return kind !== "one";
    if (kind === "host" || host.slice(-name.length - 1) !== "." + name) return false;
    return kind === "deep" || host.slice(0, -name.length - 1).indexOf(".") < 0;
  });
}

// The target of a request if its body is worth carrying; null: it is none of ours.
function hookedTarget(method, address) {
  if (method === "GET" || method === "HEAD") return null;
  var url = quietly(function () {
    return new nativeURL(String(address), here());
  });
  return url && isHooked(url) ? url : null;
}

// As browsers do (Fetch, "normalize a method").
function normalizedMethod(method) {
  var upper = String(method).toUpperCase();
  return /^(DELETE|GET|HEAD|OPTIONS|POST|PUT)$/.test(upper) ? upper : String(method);
}
