// Moderators do not judge themselves, and undo nothing that an admin did.
import assert from 'node:assert/strict'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'

const reason = 'Advertising'
const refused = { status: 403 }

/** A report of a post of this person; gives the case. */
async function reported({ alice, moderator }: World, author: Person): Promise<string> {
  const { id } = await author.posts.create({ title: 'Watches', body: 'Cheap watches' })
  await alice.reports.create({ targetType: 'post', targetId: id, reason: 'spam' })
  const found = (await moderator.moderation.cases({})).items.find(({ target }) => target.id === id)
  return found!.id
}

const hide = (who: Person, id: string) => who.moderation.decide({ id, action: 'hide', rule: 'spam', reason })

onEveryEngine('a moderator', (it) => {
  it('decides no report of their own thing or profile: it waits for another one', async (world) => {
    const { moderator, admin, alice } = world
    await admin.account()
    const id = await reported(world, moderator)
    for (const action of ['dismiss', 'hide', 'warn', 'approve'] as const)
      await assert.rejects(moderator.moderation.decide({ id, action, rule: 'spam', reason }), refused)
    const { state, waitsFor } = await moderator.moderation.case({ id })
    assert.deepEqual([state, waitsFor], ['open', 'others'])
    assert.equal((await admin.moderation.case({ id })).waitsFor, 'you')
    await hide(admin, id)
    const { id: targetId } = await moderator.account()
    await alice.reports.create({ targetType: 'user', targetId, reason: 'abuse' })
    const [profile] = (await moderator.moderation.cases({})).items
    const given = { id: profile!.id, action: 'dismiss', rule: 'spam', reason } as const
    await assert.rejects(moderator.moderation.decide(given), refused)
    await admin.moderation.decide(given)
  })

  it('hears that nobody else is there who may', async (world) => {
    const { moderator, admin } = world
    const id = await reported(world, moderator)
    await assert.rejects(hide(moderator, id), refused)
    assert.equal((await moderator.moderation.case({ id })).waitsFor, 'nobody')
    await admin.account()
    assert.equal((await moderator.moderation.case({ id })).waitsFor, 'others')
    await hide(admin, id)
  })

  it('undoes no act on their own thing, and decides no appeal of their own', async (world) => {
    const { moderator, admin } = world
    const second = world.person('second')
    await second.account()
    await admin.admin.setRole({ id: (await second.account()).id, role: 'moderator' })
    const id = await reported(world, moderator)
    const { id: act } = await hide(second, id)
    await assert.rejects(moderator.moderation.undo({ id: act, reason }), refused)
    await moderator.moderation.appeal({ id: act, text: 'It was not' })
    const appeal = { id: act, granted: true, reason }
    await assert.rejects(moderator.moderation.decideAppeal(appeal), refused)
    await second.moderation.decideAppeal(appeal)
    assert.ok((await moderator.moderation.notice({ id: act })).undoneAt)
  })

  it('undoes no act of an admin: admins do, and moderators undo those of moderators', async (world) => {
    const { moderator, admin, bob } = world
    await admin.account()
    const { id: act } = await hide(admin, await reported(world, bob))
    await assert.rejects(moderator.moderation.undo({ id: act, reason }), refused)
    await bob.moderation.appeal({ id: act, text: 'It was not' })
    await assert.rejects(moderator.moderation.decideAppeal({ id: act, granted: true, reason }), refused)
    await admin.moderation.decideAppeal({ id: act, granted: true, reason })
    const { id: own } = await hide(moderator, await reported(world, bob))
    const second = world.person('second')
    await admin.admin.setRole({ id: (await second.account()).id, role: 'moderator' })
    await second.moderation.undo({ id: own, reason })
  })
})
