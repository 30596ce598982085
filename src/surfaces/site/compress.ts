// Pages are compressed: a list is 50 KB of HTML and 9 KB of zstd, for a tenth of a millisecond.
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'

const LEAST_BYTES = 1_400
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * The page in an encoding that its reader accepts (Accept-Encoding; RFC 9110, 12.5.3): zstd, gzip, or plain. A page contains no
 * secret besides the reader's own input, so compressing it is safe.
 */
export async function compress({ method, headers: asked }: Request, response: Response): Promise<Response> {
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
