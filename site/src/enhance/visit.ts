// Another page in place of this one: fetched, and put into the document.
import { goBack, goOn, restore } from './places.ts'
import { announce, complain } from './say.ts'
import { answerTo, nameOf, reach, type Sent } from './sent.ts'
import { documentIn, isOurAnswer } from './trusted.ts'

/**
 * Tells the server that the answer is shown in place (hooks.server.ts): what was refused is then no failed request, which a
 * browser would log, and a redirect is named, because a fetch that follows one loses what stands behind the #.
 */
const IN_PLACE = 'X-In-Place'
const GOES_TO = 'X-Goes-To'

let newest = 0
const address = () => location.pathname + location.search
/** The page in the document, without what stands behind the #. */
let shown = address()

interface Visit extends RequestInit {
  /** The form that this sends, or that led here. */
  sent?: Sent
  /** The place in the history is there already. */
  back?: boolean
}

const OFFLINE = 'The network did not answer. What you typed is still here; try again.'
const NOT_OURS = 'The server could not answer just now. What you typed is still here; try again.'

/**
 * Shows the page at `url`, or the answer to a form. Says whether it did: when that fails, a link is followed by the browser itself,
 * and a form stays as it is, with a sentence that says why.
 */
export async function visit(url: string, how: Visit = {}): Promise<boolean> {
  const { sent, back, ...init } = how
  const turn = ++newest
  document.querySelector('main')?.setAttribute('aria-busy', 'true')
  try {
    const headers = { Accept: 'text/html', [IN_PLACE]: '1' }
    const response = await fetch(url, { ...init, mode: 'same-origin', headers })
    const page = await documentIn(response)
    if (turn !== newest) return true
    const next = response.headers.get(GOES_TO)
    if (next !== null && isOurAnswer(response)) {
      const to = new URL(next, location.href)
      return isPage(to.pathname) ? visit(to.href, { sent }) : leave(to.href)
    }
    if (!page || !isPage(new URL(response.url).pathname)) return sent ? stay(NOT_OURS) : leave(response.url)
    // What was typed is not given up for a page that comes from somebody in between, or says that something broke.
    if (!page.getElementById('main')) return sent ? stay(NOT_OURS) : leave(url)
    const broken = page.querySelector<HTMLElement>('[data-error]')?.dataset.error
    if (sent && broken) return stay(`${broken}. What you typed is still here.`)
    show(page, whereTo(url, response, init), { sent, back })
    return true
  } catch {
    return sent ? stay(OFFLINE) : leave(url)
  }
}

/** The browser goes there itself. */
function leave(url: string): true {
  location.href = url
  return true
}

/** The page stays as it is. */
function stay(sentence: string): false {
  document.querySelector('main')?.removeAttribute('aria-busy')
  complain(sentence)
  return false
}

/** Whether a page of the site is there: files are not, and the API and the authorization server have pages of their own. */
export const isPage = (path: string): boolean => !/^\/(api|docs\/api|oauth|\.well-known)(\/|$)|\.\w+$/.test(path)

/** What was fetched does not know what stood behind the #; a form's action (`?/name`) is no address of a page. */
function whereTo(asked: string, response: Response, { method }: RequestInit): URL {
  const url = new URL(response.url)
  if (method === 'POST') url.search = url.search.replace(/^\?\/\w+&?/, '?')
  else url.hash = new URL(asked, location.href).hash
  return url
}

function show(page: Document, url: URL, { sent, back = false }: Visit): void {
  const samePage = url.pathname === location.pathname
  const { scrollY } = globalThis
  if (!back && url.href !== location.href) goOn(url, { sent: sent !== undefined })
  shown = address()
  showHead(page)
  for (const script of page.body.querySelectorAll('script')) script.remove()
  document.body.replaceChildren(...page.body.childNodes)
  const target = url.hash ? document.getElementById(decodeURIComponent(url.hash.slice(1))) : null
  if (sent && samePage) {
    scrollTo(0, scrollY)
    const answer = answerTo(sent, target)
    if (answer) reach(answer)
    // What is refused or said is heard as it takes the focus.
    announce(answer?.matches('[aria-invalid], [role]') ? '' : `${nameOf(sent.button) || 'Sent'}: done`)
    return
  }
  // A form may lead to a page that has one thing to do, such as typing a code.
  const field = sent ? document.querySelector<HTMLElement>('main [autofocus]') : null
  const focused = field ?? document.querySelector<HTMLElement>('main')
  focused?.focus({ preventScroll: true })
  if (back) restore()
  else if (target) target.scrollIntoView()
  else if (!samePage || !sent) scrollTo(0, 0)
  announce(page.title)
}

const FACTS =
  'link[rel="canonical"], link[rel="alternate"], meta[property], meta[name="description"], meta[name="robots"]'

/** The title, what browsers' own menus read, and styles that this document does not have yet. */
function showHead(page: Document): void {
  document.title = page.title
  document.documentElement.dataset.theme = page.documentElement.dataset.theme
  for (const fact of document.head.querySelectorAll(FACTS)) fact.remove()
  document.head.append(...page.head.querySelectorAll(FACTS))
  for (const sheet of page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    const href = sheet.getAttribute('href')
    if (href && !document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) document.head.append(sheet)
  }
}

addEventListener('popstate', ({ state }) => {
  if (address() !== shown) {
    goBack(state)
    return void visit(location.href, { back: true })
  }
  // Within the page, it is the browser that scrolls; what was on its way here is not wanted any more.
  newest++
  document.querySelector('main')?.removeAttribute('aria-busy')
})
