// An operation writes to the audit log only what its contract declares, and everything that it declares.
import assert from 'node:assert/strict'
import { api } from '../src/api.ts'
import type { Contract } from '../src/contract/operation.ts'
import { orgFile, workflowFile } from './library.ts'
import { tinyPng } from './pictures.ts'
import { onEveryEngine, type Person } from './world.ts'

type Calls = Record<string, Record<string, (input?: unknown) => Promise<unknown>>>

/** The calls of a person; each is told to `onCall` with the actions that it recorded. */
function watched(person: Person, admin: Person, onCall: (name: string, recorded: string[]) => void): Person {
  const recorded = async () =>
    (await admin.admin.listAudit({ per_page: 100 })).items.map(({ id, action }) => ({ id, action }))
  const calls = person as unknown as Calls
  const wrapped = Object.keys(api).map((slice) => [
    slice,
    Object.fromEntries(
      Object.entries(calls[slice]!).map(([verb, call]) => [
        verb,
        async (input?: unknown) => {
          const known = new Set((await recorded()).map(({ id }) => id))
          const result = await call(input)
          const fresh = (await recorded()).filter(({ id }) => !known.has(id))
          onCall(
            `${slice}.${verb}`,
            fresh.map(({ action }) => action),
          )
          return result
        },
      ]),
    ),
  ])
  return { ...person, ...Object.fromEntries(wrapped) }
}

/** What a contract declares of an operation. */
function declaredBy(name: string): string[] {
  const [slice = '', verb = ''] = name.split('.')
  const contracts: Record<string, Contract> = api
  return (contracts[slice]?.[verb]?.audit ?? []).map(({ name }) => name)
}

const report = () => new File(['# Report'], 'report.md', { type: 'text/markdown' })

async function moderate(alice: Person, moderator: Person, admin: Person): Promise<void> {
  const { id } = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'high' })
  const label = await moderator.labels.create({ name: 'mail', color: '#b4552d' })
  await moderator.bugs.triage({ id, status: 'resolved' })
  await moderator.bugs.attachLabel({ id, labelId: label.id })
  await moderator.bugs.detachLabel({ id, labelId: label.id })
  const comment = await alice.bugs.comment({ id, body: 'Again' })
  await moderator.bugs.vote({ id, value: 1 })
  await moderator.bugs.deleteComment({ id, commentId: comment.id })
  await moderator.bugs.delete({ id })
  const feature = await alice.features.create({ title: 'Pause', description: 'On holidays' })
  await admin.features.setStatus({ id: feature.id, status: 'planned' })
  await moderator.features.attachLabel({ id: feature.id, labelId: label.id })
  await moderator.features.detachLabel({ id: feature.id, labelId: label.id })
  await moderator.features.delete({ id: feature.id })
  const post = await alice.posts.create({ title: 'Books', body: 'Kept' })
  await moderator.posts.attachLabel({ id: post.id, labelId: label.id })
  await moderator.posts.detachLabel({ id: post.id, labelId: label.id })
  await moderator.posts.delete({ id: post.id })
}

async function moderateFiles(alice: Person, moderator: Person, admin: Person): Promise<void> {
  const org = await alice.orgs.create({ orgJson: await orgFile().text() })
  const run = await alice.orgRuns.add({ id: org.id, files: [report()] })
  await moderator.orgRuns.delete({ id: org.id, runId: run.id })
  await moderator.orgs.update({ id: org.id, tagline: 'Checked' })
  await moderator.orgImages.add({ id: org.id, image: await tinyPng() })
  await moderator.orgs.delete({ id: org.id })
  const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
  await alice.library.publishVersion({ id: item.id, file: workflowFile() })
  await admin.library.yank({ id: item.id, version: '1.0.0', yanked: true, reason: 'Broken' })
  await admin.library.deprecate({ id: item.id, deprecated: true, reason: 'Old' })
  await admin.library.deleteVersion({ id: item.id, version: '1.0.0', reason: 'Broken' })
  await admin.library.update({ id: item.id, visibility: 'official' })
  await admin.library.delete({ id: item.id })
}

onEveryEngine('an operation', (it) => {
  it('records the actions that its contract declares, and no other', async (world) => {
    for (const person of [world.alice, world.bob, world.moderator, world.admin]) await person.account()
    const seen = new Map<string, Set<string>>()
    const onCall = (name: string, recorded: string[]) => {
      const declared = declaredBy(name)
      for (const action of recorded) assert.ok(declared.includes(action), `${name} recorded ${action}`)
      seen.set(name, new Set([...(seen.get(name) ?? []), ...recorded]))
    }
    const [alice, moderator, admin] = [world.alice, world.moderator, world.admin].map((person) =>
      watched(person, world.admin, onCall),
    ) as [Person, Person, Person]
    await moderate(alice, moderator, admin)
    await moderateFiles(alice, moderator, admin)
    const { id } = await world.bob.account()
    await admin.admin.block({ id, blocked: true })
    await admin.admin.block({ id, blocked: false })
    await admin.admin.setRole({ id, role: 'moderator' })
    await alice.accounts.changePassword({ password: 'alice has a password', newPassword: 'alice has another one' })
    for (const [name, actions] of seen) {
      assert.deepEqual([...actions].sort(), declaredBy(name).sort(), `${name} recorded what it declares`)
    }
    assert.ok([...seen.values()].filter(({ size }) => size > 0).length >= 15)
  })
})
