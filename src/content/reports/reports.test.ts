// What is reported comes into one queue, and is decided there in one step, with a reason that its author sees.

import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import type { Decision } from '../../contract/kinds.ts'

const spam = { reason: 'spam', text: 'In five places' } as const

async function reportedPost({ alice, bob, moderator }: World) {
  const { id } = await bob.posts.create({ title: 'Watches', body: 'Cheap watches' })
  await alice.reports.create({ targetType: 'post', targetId: id, ...spam })
  const [waiting] = (await moderator.moderation.cases({})).items
  assert.ok(waiting)
  return { id, caseId: waiting.id }
}

/** Decides the newest open case about a thing. */
async function decide({ moderator }: World, targetId: string, action: Decision) {
  const found = (await moderator.moderation.cases({})).items.find(({ target }) => target.id === targetId)
  assert.ok(found)
  return moderator.moderation.decide({ id: found.id, action, rule: 'spam', reason: 'Advertising' })
}

onEveryEngine('Reports', (it) => {
  it('are not taken of the profile of who is blocked already', async ({ alice, bob, moderator, admin }) => {
    const { id: targetId } = await bob.account()
    const report = { targetType: 'user', targetId, reason: 'spam' } as const
    await admin.admin.block({ id: targetId, blocked: true })
    for (const person of [alice, moderator]) await assert.rejects(person.reports.create(report), { status: 404 })
    await admin.admin.block({ id: targetId, blocked: false })
    assert.equal((await alice.reports.create(report)).targetId, targetId)
  })

  it('of one thing are one case, one a person, whatever the thing is', async (world) => {
    const { alice, bob, moderator } = world
    const { username } = await bob.profile.setUsername({ username: 'bob-r' })
    const { id: userId } = await bob.account()
    const { id: bug } = await bob.bugs.create({ title: 'B', description: 'D', severity: 'low' })
    const { id: feature } = await bob.features.create({ title: 'F', description: 'D' })
    const { id: post } = await bob.posts.create({ title: 'P', body: 'B' })
    const { id: org } = await bob.orgs.create({ orgJson: JSON.stringify({ name: 'O', roles: [{ id: 'solo' }] }) })
    const { id: run } = await bob.orgRuns.add({ id: org, files: [new File(['# R'], 'r.md')] })
    const { id: item } = await bob.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
    const { id: comment } = await bob.posts.comment({ id: post, body: 'C' })
    const things = { bug, feature, post, org, run, item, comment, user: userId } as const
    for (const [type, targetId] of Object.entries(things)) {
      const targetType = type as keyof typeof things
      await alice.reports.create({ targetType, targetId, ...spam })
      await assert.rejects(alice.reports.create({ targetType, targetId, reason: 'other' }), { status: 409 })
      await assert.rejects(bob.reports.create({ targetType, targetId, reason: 'other' }), { status: 409 })
      await moderator.reports.create({ targetType, targetId, reason: 'abuse' })
    }
    const { items, waiting } = await moderator.moderation.cases({})
    assert.equal(waiting, 8)
    assert.deepEqual(
      items.map(({ target, reportCount, author }) => [target.type, reportCount, author.username]),
      Object.keys(things).map((type) => [type, 2, username]),
    )
    const shown = await moderator.moderation.case({ id: items[2]!.id })
    assert.deepEqual([shown.target.title, shown.target.text, shown.author.things], ['P', 'B', 7])
    assert.deepEqual(
      shown.reports.map(({ reason, text }) => [reason, text]),
      [
        ['spam', 'In five places'],
        ['abuse', null],
      ],
    )
    await assertSound(world)
  })

  it('are counted once when many come at the same time', async (world) => {
    const { bob, moderator, person } = world
    const { id: targetId } = await bob.posts.create({ title: 'P', body: 'B' })
    const people = ['carol', 'dave', 'erin', 'frank'].map(person)
    for (const one of people) await one.account()
    const outcomes = await Promise.allSettled(
      [...people, ...people].map((one) => one.reports.create({ targetType: 'post', targetId, reason: 'spam' })),
    )
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 4)
    const { items } = await moderator.moderation.cases({})
    assert.deepEqual(
      items.map(({ reportCount }) => reportCount),
      [4],
    )
    await assertSound(world)
  })

  it('cannot be of what the reporter does not see, and are read by moderators alone', async (world) => {
    const { alice, bob, blocked, moderator, anonymous } = world
    const { id, caseId } = await reportedPost(world)
    const { id: own } = await bob.library.publish({ kind: 'workflow', file: workflowFile() })
    const report = (targetId: string, targetType: 'post' | 'item' = 'post') =>
      ({ targetType, targetId, reason: 'spam' }) as const
    await assert.rejects(alice.reports.create(report(own, 'item')), { status: 404 })
    await assert.rejects(alice.reports.create(report('nothing')), { status: 404 })
    await assert.rejects(anonymous.reports.create(report(id)), { status: 401 })
    await assert.rejects(blocked.reports.create(report(id)), { status: 403 })
    await assert.rejects(alice.reports.create({ ...report(id), text: 'x'.repeat(1001) }), { status: 400 })
    for (const one of [alice, bob]) {
      await assert.rejects(one.moderation.cases({}), { status: 403 })
      await assert.rejects(one.moderation.case({ id: caseId }), { status: 403 })
      await assert.rejects(one.moderation.decide({ id: caseId, action: 'dismiss', rule: 'spam' }), { status: 403 })
    }
    await assert.rejects(moderator.moderation.case({ id: 'nothing' }), { status: 404 })
    await decide(world, id, 'hide')
    await assert.rejects(alice.reports.create(report(id)), { status: 404 })
  })
})

onEveryEngine('Decisions', (it) => {
  it('hide a thing, tell its author why, and can be undone', async (world) => {
    const { bob, alice, anonymous, moderator, app } = world
    const { id, caseId } = await reportedPost(world)
    await assert.rejects(moderator.moderation.decide({ id: caseId, action: 'hide', rule: 'spam' }), { status: 400 })
    const { id: actId } = await decide(world, id, 'hide')
    await app.deliver()
    await assert.rejects(anonymous.posts.get({ id }), { status: 404 })
    assert.equal((await anonymous.posts.list({})).total, 0)
    assert.equal((await bob.posts.get({ id })).state, 'hidden')
    const [notice] = (await bob.notifications.list({})).items
    assert.ok(notice)
    assert.deepEqual(
      [notice.type, notice.excerpt, notice.actor, notice.target.title],
      ['notice', 'Advertising', null, 'Watches'],
    )
    assert.deepEqual(notice.notice, { id: actId, action: 'hide', rule: 'spam' })
    const told = (await alice.notifications.list({})).items
    assert.deepEqual(
      told.map(({ type }) => type),
      ['report'],
    )
    await assert.rejects(moderator.moderation.decide({ id: caseId, action: 'dismiss', rule: 'spam' }), { status: 409 })
    await moderator.moderation.undo({ id: actId, reason: 'A mistake' })
    await assert.rejects(moderator.moderation.undo({ id: actId, reason: 'Again' }), { status: 409 })
    assert.equal((await anonymous.posts.list({})).total, 1)
    // A report of the same thing opens another case.
    await alice.reports.create({ targetType: 'post', targetId: id, ...spam })
    assert.equal((await moderator.moderation.cases({})).waiting, 1)
    await assertSound(world)
  })

  it('come to those who want no notifications, and by mail to a verified address', async (world) => {
    const { bob, app, db, mails } = world
    const { id } = await reportedPost(world)
    const off = { mention: 'off', reply: 'off', comment: 'off', status: 'off', version: 'off' } as const
    await bob.notifications.updateSettings(off)
    await bob.follows.set({ id, state: 'muted' })
    await db
      .updateTable('user')
      .set({ emailVerifiedAt: new Date().toISOString() })
      .where('email', '=', bob.email)
      .execute()
    await decide(world, id, 'warn')
    await app.deliver()
    assert.equal((await bob.notifications.list({})).unread, 1)
    const mail = (await mails(bob.email)).at(-1)
    assert.match(mail!.subject, /notice of the moderators/i)
    assert.match(mail!.body, /> Advertising/)
  })

  it('delete for good after thirty days, and not before', async (world) => {
    const { bob, admin, clock, app, db } = world
    const { id } = await reportedPost(world)
    await bob.posts.comment({ id, body: 'More' })
    const { id: actId } = await decide(world, id, 'delete')
    assert.equal((await bob.posts.get({ id })).state, 'removed')
    clock.pass(30 * 86_400 - 60)
    await app.cleanUp()
    assert.equal((await db.selectFrom('post').select('id').where('id', '=', id).execute()).length, 1)
    clock.pass(120)
    await app.cleanUp()
    assert.equal((await db.selectFrom('post').select('id').where('id', '=', id).execute()).length, 0)
    assert.equal((await db.selectFrom('comment').select('id').where('targetId', '=', id).execute()).length, 0)
    await assert.rejects(admin.moderation.undo({ id: actId, reason: 'Late' }), { status: 409 })
    await assertSound(world)
  })

  it('block an account, which appeals by the link in the mail', async (world) => {
    const { bob, anonymous, moderator, app, db, mails } = world
    const { id } = await reportedPost(world)
    await db
      .updateTable('user')
      .set({ emailVerifiedAt: new Date().toISOString() })
      .where('email', '=', bob.email)
      .execute()
    const { id: actId } = await decide(world, id, 'block')
    await app.deliver()
    assert.equal((await anonymous.posts.list({})).total, 0)
    await assert.rejects(bob.moderation.appeal({ id: actId, text: 'No' }))
    const mail = (await mails(bob.email)).at(-1)
    const token = mail!.body.match(/token=(\S+)/)![1]!
    await assert.rejects(anonymous.moderation.appealByLink({ token: `${token}x`, text: 'No' }), { status: 404 })
    await anonymous.moderation.appealByLink({ token, text: 'It was not me' })
    await assert.rejects(anonymous.moderation.appealByLink({ token, text: 'Again' }), { status: 409 })
    const [waiting] = (await moderator.moderation.cases({})).items
    assert.deepEqual([waiting?.target.type, waiting?.appealCount], ['post', 1])
    await moderator.moderation.decideAppeal({ id: actId, granted: true, reason: 'Taken over' })
    await app.deliver()
    assert.equal((await anonymous.posts.list({})).total, 1)
    assert.equal((await moderator.moderation.cases({})).waiting, 0)
    await assertSound(world)
  })

  it('cannot block or remove an admin, except by another one', async (world) => {
    const { alice, admin, moderator } = world
    const { id } = await admin.posts.create({ title: 'P', body: 'B' })
    await alice.reports.create({ targetType: 'post', targetId: id, ...spam })
    const [waiting] = (await moderator.moderation.cases({})).items
    for (const action of ['block', 'remove_all'] as const) {
      const decision = { id: waiting!.id, action, rule: 'spam', reason: 'R' } as const
      await assert.rejects(moderator.moderation.decide(decision), { status: 403 })
    }
    assert.equal((await moderator.moderation.cases({})).waiting, 1)
  })

  it('remove everything of an account in the background, with progress, and bring it back', async (world) => {
    const { alice, bob, anonymous, moderator, app, clock, db } = world
    const { id, caseId } = await reportedPost(world)
    for (let at = 0; at < 4; at++) await bob.bugs.create({ title: `B${at}`, description: 'D', severity: 'low' })
    const { id: own } = await alice.posts.create({ title: 'Mine', body: 'B' })
    await bob.posts.comment({ id: own, body: 'Spam' })
    const { id: actId } = await decide(world, id, 'remove_all')
    assert.equal((await moderator.moderation.case({ id: caseId })).author.removal?.doneAt, null)
    await app.deliver()
    const { removal } = (await moderator.moderation.case({ id: caseId })).author
    assert.deepEqual([removal?.done, removal?.total], [6, 6])
    assert.deepEqual([(await anonymous.bugs.list({})).total, (await anonymous.posts.list({})).total], [0, 1])
    assert.equal((await anonymous.posts.get({ id: own })).commentCount, 0)
    await assertSound(world)
    await moderator.moderation.undo({ id: actId, reason: 'Wrong account' })
    await app.deliver()
    assert.deepEqual([(await anonymous.bugs.list({})).total, (await anonymous.posts.list({})).total], [4, 2])
    assert.equal((await moderator.moderation.case({ id: caseId })).author.removal, null)
    await alice.reports.create({ targetType: 'post', targetId: id, ...spam })
    await decide(world, id, 'remove_all')
    await app.deliver()
    clock.pass(30 * 86_400 + 60)
    await app.cleanUp()
    await app.deliver()
    assert.equal((await db.selectFrom('bug').select('id').execute()).length, 0)
    assert.equal((await db.selectFrom('comment').select('id').execute()).length, 0)
    await assertSound(world)
  })
})

onEveryEngine('Appeals', (it) => {
  it('come into the queue once, and a granted one undoes what was done', async (world) => {
    const { alice, bob, anonymous, moderator, app } = world
    const { id } = await reportedPost(world)
    const { id: actId } = await decide(world, id, 'hide')
    await assert.rejects(alice.moderation.notice({ id: actId }), { status: 404 })
    await assert.rejects(alice.moderation.appeal({ id: actId, text: 'Me' }), { status: 404 })
    await assert.rejects(bob.moderation.appeal({ id: actId, text: '' }), { status: 400 })
    await bob.moderation.appeal({ id: actId, text: 'They are on topic' })
    await assert.rejects(bob.moderation.appeal({ id: actId, text: 'Again' }), { status: 409 })
    const [waiting] = (await moderator.moderation.cases({})).items
    assert.deepEqual([waiting?.appealCount, waiting?.reportCount], [1, 0])
    const [act] = (await moderator.moderation.case({ id: waiting!.id })).acts
    assert.deepEqual([act?.appeal, act?.appealGranted], ['They are on topic', null])
    await assertSound(world)
    await moderator.moderation.decideAppeal({ id: actId, granted: true, reason: 'Right' })
    await assert.rejects(moderator.moderation.decideAppeal({ id: actId, granted: false, reason: 'No' }), {
      status: 409,
    })
    await app.deliver()
    assert.equal((await anonymous.posts.list({})).total, 1)
    const notice = await bob.moderation.notice({ id: actId })
    assert.deepEqual([notice.appealGranted, notice.appealReason], [true, 'Right'])
    assert.equal((await bob.notifications.list({})).items.length, 2)
    assert.equal((await moderator.moderation.cases({})).waiting, 0)
    await assertSound(world)
  })
})

onEveryEngine('The log of moderators', (it) => {
  it('says what was done, and gives no names', async (world) => {
    const { bob, moderator, anonymous } = world
    const { id } = await reportedPost(world)
    const { id: actId } = await decide(world, id, 'hide')
    await bob.moderation.appeal({ id: actId, text: 'No' })
    await moderator.moderation.decideAppeal({ id: actId, granted: false, reason: 'Still' })
    const { id: bug } = await bob.bugs.create({ title: 'B', description: 'D', severity: 'low' })
    await moderator.bugs.delete({ id: bug, reason: 'A copy' })
    await moderator.admin.block({ id: (await bob.account()).id, blocked: true })
    const { items, hasMore } = await anonymous.moderation.log({})
    assert.deepEqual(
      items.map(({ action, targetType, rule, undone, appeal }) => [action, targetType, rule, undone, appeal]),
      [
        ['block', 'user', 'other', false, null],
        ['delete', 'bug', 'other', false, null],
        ['hide', 'post', 'spam', false, 'refused'],
      ],
    )
    assert.equal(hasMore, false)
    assert.doesNotMatch(JSON.stringify(items), /bob|moderator|Watches|Advertising/)
  })
})
