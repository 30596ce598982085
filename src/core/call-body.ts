// The body of a call, read as its operation takes it, whichever way it came. For a write with an idempotency key it also gives the
// fingerprint of what was sent: of JSON its bytes, of a form its fields and the hashes of its files, since the boundary between the parts
// differs each time.
import { createHash, hash } from 'node:crypto'
import type { OpenUpload } from '../budgets/uploads.ts'
import { explain } from '../contract/explain.ts'
import type { Form, UploadedFile, UploadRules } from '../contract/files.ts'
import type { Operation } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import type { SentBody } from '../request/acting.ts'
import type { Precheck } from '../request/handler.ts'
import type { Clock } from '../runtime/clock.ts'
import { type Artifacts, BlobError } from '../storage/blobs.ts'
import { type Fields, MultipartError, type MultipartLimits, type OnFile } from '../storage/multipart.ts'
import type { BoundOperation } from './bind.ts'
import { DEFAULT_BODY_LIMIT, requireStorable } from './json-body.ts'

// Reads a form, whichever way its parts come: files go to local disk while they are hashed, fields are parsed by the contract.

const FIELD_BYTES = 64 * 1024
const MAX_FIELDS = 32

/** A body that can be read once, and whose files are forgotten with `discard`. */
interface FormReader {
  read(precheck?: Precheck): Promise<Form<UploadRules>>
  discard(): Promise<void>
  /** What was read, without the boundary between its parts. */
  sent(): unknown
  /** The same, with where the files are. */
  parts(): SentBody
}

interface PartsOptions {
  limits: MultipartLimits
  /** Gets the fields as they come. */
  fields: Fields
  /** Gets each file, one at a time. */
  onFile: OnFile
}

/** Nothing is read before `read()` is called: a handler refuses what it can without looking at a body. */
function formReader(
  readParts: (options: PartsOptions) => Promise<unknown>,
  rules: UploadRules,
  artifacts: Artifacts,
): FormReader {
  const staged: UploadedFile[] = []
  const names: string[] = []
  const fields: Fields = new Map()
  return {
    async read(precheck) {
      const files: Record<string, UploadedFile[]> = Object.fromEntries(
        Object.keys(rules.files).map((name) => [name, []]),
      )
      const limits = {
        files: sum(Object.values(rules.files).map(({ maxFiles }) => maxFiles)),
        fileSize: Math.max(...Object.values(rules.files).map(({ maxBytes }) => maxBytes)),
        fields: MAX_FIELDS,
        fieldSize: FIELD_BYTES,
      }
      await readParts({
        limits,
        fields,
        async onFile(name, stream, { filename, mimeType }) {
          precheck?.(given(fields))
          const rule = Object.hasOwn(rules.files, name) ? rules.files[name] : undefined
          if (!rule) throw new Problem('invalid_request', `${name}: is not a file that is taken here`)
          const taken = files[name] ?? []
          if (taken.length === rule.maxFiles) throw new Problem('too_large', `${name}: at most ${rule.maxFiles} files`)
          const upload = { ...(await artifacts.stage(stream, { maxBytes: rule.maxBytes })), filename, mimeType }
          staged.push(upload)
          names.push(name)
          taken.push(upload)
        },
      }).catch((error) => {
        precheck?.(given(fields))
        throw asProblem(error)
      })
      precheck?.(given(fields))
      requireStorable(given(fields))
      for (const [name, { required }] of Object.entries(rules.files)) {
        if (required && !files[name]?.length) throw new Problem('invalid_request', `${name}: a file is required`)
      }
      const sent = given(fields)
      const parsed = rules.fields.safeParse(sent)
      if (!parsed.success) throw new Problem('invalid_request', explain(parsed.error, sent))
      return { fields: parsed.data, files }
    },
    sent: () => [
      ...fields,
      ...staged.map(({ sha256, filename, mimeType }, index) => [names[index], sha256, filename, mimeType]),
    ],
    parts: () => ({
      fields: [...fields].flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
      files: staged.map((upload, index) => ({ ...upload, field: names[index] ?? '' })),
    }),
    async discard() {
      for (const upload of staged) await artifacts.discard(upload)
    },
  }
}

/** Of a field that came more than once the last one counts. */
const given = (fields: Fields) => Object.fromEntries([...fields].map(([name, values]) => [name, values.at(-1)]))

function asProblem(error: unknown): unknown {
  if (error instanceof MultipartError) {
    return new Problem(
      error.code === 'too_large' || error.code === 'too_many' ? 'too_large' : 'invalid_request',
      error.message,
    )
  }
  if (error instanceof BlobError && error.code === 'too_large') return new Problem('too_large', error.message)
  return error
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** Where a body comes from. Nothing of it is read before it is asked for. */
export interface BodySource {
  /** How long it is, in bytes; throws `invalid_request` where that is not said. */
  length(): Promise<number>
  /** How long it says it is; 0 where it does not say it. */
  readonly declared: number
  /** Throws `invalid_request` for a body of undeclared length. */
  requireLength(): void
  /** The object in a JSON body of at most `limit` bytes; `onBytes` gets it as it came. */
  readObject(limit: number, onBytes?: (bytes: Uint8Array) => void): Promise<Record<string, unknown>>
  /** Reads a form, part by part; `arrived` hears of each piece. */
  readParts(options: PartsOptions & PieceOptions): Promise<unknown>
}

interface PieceOptions {
  clock: Pick<Clock, 'elapsed'>
  arrived(bytes: number): void
}

/** What a body needs of its call. */
export interface BodyOptions {
  artifacts: Artifacts
  clock: Pick<Clock, 'elapsed'>
  /** Opens a place for an upload of at most so many bytes of files. */
  hold(mostBytes: number): Promise<OpenUpload>
  /** Whether the fingerprint or the body as it came will be asked for. */
  isPrinted: boolean
}

export class CallBody {
  readonly #operation: Operation
  readonly #isBodied: boolean
  readonly #source: BodySource
  readonly #reading: BodyOptions
  #form: FormReader | undefined
  #held: OpenUpload | undefined
  #isBegun = false
  #print: string | undefined
  #text: string | undefined

  constructor({ operation, bodied }: BoundOperation, source: BodySource, reading: BodyOptions) {
    this.#operation = operation
    this.#isBodied = bodied || operation.method === 'DELETE'
    this.#source = source
    this.#reading = reading
  }

  /** The part of the input that is in a JSON body read before the call. */
  async fields(): Promise<Record<string, unknown>> {
    if (this.#operation.requireLength) this.#source.requireLength()
    return this.#isBodied ? this.#json() : {}
  }

  /** What a handler reads by itself; undefined where there is nothing to. */
  get deferred(): ((precheck?: Precheck) => Promise<unknown>) | undefined {
    const { upload, deferredBody } = this.#operation
    if (upload) return (precheck) => this.#readForm(upload, precheck)
    if (!deferredBody) return undefined
    return async (precheck) => {
      const fields = await this.#json()
      precheck?.(fields)
      return parseInput(deferredBody, fields)
    }
  }

  /** Forgets the files that were staged. */
  async discard(): Promise<void> {
    try {
      await this.#form?.discard()
    } finally {
      this.#held?.release()
    }
  }

  /** The fingerprint of the body, which is read for it if it was not; undefined where reading failed. */
  async fingerprint(): Promise<string | undefined> {
    const { upload, deferredBody } = this.#operation
    if (this.#print !== undefined || this.#isBegun) return this.#print
    const hashing = hashingOnly(this.#reading.artifacts)
    if (upload) await this.#readForm(upload, undefined, hashing)
    else if (this.#isBodied || deferredBody) await this.#json()
    return this.#print ?? ''
  }

  /** The body as it came, once it was read. Its files are there until they are discarded. */
  sent(): SentBody {
    if (this.#form) return this.#form.parts()
    return this.#text ? { json: this.#text, files: [] } : { files: [] }
  }

  async #json(): Promise<Record<string, unknown>> {
    this.#isBegun = true
    const onBytes = (bytes: Uint8Array) => {
      this.#print = hash('sha256', bytes, 'base64url')
      this.#text = new TextDecoder().decode(bytes)
    }
    const limit = this.#operation.bodyLimitBytes ?? DEFAULT_BODY_LIMIT
    return this.#source.readObject(limit, this.#reading.isPrinted ? onBytes : undefined)
  }

  async #readForm(upload: UploadRules, precheck?: Precheck, artifacts = this.#reading.artifacts) {
    const { clock, isPrinted, hold } = this.#reading
    this.#isBegun = true
    const files = Object.values(upload.files)
    this.#held = await hold(files.reduce((total, { maxFiles, maxBytes }) => total + maxFiles * maxBytes, 0))
    const { arrived } = this.#held
    this.#form = formReader((parts) => this.#source.readParts({ ...parts, clock, arrived }), upload, artifacts)
    const form = await this.#form.read(precheck)
    if (isPrinted) this.#print = hash('sha256', JSON.stringify(this.#form.sent()), 'base64url')
    return form
  }
}

/** The input of an operation; throws `invalid_request` with what is wrong. */
export function parseInput(schema: Operation['input'], fields: unknown): unknown {
  const parsed = schema.safeParse(fields)
  if (!parsed.success) throw new Problem('invalid_request', explain(parsed.error, fields))
  return parsed.data
}

/** The same store, but it discards uploads after hashing them. */
const hashingOnly = (artifacts: Artifacts): Artifacts => ({
  ...artifacts,
  async stage(stream, { maxBytes }) {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of stream) {
      size += chunk.byteLength
      if (size > maxBytes) throw new BlobError('too_large', `The file is larger than ${maxBytes} bytes`)
      hash.update(chunk)
    }
    return { path: '', sha256: hash.digest('hex'), size }
  },
  async discard() {},
})
