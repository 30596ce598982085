// The body of a request, and a form that a page hands on, as calls take them.
import type { Readable } from 'node:stream'
import type { BodySource } from '../../core/call-body.ts'
import { readMultipart } from '../../storage/multipart.ts'
import { bytesOf, notJson, readJson, requireLength } from './body.ts'
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
    readParts: partsOf({ contentType: headers.get('content-type') ?? undefined, body: stream }),
  }
}

/** A form as it comes, of a length that is not known. */
export interface FormBody {
  contentType: string | undefined
  body: Readable | ReadableStream<Uint8Array> | null
}

/** The body of a call that takes a form. */
export function handedOn(form: FormBody): BodySource {
  const refuse = () => requireLength(new Headers())
  return {
    length: async () => {
      refuse()
      return 0
    },
    declared: 0,
    requireLength: refuse,
    readObject: async () => {
      throw notJson()
    },
    readParts: partsOf(form),
  }
}

const partsOf =
  ({ contentType, body }: FormBody): BodySource['readParts'] =>
  ({ clock, arrived, ...parts }) =>
    readMultipart(body, { contentType, watch: watchPace(clock, arrived), ...parts })
