// What our own code gains over the library it could be replaced by: shared commits, checks of archives, tokens of JSON, the
// count of multipart parts and histograms. Each file concerned names its figure at the top.
import './parts/either-engine.ts'
import fs, { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { sql } from 'kysely'
import yauzl from 'yauzl'
import { openDatabase } from '../src/database/open.ts'
import { JsonTokens } from '../src/formats/json-tokens.ts'
import { readMultipart } from '../src/storage/multipart.ts'
import { Durations } from '../src/surfaces/http/durations.ts'
import { hostileEntries } from '../test/corpus/hostile-entries.ts'
import { hostileNames } from '../test/corpus/hostile-names.ts'
import { hostileStructures } from '../test/corpus/hostile-structures.ts'
import { figure } from './parts/figures.ts'
import { median } from './parts/median.ts'

const FSYNC_MILLISECONDS = 10
const WRITERS = 64
const CHUNK_BYTES = 65_536

async function milliseconds(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** On a disk whose fsync takes 10 ms, commits of their own would be 100 a second at most. */
async function sharedCommits(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-own-code-'))
  const { db } = await openDatabase(join(folder, 'guildhall.db'))
  const { fsync } = fs
  const slow = (file: number, done: (error: Error | null) => void) =>
    setTimeout(() => fsync(file, done), FSYNC_MILLISECONDS)
  Object.assign(fs, { fsync: slow })
  syncBuiltinESMExports()
  const seconds = 2
  const until = performance.now() + seconds * 1000
  let written = 0
  const write = async (writer: number) => {
    for (; performance.now() < until; written++) {
      await db
        .transaction()
        .execute((transaction) =>
          sql`insert into "rateLimit" (key, count, "resetsAt") values (${`${writer} ${written}`}, 1, '2026-11-22')`.execute(
            transaction,
          ),
        )
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  figure('64 writers, fsync of 10 ms: durable transactions', written / seconds, 'a second', { atLeast: 1_000 })
  await db.destroy()
  Object.assign(fs, { fsync })
  syncBuiltinESMExports()
  rmSync(folder, { recursive: true })
}

/** Reads every entry as yauzl does without us. */
async function readAlone(bytes: Buffer): Promise<void> {
  const zip = await yauzl.fromBufferPromise(bytes)
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    for await (const _ of await zip.openReadStreamPromise(entry)) {
    }
  }
}

async function archives(): Promise<void> {
  const hostile = [...hostileStructures, ...hostileEntries, ...hostileNames]
  let taken = 0
  for (const { bytes } of hostile) {
    await readAlone(bytes).then(
      () => taken++,
      () => undefined,
    )
  }
  figure(`of ${hostile.length} hostile archives, those that yauzl alone reads whole`, taken, 'archives')
}

async function tokens(): Promise<void> {
  const size = 10 * 1024 * 1024
  const text = Buffer.from('['.repeat(size) + ']'.repeat(size))
  const before = process.memoryUsage.rss()
  const own = await milliseconds(() => {
    const reading = new JsonTokens(text)
    while (reading.next() !== 'end');
  })
  const ownMegabytes = (process.memoryUsage.rss() - before) / 1e6
  const theirs = await milliseconds(() => JSON.parse(text.toString()))
  const theirMegabytes = (process.memoryUsage.rss() - before) / 1e6
  figure('20 MiB of brackets: JsonTokens, which pauses in between', own, 'ms')
  figure('20 MiB of brackets: JSON.parse, in which nothing else runs', theirs, 'ms')
  figure('20 MiB of brackets: memory of JsonTokens', ownMegabytes, 'MB', { atMost: 60 })
  figure('20 MiB of brackets: memory of JSON.parse', theirMegabytes, 'MB')
}

async function parts(): Promise<void> {
  const boundary = 'b'.repeat(50)
  const contentType = `multipart/form-data; boundary=${boundary}`
  const body = Buffer.from(`${`--${boundary}\r\n\r\n\r\n`.repeat(330_000)}--${boundary}--\r\n`)
  const chunks = () => {
    const starts = Array.from({ length: Math.ceil(body.length / CHUNK_BYTES) }, (_, index) => index * CHUNK_BYTES)
    return Readable.from(starts.map((start) => body.subarray(start, start + CHUNK_BYTES)))
  }
  const limits = { files: 1, fileSize: body.length, fields: 0, fieldSize: 0 }
  const own = await milliseconds(() =>
    readMultipart(chunks(), { contentType, limits, onFile: async () => {} }).catch(() => {}),
  )
  const parser = new Busboy({ headers: { 'content-type': contentType }, limits: { files: 1, fields: 0, parts: 1 } })
  const theirs = await milliseconds(() => finished(chunks().pipe(parser)).catch(() => {}))
  figure('330,000 empty parts in 20 MB: until readMultipart refuses', own, 'ms', { atMost: 200 })
  figure('330,000 empty parts in 20 MB: until @fastify/busboy finishes', theirs, 'ms')
}

/** The cheapest answer of the server, which is kept, takes 25 microseconds or more. */
function observing(): void {
  const [durations, requests] = [new Durations(), 1_000_000]
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    for (let n = 0; n < requests; n++) durations.observe(`operation ${n % 16}`, (n % 50) / 10_000, 'an id')
    const { user, system } = process.cpuUsage(before)
    return (user + system) / requests
  })
  figure('what the histograms of /metrics add to a request', median(rounds), 'us of CPU', { atMost: 0.5 })
}

await sharedCommits()
await archives()
await tokens()
await parts()
observing()
