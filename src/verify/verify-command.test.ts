// `npm run admin -- verify` as a command: what it prints, and its exit codes.
import assert from 'node:assert/strict'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { runProgram, startServer, withFolder } from '../../test/server.ts'
import { openDatabase } from '../database/open.ts'

const admin = (DATA_DIR: string, ...args: string[]) => runProgram(['src/admin.ts', 'verify', ...args], { DATA_DIR })

describe('npm run admin -- verify, as a command', () => {
  it('prints what it saw, takes a head of the audit log from before, and has an exit code', () =>
    withFolder(async (folder) => {
      const nothing = await admin(folder)
      assert.deepEqual([nothing.code, /there is no database at/.test(nothing.output)], [1, true])
      const server = await startServer({ DATA_DIR: folder })
      const body = JSON.stringify({ name: 'Carol', email: 'carol@example.com', password: 'correct horse battery' })
      const headers = { 'Content-Type': 'application/json' }
      await fetch(`${server.url}/api/auth/sign-up/email`, { method: 'POST', headers, body })
      await runProgram(['src/admin.ts', 'grant', 'carol@example.com', 'admin'], { DATA_DIR: folder })
      const { code, output } = await admin(folder)
      assert.match(
        output,
        /^0 files are sound, 0 damaged, 0 missing\.\nThe counts are right\.\nThe public log is whole: \d+ leaves\.\nThe audit log is whole: \d+ rows, head/,
      )
      assert.equal(code, 0)
      const head = output.match(/head (\S+)/)![1]!
      assert.equal((await admin(folder, head)).code, 0)
      const other = await admin(folder, `1:${'0'.repeat(64)}`)
      assert.deepEqual([other.code, /the chain was written again/.test(other.output)], [1, true])
      assert.equal((await admin(folder, 'nonsense')).code, 2)
      await server.end('SIGTERM')
    }))

  it('finds pages of the database that were overwritten', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'guildhall.db')
      const { db } = await openDatabase(path)
      for (let n = 0; n < 500; n++) {
        await db
          .insertInto('counter')
          .values({ key: `unknown/${n}/${'x'.repeat(500)}`, count: 1 })
          .execute()
      }
      await db.destroy()
      assert.equal((await admin(folder)).code, 0)
      const file = await open(path, 'r+')
      const { size } = await file.stat()
      await file.write(Buffer.alloc(4096, 'overwritten '), 0, 4096, size - 20 * 4096)
      await file.close()
      const { code, output } = await admin(folder)
      assert.equal(code, 1)
      assert.match(output, /^The database is malformed: .*\n/)
      assert.match(output, /\nRestore from a backup\.\n$/)
    }))
})
