// Following and the inbox on the site, as a browser without script uses them; and unsubscribing, as mail programs do.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { named, publish } from './owners.ts'
import { onEveryEngine, type Person } from './world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

const page = async (person: Person, path: string) => {
  const response = await person.request(path)
  return response.status === 200 ? response.text() : `${response.status} ${response.headers.get('location')}`
}

onEveryEngine('notifications on the site', (it) => {
  it('are counted in the head, listed, opened and marked as read', async ({ alice, bob, app }) => {
    const bug = await alice.bugs.create(crash)
    const here = `/community/bugs/${bug.id}`
    assert.match(await page(alice, '/notifications'), /No notifications/)
    for (const body of ['One', 'Two', 'Three']) await bob.bugs.comment({ id: bug.id, body })
    await app.deliver()
    assert.match(await page(alice, here), /data-unread="3"/)
    const inbox = await page(alice, '/notifications')
    assert.match(inbox, /Three[\s\S]*Two[\s\S]*One/)
    const { items } = await alice.notifications.list()
    const opened = await submit(alice, '/notifications?/open', { id: items[0]!.id, to: items[0]!.url })
    assert.deepEqual([opened.status, opened.headers.get('location')], [303, items[0]!.url])
    assert.match(await page(alice, here), /data-unread="2"/)
    const elsewhere = await submit(alice, '/notifications?/open', { id: '1', to: 'https://elsewhere.example/' })
    assert.equal(elsewhere.headers.get('location'), '/')
    assert.doesNotMatch(await page(alice, '/notifications?unread'), /Three/)
    await submit(alice, '/notifications?/readAll', { through: '3' })
    assert.match(await page(alice, here), /data-unread="0"/)
    assert.match(await page(alice, '/notifications?unread'), /Nothing unread/)
  })

  it('are one entry a thing, with the older ones folded, and are marked of one thing alone', async (world) => {
    const { alice, bob, app } = world
    const one = await alice.bugs.create({ ...crash, title: 'First thing' })
    const two = await alice.bugs.create({ ...crash, title: 'Second thing' })
    for (const body of ['One', 'Two', 'Three']) await bob.bugs.comment({ id: one.id, body })
    await bob.bugs.comment({ id: two.id, body: 'Four' })
    await app.deliver()
    const inbox = await page(alice, '/notifications')
    assert.match(
      inbox,
      /Second thing[\s\S]*Four[\s\S]*First thing[\s\S]*Three[\s\S]*3 unread[\s\S]*<details[\s\S]*2 more[\s\S]*Two[\s\S]*One/,
    )
    assert.equal(inbox.match(/<article class="entry bare"/g)?.length, 2)
    await submit(alice, '/notifications?/readThing', { target: one.id, through: '3' })
    assert.doesNotMatch(await page(alice, '/notifications?unread'), /First thing/)
    assert.match(await page(alice, '/notifications'), /data-unread="1"[\s\S]*Mark as unread: First thing/)
    await submit(alice, '/notifications?/unread', { id: '2' })
    assert.match(await page(alice, '/notifications?unread'), /data-unread="2"[\s\S]*First thing[\s\S]*Two/)
    const of = await page(alice, `/notifications?of=${one.id}`)
    assert.match(of, /All about First thing[\s\S]*Three[\s\S]*Two[\s\S]*One/)
    assert.doesNotMatch(of, /Four/)
    const wrong = await submit(alice, '/notifications?/unread', { id: 'x' })
    assert.equal(wrong.status, 400)
  })

  it('of a thing with many lead to all of them, and pages go on by things', async (world) => {
    const { alice, bob, app } = world
    const { id } = await alice.bugs.create({ ...crash, title: 'Busy' })
    for (let n = 1; n <= 12; n++) await bob.bugs.comment({ id, body: `Line ${n}.` })
    for (let n = 1; n <= 30; n++) {
      const { id: other } = await alice.posts.create({ title: `Post ${n}.`, body: 'Text' })
      await bob.posts.comment({ id: other, body: 'Read' })
    }
    await app.deliver()
    const first = await page(alice, '/notifications')
    assert.doesNotMatch(first, /Busy/)
    const [, cursor = ''] = /href="\/notifications\?cursor=([^"]+)"/.exec(first) ?? []
    const second = await page(alice, `/notifications?cursor=${cursor}`)
    assert.match(second, /Busy[\s\S]*Line 12\.[\s\S]*11 more[\s\S]*Line 3\./)
    assert.doesNotMatch(second, /Line 2\.|Post /)
    assert.match(second, new RegExp(`href="/notifications\\?of=${id}"[^>]*>(?:<!--.*?-->)*\\s*All 12 about this`))
    assert.match(await page(alice, `/notifications?of=${id}`), /Line 12\.[\s\S]*Line 1\./)
  })

  it('begin with the words of a text, without its marks, and end at a word', async ({ alice, bob, app }) => {
    const bug = await alice.bugs.create(crash)
    await bob.bugs.comment({ id: bug.id, body: `It asks for \`click\` now. ${'Again and again '.repeat(20)}` })
    await app.deliver()
    const inbox = await page(alice, '/notifications')
    assert.match(inbox, />It asks for click now\.[^<]*(?:Again|and|again)…</)
  })

  it('say on the home page what was done, and what waits for a decision once', async (world) => {
    const { alice, bob, app } = world
    await named(alice, 'alice-s')
    await named(bob, 'bob-s')
    await bob.accounts.verifyEmail({ code: await world.code(bob.email) })
    const { id } = await publish(alice)
    await alice.library.addMaintainer({ id, username: 'bob-s', role: 'maintainer' })
    await app.deliver()
    const waiting = await page(bob, '/')
    assert.match(waiting, /alice-s invites you to Digest</)
    assert.doesNotMatch(waiting, /invited you/)
    const [invitation] = (await bob.library.invitations()).items
    await bob.library.acceptInvitation({ id: invitation!.id })
    await app.deliver()
    assert.match(await page(alice, '/'), /bob-s accepted your invitation to Digest</)
  })

  it('are followed by a button for members, and anonymous users are asked to sign in', async ({
    alice,
    bob,
    anonymous,
  }) => {
    const bug = await alice.bugs.create(crash)
    const back = `/community/bugs/${bug.id}`
    assert.match(await page(alice, back), />Unfollow</)
    assert.match(await page(bob, back), />Follow</)
    assert.doesNotMatch(await page(anonymous, back), />Follow</)
    const followed = await submit(bob, '/follow', { id: bug.id, state: 'following', back })
    assert.deepEqual([followed.status, followed.headers.get('location')], [303, `${back}#follow`])
    assert.match(await page(bob, back), />Unfollow</)
    await submit(bob, '/follow', { id: bug.id, state: 'muted', back })
    assert.match(await page(bob, back), />Unmute</)
    const refused = await submit(anonymous, '/follow', { id: bug.id, state: 'following', back })
    assert.match(refused.headers.get('location')!, /^\/sign-in/)
    assert.match(await page(anonymous, '/notifications'), /^303 \/sign-in/)
    assert.equal((await submit(bob, '/follow', { id: 'nothing', state: 'following', back })).status, 404)
  })

  it('are of members too, followed on their profile, and all that is followed is listed', async (world) => {
    const { alice, bob, anonymous, app } = world
    await bob.profile.setUsername({ username: 'bob-s' })
    await alice.profile.setUsername({ username: 'alice-s' })
    const { id } = await bob.account()
    const profile = '/community/u/bob-s'
    assert.match(await page(alice, profile), />Follow</)
    for (const reader of [anonymous, bob]) assert.doesNotMatch(await page(reader, profile), />Follow</)
    const followed = await submit(alice, '/follow', { id, state: 'following', back: profile })
    assert.equal(followed.headers.get('location'), `${profile}#follow`)
    assert.match(await page(alice, profile), />Unfollow</)
    const { id: post } = await bob.posts.create({ title: 'News of Bob', body: 'The first words' })
    const bug = await alice.bugs.create(crash)
    await app.deliver()
    assert.match(await page(alice, '/notifications'), /News of Bob[\s\S]*The first words[\s\S]*bob-s[\s\S]*posted it/)
    const list = '/notifications/following'
    const all = await page(alice, list)
    assert.match(all, /Crash[\s\S]*bob-s/)
    assert.doesNotMatch(all, /News of Bob/)
    assert.doesNotMatch(await page(alice, `${list}?show=things`), /Unfollow: bob-s/)
    assert.doesNotMatch(await page(alice, `${list}?show=members`), /Unfollow: Crash/)
    await submit(alice, '/follow', { id: bug.id, state: 'muted', back: list })
    assert.match(await page(alice, `${list}?show=muted`), /Unmute: Crash/)
    const ended = await submit(alice, '/follow', { id, state: 'none', back: list })
    assert.equal(ended.headers.get('location'), `${list}#follow`)
    assert.match(await page(alice, list), /You follow nothing here/)
    assert.match(await page(anonymous, list), /^303 \/sign-in/)
    assert.equal((await submit(bob, '/follow', { id, state: 'following', back: list })).status, 409)
    assert.equal((await submit(alice, '/follow', { id: post, state: 'following', back: list })).status, 303)
  })

  it('have settings', async ({ alice }) => {
    const kinds = {
      mention: 'daily',
      reply: 'off',
      comment: 'weekly',
      status: 'site',
      version: 'mail',
      release: 'off',
      posted: 'daily',
      invitation: 'weekly',
      approval: 'site',
      report: 'daily',
    }
    const switches = { pushMentions: 'no', pushApprovals: 'yes' }
    const following = { followWritten: 'no', followAnswered: 'yes', followVoted: 'yes', ...switches }
    const form = await page(alice, '/settings/notifications')
    for (const name of Object.keys(kinds)) assert.match(form, new RegExp(`<select [^>]*name="${name}"`))
    const saved = await submit(alice, '/settings/notifications?/save', { ...kinds, ...following })
    assert.match(await saved.text(), /Saved\./)
    const pushed = { pushMentions: false, pushApprovals: true }
    const own = { followWritten: false, followAnswered: true, followVoted: true, ...pushed }
    assert.deepEqual(await alice.notifications.settings(), { ...kinds, ...own })
    const wrong = await submit(alice, '/settings/notifications?/save', { ...kinds, ...following, reply: 'loud' })
    assert.equal(wrong.status, 400)
  })

  it('are unsubscribed from by a mail program, and by a person with a button', async (world) => {
    const { alice, bob, anonymous, app, db, mails } = world
    const { id } = await alice.account()
    await db.updateTable('user').set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
    const bug = await alice.bugs.create(crash)
    const { id: parentId } = await alice.bugs.comment({ id: bug.id, body: 'Anybody?' })
    await bob.bugs.comment({ id: bug.id, body: 'Yes', parentId })
    await app.deliver()
    const url = new URL((await mails(alice.email)).at(-1)!.unsubscribeUrl!)
    const path = url.pathname + url.search
    assert.match(await page(anonymous, path), /<button[^>]*>(?:<!--.*?-->)*Unsubscribe</)
    assert.equal((await alice.notifications.settings()).reply, 'mail', 'reading the page changes nothing')
    const forged = await submit(anonymous, `${path}x`, { 'List-Unsubscribe': 'One-Click' })
    assert.equal(forged.status, 404)
    const done = await submit(anonymous, path, { 'List-Unsubscribe': 'One-Click' })
    assert.equal(done.status, 200)
    assert.equal((await alice.notifications.settings()).reply, 'site')
  })
})
