// The gate in front of all routing: a Host that is none and a path that is not canonical are answered here, and on the origin of the files (FILES_URL)
// everything else than files.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { areaOrPage } from '../../api.ts'
import type { Config } from '../../config/config.ts'
import { Problem } from '../../contract/problem.ts'
import { newId } from '../../runtime/ids.ts'
import { openHeaders } from './headers.ts'
import { hasGoodHost } from './host.ts'
import { hasSmallBody, rest } from './overload.ts'
import { refusalOf } from './response.ts'
import { judgeTarget, meantPath, type Verdict } from './target.ts'

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
