// Where teams are found: the search, the list of all, and the profiles of members that show them.
import assert from 'node:assert/strict'
import { NOT_FOUND } from '../../../test/owners.ts'
import { joinTeam, known, publishFor, SLUG, teamOf } from '../../../test/teams.ts'
import { type It, onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { hiddenBy } from '../../content/hiding/rules.ts'
import { teamHiding } from './hiding.ts'

const found = async ({ anonymous }: World, q: string) =>
  (await anonymous.search.find({ q, type: 'team' })).items.map(({ url }) => url)

const onProfile = async (by: Person, username: string) =>
  (await by.teams.list({ username })).items.map(({ slug }) => slug)

const hide = ({ db, dependencies }: World, id: string, hidden: number) =>
  db.transaction().execute(async (transaction) => {
    await teamHiding.setHidden(transaction, id, { hidden, now: new Date(dependencies.clock.now()).toISOString() })
  })

const searched = (it: It) => {
  it('finds a team by its name, slug and description, as it is now', async (world) => {
    const { alice, anonymous } = world
    await teamOf(world)
    for (const q of ['night shift', 'night-shift', 'work at night'])
      assert.deepEqual(await found(world, q), ['/teams/night-shift'])
    const { items } = await anonymous.search.find({ q: 'night shift' })
    const hit = items.find(({ type }) => type === 'team')
    assert.deepEqual([hit?.title.map(({ text }) => text).join(''), hit?.authorUsername], ['Night shift', null])
    await alice.teams.update({ slug: SLUG, new_slug: 'early-birds', name: 'Early birds', description: '' })
    assert.deepEqual(await found(world, 'early birds'), ['/teams/early-birds'])
    assert.deepEqual(await found(world, 'work at night'), [])
    await alice.teams.delete({ slug: 'early-birds' })
    assert.deepEqual(await found(world, 'early birds'), [])
  })

  it('does not find one that is hidden, until it is shown again', async (world) => {
    const { team } = await teamOf(world)
    await hide(world, team.id, hiddenBy.moderator)
    assert.deepEqual(await found(world, 'night shift'), [])
    await hide(world, team.id, 0)
    assert.deepEqual(await found(world, 'night shift'), ['/teams/night-shift'])
  })

  it('does not find a team whose only member is blocked, until that ends', async (world) => {
    const { alice, admin, app } = world
    const id = await known(world, alice, 'alice')
    await alice.teams.create({ slug: SLUG, name: 'Night shift' })
    await admin.admin.block({ id, blocked: true, reason: 'Spam' })
    await app.deliver()
    assert.deepEqual(await found(world, 'night shift'), [])
    await admin.admin.block({ id, blocked: false, reason: 'A mistake' })
    await app.deliver()
    assert.deepEqual(await found(world, 'night shift'), ['/teams/night-shift'])
  })
}

const listed = (it: It) => {
  it('has every team that everybody sees, newest first, in pages', async (world) => {
    const { alice, anonymous } = world
    const { team, bobId } = await teamOf(world)
    await publishFor(alice)
    await publishFor(alice, SLUG, 'private')
    await alice.teams.create({ slug: 'day-shift', name: 'Day shift' })
    const all = await anonymous.teams.list({})
    assert.deepEqual(
      all.items.map(({ slug, item_count, role }) => [slug, item_count, role]),
      [
        ['day-shift', 0, undefined],
        [SLUG, 1, undefined],
      ],
    )
    assert.equal(all.hasMore, false)
    const own = (await alice.teams.list({})).items[1]
    assert.deepEqual([own?.role, own?.item_count, own?.shown], ['owner', 2, true])
    const first = await anonymous.teams.list({ per_page: 1 })
    assert.deepEqual([first.items[0]?.slug, first.hasMore], ['day-shift', true])
    const second = await anonymous.teams.list({ per_page: 1, page: 1 })
    assert.deepEqual([second.items[0]?.slug, second.hasMore], [SLUG, false])
    await hide(world, team.id, hiddenBy.moderator)
    assert.deepEqual(
      (await anonymous.teams.list({})).items.map(({ slug }) => slug),
      ['day-shift'],
    )
    assert.ok(bobId)
  })
}

const shownOnProfiles = (it: It) => {
  it('are those that the member shows, until it says otherwise', async (world) => {
    const { alice, bob, anonymous } = world
    const { team, dave } = await teamOf(world)
    await alice.teams.create({ slug: 'day-shift', name: 'Day shift' })
    assert.deepEqual(await onProfile(anonymous, 'ALICE'), ['day-shift', SLUG])
    assert.deepEqual(await onProfile(anonymous, 'bobby'), [SLUG])
    assert.deepEqual(await onProfile(anonymous, 'dave'), [])
    assert.deepEqual(await bob.teams.setShown({ slug: SLUG, shown: false }), { shown: false })
    assert.deepEqual(await onProfile(bob, 'bobby'), [])
    assert.deepEqual(await onProfile(anonymous, 'alice'), ['day-shift', SLUG])
    assert.deepEqual(
      [(await bob.teams.get({ slug: SLUG })).shown, (await bob.teams.mine()).items[0]?.shown],
      [false, false],
    )
    assert.equal((await anonymous.teams.members({ slug: SLUG })).items.length, 3)
    await bob.teams.setShown({ slug: SLUG, shown: true })
    assert.deepEqual(await onProfile(anonymous, 'bobby'), [SLUG])
    await hide(world, team.id, hiddenBy.moderator)
    assert.deepEqual(await onProfile(bob, 'bobby'), [])
    await hide(world, team.id, 0)
    await assert.rejects(dave.teams.setShown({ slug: SLUG, shown: false }), NOT_FOUND)
    await assert.rejects(anonymous.teams.setShown({ slug: SLUG, shown: false }), { status: 401 })
    await joinTeam(alice, { slug: SLUG, username: 'dave' }, dave)
    assert.deepEqual(await onProfile(anonymous, 'dave'), [SLUG])
  })

  it('are none of a blocked member and of a name that is none', async (world) => {
    const { admin, anonymous } = world
    const { bobId } = await teamOf(world)
    await assert.rejects(onProfile(anonymous, 'not-there'), NOT_FOUND)
    await admin.admin.block({ id: bobId, blocked: true, reason: 'Spam' })
    await assert.rejects(onProfile(anonymous, 'bobby'), NOT_FOUND)
  })
}

onEveryEngine('the search for teams', searched)
onEveryEngine('the list of teams', listed)
onEveryEngine('teams on profiles', shownOnProfiles)
