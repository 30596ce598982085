// What the tests of owners share: errors, and items with several people.
import { workflowFile } from './library.ts'
import type { Person, World } from './world.ts'

export const NOT_FOUND = { status: 404, code: 'not_found' }
export const FORBIDDEN = { status: 403, code: 'forbidden' }
export const CONFLICT = { status: 409, code: 'conflict' }

export const named = async (person: Person, username: string) => {
  await person.profile.setUsername({ username })
  return (await person.account()).id
}

export const publish = (by: Person, visibility: 'public' | 'private' = 'public', name = 'Digest') =>
  by.library.publish({ kind: 'workflow', visibility, file: workflowFile({ name }) })

export const newVersion = (by: Person, id: string, version?: string) =>
  by.library.publishVersion({ id, file: workflowFile({ name: 'Digest' }), ...(version && { version }) })

/** Makes a member one of the people of an item. */
export async function join(owner: Person, id: string, member: Person, username: string, role: 'owner' | 'maintainer') {
  const invitation = await owner.library.addMaintainer({ id, username, role })
  await member.library.acceptInvitation({ id: invitation.id })
}

/** An item of alice with bob as its maintainer and carol as another owner. */
export async function shared(world: World, visibility: 'public' | 'private' = 'public') {
  const { alice, bob } = world
  const carol = world.person('carol')
  const [, bobId, carolId] = [await named(alice, 'alice'), await named(bob, 'bobby'), await named(carol, 'carol')]
  const item = await publish(alice, visibility)
  await join(alice, item.id, bob, 'bobby', 'maintainer')
  await join(alice, item.id, carol, 'carol', 'owner')
  return { item, carol, bobId, carolId, aliceId: (await alice.account()).id }
}

export const peopleOf = async (by: Person, id: string) =>
  (await by.library.maintainers({ id })).items.map(({ account, role }) => `${account.username} ${role}`)
