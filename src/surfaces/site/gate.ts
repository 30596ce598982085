// The gate of the site on a private instance: before any page is routed, so that it tells nothing of what there is. Pages of the way in, and
// documents without content, stay open.
import type { Area } from '../../contract/operation.ts'
import { entryOf, keyHolder } from '../../core/authorize.ts'
import type { PageSession } from '../../core/call-request.ts'
import { isPrivate, NO_READER } from '../../core/readers.ts'
import { cookieIn } from '../../request/credentials.ts'
import type { Caller } from '../../request/handler.ts'
import type { SiteCore } from './calls.ts'
import { isFeed } from './sent.ts'

/** Pages that anyone opens, with all below them. Their words are those of the software, or of the operator. */
export const OPEN_PAGES = [
  ...['/sign-in', '/sign-up', '/join', '/sign-out', '/forgot-password', '/verify-email', '/email-undo', '/unsubscribe'],
  ...['/appeal', '/oauth', '/docs', '/privacy', '/terms', '/language', '/theme', '/refusal', '/keys', '/dev'],
  ...['/readers-only', '/setup', '/looks', '/pages', '/manifest.webmanifest', '/opensearch.xml'],
  ...['/widget', '/widget.js'],
]
/** What an account opens that is not among the readers: to leave, or to take its data with it. */
const OWN_PAGES = ['/settings', '/onboarding']
/** What a private instance has for no one: what is made for other sites and for crawlers. */
const GONE = /^\/(?:sitemap\.xml|share\/.*|.*\/picture\.png)$/
/** What is no page: the data of one, feeds, calendars and pictures. A file of an item is shown on a page. */
const DATA = /\/__data\.json$|^(?!.*\/files\/).*\.(?:atom|ics|svg|png)$/

const ROBOTS = 'User-agent: *\nDisallow: /\n'
const TEXT = 'text/plain; charset=utf-8'
const NO_STORE = { 'Cache-Control': 'private, no-store' }

/**
 * What becomes of a request. `asReader`: the page reads what all readers may, and knows no more of its own; by the key of a feed it reads the
 * boards of its account too.
 */
export type Passage =
  | { response: Response }
  | { response?: undefined; request: Request; reads: boolean; asReader: boolean; key?: string; boardsOf?: Caller }

/** Looks at a request for a page. On a public instance it passes as it is. */
export async function passageOf(
  site: SiteCore & { area: Area },
  request: Request,
  page: PageSession | undefined,
): Promise<Passage> {
  const { config } = site.core.dependencies
  const url = new URL(request.url)
  const key = isFeed(url.pathname) ? url.searchParams.get('key') : null
  const boardsOf = key === null ? undefined : await keyHolder(site.core, key, site)
  const byKey = { request, reads: true, asReader: true, ...(key !== null && { key }), ...(boardsOf && { boardsOf }) }
  if (!isPrivate(config)) {
    return boardsOf ? { ...byKey, request: withoutKey(request, url) } : { request, reads: true, asReader: false }
  }
  const path = url.pathname.replace(/\/__data\.json$/, '') || '/'
  if (path === '/robots.txt') return { response: text(200, ROBOTS) }
  if (GONE.test(path)) return { response: text(404, 'There is nothing here\n') }
  const sessionToken = cookieIn(request.headers, site.cookieName)
  const entry = await entryOf(site.core, { sessionToken, feedKey: key ?? undefined, ...(page && { page }) }, site)
  if (entry === 'reader') {
    if (key === null) return { request, reads: true, asReader: false }
    return { ...byKey, request: withoutKey(request, url) }
  }
  const isOpen = isWithin(path, OPEN_PAGES) || (entry === 'no reader' && isWithin(path, OWN_PAGES))
  if (isOpen) return { request, reads: false, asReader: false }
  return { response: refuse(request, url, entry) }
}

const isWithin = (path: string, pages: readonly string[]) =>
  pages.some((page) => path === page || path.startsWith(`${page}/`))

/** The feed does not name its own key, and has nothing of who asks. */
function withoutKey({ method, headers: sent }: Request, url: URL): Request {
  const own = new URL(url)
  own.searchParams.delete('key')
  const headers = new Headers(sent)
  headers.delete('cookie')
  return new Request(own, { method, headers })
}

/** Pages lead to the sign-in and back; what no person opens is refused. */
function refuse({ method, headers }: Request, { pathname, search }: URL, entry: 'anonymous' | 'no reader'): Response {
  const isPage = !DATA.test(pathname)
  if (!isPage) {
    return entry === 'anonymous' ? text(401, 'Sign in first\n') : text(403, `${NO_READER}\n`)
  }
  const back = `/sign-in?to=${encodeURIComponent(pathname + (method === 'POST' ? '' : search))}`
  const location = entry === 'anonymous' ? back : '/readers-only'
  // A form that the page's script sends: a fetch would follow the redirect.
  if (method === 'POST' && headers.has('x-in-place')) {
    return new Response(null, {
      status: 204,
      headers: { ...NO_STORE, 'x-goes-to': location, 'Guildhall-Page': 'whole' },
    })
  }
  return new Response(null, { status: 303, headers: { ...NO_STORE, Location: location } })
}

const text = (status: number, body: string) =>
  new Response(body, { status, headers: { ...NO_STORE, 'Content-Type': TEXT } })
