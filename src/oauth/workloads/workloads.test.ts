// Programs that show an ID token of their CI, cloud or SPIFFE issuer in the place of a secret.
import assert from 'node:assert/strict'
import { exchangeRun, gitHub, type Issuer, issuerFor } from '../../../test/ci.ts'
import { oauthClient, type TokenAnswer } from '../../../test/oauth.ts'
import { prove } from '../../../test/passkeys.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { ID_TOKEN_TYPE } from '../ci/ci.ts'
import { JWT_TYPE, TOKEN_EXCHANGE } from '../rules.ts'
import { MAX_CLAIMS, MAX_WORKLOADS } from './rules.ts'

const SUBJECT = 'spiffe://example.org/ns/triage/sa/nightly'

async function allowed(world: World): Promise<Issuer> {
  const issuer = await issuerFor(world)
  await world.admin.settings.change({ changes: { WORKLOAD_ISSUERS: issuer.url } })
  return issuer
}

const letIn = (person: Person, { url }: Pick<Issuer, 'url'>, more: object = {}) =>
  person.workloads.create({
    ...{ name: 'Nightly triage', issuer: url, subject: SUBJECT, scopes: ['community:read', 'community:write'] },
    ...more,
  })

function exchange(world: World, token: string, workload: string, more: Record<string, string> = {}) {
  const form = { grant_type: TOKEN_EXCHANGE, subject_token: token, subject_token_type: JWT_TYPE, workload }
  return oauthClient(world).token({ ...form, ...more }) as Promise<TokenAnswer & { issued_token_type?: string }>
}

onEveryEngine('a program with a workload identity', (it) => {
  it('gets a short token for the account that named it, and writes with its name', async (world) => {
    const { alice, dependencies } = world
    const issuer = await allowed(world)
    const { email } = await alice.account()
    const { id } = await letIn(alice, issuer)
    assert.match((await world.mails(email)).at(-1)!.body, /Nightly triage/)
    const answer = await exchange(world, await issuer.token({ sub: SUBJECT }), id)
    assert.equal(answer.status, 200, JSON.stringify(answer))
    assert.deepEqual(
      [answer.expires_in, answer.scope, answer.token_type],
      [900, 'community:read community:write', 'Bearer'],
    )
    const call = (path: string, init: RequestInit = {}) =>
      oauthClient(world).send(path, {
        ...init,
        headers: { ...init.headers, Authorization: `Bearer ${answer.access_token}` },
      })
    const body = JSON.stringify({ title: 'Found at night', body: 'It is dark.' })
    await alice.profile.setUsername({ username: 'alice' })
    const made = await call('/api/community/posts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    const { id: postId } = (await made.json()) as { id: string }
    const post = (await alice.posts.get({ id: postId })) as unknown as {
      via: { name: string; verified: boolean; clientId: string }
    }
    assert.deepEqual(
      [post.via.name, post.via.verified, post.via.clientId],
      ['Nightly triage', false, `urn:workload:${id}`],
    )
    const narrow = await exchange(world, await issuer.token({ sub: SUBJECT }), id, { scope: 'community:read' })
    assert.equal(narrow.scope, 'community:read')
    const [app, ...more] = (await alice.signIns.list()).items
    assert.deepEqual([app?.clientName, more.length], ['Nightly triage', 0], 'one grant for all of its tokens')
    const { items, issuers } = await alice.workloads.list()
    assert.deepEqual([items.length, items[0]?.lastUsedAt !== null, issuers], [1, true, [issuer.url]])
    assert.ok(dependencies.config.workloadIssuers.includes(issuer.url))
  })

  it('must have the subject and every claim, and is named by its id', async (world) => {
    const { alice } = world
    const issuer = await allowed(world)
    await alice.account()
    const { id } = await letIn(alice, issuer, { claims: { environment: 'production', attempt: '1' } })
    const claims = { sub: SUBJECT, environment: ['staging', 'production'], attempt: 1 }
    for (const [what, wrong] of [
      ['another subject', { ...claims, sub: `${SUBJECT}x` }],
      ['a subject above', { ...claims, sub: 'spiffe://example.org/ns/triage' }],
      ['a claim is missing', { sub: SUBJECT, environment: 'production' }],
      ['another claim', { ...claims, environment: 'staging' }],
      ['a claim of the prototype', { sub: SUBJECT }],
    ] as const) {
      assert.equal((await exchange(world, await issuer.token(wrong), id)).error, 'invalid_target', what)
    }
    const token = await issuer.token(claims)
    assert.equal((await exchange(world, token, 'unknown')).error, 'invalid_target')
    assert.equal((await exchange(world, token, id, { scope: 'library:write' })).error, 'invalid_scope')
    assert.equal((await exchange(world, token, id, { resource: 'https://other.example' })).error, 'invalid_target')
    assert.equal((await exchange(world, token, id, { actor_token: 'x' })).error, 'invalid_request')
    assert.equal((await exchange(world, token, id)).status, 200)
    assert.equal((await exchange(world, token, id)).error, 'invalid_request', 'once')
    const once = await issuer.token(claims)
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(world, once, id)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  it('is refused with a token for others, of others, or of another time', async (world) => {
    const { alice, admin, dependencies } = world
    const issuer = await allowed(world)
    const other = await issuerFor(world, true)
    await alice.account()
    const { id } = await letIn(alice, issuer)
    const now = Math.floor(world.clock.now() / 1000)
    const tokens = {
      'another audience': await issuer.token({ sub: SUBJECT, aud: 'https://other.example' }),
      'two audiences': await issuer.token({ sub: SUBJECT, aud: [dependencies.config.issuer, 'x'] }),
      'another issuer': await other.token({ sub: SUBJECT }),
      'an issuer that it calls itself': await other.token({ sub: SUBJECT, iss: issuer.url }),
      expired: await issuer.token({ sub: SUBJECT, iat: now - 600, exp: now - 60 }),
      'of the future': await issuer.token({ sub: SUBJECT, iat: now + 600, nbf: now, exp: now + 900 }),
      'no token': 'a.b.c',
    }
    for (const [what, token] of Object.entries(tokens)) {
      const { error } = await exchange(world, token, id, { subject_token_type: ID_TOKEN_TYPE })
      assert.equal(error, 'invalid_request', what)
    }
    const publishes = await exchangeRun(world, await issuer.token(gitHub({ sub: SUBJECT })), 'workflow/digest')
    assert.equal(publishes.error, 'invalid_target', 'it publishes nothing')
    await admin.settings.change({ changes: { WORKLOAD_ISSUERS: 'off' } })
    assert.equal((await exchange(world, await issuer.token({ sub: SUBJECT }), id)).error, 'invalid_request')
  })

  it('is bounded, over all of its tokens', async (world) => {
    const issuer = await allowed(world)
    await world.alice.account()
    await world.alice.profile.setUsername({ username: 'alice' })
    const { id, bounds } = await letIn(world.alice, issuer, { bounds: { writes: 1, kinds: ['posts'] } })
    assert.deepEqual(bounds, { writes: 1, kinds: ['posts'] })
    const statuses: number[] = []
    for (let n = 0; n < 2; n++) {
      const { access_token } = await exchange(world, await issuer.token({ sub: SUBJECT }), id)
      const response = await oauthClient(world).send('/api/community/posts', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${access_token}` },
        body: JSON.stringify({ title: 'One a day', body: 'And no more.' }),
      })
      statuses.push(response.status)
    }
    assert.deepEqual(statuses, [201, 429])
  })

  it('ends with its removal, with the moment of the account, and with a block', async (world) => {
    const { alice, bob, admin } = world
    const issuer = await allowed(world)
    const { email, id: accountId } = await alice.account()
    // Of a mailbox that is not proven, a reset is a take-over, and removes it.
    await prove(world, alice)
    await bob.account()
    const { id } = await letIn(alice, issuer)
    const token = async () => (await exchange(world, await issuer.token({ sub: SUBJECT }), id)).access_token
    const works = async (value: string) => (await oauthClient(world).call(value)).status
    const first = await token()
    assert.equal(await works(first), 200)
    await assert.rejects(bob.workloads.remove({ id }), { status: 404 })
    const early = await issuer.token({ sub: SUBJECT })
    await alice.accounts.forgotPassword({ email })
    await alice.accounts.resetPassword({ email, code: await world.code(email), password: 'another good password' })
    assert.equal(await works(first), 401)
    assert.equal((await exchange(world, early, id)).error, 'invalid_target', 'made before the moment')
    world.clock.pass(2)
    const second = await token()
    assert.equal(await works(second), 200)
    await alice.accounts.signIn({ email, password: 'another good password' })
    await alice.workloads.remove({ id })
    assert.equal(await works(second), 401)
    assert.equal((await exchange(world, await issuer.token({ sub: SUBJECT }), id)).error, 'invalid_target')
    const other = await letIn(alice, issuer)
    await admin.admin.block({ id: accountId, blocked: true })
    assert.equal((await exchange(world, await issuer.token({ sub: SUBJECT }), other.id)).error, 'invalid_target')
  })

  it(`is one of at most ${MAX_WORKLOADS}, of an issuer that the operator allows, named in a fresh session`, async (world) => {
    const { alice, clock } = world
    const issuer = await allowed(world)
    await alice.account()
    await assert.rejects(letIn(alice, { url: 'https://other.example' }), { status: 400 })
    await assert.rejects(letIn(alice, issuer, { scopes: ['offline_access'] }), { status: 400 })
    await assert.rejects(letIn(alice, issuer, { scopes: [] }), { status: 400 })
    const claims = Object.fromEntries(Array.from({ length: MAX_CLAIMS + 1 }, (_, n) => [`claim${n}`, 'x']))
    await assert.rejects(letIn(alice, issuer, { claims }), { status: 400 })
    const made = await Promise.allSettled(Array.from({ length: MAX_WORKLOADS + 2 }, () => letIn(alice, issuer)))
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, MAX_WORKLOADS)
    const [one] = (await alice.workloads.list()).items
    await alice.workloads.remove({ id: one!.id })
    clock.pass(601)
    await assert.rejects(letIn(alice, issuer), { status: 403, code: 'reauthentication_required' })
  })
})
