// What the tests of teams share: members with a verified email, and teams with several people.
import { workflowFile } from './library.ts'
import { named } from './owners.ts'
import type { Person, World } from './world.ts'

/** Makes the email of a person verified, who has a username then; gives the id of the account. */
export async function known({ code }: Pick<World, 'code'>, person: Person, username: string): Promise<string> {
  const id = await named(person, username)
  await person.accounts.verifyEmail({ code: await code(person.email) })
  return id
}

export const joinTeam = async (
  owner: Person,
  { slug, username, role = 'member' }: { slug: string; username: string; role?: 'owner' | 'member' },
  person: Person,
) => {
  await owner.teams.invite({ slug, username, role })
  return person.teams.join({ slug })
}

export const SLUG = 'night-shift'

/** A team of alice with bob as a member and carol as another owner; dave does not belong to it. */
export async function teamOf(world: World) {
  const { alice, bob } = world
  const [carol, dave] = [world.person('carol'), world.person('dave')]
  const aliceId = await known(world, alice, 'alice')
  const [bobId, carolId, daveId] = [await named(bob, 'bobby'), await named(carol, 'carol'), await named(dave, 'dave')]
  const team = await alice.teams.create({ slug: SLUG, name: 'Night shift', description: 'We work at night.' })
  await joinTeam(alice, { slug: SLUG, username: 'bobby' }, bob)
  await joinTeam(alice, { slug: SLUG, username: 'carol', role: 'owner' }, carol)
  return { team, carol, dave, aliceId, bobId, carolId, daveId }
}

/** Publishes a workflow into a team. */
export const publishFor = (by: Person, team = SLUG, visibility: 'public' | 'private' = 'public', name = 'Digest') =>
  by.library.publish({ kind: 'workflow', visibility, team, file: workflowFile({ name }) })

export const peopleIn = async (by: Person, slug = SLUG) =>
  (await by.teams.members({ slug })).items.map(({ account, role }) => `${account.username} ${role}`)
