// api: every operation by its name, with its input as options.

import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { chunksOf } from '../../client/src/chunks.ts'
import { operations } from '../../client/src/derived/operations.ts'
import type { Download } from '../../client/src/download.ts'
import type { OperationRow } from '../../client/src/operation.ts'
import { saveDownload } from '../../client/src/save-download.ts'
import type { Context } from './command.ts'
import { jsonText } from './text.ts'
import { UsageError } from './usage.ts'

type Fields = Readonly<Record<string, string[]>>
type Calls = Record<string, Record<string, (input: object) => Promise<unknown>>>

const pathNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)

/** What an operation takes, by name. */
const namesOf = (row: OperationRow) => [
  ...pathNames(row.path),
  ...(row.query ?? []),
  ...(row.body ?? []),
  ...(row.fields ?? []),
  ...Object.keys(row.files ?? {}),
]

function findOperation(name: string): OperationRow {
  const [slice = '', verb = ''] = name.split('.')
  const row = Object.hasOwn(operations, slice) ? operations[slice]?.[verb] : undefined
  if (!row) throw new UsageError(`There is no operation ${name}: guildhall api lists all of them`)
  return row
}

/** `--name value` and `--name=value`, as often as they come. */
export function fieldsOf(words: readonly string[]): Fields {
  const fields: Record<string, string[]> = {}
  for (let at = 0; at < words.length; at++) {
    const [, name, value] = (words[at] as string).match(/^--(\w+)(?:=([\s\S]*))?$/) ?? []
    if (name === undefined) throw new UsageError(`${words[at]} is no field: write --field value`)
    const given = value ?? words[++at]
    if (given === undefined) throw new UsageError(`--${name} has no value`)
    fields[name] = [...(fields[name] ?? []), given]
  }
  return fields
}

/** The input of a call. Texts are taken as they are, other values are JSON, files are paths. */
async function inputOf(row: OperationRow, fields: Fields): Promise<object> {
  const input: Record<string, unknown> = {}
  for (const [name, values] of Object.entries(fields)) {
    if (row.files && Object.hasOwn(row.files, name)) {
      const files = values.map(async (path) => ({ content: await readFile(path), name: basename(path) }))
      input[name] = await Promise.all(files)
      continue
    }
    if (values.length > 1) throw new UsageError(`--${name} is given twice`)
    input[name] = row.values?.includes(name) ? jsonOf(name, values[0] as string) : values[0]
  }
  return input
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--${name} takes JSON, such as true, 3 or ["a"]`)
  }
}

/** Runs `api`. Its options belong to the operation, so it reads them itself. */
export async function runApi(context: Context, words: readonly string[]): Promise<void> {
  const [name, ...rest] = words
  if (name === undefined) return listOperations(context)
  const row = findOperation(name)
  if (rest.includes('--help') || rest.includes('-h')) return describe(context, name, row)
  const dryRun = rest.includes('--dry-run')
  if (dryRun && (row.method === 'GET' || !row.repeatable))
    throw new UsageError('--dry-run is for writes that can be tried')
  const { output, ...fields } = fieldsOf(rest.filter((word) => word !== '--dry-run'))
  if (output && row.response !== 'file') throw new UsageError('--output is for operations that give a file')
  const input = await inputOf(row, fields)
  const client = (await context.client()) as unknown as Calls
  const [slice = '', verb = ''] = name.split('.')
  const call = client[slice]?.[verb] as (input: object, options?: object) => unknown
  if (row.response === 'stream') return writeEvents(context, call(input) as AsyncIterable<unknown>)
  const answer = await call(input, dryRun ? { dryRun } : {})
  if (row.response === 'file') return writeFile(context, answer as Download, output?.[0])
  await context.write(`${jsonText(answer)}\n`)
}

async function writeEvents({ write }: Context, events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) await write(`${jsonText(event)}\n`)
}

async function writeFile({ write }: Context, download: Download, path: string | undefined): Promise<void> {
  if (path !== undefined) return saveDownload(download, path)
  for await (const chunk of chunksOf(download.body)) await write(chunk)
}

async function listOperations({ write }: Context): Promise<void> {
  for (const [slice, rows] of Object.entries(operations)) {
    for (const [verb, { method, path }] of Object.entries(rows)) await write(`${slice}.${verb}  ${method} ${path}\n`)
  }
}

async function describe({ write }: Context, name: string, row: OperationRow): Promise<void> {
  const kind = (field: string) => (row.files?.[field] ? 'PATH' : row.values?.includes(field) ? 'JSON' : 'TEXT')
  const fields = namesOf(row).map((field) => `  --${field} ${kind(field)}\n`)
  const output = row.response === 'file' ? '  --output PATH\n' : ''
  const dryRun = row.method !== 'GET' && row.repeatable ? '  --dry-run\n' : ''
  const scope =
    row.credential === 'session' ? 'Only for the session of the site.\n' : row.scope ? `Scope: ${row.scope}\n` : ''
  await write(`guildhall api ${name}\n${row.method} /api${row.path}\n${scope}${fields.join('')}${output}${dryRun}`)
}
