// Operations that take files (multipart/form-data) or answer with one, as data.
import type { Readable } from 'node:stream'
import { z } from 'zod'

/** What a multipart body may hold: text fields, and files by the name of their field. */
export interface UploadRules {
  fields: z.ZodObject
  /** Sizes in bytes; `example` is the name of a file. */
  files: Readonly<Record<string, { maxBytes: number; maxFiles: number; required: boolean; example: string }>>
}

/** A file that has arrived whole and waits on local disk; it is gone when the operation ends, unless it was committed. */
export interface UploadedFile {
  path: string
  /** In bytes. */
  size: number
  /** Hex digest. */
  sha256: string
  /** As the sender called it, without path and control characters. */
  filename: string
  /** What the sender says it is; never trusted. */
  mimeType: string
}

export interface Form<Rules extends UploadRules> {
  fields: z.output<Rules['fields']>
  files: {
    [Name in keyof Rules['files']]: Rules['files'][Name] extends { required: true }
      ? [UploadedFile, ...UploadedFile[]]
      : UploadedFile[]
  }
}

/** An answer that is bytes rather than JSON. Conditional requests and ranges are the surface's business. */
export interface FileAnswer {
  contentType: string
  /** In bytes. */
  size: number
  /** What the entity tag is made of: the same value for the same bytes, and for no others. */
  tag: string
  headers: Readonly<Record<string, string>>
  /** Where those who follow redirects get it from another server, for some minutes. */
  elsewhere?: string | undefined
  /** Where the bytes are: in memory, in a file that can be piped from, or behind a stream (both ends of a range inclusive). */
  source: { bytes: Uint8Array } | { path: string } | { open(range?: { start: number; end: number }): Promise<Readable> }
}

/** The input with which a caller says that it follows a redirect to the store of files. */
export const Redirect = z.enum(['follow']).optional().meta({
  description:
    'follow: where the store hands files out itself, the answer is a 302 to it, good for five minutes, with the same X-headers; elsewhere it is the file',
  example: 'follow',
})

/** The output of an operation that answers with a file of one of these types. */
export const file = (...contentTypes: string[]) => z.custom<FileAnswer>().meta({ contentTypes })

/** The same for bytes that a member uploaded: they have an origin of their own where the operator gave them one (FILES_URL). */
export const memberFile = (...contentTypes: string[]) => z.custom<FileAnswer>().meta({ contentTypes, ofMember: true })

/** Whether an output was made by `memberFile`. */
export const isMemberFile = (output: z.ZodType): boolean => output.meta()?.['ofMember'] === true

const typesOf = new WeakMap<z.ZodType, { types: string[] | undefined }>()

/** The content types of an output made by `file`; undefined for JSON. Every call asks. */
export function contentTypesOf(output: z.ZodType): string[] | undefined {
  let known = typesOf.get(output)
  if (!known) {
    const types = output.meta()?.['contentTypes']
    known = { types: Array.isArray(types) ? types : undefined }
    typesOf.set(output, known)
  }
  return known.types
}

/** An answer that goes on for as long as its reader listens: server-sent events. */
export interface StreamAnswer {
  contentType: string
  body: ReadableStream<Uint8Array>
}

/** The output of an operation that answers with a stream of this type. */
export const stream = (contentType: string) =>
  z.custom<StreamAnswer>().meta({ contentTypes: [contentType], goesOn: true })

/** Whether an output was made by `stream`. */
export const isStream = (output: z.ZodType): boolean => output.meta()?.['goesOn'] === true

/** The formats of files that have a JSON Schema (formats/schemas.ts). */
export const schemaKinds = ['org', 'workflow', 'automation'] as const
export type SchemaKind = (typeof schemaKinds)[number]

/** Where the schema of a kind is served. It keeps accepting what it accepted; a change that does not gets a new number. */
export const schemaPath = (kind: SchemaKind): string => `/schemas/${kind}/v1.json`
