// Levels of trust: how accounts come by them, and what each allows; through the front door, on both engines.
import assert from 'node:assert/strict'
import { it as plainIt } from 'node:test'
import { agentOf } from '../../../test/agents.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { defaultTrust, levelOf, parseTrust, TRUST_EXPECTED, type TrustFacts } from '../../contract/trust.ts'

const day = 86_400
const bug = { title: 'Crash', description: 'On start', severity: 'low' } as const
const links = (count: number) => Array.from({ length: count }, (_, n) => `https://a.example/${n}`).join(' ')

async function verify({ db }: World, ...people: Person[]) {
  for (const person of people) {
    const { id } = await person.account()
    await db.updateTable('user').set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
  }
}

/** Lets accounts be weighed at their next turn. */
async function weigh({ app, clock }: World) {
  clock.pass(day + 1)
  await app.weighTrust()
}

/** As it is stored, where sessions have expired. */
const storedOf = async ({ db }: World, person: Person) => {
  const { id } = await person.account()
  return (await db.selectFrom('user').select('trust').where('id', '=', id).executeTakeFirstOrThrow()).trust
}

const levelIn = async (person: Person) => (await person.profile.me()).trust

/** How the author of a thing thanks for a comment. */
const thanks: Record<string, (by: Person, of: { id: string; commentId: string }) => Promise<unknown>> = {
  'a solution': (by, of) => by.threads.solve(of),
  'a reaction': (by, { commentId: id }) => by.comments.react({ id, reaction: 'heart' }),
}

const LEVELS =
  'on; 1: days 1, active 1, written 2; 2: days 2, active 2, written 3, thanks 1; 0: held no, links 1; 1: links 3'

onEveryEngine(
  'the trust in an account',
  (it) => {
    it('grows with what it writes and who thanks for it, and shows on its profile', async (world) => {
      const { alice, bob, anonymous } = world
      await verify(world, alice, bob)
      await alice.profile.setUsername({ username: 'alice-t' })
      assert.equal(await levelIn(alice), 0)
      const { id } = await alice.posts.create({ title: 'One', body: 'B' })
      await weigh(world)
      assert.equal(await levelIn(alice), 0)
      await alice.posts.comment({ id, body: 'Two' })
      await weigh(world)
      assert.equal(await levelIn(alice), 1)
      assert.equal((await anonymous.profile.show({ username: 'alice-t' })).trust, 1)
      await alice.posts.create({ title: 'Three', body: 'B' })
      await bob.posts.vote({ id, value: 1 })
      await weigh(world)
      assert.deepEqual([await levelIn(bob), await levelIn(alice)], [0, 1], 'thanks of level 0 do not count')
      await alice.posts.vote({ id, value: 1 })
      await weigh(world)
      assert.equal(await levelIn(alice), 1, 'nor do its own')
      for (const title of ['A', 'B']) await bob.posts.create({ title, body: 'B' })
      await weigh(world)
      assert.equal(await levelIn(bob), 1)
      await weigh(world)
      assert.equal(await levelIn(alice), 2)
    })

    for (const [way, thank] of Object.entries(thanks)) {
      it(`comes by ${way} as well`, async (world) => {
        const { alice, bob } = world
        await verify(world, alice, bob)
        const asked = await bob.bugs.create(bug)
        await bob.bugs.create(bug)
        for (const _ of [1, 2]) await alice.bugs.comment({ id: asked.id, body: 'Try' })
        await weigh(world)
        const answer = await alice.bugs.comment({ id: asked.id, body: 'So' })
        await bob.comments.react({ id: answer.id, reaction: 'confused' })
        await weigh(world)
        assert.deepEqual([await levelIn(bob), await levelIn(alice)], [1, 1])
        await thank(bob, { id: asked.id, commentId: answer.id })
        await weigh(world)
        assert.equal(await levelIn(alice), 2)
      })
    }

    it('is lowered by what moderators find, until that is undone', async (world) => {
      const { alice, bob, moderator, app, clock } = world
      await verify(world, alice)
      const ids: string[] = []
      for (const title of ['A', 'B', 'C']) ids.push((await alice.posts.create({ title, body: 'B' })).id)
      await weigh(world)
      assert.equal(await levelIn(alice), 1)
      await bob.reports.create({ targetType: 'post', targetId: ids[0] as string, reason: 'spam' })
      const [open] = (await moderator.moderation.cases({})).items
      clock.pass(60)
      const act = await moderator.moderation.decide({ id: open!.id, action: 'warn', rule: 'spam', reason: 'No' })
      await app.weighTrust()
      assert.equal(await levelIn(alice), 0)
      clock.pass(60)
      await moderator.moderation.undo({ id: act.id, reason: 'A mistake' })
      await app.weighTrust()
      assert.equal(await levelIn(alice), 1)
    })

    it('is forgiven after 90 days', async (world) => {
      const { alice, bob, moderator, clock } = world
      await verify(world, alice)
      const { id } = await alice.posts.create({ title: 'A', body: 'B' })
      for (const title of ['B', 'C']) await alice.posts.create({ title, body: 'B' })
      await bob.reports.create({ targetType: 'post', targetId: id, reason: 'spam' })
      const [open] = (await moderator.moderation.cases({})).items
      await moderator.moderation.decide({ id: open!.id, action: 'warn', rule: 'spam', reason: 'No' })
      await weigh(world)
      assert.equal(await levelIn(alice), 0)
      clock.pass(87 * day)
      await weigh(world)
      assert.equal(await storedOf(world, alice), 0)
      await weigh(world)
      assert.equal(await storedOf(world, alice), 1)
    })

    it('is none of a blocked account, nor of one without a verified email; moderators have it', async (world) => {
      const { alice, moderator, admin } = world
      for (const title of ['A', 'B']) await alice.posts.create({ title, body: 'B' })
      await moderator.account()
      await weigh(world)
      assert.deepEqual([await levelIn(alice), await levelIn(moderator)], [0, 4])
      await verify(world, alice)
      await weigh(world)
      assert.equal(await levelIn(alice), 1)
      await admin.admin.block({ id: (await alice.account()).id, blocked: true, reason: 'Spam' })
      await weigh(world)
      assert.equal(await storedOf(world, alice), 0)
    })

    it('is weighed again within a minute of a change of the role', async (world) => {
      const { alice, admin, app } = world
      await verify(world, alice)
      const { id } = await alice.account()
      await admin.admin.setRole({ id, role: 'moderator' })
      await app.weighTrust()
      assert.equal(await storedOf(world, alice), 4)
      await admin.admin.setRole({ id, role: 'member' })
      await app.weighTrust()
      assert.equal(await storedOf(world, alice), 0)
    })

    it('says how many links a text may have', async (world) => {
      const { alice, moderator } = world
      await verify(world, alice)
      const write = async (count: number) => {
        const { id } = await alice.posts.create({ title: 'P', body: links(count) })
        return (await alice.posts.get({ id })).state
      }
      assert.deepEqual([await write(1), await write(2)], [undefined, 'held'])
      const { id } = await alice.posts.create({ title: 'P', body: links(1) })
      await assert.rejects(alice.posts.edit({ id, body: links(2) }), { status: 403, message: /at most 1$/ })
      await assert.rejects(alice.posts.edit({ id, title: `P ${links(1)}` }), { status: 403, message: /at most 1$/ })
      await alice.posts.edit({ id, body: `${links(1)} again` })
      await weigh(world)
      assert.deepEqual([await write(3), await write(4)], [undefined, 'held'])
      const long = await moderator.posts.create({ title: 'P', body: links(9) })
      assert.equal((await alice.posts.get({ id: long.id })).state, undefined)
    })
  },
  { TRUST: LEVELS },
)

onEveryEngine(
  'first texts of an account',
  (it) => {
    it('wait for a moderator, until three are seen or its level is higher', async (world) => {
      const { alice, anonymous, moderator, app } = world
      await verify(world, alice)
      const made: string[] = []
      for (const title of ['A', 'B', 'C']) made.push((await alice.posts.create({ title, body: 'B' })).id)
      assert.equal((await anonymous.posts.list({})).total, 0)
      assert.equal((await alice.posts.get({ id: made[0] as string })).state, 'held')
      for (const { id } of (await moderator.moderation.cases({})).items) {
        await moderator.moderation.decide({ id, action: 'approve', rule: 'other', reason: '' })
      }
      await app.deliver()
      await alice.posts.create({ title: 'D', body: 'B' })
      assert.equal((await anonymous.posts.list({})).total, 4)
    })
  },
  { TRUST: 'on' },
)

onEveryEngine(
  'the budgets of an account',
  (it) => {
    it('go by its level', async (world) => {
      const { alice } = world
      await verify(world, alice)
      const write = () => alice.posts.create({ title: 'P', body: 'B' })
      for (const _ of [1, 2, 3]) await write()
      await assert.rejects(write(), { status: 429 })
      const topics = async () => (await alice.usage.get()).budgets.find(({ policy }) => policy === 'topics-hour')?.quota
      assert.equal(await topics(), 3)
      await weigh(world)
      for (const _ of [1, 2, 3, 4, 5, 6, 7, 8, 9]) await write()
      await assert.rejects(write(), { status: 429 })
      assert.equal(await topics(), 9)
    })
  },
  {
    RATE_LIMITS: 'on',
    BUDGETS: 'topics: 6/hour, 6/hour',
    TRUST: 'on; 0: held no, budgets 0.5; 1: days 1, active 1, written 3, budgets 1.5',
  },
)

onEveryEngine(
  'agents',
  (it) => {
    it('of accounts below a level suggest at most', async (world) => {
      const { bob } = world
      await verify(world, bob)
      const agent = await agentOf(world, bob)
      await assert.rejects(agent.bugs.create(bug), { status: 403, message: /only suggest/ })
      await bob.bugs.create(bug)
      await weigh(world)
      await (await agentOf(world, bob)).bugs.create(bug)
    })
  },
  { AGENTS: 'write; trust: 1', TRUST: 'on; 0: held no; 1: days 1, active 1, written 1' },
)

onEveryEngine('where levels are off', (it) => {
  it('nothing is weighed and nothing is said', async (world) => {
    const { alice, moderator, db } = world
    await moderator.account()
    await alice.profile.setUsername({ username: 'alice-o' })
    await weigh(world)
    assert.equal('trust' in (await alice.profile.me()), false)
    assert.equal('trust' in (await alice.profile.show({ username: 'alice-o' })), false)
    assert.deepEqual(await db.selectFrom('user').select('id').where('trustAt', '!=', '').execute(), [])
  })
})

plainIt('A rule for trust is on or off, with figures that rise', () => {
  assert.deepEqual(parseTrust('off'), { rule: undefined })
  assert.deepEqual(parseTrust('on')?.rule, defaultTrust)
  assert.ok(parseTrust(TRUST_EXPECTED.split(' such as ')[1] ?? ''))
  const rule = parseTrust('on; 2: days 20, thanks 3, links any; 4: budgets 10')?.rule
  assert.deepEqual([rule?.thresholds[1]?.days, rule?.rights[2]?.links, rule?.rights[4]?.budgets], [20, Infinity, 10])
  const wrong = ['', 'yes', 'off; 1: days 1', 'on; 5: days 1', 'on; 0: days 1', 'on; 1: days -1', 'on; 1: days']
  const more = ['on; 0: held maybe', 'on; 0: budgets 0', 'on; 0: budgets 10.1', 'on; 1: days 15', 'on; 1: wrote 3']
  for (const text of [...wrong, ...more, 'on; 0: links 100000', 'on, 1: days 3']) {
    assert.equal(parseTrust(text), undefined, text)
  }
})

plainIt('A level is reached with all of its figures, and each finding lowers it', () => {
  const member = { isStaff: false, verified: true, blocked: false, upheld: 0 }
  for (const [at, asked] of defaultTrust.thresholds.entries()) {
    const facts: TrustFacts = { ...member, ...asked }
    assert.equal(levelOf(defaultTrust, facts), at + 1)
    for (const name of ['days', 'active', 'written'] as const) {
      assert.equal(levelOf(defaultTrust, { ...facts, [name]: facts[name] - 1 }), at, name)
    }
    assert.equal(levelOf(defaultTrust, { ...facts, upheld: 1 }), at)
    assert.equal(levelOf(defaultTrust, { ...facts, upheld: 9 }), 0)
    assert.equal(levelOf(defaultTrust, { ...facts, blocked: true, isStaff: true }), 0)
  }
})
