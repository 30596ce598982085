// The gate in front of all routing: a Host that is none and a path that is not canonical are answered here, and on the origin of the files (FILES_URL)
// everything else than files.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import { areaOrPage } from '../../api.ts'
import type { Config } from '../../config/config.ts'
import { type Code, Problem } from '../../contract/problem.ts'
import { newId } from '../../runtime/ids.ts'
import { hasSmallBody, rest } from './overload.ts'
import { openHeaders, refusalOf } from './response.ts'

// The Host of a request is a name or an address with a port, once, or the request is refused before anything looks at it
// (behaviour.md, section 0): no program in front of us, and no library behind, may take it for something else.

/** Of nearly every request this is all that is done. A name may end with a dot; `_` is in names of containers. */
const NAMED = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?(?::(\d{1,5}))?$/i
const NUMBERED = /^\[([0-9a-f:.]+)\](?::(\d{1,5}))?$/i

const MAX_LENGTH = 260
const MAX_PORT = 65_535

/** Whether the Host of a request is one, and is there once. A request of HTTP/1.0 may have none (RFC 9112, 3.2). */
function hasGoodHost({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.0'
  return isHost(headers.host) && countHosts(rawHeaders) === 1
}

function isHost(host: string): boolean {
  if (host.length > MAX_LENGTH) return false
  const named = NAMED.exec(host)
  if (named) return isPort(named[1])
  const [, address, port] = NUMBERED.exec(host) ?? []
  return address !== undefined && isIPv6(address) && isPort(port)
}

const isPort = (port: string | undefined) => port === undefined || (Number(port) > 0 && Number(port) <= MAX_PORT)

/** Node keeps the first of several. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count++
  }
  return count
}

/** What is wrong with a target, or the plain path that says the same. */
type Verdict = { code: Extract<Code, 'invalid_request' | 'not_found'>; message: string } | { plain: string }

/** Of nearly every request this is all that is done: segments of plain characters, none of them dots alone, and a plain query. */
const PLAIN =
  /^\/(?:(?!\.\.?(?:[/?]|$))[\w.~!$&'()*+,;=:@-]+\/)*(?:(?!\.\.?(?:\?|$))[\w.~!$&'()*+,;=:@-]+)?(?:\?[!"$&-~]*)?$/

const refused = (message: string): Verdict => ({ code: 'invalid_request', message })

/** undefined for a target that may be routed. `target` is the request line's own, or path and query of a call in process. */
export function judgeTarget(target: string): Verdict | undefined {
  return PLAIN.test(target) ? undefined : judgeSlowly(target)
}

function judgeSlowly(target: string): Verdict | undefined {
  if (!target.startsWith('/')) return refused('The request target must be a path that begins with /')
  if (/[^!-~]|#/.test(target)) return refused('The path holds characters that must be percent-encoded')
  const [path, query = ''] = split(target)
  if (/\\|%5c/i.test(path)) return refused('The path holds a backslash')
  const plain = path.replace(/%([0-9a-f]{2})/gi, plainOf)
  // An encoded slash belongs to its segment; a program that decodes it must not be led to another path.
  const segments = plain.replace(/%2f/gi, '/')
  if (segments.includes('//')) return refused('The path has an empty segment')
  if (/\/\.\.?(?:\/|$)/.test(segments)) return refused('The path has a segment of dots')
  // Text of a thing that cannot be there: it is not found, as any other that is not (behaviour.md, section 0).
  if (/%00|%ed%[ab][0-9a-f]/i.test(path)) return { code: 'not_found', message: 'There is nothing here' }
  if (!isText(path)) return refused('The path is not percent-encoded UTF-8')
  if (query.includes('%') && !isText(query)) return refused('The query is not percent-encoded UTF-8 without NUL')
  return plain === path ? undefined : { plain: plain + target.slice(path.length) }
}

/** The path that a target means, as far as that can be told: for the words of a refusal, never for a route. */
function meantPath(target: string): string {
  const path = split(target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''))[0]
  const plain = path.replace(/%([0-9a-f]{2})/gi, plainOf)
  return URL.parse(plain.replace(/[\\/]+/g, '/'), 'http://path.invalid')?.pathname ?? '/'
}

function split(target: string): [path: string, query?: string] {
  const at = target.indexOf('?')
  return at < 0 ? [target] : [target.slice(0, at), target.slice(at + 1)]
}

/** The character itself where it never needs to be encoded (RFC 3986, 2.3). */
function plainOf(encoded: string, hex: string): string {
  const character = String.fromCharCode(Number.parseInt(hex, 16))
  return /[\w.~-]/.test(character) ? character : encoded
}

function isText(encoded: string): boolean {
  try {
    return !decodeURIComponent(encoded).includes('\0')
  } catch {
    return false
  }
}

/** Has the present name of this server. */
type NamedServer = Readonly<Pick<Config, 'name'>>

interface AnswerParams extends NamedServer {
  target: string
  id: string
}

/** An answer that no route had a part in. */
interface GateAnswer {
  status: number
  headers: Record<string, string>
  body: string | null
}

/** The gate's answer to Node's own request, sent; false where the request may go on. */
export function sendRefusal(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { name }: NamedServer,
): number | undefined {
  const target = incoming.url ?? ''
  const verdict = hasGoodHost(incoming) ? judgeTarget(target) : BAD_HOST
  if (!verdict) return undefined
  const { status, headers, body } = answerTo(verdict, incoming.method ?? 'GET', { target, id: newId(), name })
  // What was sent along is not read: the connection ends with the answer.
  const end: Record<string, string> = isReading(incoming.method) ? {} : { Connection: 'close' }
  outgoing.writeHead(status, { ...headers, ...end, 'Content-Length': Buffer.byteLength(body ?? '') })
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
  return status
}

const BAD_HOST: Verdict = {
  code: 'invalid_request',
  message: 'The request must have one Host header, which is a name or an address, with or without a port',
}

const BUSY = new Problem('unavailable', 'The server has too much to do right now; try again in a moment')
const BUSY_SECONDS = '2'

/** Refuses a request that would wait too long (overload.ts); returns the status. */
export function sendBusy(incoming: IncomingMessage, outgoing: ServerResponse, { name }: NamedServer): number {
  const area = areaOrPage(meantPath(incoming.url ?? ''))
  const body = area ? refusalOf(area, BUSY).body : pageOf({ title: 'Too busy', message: BUSY.message, name })
  const contentType = area ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8'
  outgoing.writeHead(503, {
    ...openHeaders,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'Retry-After': BUSY_SECONDS,
    'X-Request-Id': newId(),
    // A new connection would cost more than the rest of a small body.
    ...(hasSmallBody(incoming) ? {} : { Connection: 'close' }),
  })
  outgoing.once('close', () => rest(incoming.socket))
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
  incoming.resume()
  return 503
}

/** The same as `sendRefusal` for a request in process, whose path may hold input of a user. */
export function refuseRequest({ url, method }: Request, id: string, { name }: NamedServer): Response | undefined {
  const target = targetOf(url)
  const verdict = judgeTarget(target)
  if (!verdict) return undefined
  const { status, headers, body } = answerTo(verdict, method, { target, id, name })
  return new Response(method === 'HEAD' ? null : body, { status, headers })
}

/** Path and query of an absolute URL, as they stand. */
export function targetOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.indexOf('#', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

const isReading = (method: string | undefined) => method === 'GET' || method === 'HEAD'

function answerTo(verdict: Verdict, method: string, { target, id, name }: AnswerParams): GateAnswer {
  const headers = { ...openHeaders, 'Cache-Control': 'no-store', 'X-Request-Id': id }
  if ('plain' in verdict) {
    if (isReading(method)) return { status: 308, headers: { ...headers, Location: verdict.plain }, body: null }
    return say({ code: 'invalid_request', message: `The path must be written plainly: ${verdict.plain}` }, headers, {
      target,
      name,
    })
  }
  return say(verdict, headers, { target, name })
}

/** In the words of the area that the path means, or as a page. */
function say(
  { code, message }: Exclude<Verdict, { plain: string }>,
  headers: Record<string, string>,
  { target, name }: Pick<AnswerParams, 'target' | 'name'>,
): GateAnswer {
  const area = areaOrPage(meantPath(target))
  if (area) {
    const { status, body } = refusalOf(area, new Problem(code, message))
    return { status, headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' }, body }
  }
  const status = code === 'not_found' ? 404 : 400
  return {
    status,
    headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' },
    body: pageOf({ title: 'Check the address', message, name }),
  }
}

const escapedHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Holds nothing of what was asked for. */
const pageOf = ({ title, message, name }: { title: string; message: string; name: string }) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · ${escapedHtml(name)}</title></head>
<body><h1>${title}</h1><p>${message}.</p><p><a href="/">${escapedHtml(name)}</a></p></body></html>
`
