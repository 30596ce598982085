// The body of a request, as calls take it.
import type { Readable } from 'node:stream'
import type { BodySource } from '../../core/call-body.ts'
import { readMultipart } from '../../storage/multipart.ts'
import { bytesOf, readJson, requireLength } from './body.ts'
import { watchPace } from './pace.ts'

/** The body of a request; `stream` is the server's own, where there is one: it is read without a web stream in between. */
export function bodyOf(request: Request, stream: Readable | ReadableStream<Uint8Array> | null): BodySource {
  const { headers } = request
  return {
    length: () => bytesOf(request),
    get declared() {
      return Number(headers.get('content-length')) || 0
    },
    requireLength: () => requireLength(headers),
    readObject: (limit, onBytes) => readJson(request, limit, onBytes),
    readParts: ({ clock, arrived, ...parts }) =>
      readMultipart(stream, {
        contentType: headers.get('content-type') ?? undefined,
        watch: watchPace(clock, arrived),
        ...parts,
      }),
  }
}
