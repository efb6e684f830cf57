// fetch and Request stay the browser's own too. A Request does not give its body away everywhere, so that it is remembered.

var remembered = new WeakMap();

function isRequest(value) {
  return tag(value) === "Request";
}

function bodyOf(init) {
  return init && init.body !== undefined && init.body !== null ? init.body : null;
}

// A copy of `init` in which `values` take the place of its members; whatever else it has is inherited.
function amended(init, values) {
  var copy = Object.create(init || null);
  Object.keys(values).forEach(function (name) {
    Object.defineProperty(copy, name, { value: values[name], enumerable: true });
  });
  return copy;
}

function headersOf(input, init) {
  if (init && init.headers !== undefined) return new g.Headers(init.headers);
  return new g.Headers(isRequest(input) ? input.headers : undefined);
}

function constructed(native, args, target) {
  var init = args[1];
  var body = bodyOf(init);
  var input = args[0];
  if (body === null) {
    var copy = Reflect.construct(native, args, target);
    if (isRequest(input) && remembered.has(input)) remembered.set(copy, remembered.get(input));
    return copy;
  }
  var address = isRequest(input) ? input.url : input;
  var method = normalizedMethod(init.method !== undefined ? init.method : isRequest(input) ? input.method : "GET");
  var result = hookedTarget(method, address) ? quietly(function () {
    return readBody(body, false);
  }) : null;
  if (!result) return Reflect.construct(native, args, target);
  var values = {};
  if (result.body !== null) values.body = result.body;
  if (result.isForm && result.bytes) {
    values.headers = headersOf(input, init);
    if (!values.headers.has("content-type")) values.headers.set("content-type", result.type);
  }
  result.isDeferred = Boolean(result.isForm && !result.bytes);
  var request = Reflect.construct(native, [input, amended(init, values)], target);
  remembered.set(request, result);
  return request;
}

function fetched(native, self, args) {
  var work = quietly(function () {
    return fetchPlan(args);
  });
  if (!work) return Reflect.apply(native, self, args);
  if (work.isInline) return Reflect.apply(native, self, work.args(inlineFields(work.method, work.result, work.accept.more)));
  if (work.isKeepalive) {
    var name = work.result.later ? null : quietly(function () {
      return uploadBlindly(work.target, work.method, work.result, work.accept.more);
    });
    return Reflect.apply(native, self, work.args(name ? [["accept", work.accept.value(name)]] : []));
  }
  return fetchLater(native, self, work);
}

// What is to be done; null: nothing.
function fetchPlan(args) {
  var input = args[0];
  var init = args[1];
  var method = normalizedMethod(init && init.method !== undefined ? init.method : isRequest(input) ? input.method : "GET");
  var target = hookedTarget(method, isRequest(input) ? input.url : input);
  if (!target) return null;
  var body = bodyOf(init);
  var result = body !== null ? readBody(body, false) : isRequest(input) ? remembered.get(input) : null;
  if (!result || (isRequest(input) && input.bodyUsed)) return null;
  var headers = headersOf(input, init);
  var mode = init && init.mode !== undefined ? init.mode : isRequest(input) ? input.mode : "cors";
  var isOwn = target.origin === ownOrigin();
  var type = headers.get("content-type") || (body !== null ? result.type : null) || null;
  return {
    method: method, target: target, result: result, accept: acceptFor(headers.get("accept"), type),
    isInline: isOwn && mode !== "no-cors" && Boolean(result.bytes) && result.bytes.length <= inlineLimit(),
    isKeepalive: Boolean(init && init.keepalive !== undefined ? init.keepalive : input.keepalive),
    signal: (init && init.signal) || (isRequest(input) ? input.signal : null),
    args: function (fields) {
      var values = { headers: headers };
      if (body !== null && result.body !== null) values.body = result.body;
      if (body !== null && result.isForm && result.bytes && !headers.has("content-type")) headers.set("content-type", result.type);
      // The Request has the browser's own boundary.
      if (body === null && result.isDeferred && result.bytes) {
        values.body = result.bytes;
        headers.set("content-type", result.type);
      }
      fields.forEach(function (field) {
        headers.set(field[0], field[1]);
      });
      return [input, amended(init, values)];
    },
    // The page must not be able to use the body of its Request again.
    take: function () {
      if (body === null) input = new nativeRequest(input);
    }
  };
}

function fetchLater(native, self, work) {
  work.take();
  return new Promise(function (resolve, reject) {
    var isOver = false;
    function go(fields) {
      if (isOver) return;
      isOver = true;
      quietly(function () {
        if (work.signal) work.signal.removeEventListener("abort", stop);
      });
      try {
        Reflect.apply(native, self, work.args(fields)).then(resolve, reject);
      } catch (error) {
        reject(error);
      }
    }
    // With a signal that has aborted, the browser rejects and sends nothing.
    function stop() {
      go([]);
    }
    if (work.signal && work.signal.aborted) return stop();
    if (work.signal) work.signal.addEventListener("abort", stop);
    var ready = work.result.later ? work.result.later() : Promise.resolve();
    return ready.then(function () {
      return isOver ? null : uploadLater(work.target, work.method, work.result, work.accept.more);
    }).catch(function () {
      return null;
    }).then(function (id) {
      go(id ? [["accept", work.accept.value(id)]] : []);
    });
  });
}

if (nativeFetch) patch(g, "fetch", fetched);
if (nativeRequest) {
  patch(nativeRequest.prototype, "clone", function (native, self, args) {
    var copy = Reflect.apply(native, self, args);
    if (remembered.has(self)) remembered.set(copy, remembered.get(self));
    return copy;
  });
  g.Request = standIn(nativeRequest, { construct: constructed });
  Object.defineProperty(g, "Request", { enumerable: false });
  Object.defineProperty(nativeRequest.prototype, "constructor", { value: g.Request });
}

// A service worker's own page must not see what is sent ahead.
if (!d && "onfetch" in g) {
  g.addEventListener("fetch", function (event) {
    if (new nativeURL(event.request.url).pathname === uploadPath) event.stopImmediatePropagation();
  });
}
