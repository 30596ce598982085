// Lists of the best, through the front door, on both engines.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { visit } from '../../../test/visitor.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { checkRanks } from './counting.ts'

type Client = Pick<Person, 'library'>

const publish = (by: Client, name: string, description = 'Text') =>
  by.library.publish({
    kind: 'workflow',
    visibility: 'public',
    file: workflowFile({ name, description }),
    name,
    description,
  })

/** Accounts of the last quarter, with a network each. */
async function oldAccounts(world: World, count: number) {
  const all: Client[] = []
  for (let n = 0; n < count; n++) {
    const by = await visit(world, `reporter${n}`, { address: `20.1.${n}.1`, verified: true })
    const createdAt = new Date(world.clock.now() - 90 * 86_400_000).toISOString()
    await world.db.updateTable('user').set({ createdAt }).where('id', '=', by.account.id).execute()
    all.push(by)
  }
  return all
}

async function report(all: readonly Client[], id: string, failing: number) {
  for (const [n, by] of all.entries()) {
    await (await by.library.download({ id, version: '1.0.0' })).arrayBuffer()
    await by.library.report({ item: id, version: '1.0.0', outcome: n < failing ? 'failed' : 'worked' })
  }
}

const best = async (by: Client, more: object = {}) => {
  const { items } = await by.library.list({ sort: 'best', ...more })
  return items.map(({ name }) => name)
}

async function ranked({ app, db }: World) {
  await app.writeDownloads()
  await app.countOutcomes()
  const problems: string[] = []
  await checkRanks(db, (sentence) => problems.push(sentence))
  assert.deepEqual(problems, [])
}

onEveryEngine('the list of the best', (it) => {
  it('has what works first, then what nobody reported on by its downloads, then what fails', async (world) => {
    const { alice, bob, anonymous } = world
    const names = ['Fails', 'Works', 'Mostly', 'Known', 'New']
    const ids = []
    for (const name of names) ids.push((await publish(alice, name)).id)
    const all = await oldAccounts(world, 8)
    await report(all, ids[0]!, 8)
    await report(all, ids[1]!, 0)
    await report(all, ids[2]!, 2)
    await (await bob.library.download({ id: ids[3]! })).arrayBuffer()
    await ranked(world)
    const order = ['Works', 'Mostly', 'Known', 'New', 'Fails']
    assert.deepEqual(await best(anonymous), order)
    assert.deepEqual(await best(alice, { scope: 'mine' }), order)
    assert.deepEqual(await best(anonymous, { kind: 'workflow' }), order)
    const paged: string[] = []
    for (let page = 1; page <= 3; page++) paged.push(...(await best(anonymous, { per_page: 2, page })))
    assert.deepEqual(paged, order)
    const walked: string[] = []
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
      const answer: Awaited<ReturnType<Person['library']['list']>> = await anonymous.library.list({
        ...{ sort: 'best', per_page: 2, cursor },
      })
      walked.push(...answer.items.map(({ name }) => name))
      cursor = answer.nextCursor
    }
    assert.deepEqual(walked, order)
    assert.equal((await anonymous.library.list({})).items[0]?.name, 'New', 'the latest stays the default')
    const { version } = await alice.library.publishVersion({ id: ids[1]!, file: workflowFile({ name: 'Works' }) })
    await ranked(world)
    assert.deepEqual(await best(anonymous), order, 'a new version has the rank of the one before until it has its own')
    await alice.library.yank({ id: ids[1]!, version: '1.0.0', yanked: true })
    await ranked(world)
    assert.deepEqual(await best(anonymous), ['Mostly', 'Works', 'Known', 'New', 'Fails'], version)
  })

  it('has what is called so first in a search, page by page', async (world) => {
    const { alice, anonymous } = world
    const other = await publish(alice, 'Digest', 'Sends mail')
    for (const name of ['Gmail reader', 'Night mail', 'Mailer', 'Mail']) await publish(alice, name)
    await report(await oldAccounts(world, 8), other.id, 0)
    await ranked(world)
    const found = await best(anonymous, { q: 'mail' })
    assert.equal(found[0], 'Mail')
    assert.deepEqual(found.slice(1, 3).toSorted(), ['Mailer', 'Night mail'])
    assert.deepEqual(found.slice(3), ['Gmail reader', 'Digest'])
    const walked: string[] = []
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
      const answer: Awaited<ReturnType<Person['library']['list']>> = await anonymous.library.list({
        ...{ sort: 'best', q: 'mail', per_page: 2, cursor },
      })
      walked.push(...answer.items.map(({ name }) => name))
      cursor = answer.nextCursor
    }
    assert.deepEqual(walked, found)
  })
})
