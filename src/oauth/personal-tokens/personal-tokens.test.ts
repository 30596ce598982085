// Personal access tokens: who makes them, where they work, and what ends them.
import assert from 'node:assert/strict'
import { describe, it as nodeIt } from 'node:test'
import { oauthClient } from '../../../test/oauth.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { isPersonalToken, newPersonalToken, personalTokensIn } from '../../identity/checked-secret.ts'
import { MAX_DAYS, MAX_TOKENS } from './rules.ts'

const NIGHTLY = { name: 'Nightly backup', scopes: ['community:read', 'library:read'] as const }

const make = (person: Person, more: Record<string, unknown> = {}) =>
  person.personalTokens.create({ ...NIGHTLY, scopes: [...NIGHTLY.scopes], ...more })

const status = async (world: World, token: string, path = '/api/community/me') =>
  (await oauthClient(world).call(token, path)).status

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'made',
    (error: { code?: string }) => error.code,
  )

/** Every way in which an account loses what can act for it. */
const ends: Readonly<Record<string, (world: World, account: { id: string; email: string }) => Promise<unknown>>> = {
  'a block': ({ admin }, { id }) => admin.admin.block({ id, blocked: true }),
  'a new password': ({ alice }) =>
    alice.accounts.changePassword({ password: 'alice has a password', newPassword: 'alice has another one' }),
  'a reset of the password': async ({ anonymous, code }, { email }) => {
    await anonymous.accounts.forgotPassword({ email })
    await anonymous.accounts.resetPassword({ email, code: await code(email), password: 'alice has another one' })
  },
  'the owner of the mailbox who takes the account': async ({ anonymous, code }, { email }) => {
    await anonymous.accounts.sendCode({ email })
    await anonymous.accounts.signInWithCode({ email, code: await code(email) })
  },
  'a request to delete the account': ({ alice }) => alice.deletion.request({ content: 'delete' }),
}

onEveryEngine('personal access tokens', (it) => {
  it('are shown once, stored as a keyed hash, listed without their value, and mailed', async (world) => {
    const { alice, db } = world
    const { email } = await alice.account()
    const made = await make(alice)
    assert.ok(isPersonalToken(made.token))
    assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt), 30 * 86_400_000)
    const { items } = await alice.personalTokens.list()
    const { token: value, ...rest } = made
    assert.deepEqual(items, [rest])
    const rows = JSON.stringify(await db.selectFrom('personalToken').selectAll().execute())
    assert.ok(!rows.includes(value) && !rows.includes(value.slice(5, 20)))
    const mail = (await world.mails(email)).at(-1)!
    assert.match(mail.body, /Nightly backup/)
    assert.ok(!mail.body.includes(value))
    assert.deepEqual((await alice.signIns.list()).items, [], 'no app was connected')
  })

  it('work wherever an access token works, within their scopes', async (world) => {
    const { alice, dependencies, app } = world
    await alice.account()
    const { token } = await make(alice)
    assert.equal(await status(world, token), 200)
    assert.equal(await status(world, token, '/api/library/me'), 200)
    assert.equal(await status(world, token, '/api/library/items?scope=mine'), 200)
    assert.equal(await status(world, token, '/api/account/tokens'), 401, 'a token lists and makes no tokens')
    assert.equal(await status(world, token, '/api/auth/oauth2/userinfo'), 403)
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    const call = (name: string, args: unknown) =>
      app.fetch(
        new Request(`${dependencies.config.baseUrl}/api/mcp`, {
          method: 'POST',
          headers: { ...headers, Authorization: `Bearer ${token}`, 'MCP-Protocol-Version': '2025-11-25' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
        }),
      )
    assert.match(await (await call('get_me', {})).text(), /alice@example\.com/)
    assert.equal((await call('create_post', { title: 'a', body: 'b' })).status, 403)
    const proofless = await alice.request('/api/community/me', {
      headers: { Authorization: `DPoP ${token}`, Cookie: '' },
    })
    assert.notEqual(proofless.status, 500)
  })

  it('are refused when they are changed, expired or revoked', async (world) => {
    const { alice, bob, clock } = world
    await alice.account()
    await bob.account()
    const brief = await make(alice, { expiresInDays: 1 })
    const long = await make(alice, { expiresInDays: MAX_DAYS })
    assert.equal(await status(world, `${brief.token.slice(0, -1)}!`), 401)
    assert.equal(await status(world, newPersonalToken()), 401)
    clock.pass(86_400 - 60)
    assert.equal(await status(world, brief.token), 200)
    clock.pass(61)
    assert.equal(await status(world, brief.token), 401)
    assert.deepEqual(
      (await alice.personalTokens.list()).items.map(({ id }) => id),
      [long.id],
    )
    await assert.rejects(bob.personalTokens.revoke({ id: long.id }), { status: 404 })
    assert.equal(await status(world, long.token), 200)
    await alice.personalTokens.revoke({ id: long.id })
    await assert.rejects(alice.personalTokens.revoke({ id: long.id }), { status: 404 })
    assert.equal(await status(world, long.token), 401)
  })

  it('take 1 to 366 days, known scopes, and never the one of refresh tokens', async ({ alice }) => {
    await alice.account()
    for (const expiresInDays of [0, -1, 1.5, MAX_DAYS + 1]) {
      await assert.rejects(make(alice, { expiresInDays }), { status: 400 }, String(expiresInDays))
    }
    for (const scopes of [[], ['offline_access'], ['admin'], ['community:read', 'admin']]) {
      await assert.rejects(make(alice, { scopes }), { status: 400 }, String(scopes))
    }
    for (const name of ['', 'x'.repeat(61)]) await assert.rejects(make(alice, { name }), { status: 400 })
    await make(alice, { expiresInDays: 1, name: 'x'.repeat(60) })
  })

  it('need a credential that was used within ten minutes', async ({ alice, clock }) => {
    await alice.account()
    clock.pass(590)
    await make(alice)
    clock.pass(20)
    await assert.rejects(make(alice), { status: 403, code: 'reauthentication_required' })
    await alice.reauthentication.confirm({ password: 'alice has a password' })
    await make(alice)
  })

  it(`are at most ${MAX_TOKENS}, also when many are made at once`, async ({ alice }) => {
    await alice.account()
    const outcomes = await Promise.all(Array.from({ length: MAX_TOKENS + 4 }, () => codeOf(make(alice))))
    assert.equal(outcomes.filter((outcome) => outcome === 'made').length, MAX_TOKENS)
    assert.equal(outcomes.filter((outcome) => outcome === 'conflict').length, 4)
    const { items } = await alice.personalTokens.list()
    await alice.personalTokens.revoke({ id: items[0]!.id })
    assert.equal(await codeOf(make(alice)), 'made')
  })

  it('note their last use at most once an hour', async (world) => {
    const { alice, clock } = world
    await alice.account()
    const { token } = await make(alice)
    const lastUse = async () => (await alice.personalTokens.list()).items[0]!.lastUsedAt
    assert.equal(await lastUse(), null)
    await status(world, token)
    const first = await lastUse()
    assert.ok(first)
    clock.pass(3_500)
    await status(world, token)
    assert.equal(await lastUse(), first)
    clock.pass(200)
    await Promise.all([1, 2, 3].map(() => status(world, token)))
    assert.ok((await lastUse())! > first)
  })

  for (const [what, end] of Object.entries(ends)) {
    it(`end with ${what}`, async (world) => {
      const account = await world.alice.account()
      const { token } = await make(world.alice)
      assert.equal(await status(world, token), 200)
      await end(world, account)
      assert.equal(await status(world, token), 401)
      assert.deepEqual(await world.db.selectFrom('personalToken').select('id').execute(), [])
    })
  }

  it('leave nothing behind when making one races a block', async (world) => {
    const { alice, admin, db } = world
    const { id } = await alice.account()
    await admin.account()
    await Promise.allSettled([make(alice), make(alice), admin.admin.block({ id, blocked: true }), make(alice)])
    assert.deepEqual(await db.selectFrom('personalToken').select('id').where('userId', '=', id).execute(), [])
  })

  it('can be revoked by any program that holds one', async (world) => {
    const client = oauthClient(world)
    await world.alice.account()
    const { token, id } = await make(world.alice)
    assert.equal((await client.revoke(await client.register(), token)).status, 200)
    assert.equal(await status(world, token), 401)
    const entries = await world.db.selectFrom('audit').select(['action', 'targetId']).execute()
    assert.ok(entries.some((entry) => entry.action === 'personal-token.revoke' && entry.targetId === id))
  })
})

onEveryEngine(
  'the budget of personal access tokens',
  (it) => {
    it('is 30 an hour', async ({ alice }) => {
      await alice.account()
      const outcomes: (string | undefined)[] = []
      for (let n = 0; n <= 30; n++) {
        const [old] = (await alice.personalTokens.list()).items
        if (old) await alice.personalTokens.revoke({ id: old.id })
        outcomes.push(await codeOf(make(alice)))
      }
      assert.deepEqual([outcomes[29], outcomes[30]], ['made', 'rate_limited'])
    })
  },
  { RATE_LIMITS: 'on' },
)

describe('the form of a personal access token', () => {
  nodeIt('has a checksum, so that scanners find tokens and nothing else', () => {
    const token = newPersonalToken()
    assert.match(token, /^gpat_[0-9A-Za-z]{46}$/)
    const other = token.endsWith('a') ? 'b' : 'a'
    const changed = token.slice(0, -1) + other
    assert.deepEqual([isPersonalToken(token), isPersonalToken(changed)], [true, false])
    const text = `TOKEN=${token}; ${changed} x${token} ${token}`
    assert.deepEqual(
      personalTokensIn(text).map(([from, to]) => text.slice(from, to)),
      [token, token],
    )
    assert.notEqual(newPersonalToken(), newPersonalToken())
  })
})
