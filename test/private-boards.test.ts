// A closed board tells nothing to who does not read it: every operation, page, feed, picture and file is asked by an anonymous caller and by
// a member, with the things of each kind that are in the board, and no answer has a word of them. Derived: what is new is in it.
import assert from 'node:assert/strict'
import { buildSite } from '../src/surfaces/site/build.ts'
import { type AnonymousCall, type Community, callsOf, fill, pagesOf } from './private-world.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

/** Stands in every text of the closed board, and nowhere else. */
const SECRET = 'Zanzibarrow'

/** One thing of each kind in a closed board, each with a comment; the ids by the slice of its operations. */
async function close({ admin, moderator, bob }: World): Promise<{ ids: string[]; bySlice: Community['bySlice'] }> {
  await admin.boards.create({ slug: 'staff', name: SECRET, description: SECRET, readers: 'roles: moderator' })
  const board = 'staff'
  const written = { title: `${SECRET} title`, description: `${SECRET} text`, body: `${SECRET} text` }
  const { title, description, body } = written
  const { id: authorId } = await moderator.account()
  // Who does not read the board is named in it, follows who writes there, and is assigned to what is in it.
  const { id: account } = await bob.account()
  const { username } = await bob.profile.setUsername({ username: 'outsider' })
  await moderator.profile.setUsername({ username: 'insider' })
  await bob.follows.set({ id: authorId, state: 'following' })
  await bob.notifications.updateSettings({ mention: 'mail', posted: 'mail', status: 'mail' })
  const bySlice: Record<string, Record<string, string>> = {}
  const made = {
    bugs: await moderator.bugs.create({ title, description, severity: 'low', board }),
    features: await moderator.features.create({ title, description, board }),
    posts: await moderator.posts.create({ title, body, board }),
    changelog: await moderator.changelog.create({ title, body, board }),
  }
  const ids: string[] = []
  for (const [slice, { id }] of Object.entries(made)) {
    bySlice[slice] = { id }
    const { id: commentId } = await (moderator as unknown as Record<string, Person['bugs']>)[slice]!.comment({
      id,
      body: `${SECRET} said to @${username}`,
    })
    bySlice['comments'] = { id: commentId, authorId }
    ids.push(id, commentId)
  }
  await moderator.threads.assign({ id: made.bugs.id, account })
  bySlice['threads'] = { id: made.bugs.id }
  bySlice['boards'] = { board }
  return { ids, bySlice }
}

async function assertNothing(person: Person, asked: AnonymousCall, ids: readonly string[]): Promise<void> {
  const { path, method, body } = asked
  const sent = body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }
  const response = await person.request(path, { method, ...sent })
  const told = Buffer.from(await response.arrayBuffer()).toString('latin1')
  // The address that was asked for is no news to its caller.
  const news = told.replaceAll(path, '').replaceAll(path.split('?')[0] ?? path, '')
  const where = `${method} ${path}: ${response.status}`
  assert.doesNotMatch(news, new RegExp(SECRET, 'i'), where)
  const asksFor = ids.find((id) => path.includes(id) || body?.includes(id))
  for (const id of ids) if (id !== asksFor) assert.ok(!news.includes(id), `${where} tells of ${id}`)
}

await buildSite(() => {})

onEveryEngine('a closed board', (it) => {
  it('tells nothing to anonymous callers and to members who do not read it', async (world) => {
    const { anonymous, bob, app } = world
    const community = await fill(world)
    const { ids, bySlice } = await close(world)
    await app.deliver()
    const inside: Community = { ...community, bySlice: { ...community.bySlice, ...bySlice } }
    const reads = [...callsOf(inside), ...pagesOf(inside)].filter(({ method }) => method === 'GET')
    const more = ['bugs', 'features', 'posts', 'changelog'].map((kind) => `/api/community/${kind}?board=staff`)
    // Words of its texts, not the one that no answer may have.
    const words = ['q=title', 'q=said&sort=newest', 'q=text&type=bug,comment'].flatMap((query) =>
      ['/api/search?', '/api/search?board=staff&', '/search?board=staff&', '/search.atom?board=staff&'].map(
        (path) => path + query,
      ),
    )
    const feeds = [
      '/api/community/feed?type=bug',
      '/api/community/feed?board=staff&sort=popular',
      '/api/community/notifications?board=staff',
    ]
    const atoms = ['/feed.atom?board=staff', '/community/bugs.atom?board=staff']
    const asked = [...more, ...words, ...feeds, ...atoms].map(
      (path): AnonymousCall => ({ name: path, path, method: 'GET' }) as AnonymousCall,
    )
    assert.ok(reads.length > 100, `${reads.length} reads`)
    for (const person of [anonymous, bob]) {
      for (const one of [...reads, ...asked]) if (!one.path.includes(SECRET)) await assertNothing(person, one, ids)
      const found = await person.search.find({ q: SECRET })
      assert.deepEqual([found.items, found.corrected], [[], []])
    }
    assert.doesNotMatch(JSON.stringify(await world.mails(bob.email)), new RegExp(SECRET))
    assert.equal((await bob.notifications.count()).unread, (await bob.notifications.list()).unread)
    const { items } = await world.moderator.bugs.list({ board: 'staff' })
    assert.equal(items.length, 1, 'its readers have it')
  })
})
