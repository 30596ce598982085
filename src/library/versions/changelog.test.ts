// What is told of each version: its changes and its licence, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { automationFile, orgFile, workflowFile } from '../../../test/library.ts'
import { onEveryEngine } from '../../../test/world.ts'

const CHANGES = '# Changelog\n\n## 0.3.0\n\n- Two\n\n## 0.2.0\n\n- One\n'
const packed = (changes: object, text = CHANGES) =>
  automationFile(changes, [
    { name: 'CHANGELOG.md', data: text },
    { name: 'LICENSE', data: 'MIT License\n\nCopyright' },
  ])

onEveryEngine('a version', (it) => {
  it('tells what is new, from the form or from the package', async ({ alice, anonymous }) => {
    const { id, license, slug } = await alice.library.publish({
      kind: 'automation',
      file: packed({}),
      visibility: 'public',
    })
    assert.equal(license, 'MIT')
    const next = packed({ version: '0.3.0', license: 'apache-2.0' })
    assert.equal((await alice.library.publishVersion({ id, file: next })).license, 'Apache-2.0')
    const last = packed({ version: '0.4.0' }, 'Nothing to say.')
    await alice.library.publishVersion({ id, file: last, changelog: ' - **Three** ' })
    const { versions } = await anonymous.library.versions({ id })
    assert.deepEqual(
      versions.map(({ version, changelog, license }) => [version, changelog, license]),
      [
        ['0.4.0', '- **Three**', 'MIT'],
        ['0.3.0', '- Two', 'Apache-2.0'],
        ['0.2.0', '- One', 'MIT'],
      ],
    )
    assert.deepEqual(await anonymous.library.version({ id, version: '0.3.0' }), versions[1])
    assert.deepEqual(await anonymous.library.findVersion({ kind: 'automation', slug, version: '0.3.0' }), versions[1])
    await assert.rejects(anonymous.library.version({ id, version: '0.5.0' }), { status: 404, code: 'not_found' })
    await assert.rejects(anonymous.library.version({ id, version: 'x' }), { status: 400, code: 'invalid_request' })
    await alice.library.yank({ id, version: '0.4.0', yanked: true })
    assert.equal((await anonymous.library.get({ id })).license, 'Apache-2.0')
    await alice.library.update({ id, visibility: 'private' })
    await assert.rejects(anonymous.library.version({ id, version: '0.3.0' }), { status: 404 })
  })

  it('says nothing where there is nothing to say', async ({ alice }) => {
    for (const [kind, file] of [
      ['workflow', workflowFile()],
      ['org', orgFile()],
      ['automation', automationFile()],
    ] as const) {
      const { id, version, ...item } = await alice.library.publish({ kind, file, changelog: '' })
      const told = await alice.library.version({ id, version })
      assert.deepEqual(['license' in item, 'license' in told, 'changelog' in told], [false, false, false], kind)
    }
  })

  it('has at most ten thousand characters to tell, of which lists have the first thousand', async ({ alice }) => {
    const publish = (changelog: string) => alice.library.publish({ kind: 'workflow', file: workflowFile(), changelog })
    await assert.rejects(publish('é'.repeat(10_001)), { status: 400, code: 'invalid_request' })
    const { id } = await publish('é'.repeat(10_000))
    assert.equal((await alice.library.version({ id, version: '1.0.0' })).changelog, 'é'.repeat(10_000))
    for (const count of [1_000, 1_001]) {
      await alice.library.publishVersion({ id, file: workflowFile(), changelog: 'é'.repeat(count) })
    }
    const listed = (await alice.library.versions({ id })).versions.map(({ changelog }) => changelog)
    const cut = `${'é'.repeat(1_000)}…`
    assert.deepEqual(listed, [cut, 'é'.repeat(1_000), cut])
  })

  it('is told to followers with what is new', async ({ alice, bob, app }) => {
    const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    await bob.follows.set({ id, state: 'following' })
    await alice.library.publishVersion({ id, file: workflowFile(), changelog: 'Faster' })
    await alice.library.publishVersion({ id, file: workflowFile() })
    await app.deliver()
    const { items } = await bob.notifications.list({})
    assert.deepEqual(
      items.map(({ type, version, excerpt }) => [type, version, excerpt]),
      [
        ['version', '1.0.2', ''],
        ['version', '1.0.1', 'Faster'],
      ],
    )
  })
})

onEveryEngine(
  'a version of a new account',
  (it) => {
    it('tells no first link', async ({ alice }) => {
      await alice.account()
      const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
      const link = 'See https://elsewhere.example'
      const put = (changelog: string) => alice.library.publishVersion({ id, file: workflowFile(), changelog })
      await assert.rejects(put(link), { status: 403, code: 'forbidden' })
      await put('Faster')
      const yank = { id, version: '1.0.0', yanked: true }
      await assert.rejects(alice.library.yank({ ...yank, reason: link }), { status: 403, code: 'forbidden' })
      const deprecate = { id, deprecated: true }
      await assert.rejects(alice.library.deprecate({ ...deprecate, message: link }), { status: 403, code: 'forbidden' })
      await alice.library.yank({ ...yank, reason: 'Slow' })
    })
  },
  { HOLD_LINKS_HOURS: '24' },
)
