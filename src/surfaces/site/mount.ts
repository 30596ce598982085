// The site: everything outside the API. It is a client of the API like any other, in the same process.
import { hash } from 'node:crypto'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono, Context as HonoContext } from 'hono'
import { type api, areaOf, auditActions } from '../../api.ts'
import { readerAt } from '../../budgets/network.ts'
import type { Config } from '../../config/config.ts'
import { FALLBACK } from '../../contract/languages.ts'
import { type PartsOff, partsOff } from '../../contract/parts.ts'
import { isPrivate } from '../../core/readers.ts'
import type { Changes } from '../../database/changes.ts'
import { CommitCache } from '../../database/commit-cache.ts'
import { negotiated } from '../../language/choice.ts'
import type { View } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { drawPng } from '../../storage/draw.ts'
import type { Client } from '../client.ts'
import { targetOf } from '../http/gate.ts'
import { pageHeaders, transportHeaders } from '../http/headers.ts'
import { isCrossSite } from '../http/origin.ts'
import type { Env } from '../http/pipeline.ts'
import { isUnchanged } from '../http/send-file.ts'
import { CachedPages } from './cached-pages.ts'
import { PageCalls, type SiteCore } from './calls.ts'
import { takeForm } from './forms.ts'
import { type Passage, passageOf } from './gate.ts'
import { type Looks, looksOf } from './looks.ts'
import { workFor } from './work.ts'

const auditTitles = Object.fromEntries([...auditActions.values()].map(({ name, title }) => [name, title]))

/** The built site as it is asked (SvelteKit's Server). */
export interface Site {
  respond(request: Request, options: { platform: Platform; getClientAddress(): string }): Promise<Response>
  /** The folder of the files that are served as they are. */
  files: string
  /** Files in that folder with a fixed path. */
  names: ReadonlySet<string>
}

/** The data that the server passes to a page (site/src/app.d.ts). */
interface Platform {
  connect: PageCalls['client']
  send: PageCalls['send']
  forEverybody<Read>(name: string, read: (anonymous: Client<typeof api>) => Promise<Read>): Promise<Read>
  work(name: 'markdown' | 'chart' | 'code', input: unknown): Promise<unknown>
  /** Draws SVG that the site wrote as PNG. */
  draw(svg: string): Promise<Uint8Array>
  report(error: unknown): string
  /** The fixed client, by which agents know their links. */
  agentClientId: string
  /** Whether anonymous users get files of public items. */
  publicDownloads: boolean
  /** What the privacy policy and the terms say of who runs the server. */
  operator: Config['operator']
  /** Who may make an account, and where it is open, the mail domains that may; none for all. */
  signUp: { mode: 'open' | 'invited' | 'closed'; domains: readonly string[] }
  /** What the button of the external provider is called; undefined without one. */
  externalName: string | undefined
  /** What the audit log calls each action, in words. */
  auditTitles: Readonly<Record<string, string>>
  /** Whether reading needs an account here. */
  isPrivate: boolean
  /** Whether the reader of the page may read the community. */
  reads: boolean
  baseUrl: string
  looks: Looks
  /** The parts that are turned off. */
  off: PartsOff
  development: boolean
  /** The data of an endpoint's page (view.ts); undefined for all other requests. */
  view: View | undefined
}

export interface SiteSource {
  /** The site, loaded at the first request for a page. */
  open(): Promise<Site>
  /** What caches must know of commits; without it no page is cached. */
  changes?: Changes | undefined
}

export interface SiteOptions {
  dependencies: Dependencies
  site: SiteSource
  calling: SiteCore
}

interface RenderOptions {
  id: string
  address: string
  view?: View
  /** How its reader came through the gate of a private instance. */
  passage?: Pick<Extract<Passage, { request: Request }>, 'reads' | 'asReader'>
}

/** Renders the page at the path of `raw`. */
export type RenderPage = (raw: Request, more: RenderOptions) => Promise<Response>

interface MountOptions extends SiteOptions {
  renderPage: RenderPage
}

/** Mounts the site as the last route. */
export function mountSite(app: Hono<Env>, options: MountOptions): void {
  const headers = Object.entries({ ...pageHeaders, ...transportHeaders(options.dependencies.config) })
  const files = serveFiles(options)
  const { changes } = options.site
  const kept = changes && new CachedPages(changes)
  const place = { ...options.calling, area: areaOf('/api') }
  const pageOf = async (c: HonoContext<Env>) => {
    const passage = await passageOf(place, c.req.raw)
    if (passage.response) return passage.response
    const language = negotiated(c.req.raw.headers.get('accept-language')) ?? FALLBACK
    // Pages are cached separately for each language, and for the parts that are off.
    const url = `${language} ${partsOff(options.dependencies.config).key} ${c.req.url}`
    const own = { id: c.env.requestId, address: c.env.address ?? '', passage }
    const page = () => options.renderPage(passage.request, own)
    const isPublic = !isPrivate(options.dependencies.config)
    // What a private instance shows without a session is a page of the way in, or a feed by its key.
    if (!isPublic && (passage.asReader || isAnonymous(c.req.raw))) return secretly(await page(), passage)
    if (!kept || !isPublic || !isAnonymous(c.req.raw)) return page()
    const now = options.dependencies.clock.elapsed()
    return kept.find(url, now) ?? kept.fill(url, now, page)
  }
  const pageOrFeed = async (c: HonoContext<Env>) => compress(c.req.raw, await feedResponse(c.req.raw, await pageOf(c)))
  app.all('*', async (c) => {
    c.env.operation = 'site'
    const response = (await refuse(c, options.dependencies)) ?? (await files(c)) ?? (await pageOrFeed(c))
    for (const [name, value] of headers) if (!response.headers.has(name)) response.headers.set(name, value)
    response.headers.set('X-Request-Id', c.env.requestId)
    return response
  })
}

/** No cache keeps it, and no link tells the address of a feed. */
function secretly(response: Response, { key }: { key?: string }): Response {
  response.headers.set('Cache-Control', 'private, no-store')
  if (key === undefined) return response
  response.headers.set('Referrer-Policy', 'no-referrer')
  // A feed at a former address is asked for with the same key.
  const location = response.headers.get('location')
  if (location?.startsWith('/') && !location.startsWith('//') && location.endsWith('.atom'))
    response.headers.set('Location', `${location}?key=${encodeURIComponent(key)}`)
  return response
}

/** Whether a request has no credentials: all such requests get the same page. */
const isAnonymous = ({ method, headers }: Request) =>
  method === 'GET' && !headers.has('cookie') && !headers.has('authorization')

/** Refuses a cross-site form, or one that is larger than its page allows; undefined if the page may respond. */
async function refuse({ req }: HonoContext<Env>, { config }: Dependencies): Promise<Response | undefined> {
  const { method, headers } = req.raw
  if (method === 'GET' || method === 'HEAD') return undefined
  const say = (status: number, sentence: string) => new Response(`${sentence}\n`, { status, headers: TEXT })
  if (isCrossSite(headers, config.baseUrl)) return say(403, 'This form was sent from another site')
  const taken = await takeForm(req.raw)
  if ('sentence' in taken) return say(taken.status, taken.sentence)
  req.raw = taken.request
  return undefined
}

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' }

/** Scripts, styles and pictures of the site, from its folder; undefined for everything else. */
function serveFiles({ site }: SiteOptions) {
  let serve: ReturnType<typeof serveStatic<Env>> | undefined
  return async (c: HonoContext<Env>): Promise<Response | undefined> => {
    const { files, names } = await site.open()
    if (!names.has(c.req.path)) return undefined
    serve ??= serveStatic<Env>({
      root: files,
      precompressed: true,
      onFound: (path, context) => {
        const cache = path.includes('/immutable/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
        context.header('Cache-Control', cache)
      },
    })
    return (await serve(c, async () => {})) ?? undefined
  }
}

/**
 * Data that is the same for every reader: it is read anonymously, so that one reader's data never reaches another, and cached as
 * `name` until the next commit.
 */
function reading({ site: { changes }, calling, dependencies: { config } }: SiteOptions): Platform['forEverybody'] {
  const kept = changes && new CommitCache<unknown>(changes, { name: 'parts', most: 100, mostWeight: 100 })
  const anonymous = new PageCalls(calling, { requestId: newId(), address: '', asReader: true }).client(() => {})
  return async <Read>(name: string, read: (client: typeof anonymous) => Promise<Read>) => {
    if (!kept) return read(anonymous)
    const key = `${name} ${partsOff(config).key}`
    const found = kept.find(key)
    if (found !== undefined) return found as Read
    return kept.fill(key, async (keep) => {
      const value = await read(anonymous)
      keep(value, 1)
      return value
    })
  }
}

/** No page has an address that begins so. */
const NOWHERE = '/-'

export function pageRenderer(options: SiteOptions): RenderPage {
  const { dependencies, site } = options
  const { config, log } = dependencies
  const forEverybody = reading(options)
  return async (raw, { id, address, view, passage }) => {
    const { respond } = await site.open()
    // All links of a page start from the public origin, regardless of the request's host.
    const target = targetOf(raw.url)
    const { pathname } = new URL(config.baseUrl + target)
    const off = partsOff(config)
    // What is off is answered as an address that leads nowhere.
    const shown = off.hasPage(pathname) ? NOWHERE + target : target
    const calls = new PageCalls(options.calling, {
      ...(passage?.asReader ? { asReader: true as const } : { raw }),
      ...{ requestId: id, address },
    })
    const platform: Platform = {
      connect: (onCookie) => calls.client(onCookie),
      send: (name, input, how) => calls.send(name, input, how),
      forEverybody: passage?.reads ? forEverybody : (_, read) => read(calls.client(() => {})),
      work: workFor(address),
      draw: (svg) => drawPng(svg, readerAt(address)),
      agentClientId: config.agentClientId,
      publicDownloads: config.publicDownloads,
      operator: config.operator,
      externalName: config.external?.name,
      signUp: { mode: config.signUp, domains: config.signUpDomains },
      report(error) {
        log.error({ err: error, requestId: id, path: pathname }, 'page failed')
        return id
      },
      auditTitles,
      isPrivate: isPrivate(config),
      reads: passage?.reads ?? !isPrivate(config),
      baseUrl: config.baseUrl,
      looks: looksOf(config),
      off,
      development: config.development,
      view,
    }
    const { method, headers: asked } = raw
    // Without a body a request is made from its headers: a copy of the whole would need all of it as a web request first.
    const request = new Request(config.baseUrl + shown, method === 'GET' ? { headers: asked } : raw)
    const response = await respond(request, { platform, getClientAddress: () => address })
    if (response.status === 503) response.headers.set('Retry-After', calls.retryAfter ?? '15')
    const policy = response.headers.get('content-security-policy')
    if (policy && config.filesUrl) response.headers.set('Content-Security-Policy', withFiles(policy, config.filesUrl))
    return response
  }
}

/** Images and frames of the main origin that redirect to the files origin. */
const withFiles = (policy: string, filesUrl: string) => policy.replace(/\b(img|frame)-src 'self'/g, `$& ${filesUrl}`)

/** An Atom feed with an ETag, so that an unchanged one costs no bytes, and readable by pages of any origin: the response with its headers, or a 304 without a body (RFC 9110, 15.4.5); other responses as they are. */
async function feedResponse({ method, headers: asked }: Request, response: Response): Promise<Response> {
  const isFeed = response.headers.get('content-type')?.startsWith('application/atom+xml')
  if (!isFeed || response.status !== 200) return response
  const text = await response.text()
  const etag = `"${hash('sha256', text, 'base64url')}"`
  const headers = new Headers(response.headers)
  // The response to a HEAD has no text to make it of (RFC 9110, 9.3.2).
  if (method !== 'HEAD') headers.set('ETag', etag)
  headers.set('Access-Control-Allow-Origin', '*')
  headers.set('Access-Control-Expose-Headers', 'ETag')
  if (!isUnchanged(asked, etag)) return new Response(text, { headers })
  headers.delete('Content-Type')
  return new Response(null, { status: 304, headers })
}

/** Compressing less saves nothing. */
const LEAST_BYTES = 1_400
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * The page in an encoding that its reader accepts (Accept-Encoding; RFC 9110, 12.5.3): zstd, gzip, or plain. A list is 50 KB of HTML and
 * 9 KB of zstd, for a tenth of a millisecond. A page contains no secret besides the reader's own input, so compressing it is safe.
 */
async function compress({ method, headers: asked }: Request, response: Response): Promise<Response> {
  if (method !== 'GET' || !response.headers.get('content-type')?.startsWith('text/html')) return response
  response.headers.append('Vary', 'Accept-Encoding')
  const encoding = /\b(zstd|gzip)\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/g
  const taken = new Set((asked.get('accept-encoding') ?? '').match(encoding))
  if (taken.size === 0) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { status, headers } = response
  if (bytes.byteLength < LEAST_BYTES) return new Response(bytes, { status, headers })
  headers.delete('Content-Length')
  headers.set('Content-Encoding', taken.has('zstd') ? 'zstd' : 'gzip')
  const body = taken.has('zstd') ? zstdCompressSync(bytes, fastest) : gzipSync(bytes, { level: 1 })
  return new Response(new Uint8Array(body), { status, headers })
}
