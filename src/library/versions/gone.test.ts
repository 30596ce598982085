// What everybody could see under a name and a version never comes back with other bytes, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { automationFile, orgFile, workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'

const publish = (person: Person, n: number, changes: object = {}) =>
  person.library.publish({ kind: 'workflow', file: workflowFile({ n }), visibility: 'public', ...changes })

const conflict = {
  status: 409,
  code: 'version_conflict',
  message: /workflow\/morning-digest 1\.0\.0 was published with other bytes/,
}

onEveryEngine('a version that is gone', (it) => {
  it('comes back with the same bytes alone', async ({ alice, anonymous }) => {
    const { id, slug, sha256 } = await publish(alice, 1)
    assert.equal(slug, 'morning-digest')
    await alice.library.publishVersion({ id, file: workflowFile({ n: 2 }), version: '1.4.0' })
    await alice.library.delete({ id })
    for (const visibility of ['public', 'private'] as const)
      await assert.rejects(publish(alice, 3, { version: '1.0.0', visibility }), conflict)
    await assert.rejects(publish(alice, 3, { version: '1.0.0+again' }), { status: 409, code: 'version_conflict' })
    const again = await publish(alice, 1, { version: '1.0.0' })
    assert.deepEqual([again.slug, again.sha256], [slug, sha256])
    const put = (n: number, version?: string) =>
      alice.library.publishVersion({ id: again.id, file: workflowFile({ n }), ...(version && { version }) })
    await assert.rejects(put(3, '1.4.0'), { status: 409, code: 'version_conflict' })
    assert.equal((await put(3, '1.3.0')).version, '1.3.0')
    // What is not asked for is newer than all that was there.
    assert.equal((await put(4)).version, '1.4.1')
    const file = await anonymous.library.file({ kind: 'workflow', slug, version: '1.0.0' })
    assert.equal(file.headers.get('x-content-sha256'), sha256)
    await alice.library.delete({ id: again.id })
    assert.equal((await publish(alice, 5)).version, '1.4.2')
  })

  it('is that of its automation, whose version stands in the file', async ({ alice }) => {
    const file = (name: string) => automationFile({ version: '0.1.0', name })
    const { id } = await alice.library.publish({ kind: 'automation', file: file('One'), visibility: 'public' })
    await alice.library.delete({ id })
    const send = (name: string) => alice.library.publish({ kind: 'automation', file: file(name), visibility: 'public' })
    await assert.rejects(send('Two'), { status: 409, code: 'version_conflict' })
    await send('One')
  })

  it('leaves nothing where only its owner ever saw it', async ({ alice }) => {
    const { id, slug } = await publish(alice, 1, { visibility: 'private' })
    await alice.library.delete({ id })
    const next = await publish(alice, 2)
    assert.deepEqual([next.slug, next.version], [slug, '1.0.0'])
    // A version that was published after the item was made private is nobody else's either.
    await alice.library.update({ id: next.id, visibility: 'private' })
    await alice.library.publishVersion({ id: next.id, file: workflowFile({ n: 3 }) })
    await alice.library.delete({ id: next.id })
    const again = await publish(alice, 2, { version: '1.0.0' })
    assert.equal((await alice.library.publishVersion({ id: again.id, file: workflowFile({ n: 4 }) })).version, '1.0.1')
  })

  it('is kept under every name that the item had, and refuses a rename to one', async ({ alice }) => {
    const { id } = await publish(alice, 1)
    await alice.library.rename({ id, slug: 'other' })
    await alice.library.delete({ id })
    await assert.rejects(publish(alice, 2, { version: '1.0.0' }), conflict)
    const { id: third } = await publish(alice, 3, { name: 'Third' })
    for (const slug of ['morning-digest', 'other']) {
      await assert.rejects(alice.library.rename({ id: third, slug }), { status: 409, code: 'version_conflict' })
    }
    assert.equal((await alice.library.get({ id: third })).slug, 'third')
    const { id: fourth } = await publish(alice, 1, { name: 'Fourth' })
    assert.equal((await alice.library.rename({ id: fourth, slug: 'other' })).slug, 'other')
  })

  it('is in the draft that a publisher signs', async ({ alice }) => {
    const { id } = await publish(alice, 1)
    await alice.library.delete({ id })
    const draft = async (changes: object) =>
      alice.publisherKeys.draft({
        kind: 'workflow',
        name: 'Morning digest',
        sha256: 'ab'.repeat(32),
        size: 10,
        ...changes,
      })
    const { payload } = await draft({})
    assert.equal(JSON.parse(Buffer.from(payload, 'base64').toString()).predicate.version, '1.0.1')
    await assert.rejects(draft({ version: '1.0.0' }), conflict)
  })

  it('is not an org of the gallery later', async ({ alice, anonymous }) => {
    const { id, slug } = await alice.library.publish({
      kind: 'org',
      visibility: 'public',
      file: orgFile({ name: 'Desk' }),
    })
    await alice.library.delete({ id })
    const orgJson = JSON.stringify({ name: 'Desk', goal: 'Another', roles: [{ id: 'solo', title: 'Solo' }] })
    const org = await alice.orgs.create({ orgJson })
    assert.equal(org.slug, slug)
    const { version } = await anonymous.library.find({ kind: 'org', slug })
    assert.equal(version, '1.0.1')
  })

  it('stays gone when many publish it at once', async ({ alice }) => {
    const { id } = await publish(alice, 1)
    await alice.library.delete({ id })
    const sent = await Promise.allSettled([2, 3, 4, 1].map((n) => publish(alice, n, { version: '1.0.0' })))
    const made = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const { sha256 } = await publish(alice, 1, { name: 'Same' })
    for (const one of made.filter(({ slug }) => slug === 'morning-digest')) assert.equal(one.sha256, sha256)
  })
})
