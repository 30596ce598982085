// Where a request comes from: its network address, and whether a browser sent it from another site. And the origin that files of members have.
import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { Config } from '../../config/config.ts'
import { type FileAnswer, isMemberFile } from '../../contract/files.ts'
import type { Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { isPrivate } from '../../core/readers.ts'
import { isLoopback } from '../../runtime/addresses.ts'
import { targetOf } from './gate.ts'

/**
 * Whether a write with a cookie must be refused (behaviour.md, section 1): `Sec-Fetch-Site` says another site sent it, or,
 * in browsers without that header, `Origin` does. Neither header means no browser.
 */
export function isCrossSite(headers: Headers, baseUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const origin = headers.get('origin')
  return origin !== null && !isOurs(origin, baseUrl)
}

/** Nothing that another site sends acts for whom the cookie is of, or changes whom it is of (behaviour.md, section 1). */
export function requireOwnSite(
  { headers }: Request,
  { method, setsCookie }: Operation,
  { sessionToken, baseUrl }: { sessionToken: string | undefined; baseUrl: string },
): void {
  if (method === 'GET' || !(sessionToken || setsCookie)) return
  if (isCrossSite(headers, baseUrl)) throw new Problem('forbidden', 'This request came from another site')
}

/** On loopback the names localhost, 127.0.0.1 and [::1] with our port are one origin. */
function isOurs(origin: string, baseUrl: string): boolean {
  if (origin === baseUrl) return true
  const theirs = URL.parse(origin)
  const ours = new URL(baseUrl)
  return (
    theirs !== null &&
    theirs.protocol === ours.protocol &&
    theirs.port === ours.port &&
    isLoopback(theirs.hostname) &&
    isLoopback(ours.hostname)
  )
}

/**
 * The address a limit is held against. Each trusted proxy appends the address it was called from to X-Forwarded-For; what
 * stands before those entries was written by the caller and counts for nothing. Some proxies append the port, too. An entry that
 * is no address is not believed: then the proxy that wrote it counts.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trustProxy: Config['trustProxy']): string {
  if (trustProxy === 0 || !forwardedFor) return peer
  const trusted = forwardedFor.split(',').slice(-trustProxy)
  for (const entry of trusted) {
    const address = addressIn(entry.trim())
    if (address !== undefined) return address
  }
  return peer
}

/** The address in `ip`, `ip:port`, `[v6]` or `[v6]:port`; undefined for anything else. */
function addressIn(entry: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry) ?? []
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : undefined
  if (isIP(entry)) return entry
  const [, v4] = /^([\d.]+):\d{1,5}$/.exec(entry) ?? []
  return v4 !== undefined && isIPv4(v4) ? v4 : undefined
}

// Files of members on an origin of their own (FILES_URL): what they hold then shares nothing with our pages, not even a cookie.
// On that origin is nothing else; on the main one browsers that would show a file are led there.

/** What tells the files' origin from the main one. */
export type FilesHost = { filesUrl?: Config['filesUrl'] }
type FilesConfig = Pick<Config, 'baseUrl' | 'filesUrl'>

/**
 * The origins as they are now. A browser sends no cookie to the files' origin, so a private instance does without it: the main one serves files
 * in a sandbox, as where FILES_URL is not set.
 */
export const filesConfigOf = (config: FilesConfig & Pick<Config, 'readers'>): FilesConfig => ({
  baseUrl: config.baseUrl,
  filesUrl: isPrivate(config) ? undefined : config.filesUrl,
})

/** Whether a request came to the files' origin, by the host it names. */
export function isAtFiles(host: string | null | undefined, { filesUrl }: FilesHost): boolean {
  if (filesUrl === undefined || !host) return false
  const files = new URL(filesUrl)
  // A name that ends with a dot is the same name.
  const asked = URL.parse(`${files.protocol}//${host.replace(/\.(?=:|$)/, '')}`)
  return asked?.host === files.host
}

/** The host a request names; one in process has it in its address. */
export const hostOf = ({ headers, url }: Request): string => headers.get('host') ?? new URL(url).host

/** Tells what may be asked for at the files' origin: members' files, to read; nothing where the instance is private. */
export function filesGate(
  config: FilesConfig & Pick<Config, 'readers'>,
  operations: readonly { operation: Operation }[],
) {
  let files: RegExp | undefined
  const isFile = (request: Request) => {
    files ??= pathsOfFiles(operations)
    return files.test(targetOf(request.url))
  }
  /** Whether a request must be refused there. */
  return (request: Request): boolean =>
    config.filesUrl !== undefined &&
    isAtFiles(hostOf(request), config) &&
    (isPrivate(config) || !(/^(?:GET|HEAD|OPTIONS)$/.test(request.method) && isFile(request)))
}

function pathsOfFiles(operations: readonly { operation: Operation }[]): RegExp {
  const paths = operations.flatMap(({ operation }) =>
    isMemberFile(operation.output) ? [`/api${operation.path.replace(/\{\w+\}/g, '[^/]+')}`] : [],
  )
  return new RegExp(`^(?:${paths.join('|')})(?:\\?|$)`)
}

/**
 * Where a member's file is to be asked for instead: a browser that shows it, by itself or in a page, does so at the files' origin.
 * Programs, and scripts that read it, get its bytes where they asked.
 */
export function leadToFiles(request: Request, { output }: Operation, config: FilesConfig): string | undefined {
  const { filesUrl } = config
  if (filesUrl === undefined || !isMemberFile(output) || isAtFiles(hostOf(request), config)) return undefined
  const destination = request.headers.get('sec-fetch-dest')
  return destination === null || destination === 'empty' ? undefined : filesUrl + targetOf(request.url)
}

interface PlacedFile {
  file: FileAnswer
  /** On every answer. */
  headers: Record<string, string>
}

/** A member's file as it is sent from the origin that was asked: on its own our pages may frame it, on the main one it is saved. */
export function placed({ file, headers }: PlacedFile, request: Request, config: FilesConfig): PlacedFile {
  if (config.filesUrl === undefined) return { file, headers }
  const own: Record<string, string> = { ...file.headers }
  if (!isAtFiles(hostOf(request), config)) {
    own['Content-Disposition'] = own['Content-Disposition']?.replace(/^inline/, 'attachment') ?? 'attachment'
    return { file: { ...file, headers: own }, headers: { ...headers, Vary: VARY } }
  }
  const { 'X-Frame-Options': _none, ...framed } = headers
  delete own['X-Frame-Options']
  const policy = own['Content-Security-Policy']?.replace(/; frame-ancestors [^;]*/, '') ?? 'sandbox'
  own['Content-Security-Policy'] = `${policy}; frame-ancestors ${config.baseUrl}`
  return { file: { ...file, headers: own }, headers: framed }
}

/** What an answer of the main origin depends on, for caches. */
export const VARY = 'Cookie, Authorization, Sec-Fetch-Dest'
