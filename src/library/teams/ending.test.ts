// What becomes of teams and their items when accounts leave, are blocked or erased, and when moderators act.
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { erase, signInAgain } from '../../../test/erasure.ts'
import { CONFLICT, NOT_FOUND, newVersion, publish } from '../../../test/owners.ts'
import { joinTeam, known, peopleIn, publishFor, SLUG, teamOf } from '../../../test/teams.ts'
import { type It, onEveryEngine, type World } from '../../../test/world.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import { BATCH } from './leaving.ts'

const bytesOf = async ({ db }: World, accountId: string) =>
  (await db.selectFrom('storedBytes').select('bytes').where('accountId', '=', accountId).executeTakeFirst())?.bytes ?? 0

const leaving = (it: It) => {
  it('hands what the account published for it to the owner of longest standing, with the bytes', async (world) => {
    const { alice, bob, app } = world
    const { bobId, aliceId } = await teamOf(world)
    const { id, size } = await publishFor(bob)
    const secret = await publishFor(bob, SLUG, 'private', 'Secret')
    const own = await publish(bob, 'public', 'Own')
    await alice.teams.remove({ slug: SLUG, accountId: bobId })
    await assert.rejects(bob.library.get({ id: secret.id }), NOT_FOUND)
    await assert.rejects(newVersion(bob, id), { status: 403 })
    await app.deliver()
    assert.equal((await alice.library.get({ id })).owner.id, aliceId)
    assert.deepEqual([await bytesOf(world, aliceId), await bytesOf(world, bobId)], [size + secret.size, own.size])
    assert.equal((await bob.library.list({ scope: 'mine' })).total, 1)
    assert.equal((await alice.library.list({ scope: 'mine' })).total, 2)
    assert.equal((await alice.library.get({ id })).team?.slug, SLUG)
  })

  it('leaves an account that joins again what it published', async (world) => {
    const { alice, bob, app } = world
    const { bobId } = await teamOf(world)
    const { id } = await publishFor(bob)
    await bob.teams.remove({ slug: SLUG, accountId: bobId })
    await joinTeam(alice, { slug: SLUG, username: 'bobby' }, bob)
    await app.deliver()
    assert.equal((await alice.library.get({ id })).owner.id, bobId)
  })

  it('comes to an end where an account that joins again has as many items as are looked at in one batch', async (world) => {
    const { alice, bob, app, clock } = world
    const { bobId } = await teamOf(world)
    for (let n = 0; n < BATCH; n++) {
      await publishFor(bob, SLUG, 'public', `Digest ${n}`)
      // So many uploads an hour.
      if (n % 25 === 24) clock.pass(3_601)
    }
    await bob.teams.remove({ slug: SLUG, accountId: bobId })
    await joinTeam(alice, { slug: SLUG, username: 'bobby' }, bob)
    const late = setTimeout(60_000, undefined, { ref: false }).then(() => assert.fail('it goes on and on'))
    await Promise.race([app.deliver(), late])
    assert.deepEqual(await world.db.selectFrom('teamHandover').selectAll().execute(), [])
  })

  it('by two processes at once gives every item on once', async (world) => {
    const { alice, bob, app } = world
    const { bobId, aliceId } = await teamOf(world)
    const items = await Promise.all([1, 2, 3].map((at) => publishFor(bob, SLUG, 'public', `Digest ${at}`)))
    await bob.teams.remove({ slug: SLUG, accountId: bobId })
    await Promise.all([app.deliver(), app.deliver()])
    for (const { id } of items) assert.equal((await alice.library.get({ id })).owner.id, aliceId)
    assert.equal(await bytesOf(world, bobId), 0)
  })
}

const blocking = (it: It) => {
  it('ends what the account is in a team, whose items stay', async (world) => {
    const { alice, bob, admin, app, anonymous } = world
    const { bobId, aliceId } = await teamOf(world)
    const { id } = await publishFor(bob)
    const own = await publish(bob, 'public', 'Own')
    await admin.admin.block({ id: bobId, blocked: true })
    assert.deepEqual(await peopleIn(anonymous), ['alice owner', 'carol owner'])
    await app.deliver()
    const item = await anonymous.library.get({ id })
    assert.deepEqual([item.owner.id, item.team?.slug], [aliceId, SLUG])
    await assert.rejects(anonymous.library.get({ id: own.id }), NOT_FOUND)
    await newVersion(alice, id)
    await admin.admin.block({ id: bobId, blocked: false })
    await app.deliver()
    assert.equal((await anonymous.library.get({ id: own.id })).id, own.id)
    assert.deepEqual(await peopleIn(anonymous), ['alice owner', 'carol owner'])
  })

  it('of the only owner makes the member of longest standing one', async (world) => {
    const { bob, admin, app, anonymous } = world
    const { aliceId, carolId, carol } = await teamOf(world)
    await carol.teams.setRole({ slug: SLUG, accountId: carolId, role: 'member' })
    await admin.admin.block({ id: aliceId, blocked: true })
    await app.deliver()
    assert.deepEqual(await peopleIn(anonymous), ['bobby owner', 'carol member'])
    assert.equal((await bob.teams.get({ slug: SLUG })).can.manage, true)
  })

  it('of the only one hides team and items, and the end of the block shows them', async (world) => {
    const { alice, admin, app, anonymous } = world
    const aliceId = await known(world, alice, 'alice')
    await alice.teams.create({ slug: SLUG, name: 'Night shift' })
    const { id } = await publishFor(alice)
    await admin.admin.block({ id: aliceId, blocked: true })
    await app.deliver()
    await assert.rejects(anonymous.teams.get({ slug: SLUG }), NOT_FOUND)
    await assert.rejects(anonymous.library.get({ id }), NOT_FOUND)
    await admin.admin.block({ id: aliceId, blocked: false })
    await app.deliver()
    assert.deepEqual(await peopleIn(anonymous), ['alice owner'])
    assert.equal((await anonymous.library.get({ id })).team?.slug, SLUG)
  })
}

const erasing = (it: It) => {
  it('gives items on, and makes the member of longest standing the owner', async (world) => {
    const { alice, bob, anonymous } = world
    const { carol, carolId, bobId } = await teamOf(world)
    const item = await publishFor(alice)
    const secret = await publishFor(alice, SLUG, 'private', 'Secret')
    await carol.teams.setRole({ slug: SLUG, accountId: carolId, role: 'member' })
    await erase(world, alice, 'delete')
    assert.deepEqual(await peopleIn(anonymous), ['bobby owner', 'carol member'])
    const { owner, team } = await anonymous.library.get({ id: item.id })
    assert.deepEqual([owner.id, team?.slug], [bobId, SLUG])
    await signInAgain(bob)
    assert.equal((await bob.library.get({ id: secret.id })).can.manage, true)
  })

  it('of the only one ends the team; its items have the rule of those of single accounts', async (world) => {
    const { alice, bob, anonymous, db } = world
    const aliceId = await known(world, alice, 'alice')
    await alice.teams.create({ slug: SLUG, name: 'Night shift' })
    const { id } = await publishFor(alice)
    const secret = await publishFor(alice, SLUG, 'private', 'Secret')
    await erase(world, alice)
    await assert.rejects(anonymous.teams.get({ slug: SLUG }), NOT_FOUND)
    const { owner, team } = await anonymous.library.get({ id })
    assert.deepEqual([owner.id, team], [DELETED_USER, undefined])
    assert.deepEqual(await db.selectFrom('libraryItem').select('id').where('id', '=', secret.id).execute(), [])
    assert.equal(await bytesOf(world, aliceId), 0)
    await known(world, bob, 'bobby')
    await assert.rejects(bob.teams.create({ slug: SLUG, name: 'Mine' }), CONFLICT)
    await world.app.deliver()
    assert.deepEqual(await db.selectFrom('teamHandover').selectAll().execute(), [])
  })

  it('leaves an export with the teams, roles and invitations of the account before', async (world) => {
    const { alice, app } = world
    const { strFromU8, unzipSync } = await import('fflate')
    const { team, dave } = await teamOf(world)
    await known(world, dave, 'dave')
    await dave.teams.create({ slug: 'day-shift', name: 'Day shift' })
    await dave.teams.invite({ slug: 'day-shift', username: 'alice' })
    const { id } = await alice.dataExports.request()
    await app.work()
    const archive = unzipSync(new Uint8Array(await (await alice.dataExports.download({ id })).arrayBuffer()))
    const json = (name: string) => JSON.parse(strFromU8(archive[`${name}.json`]!)) as Record<string, unknown>[]
    const [own] = json('teams')
    assert.deepEqual(
      [own?.['teamId'], own?.['slug'], own?.['name'], own?.['role']],
      [team.id, SLUG, 'Night shift', 'owner'],
    )
    assert.equal(json('invitations')[0]?.['role'], 'member')
  })
}

const moderation = (it: It) => {
  it('deletes a team with its items left to who published them, and tells its owner', async (world) => {
    const { alice, bob, moderator, anonymous, app, admin } = world
    const { bobId, team } = await teamOf(world)
    const { id } = await publishFor(bob)
    await moderator.teams.delete({ slug: SLUG, reason: 'Rude' })
    await assert.rejects(anonymous.teams.get({ slug: SLUG }), NOT_FOUND)
    await app.deliver()
    const item = await bob.library.get({ id })
    assert.deepEqual([item.owner.id, item.team, item.can.manage], [bobId, undefined, true])
    assert.equal((await alice.library.get({ id })).can.edit, false)
    await app.deliver()
    const notice = (await alice.notifications.list({})).items.find(({ type }) => type === 'notice')
    assert.deepEqual([notice?.notice?.action, notice?.excerpt], ['delete', 'Rude'])
    const { items } = await admin.admin.listAudit({})
    const [entry] = items.filter(({ targetId }) => targetId === team.id)
    assert.deepEqual([entry?.action, entry?.reason], ['team.delete', 'Rude'])
  })

  it('hides a team that was reported: its people and moderators see it', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const { dave, team, carol } = await teamOf(world)
    const { id } = await publishFor(bob)
    await assert.rejects(alice.reports.create({ targetType: 'team', targetId: team.id, reason: 'abuse' }), {
      status: 409,
    })
    await dave.reports.create({ targetType: 'team', targetId: team.id, reason: 'abuse' })
    const { items } = await moderator.moderation.cases({})
    const found = items.find(({ target }) => target.id === team.id)
    assert.deepEqual([found?.target.type, found?.target.url], ['team', `/teams/${SLUG}`])
    const act = await moderator.moderation.decide({ id: found!.id, action: 'hide', rule: 'abuse', reason: 'Rude name' })
    for (const person of [anonymous, dave]) {
      await assert.rejects(person.teams.get({ slug: SLUG }), NOT_FOUND)
      await assert.rejects(person.teams.members({ slug: SLUG }), NOT_FOUND)
      assert.equal((await person.library.get({ id })).team, undefined)
      assert.equal((await person.library.list({ team: SLUG })).total, 0)
    }
    for (const person of [alice, bob, carol, moderator]) {
      assert.equal((await person.teams.get({ slug: SLUG })).state, 'hidden')
    }
    await moderator.moderation.undo({ id: act.id, reason: 'Not so rude' })
    assert.equal((await anonymous.teams.get({ slug: SLUG })).state, undefined)
  })
}

onEveryEngine('leaving a team', leaving)
onEveryEngine('the block of an account in a team', blocking)
onEveryEngine('the erasure of an account in a team', erasing)
onEveryEngine('moderation of a team', moderation)
