// A small instance whose lists are not empty.
import { readFile } from 'node:fs/promises'
import { workflowFile } from '../library.ts'
import { newBrowser } from '../visitors.ts'
import { PASSWORD, type Site } from './site.ts'

const fixture = new URL('../fixtures/org-invoice-desk.json', import.meta.url)

/** Things of every kind, with labels, a second board, and what is pinned. */
export async function furnish({ world }: Site, address: string): Promise<void> {
  const { alice } = world
  const admin = newBrowser(world)
  await admin.accounts.signIn({ email: address, password: PASSWORD })
  await admin.boards.create({ slug: 'night', name: 'Night shift', description: 'What goes on after dark.' })
  const label = await admin.labels.create({ name: 'harbor', color: '#336699' })
  for (const severity of ['low', 'high', 'critical'] as const) {
    const bug = await alice.bugs.create({ title: `The lamp blinks (${severity})`, description: 'At night.', severity })
    await admin.bugs.attachLabel({ id: bug.id, labelId: label.id })
    await admin.threads.pin({ id: bug.id, pinned: severity === 'low' })
    if (severity === 'high') await admin.bugs.triage({ id: bug.id, status: 'in_progress' })
    await admin.follows.set({ id: bug.id, state: 'following' })
    await alice.bugs.comment({ id: bug.id, body: 'Still.' })
  }
  const request = await alice.features.create({ title: 'A brighter lamp', description: 'For the pier.' })
  await admin.features.setStatus({ id: request.id, status: 'planned' })
  await alice.posts.create({ title: 'What the lamp saw', body: 'The sea.' })
  await admin.changelog.create({ title: 'The lamp is back', body: 'It shines.', version: '1.2.0' })
  await alice.orgs.create({ orgJson: await readFile(fixture, 'utf8') })
  await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile({ name: 'Lamp check' }) })
}
