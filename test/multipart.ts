// Forms as tests need them: encoded, and read back whole.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type MultipartLimits, type OnFile, readMultipart } from '../src/storage/multipart.ts'

export const boundary = 'guild-0a1b2c'
export const contentType = `multipart/form-data; boundary=${boundary}`
export const limits: MultipartLimits = { files: 3, fileSize: 1000, fields: 4, fieldSize: 100 }

export type Part = { name: string; filename?: string; type?: string; data: Buffer | string }
export const field = (name: string, data: string): Part => ({ name, data })
export const file = (name: string, filename: string, data: Buffer | string): Part => ({ name, filename, data })

export function encode(parts: Part[]): Buffer {
  const encoded = parts.map(({ name, filename, type, data }) => {
    const disposition = `form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`
    const typed = filename === undefined ? '' : `Content-Type: ${type ?? 'application/octet-stream'}\r\n`
    const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\n${typed}\r\n`
    return Buffer.concat([Buffer.from(head), Buffer.from(data), Buffer.from('\r\n')])
  })
  return Buffer.concat([...encoded, Buffer.from(`--${boundary}--\r\n`)])
}

/** Reads a body and gives everything it held; files come as [name, filename, type, content]. */
export async function read(
  body: Buffer | Readable | ReadableStream<Uint8Array>,
  options: Partial<MultipartLimits> = {},
) {
  const files: [string, string, string, Buffer][] = []
  const fields = await readMultipart(Buffer.isBuffer(body) ? Readable.from([body]) : body, {
    contentType,
    limits: { ...limits, ...options },
    async onFile(name, stream, { filename, mimeType }) {
      files.push([name, filename, mimeType, await buffer(stream)])
    },
  })
  return { fields: Object.fromEntries(fields), files }
}

export const refusal = (code: string) => ({ name: 'MultipartError', code })
export const nothing: OnFile = async () => {}
