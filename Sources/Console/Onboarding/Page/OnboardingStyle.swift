/// How the page for devices looks, and its mark.
enum OnboardingStyle {
  static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b6b4f" d="M16 1.5 28 6v9.4c0 7.2-4.9 12.6-12 15.1C8.9 \
    28 4 22.6 4 15.4V6z"/><circle cx="16" cy="12.5" r="4.2" fill="#fff"/><path fill="#fff" d="M14.4 15h3.2l1 8.5h-5.2z"/></svg>

    """

  static let text = """
    :root {
      color-scheme: light dark;
      --ground: #f4f5f1; --card: #fff; --ink: #16201b; --soft: #55625b; --line: #dfe3db; --well: #eef1ea;
      --accent: #0b6b4f; --on-accent: #fff; --ok: #0b6b4f; --warn: #9a5b00; --bad: #b3261e;
      --ok-ground: #e2f3ea; --warn-ground: #fdf0d8;
      --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #101512; --card: #191f1b; --ink: #e8ede9; --soft: #a3b0a8; --line: #2c352f; --well: #232b26;
        --accent: #4fc79b; --on-accent: #06251a; --ok: #5fd3a8; --warn: #f0b959; --bad: #ff8a80;
        --ok-ground: #14352a; --warn-ground: #3a2c11;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body {
      margin: 0; background: var(--ground); color: var(--ink);
      font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Noto Sans CJK SC", sans-serif;
      padding: 0 max(1rem, env(safe-area-inset-right)) 3rem max(1rem, env(safe-area-inset-left));
    }
    header, main { max-width: 42rem; margin: 0 auto; }
    header { display: flex; align-items: center; justify-content: space-between; padding: 1rem 0; }
    .brand { display: flex; align-items: center; gap: .5rem; font-weight: 650; letter-spacing: -.01em; }
    nav { display: flex; gap: .125rem; margin-right: -.5rem; }
    nav a {
      display: flex; align-items: center; min-height: 2.75rem; padding: 0 .625rem; border-radius: .75rem;
      color: var(--soft); text-decoration: none; font-size: .9375rem; white-space: nowrap;
    }
    nav a[aria-current] { color: var(--ink); font-weight: 600; }
    h1 { font-size: clamp(1.75rem, 6vw, 2.25rem); line-height: 1.15; letter-spacing: -.02em; margin: .75rem 0 .5rem; }
    h2 { font-size: 1.1875rem; line-height: 1.3; letter-spacing: -.01em; margin: 0 0 .5rem; }
    p { margin: 0 0 .75rem; }
    .intro p { color: var(--soft); margin-bottom: 1.25rem; }
    .intro b { color: var(--ink); }
    b { font-weight: 620; }
    .card, .doctor { background: var(--card); border: 1px solid var(--line); border-radius: 1.25rem; padding: 1.25rem; margin: 0 0 1rem; }
    .card > :last-child, .card li > :last-child, .notes > :last-child { margin-bottom: 0; }
    a:focus-visible, button:focus-visible, summary:focus-visible, pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

    .doctor { padding: 0; overflow: hidden; }
    .doctor h2 { font-size: .8125rem; font-weight: 600; letter-spacing: .04em; color: var(--soft); margin: 1rem 1.25rem 0; }
    .verdict { display: flex; gap: .875rem; padding: .75rem 1.25rem 1.125rem; min-height: 6.25rem; }
    .verdict p { margin: 0; color: var(--soft); }
    .verdict .title { color: var(--ink); font-size: 1.375rem; line-height: 1.25; font-weight: 650; letter-spacing: -.015em; margin-bottom: .25rem; }
    .badge { flex: none; width: 2.25rem; height: 2.25rem; border-radius: 50%; display: grid; place-items: center; background: var(--well); margin-top: -.125rem; }
    .badge::before { content: "?"; font-weight: 700; font-size: 1.125rem; color: var(--soft); }
    [data-verdict=checking] .badge::before {
      content: ""; width: 1.125rem; height: 1.125rem; border-radius: 50%; border: 3px solid var(--line); border-top-color: var(--accent);
      animation: turn .9s linear infinite;
    }
    @keyframes turn { to { transform: rotate(1turn); } }
    @media (prefers-reduced-motion: reduce) { [data-verdict=checking] .badge::before { animation: none; } }
    [data-verdict=ready] .badge { background: var(--ok); }
    [data-verdict=ready] .badge::before {
      content: ""; width: .55rem; height: 1rem; border: solid var(--card); border-width: 0 3px 3px 0; transform: translateY(-.1rem) rotate(45deg);
    }
    [data-verdict=ready] .doctor { background: var(--ok-ground); border-color: transparent; }
    [data-verdict=proxy] .doctor, [data-verdict=certificate] .doctor, [data-verdict=trust] .doctor, [data-verdict=clock] .doctor {
      background: var(--warn-ground); border-color: transparent;
    }
    [data-verdict=proxy] .badge, [data-verdict=certificate] .badge, [data-verdict=trust] .badge, [data-verdict=clock] .badge { background: var(--warn); }
    [data-verdict=proxy] .badge::before, [data-verdict=certificate] .badge::before, [data-verdict=trust] .badge::before,
    [data-verdict=clock] .badge::before { content: "!"; color: var(--card); font-size: 1.25rem; }
    .when { display: none; }
    [data-verdict=idle] .when-idle, [data-verdict=checking] .when-checking, [data-verdict=ready] .when-ready,
    [data-verdict=proxy] .when-proxy, [data-verdict=certificate] .when-certificate, [data-verdict=trust] .when-trust,
    [data-verdict=clock] .when-clock { display: block; }
    .checks { list-style: none; margin: 0; padding: .25rem 1.25rem; background: var(--card); }
    .checks li { display: flex; align-items: center; gap: .75rem; padding: .75rem 0; border-top: 1px solid var(--line); }
    .checks li:first-child { border-top: 0; }
    html:not([data-system=ios]) [data-only=ios] { display: none; }
    .checks .label { flex: 1; }
    .checks .state { color: var(--soft); text-align: right; font-variant-numeric: tabular-nums; }
    .state > span { display: none; }
    [data-state=ok] .on-ok, [data-state=missing] .on-missing, [data-state=maybe] .on-maybe, [data-state=waiting] .on-waiting { display: inline; }
    [data-state=ok] .state { color: var(--ok); }
    [data-state=missing] .state { color: var(--bad); }
    .mark { flex: none; width: .75rem; height: .75rem; border-radius: 50%; border: 2px solid var(--line); }
    [data-state=ok] .mark { background: var(--ok); border-color: var(--ok); }
    [data-state=missing] .mark { background: var(--bad); border-color: var(--bad); border-radius: .2rem; }
    [data-state=maybe] .mark { background: var(--warn); border-color: var(--warn); }
    .doctor button {
      width: 100%; min-height: 3.25rem; border: 0; border-top: 1px solid var(--line); background: var(--card); color: var(--accent);
      font: inherit; font-weight: 600; cursor: pointer;
    }
    .doctor button:focus-visible { outline-offset: -4px; border-radius: 0 0 1.25rem 1.25rem; }

    code { font-family: var(--mono); font-size: .9em; overflow-wrap: anywhere; }
    p code { background: var(--well); border-radius: .375rem; padding: .1em .3em; }
    .print code { display: block; width: calc(24ch + 2rem); max-width: 100%; padding: .75rem 1rem; border-radius: .875rem; word-break: break-all; font-size: 1rem; line-height: 1.6; }
    .print { margin-top: 1rem; }
    .address code { display: inline-block; user-select: all; -webkit-user-select: all; padding: .25rem .625rem; }

    .steps { list-style: none; margin: 0; padding: 0; counter-reset: step; }
    .steps > li { position: relative; counter-increment: step; padding: 0 0 1.5rem 3rem; min-height: 2.25rem; }
    .steps > li:last-child { padding-bottom: 0; }
    .steps > li::before {
      content: counter(step); position: absolute; left: 0; top: -.1875rem; width: 2rem; height: 2rem; border-radius: 50%;
      display: grid; place-items: center; background: var(--well); color: var(--ink); font-weight: 650; font-size: .9375rem;
    }
    .steps > li::after { content: ""; position: absolute; left: 1rem; top: 2.125rem; bottom: .5rem; width: 1px; background: var(--line); }
    .steps > li:last-child::after { display: none; }
    .steps > li[data-state=ok]::before { content: "\\2713"; background: var(--ok); color: var(--card); }
    .steps > li[data-state=ok] > p:first-child { color: var(--soft); }
    .own h2 { margin-bottom: 1.125rem; }
    .place { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 .75rem; }
    .place div { background: var(--well); border-radius: .875rem; padding: .5rem .75rem; min-width: 4.5rem; }
    .place div:first-child { flex: 1 1 9rem; }
    .place dt { font-size: .8125rem; color: var(--soft); }
    .place dd { margin: 0; font-size: 1.0625rem; }
    .place code { user-select: all; -webkit-user-select: all; }
    .button {
      display: flex; align-items: center; justify-content: center; min-height: 3.25rem; padding: .5rem 1.25rem; border-radius: 1rem;
      background: var(--accent); color: var(--on-accent); font-weight: 620; text-decoration: none; text-align: center; line-height: 1.25;
    }
    .button:active { filter: brightness(.92); }
    .notes .button { background: var(--well); color: var(--accent); }
    pre { margin: 0 0 .75rem; padding: .75rem 1rem; border-radius: .875rem; background: var(--well); overflow-x: auto; line-height: 1.5; font-size: .875rem; }
    pre code { font-size: inherit; overflow-wrap: normal; user-select: all; -webkit-user-select: all; }
    .notes { margin-top: 1.25rem; padding-top: 1.125rem; border-top: 1px solid var(--line); }
    .system > .notes:first-of-type { border-top: 0; padding-top: 0; margin-top: .25rem; }

    .folded { padding-bottom: .375rem; }
    .system { border-top: 1px solid var(--line); margin: 0 -1.25rem; padding: 0 1.25rem; }
    .system summary { display: flex; align-items: center; min-height: 3.25rem; cursor: pointer; list-style: none; font-weight: 550; }
    .system summary::-webkit-details-marker { display: none; }
    .system summary::after {
      content: ""; margin-left: auto; width: .5rem; height: .5rem; border: solid var(--soft); border-width: 0 2px 2px 0;
      transform: translateY(-.125rem) rotate(45deg); transition: transform .15s;
    }
    .system[open] summary::after { transform: translateY(.125rem) rotate(225deg); }
    .system[open] { padding-bottom: 1.25rem; }
    .another { display: flex; gap: 1.25rem; align-items: center; flex-wrap: wrap; }
    .another > div { flex: 1 1 14rem; }
    .code { flex: none; width: 10.5rem; height: 10.5rem; border-radius: .875rem; }
    .hint { color: var(--soft); font-size: .9375rem; }
    .files { list-style: none; margin: 0; padding: 0; }
    .files li { border-top: 1px solid var(--line); }
    .files li:first-child { border-top: 0; }
    .files a { display: flex; align-items: center; min-height: 3rem; padding: .5rem 0; line-height: 1.3; color: var(--accent); text-decoration: none; font-weight: 550; }
    .ending { padding: .5rem 1.25rem; color: var(--soft); font-size: .9375rem; }
    .ending h2 { font-size: 1rem; color: var(--ink); }
    @media (max-width: 24rem) {
      nav a { padding: 0 .375rem; font-size: .8125rem; }
      .brand { font-size: .9375rem; gap: .375rem; }
      .steps > li { padding-left: 2.625rem; }
      .print code { font-size: .875rem; }
    }

    """
}
