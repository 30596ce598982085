// A process is killed while it makes a write with an idempotency key: whoever sends it again gets one write and its answer.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { it } from 'node:test'
import { openDatabase } from '../src/database/open.ts'
import { onEngines } from './databases.ts'
import { makeWorld, SIGNING_KEY } from './world.ts'

/** Runs the writer to its end; gives the cookie of its account. */
async function killed(url: string, folder: string, when: 'before' | 'after'): Promise<string> {
  const child = spawn(process.execPath, ['test/killed-writer.ts', url, folder, SIGNING_KEY, when], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.equal(signal, 'SIGKILL')
  return said.trim()
}

onEngines('a write that is cut off', (open) => {
  for (const [when, replayed] of [
    ['before', null],
    ['after', 'true'],
  ] as const) {
    it(`${when} its commit is made once, and has one answer`, async () => {
      const database = await open()
      const folder = await mkdtemp(join(tmpdir(), 'guildhall-killed-'))
      try {
        const cookie = await killed(database.url, folder, when)
        const store = await openDatabase(database.url)
        const world = await makeWorld({ ...store, url: database.url }, { BLOB_URL: `file:${folder}` })
        const send = () =>
          world.app.fetch(
            new Request('http://localhost:3000/api/community/posts', {
              method: 'POST',
              headers: { 'Content-Type': 'application/json', Cookie: cookie, 'Idempotency-Key': 'k' },
              body: JSON.stringify({ title: 'T', body: 'B' }),
            }),
          )
        const first = await send()
        assert.equal(first.status, 201)
        assert.equal(first.headers.get('idempotency-replayed'), replayed)
        const said = await first.text()
        const posts = await store.db.selectFrom('post').select('id').execute()
        assert.deepEqual(posts, [{ id: (JSON.parse(said) as { id: string }).id }])
        assert.equal(await (await send()).text(), said)
        await store.db.destroy()
      } finally {
        await database.remove()
        await rm(folder, { recursive: true })
      }
    })
  }
})
