// Files of members on an origin of their own (FILES_URL): what they hold then shares nothing with our pages, not even a cookie.
// On that origin is nothing else; on the main one browsers that would show a file are led there.
import type { Config } from '../../config/config.ts'
import { type FileAnswer, isMemberFile } from '../../contract/files.ts'
import type { Operation } from '../../contract/operation.ts'
import { isPrivate } from '../../core/readers.ts'
import { targetOf } from './gate.ts'

/** What tells the files' origin from the main one. */
export type FilesHost = { filesUrl?: Config['filesUrl'] }
export type FilesConfig = Pick<Config, 'baseUrl' | 'filesUrl'>

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
