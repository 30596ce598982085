// The widget of a Guildhall community, for other sites. It adds a button and shows a frame of the community, and reads nothing of this page but
// the attributes of its own <script>. Messages of other origins, and of other windows, are not heard.
if (document.currentScript && !('Guildhall' in window)) {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript)
  const ours = new URL(script.src).origin
  const { open: first = 'bug', theme = 'system', accent = '', button = 'on', label = 'Feedback' } = script.dataset
  const lang = script.dataset.lang || document.documentElement.lang || 'en'
  /** @typedef {string | null | (() => string | null | Promise<string | null>)} Identity */
  /** @type {Identity} */
  let identity = script.dataset.identity || null
  /** @type {HTMLIFrameElement | undefined} */
  let frame
  /** @type {HTMLDialogElement | undefined} */
  let dialog
  /** @type {Record<string, (told?: object) => void>} */
  const listeners = {}

  /**
   * Black or white, whichever is read better on a colour (WCAG 2.2, 1.4.3).
   * @param {string} colour
   */
  const textOn = (colour) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000' : '#fff'
  }
  const ground = /^#[0-9a-f]{6}$/i.test(accent) ? accent : '#8a3f1d'
  const css = `
    :host { all: initial; }
    button { position: fixed; inset-block-end: 16px; inset-inline-end: 16px; z-index: 2147483000; min-block-size: 44px;
      padding: 0 18px; border: 0; border-radius: 22px; background: ${ground}; color: ${textOn(ground)};
      font: 600 15px/1.2 system-ui, sans-serif; cursor: pointer; box-shadow: 0 2px 10px rgb(0 0 0 / 30%); }
    button:focus-visible { outline: 3px solid ${ground}; outline-offset: 3px; }
    dialog { box-sizing: border-box; inline-size: min(440px, 100vw); block-size: min(680px, 100dvh); max-inline-size: none;
      max-block-size: none; margin: auto 16px 16px auto; padding: 0; border: 0; border-radius: 12px; overflow: hidden;
      background: Canvas; box-shadow: 0 8px 40px rgb(0 0 0 / 40%); }
    dialog::backdrop { background: rgb(0 0 0 / 35%); }
    dialog.away, dialog.away::backdrop { opacity: 0; }
    iframe { display: block; inline-size: 100%; block-size: 100%; border: 0; color-scheme: normal; }
    @media (max-width: 520px) { dialog { inline-size: 100vw; block-size: 100dvh; margin: 0; border-radius: 0; } }`

  const place = document.createElement('div')
  const root = place.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]

  /**
   * @param {string} what
   * @param {object} more
   */
  const tell = (what, more) => frame?.contentWindow?.postMessage({ guildhall: what, ...more }, ours)

  /** Hands over who the person is, as the host's own server signed it. */
  const identify = async () => {
    const token = await (typeof identity === 'function' ? identity() : identity)
    tell('identity', { token: typeof token === 'string' ? token : null })
  }

  const close = () => dialog?.close()

  const open = (view = first) => {
    if (!dialog) {
      const query = new URLSearchParams({
        open: view,
        lang: lang.slice(0, 2).toLowerCase(),
        theme,
        accent,
        host: location.origin,
      })
      dialog = document.createElement('dialog')
      dialog.setAttribute('aria-label', label)
      frame = document.createElement('iframe')
      frame.title = label
      frame.allow = 'display-capture'
      frame.setAttribute(
        'sandbox',
        'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
      )
      frame.src = `${ours}/widget?${query}`
      dialog.append(frame)
      dialog.addEventListener('close', () => listeners.close?.())
      root.append(dialog)
    } else tell('open', { view })
    // A modal dialog keeps the focus in, closes by Escape, and gives the focus back.
    if (!dialog.open) dialog.showModal()
    frame?.focus()
  }

  /** @type {Record<string, (told: { number?: unknown }) => void>} */
  const answers = {
    ready: identify,
    expired: identify,
    close,
    hide: () => dialog?.classList.add('away'),
    show: () => dialog?.classList.remove('away'),
    sent: ({ number }) => listeners.sent?.({ number: Number(number) }),
  }

  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== ours || !frame || source !== frame.contentWindow || typeof data !== 'object' || data === null) return
    if (Object.hasOwn(answers, data.guildhall)) answers[data.guildhall]?.(data)
  })

  const api = Object.freeze({
    /** Opens the widget at a view: bug, ideas or news. */
    open,
    close,
    /**
     * Says who the person is: a signed identity, or a function that fetches one; null for a guest.
     * @param {Identity} given
     */
    identify(given) {
      identity = given
      if (frame) identify()
    },
    /**
     * Calls `listener` when something was sent, or the widget closed.
     * @param {'sent' | 'close'} name
     * @param {(told?: object) => void} listener
     */
    on(name, listener) {
      listeners[name] = listener
    },
  })
  Object.defineProperty(window, 'Guildhall', { value: api })

  const start = () => {
    document.body.append(place)
    if (button === 'off') return
    const opener = document.createElement('button')
    opener.type = 'button'
    opener.textContent = label
    opener.addEventListener('click', () => open())
    root.append(opener)
  }
  if (document.body) start()
  else addEventListener('DOMContentLoaded', start)
}
