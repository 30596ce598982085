// Another page in place of this one: fetched, and put into the document.

/** Tells the server that a refusal is shown in place: as a failed request a browser would log it (hooks.server.ts). */
const IN_PLACE = 'X-In-Place'

let newest = 0
const address = () => location.pathname + location.search
/** The page in the document, without what stands behind the #. */
let shown = address()

/**
 * Shows the page at `url`, or the answer to a form. Says whether it did; when the network fails, a link is followed by the browser
 * itself, and a form stays as it is.
 */
export async function visit(url: string, init?: RequestInit, history_: 'push' | 'keep' = 'push'): Promise<boolean> {
  const turn = ++newest
  document.querySelector('main')?.setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(url, { ...init, headers: { Accept: 'text/html', [IN_PLACE]: '1' } })
    const text = await response.text()
    if (turn !== newest) return true
    const type = response.headers.get('content-type') ?? ''
    if (!type.startsWith('text/html') || !isPage(new URL(response.url).pathname)) {
      location.href = response.url
      return true
    }
    show(new DOMParser().parseFromString(text, 'text/html'), whereTo(url, response, init), {
      form: init !== undefined,
      history_,
    })
    return true
  } catch {
    document.querySelector('main')?.removeAttribute('aria-busy')
    if (!init) location.href = url
    else announce('The network did not answer. What you typed is still here; try again.')
    return false
  }
}

/** Whether a page of the site is there: files are not, and the API and the authorization server have pages of their own. */
export const isPage = (path: string): boolean => !/^\/(api|docs\/api|oauth|\.well-known)(\/|$)|\.\w+$/.test(path)

/** A redirect drops what stands behind the #; a form's action (`?/name`) is no address of a page. */
function whereTo(asked: string, response: Response, init?: RequestInit): URL {
  const url = new URL(response.url)
  if (!init) url.hash = new URL(asked).hash
  if (init) url.search = url.search.replace(/^\?\/\w+&?/, '?')
  return url
}

function show(page: Document, url: URL, how: { form: boolean; history_: 'push' | 'keep' }): void {
  const samePage = url.pathname === location.pathname
  const { scrollY } = globalThis
  const focused = document.activeElement?.id
  if (how.history_ === 'push' && url.href !== location.href) {
    history.replaceState({ scrollY }, '')
    history.pushState(null, '', url)
  }
  shown = address()
  document.title = page.title
  document.documentElement.dataset.theme = page.documentElement.dataset.theme
  addStyles(page)
  for (const script of page.body.querySelectorAll('script')) script.remove()
  document.body.replaceChildren(...page.body.childNodes)
  if (how.form && samePage) {
    scrollTo(0, scrollY)
    const fault = document.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')
    const next = document.querySelector<HTMLElement>('[autofocus]') ?? document.getElementById(focused ?? '')
    ;(fault ?? next)?.focus()
    return
  }
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
  if (how.history_ === 'push') {
    const target = url.hash && document.getElementById(decodeURIComponent(url.hash.slice(1)))
    if (target) target.scrollIntoView()
    else if (!samePage || !how.form) scrollTo(0, 0)
  } else {
    scrollTo(0, (history.state as { scrollY?: number } | null)?.scrollY ?? 0)
  }
  announce(page.title)
}

/** Styles that this document does not have yet. */
function addStyles(page: Document): void {
  for (const sheet of page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    const href = sheet.getAttribute('href')
    if (href && !document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) document.head.append(sheet)
  }
}

function announce(sentence: string): void {
  const announcer = document.getElementById('announcer')
  if (announcer) announcer.textContent = sentence
}

addEventListener('popstate', () => {
  if (address() !== shown) return void visit(location.href, undefined, 'keep')
  // Within the page, it is the browser that scrolls; what was on its way here is not wanted any more.
  newest++
  document.querySelector('main')?.removeAttribute('aria-busy')
})
