// An import of an archive whose process is killed: the instance says that it is unfinished or is empty, and the next run brings all of it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../src/database/open.ts'
import { isUnfinished } from '../src/operator/opening-rows.ts'
import { hasAccounts } from '../src/operator/queries.ts'
import { isPostgres } from '../src/runtime/addresses.ts'
import { archiveOf, contentsOf, passphrase, placeOf } from './archives.ts'
import { live } from './living.ts'
import { complaintsAbout, type Place, withSamePlace, withWorldOn } from './operator.ts'
import { runProgram, withFolder } from './server.ts'
import { onEveryEngine, SIGNING_KEY } from './world.ts'

/** How often it is killed. */
const KILLS = Number(process.env['ARCHIVE_KILLS'] ?? 10)

const environmentOf = ({ dataDir, databaseUrl, blobUrl }: Place) => ({
  ...{ DATA_DIR: dataDir, BLOB_URL: blobUrl, SIGNING_KEY, LOG_LEVEL: 'error' },
  ...(isPostgres(databaseUrl) && { DATABASE_URL: databaseUrl }),
})

/** Whether no server starts on it, or one would find an empty instance. */
async function isRefusedOrEmpty({ databaseUrl }: Place): Promise<boolean> {
  if (await isUnfinished(databaseUrl)) {
    await assert.rejects(openDatabase(databaseUrl), /has not finished: repeat it/)
    return true
  }
  const { db } = await openDatabase(databaseUrl)
  return !(await hasAccounts(db).finally(() => db.destroy()))
}

onEveryEngine('an import of an archive', (it) => {
  it(`that is killed ${KILLS} times is refused until it is whole, and comes back as it was`, async (world) => {
    await live(world)
    await withFolder(async (folder) => {
      const [path, after] = [join(folder, 'archive'), join(folder, 'after')]
      await archiveOf(placeOf(world), path)
      await withSamePlace(world, async (place) => {
        const environment = environmentOf(place)
        const words = ['src/admin.ts', 'unarchive', '--from', path]
        let [killed, unfinished] = [0, 0]
        for (let turn = 0; turn < KILLS; turn++) {
          const env = { ...process.env, ...environment }
          const program = spawn(process.execPath, words, { env, stdio: ['pipe', 'ignore', 'ignore'] })
          program.stdin.end(`${passphrase}\n`)
          const ended = once(program, 'exit')
          await Promise.race([ended, sleep(500 + turn * 250)])
          if (program.exitCode === 0) break
          program.kill('SIGKILL')
          await ended
          killed++
          // One that was killed while it ended has brought all of it, which is compared below.
          if (await wasImported(place)) break
          assert.ok(await isRefusedOrEmpty(place), `killed ${killed} times`)
          if (await isUnfinished(place.databaseUrl)) unfinished++
        }
        assert.ok(killed > 0, 'it was killed')
        if (!(await wasImported(place))) {
          const { code, output } = await runProgram(words, { ...environment, ARCHIVE_PASSPHRASE: passphrase })
          assert.equal(code, 0, output)
        }
        await archiveOf(place, after)
        assert.deepEqual(await contentsOf(after), await contentsOf(path), `${killed} killed, ${unfinished} unfinished`)
        await withWorldOn(place, async (other) => assert.deepEqual(await complaintsAbout(other), []))
      })
    })
  })
})

async function wasImported({ databaseUrl }: Place): Promise<boolean> {
  if (await isUnfinished(databaseUrl)) return false
  const { db } = await openDatabase(databaseUrl)
  return hasAccounts(db).finally(() => db.destroy())
}
