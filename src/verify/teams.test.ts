// Each kind of damage to teams is done behind Guildhall's back, and found by verify.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { complaintsOf } from '../../test/sound.ts'
import { publishFor, SLUG, teamOf } from '../../test/teams.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { teamBounds } from '../library/library.ts'

interface Ids {
  team: string
  item: string
  alice: string
  bob: string
  dave: string
}

const member = (at: number) => ({ id: `member-${at}`, role: 'member', since: 'then', shown: 1 }) as const

const damages: [name: string, damage: (world: World, ids: Ids) => Promise<unknown>, complaint: RegExp][] = [
  [
    'a member without an account',
    ({ db }, { bob }) => sql`update "teamMember" set "accountId" = 'nobody' where "accountId" = ${bob}`.execute(db),
    /^\S+ \(teamMember\) has no account$|published for a team to which its account does not belong$/,
  ],
  [
    'a team without an owner',
    ({ db }) => sql`update "teamMember" set role = 'member'`.execute(db),
    /^\S+ \(team\) has no owner$/,
  ],
  [
    'a team without its slug',
    ({ db }) => sql`delete from slug where kind = 'team'`.execute(db),
    /^\S+ \(team\) does not have its slug$/,
  ],
  [
    'an item of a team that is not there',
    ({ db }) => sql`update "libraryItem" set "teamId" = 'gone' where "teamId" is not null`.execute(db),
    /^\S+ \(libraryItem\) belongs to a team that does not exist$/,
  ],
  [
    'an item of an account that does not belong to its team',
    ({ db }, { bob, team }) =>
      sql`delete from "teamMember" where "accountId" = ${bob} and "teamId" = ${team}`.execute(db),
    /^\S+ \(libraryItem\) was published for a team to which its account does not belong$/,
  ],
  [
    'an item of a team with a maintainer of its own',
    ({ db }, { item, dave }) =>
      db
        .insertInto('membership')
        .values({ itemId: item, accountId: dave, role: 'maintainer', since: 'then' })
        .execute(),
    /^\S+ \(libraryItem\) belongs to a team and has owners or maintainers of its own$/,
  ],
  [
    'a team with too many people',
    async ({ db }, { team }) => {
      const many = Array.from({ length: teamBounds.people }, (_, at) => ({
        ...member(at),
        teamId: team,
        accountId: `a-${at}`,
      }))
      await db.insertInto('teamMember').values(many).execute()
    },
    /^\S+ \(team\) has more than 50 people$|^member-\d+ \(teamMember\) has no account$/,
  ],
  [
    'what the search has of a team',
    ({ db }, { team }) => sql`delete from "searchDocument" where id = ${team}`.execute(db),
    / is not found by what it says$|^The search counts ".*" wrongly$/,
  ],
]

class Undone extends Error {}

onEveryEngine('verification of teams', (it) => {
  it('finds every kind of damage, and nothing where there is none', async (world) => {
    const { bob, db } = world
    const { team, aliceId, bobId, daveId } = await teamOf(world)
    const { id: item } = await publishFor(bob)
    assert.deepEqual(await complaintsOf(world), [])
    for (const [name, damage, complaint] of damages) {
      const complaints: string[] = []
      const done = db.transaction().execute(async (transaction) => {
        await damage({ ...world, db: transaction }, { team: team.id, item, alice: aliceId, bob: bobId, dave: daveId })
        complaints.push(...(await complaintsOf({ ...world, db: transaction })))
        throw new Undone()
      })
      await assert.rejects(done, Undone)
      assert.ok(complaints.length > 0, `${name}: nothing was found`)
      for (const found of complaints) assert.match(found, complaint, name)
    }
  })

  it('counts: as many people, items and teams as there may be are right, and one more is not', async (world) => {
    const { db } = world
    const { team, bobId } = await teamOf(world)
    const told = async (pattern: RegExp) => (await complaintsOf(world)).filter((one) => pattern.test(one)).length
    const others = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => ({
        ...member(from + at),
        teamId: team.id,
        accountId: `a-${from + at}`,
      }))
    await db.insertInto('teamMember').values(others(3, teamBounds.people)).execute()
    assert.equal(await told(/has more than 50 people/), 0)
    await db.insertInto('teamMember').values(others(50, 51)).execute()
    assert.equal(await told(/has more than 50 people/), 1)
    const teams = Array.from({ length: teamBounds.teams }, (_, at) => ({
      ...{ id: `team-${at}`, slug: `team-${at}`, name: 'T', description: '', createdAt: 'then', updatedAt: 'then' },
    }))
    await db.insertInto('team').values(teams).execute()
    const memberships = teams.map(({ id }, at) => ({ ...member(100 + at), teamId: id, accountId: bobId }))
    await db.insertInto('teamMember').values(memberships.slice(1)).execute()
    assert.equal(await told(/belongs to more than 20 teams/), 0)
    await db.insertInto('teamMember').values(memberships.slice(0, 1)).execute()
    assert.equal(await told(/belongs to more than 20 teams/), 1)
  })

  it('says nothing of what is on its way: after a member left, and after the team was deleted', async (world) => {
    const { alice, bob, admin, app, db } = world
    const { bobId } = await teamOf(world)
    await publishFor(bob)
    await alice.teams.remove({ slug: SLUG, accountId: bobId })
    assert.deepEqual(await complaintsOf(world), [])
    await app.deliver()
    assert.deepEqual(await complaintsOf(world), [])
    await admin.teams.delete({ slug: SLUG, reason: 'Abandoned' })
    assert.deepEqual(await complaintsOf(world), [])
    await db.deleteFrom('teamHandover').execute()
    assert.deepEqual(
      (await complaintsOf(world)).filter((one) => /belongs to a team that does not exist$/.test(one)).length,
      1,
    )
  })
})
