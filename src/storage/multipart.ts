// multipart/form-data (RFC 7578) as a stream, parsed by @fastify/busboy: fields are collected, files are passed on one at a time. For
// any input, reading ends with the fields or with one typed error, and every file is completed or failed.
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy'
import { required, toError } from '../runtime/untyped.ts'
import { boundaryOf, PartCounter } from './multipart-parts.ts'

export type MultipartProblem = 'malformed' | 'too_large' | 'too_many' | 'aborted'

/** Why a body is not taken, in a sentence for its sender. */
export class MultipartError extends Error {
  override name = 'MultipartError'
  code: MultipartProblem
  constructor(code: MultipartProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The limits; sizes in bytes. Room for the headers between the parts is added automatically. */
export type MultipartLimits = { files: number; fileSize: number; fields: number; fieldSize: number }

/** A file as its sender describes it: a name without path or control characters (maybe empty), and an unchecked type. */
type FilePart = { filename: string; mimeType: string }

/**
 * Receives one file. The next one waits until the promise settles, and the sender is slowed down to the speed of reading. Unread data
 * is skipped then; a rejection ends the reading of the whole body with that error.
 */
export type OnFile = (name: string, stream: Readable, file: FilePart) => Promise<void>

/** Hears how a body comes, and may end its reading: by `fail`, or by throwing. */
export interface Watch {
  begin(fail: (error: Error) => void): void
  /** Its sender is waited for. */
  waits(): void
  arrived(bytes: number): void
  end(): void
}

/** The fields by name, each with its values in the order they came. */
export type Fields = Map<string, string[]>

const nameBytes = 100
const headerBytes = 8 * 1024
const headerPairs = 16
const filenameLength = 200
/** Allowance for ignored parts between the others, such as those without a name. */
const SPARE_PARTS = 16
// After an error the rest is read and discarded, so that the sender gets the response; but not forever.
const drainBytes = 32 * 1024 * 1024
const drainMs = 10_000

interface MultipartOptions {
  /** the header of the request, with its boundary */
  contentType: string | undefined
  limits: MultipartLimits
  onFile: OnFile
  /** receives the fields as they arrive, for callers that need them early */
  fields?: Fields
  watch?: Watch | undefined
}

/**
 * Reads a body, either Node's request or the stream of a web Request. A part is a file if it has a filename; a part with an empty
 * filename and no bytes is sent by browsers for a file input without a file, and is ignored.
 * @throws MultipartError malformed (also: not multipart), too_large, too_many, aborted (the sender disconnected), or the rejection of
 *   `onFile`. By then the current file has failed with the same error and `onFile` has settled.
 */
export async function readMultipart(
  body: Readable | WebStream<Uint8Array> | ReadableStream<Uint8Array> | null,
  { contentType, limits, onFile, fields = new Map(), watch }: MultipartOptions,
): Promise<Fields> {
  const source = body instanceof Readable ? body : Readable.fromWeb((body ?? new Blob([]).stream()) as WebStream)
  const reading = new BodyReader({ limits, onFile, watch }, fields)
  try {
    watch?.begin((error) => reading.fail(error))
    const parser = parserFor(contentType, limits)
    await reading.run(source, parser, new PartCounter(required(boundaryOf(contentType))))
    return fields
  } catch (error) {
    drain(source)
    throw error
  } finally {
    watch?.end()
  }
}

/** Loaded for the first form, at once: a body that breaks off in the meantime would be heard by nothing. */
const busboy: () => typeof import('@fastify/busboy') = () => createRequire(import.meta.url)('@fastify/busboy')

function parserFor(contentType: string | undefined, { files, fileSize, fields, fieldSize }: MultipartLimits) {
  const refused = 'The body must be multipart/form-data with a boundary'
  if (!contentType || !boundaryOf(contentType)) throw new MultipartError('malformed', refused)
  try {
    return new (busboy().Busboy)({
      headers: { 'content-type': contentType },
      limits: { files, fields, parts: files + fields, fileSize, fieldSize, headerPairs, headerSize: headerBytes },
      isPartAFile: (_name, _type, filename) => filename !== undefined,
    })
  } catch (cause) {
    throw new MultipartError('malformed', refused, { cause })
  }
}

/** One body being read. The first error decides; everything else then stops with that error. */
class BodyReader {
  #fields: Fields
  #limits: MultipartLimits
  #onFile: OnFile
  #watch: Watch | undefined
  #files: Promise<void> = Promise.resolve()
  #open = new Set<Readable>()
  #failure = Promise.withResolvers<never>()
  #failed = false

  constructor({ limits, onFile, watch }: Omit<MultipartOptions, 'contentType'>, fields: Fields) {
    this.#limits = limits
    this.#onFile = onFile
    this.#watch = watch
    this.#fields = fields
    this.#failure.promise.catch(() => {})
  }

  async run(source: Readable, parser: BusboyInstance, counter: PartCounter): Promise<void> {
    const finished = new Promise<void>((resolve) => parser.once('finish', resolve))
    this.#listen(parser)
    try {
      await Promise.race([this.#pump(source, parser, counter), this.#failure.promise])
      await Promise.race([finished, this.#failure.promise])
      await this.#files
      if (this.#failed) await this.#failure.promise
    } catch (error) {
      this.fail(error)
      await this.#files
      throw error
    }
  }

  #listen(parser: BusboyInstance): void {
    parser.on('error', (cause) =>
      this.fail(new MultipartError('malformed', 'The body is damaged or cut off', { cause })),
    )
    parser.on('filesLimit', () => this.fail(tooMany('files')))
    parser.on('fieldsLimit', () => this.fail(tooMany('fields')))
    parser.on('partsLimit', () => this.fail(tooMany('parts')))
    // biome-ignore lint/complexity/useMaxParams: the signature is Busboy's
    parser.on('field', (name, value, _nameCut, valueCut) => {
      const error = problemWith(name) ?? (valueCut ? tooLarge(`field ${name}`) : undefined)
      if (error) return this.fail(error)
      this.#fields.set(name, [...(this.#fields.get(name) ?? []), value])
    })
    // biome-ignore lint/complexity/useMaxParams: the signature is Busboy's
    parser.on('file', (name, part, filename, _encoding, mimeType) => {
      const error = problemWith(name)
      if (error) this.fail(error)
      this.#take(name, part, { filename: cleanFilename(filename), mimeType })
    })
  }

  async #pump(source: Readable, parser: BusboyInstance, counter: PartCounter): Promise<void> {
    const { files, fileSize, fields, fieldSize } = this.#limits
    let left = files * fileSize + fields * fieldSize + (files + fields + 1) * headerBytes
    const chunks = source.iterator({ destroyOnReturn: false })
    try {
      this.#watch?.waits()
      for await (const chunk of chunks) {
        if (this.#failed || !this.#sees(chunk.length)) return
        left -= chunk.length
        if (left < 0) throw tooLarge('body')
        // The parser does not count the parts that it ignores, and they cost as much.
        if (counter.count(chunk) > 2 * (files + fields) + SPARE_PARTS) throw tooMany('parts')
        await new Promise<void>((written) => parser.write(chunk, () => written()))
        // Others have their turn: a sender on a quick network would be read from 32 times in a row.
        await new Promise(setImmediate)
        this.#watch?.waits()
      }
    } catch (cause) {
      if (cause instanceof MultipartError) throw cause
      throw new MultipartError('aborted', 'The body was cut off by its sender', { cause })
    }
    parser.end()
  }

  /** Whether reading goes on. */
  #sees(bytes: number): boolean {
    try {
      this.#watch?.arrived(bytes)
    } catch (error) {
      this.fail(error)
    }
    return !this.#failed
  }

  #take(name: string, part: BusboyFileStream, file: FilePart): void {
    // The parser's own streams must be read to their end, or it stops; the ones passed on may be left at any point.
    const stream = new Readable({ read: () => part.resume() })
    const leave = () => part.resume()
    stream.on('error', () => {}).once('close', leave)
    part.on('error', () => {})
    part.on('limit', () => this.fail(tooLarge(`file ${file.filename || name}`)))
    part.on('data', (chunk) => {
      if (!stream.destroyed && !stream.push(chunk)) part.pause()
    })
    part.once('end', () => stream.destroyed || stream.push(null))
    this.#open.add(stream)

    const chosen = file.filename
      ? Promise.resolve(true)
      : new Promise<boolean>((known) => {
          part.once('data', () => known(true)).once('end', () => known(false))
          stream.once('close', () => known(false))
        })
    this.#files = this.#files.then(async () => {
      if (!this.#failed && (await chosen) && !this.#failed) await this.#onFile(name, stream, file)
      stream.destroy()
      this.#open.delete(stream)
    })
    this.#files = this.#files.catch((error) => this.fail(error))
  }

  fail(error: unknown): void {
    if (this.#failed) return
    this.#failed = true
    for (const stream of this.#open) stream.destroy(toError(error))
    this.#failure.reject(error)
  }
}

function problemWith(name: string | undefined): MultipartError | undefined {
  if (name && Buffer.byteLength(name) <= nameBytes) return undefined
  return new MultipartError('malformed', `Each part needs a name of at most ${nameBytes} bytes`)
}

function tooMany(what: string): MultipartError {
  return new MultipartError('too_many', `There are too many ${what}`)
}

function tooLarge(what: string): MultipartError {
  return new MultipartError('too_large', `The ${what} is too large`)
}

/** Without path parts, control characters and marks that turn the direction of writing, which disguise an ending. */
export function cleanFilename(filename: string): string {
  const last = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
  const visible = last.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '').trim()
  if (visible === '.' || visible === '..') return ''
  const characters = Array.from(visible)
  if (characters.length <= filenameLength) return visible
  // A long name is cut before its extension, which shows the file type.
  const ending = visible.match(/\.\w{1,16}$/)?.[0] ?? ''
  return characters.slice(0, filenameLength - ending.length).join('') + ending
}

function drain(source: Readable): void {
  let left = drainBytes
  const timer = setTimeout(() => source.destroy(), drainMs).unref()
  source.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
  source.on('error', () => {})
  source.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) source.destroy()
  })
  source.resume()
}
