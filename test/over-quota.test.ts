// A quota of the disk that is used up, as SQLite meets it: writes are refused as on a full disk, and go on once there is room, in the same process.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { compileLibrary, whyNot } from '../powercut/record.ts'
import { api } from '../src/api.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { connect } from '../src/surfaces/client.ts'
import { CookieJar } from './cookies.ts'
import { startServer } from './server.ts'
import { temporaryDirectory } from './temporary.ts'

/** Together they are longer than the log becomes, wherever it is full. */
const MOST_POSTS = 4_000
const refusal = { status: 503, message: 'Nothing can be written right now: the disk is full. Try again later' }

/** A member of the server at `url`. */
async function signUp(url: string) {
  const cookies = new CookieJar()
  const send = async (request: Request) => {
    request.headers.set('Origin', url)
    return cookies.take(await fetch(cookies.give(request)))
  }
  const member = connect(api, { baseUrl: url, fetch: send })
  await member.accounts.signUp({ name: 'Carol', email: 'carol@example.com', password: 'correct horse battery' })
  return member
}

/** A server in `folder`, whose quota is used up while `usedUp` exists. */
function startWithQuota(folder: string) {
  const [library, data, usedUp] = [join(folder, 'quota.so'), join(folder, 'data'), join(folder, 'used-up')]
  compileLibrary(join(import.meta.dirname, 'quota.c'), library)
  mkdirSync(data)
  const settings = { DATA_DIR: data, LD_PRELOAD: library, QUOTA_FOLDER: data, QUOTA_USED_UP: usedUp }
  return { data, usedUp, starting: startServer({ ...settings, LOG_LEVEL: 'silent' }) }
}

async function titlesIn(data: string): Promise<Set<string>> {
  const { db } = openSqlite(join(data, 'guildhall.db'))
  const rows = await db.selectFrom('post').select('title').execute()
  await db.destroy()
  return new Set(rows.map(({ title }) => title))
}

describe('a quota that is used up', { skip: whyNot() ?? false }, () => {
  // The first strikes in the log, the second also where the log is copied into the database.
  for (const before of [5, 500]) {
    it(`after ${before} posts refuses writes, and takes them again once there is room`, async (t) => {
      const { data, usedUp, starting } = startWithQuota(await temporaryDirectory(t))
      const server = await starting
      t.after(() => server.process.kill('SIGKILL'))
      const member = await signUp(server.url)
      const acknowledged: string[] = []
      const post = async () => {
        const title = `Post ${acknowledged.length}`
        await member.posts.create({ title, body: 'word '.repeat(400) })
        acknowledged.push(title)
      }
      const postMany = async (count: number) => {
        for (let n = 0; n < count; n++) await post()
      }
      const readiness = async () => {
        const answer = await fetch(`${server.url}/readyz`)
        return { status: answer.status, text: await answer.text() }
      }
      await postMany(before)
      writeFileSync(usedUp, '')
      await assert.rejects(postMany(MOST_POSTS), refusal)
      const file = new File([JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] })], 'org.json')
      const publish = () => member.library.publish({ kind: 'org', file })
      await assert.rejects(publish(), {
        status: 503,
        message: /^The file cannot be stored right now: the disk is full/,
      })
      // A log that was copied begins again in the room that it has: then some writes succeed before the next is refused.
      let said = await readiness()
      for (let n = 0; n < 20 && said.status !== 503; n++) {
        await assert.rejects(postMany(MOST_POSTS), refusal)
        said = await readiness()
      }
      assert.equal(said.status, 503)
      // The database's words or those of the store of files: a log that begins again takes the probe's write.
      assert.match(said.text, /^disk: the disk is full: .*the quota of the disk is used up \(EDQUOT\)/m)
      rmSync(usedUp)
      assert.equal((await readiness()).status, 200)
      await postMany(5)
      await publish()
      assert.equal(await server.end('SIGTERM'), 0)
      const titles = await titlesIn(data)
      assert.deepEqual(
        acknowledged.filter((title) => !titles.has(title)),
        [],
      )
    })
  }
})
