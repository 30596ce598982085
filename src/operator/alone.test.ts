// The commands as programs: what they say of wrong arguments, and the final step of a move while a server runs.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { onPostgres } from '../../test/databases.ts'
import { runProgram, startServer, withFolder } from '../../test/server.ts'

const admin = (environment: Record<string, string>, ...args: string[]) =>
  runProgram(['src/admin.ts', ...args], environment)

/** Moves a server away to another SQLite file; it must be stopped first. */
async function moveAway(folder: string, environment: Record<string, string>): Promise<void> {
  const finish = () => admin(environment, 'move', '--database', join(folder, 'other.db'), '--finish')
  const server = await startServer(environment)
  try {
    const { code, output } = await finish()
    assert.deepEqual([code, /another process still uses the database: stop the server/.test(output)], [1, true], output)
  } finally {
    await server.end('SIGTERM')
  }
  const { code, output } = await finish()
  assert.equal(code, 0, output)
}

describe('npm run admin', () => {
  it('takes no final step of a move while the server runs, on SQLite', () =>
    withFolder((folder) => moveAway(folder, { DATA_DIR: join(folder, 'data') })))

  onPostgres('on PostgreSQL', (open) => {
    it('takes none either', () =>
      withFolder(async (folder) => {
        const { url, remove } = await open()
        await moveAway(folder, { DATA_DIR: join(folder, 'data'), DATABASE_URL: url }).finally(remove)
      }))
  })

  it('says what is wrong with its arguments, and how they are', () =>
    withFolder(async (DATA_DIR) => {
      const said = async (...args: string[]) => {
        const { code, output } = await admin({ DATA_DIR }, ...args)
        return `${code} ${output}`
      }
      assert.match(await said(), /^2 Usage: npm run admin -- <command>/)
      assert.match(await said('--help'), /^0 Usage: npm run admin -- <command>/)
      assert.match(await said('bakcup'), /^2 There is no command bakcup\.\n/)
      assert.match(await said('stats', '--jsn'), /^2 Unknown option '--jsn'\.\nUsage: npm run admin -- stats /)
      assert.match(await said('backup'), /^2 Usage: npm run admin -- backup <where>/)
      assert.match(await said('backup', DATA_DIR, '--keep'), /^2 Option '--keep <value>' argument missing\.\n/)
    }))
})
