// The page finds itself as its origin made it.
quietly(function () {
  if (d && d.defaultView === self) d.currentScript.remove();
});

// Frames without an address of their own get no script from the proxy: the page hooks them as soon as it can reach them.

function isInstalled(other) {
  return quietly(function () {
    return other.XMLHttpRequest.prototype.open.call(other, probe) === true;
  }) || false;
}

function installInto(other) {
  quietly(function () {
    var address = other && other !== g && other.location.href;
    if (address && /^about:(blank|srcdoc)/.test(address) && !isInstalled(other)) install(other);
  });
}

if (d) {
  ["HTMLIFrameElement", "HTMLFrameElement", "HTMLObjectElement"].forEach(function (name) {
    var prototype = g[name] && g[name].prototype;
    patchAccessor(prototype, "contentWindow", "get", function (native, self, args) {
      var found = Reflect.apply(native, self, args);
      installInto(found);
      return found;
    });
    patchAccessor(prototype, "contentDocument", "get", function (native, self, args) {
      var found = Reflect.apply(native, self, args);
      if (found) installInto(found.defaultView);
      return found;
    });
  });
  patch(g, "open", function (native, self, args) {
    var found = Reflect.apply(native, self, args);
    installInto(found);
    return found;
  });
  // A frame whose document is part of the page is hooked when it has loaded, at the latest.
  d.addEventListener("load", function (event) {
    if (tag(event.target) === "HTMLIFrameElement") installInto(event.target.contentWindow);
  }, true);
}
