// What many names mean: versions, ranges, and what is not there.
import assert from 'node:assert/strict'
import { meant, publishVersions, sha256 } from '../../../test/named-items.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'
import { wantedOf } from './choosing.ts'
import { ItemVersions } from './versions.ts'

onEveryEngine('names', (it) => {
  it('mean versions, in the order in which they are asked', async (world) => {
    const { alice, anonymous } = world
    const item = await publishVersions(alice, 'Digest', ['1.0.0', '1.1.0', '2.0.0-rc.1'])
    await publishVersions(alice, 'Notes', ['0.1.0'])
    const { items } = await anonymous.library.resolve({
      items: [
        { name: 'workflows/digest', version: '^1' },
        { name: 'workflow/notes' },
        { name: 'workflow/digest', version: '1.0.0' },
        { name: 'workflow/digest', version: '>=2.0.0-rc' },
        { name: 'workflow/digest', version: '^3' },
        { name: 'workflow/digest', version: 'newest' },
        { name: 'workflow/missing' },
        { name: 'workflow' },
        { name: 'tool/digest' },
        { name: 'org/digest' },
      ],
    })
    const outcome = items.map((one) => (one.found ? `${one.slug} ${one.version}` : one.reason))
    const none = ['no_version', 'invalid_version', 'not_found', 'invalid_name', 'invalid_name', 'not_found']
    assert.deepEqual(outcome, ['digest 1.1.0', 'notes 0.1.0', 'digest 1.0.0', 'digest 2.0.0-rc.1', ...none])
    const [first] = items
    assert.ok(first?.found)
    const { sha256: hash, size } = (await anonymous.library.versions({ id: item.id })).versions.find(
      ({ version }) => version === '1.1.0',
    )!
    const file_url = 'http://localhost:3000/api/library/workflow/digest/1.1.0/file'
    const { id } = item
    const expected = { name: 'workflows/digest', found: true, id, kind: 'workflow', slug: 'digest', version: '1.1.0' }
    assert.deepEqual(first, { ...expected, sha256: hash, size, file_url, yanked: false })
    const response = await anonymous.request(new URL(file_url).pathname)
    assert.equal(sha256(await response.arrayBuffer()), hash)
  })

  it('mean no yanked version, unless by its number', async (world) => {
    const { alice, anonymous, db } = world
    const { id } = await publishVersions(alice, 'Digest', ['1.0.0', '1.1.0', '1.2.0'])
    await db
      .updateTable('itemVersion')
      .set({ yankedAt: '2026-11-20T00:00:00.000Z' })
      .where('version', '=', '1.2.0')
      .execute()
    const ask = ['^1', 'latest', '1.2.0', '~1.2']
    const { items } = await anonymous.library.resolve({
      items: ask.map((version) => ({ name: 'workflow/digest', version })),
    })
    const outcome = items.map((one) => (one.found ? [one.version, one.yanked] : one.reason))
    assert.deepEqual(outcome, [['1.1.0', false], ['1.1.0', false], ['1.2.0', true], 'no_version'])
    assert.deepEqual(
      [await meant(world, '^1'), await meant(world, 'latest'), await meant(world, '1.2.0')],
      ['1.1.0', '1.1.0', '1.2.0'],
    )
    await db
      .updateTable('libraryItem')
      .set({ deprecation: 'Old', successor: 'workflow/new' })
      .where('id', '=', id)
      .execute()
    const [told] = (await anonymous.library.resolve({ items: [{ name: 'workflow/digest' }] })).items
    assert.deepEqual(told?.found && told.deprecated, { message: 'Old', successor: 'workflow/new' })
  })

  it('of private items are found by their owner alone', async ({ alice, bob, anonymous, admin }) => {
    await publishVersions(alice, 'Digest', ['1.0.0'], 'private')
    const ask = async (person: Person) =>
      (await person.library.resolve({ items: [{ name: 'workflow/digest' }] })).items[0]
    for (const person of [bob, admin, anonymous]) {
      assert.deepEqual(await ask(person), { name: 'workflow/digest', found: false, reason: 'not_found' })
    }
    assert.equal((await ask(alice))!.found, true)
  })

  it('are 1 to 50 in a request, each of a bounded length', async ({ anonymous }) => {
    const ask = (count: number, name = 'workflow/x', version?: string) =>
      anonymous.library.resolve({ items: Array.from({ length: count }, () => ({ name, ...(version && { version }) })) })
    assert.equal((await ask(50)).items.length, 50)
    assert.equal((await ask(1, 'x'.repeat(220))).items.length, 1)
    assert.equal((await ask(1, 'workflow/x', '1'.repeat(256))).items.length, 1)
    const refused = { status: 400, code: 'invalid_request' }
    const wrong = [
      () => ask(0),
      () => ask(51),
      () => ask(1, 'x'.repeat(221)),
      () => ask(1, 'workflow/x', '1'.repeat(257)),
    ]
    for (const asked of wrong) await assert.rejects(asked, refused)
  })

  it('find versions further back than the newest that are read at once', async (world) => {
    const { alice, anonymous, db } = world
    const { id } = await publishVersions(alice, 'Digest', ['0.1.0'])
    const { sha256: hash, size, created_at: createdAt } = (await anonymous.library.versions({ id })).versions[0]!
    const older = Array.from({ length: 1_100 }, (_, at) => `1.0.${at}`)
    const rows = [...older, '2.0.0-a', '2.0.0-b'].map((version, at) => ({
      ...{ itemId: id, number: at + 2, version, precedence: version, sha256: hash, size, createdAt },
    }))
    for (let at = 0; at < rows.length; at += 100)
      await db
        .insertInto('itemVersion')
        .values(rows.slice(at, at + 100))
        .execute()
    const ask = ['^0.1', '~1.0', '<1.0.5', 'latest', '1.0.1099', '>=2.0.0-a <2.0.0-b', '^7']
    const { items } = await anonymous.library.resolve({
      items: ask.map((version) => ({ name: 'workflow/digest', version })),
    })
    const expected = ['0.1.0', '1.0.1099', '1.0.4', '1.0.1099', '1.0.1099', '2.0.0-a', 'no_version']
    assert.deepEqual(
      items.map((one) => (one.found ? one.version : one.reason)),
      expected,
    )
    for (const [at, version] of ask.slice(0, -1).entries()) assert.equal(await meant(world, version), expected[at]!)
    assert.equal((await new ItemVersions(db, id).choose(wantedOf('latest')!))!.version, '1.0.1099')
  })
})
