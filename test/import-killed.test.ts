// An import whose process is killed again and again ends with the same bytes as one that ran in one go.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { zipSync } from 'fflate'
import { findImport, listImports } from '../src/community/imports/imports.ts'
import { openDatabase } from '../src/database/open.ts'
import type { GivenRecord } from '../src/formats/imports/record.ts'
import { isPostgres } from '../src/runtime/addresses.ts'
import { onEngines } from './databases.ts'
import { dumpOfImport, manyRecords, PICTURES } from './import-records.ts'
import { tinyPng } from './pictures.ts'
import { SIGNING_KEY } from './world.ts'

/** How often it is killed, and how much it brings; more by hand. */
const KILLS = Number(process.env['IMPORT_KILLS'] ?? 12)
const BUGS = Number(process.env['IMPORT_BUGS'] ?? 1_500)

async function archived(records: GivenRecord[]): Promise<Uint8Array> {
  const png = new Uint8Array(await (await tinyPng()).arrayBuffer())
  const pictures = Array.from({ length: PICTURES }, (_, n) => [`${n}.png`, png] as const)
  const lines = Buffer.from(records.map((record) => JSON.stringify(record)).join('\n'))
  return zipSync({ 'records.jsonl': lines, ...Object.fromEntries(pictures) })
}

onEngines('an import', (open) => {
  /** Brings the records into a new database; gives all that was written, and how often it was killed. */
  async function bring(kills: number): Promise<{ bytes: string; killed: number }> {
    const database = await open()
    const folder = await mkdtemp(join(tmpdir(), 'guildhall-import-'))
    const store = await openDatabase(database.url)
    const where = isPostgres(database.url)
      ? { DATABASE_URL: database.url, DATA_DIR: folder }
      : { DATA_DIR: dirname(database.url) }
    const env = { ...process.env, ...where, SIGNING_KEY, LOG_LEVEL: 'error' }
    const admin = (...words: string[]) =>
      spawn(process.execPath, ['src/admin.ts', 'import', ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    try {
      const file = join(folder, 'export.zip')
      await writeFile(file, await archived(manyRecords(BUGS)))
      assert.deepEqual(await once(admin('guildhall', file, '--name', 'acme'), 'exit'), [0, null])
      const [{ id } = { id: '' }] = await listImports(store.db, 1)
      let killed = 0
      while (killed < kills) {
        const process = admin('start', id)
        const ended = once(process, 'exit')
        await Promise.race([ended, sleep(600 + Math.random() * 900)])
        if (process.exitCode !== null) break
        process.kill('SIGKILL')
        await ended
        killed++
      }
      if ((await findImport(store.db, id))?.state !== 'done')
        assert.deepEqual(await once(admin('start', id), 'exit'), [0, null])
      return { bytes: await dumpOfImport(store.db), killed }
    } finally {
      await store.db.destroy()
      await database.remove()
      await rm(folder, { recursive: true })
    }
  }

  it('that is killed again and again has the same bytes as one in one go', async () => {
    const whole = await bring(0)
    const torn = await bring(KILLS)
    assert.ok(torn.killed > 2, `it was killed ${torn.killed} times`)
    assert.ok(whole.bytes.length > BUGS * 100)
    assert.equal(whole.bytes.split('\ntextImage ').length - 1, PICTURES)
    assert.equal(torn.bytes, whole.bytes)
  })
})
