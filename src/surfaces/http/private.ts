// What every answer of a private instance says to crawlers and caches: nothing is indexed, and no proxy keeps what an account read.
import type { Config } from '../../config/config.ts'
import type { FileAnswer } from '../../contract/files.ts'
import { isPrivate } from '../../core/readers.ts'

const ROBOTS = 'noindex, nofollow, noarchive'

/** Answers that say it from the beginning. */
const sayIt = new WeakSet<Response>()

/**
 * An answer that no proxy keeps anyway, made with the headers of a private instance. To add one later costs a copy of all of them: a tenth of
 * an answer of the feed (`npm run bench -- private`).
 */
export function saidPrivately(
  answer: (headers: Record<string, string>) => Response,
  config: Pick<Config, 'readers'>,
): Response {
  if (!isPrivate(config)) return answer({})
  const response = answer({ 'X-Robots-Tag': ROBOTS })
  sayIt.add(response)
  return response
}

/** Changes the headers of an answer that has not been sent. Those of a public instance stay as they are. */
export function keepPrivate(response: Response, config: Pick<Config, 'readers'>): void {
  if (!isPrivate(config) || sayIt.has(response)) return
  const { headers } = response
  headers.set('X-Robots-Tag', ROBOTS)
  const caching = headers.get('cache-control')
  if (caching?.includes('public')) headers.set('Cache-Control', ownOnly(caching))
}

const ownOnly = (caching: string) => caching.replace(/\bpublic\b/, 'private')

interface Sending {
  file: FileAnswer
  /** On every answer. */
  headers: Record<string, string>
}

/** The same for a file, which goes past the response. */
export function privateHeaders({ file, headers }: Sending, config: Pick<Config, 'readers'>): Sending {
  if (!isPrivate(config)) return { file, headers }
  const own = { ...file.headers }
  if (own['Cache-Control']) own['Cache-Control'] = ownOnly(own['Cache-Control'])
  return { file: { ...file, headers: own }, headers: { ...headers, 'X-Robots-Tag': ROBOTS } }
}
