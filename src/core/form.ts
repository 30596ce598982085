// Reads a form, whichever way its parts come: files go to local disk while they are hashed, fields are parsed by the contract.
import { explain } from '../contract/explain.ts'
import type { Form, UploadedFile, UploadRules } from '../contract/files.ts'
import { Problem } from '../contract/problem.ts'
import type { SentBody } from '../request/acting.ts'
import type { Precheck } from '../request/handler.ts'
import type { Artifacts } from '../storage/blobs.ts'
import { BlobError } from '../storage/blobs.ts'
import { type Fields, MultipartError, type MultipartLimits, type OnFile } from '../storage/multipart.ts'
import { requireStorable } from './json-body.ts'

const FIELD_BYTES = 64 * 1024
const MAX_FIELDS = 32

/** A body that can be read once, and whose files are forgotten with `discard`. */
export interface FormReader {
  read(precheck?: Precheck): Promise<Form<UploadRules>>
  discard(): Promise<void>
  /** What was read, without the boundary between its parts. */
  sent(): unknown
  /** The same, with where the files are. */
  parts(): SentBody
}

export interface PartsOptions {
  limits: MultipartLimits
  /** Gets the fields as they come. */
  fields: Fields
  /** Gets each file, one at a time. */
  onFile: OnFile
}

/** Nothing is read before `read()` is called: a handler refuses what it can without looking at a body. */
export function formReader(
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
