// Prepares every page: the API client of its reader, the account, and the parts of the page's frame.
import type { Handle, HandleServerError } from '@sveltejs/kit/hooks'
import { wordsIn } from '#lib/language/catalogue.ts'
import { found } from '#lib/server/answers.ts'
import { withFaces } from '#lib/server/faces.ts'
import { cssOf, preloadOf, withDraft, withLooks } from '#lib/server/looks.ts'
import { castNotedVote } from '#lib/server/noted-vote.ts'
import { readNumber } from '#lib/server/numbered.ts'
import { unlinked } from '#lib/server/parts.ts'
import { FALLBACK } from '../../src/contract/languages.ts'
import { directionOf, LANGUAGE_COOKIE, languageOf } from '../../src/language/choice.ts'
import { DEFAULT_NAME } from '../../src/language/named.ts'

const THEMES = ['light', 'dark']

/** The header that the page's script requires of a response (enhance/trusted.ts). */
const PAGE = 'Guildhall-Page'

export const handle: Handle = async ({ event, resolve }) => {
  const { request, platform, locals, cookies, route, isDataRequest } = event
  // Without a view these pages are not there (lib/server/view.ts), nor is their data.
  if (isDataRequest && route.id?.startsWith('/oauth/')) return new Response(null, { status: 404 })
  const cookieLines: string[] = []
  const onCookie = (line: string) => cookieLines.push(line)
  if (!platform) throw new Error('The site runs in the server of Guildhall only')
  locals.server = platform
  locals.api = platform.connect(onCookie)
  locals.send = (name, input, how) => platform.send(name, input, { ...how, onCookie })
  locals.work = platform.work
  let user: ReturnType<App.Locals['user']> | undefined
  locals.user = () => (user ??= found(findUser(event)))
  await setWords(event)
  await castNotedVote(event)
  await readNumber(event)
  const chosen = route.id === '/widget' ? event.url.searchParams.get('theme') : cookies.get('theme')
  const theme = THEMES.find((name) => name === chosen) ?? 'system'
  // Keep the page and return an empty one: SvelteKit would hash all of it for an ETag, and with a nonce in it no
  // two pages are the same.
  let page: string | undefined
  let nonce = ''
  const response = await resolve(event, {
    preload: (asset) => preloadOf(locals.server.looks)(asset),
    transformPageChunk: ({ html }) => {
      // What is filled in is in the head, which is a small part of a page.
      const end = html.indexOf('</head>')
      const drawn = headOf(html.slice(0, end), { theme, locals })
      nonce = drawn.nonce
      page = drawn.head + html.slice(end)
      return ''
    },
  })
  const headers = new Headers(response.headers)
  varyByReader(headers)
  for (const line of cookieLines) headers.append('Set-Cookie', line)
  const isInPlace = request.method === 'POST' && request.headers.has('x-in-place')
  const goesTo = response.headers.get('location')
  if (isInPlace && goesTo !== null) {
    // A fetch that follows a redirect loses the fragment.
    headers.delete('location')
    headers.set('x-goes-to', goesTo)
    headers.set(PAGE, 'whole')
    return new Response(null, { status: 204, headers })
  }
  if (page === undefined) return new Response(response.body, { status: response.status, headers })
  setPageHeaders(headers, { nonce, language: locals.t.language, looks: locals.server.looks })
  // The script shows the errors of its form in the page, so the browser need not log the status.
  const status = isInPlace && response.status < 500 ? 200 : response.status
  return new Response(unlinked(await withFaces(locals, page), locals), { status, headers })
}

/** The head of a page with the theme, and the looks: an action may have put those of a preview in their place. */
function headOf(
  html: string,
  { theme, locals }: { theme: string; locals: App.Locals },
): { head: string; nonce: string } {
  const { looks } = locals.server
  const css = cssOf(looks)
  let nonce = ''
  const head = withLooks(withRoot(html, { theme, language: locals.t.language }), looks)
    .replace(/<style nonce="([^"]*)">%guildhall.accent%<\/style>\n/, (style, own: string) => {
      nonce = own
      return css ? style.replace('%guildhall.accent%', css) : ''
    })
    .replace('<script type="module" src=', `<script type="module" nonce="${nonce}" src=`)
    .replace('<script type="speculationrules"', `$& nonce="${nonce}"`)
  return { head, nonce }
}

/** Pages have the words of their reader; feeds and pictures are the same for all. */
function varyByReader(headers: Headers): void {
  const isInWords = headers.get('content-type')?.startsWith('text/html')
  if (isInWords) headers.append('Vary', 'Accept-Language, Cookie')
}

/** The attributes of the root element. */
const withRoot = (head: string, { theme, language }: { theme: string; language: string }) =>
  head
    .replace('%guildhall.theme%', theme)
    .replace('%guildhall.language%', language)
    .replace('%guildhall.direction%', directionOf(language))

/** An anonymous user has no account that could be asked. Where the session cannot be read, the page says so itself. */
async function setWords(event: Parameters<Handle>[0]['event']): Promise<void> {
  const site = event.platform?.looks.site
  // What fails while the account is asked is said in these words.
  event.locals.t = wordsIn(languageWith(event, undefined), site)
  const user = await event.locals.user().catch(() => undefined)
  event.locals.t = wordsIn(languageWith(event, user?.language), site)
}

function languageWith(
  { request, cookies, platform }: Parameters<Handle>[0]['event'],
  account: string | null | undefined,
) {
  return languageOf({
    account,
    cookie: cookies.get(LANGUAGE_COOKIE),
    acceptLanguage: request.headers.get('accept-language'),
    added: platform?.looks.site.languages,
  })
}

interface PageFrame {
  nonce: string
  language: string
  looks: App.Platform['looks']
}

function setPageHeaders(headers: Headers, { nonce, language, looks }: PageFrame): void {
  for (const name of ['etag', 'content-length']) headers.delete(name)
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set(PAGE, 'whole')
  headers.set('content-language', language)
  const policy = withNonce(headers.get('content-security-policy') ?? '', nonce)
  headers.set('content-security-policy', withDraft(policy, looks))
}

/** Adds the nonce to the CSP: SvelteKit does so only where it wrote inline code itself. */
const withNonce = (policy: string, nonce: string) =>
  policy.replace(/(script|style)-src 'self'(?! 'nonce)/g, `$1-src 'self' 'nonce-${nonce}'`)

async function findUser({ request, locals, platform }: Parameters<Handle>[0]['event']) {
  if (platform?.view || !request.headers.has('cookie')) return undefined
  return (await locals.api.accounts.getSession())?.user
}

export const handleError: HandleServerError = ({ kind, error, event }) => {
  // What fails before there are words is said in English.
  const t = event.locals.t ?? wordsIn(FALLBACK, event.platform?.looks.site ?? { name: DEFAULT_NAME })
  if (kind === 'framework' && error.status === 404) return { message: t('errors.page.404') }
  return kind === 'unknown' ? { message: t('errors.page.500'), requestId: event.platform?.report(error) } : undefined
}
