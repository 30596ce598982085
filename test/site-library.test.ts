// Pages of the library as they are served: what items use, how often they are downloaded, former names, charts, and files for members.
import assert from 'node:assert/strict'
import { required } from '../src/runtime/untyped.ts'
import { automationFile, org, orgFile, workflowFile } from './library.ts'
import { onePixelDeepPng } from './pictures.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

const page = async (person: Person, path: string) => (await person.request(path)).text()
/** What a page says, without its tags. */
const said = async (person: Person, path: string) =>
  (await page(person, path)).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

/** An automation and two workflows that use it, one of them private. */
async function used({ alice, bob }: World) {
  const board = await alice.library.publish({ kind: 'automation', visibility: 'public', file: automationFile() })
  const user = await bob.library.publish({
    ...({ kind: 'workflow', visibility: 'public' } as const),
    file: workflowFile({ name: 'Night digest', unbundledAutomations: { 'no-such-board': {} } }),
  })
  await bob.library.publish({ kind: 'workflow', file: workflowFile({ name: 'A secret' }) })
  return { board, user }
}

onEveryEngine('pages of the library', (it) => {
  it('show what an item uses, and what uses it, as links', async (world) => {
    const { alice, bob, anonymous } = world
    const { board, user } = await used(world)
    const uses = await page(anonymous, `/library/workflows/${user.slug}`)
    assert.match(uses, /href="\/library\/automations\/harbor-board"/)
    assert.match(await said(anonymous, `/library/workflows/${user.slug}`), /no-such-board not in this library/)
    assert.match(await page(anonymous, `/library/workflows/${user.slug}/versions/1.0.0`), /automations\/harbor-board"/)
    for (const path of ['/library/automations/harbor-board', '/library/automations/harbor-board/used-by']) {
      const [markup, words] = [await page(bob, path), await said(anonymous, path)]
      assert.match(markup, new RegExp(`href="/library/workflows/${user.slug}"`), path)
      assert.match(words, /Night digest/, path)
      assert.doesNotMatch(words, /A secret/, path)
      assert.match(words, /1 item/, path)
    }
    await alice.library.rename({ id: board.id, slug: 'quay-board' })
    assert.match(await page(anonymous, `/library/workflows/${user.slug}`), /href="\/library\/automations\/quay-board"/)
    assert.match(await said(anonymous, '/library/automations/quay-board'), /Used by 1 item/)
    await bob.library.update({ id: user.id, visibility: 'private' })
    assert.doesNotMatch(await said(anonymous, '/library/automations/quay-board'), /Used by/)
    assert.match(await said(anonymous, '/library/automations/quay-board/used-by'), /Nothing uses it yet/)
    const missing = await anonymous.request('/library/automations/none/used-by')
    assert.equal(missing.status, 404)
  })

  it('come in pages of what uses an item', async (world) => {
    const { alice, bob, anonymous, db } = world
    const { id } = await alice.library.publish({ kind: 'automation', visibility: 'public', file: automationFile() })
    for (let count = 0; count < 8; count++) {
      const file = workflowFile({ name: `User ${count}` })
      await bob.library.publish({ kind: 'workflow', visibility: 'public', file })
    }
    const item = await said(anonymous, '/library/automations/harbor-board')
    assert.match(item, /Used by 8 items .*User 7 .*User 3 .*All that use it/)
    assert.doesNotMatch(item, /User 2 /)
    const rows = await db.selectFrom('dependency').selectAll().where('slug', '=', 'harbor-board').execute()
    const [some] = await db.selectFrom('libraryItem').selectAll().where('id', '<>', id).execute()
    const { rowId: _, ...row } = required(some)
    const more = Array.from({ length: 50 }, (_, n) => `0${n.toString().padStart(2, '0')}${row.id.slice(3)}`)
    await db
      .insertInto('libraryItem')
      .values(more.map((other) => ({ ...row, id: other, slug: other })))
      .execute()
    await db
      .insertInto('dependency')
      .values(more.map((itemId) => ({ ...rows[0]!, itemId })))
      .execute()
    const [first, second] = [
      await page(anonymous, '/library/automations/harbor-board/used-by'),
      await page(anonymous, '/library/automations/harbor-board/used-by?page=2'),
    ]
    assert.match(first, /used-by\?page=2"[^>]*>Next page/)
    assert.match(second, /used-by"[^>]*>Previous page/)
    assert.doesNotMatch(second, /Next page/)
    assert.equal((await anonymous.request('/library/automations/harbor-board/used-by?page=0')).status, 400)
  })

  it('tell how often an item was downloaded: in all, in a week, and each version', async (world) => {
    const { alice, anonymous, app, db } = world
    const { id, slug } = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
    await alice.library.publishVersion({ id, file: workflowFile({ n: 1 }) })
    const path = `/library/workflows/${slug}`
    assert.match(await said(anonymous, path), /Downloads 0 in all, 0 in the last 7 days/)
    await anonymous.library.file({ kind: 'workflow', slug, version: '1.0.0' })
    await app.writeDownloads()
    await db.updateTable('itemDownloads').set({ total: 12_345 }).execute()
    await db.updateTable('versionDownloads').set({ count: 1_234 }).execute()
    assert.match(await said(anonymous, path), /Downloads 12k in all, 1 in the last 7 days/)
    assert.match(await page(anonymous, path), /<th[^>]*>Downloads<\/th>/)
    assert.match(await said(anonymous, `${path}/versions/1.0.0`), /1\.2k downloads/)
    assert.match(await said(anonymous, `${path}/versions/1.0.1`), /0 downloads/)
    await alice.library.update({ id, visibility: 'private' })
    assert.doesNotMatch(await said(alice, path), /Downloads/)
  })

  it('lead from a former name to the item for good, with the rest of the address', async ({ alice, anonymous }) => {
    const { id } = await alice.library.publish({ kind: 'automation', visibility: 'public', file: automationFile() })
    await alice.library.rename({ id, slug: 'quay-board' })
    const [old, now] = ['/library/automations/harbor-board', '/library/automations/quay-board']
    for (const rest of [
      '',
      '/versions/0.2.0',
      '/used-by?page=2',
      '/files/automation.json?version=0.2.0',
      '/compare?to=0.2.0',
    ]) {
      const response = await anonymous.request(old + rest, { redirect: 'manual' })
      assert.deepEqual([response.status, response.headers.get('location')], [301, now + rest], rest)
      if (rest !== '/used-by?page=2') assert.equal((await anonymous.request(now + rest)).status, 200, rest)
    }
  })

  it('have the comments, the runs and the banner of an org of the gallery on its card, or its chart', async (world) => {
    const { alice, bob, anonymous } = world
    const orgJson = JSON.stringify(org)
    const { id, slug } = await alice.orgs.create({ orgJson })
    const plain = await alice.orgs.create({ orgJson })
    const { url } = await alice.orgImages.add({ id, image: onePixelDeepPng(600, 200) })
    await alice.orgs.update({ id, bannerUrl: url })
    for (const body of ['Fine', 'Very']) await bob.orgs.comment({ id, body })
    await bob.orgRuns.add({ id, files: [new File(['# a'], 'a.md')] })
    const cards = (await page(anonymous, '/community/orgs')).split('<article class="card">').slice(1)
    const cardOf = (of: string) => required(cards.find((card) => card.includes(`href="/community/orgs/${of}"`)))
    const card = cardOf(slug)
    assert.match(card, new RegExp(`class="banner" src="${url.replaceAll('?', '\\?')}" srcset="`))
    assert.match(card, /href="\/community\/orgs\/[^"]+#runs">\s*1 run\s*</)
    assert.match(card, /#comments">.*2 comments/s)
    const other = cardOf(plain.slug)
    assert.match(other, new RegExp(`class="banner" src="/library/orgs/${plain.slug}/cover"`))
    assert.match(other, /#comments">.*0 comments/s)
    assert.doesNotMatch(other, /#runs|srcset/)
    assert.match(await page(anonymous, '/library'), new RegExp(`href="/community/orgs/${slug}#comments"`))
  })

  it('draw the chart of an org that is not in the gallery', async ({ alice, anonymous }) => {
    const roles = [
      { id: 'lead', title: 'Lead of the desk' },
      { id: 'worker', title: 'Worker', reports_to: 'lead' },
    ]
    const file = orgFile({ roles, communication: [{ from: 'worker', to: 'lead', type: 'report' }] })
    const { slug } = await alice.library.publish({ kind: 'org', visibility: 'public', file })
    const markup = await page(anonymous, `/library/orgs/${slug}`)
    assert.match(markup, /<svg[^>]*aria-label="Org chart"/)
    assert.match(markup, /href="#role-worker"[^>]*>.*Worker/)
    assert.match(markup, /id="role-worker"/)
    assert.match(await said(anonymous, `/library/orgs/${slug}`), /Communication .* worker lead report/)
  })
})

onEveryEngine(
  'with PUBLIC_DOWNLOADS=off',
  (it) => {
    it('a file of an item says to sign in, and leads back to the file', async ({ alice, anonymous }) => {
      const { slug } = await alice.library.publish({ kind: 'automation', visibility: 'public', file: automationFile() })
      const path = `/library/automations/${slug}/files/automation.json`
      const response = await anonymous.request(path)
      assert.equal(response.status, 401)
      const markup = await response.text()
      assert.match(markup, /Files of the library are for members here/)
      assert.match(markup, new RegExp(`href="/sign-in\\?to=${encodeURIComponent(path)}"[^>]*>.*Sign in`))
      assert.equal((await alice.request(path)).status, 200)
      assert.equal((await anonymous.request(`/library/automations/${slug}`)).status, 200)
    })
  },
  { PUBLIC_DOWNLOADS: 'off' },
)
