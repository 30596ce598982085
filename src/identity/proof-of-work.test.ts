// Proofs of work, where the operator asks for them: at sign-up with a password, and for the first things of accounts; on both engines.
import assert from 'node:assert/strict'
import { solveChallenge } from 'altcha-lib'
import { workflowFile } from '../../test/library.ts'
import { agentThatAsks, bug, verified } from '../../test/pending.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'

/** Turns the proof on, once people have their accounts. */
async function ask({ alice, bob, moderator, admin }: World, mode: 'sign-up' | 'unverified' | 'new'): Promise<void> {
  for (const person of [alice, bob, moderator]) await person.account()
  await admin.settings.change({ changes: { PROOF_OF_WORK: mode, PROOF_NUMBERS: '1000' } })
}

const FIRST = /^Send a proof of work first: \/api\/challenge$/
const WRONG = { status: 403, body: /wrong or too old/ }
const USED = { status: 403, body: /used before/ }

interface Challenge {
  algorithm: string
  challenge: string
  maxnumber: number
  salt: string
  signature: string
}

const encoded = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')

/** A challenge and its number. */
async function solved({ anonymous }: Pick<World, 'anonymous'>): Promise<Challenge & { number: number }> {
  const challenge = await anonymous.challenges.create()
  const { algorithm, salt, maxnumber } = challenge
  const found = await solveChallenge(challenge.challenge, salt, algorithm, maxnumber).promise
  assert.ok(found)
  return { ...challenge, number: found.number }
}

const proof = async (world: World) => encoded(await solved(world))

async function send(person: Person, path: string, body: object, header?: string) {
  const response = await person.request(`/api${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(header !== undefined && { 'Proof-Of-Work': header }) },
    body: JSON.stringify(body),
  })
  return { status: response.status, asks: response.headers.get('proof-of-work'), body: await response.text() }
}

const account = (n: number) => ({ name: 'Ada', email: `ada-${n}@example.com`, password: 'a fine long password' })
const post = (person: Person, title: string, header?: string) =>
  send(person, '/community/posts', { title, body: 'B' }, header)

async function holds(answer: ReturnType<typeof send>, wanted: { status: number; body: RegExp }): Promise<void> {
  const { status, body } = await answer
  assert.equal(status, wanted.status, body)
  assert.match(body, wanted.body)
}

onEveryEngine('a server that asks for no proof of work', (it) => {
  it('has no challenge, and ignores a proof', async (world) => {
    await assert.rejects(world.anonymous.challenges.create(), { status: 404 })
    assert.equal((await send(world.anonymous, '/auth/sign-up/email', account(1), 'x')).status, 200)
    assert.equal((await post(world.alice, 'First', 'x')).status, 201)
  })
})

onEveryEngine(
  'a proof of work',
  (it) => {
    it('is asked for at a sign-up with a password, and with a mailed code not', async (world) => {
      const { anonymous, alice } = world
      await ask(world, 'sign-up')
      const refused = await send(anonymous, '/auth/sign-up/email', account(1))
      assert.equal(refused.status, 403)
      assert.equal(refused.asks, 'challenge="http://localhost:3000/api/challenge"')
      assert.match((JSON.parse(refused.body) as { message: string }).message, FIRST)
      assert.equal((await send(anonymous, '/auth/sign-up/email', account(1), await proof(world))).status, 200)
      await anonymous.accounts.sendCode({ email: 'bea@example.com' })
      const byCode = { email: 'bea@example.com', code: await world.code('bea@example.com') }
      assert.equal((await send(anonymous, '/auth/sign-in/code/verify', byCode)).status, 200)
      assert.equal((await post(alice, 'No proof of a first thing')).status, 201)
    })

    it('is good once, for ten minutes, and of this server alone', async (world) => {
      const { anonymous, clock } = world
      await ask(world, 'sign-up')
      const signUp = (n: number, header: string) => send(anonymous, '/auth/sign-up/email', account(n), header)
      const good = await solved(world)
      const forged = [
        { ...good, number: good.number + 1 },
        { ...good, signature: good.signature.replace(/^./, (c) => (c === '0' ? '1' : '0')) },
        { ...good, salt: good.salt.replace(/expires=\d+/, 'expires=99999999999') },
        { ...good, algorithm: 'SHA-1' },
        { ...good, number: String(good.number) },
        { ...good, salt: 1 },
        null,
        [],
      ]
      for (const payload of forged) await holds(signUp(1, encoded(payload)), WRONG)
      for (const header of ['x', '{', 'A'.repeat(1_001)]) await holds(signUp(1, header), WRONG)
      const own = { algorithm: 'SHA-256', number: 1, salt: 'a?expires=99999999999&', challenge: '', signature: '' }
      await holds(signUp(1, encoded(own)), WRONG)
      assert.equal((await signUp(1, encoded(good))).status, 200)
      await holds(signUp(2, encoded(good)), USED)
      clock.stop()
      const late = await proof(world)
      clock.pass(599)
      assert.equal((await signUp(3, late)).status, 200)
      const tooLate = await proof(world)
      clock.pass(601)
      await holds(signUp(4, tooLate), WRONG)
    })

    it('is not used up by a sign-up that is refused, and once by many at once', async (world) => {
      const { anonymous, app, db, clock } = world
      await ask(world, 'sign-up')
      const header = await proof(world)
      const signUp = (n: number) => send(anonymous, '/auth/sign-up/email', account(n), header)
      assert.equal(
        (await send(anonymous, '/auth/sign-up/email', { ...account(1), password: 'short' }, header)).status,
        400,
      )
      const all = await Promise.all([1, 2, 3, 4, 5].map(signUp))
      assert.deepEqual(all.map(({ status }) => status).sort(), [200, 403, 403, 403, 403])
      // The ten minutes of the challenge, and the hour that a slow request may take.
      clock.pass(600 + 3_600 + 60)
      await app.cleanUp()
      assert.deepEqual(await db.selectFrom('usedProof').select('hash').execute(), [])
    })
    it('is asked for first things of an account until it has three, of every kind, and not of moderators', async (world) => {
      const { alice, bob, moderator } = world
      await ask(world, 'new')
      const orgJson = JSON.stringify({ name: 'Solo', roles: [{ id: 'solo' }] })
      const writes: [path: string, body: object][] = [
        ['/community/posts', { title: 'T', body: 'B' }],
        ['/community/bugs', bug],
        ['/community/features', { title: 'T', description: 'D' }],
      ]
      for (const [path, body] of writes) assert.equal((await send(alice, path, body)).status, 403, path)
      await assert.rejects(alice.orgs.create({ orgJson }), { status: 403, message: FIRST })
      const { id } = await moderator.posts.create({ title: 'Open', body: 'B' })
      const comment = `/community/posts/${id}/comments`
      assert.equal((await send(alice, comment, { body: 'C' })).status, 403)
      const item = { kind: 'workflow', visibility: 'public', file: workflowFile({ name: 'First' }) } as const
      await assert.rejects(alice.library.publish(item), { status: 403, message: FIRST })
      await alice.library.publish({ ...item, visibility: 'private' })
      assert.equal((await send(alice, comment, { body: 'C' }, await proof(world))).status, 201)
      for (const [path, body] of writes)
        assert.equal((await send(alice, path, body, await proof(world))).status, 201, path)
      assert.equal((await post(alice, 'Fourth')).status, 201)
      assert.equal((await send(alice, comment, { body: 'C' })).status, 201)
      assert.equal((await post(bob, 'First')).status, 403)
    })

    it('is used up by a write, and not by one that is only tried', async (world) => {
      const { alice } = world
      await ask(world, 'new')
      const header = await proof(world)
      const dry = await alice.request('/api/community/posts', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Proof-Of-Work': header, Prefer: 'handling=dry-run' },
        body: JSON.stringify({ title: 'T', body: 'B' }),
      })
      assert.ok(dry.status < 300, await dry.text())
      assert.equal((await post(alice, 'T', header)).status, 201)
      await holds(post(alice, 'T', header), USED)
    })

    it('of a write that waits is looked at when it is sent', async (world) => {
      const { alice } = world
      const { accessToken } = await agentThatAsks(world)
      await ask(world, 'new')
      const agentSends = async (header?: string) => {
        const Authorization = `Bearer ${accessToken}`
        const headers = {
          Authorization,
          'Content-Type': 'application/json',
          ...(header && { 'Proof-Of-Work': header }),
        }
        const init = { method: 'POST', headers, body: JSON.stringify(bug) }
        return world.anonymous.request('/api/community/bugs', init)
      }
      assert.equal((await agentSends()).status, 403)
      const answer = await agentSends(await proof(world))
      assert.equal(answer.status, 202)
      const { id } = (await answer.json()) as { id: string }
      assert.equal((await alice.pendingActs.approve({ id })).state, 'made')
    })

    it('is asked of accounts without a verified email alone, where it is `unverified`', async (world) => {
      const { alice } = world
      await ask(world, 'unverified')
      assert.equal((await post(alice, 'T')).status, 403)
      await verified(world)
      assert.equal((await post(alice, 'T')).status, 201)
    })
  },
  { RATE_LIMITS: 'off' },
)
