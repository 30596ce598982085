// An operation and its input as a request: what goes into the path, the query, the body and the form.
import type { FileContent, FileInput } from './call.ts'
import { chunksOf } from './chunks.ts'
import { InputError } from './errors.ts'
import type { OperationRow } from './operation.ts'

export type Input = Readonly<Record<string, unknown>>

export interface RequestParts {
  url: string
  method: string
  headers: Record<string, string>
  body: string | FormData | undefined
}

/** The names in the braces of a path. */
const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)

/**
 * The request that calls an operation at this origin. Throws InputError for an input that no server would take: an unknown name, or a
 * part of the path that is missing. The files of a form are read here.
 */
export async function requestOf(
  name: string,
  row: OperationRow,
  { url, input }: { url: string; input: Input },
): Promise<RequestParts> {
  checkNames(name, row, input)
  const path = row.path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(segment(name, part, input[part])))
  const query = new URLSearchParams()
  for (const key of row.query ?? []) if (given(input[key])) query.set(key, String(input[key]))
  const search = query.toString()
  const parts = { url: `${url}/api${path}${search && `?${search}`}`, method: row.method, headers: {}, body: undefined }
  if (row.files) return { ...parts, body: await formOf(name, row, input) }
  if (!row.body) return parts
  const body = JSON.stringify(Object.fromEntries(row.body.map((key) => [key, input[key]])))
  return { ...parts, headers: { 'Content-Type': 'application/json' }, body }
}

const given = (value: unknown) => value !== undefined && value !== null

function checkNames(name: string, row: OperationRow, input: Input): void {
  const known = [
    ...namesIn(row.path),
    ...(row.query ?? []),
    ...(row.body ?? []),
    ...(row.fields ?? []),
    ...Object.keys(row.files ?? {}),
  ]
  for (const key of Object.keys(input)) {
    if (known.includes(key)) continue
    throw new InputError(`${name} takes no ${JSON.stringify(key)}; it takes ${known.join(', ') || 'nothing'}`)
  }
}

/** A part of a path. A dot or nothing would lead to another path, and so would a slash that a proxy decodes. */
function segment(name: string, part: string, value: unknown): string {
  const text = given(value) ? String(value) : ''
  if (/^\.{0,2}$|[\\/]/.test(text)) throw new InputError(`${name} needs ${part}: ${JSON.stringify(text)} cannot be one`)
  return text
}

async function formOf(name: string, row: OperationRow, input: Input): Promise<FormData> {
  const form = new FormData()
  for (const key of row.fields ?? []) if (given(input[key])) form.append(key, String(input[key]))
  for (const [key, { maxBytes, maxFiles }] of Object.entries(row.files ?? {})) {
    const files = given(input[key]) ? ([input[key]].flat() as FileInput[]) : []
    if (files.length > maxFiles) throw new InputError(`${name} takes at most ${maxFiles} files as ${key}`)
    for (const file of files) {
      const { blob, filename } = await blobOf(file, maxBytes)
      form.append(key, blob, filename)
    }
  }
  return form
}

async function blobOf(file: FileInput, maxBytes: number): Promise<{ blob: Blob; filename: string }> {
  if (!('content' in file)) return blobOf({ content: file, name: (file as { name?: string }).name ?? 'file' }, maxBytes)
  const { content, name, type } = file
  const blob = await contentOf(content, type, maxBytes)
  if (blob.size > maxBytes) throw new InputError(`${name} has ${blob.size} bytes; at most ${maxBytes} are taken`)
  return { blob, filename: name }
}

/** The whole content: a call may have to be sent twice, and browsers send no streams. */
async function contentOf(content: FileContent, type: string | undefined, maxBytes: number): Promise<Blob> {
  if (content instanceof Blob) return type === undefined ? content : content.slice(0, content.size, type)
  const options = type === undefined ? {} : { type }
  if (content instanceof Uint8Array) return new Blob([content as Uint8Array<ArrayBuffer>], options)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of chunksOf(content)) {
    size += chunk.byteLength
    if (size > maxBytes) throw new InputError(`The stream has more than ${maxBytes} bytes`)
    chunks.push(chunk as Uint8Array<ArrayBuffer>)
  }
  return new Blob(chunks, options)
}
