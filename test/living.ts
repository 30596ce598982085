// A world in which there is something of everything, for tests of what holds for all that is stored.
import { orgFile, workflowFile } from './library.ts'
import { tinyPng } from './pictures.ts'
import type { World } from './world.ts'

/** Everything that members, moderators and admins commonly do, once; resolves with some ids. */
export async function live({ alice, bob, moderator, admin }: World) {
  await alice.profile.setUsername({ username: 'alice-v' })
  const { id: bug } = await alice.bugs.create({ title: 'Broken lamp', description: 'It is dark', severity: 'low' })
  const label = await moderator.labels.create({ name: 'L', color: '#aabbcc' })
  await moderator.bugs.attachLabel({ id: bug, labelId: label.id })
  await bob.bugs.vote({ id: bug, value: 1 })
  await bob.bugs.comment({ id: bug, body: 'Here too' })
  const { id: post } = await alice.posts.create({ title: 'P', body: 'B' })
  await moderator.posts.attachLabel({ id: post, labelId: label.id })
  const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
  await bob.orgRuns.add({ id: org.id, files: [new File(['# One'], 'a.md'), new File(['<p>'], 'b.html')] })
  await alice.orgImages.add({ id: org.id, image: await tinyPng() })
  await alice.avatars.set({ avatar: await tinyPng() })
  const published = { kind: 'workflow', visibility: 'public', tags: 'mail,daily' } as const
  const item = await alice.library.publish({ ...published, file: workflowFile() })
  await bob.library.vote({ id: item.id, value: 1 })
  await admin.library.publish({ kind: 'org', visibility: 'official', tags: 'mail', file: orgFile() })
  return { bug, post, org: org.id, item: item.id }
}
