// What lists say of `meta`: at most 4 KB an item, whatever its file holds (behaviour.md, section 4).
import assert from 'node:assert/strict'
import { automationFile, orgFile, workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const nodes = (types: string[]) => types.map((type) => ({ type }))
const names = (count: number, length: number) => Array.from({ length: count }, (_, n) => `${n}.`.padEnd(length, 'é'))

const listed = async (person: Person, id: string) =>
  (await person.library.list({ per_page: 100 })).items.find((item) => item.id === id)!

onEveryEngine('meta in lists of the library', (it) => {
  it('is all of it up to 4,096 bytes, and a summary from there on', async ({ alice, anonymous }) => {
    const empty = bytesOf({ node_types: ['x'], trigger_types: [], required_automations: [] })
    for (const [bytes, isWhole] of [
      [4_096, true],
      [4_097, false],
    ] as const) {
      const file = workflowFile({
        nodes: nodes(['x'.repeat(1 + bytes - empty)]),
        automations: {},
        unbundledAutomations: {},
      })
      const item = await alice.library.publish({ kind: 'workflow', file, visibility: 'public' })
      assert.equal(bytesOf(item.meta), bytes)
      const { meta } = await listed(anonymous, item.id)
      if (isWhole) assert.deepEqual(meta, item.meta)
      else assert.deepEqual(meta['truncated'], true)
      assert.ok(bytesOf(meta) <= 4_096)
      assert.deepEqual((await anonymous.library.get({ id: item.id })).meta, item.meta)
    }
  })

  it('keeps single values and the beginning of each list, and says that something is left out', async ({ alice }) => {
    const file = automationFile({
      actions: names(3_000, 40),
      site: { domains: ['a.example', 'b.example'] },
      publisher: { name: 'p'.repeat(9_000) },
    })
    const { id, slug, meta: whole } = await alice.library.publish({ kind: 'automation', file, visibility: 'public' })
    assert.equal((whole['actions'] as string[]).length, 3_000)
    const { meta } = await listed(alice, id)
    const { actions, publisher, ...rest } = meta
    assert.deepEqual(actions, names((actions as string[]).length, 40))
    assert.ok((actions as string[]).length > 30)
    assert.equal(publisher, 'p'.repeat(200))
    const { actions: _actions, publisher: _publisher, ...restOfWhole } = whole
    assert.deepEqual(rest, { ...restOfWhole, truncated: true })
    assert.ok(bytesOf(meta) <= 4_096)
    assert.deepEqual((await alice.library.get({ id })).meta, whole)
    assert.deepEqual((await alice.library.find({ kind: 'automation', slug })).meta, whole)
    // The download is still called after the manifest.
    const answer = await alice.library.download({ id })
    assert.match(answer.headers.get('content-disposition')!, /harbor-board-0\.2\.0\.mpkg/)
  })

  it('follows a new version, in both directions', async ({ alice }) => {
    const small = workflowFile({ nodes: nodes(['trigger.manual']) })
    const large = workflowFile({ nodes: nodes(names(1_200, 100)) })
    const { id } = await alice.library.publish({ kind: 'workflow', file: small, visibility: 'public' })
    const next = await alice.library.publishVersion({ id, file: large })
    assert.equal((next.meta['node_types'] as string[]).length, 1_200)
    assert.equal((await listed(alice, id)).meta['truncated'], true)
    const renamed = await alice.library.update({ id, name: 'Renamed' })
    assert.deepEqual(renamed.meta, next.meta)
    const last = await alice.library.publishVersion({ id, file: small })
    assert.equal(last.meta['truncated'], undefined)
    assert.deepEqual((await listed(alice, id)).meta, last.meta)
    assert.deepEqual((await alice.library.get({ id })).meta, last.meta)
  })

  it('makes a page of the largest items small, orgs of the gallery with it', async ({ alice, anonymous }) => {
    const types = nodes(names(1_200, 100))
    for (let n = 0; n < 12; n += 1) {
      const file = workflowFile({ nodes: types, name: 'é'.repeat(100), description: 'é'.repeat(2_000) })
      await alice.library.publish({ kind: 'workflow', file, visibility: 'public' })
    }
    const { id } = await alice.orgs.create({
      orgJson: await orgFile({ topology: '漢'.repeat(9_000), goal: '漢'.repeat(9_000) }).text(),
    })
    const page = await anonymous.library.list({ per_page: 100 })
    assert.equal(page.items.length, 13)
    assert.ok(bytesOf(page) < 13 * 14_000, `${bytesOf(page)} bytes`)
    const { meta } = page.items.find((item) => item.id === id)!
    assert.deepEqual([meta['gallery'], meta['truncated']], [true, true])
    assert.equal((await anonymous.library.get({ id })).meta['topology'], '漢'.repeat(2_000))
    assert.ok(bytesOf(await anonymous.orgs.list({ per_page: 100 })) < 20_000)
  })

  it('lists versions in pages', async ({ alice }) => {
    const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    for (let n = 0; n < 4; n += 1) await alice.library.publishVersion({ id, file: workflowFile({ n }) })
    const versions = async (input: object) =>
      (await alice.library.versions({ id, ...input })).versions.map(({ version }) => version)
    assert.deepEqual(await versions({}), ['1.0.4', '1.0.3', '1.0.2', '1.0.1', '1.0.0'])
    assert.deepEqual(await versions({ per_page: 2 }), ['1.0.4', '1.0.3'])
    assert.deepEqual(await versions({ per_page: 2, page: 3 }), ['1.0.0'])
    assert.deepEqual(await versions({ per_page: 1_000 }), await versions({}))
    await assert.rejects(versions({ per_page: 1_001 }), { status: 400 })
  })
})

onEveryEngine('the page of an org', (it) => {
  it('shows its first thousand roles and two thousand links; its definition has all', async ({ alice, anonymous }) => {
    for (const [roles, links] of [
      [1_000, 2_000],
      [1_001, 2_001],
      [20_000, 3_000],
    ] as const) {
      const orgJson = JSON.stringify({
        name: `Org of ${roles}`,
        roles: Array.from({ length: roles }, (_, n) => ({ id: `${n}` })),
        communication: Array.from({ length: links }, (_, n) => ({ from: `${n}`, to: '0', type: 't' })),
      })
      const { id } = await alice.orgs.create({ orgJson })
      const org = await anonymous.orgs.get({ id })
      assert.equal(org.roleCount, roles)
      assert.equal(org.roles.length, 1_000)
      assert.equal(org.communication.length, 2_000)
      assert.equal(await (await anonymous.orgs.definition({ id })).text(), orgJson)
    }
  })
})
