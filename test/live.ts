// A world in which something is wrong only if a test makes it so.
import { orgFile, workflowFile } from './library.ts'
import { tinyPng } from './pictures.ts'
import type { World } from './world.ts'

/** A world in which there is something of everything. */
export async function live({ alice, bob, moderator, admin }: World) {
  await alice.profile.setUsername({ username: 'alice-v' })
  const { id: bug } = await alice.bugs.create({ title: 'B', description: 'D', severity: 'low' })
  const label = await moderator.labels.create({ name: 'L', color: '#aabbcc' })
  await moderator.bugs.attachLabel({ id: bug, labelId: label.id })
  await moderator.bugs.triage({ id: bug, status: 'in_progress' })
  await bob.bugs.vote({ id: bug, value: 1 })
  await bob.bugs.comment({ id: bug, body: 'C' })
  const { id: feature } = await bob.features.create({ title: 'F', description: 'D' })
  await alice.features.vote({ id: feature, value: -1 })
  await moderator.features.attachLabel({ id: feature, labelId: label.id })
  const { id: post } = await alice.posts.create({ title: 'P', body: 'B' })
  await alice.posts.vote({ id: post, value: 1 })
  await moderator.posts.attachLabel({ id: post, labelId: label.id })
  const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
  await bob.orgs.vote({ id: org.id, value: 1 })
  await bob.orgs.comment({ id: org.id, body: 'C' })
  const run = await bob.orgRuns.add({ id: org.id, files: [new File(['# One'], 'a.md'), new File(['<p>'], 'b.html')] })
  const image = await alice.orgImages.add({ id: org.id, image: await tinyPng() })
  await alice.avatars.set({ avatar: await tinyPng() })
  await alice.blog.comment({ slug: 'what-guildhall-is', body: 'C' })
  const item = await alice.library.publish({
    kind: 'workflow',
    visibility: 'public',
    tags: 'mail,daily',
    file: workflowFile(),
  })
  await bob.library.vote({ id: item.id, value: 1 })
  await bob.library.comment({ id: item.id, body: 'C' })
  await admin.library.publish({ kind: 'org', visibility: 'official', tags: 'mail', file: orgFile() })
  await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Private' }) })
  await admin.admin.block({ id: (await bob.account()).id, blocked: true })
  return { bug, feature, post, org: org.id, item: item.id, file: run.files[0]!.id, image: image.url.split('/').at(-1)! }
}
