// Boards on the site, as browsers without script show and change them.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { verify } from './visitor.ts'
import { onEveryEngine, type Person } from './world.ts'

const page = async (person: Person, path: string) => (await person.request(path)).text()
const path = '/admin/boards'
const fields = {
  ...{ name: 'Night shift', slug: 'night', description: 'After dark', position: '2' },
  ...{ readers: 'everyone', writers: 'members', moderators: 'none' },
}

onEveryEngine('the pages of boards', (it) => {
  it('are made, changed, archived and deleted by admins', async ({ admin, moderator, anonymous, alice }) => {
    await alice.account()
    assert.equal((await moderator.request(path)).status, 403)
    assert.equal((await anonymous.request(path)).status, 303)
    for (const one of ['/', '/community/posts', '/community/posts/new'])
      assert.doesNotMatch(await page(alice, one), /Boards|name="board"/, one)
    assert.match(await (await submit(admin, `${path}?/create`, fields)).text(), /Board Night shift created/)
    const taken = await submit(admin, `${path}?/create`, fields)
    assert.equal(taken.status, 409)
    assert.match(await taken.text(), /field-error|-error"/)
    assert.equal((await submit(admin, `${path}?/create`, { ...fields, slug: 'b', readers: 'nonsense' })).status, 400)
    for (const one of ['/', '/community/posts'])
      assert.match(await page(anonymous, one), /href="[^"]*board[^"]*night"/, one)
    const words = { ...fields, board: 'night', name: 'Night watch', 'status.bug.open': 'Glowing' }
    await submit(admin, `${path}?/update`, { ...words, agents: 'suggest; votes: write' })
    assert.match(await page(admin, path), /value="suggest; votes: write"/)
    assert.equal((await submit(admin, `${path}?/update`, { ...words, agents: 'nonsense' })).status, 400)
    await submit(admin, `${path}?/update`, { ...words, agents: '' })
    assert.equal((await admin.boards.get({ board: 'night' })).agents, null)
    assert.match(await page(admin, path), /Night watch[\s\S]*Glowing/)
    const post = await alice.posts.create({ title: 'The moon', body: 'B', board: 'night' })
    assert.match(await page(anonymous, '/community/boards/night'), /<h1>Night watch<\/h1>[\s\S]*The moon/)
    assert.equal((await submit(admin, `${path}?/delete`, { board: 'night' })).status, 409)
    await alice.posts.delete({ id: post.id })
    assert.match(await page(admin, path), /aria-label="Archive board Night watch"/)
    await submit(admin, `${path}?/archive`, { board: 'night', archived: 'true' })
    assert.match(await page(admin, path), /aria-label="Take board Night watch out of the archive"/)
    assert.match(await page(anonymous, '/community/boards/night'), /Archived/)
    await submit(admin, `${path}?/delete`, { board: 'night' })
    assert.equal((await anonymous.request('/community/boards/night')).status, 404)
  })

  it('ask to confirm where others would read what is in one, and keep what was typed', async (world) => {
    const { admin, moderator } = world
    const label = await admin.labels.create({ name: 'clock', color: '#336699' })
    const second = await admin.labels.create({ name: 'bell', color: '#336699' })
    await submit(admin, `${path}?/create`, { ...fields, slug: 'day', name: 'Day shift' })
    const closed = { ...fields, readers: 'roles: moderator' }
    const chosen = { [`label ${label.id}`]: 'on', [`label ${second.id}`]: 'on' }
    await submit(admin, `${path}?/create`, { ...closed, ...chosen })
    const boards = (await admin.boards.list({})).items
    const [one, two] = ['night', 'day'].map((slug) => boards.find((board) => board.slug === slug))
    assert.deepEqual(one?.labels?.toSorted(), [label.id, second.id].toSorted())
    assert.equal(two?.labels, null)
    const inside = await moderator.posts.create({ title: 'Inside', body: 'B', board: 'night' })

    const change = { ...fields, ...chosen, board: 'night' }
    for (const { status, asks, given } of [
      { status: 409, asks: false, given: { ...change, ...closed, slug: 'day' } },
      { status: 400, asks: false, given: { ...change, readers: 'nonsense' } },
      { status: 409, asks: true, given: change },
    ]) {
      const refused = await submit(admin, `${path}?/update`, given)
      assert.equal(refused.status, status)
      const text = await refused.text()
      assert.equal(text.includes('name="confirm"'), asks, `${status}`)
      const [form = ''] = text.slice(text.indexOf('name="board" value="night"')).split('</form>', 1)
      for (const { id } of [label, second])
        assert.match(form, new RegExp(`name="label ${id}"[^>]* checked`), `${status}`)
    }
    const none = await submit(admin, `${path}?/update`, { ...fields, board: 'night', slug: 'day' })
    assert.doesNotMatch(await none.text(), /name="label [^>]* checked/)
    await submit(admin, `${path}?/update`, { ...change, confirm: 'true' })
    assert.equal((await world.anonymous.posts.get({ id: inside.id })).title, 'Inside')
  })

  it('ask to confirm a merge by which others read a thing', async ({ admin, alice, moderator }) => {
    await admin.boards.create({ slug: 'staff', name: 'Staff room', readers: 'roles: moderator' })
    const inside = await moderator.posts.create({ title: 'Inside', body: 'B', board: 'staff' })
    const outside = await alice.posts.create({ title: 'Outside', body: 'B' })
    const merge = `/community/posts/${inside.id}?/merge`
    const refused = await submit(moderator, merge, { number: '999' })
    assert.deepEqual([refused.status, (await refused.text()).includes('name="confirm"')], [404, false])
    const asked = await submit(moderator, merge, { number: `#${outside.number}` })
    assert.deepEqual([asked.status, (await asked.text()).includes('name="confirm"')], [409, true])
    assert.equal((await submit(moderator, merge, { number: `${outside.number}`, confirm: 'true' })).status, 303)
  })

  it('have the forms of moderators for those who moderate the board alone', async (world) => {
    const { admin, alice, bob } = world
    await verify(world, await alice.account())
    await alice.teams.create({ slug: 'core', name: 'Core' })
    const rule = { ...fields, moderators: 'teams: core' }
    await submit(admin, `${path}?/create`, rule)
    await submit(admin, `${path}?/create`, { ...rule, slug: 'day', name: 'Day shift' })
    const inside = await bob.features.create({ title: 'Inside', description: 'D', board: 'night' })
    const outside = await bob.features.create({ title: 'Outside', description: 'D' })
    const forms = ['decide', 'move', 'merge', 'pin', 'lock', 'assign', 'setDue']
    const [own, others] = [
      await page(alice, `/community/features/${inside.id}`),
      await page(alice, `/community/features/${outside.id}`),
    ]
    for (const form of forms) {
      assert.ok(own.includes(`?/${form}"`), form)
      assert.ok(!others.includes(`?/${form}"`), form)
    }
    const [move = ''] = own.slice(own.indexOf('?/move"')).split('</form>', 1)
    assert.match(move, /Day shift/)
    assert.doesNotMatch(move, /value="main"/)
    const here = `/community/features/${inside.id}`
    assert.equal((await submit(alice, `${here}?/decide`, { status: 'planned' })).status, 200)
    assert.equal((await submit(alice, `${here}?/pin`, { pinned: 'true' })).status, 200)
    assert.equal((await submit(bob, `${here}?/pin`, { pinned: 'false' })).status, 403)
    assert.equal((await submit(alice, `${here}?/move`, { board: 'day' })).status, 200)
    assert.equal((await bob.features.get({ id: inside.id })).board, 'day')
  })

  it('invite to a board by a link, list who used it, and take them out', async (world) => {
    const { admin, alice, moderator } = world
    await verify(world, await alice.account())
    await submit(admin, `${path}?/create`, { ...fields, readers: 'invited' })
    const post = await moderator.posts.create({ title: 'The moon', body: 'B', board: 'night' })
    assert.match(await page(admin, '/admin/invitations'), /name="board"[\s\S]*Night shift/)
    const link = { role: 'member', board: 'night', expiresInDays: '3', maxUses: '1' }
    const made = await (await submit(admin, '/admin/invitations?/link', link)).text()
    const [, key = ''] = /join\?key=(ginvite_[\w-]+)/.exec(made) ?? []
    await alice.request(`/join?key=${key}`)
    assert.match(await page(alice, '/join'), /board Night shift/)
    await submit(alice, '/join?/accept', {})
    assert.match(await page(alice, `/community/posts/${post.id}`), /The moon/)
    const invited = `${path}/night`
    assert.equal((await moderator.request(invited)).status, 403)
    const { id } = await alice.account()
    assert.ok((await page(admin, invited)).includes(`value="${id}"`))
    assert.match(await (await submit(admin, `${invited}?/remove`, { userId: id })).text(), /no longer invited/)
    assert.equal((await alice.request(`/community/posts/${post.id}`)).status, 404)
  })

  it('choose the board of what one writes and reads, and moderators move it', async (world) => {
    const { admin, alice, moderator, anonymous } = world
    await submit(admin, `${path}?/create`, fields)
    await submit(admin, `${path}?/create`, {
      ...fields,
      slug: 'staff',
      name: 'Staff room',
      readers: 'roles: moderator',
    })
    const form = await page(alice, '/community/posts/new?board=night')
    assert.match(form, /<option value="night" selected/)
    assert.doesNotMatch(form, /Staff room/)
    await submit(alice, '/community/posts/new?/create', { title: 'The moon', body: 'Full', board: 'night' })
    const [post] = (await anonymous.posts.list({ board: 'night' })).items
    const here = `/community/posts/${post!.id}`
    assert.match(await page(anonymous, here), /href="\/community\/boards\/night"[^>]*>[\s\S]*?Night shift/)
    assert.match(await page(anonymous, '/community/posts?board=night'), /The moon/)
    assert.doesNotMatch(await page(anonymous, '/community/posts?board=main'), /The moon/)
    assert.doesNotMatch(await page(alice, here), /\?\/move"/)
    assert.match(await page(moderator, here), /\?\/move"[\s\S]*Staff room/)
    const refused = await submit(moderator, `${here}?/move`, { board: 'staff' })
    assert.equal(refused.status, 409)
    assert.match(await refused.text(), /name="confirm"/)
    await submit(moderator, `${here}?/move`, { board: 'staff', confirm: 'true' })
    assert.equal((await anonymous.request(here)).status, 404)
    for (const one of ['/', '/community/posts', '/community/boards/staff'])
      assert.doesNotMatch(await page(anonymous, one), /Staff room|The moon/, one)
    assert.match(await page(moderator, here), /Staff room/)
  })
})

onEveryEngine('the filters of a board on pages', (it) => {
  const filter = { name: 'Open ones', path: '/community/bugs?status=open', back: '/community/bugs?status=open' }
  const inStaff = { ...filter, path: '/community/bugs?board=staff&status=open', board: 'staff' }

  it('are shared and taken out by moderators on its lists, and are links for all who read it', async (world) => {
    const { moderator, alice, anonymous } = world
    await alice.account()
    const [list, board] = ['/community/bugs?status=open', '/community/boards/main']
    assert.doesNotMatch(await page(alice, list), /Share with everyone who reads/)
    assert.match(await page(moderator, list), /Share with everyone who reads Main/)
    assert.equal((await submit(alice, '/saved-filters', { ...filter, board: 'main' })).status, 403)
    assert.equal((await submit(moderator, '/saved-filters', { ...filter, board: 'main' })).status, 303)
    for (const path of [board, list, '/community/bugs'])
      assert.match(
        await page(anonymous, path),
        /href="\/community\/bugs\?status=open"[^>]*>[\s\S]{0,40}Open ones/,
        path,
      )
    assert.doesNotMatch(await page(anonymous, '/community/posts'), /Open ones/)
    assert.doesNotMatch(await page(alice, list), /from the board/)
    const [, id = ''] = /name="remove" value="([^"]+)"/.exec(await page(moderator, list)) ?? []
    await submit(moderator, '/saved-filters', { remove: id, board: 'main', back: list })
    assert.doesNotMatch(await page(anonymous, board), /Open ones/)
  })

  it('of a closed board are on no page of others', async ({ admin, moderator, alice }) => {
    await alice.account()
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    assert.equal((await submit(moderator, '/saved-filters', inStaff)).status, 303)
    assert.match(await page(moderator, '/community/bugs?board=staff'), /Open ones/)
    for (const path of ['/community/bugs', '/community/boards/main']) {
      assert.doesNotMatch(await page(alice, path), /Open ones/, path)
      assert.doesNotMatch(await page(moderator, path), /Open ones/, path)
    }
    assert.equal((await alice.request('/community/bugs?board=staff')).status, 404)
  })
})
