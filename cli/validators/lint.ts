// Reads a file as the library would, with the validators of the server, and says what it would refuse and what means nothing.
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { factsOf, type ItemKind, kindOfFiles, kindOfJson } from '../../src/contract/item-kinds.ts'
import { MAX_WORKFLOW_BYTES } from '../../src/contract/sizes.ts'
import { Archive } from '../../src/formats/archive.ts'
import { FormatError } from '../../src/formats/format-error.ts'
import { brokenLine, jsonLines } from '../../src/formats/json-lines.ts'
import { formatOf } from '../../src/formats/kinds/list.ts'
import { MANIFEST, metaOf, readManifest } from '../../src/formats/manifest.ts'
import { openArchive } from '../../src/formats/open-archive.ts'
import { type Warning, warningsOf } from '../../src/formats/warnings.ts'
import type { LintedKind, LintProblem, LintResult } from '../src/linting.ts'
import { packFolder, withTemporaryFile } from './pack.ts'

const MIB = 1024 * 1024

type Facts = Pick<LintResult, 'name' | 'version'> & Partial<Pick<LintResult, 'id'>>

interface ReadManifest {
  facts: Facts
  warnings: Warning[]
  /** The JSON text that paths are places in; undefined where there is none. */
  json?: Buffer | undefined
}

/** What a file says, or what the library would refuse about it. `kind` overrides what the file looks like. */
export async function lint(path: string, asked?: LintedKind): Promise<LintResult> {
  const result: LintResult = {
    file: path,
    kind: asked ?? null,
    id: null,
    name: null,
    version: null,
    errors: [],
    warnings: [],
  }
  try {
    const kind = asked ?? (await kindOf(path))
    if (kind === undefined)
      throw new FormatError('expected an org (roles), a workflow (nodes), automation.json, SKILL.md or a package')
    result.kind = kind
    const { facts, warnings, json } = await readKind(kind, path)
    Object.assign(result, facts, { warnings: placed(warnings, json) })
    if (json) result.warnings.push(...repeatedNames(json))
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const message = error.field === '' ? error.message : error.message.slice(error.message.indexOf(': ') + 2)
    result.errors = placed([{ path: error.field, message }], await jsonOf(path))
  }
  return result
}

async function readKind(kind: LintedKind, path: string): Promise<ReadManifest> {
  if (kind === 'manifest') return readManifestAlone(path)
  const { archive, maxBytes } = factsOf(kind)
  if (!archive) await bounded(path, maxBytes, `expected at most ${sizeInWords(maxBytes)}`)
  const { read } = await formatOf(kind)
  const isFolder = archive && (await stat(path)).isDirectory()
  const content = isFolder ? await withTemporaryFile((await packFolder(path)).bytes, read) : await read(path)
  const { slug: id = null, name, version = null, warnings } = content
  return { facts: { id, name, version }, warnings, json: await jsonOf(path) }
}

const sizeInWords = (bytes: number) =>
  bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes.toLocaleString('en')} bytes`

async function readManifestAlone(path: string): Promise<ReadManifest> {
  const bytes = await readFile(path)
  const manifest = readManifest(bytes)
  metaOf(manifest)
  const { name, version } = manifest
  return { facts: { name: name.trim(), version }, warnings: warningsOf('automation', manifest), json: bytes }
}

async function bounded(path: string, most: number, expected: string): Promise<Buffer> {
  if ((await stat(path)).size > most) throw new FormatError(expected)
  return readFile(path)
}

/** By what it is and what it says, as the library's form does. */
async function kindOf(path: string): Promise<LintedKind | undefined> {
  if ((await stat(path)).isDirectory()) return kindOfFiles(await readdir(path))
  if (basename(path).endsWith('.mpkg')) return 'automation'
  const bytes = await bounded(path, MAX_WORKFLOW_BYTES, 'expected at most 20 MiB')
  if (isArchive(bytes)) return (await filesOf(path)) ?? 'automation'
  if (basename(path) === MANIFEST) return 'manifest'
  const value = parsed(bytes)
  const kind = kindOfJson(value)
  return kind ?? (typeof value['schema'] === 'string' && 'actions' in value ? 'manifest' : undefined)
}

/** Zip, and gzip (RFC 1952, 2.3.1). */
const isArchive = (bytes: Buffer) => ['PK', '\x1f\x8b'].includes(bytes.subarray(0, 2).toString('latin1'))

/** The kind by the files in it; undefined for what cannot be read. */
async function filesOf(path: string): Promise<ItemKind | undefined> {
  try {
    await using archive = await openArchive(path)
    return kindOfFiles(archive.entries.map((entry) => entry.path))
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

function parsed(bytes: Buffer): Record<string, unknown> {
  if (brokenLine(bytes) !== undefined) throw new FormatError('expected JSON, which breaks off here')
  const value: unknown = JSON.parse(bytes.toString('utf8'))
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

/** The JSON text of a file, or the manifest of a package; undefined where there is none. */
async function jsonOf(path: string): Promise<Buffer | undefined> {
  if ((await stat(path)).isDirectory()) return readFile(join(path, MANIFEST)).catch(() => undefined)
  if ((await stat(path)).size > MAX_WORKFLOW_BYTES) return undefined
  const bytes = await readFile(path)
  if (!isArchive(bytes)) return bytes
  return manifestIn(path).catch(() => undefined)
}

async function manifestIn(path: string): Promise<Buffer | undefined> {
  const archive = await Archive.open(path)
  const chunks: Buffer[] = []
  try {
    await archive.inflate((entry) => (chunk) => void (entry.path === MANIFEST && chunks.push(Buffer.from(chunk))))
  } finally {
    await archive[Symbol.asyncDispose]()
  }
  return chunks.length > 0 ? Buffer.concat(chunks) : undefined
}

/** With their lines, where there is a text that has some. */
function placed(problems: readonly Warning[], json: Buffer | undefined): LintProblem[] {
  const broken = json && brokenLine(json)
  if (!json || broken !== undefined) return problems.map((one) => ({ ...one, line: broken ?? null }))
  const { lines } = jsonLines(
    json,
    problems.map(({ path }) => path),
  )
  // The path of a file within a package is no place in the manifest.
  return problems.map((one) => ({ ...one, line: one.path.includes('/') ? null : (lines.get(one.path) ?? null) }))
}

function repeatedNames(json: Buffer): LintProblem[] {
  return jsonLines(json, []).repeated.map(({ name, line }) => ({
    path: name,
    line,
    message: 'stands twice in one object; the last one counts',
  }))
}
