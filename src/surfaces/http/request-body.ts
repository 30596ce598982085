// The body of a request, read as its operation takes it. For a write with an idempotency key it also gives the fingerprint of what was
// sent: of JSON its bytes, of a form its fields and the hashes of its files, since the boundary between the parts differs each time.
import { hash } from 'node:crypto'
import type { Held } from '../../budgets/uploads.ts'
import { explain } from '../../contract/explain.ts'
import type { UploadRules } from '../../contract/files.ts'
import type { Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { SentBody } from '../../request/acting.ts'
import type { Precheck } from '../../request/handler.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Artifacts } from '../../storage/blobs.ts'
import type { Bound } from '../bind.ts'
import { DEFAULT_BODY_LIMIT, readJson } from './body.ts'
import { type FormReader, type FormSource, formReader } from './form.ts'
import { hashingOnly } from './hashing-only.ts'
import { watchPace } from './pace.ts'

interface Sent {
  request: Request
  /** Node's own stream of the body, where there is one. */
  source: FormSource['body']
  artifacts: Artifacts
  /** Opens a place for an upload of at most so many bytes of files. */
  hold(mostBytes: number): Promise<Held>
  clock: Pick<Clock, 'elapsed'>
  /** Whether the fingerprint or the body as it came will be asked for. */
  isPrinted: boolean
}

export class RequestBody {
  readonly #operation: Operation
  readonly #isBodied: boolean
  readonly #sent: Sent
  #form: FormReader | undefined
  #held: Held | undefined
  #isBegun = false
  #print: string | undefined
  #text: string | undefined

  constructor({ operation, bodied }: Bound, sent: Sent) {
    this.#operation = operation
    this.#isBodied = bodied || operation.method === 'DELETE'
    this.#sent = sent
  }

  /** The part of the input that is in a JSON body read before the call. */
  async fields(): Promise<Record<string, unknown>> {
    return this.#isBodied ? this.#json() : {}
  }

  /** What a handler reads by itself; undefined where there is nothing to. */
  get deferred(): ((precheck?: Precheck) => Promise<unknown>) | undefined {
    const { upload, deferredBody } = this.#operation
    if (upload) return (precheck) => this.#readForm(upload, precheck)
    if (!deferredBody) return undefined
    return async (precheck) => {
      const given = await this.#json()
      precheck?.(given)
      return parse(deferredBody, given)
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
    const hashing = hashingOnly(this.#sent.artifacts)
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
    const { request, isPrinted } = this.#sent
    this.#isBegun = true
    const onBytes = (bytes: Uint8Array) => {
      this.#print = hash('sha256', bytes, 'base64url')
      this.#text = new TextDecoder().decode(bytes)
    }
    return readJson(request, this.#operation.bodyLimitBytes ?? DEFAULT_BODY_LIMIT, isPrinted ? onBytes : undefined)
  }

  async #readForm(upload: UploadRules, precheck?: Precheck, artifacts = this.#sent.artifacts) {
    const { request, source, clock } = this.#sent
    this.#isBegun = true
    const files = Object.values(upload.files)
    this.#held = await this.#sent.hold(files.reduce((total, { maxFiles, maxBytes }) => total + maxFiles * maxBytes, 0))
    const { arrived } = this.#held
    const watch = watchPace(clock, arrived)
    this.#form = formReader({ headers: request.headers, body: source, watch }, upload, artifacts)
    const form = await this.#form.read(precheck)
    if (this.#sent.isPrinted) this.#print = hash('sha256', JSON.stringify(this.#form.sent()), 'base64url')
    return form
  }
}

export function parse(schema: Operation['input'], given: unknown): unknown {
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw new Problem('invalid_request', explain(parsed.error))
  return parsed.data
}
