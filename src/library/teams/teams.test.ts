// Teams themselves: who makes them, what they are called, and who changes and deletes them.
import assert from 'node:assert/strict'
import { CONFLICT, FORBIDDEN, NOT_FOUND } from '../../../test/owners.ts'
import { known, publishFor, SLUG, teamOf } from '../../../test/teams.ts'
import { type It, onEveryEngine } from '../../../test/world.ts'
import { MAX_SLUGS, MAX_TEAMS } from '../holders/rules.ts'

const INVALID = { status: 400, code: 'invalid_request' }

const making = (it: It) => {
  it('is for members with a verified email', async (world) => {
    const { alice, anonymous, blocked, bob } = world
    const given = { slug: SLUG, name: 'Night shift' }
    await assert.rejects(anonymous.teams.create(given), { status: 401 })
    await assert.rejects(blocked.teams.create(given), { status: 403, code: 'blocked' })
    await assert.rejects(bob.teams.create(given), FORBIDDEN)
    await known(world, alice, 'alice')
    const team = await alice.teams.create({ ...given, slug: ' Night-Shift ' })
    assert.deepEqual([team.slug, team.role, team.member_count, team.item_count], [SLUG, 'owner', 1, 0])
    assert.deepEqual(team.can, { publish: true, edit: true, delete: true, manage: true })
    assert.equal(team.url, 'http://localhost:3000/teams/night-shift')
    const seen = await anonymous.teams.get({ slug: 'NIGHT-SHIFT' })
    assert.deepEqual(
      [seen.id, seen.role, seen.can],
      [team.id, undefined, { publish: false, edit: false, delete: false, manage: false }],
    )
    assert.deepEqual((await alice.teams.mine()).items, [team])
    assert.deepEqual((await bob.teams.mine()).items, [])
  })

  it('takes a slug that no other team has or had, in one form', async (world) => {
    const { alice, bob } = world
    await known(world, alice, 'alice')
    await known(world, bob, 'bobby')
    const named = (slug: string) => ({ slug, name: 'Night shift' })
    await alice.teams.create(named(SLUG))
    for (const slug of [SLUG, SLUG.toUpperCase(), 'admin', 'teams', 'new']) {
      await assert.rejects(bob.teams.create(named(slug)), CONFLICT, slug)
    }
    for (const slug of ['a', 'a'.repeat(41), 'two--hyphens', '-a1', 'a1-', 'a/b', 'ä1', 'a b', '']) {
      await assert.rejects(bob.teams.create(named(slug)), INVALID, slug)
    }
    await assert.rejects(bob.teams.create({ slug: 'fine', name: ' ' }), INVALID)
    await assert.rejects(bob.teams.create({ slug: 'fine', name: 'x'.repeat(61) }), INVALID)
    await assert.rejects(bob.teams.create({ slug: 'fine', name: 'x', description: 'x'.repeat(501) }), INVALID)
    await bob.teams.create({ slug: 'ab', name: 'x'.repeat(60), description: 'x'.repeat(500) })
    await bob.teams.create({ slug: 'a'.repeat(40), name: 'Long' })
  })

  it('of one slug at once succeeds once', async (world) => {
    const { alice, bob } = world
    await known(world, alice, 'alice')
    await known(world, bob, 'bobby')
    const made = await Promise.allSettled([alice, bob, alice].map((one) => one.teams.create({ slug: SLUG, name: 'N' })))
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  it(`is bounded: an account belongs to at most ${MAX_TEAMS} teams, also when it makes many at once`, async (world) => {
    const { alice, bob } = world
    await known(world, alice, 'alice')
    await known(world, bob, 'bobby')
    await bob.teams.create({ slug: SLUG, name: 'Night shift' })
    const calls = Array.from({ length: MAX_TEAMS + 2 }, (_, at) =>
      alice.teams.create({ slug: `team-${at}`, name: 'T' }),
    )
    const made = await Promise.allSettled(calls)
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, MAX_TEAMS)
    for (const one of made) if (one.status === 'rejected') assert.equal(one.reason.status, 409)
    await bob.teams.invite({ slug: SLUG, username: 'alice' })
    await assert.rejects(alice.teams.join({ slug: SLUG }), CONFLICT)
    const [first] = (await alice.teams.mine()).items
    await alice.teams.delete({ slug: first!.slug })
    await alice.teams.join({ slug: SLUG })
    await assert.rejects(alice.teams.create({ slug: 'one-more', name: 'T' }), CONFLICT)
  })
}

const changing = (it: It) => {
  it('is for its owners and for moderators, whose reason is in the audit log', async (world) => {
    const { alice, bob, moderator, admin, anonymous } = world
    const { carol, dave } = await teamOf(world)
    for (const person of [bob, dave]) {
      await assert.rejects(person.teams.update({ slug: SLUG, name: 'Mine' }), FORBIDDEN)
      await assert.rejects(person.teams.delete({ slug: SLUG }), FORBIDDEN)
    }
    await assert.rejects(anonymous.teams.update({ slug: SLUG, name: 'Mine' }), { status: 401 })
    await assert.rejects(anonymous.teams.delete({ slug: SLUG }), { status: 401 })
    await assert.rejects(alice.teams.update({ slug: 'nothing', name: 'Mine' }), NOT_FOUND)
    assert.equal((await carol.teams.update({ slug: SLUG, name: 'Late shift' })).name, 'Late shift')
    const renamed = await moderator.teams.update({ slug: SLUG, new_slug: 'late-shift', reason: 'Rude' })
    assert.deepEqual([renamed.slug, renamed.can.manage, renamed.can.edit], ['late-shift', false, true])
    const { items } = await admin.admin.listAudit({})
    const [last] = items.filter(({ action }) => action === 'team.update')
    assert.deepEqual([last?.reason, last?.detail], ['Rude', { slug: SLUG, to: 'late-shift' }])
  })

  it('leaves every former slug to the team, for ever', async (world) => {
    const { alice, anonymous, carol } = { ...world, ...(await teamOf(world)) }
    await alice.teams.update({ slug: SLUG, new_slug: 'late-shift' })
    for (const slug of [SLUG, 'late-shift']) {
      assert.equal((await anonymous.teams.get({ slug })).slug, 'late-shift')
    }
    await known(world, carol, 'carol')
    await assert.rejects(carol.teams.create({ slug: SLUG, name: 'Other' }), CONFLICT)
    await carol.teams.create({ slug: 'other', name: 'Other' })
    await assert.rejects(carol.teams.update({ slug: 'other', new_slug: SLUG }), CONFLICT)
    await assert.rejects(carol.teams.update({ slug: 'other', new_slug: 'admin' }), CONFLICT)
    assert.equal((await alice.teams.update({ slug: 'late-shift', new_slug: SLUG })).slug, SLUG)
    await alice.teams.update({ slug: SLUG, new_slug: SLUG })
    for (let at = 2; at < MAX_SLUGS; at++) await alice.teams.update({ slug: SLUG, new_slug: `name-${at}` })
    await assert.rejects(alice.teams.update({ slug: SLUG, new_slug: 'one-more' }), CONFLICT)
  })

  it('deletes a team without items, whose slugs stay taken', async (world) => {
    const { alice, anonymous, db } = world
    const { carol } = await teamOf(world)
    await alice.teams.update({ slug: SLUG, new_slug: 'late-shift' })
    const { id } = await publishFor(alice)
    await assert.rejects(carol.teams.delete({ slug: SLUG }), CONFLICT)
    await alice.library.delete({ id })
    await alice.teams.invite({ slug: SLUG, username: 'dave' })
    assert.equal((await carol.teams.delete({ slug: SLUG })).deleted, true)
    for (const slug of [SLUG, 'late-shift']) {
      await assert.rejects(anonymous.teams.get({ slug }), NOT_FOUND)
      await assert.rejects(alice.teams.create({ slug, name: 'Again' }), CONFLICT)
    }
    assert.deepEqual(await db.selectFrom('teamMember').selectAll().execute(), [])
    assert.deepEqual(await db.selectFrom('invitation').selectAll().execute(), [])
  })

  it('and a publication for it at once: either there is a team with an item, or neither', async (world) => {
    const { alice, bob } = world
    await teamOf(world)
    const [published, deleted] = await Promise.allSettled([publishFor(bob), alice.teams.delete({ slug: SLUG })])
    assert.notEqual(published.status, deleted.status)
    if (published.status === 'fulfilled') assert.equal((await alice.teams.get({ slug: SLUG })).item_count, 1)
    else assert.equal((await bob.library.list({ scope: 'mine' })).total, 0)
  })
}

onEveryEngine('making a team', making)
onEveryEngine('changing a team', changing)
onEveryEngine(
  'the budget of teams',
  (it) => {
    it('is five an hour', async (world) => {
      const { alice } = world
      await known(world, alice, 'alice')
      for (let at = 0; at < 5; at++) await alice.teams.create({ slug: `team-${at}`, name: 'T' })
      await assert.rejects(alice.teams.create({ slug: 'one-more', name: 'T' }), { status: 429 })
    })
  },
  { RATE_LIMITS: 'on' },
)
