// What was reported is kept for the case: its author cannot take it away, moderators alone see it, and it does not stay for ever.
import assert from 'node:assert/strict'
import { erase, signInAgain } from '../../../test/erasure.ts'
import { workflowFile } from '../../../test/library.ts'
import { complaintsAbout } from '../../../test/operator.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { type Decision, reportable } from '../../contract/kinds.ts'
import { EVIDENCE_DAYS } from './case-queries.ts'
import { MAX_KEPT } from './evidence-queries.ts'

type Kind = (typeof reportable)[number]
interface Reportable {
  id: string
  /** Its author takes it away. */
  remove(): Promise<unknown>
}

const words = 'Vile words'
const DAY = 86_400
const orgJson = JSON.stringify({ name: words, goal: words, roles: [{ id: 'solo' }] })

/** Makes one thing of each kind that can be reported, as its author. */
const making: Readonly<Record<Kind, (author: Person, world: World) => Promise<Reportable>>> = {
  async bug(author) {
    const { id } = await author.bugs.create({ title: words, description: 'D', severity: 'low' })
    return { id, remove: () => author.bugs.delete({ id }) }
  },
  async feature(author) {
    const { id } = await author.features.create({ title: words, description: 'D' })
    return { id, remove: () => author.features.delete({ id }) }
  },
  async post(author) {
    const { id } = await author.posts.create({ title: words, body: 'B' })
    return { id, remove: () => author.posts.delete({ id }) }
  },
  async release(author) {
    const { id } = await author.changelog.create({ title: words, body: 'B' })
    return { id, remove: () => author.changelog.delete({ id }) }
  },
  async org(author) {
    const { id } = await author.orgs.create({ orgJson })
    return { id, remove: () => author.orgs.delete({ id }) }
  },
  async run(author, { alice }) {
    const { id } = await alice.orgs.create({ orgJson: orgJson.replaceAll(words, 'Desk') })
    const run = await author.orgRuns.add({ id, label: words, files: [new File(['# Notes'], 'notes.md')] })
    return { id: run.id, remove: () => author.orgRuns.delete({ id, runId: run.id }) }
  },
  async item(author) {
    const { id } = await author.library.publish({
      kind: 'workflow',
      visibility: 'public',
      file: workflowFile({ name: words }),
    })
    return { id, remove: () => author.library.delete({ id }) }
  },
  async team(author, { db }) {
    const { id: ownerId } = await author.account()
    const emailVerifiedAt = new Date().toISOString()
    await db.updateTable('user').set({ emailVerifiedAt }).where('id', '=', ownerId).execute()
    const { id, slug } = await author.teams.create({ slug: 'vile', name: words })
    return { id, remove: () => author.teams.delete({ slug }) }
  },
  async comment(author, { alice }) {
    const { id } = await alice.posts.create({ title: 'Post', body: 'B' })
    const comment = await author.posts.comment({ id, body: words })
    return { id: comment.id, remove: () => author.posts.deleteComment({ id, commentId: comment.id }) }
  },
  async user(author) {
    const { id } = await author.account()
    await author.profile.update({ name: 'A', tagline: words })
    return { id, remove: () => author.profile.update({ name: 'A' }) }
  },
}

const report = ({ alice }: World, targetType: Kind, targetId: string) =>
  alice.reports.create({ targetType, targetId, reason: 'abuse' })

const caseOn = async ({ moderator }: World, targetId: string) => {
  const [open, closed] = await Promise.all([
    moderator.moderation.cases({}),
    moderator.moderation.cases({ state: 'closed' }),
  ])
  const found = [...open.items, ...closed.items].find(({ target }) => target.id === targetId)
  return moderator.moderation.case({ id: found!.id })
}

/** A post that was reported and then deleted by its author. */
async function deleted(world: World, author: Person): Promise<{ id: string; caseId: string }> {
  const { id, remove } = await making.post(author, world)
  await report(world, 'post', id)
  await remove()
  return { id, caseId: (await caseOn(world, id)).id }
}

const decide = ({ moderator }: World, id: string, action: Decision) =>
  moderator.moderation.decide({ id, action, rule: 'abuse', reason: 'Vile' })

const kept = ({ db }: World) => db.selectFrom('evidence').selectAll().execute()

const sound = async (world: World) => assert.deepEqual(await complaintsAbout(world), [])

onEveryEngine('what was reported', (it) => {
  for (const kind of reportable) {
    it(`is kept for the case when its author takes it away: ${kind}`, async (world) => {
      const author = kind === 'release' ? world.admin : world.bob
      const { id, remove } = await making[kind](author, world)
      await report(world, kind, id)
      await remove()
      const { target, evidence } = await caseOn(world, id)
      assert.equal(target.gone, kind !== 'user')
      assert.match(evidence.map(({ title, text }) => `${title} ${text}`).join(), /Vile words/)
      if (target.gone) assert.match(`${target.title} ${target.text}`, /Vile words/)
      await sound(world)
    })
  }

  it('is for moderators alone: the author and others find nothing', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const { id, caseId } = await deleted(world, bob)
    const [listed] = (await moderator.moderation.cases({})).items
    assert.deepEqual([listed?.gone, listed?.target.title], [true, words])
    for (const reader of [alice, bob, anonymous]) await assert.rejects(reader.posts.get({ id }), { status: 404 })
    for (const reader of [alice, bob]) await assert.rejects(reader.moderation.case({ id: caseId }), { status: 403 })
    await decide(world, caseId, 'warn')
    const [notice] = (await bob.moderation.notices({})).items
    assert.deepEqual([notice?.action, notice?.target.title, notice?.target.url], ['warn', words, ''])
  })

  it('lets its author be warned and blocked, and everything by them removed, but nothing be done to what is gone', async (world) => {
    const { bob, moderator } = world
    for (const action of ['hide', 'delete', 'approve'] as const) {
      const { caseId } = await deleted(world, bob)
      await assert.rejects(decide(world, caseId, action), { status: 409, message: /warn or block its author/ })
      await decide(world, caseId, 'dismiss')
    }
    const { id } = await bob.account()
    for (const action of ['warn', 'remove_all', 'block'] as const) {
      const { caseId } = await deleted(world, bob)
      await decide(world, caseId, action)
      assert.equal((await moderator.moderation.case({ id: caseId })).state, 'closed')
    }
    const found = (await world.admin.admin.listUsers({ q: bob.email })).users.find((user) => user.id === id)
    assert.ok(found?.blockedAt)
    await sound(world)
  })

  it('is kept in each version that was reported, up to a bound', async (world) => {
    const { bob, person } = world
    const { id } = await bob.posts.create({ title: words, body: 'Version 0' })
    for (let n = 0; n <= MAX_KEPT; n++) {
      if (n > 0) await bob.posts.edit({ id, body: `Version ${n}` })
      for (const who of [`one-${n}`, `two-${n}`])
        await person(who).reports.create({ targetType: 'post', targetId: id, reason: 'abuse' })
    }
    const { evidence } = await caseOn(world, id)
    assert.deepEqual(
      evidence.map(({ text }) => text),
      Array.from({ length: MAX_KEPT }, (_, n) => `Version ${n}`),
    )
  })

  it(`stays for ${EVIDENCE_DAYS} days after the decision, and longer while an appeal waits`, async (world) => {
    const { bob, app, clock, moderator } = world
    const { id, caseId } = await deleted(world, bob)
    clock.stop()
    clock.pass(EVIDENCE_DAYS * 2 * DAY)
    await app.cleanUp()
    assert.equal((await kept(world)).length, 1)
    for (const person of [bob, moderator]) await signInAgain(person)
    const { id: act } = await decide(world, caseId, 'warn')
    clock.pass(EVIDENCE_DAYS * DAY - 1)
    await app.cleanUp()
    assert.equal((await kept(world)).length, 1)
    for (const person of [bob, moderator]) await signInAgain(person)
    await bob.moderation.appeal({ id: act, text: 'It was not' })
    clock.pass(EVIDENCE_DAYS * DAY)
    await app.cleanUp()
    assert.equal((await kept(world)).length, 1)
    await signInAgain(moderator)
    await moderator.moderation.decideAppeal({ id: act, granted: false, reason: 'It was' })
    clock.pass(EVIDENCE_DAYS * DAY)
    await app.cleanUp()
    assert.deepEqual(await kept(world), [])
    await signInAgain(moderator)
    assert.deepEqual((await caseOn(world, id)).evidence, [])
    await sound(world)
  })

  it('of an erased account goes with the decision', async (world) => {
    const { bob, moderator } = world
    const { id, caseId } = await deleted(world, bob)
    await erase(world, bob, 'delete')
    await signInAgain(moderator)
    assert.equal((await caseOn(world, id)).target.title, words)
    assert.ok(!JSON.stringify(await kept(world)).includes((await bob.account()).id))
    await assert.rejects(decide(world, caseId, 'warn'), { status: 409, message: /dismiss the case/ })
    await decide(world, caseId, 'dismiss')
    assert.deepEqual(await kept(world), [])
    await sound(world)
  })

  it(`of an erased account goes ${EVIDENCE_DAYS} days after the erasure, decided or not, and at once where it was decided before`, async (world) => {
    const { bob, app, clock } = world
    const before = await deleted(world, bob)
    await decide(world, before.caseId, 'dismiss')
    await deleted(world, bob)
    clock.stop()
    await erase(world, bob)
    assert.equal((await kept(world)).length, 1)
    clock.pass(EVIDENCE_DAYS * DAY - 1)
    await app.cleanUp()
    assert.equal((await kept(world)).length, 1)
    clock.pass(1)
    await app.cleanUp()
    assert.deepEqual(await kept(world), [])
    await sound(world)
  })

  it('is kept, however a report and the deletion meet, ten times', async (world) => {
    const { bob } = world
    for (let round = 0; round < 10; round++) {
      const { id, remove } = await making.post(bob, world)
      const [reported] = await Promise.allSettled([report(world, 'post', id), remove()])
      if (reported.status === 'rejected') continue
      assert.match(`${(await caseOn(world, id)).target.title}`, /Vile words/)
    }
    await sound(world)
  })
})
