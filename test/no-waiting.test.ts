// A transaction waits for the database alone. While one is open on SQLite no other can write, and on PostgreSQL its rows are locked: a
// file, a bucket, a mail server or a thread that does not answer would hold all of them.
import assert from 'node:assert/strict'
import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import type { Guildhall } from '../src/app.ts'
import type { Db, Transaction } from '../src/database/schema.ts'
import { sqliteDatabase } from './databases.ts'
import { orgFile, workflowFile } from './library.ts'
import { AGENT, oauthClient } from './oauth.ts'
import { tinyPng } from './pictures.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

const DAY = 86_400
/** Files, sockets, names, processes, threads and passwords, as Node names what it waits for. */
const OUTSIDE =
  /^(FS|FILEHANDLE|TCP|TLS|PIPE|UDP|HTTP|GETADDR|WRITEWRAP|SHUTDOWNWRAP|PROCESS|WORKER|MESSAGEPORT|ARGON2|SCRYPT|KEYPAIR)/i

const transaction = new AsyncLocalStorage<{ isOpen: boolean }>()
/** Open transactions of requests: the flows send one request at a time, so all that is done meanwhile is theirs. */
const ofRequests = new Set<unknown>()
const found = new Set<string>()
const hook = createHook({
  init(_id, type) {
    if (!(transaction.getStore()?.isOpen || ofRequests.size > 0) || !OUTSIDE.test(type)) return
    const line = new Error().stack?.split('\n').find((line) => /\/src\/(?!database)/.test(line)) ?? ''
    found.add(`${type} ${line.trim()}`)
  },
})
before(() => void hook.enable())
after(() => void hook.disable())

/** The database, with transactions that know what is called in them: those of a function, and those of a request. */
function watched(db: Db): Db {
  const execute = (work: (transaction: Transaction) => Promise<unknown>) =>
    db.transaction().execute(async (opened) => {
      const state = { isOpen: true }
      try {
        return await transaction.run(state, () => work(opened))
      } finally {
        state.isOpen = false
      }
    })
  const start = async () => {
    const opened = await db.startTransaction().execute()
    ofRequests.add(opened)
    for (const end of ['commit', 'rollback'] as const) {
      const ending = opened[end].bind(opened)
      opened[end] = () => {
        ofRequests.delete(opened)
        return ending()
      }
    }
    return opened
  }
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return () => ({ execute })
      if (name === 'startTransaction') return () => ({ execute: start })
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const flows: Record<string, (world: World) => Promise<void>> = {
  async 'the library'({ alice, admin }) {
    const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile() })
    await alice.library.publishVersion({ id, file: workflowFile({ name: 'Other' }) })
    await alice.library.update({ id, visibility: 'public' })
    await admin.library.delete({ id, reason: 'Spam' })
    await alice.library.publish({ kind: 'org', file: orgFile() })
  },
  async 'the gallery'({ alice, bob }) {
    const { id } = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    await alice.orgImages.add({ id, image: await tinyPng() })
    const run = await bob.orgRuns.add({ id, files: [new File(['# Hi'], 'a.md')] })
    await bob.orgRuns.delete({ id, runId: run.id })
    await alice.orgs.delete({ id })
  },
  async pictures({ alice }) {
    await alice.avatars.set({ avatar: await tinyPng() })
    await alice.avatars.set({ avatar: await tinyPng() })
  },
  async 'the community'({ alice, bob, moderator }) {
    const { id } = await alice.bugs.create({ title: 'T', description: 'D', severity: 'low' })
    await bob.bugs.vote({ id, value: 1 })
    await bob.bugs.comment({ id, body: 'Again' })
    await moderator.bugs.triage({ id, status: 'resolved' })
    await alice.posts.create({ title: 'T', body: 'B' })
  },
  async accounts({ alice, anonymous, code }) {
    const { email } = await alice.account()
    await anonymous.accounts.signIn({ email, password: 'alice has a password' })
    const [password, newPassword] = ['alice has a password', 'alice has another password']
    await alice.accounts.changePassword({ password, newPassword })
    await anonymous.accounts.sendCode({ email })
    await anonymous.accounts.signInWithCode({ email, code: await code(email) })
  },
  async 'the authorization server'(world) {
    const client = oauthClient(world)
    const clientId = await client.register()
    const tokens = await client.signIn(world.alice, { clientId, scope: 'openid community:read offline_access' })
    await client.refresh(clientId, tokens.refresh_token)
    await client.revoke(clientId, tokens.access_token)
    await client.claim(world.alice.email, 'community:read')
    await client.verify(world.alice.email, await client.code(world.alice.email), AGENT)
  },
  async 'a clean-up'({ alice, app, clock }) {
    const { id } = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    await alice.orgs.delete({ id })
    clock.pass(2 * DAY)
    await app.cleanUp()
  },
}

/** How every write of a flow is sent. */
const ways: Record<string, () => Record<string, string>> = {
  plainly: () => ({}),
  'with an idempotency key': () => ({ 'Idempotency-Key': randomUUID() }),
  'as a dry run before': () => ({ Prefer: 'handling=dry-run' }),
}

/** The application with these headers at each operation; a dry run is made before the call itself. */
function sending(app: Guildhall, headers: () => Record<string, string>): Guildhall {
  const fetch: Guildhall['fetch'] = async (request, context) => {
    const { pathname } = new URL(request.url)
    const isWrite = request.method !== 'GET' && pathname.startsWith('/api/') && !pathname.includes('/oauth2/')
    if (!isWrite || Object.keys(headers()).length === 0) return app.fetch(request, context)
    const body = new Uint8Array(await request.arrayBuffer())
    const sent = (more: Record<string, string>) => {
      const all = new Headers(request.headers)
      for (const [name, value] of Object.entries(more)) all.set(name, value)
      const { method, url } = request
      return app.fetch(new Request(url, { method, headers: all, body: body.byteLength > 0 ? body : null }), context)
    }
    const response = await sent(headers())
    const isDone = !('Prefer' in headers())
    return isDone ? response : sent({})
  }
  return { ...app, fetch }
}

for (const [name, flow] of Object.entries(flows)) {
  for (const [way, headers] of Object.entries(ways)) {
    it(`no transaction of ${name}, sent ${way}, waits for anything but the database`, async (t) => {
      const database = await sqliteDatabase()
      const settings = { BLOB_URL: `file:${await temporaryDirectory(t)}` }
      found.clear()
      try {
        const wrap = (app: Guildhall) => sending(app, headers)
        await flow(await makeWorld({ ...database, db: watched(database.db) }, settings, { wrap }))
      } finally {
        await database.remove()
      }
      assert.deepEqual([...found], [])
    })
  }
}
