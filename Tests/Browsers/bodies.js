// What the pages of Tests/Browsers/bodies do: everything by which a page can send a body, and whether it looks as ever while doing so.
// `OTHER` is the origin of another host.
(function () {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const large = count => Uint8Array.from({ length: count }, (_, index) => (index * 7 ^ index >> 8) & 255);
  const form = () => {
    const data = new FormData();
    data.append('a', '1\r2\n3\r\n');
    data.append('a', 'twice');
    data.append('n"\u4e2d\n', 'quoted');
    data.append('file', new File([bytes], '\u540d"x.bin', { type: 'application/x-thing' }));
    data.append('blob', new Blob(['']));
    return data;
  };
  const isWorker = typeof document === 'undefined';
  const bodies = {
    string: () => 'h\u00e9llo \ud800 \u4e2d',
    empty: () => '',
    params: () => new URLSearchParams([['a', '1 2'], ['b', '\u4e2d']]),
    buffer: () => bytes.buffer.slice(0),
    view: () => bytes.subarray(3, 100),
    blob: () => new Blob([bytes], { type: 'application/x-thing' }),
    form,
    large: () => large(100001),
    mib: () => new Blob([large(1 << 20)]),
  };
  if (!isWorker) {
    bodies.xml = () => new DOMParser().parseFromString('<a b="1"><c>\u4e2d</c></a>', 'text/xml');
    bodies.html = () => document.implementation.createHTMLDocument('\u4e2d');
  }
  const isDocument = name => name === 'xml' || name === 'html';

  const xhr = (url, body, { async = true, prepare = () => {} } = {}) => new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open('POST', url, async);
    prepare(request);
    request.onload = () => done(request);
    request.onerror = () => failed(new Error('error'));
    request.send(body);
  });
  const ways = {
    fetch: (url, body) => fetch(url, { method: 'POST', body }),
    request: (url, body) => fetch(new Request(url, { method: 'POST', body })),
    clone: (url, body) => fetch(new Request(new Request(url, { method: 'PUT', body }).clone(), { headers: { 'X-One': '1' } })),
    async: (url, body) => xhr(url, body),
    sync: (url, body) => xhr(url, body, { async: false }),
  };

  const failures = {};
  const attempt = async (name, work) => {
    try {
      await work();
    } catch (error) {
      failures[name] = String(error);
    }
  };

  async function everyBody(prefix) {
    const cases = [];
    for (const where of ['', OTHER]) {
      for (const way of Object.keys(ways)) {
        for (const name of Object.keys(bodies)) {
          const skips = isDocument(name) && !/sync/.test(way) || way === 'clone' && (where || !/string|form|blob/.test(name))
            || name === 'mib' && !['fetch', 'sync', 'async' + OTHER].includes(way + where);
          if (skips || prefix && (where || !/^(string|form|large)$/.test(name))) continue;
          const label = `${prefix}${way}-${name}${where ? '-cross' : ''}`;
          cases.push([way, () => attempt(label, () => ways[way](`${where}/c/${label}`, bodies[name]()))]);
        }
      }
    }
    const queue = cases.filter(item => item[0] !== 'sync');
    await Promise.all([1, 2, 3, 4].map(async () => {
      while (queue.length) await queue.shift()[1]();
    }));
    for (const [way, run] of cases) if (way === 'sync') await run();
  }

  const delay = time => new Promise(done => setTimeout(done, time));

  // Whatever is not the same as without the hook.
  async function facts() {
    const seen = {};
    const look = async (name, work) => {
      try {
        seen[name] = await work();
      } catch (error) {
        seen[name] = 'error: ' + error;
      }
    };
    const native = f => [f.name, f.length, Function.prototype.toString.call(f).replace(/\s+/g, ' ')];
    const events = (target, names, log, prefix) => names.forEach(name => target.addEventListener(name, event => log.push(prefix + name)));
    const all = ['readystatechange', 'loadstart', 'load', 'loadend', 'abort', 'error', 'timeout'];
    const watched = (url, prepare = () => {}) => {
      const request = new XMLHttpRequest();
      request.open('POST', url);
      prepare(request);
      const log = [];
      events(request, all, log, '');
      return { request, log };
    };
    await look('functions', () => [fetch, Request, XMLHttpRequest, XMLHttpRequest.prototype.open, XMLHttpRequest.prototype.send,
      XMLHttpRequest.prototype.abort, navigator.sendBeacon, HTMLFormElement.prototype.submit, Request.prototype.clone, open].map(native));
    await look('objects', () => {
      const request = new Request('/x', { method: 'POST', body: 'x' });
      return [request instanceof Request, request.constructor === Request, Object.keys(window).includes('fetch'),
        new XMLHttpRequest() instanceof XMLHttpRequest, Object.getOwnPropertyNames(new XMLHttpRequest()).join(),
        Object.keys(XMLHttpRequest.prototype).includes('open'), document.scripts.length];
    });
    for (const size of [10, 100000]) {
      await look('abort at once ' + size, async () => {
        const { request, log } = watched('/c/never-' + size);
        request.send(new Blob([large(size)]));
        request.abort();
        const state = request.readyState;
        await delay(150);
        return [log, state, request.readyState, request.status];
      });
      await look('states ' + size, async () => {
        const { request, log } = watched('/c/states-' + size);
        request.send(large(size));
        const errors = [() => request.send('again'), () => request.setRequestHeader('X-Y', '1')].map(work => {
          try {
            work();
            return 'none';
          } catch (error) {
            return error.name;
          }
        });
        await new Promise(done => request.addEventListener('loadend', done));
        return [errors, log.filter(name => name !== 'readystatechange'), request.readyState, request.status];
      });
      await look('upload events ' + size, async () => {
        const { request } = watched('/c/upload-' + size);
        const log = [];
        let last = null;
        events(request.upload, ['loadstart', 'load', 'loadend', 'abort', 'error'], log, 'upload ');
        request.upload.onprogress = event => last = [event.loaded, event.total, event.lengthComputable];
        request.send(large(size));
        await new Promise(done => request.addEventListener('loadend', done));
        return [log, last];
      });
    }
    await look('open again', async () => {
      const { request, log } = watched('/c/never-opened');
      request.send(large(100000));
      request.open('POST', '/c/opened-again');
      request.send('second');
      await new Promise(done => request.addEventListener('loadend', done));
      return [request.status, request.readyState, log.filter(name => name === 'load')];
    });
    await look('response types', async () => {
      const out = [];
      for (const type of ['', 'text', 'json', 'arraybuffer', 'blob']) {
        const request = await xhr('/json/type-' + type, 'x', { prepare: request => {
          request.responseType = type;
          request.withCredentials = true;
          request.timeout = 20000;
          if (type === 'text') request.overrideMimeType('text/plain; charset=iso-8859-1');
        } });
        const { response } = request;
        out.push(type === 'arraybuffer' ? response.byteLength : type === 'blob' ? response.size : type === 'json' ? response.k : response.length);
        out.push(request.getResponseHeader('content-type'), new URL(request.responseURL).pathname);
      }
      return out;
    });
    await look('aborted fetch', async () => {
      const controller = new AbortController();
      const pending = fetch('/c/never-fetched', { method: 'POST', body: large(100000), signal: controller.signal });
      controller.abort();
      return pending.then(() => 'none', error => error.name);
    });
    await look('a Request is used once', async () => {
      const request = new Request('/c/used-once', { method: 'POST', body: large(100000) });
      const pending = fetch(request);
      const used = request.bodyUsed;
      await pending;
      return [used, await fetch(request).then(() => 'none', error => error.name)];
    });
    await look('a Request gives its body', async () => {
      const request = new Request('/c/x', { method: 'POST', body: new URLSearchParams('a=1') });
      return [await request.clone().text(), request.headers.get('content-type')];
    });
    await look('headers', () => fetch('/headers', { method: 'POST', body: 'x', headers: { Accept: 'a/b', 'X-One': '1' } }).then(answer => answer.json()));
    await look('beacon', () => navigator.sendBeacon('/c/beacon-string', 'beacon'));
    await look('beacon blob', () => navigator.sendBeacon('/c/beacon-blob', new Blob([bytes], { type: 'application/x-thing' })));
    await look('beacon large', () => navigator.sendBeacon('/c/beacon-large', large(30000)));
    await look('beacon cross', () => navigator.sendBeacon(OTHER + '/c/beacon-cross', 'beacon'));
    return seen;
  }

  async function extras() {
    await attempt('no-cors', () => fetch(OTHER + '/c/no-cors', { method: 'POST', mode: 'no-cors', body: 'simple' }));
    await attempt('json-cross', () => fetch(OTHER + '/c/json-cross', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"k":1}' }));
    await attempt('accept', () => fetch(OTHER + '/c/accept', { method: 'POST', headers: { Accept: 'text/x, a/' + 'b'.repeat(110) }, body: 'x' }));
    await attempt('accept-xhr', () => xhr(OTHER + '/c/accept-xhr', 'x', { prepare: request => request.setRequestHeader('Accept', 'text/x, a/' + 'b'.repeat(110)) }));
    await attempt('type', () => xhr('/c/type', 'x', { prepare: request => request.setRequestHeader('Content-Type', 'text/plain; charset=iso-8859-1') }));
    await attempt('form-type', () => fetch('/c/form-type', { method: 'POST', body: form(), headers: { 'Content-Type': 'multipart/mixed' } }));
    for (const status of [302, 303, 307, 308]) {
      for (const size of [10, 60000]) {
        await attempt(`redirect-${status}-${size}`, () => fetch(`/redirect/${status}/${encodeURIComponent(`/c/redirect-${status}-${size}`)}`, { method: 'POST', body: large(size) }));
      }
    }
    await attempt('far', () => fetch(FAR + '/c/far', { method: 'POST', body: large(60000) }));
    await attempt('far', () => fetch(FAR + '/c/far', { method: 'POST', mode: 'no-cors', body: 'far' }));
    // One byte over the limit: no channel carries it.
    const over = large(OVER);
    await attempt('over', () => fetch('/c/over', { method: 'POST', body: over }));
    await attempt('over', () => xhr('/c/over', over));
    await attempt('over', () => fetch(OTHER + '/c/over', { method: 'POST', mode: 'no-cors', body: new Blob([over]) }));
    const away = encodeURIComponent(OTHER + '/c/redirect-away');
    await attempt('redirect-away', () => fetch('/redirect/307/' + away, { method: 'POST', body: large(60000) }));
    await Promise.all(Array.from({ length: 24 }, (_, index) => attempt('many-' + index, () => fetch('/c/many-' + index, { method: 'POST', body: large(20000 + index * 3000) }))));
  }

  // Frames that send forms, or are left; each tells when it is done.
  async function frames() {
    const seen = {};
    for (const name of FRAMES) {
      const frame = document.createElement('iframe');
      const told = new Promise(done => {
        const take = event => {
          if (event.source !== frame.contentWindow) return;
          removeEventListener('message', take);
          done(event.data);
        };
        addEventListener('message', take);
        setTimeout(() => done('no answer'), 10000);
      });
      frame.src = '/frame/' + name;
      document.body.append(frame);
      seen[name] = await told;
      if (/^leave/.test(name)) {
        const left = new Promise(done => frame.onload = done);
        frame.src = '/left';
        await left;
        await delay(100);
      }
      frame.remove();
    }
    return seen;
  }

  async function blankFrames() {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    await attempt('blank', () => frame.contentWindow.fetch('/c/blank', { method: 'POST', body: 'from a frame' }));
    frame.remove();
    const written = document.createElement('iframe');
    const markup = '<!doctype html><title>x</title><script>fetch("/c/srcdoc", { method: "POST", body: "early" }).then(() => parent.postMessage("srcdoc", "*"))<\/script>';
    written.srcdoc = markup;
    if (written.srcdoc !== markup) failures.srcdoc = written.srcdoc.slice(0, 100);
    const told = new Promise(done => addEventListener('message', event => event.source === written.contentWindow && done()));
    document.body.append(written);
    await Promise.race([told, delay(5000)]);
    written.remove();
  }

  async function workers() {
    const run = (make, name) => new Promise(done => {
      const worker = make();
      const port = worker.port || worker;
      port.onmessage = event => done(event.data);
      worker.onerror = event => done('error: ' + event.message);
      setTimeout(() => done('no answer from ' + name), 15000);
    });
    const seen = {};
    seen.classic = await run(() => new Worker('/worker.js?classic'), 'classic');
    seen.module = await run(() => new Worker('/worker.js?module', { type: 'module' }), 'module');
    if (typeof SharedWorker !== 'undefined') seen.shared = await run(() => new SharedWorker('/worker.js?shared'), 'shared');
    return seen;
  }

  globalThis.bodyTests = { everyBody, facts, extras, frames, blankFrames, workers, failures, form, bytes, large };
})();
