// What is signed in to an account, what is remembered of it, and what is forgotten.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AGENT, oauthClient } from '../../test/oauth.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

const scope = 'community:read offline_access'

onEveryEngine('sign-ins', (it) => {
  it('are listed to their account with client, scopes and times', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register({ client_name: 'Loom' })
    await client.consent(world.alice, { clientId, scope })
    assert.deepEqual((await world.alice.signIns.list()).items, [], 'a code that was not exchanged is no sign-in yet')
    const tokens = await client.signIn(world.alice, { clientId, scope })
    const [before] = (await world.alice.signIns.list()).items
    assert.deepEqual(
      [before!.clientId, before!.clientName, before!.scopes],
      [clientId, 'Loom', ['community:read', 'offline_access']],
    )
    world.clock.pass(7200)
    await client.refresh(clientId, tokens.refresh_token)
    const [after] = (await world.alice.signIns.list()).items
    assert.equal(after!.createdAt, before!.createdAt)
    assert.ok(after!.lastUsedAt > before!.lastUsedAt)
    assert.deepEqual((await world.bob.signIns.list()).items, [])
  })

  it('are ended one by one, by their own account only', async (world) => {
    const client = oauthClient(world)
    const first = await client.signIn(world.alice, { clientId: AGENT, scope })
    const { id } = (await world.alice.signIns.list()).items[0]!
    const second = await client.signIn(world.alice, { clientId: AGENT, scope })
    await assert.rejects(world.bob.signIns.end({ id }), { status: 404 })
    assert.deepEqual(await world.alice.signIns.end({ id }), { id })
    await assert.rejects(world.alice.signIns.end({ id }), { status: 404 })
    assert.equal((await client.refresh(AGENT, first.refresh_token)).error, 'invalid_grant')
    assert.equal((await client.call(first.access_token)).status, 401)
    assert.equal((await client.refresh(AGENT, second.refresh_token)).status, 200)
  })

  it('are not for a token to see or end', async (world) => {
    const client = oauthClient(world)
    const { access_token } = await client.signIn(world.alice, {
      clientId: AGENT,
      scope: 'community:read community:write',
    })
    assert.equal((await client.call(access_token, '/api/account/sign-ins')).status, 401)
  })

  it('leave every event in the audit log', async (world) => {
    const client = oauthClient(world)
    const { id, email } = await world.alice.account()
    const clientId = await client.register()
    const granted = await client.consent(world.alice, { clientId, scope })
    const tokens = await client.exchange(granted)
    await client.refresh(clientId, tokens.refresh_token)
    await client.exchange(granted)
    await client.claim(email, scope)
    const claimed = await client.verify(email, await client.code(email))
    await client.revoke(AGENT, claimed.access_token)
    await client.revoke(AGENT, claimed.refresh_token!)
    const rows = await world.db.selectFrom('audit').select(['action', 'actorId']).orderBy('id').execute()
    assert.deepEqual(
      rows.map(({ action }) => action),
      [
        'client.register',
        'sign-in.open',
        'token.issue',
        'token.refresh',
        'sign-in.end',
        'account.take-over',
        'sign-in.open',
        'token.issue',
        'token.revoke',
        'sign-in.end',
      ],
    )
    assert.ok(rows.slice(1).every(({ actorId }) => actorId === id))
  })

  it('are deleted once all their tokens expired; valid ones stay', async (world) => {
    const client = oauthClient(world)
    const kept = await client.signIn(world.alice, { clientId: AGENT, scope })
    for (let n = 0; n < 30; n++) await client.signIn(world.alice, { clientId: AGENT, scope: 'community:read' })
    await client.consent(world.alice, { clientId: AGENT, scope })
    const next = await client.refresh(AGENT, kept.refresh_token)
    const answers = async () =>
      (await world.db.selectFrom('oauthToken').select('hash').where('response', 'is not', null).execute()).length
    assert.equal(await answers(), 1)
    world.clock.pass(301)
    await world.app.cleanUp()
    assert.equal(await answers(), 0)
    world.clock.pass(2 * 86_400)
    await world.app.cleanUp()
    const left = await world.db.selectFrom('oauthToken').select('kind').execute()
    assert.deepEqual(
      left.map(({ kind }) => kind),
      ['refresh', 'refresh'],
      'the used one is remembered, the new one is good',
    )
    assert.equal((await world.db.selectFrom('grant').select('id').execute()).length, 1)
    assert.equal((await client.refresh(AGENT, next.refresh_token)).status, 200)
    world.clock.pass(31 * 86_400)
    await world.app.cleanUp()
    assert.equal((await world.db.selectFrom('grant').select('id').execute()).length, 0)
    assert.equal((await world.db.selectFrom('oauthToken').select('kind').execute()).length, 0)
  })

  it('leave no secret in clear where they are stored', async (world) => {
    const client = oauthClient(world)
    const { email } = await world.alice.account()
    const resource = client.audience
    const granted = await client.consent(world.alice, { clientId: AGENT, scope: 'openid library:read offline_access' })
    const tokens = await client.exchange(granted)
    const next = await client.refresh(AGENT, tokens.refresh_token, { resource })
    await client.refresh(AGENT, next.refresh_token)
    await client.claim(email, scope)
    const code = await client.code(email)
    const claimed = await client.verify(email, code)
    const secrets = [
      granted.code,
      granted.verifier,
      tokens.access_token,
      tokens.refresh_token!,
      tokens.id_token!,
      next.access_token,
      next.refresh_token!,
      claimed.access_token,
      claimed.refresh_token!,
    ]
    const stored = await everythingStored(world)
    assert.ok(stored.includes(email), 'what is looked through is the right place')
    for (const secret of secrets) assert.ok(!stored.includes(secret))
    assert.ok(!(await everyRow(world)).includes(`\\n${code}\\n`), 'the mail’s text is gone')
  })
})

/** Every byte of the data folder, or on PostgreSQL every row. */
async function everythingStored(world: World): Promise<string> {
  if (world.databaseUrl.startsWith('postgres')) return everyRow(world)
  const folder = dirname(world.databaseUrl)
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')))
  return files.join('\n')
}

async function everyRow({ db }: World): Promise<string> {
  const tables = await db.introspection.getTables()
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db
        .selectFrom(name as 'user')
        .selectAll()
        .execute(),
    ),
  )
  return JSON.stringify(rows)
}
