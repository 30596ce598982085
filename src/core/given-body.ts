// A body whose content is at hand: the text of JSON, or the parts of a form.
import { Readable } from 'node:stream'
import { cleanFilename, MultipartError } from '../storage/multipart.ts'
import type { BodySource } from './call-body.ts'
import { objectIn, tooLarge } from './json-body.ts'

export interface GivenContent {
  json?: string | undefined
  form?: readonly [name: string, value: string | Blob][] | undefined
  /** Hears of each piece of a file that is read, in bytes. */
  onPiece?: ((bytes: number) => void) | undefined
}

const PIECE_BYTES = 65_536

/** The content as a body. Nothing of it is copied before it is read. */
export function givenBody({ json, form = [], onPiece }: GivenContent): BodySource {
  const length = json === undefined ? sum(form.map(([, value]) => sizeOf(value))) : Buffer.byteLength(json)
  return {
    length: async () => length,
    declared: length,
    requireLength() {},
    async readObject(limit, onBytes) {
      if (length > limit) throw tooLarge(limit)
      const bytes = Buffer.from(json ?? '')
      onBytes?.(bytes)
      return length === 0 ? {} : objectIn(bytes)
    },
    async readParts({ limits, fields, onFile, arrived }) {
      for (const [name, value] of form) {
        if (typeof value === 'string') {
          if (sizeOf(value) > limits.fieldSize) throw new MultipartError('too_large', `The field ${name} is too large`)
          fields.set(name, [...(fields.get(name) ?? []), value])
          continue
        }
        const file = described(value)
        // As over HTTP, where that is a file input in which no file was chosen.
        if (file.filename === '' && value.size === 0) continue
        await onFile(name, Readable.from(piecesOf(value, [arrived, onPiece])), file)
      }
    },
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const sizeOf = (value: string | Blob) => (typeof value === 'string' ? Buffer.byteLength(value) : value.size)

/** As a form over HTTP describes it (Fetch, 5.2; HTML, 4.10.21.8). */
const described = (file: Blob) => ({
  filename: cleanFilename(file instanceof File ? file.name : 'blob'),
  mimeType: file.type || 'application/octet-stream',
})

async function* piecesOf(file: Blob, listeners: readonly (((bytes: number) => void) | undefined)[]) {
  for (let start = 0; start < file.size; start += PIECE_BYTES) {
    const piece = Buffer.from(await file.slice(start, start + PIECE_BYTES).arrayBuffer())
    for (const listener of listeners) listener?.(piece.byteLength)
    yield piece
  }
}
