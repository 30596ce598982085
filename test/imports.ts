// Files of other trackers for tests of what reads them (src/formats/imports): fixtures, and every way to break them.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import {
  type GivenRecord,
  ImportRecord,
  type ReadSource,
  SourceError,
  type SourceFile,
  type SourceOptions,
} from '../src/formats/imports/record.ts'

export const sourceFile = (name: string, content: string | Uint8Array, pieceLength = 64 * 1024): SourceFile => ({
  name,
  async *read() {
    const bytes = Buffer.from(content)
    for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength)
  },
})

const folder = (source: string) => new URL(`./fixtures/imports/${source}/`, import.meta.url)

/** The text of each fixture of a source whose name starts so. */
export const fixturesOf = (source: string, start = ''): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder(source), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.startsWith(start) && /\.\w+$/.test(name))
      .sort()
      .map((name) => [name, readFileSync(new URL(name, folder(source)), 'utf8')]),
  )

export const filesOf = (texts: Record<string, string>): SourceFile[] =>
  Object.entries(texts).map(([name, text]) => sourceFile(name, text))

type Of<Type extends ImportRecord['type']> = Extract<ImportRecord, { type: Type }>

export interface ReadRecords {
  all: ImportRecord[]
  people: Of<'person'>[]
  labels: Of<'label'>[]
  things: Of<'thing'>[]
  comments: Of<'comment'>[]
  votes: Of<'vote'>[]
  leftOut: Record<string, number>
}

/** What a source gives, which keeps to every rule of records (record.ts). */
export async function readRecords(
  read: ReadSource,
  files: readonly SourceFile[],
  options: SourceOptions = {},
): Promise<ReadRecords> {
  const all: ImportRecord[] = []
  for await (const record of read(files, options)) all.push(passed(record))
  const of = <Type extends ImportRecord['type']>(type: Type) =>
    all.filter((record): record is Of<Type> => record.type === type)
  const records = {
    all,
    people: of('person'),
    labels: of('label'),
    things: of('thing'),
    comments: of('comment'),
    votes: of('vote'),
    leftOut: Object.fromEntries(of('left out').map(({ what, count }) => [what, count])),
  }
  assertOrder(records)
  return records
}

function passed(record: GivenRecord): ImportRecord {
  const parsed = ImportRecord.safeParse(record)
  assert.ok(parsed.success, `${JSON.stringify(record)?.slice(0, 500)}: ${parsed.error}`)
  const text = JSON.stringify(parsed.data)
  assert.doesNotMatch(text, /\\u(?:0000|d[89a-f])/i, 'texts can be kept')
  assert.equal(isDeepStrictEqual(Object.getPrototypeOf(record), Object.prototype), true, 'a record is a plain object')
  return parsed.data
}

function assertOrder({ all, people, labels }: ReadRecords): void {
  const persons = new Set(people.map(({ id }) => id))
  assert.equal(persons.size, people.length, 'a person comes once')
  const names = new Set(labels.map(({ name }) => name))
  assert.equal(names.size, labels.length, 'a label comes once')
  const things = new Set<string>()
  const comments = new Map<string, string>()
  for (const record of all) {
    if ('author' in record && record.author !== undefined)
      assert.ok(persons.has(record.author), `the author ${record.author} comes`)
    if (record.type === 'thing') {
      assert.ok(!things.has(record.id), 'a thing comes once')
      for (const name of record.labels) assert.ok(names.has(name), `the label ${name} comes`)
      things.add(record.id)
    } else if (record.type === 'comment') {
      assert.ok(things.has(record.thing), 'a comment comes after its thing')
      assert.ok(!comments.has(record.id), 'a comment comes once')
      if (record.parent !== undefined)
        assert.equal(comments.get(record.parent), record.thing, 'an answer comes after its comment')
      comments.set(record.id, record.thing)
    } else if (record.type === 'vote') {
      assert.ok(things.has(record.thing) && persons.has(record.person), 'a vote comes after its thing, of a person')
    }
  }
}

/** The error of files that cannot be read. */
export async function refused(
  read: ReadSource,
  files: readonly SourceFile[],
  options?: SourceOptions,
): Promise<string> {
  const outcome = await readRecords(read, files, options).catch((error: unknown) => error)
  assert.ok(outcome instanceof SourceError, `refused: ${String(outcome)}`)
  return outcome.message
}

const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
const HOSTILE: unknown[] = [
  null,
  true,
  -1,
  1e308,
  2 ** 53,
  '',
  ' ',
  'x'.repeat(300_000),
  '\ud800half \udc00\0\u001b[2J\u202e',
  '💥'.repeat(200),
  'javascript:alert(1)',
  '0000-01-01T00:00:00Z',
  '99999-01-01T00:00:00Z',
  '2024-02-31T25:61:00Z',
  '__proto__',
  [],
  {},
  deep(10),
  { toString: null, valueOf: 1, toJSON: 'x', length: -1 },
  ['x', null, 7],
  JSON.parse('{"__proto__": {"login": "root", "nodes": [{}]}, "nodes": [null, 1], "constructor": null}'),
]

/** A text in JSON with one value after the other broken. */
export function* breakEachText(text: string, first = 0): Generator<string> {
  const root = JSON.parse(text)
  let broken = first
  for (const path of pathsOf(root)) {
    // One value for each place, and another for the next: all of them in all places would be thousands of readings.
    yield JSON.stringify(withValue(root, path, HOSTILE[broken++ % HOSTILE.length]))
  }
}

/**
 * Breaks fixtures in JSON, one value at a time, and reads them: each gives records that keep to the rules, or is a SourceError. Nothing is thrown
 * besides, and no other object is changed.
 */
export async function breakEachValue(
  read: ReadSource,
  texts: Record<string, string>,
  options?: SourceOptions,
): Promise<number> {
  let broken = 0
  for (const [name, text] of Object.entries(texts)) {
    const lines = name.endsWith('.ndjson') ? `[${text.trim().split('\n').join(',')}]` : text
    for (const given of breakEachText(lines)) {
      broken += 1
      await tolerated(read, filesOf({ ...texts, [name]: given }), options)
    }
  }
  assert.equal(({} as { login?: unknown }).login, undefined)
  return broken
}

/** Cuts the files at many places. */
export async function breakOff(
  read: ReadSource,
  texts: Record<string, string>,
  options?: SourceOptions,
): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    for (let part = 1; part < 40; part++) {
      await tolerated(
        read,
        filesOf({ ...texts, [name]: text.slice(0, Math.floor((text.length * part) / 40)) }),
        options,
      )
    }
  }
}

async function tolerated(read: ReadSource, files: SourceFile[], options?: SourceOptions): Promise<void> {
  try {
    await readRecords(read, files, options)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    assert.ok(error.message.length < 500 && error.message.isWellFormed(), error.message)
  }
}

function* pathsOf(value: unknown, path: string[] = []): Generator<string[]> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, key])
}

function withValue(root: unknown, path: string[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const copy: Record<string, unknown> | unknown[] = Array.isArray(root) ? [...root] : { ...(root as object) }
  Reflect.set(copy, key, withValue(Reflect.get(copy, key), rest, value))
  return copy
}
