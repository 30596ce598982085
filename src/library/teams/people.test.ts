// The people of a team: invitations, roles, and leaving.
import assert from 'node:assert/strict'
import { CONFLICT, FORBIDDEN, NOT_FOUND, named } from '../../../test/owners.ts'
import { joinTeam, peopleIn, publishFor, SLUG, teamOf } from '../../../test/teams.ts'
import { type It, onEveryEngine } from '../../../test/world.ts'
import { MAX_PEOPLE } from '../holders/owner-rules.ts'

const people = (it: It) => {
  it('are public, with their role and since when; invitations are for owners', async (world) => {
    const { anonymous, bob, alice } = world
    const { dave } = await teamOf(world)
    const invitation = await alice.teams.invite({ slug: SLUG, username: 'dave' })
    const { items, invitations } = await anonymous.teams.members({ slug: SLUG })
    assert.deepEqual(
      items.map(({ account: { username }, role }) => [username, role]),
      [
        ['alice', 'owner'],
        ['bobby', 'member'],
        ['carol', 'owner'],
      ],
    )
    assert.ok(items.every(({ since }) => since <= new Date().toISOString()))
    assert.equal(invitations, undefined)
    for (const person of [bob, dave]) assert.equal((await person.teams.members({ slug: SLUG })).invitations, undefined)
    assert.deepEqual((await alice.teams.members({ slug: SLUG })).invitations, [invitation])
  })

  it('are managed by owners alone: not by members, others, moderators and admins', async (world) => {
    const { bob, moderator, admin, anonymous, blocked, alice } = world
    const { dave, carolId, bobId, carol } = await teamOf(world)
    const calls = (person: typeof bob) => [
      () => person.teams.invite({ slug: SLUG, username: 'dave' }),
      () => person.teams.setRole({ slug: SLUG, accountId: carolId, role: 'member' }),
      () => person.teams.remove({ slug: SLUG, accountId: carolId }),
    ]
    for (const person of [bob, dave, moderator, admin]) {
      for (const call of calls(person)) await assert.rejects(call(), FORBIDDEN)
    }
    for (const call of calls(anonymous)) await assert.rejects(call(), { status: 401 })
    for (const call of calls(blocked)) await assert.rejects(call(), { status: 403, code: 'blocked' })
    await assert.rejects(alice.teams.invite({ slug: SLUG, username: 'nobody-here' }), NOT_FOUND)
    await assert.rejects(alice.teams.invite({ slug: SLUG, username: 'bobby' }), CONFLICT)
    await assert.rejects(alice.teams.invite({ slug: SLUG, username: 'alice' }), CONFLICT)
    await assert.rejects(alice.teams.invite({ slug: 'nothing', username: 'dave' }), NOT_FOUND)
    await assert.rejects(alice.teams.remove({ slug: SLUG, accountId: 'nobody' }), NOT_FOUND)
    await assert.rejects(alice.teams.setRole({ slug: SLUG, accountId: 'nobody', role: 'owner' }), NOT_FOUND)
    assert.equal((await carol.teams.setRole({ slug: SLUG, accountId: bobId, role: 'owner' })).role, 'owner')
    await bob.teams.remove({ slug: SLUG, accountId: carolId })
    assert.deepEqual(await peopleIn(anonymous), ['alice owner', 'bobby owner'])
  })

  it('leave as they like, but for the last owner', async (world) => {
    const { alice, bob, anonymous } = world
    const { carol, aliceId, bobId, carolId } = await teamOf(world)
    await carol.teams.remove({ slug: SLUG, accountId: carolId })
    await assert.rejects(alice.teams.remove({ slug: SLUG, accountId: aliceId }), CONFLICT)
    await assert.rejects(alice.teams.setRole({ slug: SLUG, accountId: aliceId, role: 'member' }), CONFLICT)
    await bob.teams.remove({ slug: SLUG, accountId: bobId })
    await assert.rejects(bob.teams.remove({ slug: SLUG, accountId: bobId }), NOT_FOUND)
    await assert.rejects(alice.teams.remove({ slug: SLUG, accountId: aliceId }), CONFLICT)
    assert.deepEqual(await peopleIn(anonymous), ['alice owner'])
  })

  it('keep an owner, when the last two leave or step down at once', async (world) => {
    const { alice, anonymous } = world
    const { carol, aliceId, carolId } = await teamOf(world)
    const left = await Promise.allSettled([
      alice.teams.remove({ slug: SLUG, accountId: aliceId }),
      carol.teams.setRole({ slug: SLUG, accountId: carolId, role: 'member' }),
      carol.teams.remove({ slug: SLUG, accountId: carolId }),
    ])
    assert.ok(left.some(({ status }) => status === 'fulfilled'))
    assert.equal((await peopleIn(anonymous)).filter((one) => one.endsWith('owner')).length, 1)
  })

  it('who are removed are told, and publish before that or not at all', async (world) => {
    const { alice, bob, app } = world
    const { bobId } = await teamOf(world)
    const [published] = await Promise.allSettled([
      publishFor(bob),
      alice.teams.remove({ slug: SLUG, accountId: bobId }),
    ])
    const { item_count } = await alice.teams.get({ slug: SLUG })
    assert.equal(item_count, published.status === 'fulfilled' ? 1 : 0)
    await assert.rejects(publishFor(bob), FORBIDDEN)
    await app.deliver()
    const told = (await bob.notifications.list({})).items[0]!
    assert.deepEqual([told.type, told.url, told.invitation?.state], ['invitation', `/teams/${SLUG}`, 'removed'])
  })
}

const invitations = (it: It) => {
  it('wait for the account, which hears of them and can decline', async (world) => {
    const { alice, app } = world
    const { dave, daveId } = await teamOf(world)
    await dave.accounts.verifyEmail({ code: await world.code(dave.email) })
    const invitation = await alice.teams.invite({ slug: SLUG, username: 'DAVE' })
    assert.deepEqual(
      [invitation.account?.id, invitation.team, invitation.role, invitation.item],
      [daveId, { slug: SLUG, name: 'Night shift' }, 'member', undefined],
    )
    assert.deepEqual((await dave.library.invitations()).items, [invitation])
    const { pending } = await dave.news.list({})
    assert.deepEqual(
      pending.map(({ type, title, by }) => [type, title, by]),
      [['invitation', 'Night shift', 'alice']],
    )
    await app.deliver()
    const told = (await dave.notifications.list({})).items[0]!
    assert.deepEqual([told.type, told.target.title, told.url], ['invitation', 'Night shift', '/library/invitations'])
    assert.equal((await world.mails(dave.email)).at(-1)?.subject, 'alice invites you to join: "Night shift"')
    await assert.rejects(dave.library.acceptInvitation({ id: invitation.id }), CONFLICT)
    await dave.library.endInvitation({ id: invitation.id })
    await app.deliver()
    assert.deepEqual((await dave.notifications.list({})).items, [])
    await assert.rejects(dave.teams.join({ slug: SLUG }), NOT_FOUND)
    await joinTeam(alice, { slug: SLUG, username: 'dave' }, dave)
    await app.deliver()
    const [accepted] = (await alice.notifications.list({})).items
    assert.deepEqual([accepted?.invitation?.state, accepted?.url], ['accepted', `/teams/${SLUG}`])
  })

  it('are for their account alone, and withdrawn by owners alone', async (world) => {
    const { alice, bob, moderator, admin, anonymous } = world
    const { dave, carol } = await teamOf(world)
    const { id } = await alice.teams.invite({ slug: SLUG, username: 'dave' })
    await assert.rejects(carol.teams.invite({ slug: SLUG, username: 'dave', role: 'owner' }), CONFLICT)
    for (const person of [bob, moderator, admin, alice]) {
      await assert.rejects(person.teams.join({ slug: SLUG }), NOT_FOUND)
    }
    for (const person of [bob, moderator, admin]) await assert.rejects(person.library.endInvitation({ id }), NOT_FOUND)
    await assert.rejects(anonymous.teams.join({ slug: SLUG }), { status: 401 })
    await carol.library.endInvitation({ id })
    await assert.rejects(dave.teams.join({ slug: SLUG }), NOT_FOUND)
  })

  it('are accepted once, and made once, also at once', async (world) => {
    const { alice, anonymous } = world
    const { dave, carol } = await teamOf(world)
    const sent = await Promise.allSettled(
      [alice, carol, alice].map((one) => one.teams.invite({ slug: SLUG, username: 'dave' })),
    )
    assert.equal(sent.filter(({ status }) => status === 'fulfilled').length, 1)
    const joined = await Promise.allSettled([0, 1, 2].map(() => dave.teams.join({ slug: SLUG })))
    assert.equal(joined.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await peopleIn(anonymous)).length, 4)
  })

  it('end after seven days, and with the role of who sent them', async (world) => {
    const { alice, clock, app, db } = world
    const { dave, carol, carolId } = await teamOf(world)
    await carol.teams.invite({ slug: SLUG, username: 'dave' })
    await alice.teams.setRole({ slug: SLUG, accountId: carolId, role: 'member' })
    await assert.rejects(dave.teams.join({ slug: SLUG }), NOT_FOUND)
    await alice.teams.setRole({ slug: SLUG, accountId: carolId, role: 'owner' })
    await carol.teams.invite({ slug: SLUG, username: 'dave' })
    await alice.teams.remove({ slug: SLUG, accountId: carolId })
    await assert.rejects(dave.teams.join({ slug: SLUG }), NOT_FOUND)
    await alice.teams.invite({ slug: SLUG, username: 'dave' })
    clock.pass(7 * 86_400 - 60)
    assert.equal((await dave.library.invitations()).items.length, 1)
    clock.pass(61)
    assert.deepEqual((await dave.library.invitations()).items, [])
    await assert.rejects(dave.teams.join({ slug: SLUG }), NOT_FOUND)
    await app.cleanUp()
    assert.deepEqual(await db.selectFrom('invitation').selectAll().execute(), [])
  })

  it(`are at most so many that a team has ${MAX_PEOPLE} people`, async (world) => {
    const { alice, db } = world
    const { team } = await teamOf(world)
    const more = Array.from({ length: MAX_PEOPLE - 4 }, (_, at) => ({
      ...{ id: `member-${at}`, teamId: team.id, accountId: `person-${at}` },
      ...({ role: 'member', since: 'then', shown: 1 } as const),
    }))
    await db.insertInto('teamMember').values(more).execute()
    await named(world.person('erin'), 'erin')
    await alice.teams.invite({ slug: SLUG, username: 'dave' })
    await assert.rejects(alice.teams.invite({ slug: SLUG, username: 'erin' }), CONFLICT)
  })

  it('and what becomes of the people is in the audit log', async (world) => {
    const { alice, admin } = world
    const { team, bobId, carolId, dave } = await teamOf(world)
    await alice.teams.setRole({ slug: SLUG, accountId: bobId, role: 'owner' })
    await alice.teams.remove({ slug: SLUG, accountId: carolId })
    await joinTeam(alice, { slug: SLUG, username: 'dave' }, dave)
    const { items } = await admin.admin.listAudit({})
    const actions = items.filter(({ targetId }) => targetId === team.id).map(({ action }) => action)
    const invited = ['team.join', 'team.invite']
    assert.deepEqual(actions, [...invited, 'team.remove', 'team.change_role', ...invited, ...invited, 'team.create'])
  })
}

onEveryEngine('the people of a team', people)
onEveryEngine('invitations to a team', invitations)
