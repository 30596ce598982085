// The log in the database: one order without gaps, on any number of processes, and proofs out of its tiles.
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { leafHash, nodeHash, parseNote, toBase64, toHex, utf8 } from '@guildhall/verifiable'
import { joinedHash } from '@guildhall/verifiable/log'
import { onEveryEngine, type World } from '../../test/world.ts'
import { openDatabase } from '../database/open.ts'
import type { Db } from '../database/schema.ts'
import * as queries from './queries.ts'
import { type SequencingDependencies, sequenceBatch } from './sequencing.ts'
import { proveInclusion, rootAt } from './serving.ts'
import { appendLog } from './transparency.ts'

const NOW = '2026-11-20T09:30:00.000Z'

const write = (db: Db, names: readonly string[]) =>
  db.transaction().execute(async (transaction) => {
    for (const name of names) await appendLog(transaction, { type: 'official', item: name, name: `workflow/${name}` })
  })

const sequencingOf = ({ dependencies }: World, db = dependencies.db): SequencingDependencies => ({
  ...dependencies,
  db,
  now: () => NOW,
})

/** The root by the definition, of the texts that the log has. */
async function expectedRoot(db: Db, size: number): Promise<Uint8Array> {
  const entries = await queries.listEntries(db, { from: 0, limit: size })
  assert.deepEqual(
    entries.map(({ position }) => position),
    Array.from({ length: size }, (_, index) => index),
  )
  return defined(entries.map(({ text }) => leafHash(utf8(text))))
}

function defined(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length <= 1) return joinedHash(hashes)
  let split = 1
  while (split * 2 < hashes.length) split *= 2
  return nodeHash(defined(hashes.slice(0, split)), defined(hashes.slice(split)))
}

const rootOf = (note: string) => parseNote(note)!.text.split('\n')[2]

onEveryEngine('the log', (it) => {
  it('gives places in the order of the writes, and signs each head', async (world) => {
    const { db } = world
    let size = 0
    for (const count of [1, 2, 252, 1, 1, 300, 17]) {
      await write(
        db,
        Array.from({ length: count }, (_, index) => `${size + index}`),
      )
      assert.equal(await sequenceBatch(sequencingOf(world)), count)
      size += count
      const root = await expectedRoot(db, size)
      assert.equal((await queries.findHead(db))?.root, toHex(root))
      assert.equal(rootOf((await queries.findCheckpoint(db, size))!.note), toBase64(root))
    }
    const entries = await queries.listEntries(db, { from: 0, limit: size })
    assert.deepEqual(
      entries.map(({ itemId }) => itemId),
      entries.map((_, index) => `${index}`),
    )
    for (const old of [0, 1, 255, 256, 257, 573])
      assert.equal(toHex(await rootAt(db, old)), toHex(await expectedRoot(db, old)))
    assert.equal((await proveInclusion(db, { index: 0, size })).length, 10)
  })

  it('has nothing of a transaction that fails, and a place is not left for it', async (world) => {
    const { db } = world
    await assert.rejects(
      db.transaction().execute(async (transaction) => {
        await appendLog(transaction, { type: 'delete', item: 'a', name: 'workflow/a' })
        throw new Error('no')
      }),
    )
    await write(db, ['b'])
    assert.equal(await sequenceBatch(sequencingOf(world)), 1)
    assert.equal(await sequenceBatch(sequencingOf(world)), 0)
    assert.equal((await queries.listEntries(db, { from: 0, limit: 9 }))[0]?.itemId, 'b')
  })

  it('is one tree when several processes write and sequence at once', async (world) => {
    const others = await Promise.all([1, 2].map(() => openDatabase(world.databaseUrl)))
    const dbs = [world.db, ...others.map(({ db }) => db)]
    const ITEMS = 120
    let isWriting = true
    const sequencing = dbs.map(async (db) => {
      while (isWriting) {
        await sequenceBatch(sequencingOf(world, db))
        await nextTurn()
      }
    })
    // Two entries of one item, each in a transaction after the other: their order stays, whatever process does the second.
    await Promise.all(
      Array.from({ length: ITEMS }, async (_, index) => {
        await write(dbs[index % dbs.length]!, [`${index}`])
        await write(dbs[(index + 1) % dbs.length]!, [`${index}`])
      }),
    )
    isWriting = false
    await Promise.all(sequencing)
    await sequenceBatch(sequencingOf(world))
    const size = 2 * ITEMS
    const head = await queries.findHead(world.db)
    assert.deepEqual([head?.size, head?.root], [size, toHex(await expectedRoot(world.db, size))])
    const entries = await queries.listEntries(world.db, { from: 0, limit: size })
    assert.equal(new Set(entries.map(({ itemId }) => itemId)).size, ITEMS)
    const checkpoints = await world.db.selectFrom('logCheckpoint').selectAll().orderBy('size').execute()
    for (const { size: old, note } of checkpoints) {
      assert.equal(rootOf(note), toBase64(await rootAt(world.db, old)))
    }
    await Promise.all(others.map(({ db }) => db.destroy()))
  })

  it('is not continued with another key', async (world) => {
    await write(world.db, ['a'])
    await sequenceBatch(sequencingOf(world))
    await write(world.db, ['b'])
    const secretFor = async () => Buffer.alloc(32, 1)
    assert.equal(await sequenceBatch({ ...sequencingOf(world), secretFor }), 0)
    assert.equal((await queries.findHead(world.db))?.size, 1)
    assert.equal(await sequenceBatch(sequencingOf(world)), 1)
  })

  it('is served as tiles, bundles and a checkpoint', async (world) => {
    const { app, db } = world
    const get = (path: string) => app.fetch(new Request(`http://localhost:3000/log/${path}`))
    const empty = await (await get('checkpoint')).text()
    assert.match(
      empty,
      /^localhost:3000\/log\n0\n47DEQpj8HBSa\+\/TImW\+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— localhost:3000\/log /,
    )
    await write(
      db,
      Array.from({ length: 300 }, (_, index) => `${index}`),
    )
    await sequenceBatch(sequencingOf(world))
    const checkpoint = await get('checkpoint')
    assert.equal(checkpoint.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal((await checkpoint.text()).split('\n')[1], '300')
    const tile = await get('tile/0/000')
    assert.equal(tile.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(tile.headers.get('content-type'), 'application/octet-stream')
    const hashes = Buffer.from(await tile.arrayBuffer())
    const entries = await queries.listEntries(db, { from: 0, limit: 300 })
    assert.equal(
      hashes.toString('hex'),
      entries
        .slice(0, 256)
        .map(({ hash }) => hash)
        .join(''),
    )
    const bundle = Buffer.from(await (await get('tile/entries/001.p/44')).arrayBuffer())
    assert.equal(bundle.subarray(2, 2 + bundle.readUInt16BE()).toString(), entries[256]?.text)
    assert.equal((await (await get('tile/1/000.p/1')).arrayBuffer()).byteLength, 32)
    for (const path of [
      'tile/0/001',
      'tile/0/001.p/45',
      'tile/1/000',
      'tile/2/000.p/1',
      'tile/0/1',
      'tile/entries/001',
    ]) {
      assert.equal((await get(path)).status, 404, path)
    }
    assert.match(await (await get('key')).text(), /^localhost:3000\/log\+[0-9a-f]{8}\+[\w+/]+=*\n$/)
    assert.equal((await app.fetch(new Request('http://localhost:3000/log/checkpoint', { method: 'POST' }))).status, 405)
  })
})
