// Cases at the command line: what no moderator may judge, the operator decides; what that does shows through the front door.
import assert from 'node:assert/strict'
import { runCommand } from '../../test/operator.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'
import { cases } from './cases.ts'

const admin = ({ dependencies: { config } }: World, parameters: string[], options: Record<string, string> = {}) =>
  runCommand(cases, config, { parameters, ...options })

interface ListedCase {
  id: string
  waitsFor: string
  reportCount: number
  appealCount: number
  target: { id: string; title: string }
}

const listed = async (world: World, options: Record<string, string> = {}) =>
  ((await admin(world, ['list'], options)).results as { cases: ListedCase[] }[])[0]!.cases

/** A post of this person that Alice reported; gives its id and that of the case. */
async function reported(world: World, author: Person): Promise<{ id: string; caseId: string }> {
  const { id } = await author.posts.create({ title: 'Watches', body: 'Cheap \u001b[2Jwatches' })
  await world.alice.reports.create({ targetType: 'post', targetId: id, reason: 'spam', text: 'Look' })
  const found = (await listed(world)).find(({ target }) => target.id === id)
  return { id, caseId: found!.id }
}

const acts = async (world: World) => (await world.admin.admin.listAudit({})).items
const spam = { rule: 'spam', reason: 'Advertising' }

onEveryEngine('npm run admin -- cases', (it) => {
  it('lists what waits, why, and what no moderator may decide', async (world) => {
    const { moderator, bob, admin: boss } = world
    const own = await reported(world, moderator)
    const other = await reported(world, bob)
    const waiting = async () =>
      (await listed(world)).map(({ id, reportCount, waitsFor }) => [id, reportCount, waitsFor])
    assert.deepEqual(await waiting(), [
      [own.caseId, 1, 'operator'],
      [other.caseId, 1, 'moderators'],
    ])
    assert.equal((await moderator.moderation.case({ id: own.caseId })).waitsFor, 'nobody')
    await boss.account()
    assert.deepEqual((await waiting())[0], [own.caseId, 1, 'moderators'])
    const [shown] = (await admin(world, ['show', own.caseId])).results as { reports: object[]; target: object }[]
    assert.equal(shown?.reports.length, 1)
    assert.deepEqual(await listed(world, { state: 'closed' }), [])
    assert.deepEqual(await listed(world, { page: '1' }), [])
  })

  it('decides a case of the only moderator: the thing goes, the author has a notice, and the log names the operator', async (world) => {
    const { moderator, anonymous, admin: boss } = world
    const { id, caseId } = await reported(world, moderator)
    await assert.rejects(moderator.moderation.decide({ id: caseId, action: 'hide', rule: 'spam', reason: 'x' }))
    const { code, results } = await admin(world, ['decide', caseId, 'hide'], spam)
    assert.equal(code, 0)
    await assert.rejects(anonymous.posts.get({ id }), { status: 404 })
    assert.deepEqual(await listed(world), [])
    const [notice] = (await moderator.moderation.notices({})).items
    assert.deepEqual([notice?.action, notice?.rule, notice?.reason], ['hide', 'spam', 'Advertising'])
    await boss.account()
    const act = (await acts(world)).find(({ action }) => action.startsWith('case.'))
    assert.deepEqual([act?.action, act?.actorId, act?.targetId, act?.reason], ['case.decide', null, id, 'Advertising'])
    const [{ id: actId }] = results as [{ id: string }]
    await assert.rejects(moderator.moderation.undo({ id: actId, reason: 'x' }), { status: 403 })
    assert.equal((await admin(world, ['undo', actId], { reason: 'A mistake' })).code, 0)
    assert.equal((await anonymous.posts.get({ id })).title, 'Watches')
    assert.equal((await admin(world, ['undo', actId], { reason: 'Again' })).code, 1)
    assert.equal((await admin(world, ['decide', caseId, 'dismiss'])).code, 1)
  })

  it('decides appeals, of which a granted one undoes the act', async (world) => {
    const { moderator, anonymous } = world
    for (const answer of ['refuse', 'grant']) {
      const { id, caseId } = await reported(world, moderator)
      const [{ id: act }] = (await admin(world, ['decide', caseId, 'hide'], spam)).results as [{ id: string }]
      assert.equal((await admin(world, ['appeal', act, answer], { reason: 'None yet' })).code, 1)
      await moderator.moderation.appeal({ id: act, text: 'It was not' })
      const [waiting] = await listed(world)
      assert.deepEqual([waiting?.appealCount, waiting?.waitsFor], [1, 'operator'])
      assert.equal((await admin(world, ['appeal', act, answer], { reason: 'Read again' })).code, 0)
      assert.deepEqual(await listed(world), [])
      if (answer === 'grant') assert.equal((await anonymous.posts.get({ id })).id, id)
      else await assert.rejects(anonymous.posts.get({ id }), { status: 404 })
      const { appealGranted, appealReason } = await moderator.moderation.notice({ id: act })
      assert.deepEqual([appealGranted, appealReason], [answer === 'grant', 'Read again'])
    }
  })

  it('blocks and unblocks by a decision, but not the last admin', async (world) => {
    const { bob, admin: boss } = world
    await boss.account()
    const { id: bobId } = await bob.account()
    const { caseId } = await reported(world, bob)
    const [{ id: act }] = (await admin(world, ['decide', caseId, 'block'], spam)).results as [{ id: string }]
    await assert.rejects(bob.profile.me(), { status: 401 })
    assert.equal((await admin(world, ['undo', act], { reason: 'A mistake' })).code, 0)
    const found = (await boss.admin.listUsers({ q: bob.email })).users.find(({ id }) => id === bobId)
    assert.equal(found?.blockedAt, null)
    const last = await reported(world, boss)
    const refused = await admin(world, ['decide', last.caseId, 'block'], spam)
    assert.deepEqual([refused.code, /last admin/.test(refused.complaints.join())], [1, true])
  })

  it('says what is wrong with its arguments, and leaves the case as it was', async (world) => {
    const { caseId } = await reported(world, world.bob)
    const wrong: [string[], Record<string, string>?][] = [
      [['crown', caseId]],
      [['show']],
      [['list', caseId]],
      [['decide', caseId]],
      [['decide', caseId, 'like']],
      [['decide', caseId, 'hide'], { ...spam, rule: 'mood' }],
      [['decide', caseId, 'hide'], { ...spam, reason: 'x'.repeat(1001) }],
      [['undo', caseId]],
      [['appeal', caseId, 'maybe'], { reason: 'x' }],
      [['list'], { state: 'all' }],
      [['list'], { page: '-1' }],
    ]
    for (const [parameters, options] of wrong) {
      const { code, complaints } = await admin(world, parameters, options)
      assert.deepEqual([code, complaints.length], [2, 1], parameters.join(' '))
    }
    // Without a reason its author would have none.
    assert.equal((await admin(world, ['decide', caseId, 'hide'])).code, 1)
    for (const act of ['show', 'undo'])
      assert.equal((await admin(world, [act, '0190163d-8694-739b-aea5-966c26f8ad90'], { reason: 'x' })).code, 1)
    assert.deepEqual(
      (await listed(world)).map(({ id }) => id),
      [caseId],
    )
    const longest = { ...spam, reason: 'x'.repeat(1000) }
    assert.equal((await admin(world, ['decide', caseId, 'hide'], longest)).code, 0)
  })
})
