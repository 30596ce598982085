// Comments in a browser, with script and without: replies, quotes, reactions, orders, and the address of each comment.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip } from './chromium.ts'
import { type Site, visit, withSite } from './site.ts'

type Journey = (site: Site, scripted: boolean) => Promise<void>

const hello = { title: 'Hello', body: 'I am new here' }

const journeys: Record<string, Journey> = {
  async 'reply to a comment, and to the reply'(site, scripted) {
    const { alice } = site.world
    const { id } = await alice.posts.create(hello)
    const first = await alice.posts.comment({ id, body: 'First' })
    await alice.posts.comment({ id, body: 'Second' })
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    await open(`/community/posts/${id}`)
    for (const [to, body] of [
      ['First', 'A reply'],
      ['A reply', 'A reply to the reply'],
    ] as const) {
      const article = page.locator('article.bare', { has: page.getByText(to, { exact: true }) })
      await article.getByRole('link', { name: 'Reply', exact: true }).click()
      await page.getByText('A reply to', { exact: false }).last().waitFor()
      await page.getByLabel('Your comment').fill(body)
      await page.getByRole('button', { name: 'Comment', exact: true }).click()
      await page.locator('.replies').getByText(body, { exact: true }).waitFor()
    }
    const { items } = await alice.posts.comments({ id, parentId: first.id })
    assert.deepEqual(
      items.map(({ body }) => body),
      ['A reply', 'A reply to the reply'],
    )
    checkComplaints()
  },

  async 'quote a comment, with a link to it'(site, scripted) {
    const { alice } = site.world
    await alice.profile.setUsername({ username: 'ally' })
    const { id } = await alice.features.create({ title: 'Dark mode', description: 'For the night' })
    const comment = await alice.features.comment({ id, body: '> Older\n\nTwo lines\nof text' })
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    await open(`/community/features/${id}`)
    await page.getByRole('link', { name: 'Quote' }).click()
    const field = page.getByLabel('Your comment')
    const quoted = `> [ally](/community/comments/${comment.id}):\n>\n> Two lines\n> of text\n\n`
    await page.waitForFunction(() => document.querySelector('textarea')?.value.startsWith('> [ally]'))
    assert.equal(await field.inputValue(), quoted)
    await field.fill(`${quoted}So it is.`)
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.locator('blockquote').getByRole('link', { name: 'ally' }).click()
    await page.waitForURL(`**/community/features/*-dark-mode#comment-${comment.id}`)
    checkComplaints()
  },

  async 'react to a comment, and take it back'(site, scripted) {
    const { alice } = site.world
    const { id } = await alice.bugs.create({ title: 'A bug', description: 'Text', severity: 'low' })
    await alice.bugs.comment({ id, body: 'First' })
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    await open(`/community/bugs/${id}`)
    await page.getByLabel('Add a reaction').click()
    await page.getByRole('button', { name: 'Heart' }).click()
    await page.getByRole('button', { name: 'Heart: 1', pressed: true }).waitFor()
    const reactions = async () => (await alice.bugs.comments({ id })).items[0]?.reactions
    assert.deepEqual(await reactions(), { heart: 1 })
    await page.getByRole('button', { name: 'Heart: 1' }).click()
    await page.getByRole('button', { name: 'Heart: 1' }).waitFor({ state: 'detached' })
    assert.deepEqual(await reactions(), {})
    checkComplaints()
  },

  async 'find a comment by its address on whichever page it is, and choose an order'(site, scripted) {
    const { alice, bob } = site.world
    const { id, number } = await alice.bugs.create({ title: 'A bug', description: 'Text', severity: 'low' })
    const comments = []
    for (let n = 0; n < 52; n++) comments.push(await alice.bugs.comment({ id, body: `Comment ${n}` }))
    const [first, last] = [comments[0]!, comments[51]!]
    const replies = []
    for (let n = 0; n < 6; n++) replies.push(await bob.bugs.comment({ id, body: `Reply ${n}`, parentId: first.id }))
    const { page, open, checkComplaints } = await visit(site, { scripted })
    const path = `/community/bugs/${number}-a-bug`
    await open(`/community/comments/${last.id}`)
    assert.ok(page.url().endsWith(`${path}?page=1#comment-${last.id}`), page.url())
    assert.equal(await page.locator(':target').getAttribute('id'), `comment-${last.id}`)
    await open(`/community/comments/${replies[5]!.id}`)
    assert.ok(page.url().endsWith(`${path}?thread=${first.id}#comment-${replies[5]!.id}`), page.url())
    await page.getByRole('link', { name: 'All comments' }).click()
    await page.getByRole('link', { name: 'Show all 6 replies' }).waitFor()
    await page.getByRole('link', { name: 'Newest' }).click()
    await page.waitForURL(/sort=newest/)
    assert.match((await page.locator('.entries > li').first().textContent()) ?? '', /Comment 51/)
    if (scripted) {
      await open('/community')
      await open(`${path}#comment-${last.id}`)
      await page.waitForURL(`**${path}?page=1#comment-${last.id}`)
    }
    checkComplaints()
  },

  async 'edit what they wrote, and see what was changed'(site, scripted) {
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    await open('/community/bugs/new')
    await page.getByLabel('Title').fill('It stops')
    await page.getByLabel('Description').fill('On the first start.')
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByRole('heading', { name: 'It stops' }).waitFor()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Title').fill('It stops twice')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'It stops twice' }).waitFor()
    await page.getByLabel('Your comment').fill('The same')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.locator('.others > summary').click()
    await page.locator('#comments').getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Text of the comment').fill('')
    await page.getByLabel('Text of the comment').fill('The same here')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#comments').getByText('The same here', { exact: true }).waitFor()
    await page.locator('#comments a[href^="/community/comments/"][href$="/history"]').click()
    await page.locator('ins', { hasText: ' here' }).waitFor()
    await page.getByRole('link', { name: 'The comment' }).click()
    await page
      .getByRole('link', { name: /edited/ })
      .first()
      .click()
    await page.locator('ins', { hasText: ' twice' }).waitFor()
    checkComplaints()
  },

  async 'close and reopen their bug, and read who changed its status'(site, scripted) {
    const { page, open, account, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    await open('/community/features/new')
    await page.getByLabel('Title').fill('Dark mode')
    await page.getByLabel('Description').fill('For the night.')
    await page.getByRole('button', { name: 'Submit request' }).click()
    await page.getByRole('button', { name: 'Close request' }).click()
    await page.getByRole('button', { name: 'Reopen request' }).click()
    await page.getByRole('button', { name: 'Close request' }).waitFor()
    const { items } = await site.world.anonymous.features.list({ authorId: account!.id })
    await site.world.admin.features.setStatus({ id: items[0]!.id, status: 'shipped', reason: 'Since version 2' })
    await page.reload()
    await page.locator('#comments .happened').getByText('Since version 2').waitFor()
    assert.equal(await page.locator('#comments .happened').count(), 3)
    assert.equal(await page.getByRole('button', { name: 'Close request' }).count(), 0)
    checkComplaints()
  },

  async 'follow numbers and names in texts'(site, scripted) {
    const { alice } = site.world
    await alice.profile.setUsername({ username: 'ally' })
    const bug = await alice.bugs.create({ title: 'A "bug"', description: 'Text', severity: 'low' })
    const body = `See #${bug.number} and @Ally, not #999, @nobody or \`#${bug.number}\` or mail@ally.example.`
    const post = await alice.posts.create({ ...hello, body })
    await alice.posts.comment({ id: post.id, body: `It is #${bug.number}` })
    const { page, open, checkComplaints } = await visit(site, { scripted })
    await open(`/community/${post.number}`)
    await page.waitForURL(`**/community/posts/${post.number}-*`)
    assert.equal(await page.locator('.prose a').count(), 3)
    assert.equal(await page.getByRole('link', { name: '@ally' }).getAttribute('href'), '/community/u/ally')
    await page
      .locator('#comments')
      .getByRole('link', { name: `#${bug.number}` })
      .click()
    await page.getByRole('heading', { name: 'A "bug"' }).waitFor()
    await page.locator('h1').getByText(`#${bug.number}`).waitFor()
    checkComplaints()
    assert.equal((await page.goto('/community/999'))?.status(), 404)
  },
}

for (const scripted of [true, false]) {
  describe(`members ${scripted ? 'with' : 'without'} script`, { skip }, () => {
    for (const [sentence, journey] of Object.entries(journeys)) {
      it(sentence, () => withSite((site) => journey(site, scripted)))
    }
  })
}
