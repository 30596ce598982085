// What is decided about things, on their pages and lists, as browsers without script show it and change it.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { onEveryEngine, type Person } from './world.ts'

const page = async (person: Person, path: string) => (await person.request(path)).text()

const kinds = ['bugs', 'features', 'posts'] as const

const write = (person: Person, kind: (typeof kinds)[number], title: string) =>
  kind === 'bugs'
    ? person.bugs.create({ title, description: 'D', severity: 'low' })
    : kind === 'features'
      ? person.features.create({ title, description: 'D' })
      : person.posts.create({ title, body: 'B' })

onEveryEngine('the pages of what moderators decide', (it) => {
  it('show pins, locks and solutions, and change them', async ({ alice, bob, moderator, anonymous }) => {
    for (const kind of kinds) {
      const list = `/community/${kind}`
      const { id } = await write(alice, kind, 'The clock')
      const here = `${list}/${id}`
      const comment = await (bob[kind] as Person['bugs']).comment({ id, body: 'Turn it *off*' })
      for (const path of [here, list]) {
        assert.doesNotMatch(await page(anonymous, path), /Pinned|Comments locked|Solved/, path)
      }
      for (const person of [alice, bob, anonymous])
        assert.doesNotMatch(await page(person, here), /\?\/(pin|lock|assign)/)
      assert.match(await page(moderator, here), /\?\/pin"[\s\S]*\?\/lock"/)

      await submit(moderator, `${here}?/pin`, { pinned: 'true', reason: 'Read this' })
      assert.match(await page(anonymous, here), /Pinned[\s\S]*pinned this[\s\S]*Read this/)
      await write(alice, kind, 'A newer one')
      assert.match(await page(anonymous, list), />The clock<[\s\S]*>A newer one</)
      assert.match(await page(anonymous, `${list}?by=people`), />A newer one<[\s\S]*>The clock</)
      assert.equal((await submit(bob, `${here}?/pin`, { pinned: 'false' })).status, 403)
      await submit(moderator, `${here}?/pin`, { pinned: 'false' })
      assert.match(await page(anonymous, list), />A newer one<[\s\S]*>The clock</)

      assert.doesNotMatch(await page(bob, here), /Mark as solution/)
      for (const may of [alice, moderator]) assert.match(await page(may, here), /Mark as solution/)
      await submit(alice, `${here}?/solve`, { comment: comment.id, solves: 'true' })
      const solved = await page(anonymous, here)
      assert.match(
        solved,
        /id="solution-title">Solution<[\s\S]*Turn it off[\s\S]*\/community\/comments\/[^"]*"[^>]*>Go to/,
      )
      assert.match(await page(anonymous, list), /Solved/)
      assert.match(await page(alice, here), /Not the solution/)
      await submit(alice, `${here}?/solve`, { comment: comment.id, solves: 'false' })
      assert.doesNotMatch(await page(anonymous, here), /solution-title/)
    }
  })

  it('say once why a solution or an assignee was refused, in the form of it', async (world) => {
    const { alice, bob, moderator, admin } = world
    const { id } = await write(alice, 'bugs', 'The clock')
    const here = `/community/bugs/${id}`
    const [gone, left] = [await bob.bugs.comment({ id, body: 'One' }), await bob.bugs.comment({ id, body: 'Two' })]
    await bob.comments.delete({ id: gone.id })
    const countIn = (text: string) => text.split('role="alert"').length - 1
    const solved = await submit(alice, `${here}?/solve`, { comment: gone.id, solves: 'true' })
    assert.equal(solved.status, 404)
    const page = await solved.text()
    assert.match(page, /id="comments"[\s\S]*role="alert"[\s\S]*?No such comment here/)
    assert.equal(countIn(page), 1)
    const forbidden = await submit(bob, `${here}?/solve`, { comment: left.id, solves: 'true' })
    assert.equal(forbidden.status, 403)
    assert.match(await forbidden.text(), /role="alert"[\s\S]*?Forbidden/)

    const accounts = await Promise.all([moderator, admin].map((person) => person.account()))
    for (const { id: account } of accounts) await moderator.threads.assign({ id, account })
    const other = await bob.account()
    const unassigned = await submit(moderator, `${here}?/unassign`, { accountId: other.id })
    assert.equal(unassigned.status, 404)
    const controls = await unassigned.text()
    assert.match(controls, /id="controls" open[\s\S]*role="alert"[\s\S]*?It is not assigned to this account/)
    assert.equal(countIn(controls), 1)
  })

  it('have a sentence where the form of a locked discussion was', async ({ alice, bob, moderator, anonymous }) => {
    const { id } = await write(alice, 'posts', 'Closed')
    const here = `/community/posts/${id}`
    const comment = await bob.posts.comment({ id, body: 'Mine' })
    assert.match(await page(bob, here), /\?\/comment"/)
    await submit(moderator, `${here}?/lock`, { locked: 'true', reason: 'Calm down' })
    for (const person of [bob, anonymous]) {
      const shown = await page(person, `${here}?edit=${comment.id}`)
      assert.match(shown, /Comments are locked\. Only moderators can comment\.[\s\S]*/)
      assert.match(shown, /locked the comments[\s\S]*Calm down/)
      assert.doesNotMatch(shown, /\?\/comment"|\?\/editComment|data-reply|data-quote|Sign in<\/a> to comment/)
    }
    assert.match(await page(moderator, here), /You can still comment\.[\s\S]*\?\/comment"/)
    const refused = await submit(bob, `${here}?/comment`, { body: 'What I typed' })
    assert.equal(refused.status, 403)
    assert.match(await refused.text(), /What I typed/)
    await submit(moderator, `${here}?/lock`, { locked: 'false' })
    assert.match(await page(bob, here), /\?\/comment"/)
  })

  it('assign bugs and requests, which the page of their work lists', async ({ alice, bob, moderator, anonymous }) => {
    await bob.profile.setUsername({ username: 'bob' })
    assert.match(await page(bob, '/my-work'), /Nothing is assigned to you/)
    assert.equal((await anonymous.request('/my-work')).headers.get('location'), '/sign-in?to=%2Fmy-work')
    const { id } = await write(alice, 'bugs', 'The clock')
    const here = `/community/bugs/${id}`
    const unknown = await submit(moderator, `${here}?/assign`, { account: 'nothing' })
    assert.equal(unknown.status, 404)
    assert.match(await unknown.text(), /<details[^>]*id="controls"[^>]* open/)
    await submit(moderator, `${here}?/assign`, { account: ' @Bob ' })
    await submit(moderator, `${here}?/setDue`, { dueOn: '2001-02-03' })
    for (const path of [here, '/community/bugs'])
      assert.match(await page(anonymous, path), /Due[\s\S]{0,40}3 Feb 2001[\s\S]*Assigned to[\s\S]*\/community\/u\/bob/)
    assert.match(await page(bob, '/my-work'), /The clock[\s\S]*Overdue since 3 Feb 2001/)
    assert.match(await page(bob, '/'), /href="\/my-work"/)
    const { id: accountId } = await bob.account()
    await submit(moderator, `${here}?/setDue`, { dueOn: '' })
    await submit(moderator, `${here}?/unassign`, { accountId })
    assert.doesNotMatch(await page(anonymous, here), /Assigned to|<dt>Due/)
    const post = await write(alice, 'posts', 'A post')
    assert.doesNotMatch(await page(moderator, `/community/posts/${post.id}`), /\?\/assign/)
  })
})
