// A disk that fails once: from then on nothing is promised, and operators are told.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { it } from 'node:test'
import { openDatabase } from '../src/database/open.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld } from './world.ts'

it('a disk that fails makes Guildhall unready for good, while what was on disk can be read', async (t) => {
  const folder = await temporaryDirectory(t)
  const url = join(folder, 'guildhall.db')
  const { alice, app, db } = await makeWorld({ ...(await openDatabase(url)), url }, { BLOB_URL: `file:${folder}` })
  const ready = async () => (await app.fetch(new Request('http://localhost:3000/readyz'))).status
  const titles = async () => (await alice.posts.list()).items.map(({ title }) => title)
  await alice.posts.create({ title: 'Before', body: 'B' })
  assert.equal(await ready(), 200)
  const fsync = t.mock.method(fs, 'fsync', (_file: number, done: (error: Error) => void) => {
    setTimeout(done, 20, new Error('EIO: i/o error, fsync'))
  })
  syncBuiltinESMExports()
  await assert.rejects(alice.posts.create({ title: 'Lost', body: 'B' }), { status: 500 })
  fsync.mock.restore()
  syncBuiltinESMExports()
  await assert.rejects(alice.posts.create({ title: 'After', body: 'B' }), { status: 500 })
  assert.equal(await ready(), 503)
  assert.deepEqual(await titles(), ['Before'])
  await db.destroy()
})
