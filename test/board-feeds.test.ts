// Atom feeds of a board: of an open one for everybody, of a closed one by the key of a member who reads it, on a public and on a private instance.
import assert from 'node:assert/strict'
import { buildSite } from '../src/surfaces/site/build.ts'
import { setReaders } from './private-world.ts'
import { onEveryEngine, type World } from './world.ts'

const INSIDE = 'Numbatkette'
const bug = { description: 'Inside', severity: 'low' } as const

await buildSite(() => {})

async function fill({ admin, moderator, alice, bob, app }: World) {
  await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
  await admin.boards.create({ slug: 'labs', name: 'Labs' })
  const { id } = await moderator.bugs.create({ ...bug, title: INSIDE, board: 'staff' })
  await moderator.bugs.comment({ id, body: `${INSIDE} said` })
  await alice.posts.create({ title: 'Quokkatanz', body: 'B', board: 'labs' })
  await app.deliver()
  return { id, own: (await moderator.feeds.renew()).key, other: (await bob.feeds.renew()).key }
}

const pathsOf = (id: string) => [
  '/feed.atom?board=staff',
  '/community/bugs.atom?board=staff',
  `/community/bugs/${id}.atom?`,
]

onEveryEngine('the Atom feeds of a board', (it) => {
  it('are open where the board is, and those of a closed one need the key of who reads it', async (world) => {
    const { anonymous, moderator } = world
    const { id, own, other } = await fill(world)
    const open = await anonymous.request('/feed.atom?board=labs')
    const text = await open.text()
    assert.match(text, /Quokkatanz/)
    assert.match(text, /community\/boards\/labs/)
    assert.doesNotMatch(await (await anonymous.request('/feed.atom?board=main')).text(), /Quokkatanz/)
    for (const path of pathsOf(id)) {
      const inside = await anonymous.request(`${path}&key=${own}`)
      const said = await inside.text()
      assert.equal(inside.status, 200, path)
      assert.match(said, new RegExp(INSIDE), path)
      assert.ok(!said.includes(own), `${path} names the key`)
      assert.equal(inside.headers.get('cache-control'), 'private, no-store')
      for (const key of ['', `&key=${other}`, '&key=gfeed_00000000000000000000000000000'])
        for (const person of [anonymous, world.bob]) {
          const answer = await person.request(`${path}${key}`)
          assert.equal(answer.status, 404, `${path}${key}`)
          assert.doesNotMatch(await answer.text(), new RegExp(INSIDE))
        }
    }
    assert.doesNotMatch(await (await anonymous.request(`/feed.atom?key=${own}`)).text(), new RegExp(INSIDE))
    assert.equal((await anonymous.request(`/api/community/feed?board=staff&key=${own}`)).status, 404)
    assert.equal((await anonymous.request(`/community/boards/staff?key=${own}`)).status, 404)
    await moderator.feeds.end()
    for (const path of pathsOf(id)) assert.equal((await anonymous.request(`${path}&key=${own}`)).status, 404, path)
  })

  it('close to who reads the board no longer, on a private instance too', async (world) => {
    const { admin, anonymous, moderator } = world
    const { id, own, other } = await fill(world)
    await setReaders(world, 'members')
    for (const path of pathsOf(id)) {
      assert.match(await (await anonymous.request(`${path}&key=${own}`)).text(), new RegExp(INSIDE), path)
      assert.equal((await anonymous.request(`${path}&key=${other}`)).status, 404, path)
      assert.equal((await anonymous.request(path)).status, 401, path)
    }
    await admin.admin.setRole({ id: (await moderator.account()).id, role: 'member' })
    for (const path of pathsOf(id)) assert.notEqual((await anonymous.request(`${path}&key=${own}`)).status, 200, path)
    const { key } = await moderator.feeds.renew()
    for (const path of pathsOf(id)) assert.equal((await anonymous.request(`${path}&key=${key}`)).status, 404, path)
  })
})
