// How an operation is called: with curl, by the client library and at the command line. A test runs all of them.
import { z } from 'zod'
import { contentTypesOf, isStream } from '../../contract/files.ts'
import { type Operation, placesOf } from '../../contract/operation.ts'
import { required } from '../../runtime/untyped.ts'
import { exampleOf } from '../openapi/examples.ts'

export interface Samples {
  curl: string
  typescript: string
  /** Null where only the session of the site may call it. */
  cli: string | null
}

/** In the place of the origin of the server. */
export const ORIGIN = '{base_url}'

interface Values {
  path: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
  form: Record<string, unknown>
  /** Names of files. */
  files: Record<string, string>
}

export function samplesOf(name: string, operation: Operation): Samples {
  const values = valuesOf(operation)
  return {
    curl: curl(operation, values),
    typescript: typescript(name, operation, values),
    cli: operation.access.credential === 'session' ? null : cli(name, values),
  }
}

/** What a form asks for that makes the call from a page; null where a token cannot call it, or what it answers is no page of text. */
export interface Trial {
  /** The body as JSON; null where there is none. */
  body: string | null
  /** Fields of a form and its files. */
  form: { name: string; isFile: boolean; value: string }[]
}

export function trialOf(operation: Operation): Trial | null {
  if (operation.access.credential === 'session' || isStream(operation.output)) return null
  const { body, form, files } = valuesOf(operation)
  const hasBody = placesOf(operation).body.length > 0
  return {
    body: hasBody && !operation.upload ? JSON.stringify(body, null, 2) : null,
    form: [
      ...Object.entries(form).map(([name, value]) => ({ name, isFile: false, value: asText(value) })),
      ...Object.keys(files).map((name) => ({ name, isFile: true, value: '' })),
    ],
  }
}

/** What must be there; of a body that is all optional, its first field. */
function valuesOf(operation: Operation): Values {
  const { path, query, body } = placesOf(operation)
  const { input, upload } = operation
  const deferred = operation.deferredBody ?? input
  const files = Object.entries(upload?.files ?? {}).filter(([, { required }]) => required)
  const own = examplesIn(deferred, body, operation.sampled)
  return {
    path: examplesIn(input, path),
    query: examplesIn(input, query),
    body: Object.keys(own).length > 0 ? own : examplesIn(deferred, body, body.slice(0, 1)),
    form: upload ? examplesIn(upload.fields, Object.keys(upload.fields.shape)) : {},
    files: Object.fromEntries(files.map(([field, { example }]) => [field, example])),
  }
}

/** Examples of what is required, and of these others. */
function examplesIn({ shape }: z.ZodObject, names: readonly string[], sampled: readonly string[] = []) {
  const isNeeded = (name: string) => !z.safeParse(required(shape[name]), undefined).success
  const shown = names.filter((name) => isNeeded(name) || sampled.includes(name))
  return Object.fromEntries(shown.map((name) => [name, exampleOf(required(shape[name]), 'input')]))
}

/** A word of a shell, in single quotes where it needs them. */
const word = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function curl(operation: Operation, { path, query, body, form, files }: Values): string {
  const { method, access, output } = operation
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(asText(path[name])))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, asText(value)])).toString()
  const address = `"${ORIGIN}/api${filled}${search && `?${search}`}"`
  const isFile = contentTypesOf(output) && !isStream(output)
  const parts = [
    ...(access.credential === 'required' ? ['-H "Authorization: Bearer $GUILDHALL_TOKEN"'] : []),
    ...(access.credential === 'session' ? [`-b cookies.txt -H "Origin: ${ORIGIN}"`] : []),
    ...(isStream(output) ? ['-H "Accept: text/event-stream"'] : []),
    ...(Object.keys(body).length > 0 ? [`--json ${word(JSON.stringify(body))}`] : []),
    ...Object.entries(form).map(([name, value]) => `--form-string ${word(`${name}=${asText(value)}`)}`),
    ...Object.entries(files).map(([name, file]) => `-F ${word(`${name}=@${file}`)}`),
  ]
  const opening = ['curl', ...(isFile ? ['-OJ'] : isStream(output) ? ['-N'] : [])]
  const implied = parts.some((part) => /^(--json|--form|-F)/.test(part)) ? 'POST' : 'GET'
  if (method !== implied) opening.push(`-X ${method}`)
  return [`${opening.join(' ')} ${address}`, ...parts].join(' \\\n  ')
}

function typescript(name: string, { output }: Operation, { path, query, body, form, files }: Values): string {
  const given = Object.entries({ ...path, ...query, ...body, ...form })
  const lines = [
    ...given.map(([field, value]) => `${field}: ${literal(value)}`),
    ...Object.entries(files).map(
      ([field, file]) => `${field}: { name: '${file}', content: await readFile('${file}') }`,
    ),
  ]
  const short = lines.length === 0 ? '' : `{ ${lines.join(', ')} }`
  const input = short.length > 70 ? `{\n${lines.map((line) => `  ${line},\n`).join('')}}` : short
  const call = `guildhall.${name}(${input})`
  return isStream(output) ? `for await (const event of ${call}) console.log(event)` : `const answer = await ${call}`
}

const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
    : JSON.stringify(value)

function cli(name: string, { files, ...values }: Values): string {
  const given = Object.values(values).flatMap((some) => Object.entries(some))
  const options = [
    ...given.map(([field, value]) => `--${field} ${word(asText(value))}`),
    ...Object.entries(files).map(([field, file]) => `--${field} ${file}`),
  ]
  const line = [`guildhall api ${name}`, ...options].join(' ')
  return line.length <= 100 ? line : [`guildhall api ${name}`, ...options].join(' \\\n  ')
}
