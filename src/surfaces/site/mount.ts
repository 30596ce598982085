// The site: everything outside the API. It is a client of the API like any other, in the same process.
import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono, Context as HonoContext } from 'hono'
import { areaOf, auditActions } from '../../api.ts'
import { readerAt } from '../../budgets/network.ts'
import type { Config } from '../../config/config.ts'
import { FALLBACK } from '../../contract/languages.ts'
import { operationsOff } from '../../contract/parts.ts'
import type { PageSession } from '../../core/call-request.ts'
import { isPrivate } from '../../core/readers.ts'
import type { Changes } from '../../database/commit-cache.ts'
import { CommitCache } from '../../database/commit-cache.ts'
import { negotiated } from '../../language/choice.ts'
import type { View } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import type { drawPng } from '../../storage/images.ts'
import { inThread, jobOf } from '../../workers/workers.ts'
import { targetOf } from '../http/gate.ts'
import { isCrossSite } from '../http/origin.ts'
import type { Env } from '../http/pipeline.ts'
import { pageHeaders, transportHeaders } from '../http/response.ts'
import { PageCalls, type SiteCore } from './calls.ts'
import { takeForm } from './forms.ts'
import { type Passage, passageOf } from './gate.ts'
import { draftLooks, looksOf } from './looks.ts'
import type { Platform } from './platform.ts'
import { CachedPages, compress, feedResponse, isFeed } from './sent.ts'
import { isOfWidget, letFrame, withoutReader } from './widget.ts'

type Work = (input: unknown) => unknown

const moduleOf = (name: string) => import.meta.resolve(`../../../site/src/lib/server/${name}`)

/** Longer than the slowest text on a busy machine; after that the text is shown as plain text. */
const MAX_MILLISECONDS = 5_000

const jobs = {
  markdown: jobOf<Work>(moduleOf('markdown.ts'), 'renderTexts', MAX_MILLISECONDS),
  chart: jobOf<Work>(moduleOf('org-chart.ts'), 'orgChart', MAX_MILLISECONDS),
  code: jobOf<Work>(moduleOf('highlight.ts'), 'highlightSource', MAX_MILLISECONDS),
} as const

/** Runs one of the jobs, in turn with those of other networks. Rejects as `inThread` does. */
const workFor = (address: string) => (name: keyof typeof jobs, input: unknown) =>
  inThread(jobs[name], input, readerAt(address))

const auditTitles = Object.fromEntries([...auditActions.values()].map(({ name, title }) => [name, title]))

/** The built site as it is asked (SvelteKit's Server). */
export interface Site {
  respond(request: Request, options: { platform: Platform; getClientAddress(): string }): Promise<Response>
  /** The folder of the files that are served as they are. */
  files: string
  /** Files in that folder with a fixed path. */
  names: ReadonlySet<string>
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
  /** Pictures for sharing, where this build has them. */
  drawings: (() => Promise<{ drawPng: typeof drawPng }>) | undefined
}

interface RenderOptions {
  id: string
  address: string
  view?: View
  /** How its reader came through the gate of a private instance. */
  passage?: Pick<Extract<Passage, { request: Request }>, 'reads' | 'asReader' | 'boardsOf'>
  session?: PageSession
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
    // A page that only reads is of one moment: its session is looked up once.
    const session = c.req.method === 'GET' || c.req.method === 'HEAD' ? {} : undefined
    const passage = await passageOf(place, c.req.raw, session)
    if (passage.response) return passage.response
    const language =
      negotiated(c.req.raw.headers.get('accept-language'), options.dependencies.config.languages) ?? FALLBACK
    // Pages are cached separately for each language, and for the parts that are off.
    const url = `${language} ${operationsOff(options.dependencies.config).key} ${c.req.url}`
    const own = { id: c.env.requestId, address: c.env.address ?? '', passage, ...(session && { session }) }
    const page = () => options.renderPage(passage.request, own)
    const isPublic = !isPrivate(options.dependencies.config)
    // What a private instance shows without a session is a page of the way in, or a feed by its key.
    if (passage.asReader || (!isPublic && isAnonymous(c.req.raw))) return secretly(await page(), passage)
    if (!kept || !isPublic || !isAnonymous(c.req.raw)) return page()
    const now = options.dependencies.clock.elapsed()
    return kept.find(url, now) ?? kept.fill(url, now, page)
  }
  const pageOrFeed = async (c: HonoContext<Env>) => compress(c.req.raw, await feedResponse(c.req.raw, await pageOf(c)))
  app.all('*', async (c) => {
    c.env.operation = 'site'
    const isFramed = isOfWidget(c.req.path)
    if (isFramed) c.req.raw = withoutReader(c.req.raw)
    const response = (await refuse(c, options.dependencies)) ?? (await files(c)) ?? (await pageOrFeed(c))
    for (const [name, value] of headers) if (!response.headers.has(name)) response.headers.set(name, value)
    if (isFramed) letFrame(response, options.dependencies.config)
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
  if (location?.startsWith('/') && !location.startsWith('//') && isFeed(location))
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
    const key = `${name} ${operationsOff(config).key}`
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
  const { dependencies, site, drawings } = options
  const { config, log } = dependencies
  const forEverybody = reading(options)
  return async (raw, { id, address, view, passage, session }) => {
    const { respond } = await site.open()
    // All links of a page start from the public origin, regardless of the request's host.
    const target = targetOf(raw.url)
    const { pathname } = new URL(config.baseUrl + target)
    const off = operationsOff(config)
    // What is off is answered as an address that leads nowhere.
    const shown = off.hasPage(pathname) ? NOWHERE + target : target
    const calls = new PageCalls(options.calling, {
      ...(passage?.asReader
        ? { asReader: true as const, ...(passage.boardsOf && { boardsOf: passage.boardsOf }) }
        : { raw, ...(session && { page: session }) }),
      ...{ requestId: id, address },
    })
    const platform: Platform = {
      connect: (onCookie) => calls.client(onCookie),
      send: (name, input, how) => calls.send(name, input, how),
      forEverybody: passage?.reads ? forEverybody : (_, read) => read(calls.client(() => {})),
      work: workFor(address),
      ...settingsOf(config),
      ...(drawings && { draw: async (svg) => (await drawings()).drawPng(svg, readerAt(address)) }),
      report(error) {
        log.error({ err: error, requestId: id, path: pathname }, 'page failed')
        return id
      },
      auditTitles,
      reads: passage?.reads ?? !isPrivate(config),
      draftLooks: (changes) => draftLooks(dependencies.settings, changes),
      off,
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

/** What pages show of the settings. */
const settingsOf = (config: Config) => ({
  agentClientId: config.agentClientId,
  publicDownloads: config.publicDownloads,
  operator: config.operator,
  keptDays: config.keptDays,
  machines: machinesIn(config),
  externalName: config.external?.name,
  signUp: { mode: config.signUp, domains: config.signUpDomains, isExternal: config.signIn === 'external' },
  isPrivate: isPrivate(config),
  guestDigest: config.guestDigest && !isPrivate(config),
  baseUrl: config.baseUrl,
  widgetSites: config.widgetSites,
  looks: looksOf(config),
  development: config.development,
})

const machinesIn = ({ classifier, ai }: Config) => ({
  classifier: classifier !== undefined,
  ai: ai !== undefined,
  meanings: ai?.embeddings !== undefined,
})

/** Images and frames of the main origin that redirect to the files origin. */
const withFiles = (policy: string, filesUrl: string) => policy.replace(/\b(img|frame)-src 'self'/g, `$& ${filesUrl}`)
