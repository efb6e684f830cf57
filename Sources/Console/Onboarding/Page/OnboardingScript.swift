import Records

/// The script of the page for devices: it asks the trust doctor and says by attributes what is so; the words stand in the page.
///
/// Written for the browsers of iOS 12 and Android 7.
enum OnboardingScript {
  static let text = """
    'use strict'
    {
      const site = 'pinwarden.internal'
      const patience = 8000
      const root = document.documentElement
      const all = selector => Array.from(document.querySelectorAll(selector))

      // iPads pass for Macs; no Mac has a touch screen.
      if (root.dataset.system === 'mac' && navigator.maxTouchPoints > 1) {
        const own = document.querySelector('.own'), other = document.getElementById('ios')
        root.dataset.system = 'ios'
        const list = other.querySelector('.steps')
        own.querySelector('h2').textContent = other.querySelector('summary').textContent
        own.querySelectorAll('.steps, .notes').forEach(element => element.remove())
        own.append(list)
        other.remove()
      }

      const ask = async (url, headers) => {
        const limit = new AbortController()
        const timer = setTimeout(() => limit.abort(), patience)
        try {
          return await fetch(url, { headers, cache: 'no-store', credentials: 'omit', signal: limit.signal })
        } catch (error) {
          return null
        } finally {
          clearTimeout(timer)
        }
      }

      // Steps of other systems are not this device's.
      const set = (step, state) => all(`.checks [data-step=${step}], .own [data-step=${step}]`).forEach(element => {
        element.dataset.state = state
      })

      // Hours, minutes and seconds by which the clock is ahead (+) or behind.
      const span = milliseconds => {
        const seconds = Math.round(Math.abs(milliseconds) / 1000)
        const two = number => String(number).padStart(2, '0')
        const clock = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
        return (milliseconds < 0 ? '\\u2212' : '+') + clock
      }

      const show = (proxy, trusted, doctor) => {
        const downloaded = doctor ? doctor.downloaded : false
        const clockOff = doctor && doctor.clock === 'off'
        const farOff = doctor && Math.abs(doctor.clockOffset) > 86400000
        set('proxy', proxy ? 'ok' : 'missing')
        set('download', trusted || downloaded ? 'ok' : 'missing')
        const open = proxy ? 'missing' : 'waiting'
        set('profile', trusted ? 'ok' : downloaded ? 'maybe' : open)
        set('trust', trusted ? 'ok' : open)
        set('clock', !doctor ? 'waiting' : clockOff ? 'missing' : 'ok')
        if (clockOff) document.getElementById('skew').textContent = span(doctor.clockOffset)
        root.dataset.verdict = !proxy ? 'proxy'
          : !trusted ? (farOff ? 'clock' : downloaded ? 'trust' : 'certificate')
          : clockOff ? 'clock' : 'ready'
      }

      let isRunning = false
      const check = async () => {
        if (isRunning) return
        isRunning = true
        if (root.dataset.verdict !== 'ready') root.dataset.verdict = 'checking'
        const isSecure = location.protocol === 'https:'
        // Plain HTTP is not to be had from a page over TLS, which came through the proxy anyway.
        const proxy = location.hostname === site || Boolean(await ask(`http://${site}/doctor/ping`))
        const trusted = proxy && (isSecure || Boolean(await ask(`https://${site}/doctor/ping`)))
        const answer = await ask('/doctor/status', { '\(InternalRequest.clockField)': String(Date.now()) })
        let doctor = null
        try { doctor = answer && answer.ok ? (await answer.json()).doctor : null } catch (error) { doctor = null }
        show(proxy, trusted, doctor)
        isRunning = false
      }

      const again = document.getElementById('again')
      again.hidden = false
      again.addEventListener('click', check)
      // Whoever comes back from the settings wants to know what they changed.
      document.addEventListener('visibilitychange', () => { if (!document.hidden) check() })
      window.addEventListener('pageshow', event => { if (event.persisted) check() })
      check()
    }

    """
}
