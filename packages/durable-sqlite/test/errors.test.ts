// Which errors of SQLite pass once there is room, and which last until a restart.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { isFull, namingQuota } from '../src/errors.ts'
import { kindOf, reasonOf, SqliteFault } from '../src/fault.ts'
import { temporaryDirectory } from './open-writer.ts'

const [IOERR_WRITE, IOERR_FSYNC, FULL] = [778, 1034, 13]
const sqliteError = (errcode: number) =>
  Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode })
/** As Node throws it: of EDQUOT it knows the number alone. */
const failing = (name: 'EDQUOT' | 'EIO' | 'EACCES' | 'ENOSPC') => () => {
  const errno = -constants.errno[name]
  const code = name === 'EDQUOT' ? `Unknown system error ${errno}` : name
  throw Object.assign(new Error(`${code}: write`), { code, errno, syscall: 'write' })
}

async function openIn(t: TestContext, name = 'some.db') {
  const folder = await temporaryDirectory(t)
  const db = new DatabaseSync(name === ':memory:' ? name : join(folder, name))
  t.after(() => db.isOpen && db.close())
  return { db, folder }
}

describe('a write that SQLite could not make', () => {
  it('was too much for the disk where a write beside the database is over the quota', async (t) => {
    const { db } = await openIn(t)
    const named = namingQuota(sqliteError(IOERR_WRITE), db, failing('EDQUOT'))
    assert.equal(isFull(named), true)
    assert.ok(named instanceof SqliteFault)
    assert.equal(kindOf(named), 'full')
    assert.match(named.message, /quota .*EDQUOT.*disk I\/O error/)
  })

  it('is an error of the disk where the write beside it fails otherwise, or does not fail', async (t) => {
    const { db } = await openIn(t)
    for (const write of [failing('EIO'), failing('EACCES'), failing('ENOSPC'), () => {}, undefined]) {
      const error = sqliteError(IOERR_WRITE)
      assert.equal(namingQuota(error, db, write), error)
      assert.deepEqual([isFull(error), kindOf(error)], [false, 'broken'])
    }
  })

  it('is not tried again where the error says why: an fsync over the quota has lost what it could not write', async (t) => {
    const { db } = await openIn(t)
    let tries = 0
    const write = () => {
      tries++
      failing('EDQUOT')()
    }
    for (const error of [sqliteError(IOERR_FSYNC), sqliteError(FULL), new Error('another')]) {
      assert.equal(namingQuota(error, db, write), error)
    }
    assert.deepEqual([isFull(sqliteError(IOERR_FSYNC)), isFull(sqliteError(FULL)), tries], [false, true, 0])
  })

  it('is not tried again without a file, or when the database is closed', async (t) => {
    const error = sqliteError(IOERR_WRITE)
    const { db: inMemory } = await openIn(t, ':memory:')
    const { db: closed } = await openIn(t)
    closed.close()
    for (const db of [inMemory, closed]) assert.equal(namingQuota(error, db, failing('EDQUOT')), error)
  })

  it('is tried again without leaving anything beside the database', async (t) => {
    const { db, folder } = await openIn(t)
    db.exec('create table one (two)')
    const before = readdirSync(folder)
    namingQuota(sqliteError(IOERR_WRITE), db)
    assert.deepEqual(readdirSync(folder), before)
  })
})

describe('the kind of a fault', () => {
  const around = (cause: unknown, times: number): Error =>
    times === 0 ? (cause as Error) : new Error(`outer ${times}`, { cause: around(cause, times - 1) })

  it('is known by the extended code where that says something else than its primary one', () => {
    const kinds = [5, 6, 8, 10, 10 | (3 << 8), 10 | (12 << 8), 10 | (19 << 8), 11, 13, 14, 26, 1, 19].map((code) =>
      kindOf(sqliteError(code)),
    )
    const [busy, broken, malformed] = ['busy', 'broken', 'malformed']
    const expected = [busy, busy, broken, broken, broken, undefined, 'full', malformed, 'full', broken, malformed]
    assert.deepEqual(kinds, [...expected, undefined, undefined])
  })

  it('is that of the first cause that has one, of the error and four causes', () => {
    const fault = new SqliteFault('malformed', 'pages', { cause: sqliteError(FULL) })
    assert.deepEqual(
      [kindOf(fault), kindOf(around(fault, 4)), kindOf(around(fault, 5))],
      ['malformed', 'malformed', undefined],
    )
    assert.equal(kindOf(Object.assign(new Error('another'), { errcode: FULL })), undefined)
  })

  it('comes with the words of all causes, each once, with their codes', () => {
    const error = new Error('not kept', { cause: new Error('not kept', { cause: sqliteError(FULL) }) })
    assert.equal(reasonOf(error), 'not kept: disk I/O error (ERR_SQLITE_ERROR)')
    assert.equal(reasonOf('no error'), '')
  })
})
