// The number of unread notifications in the head of a page that stays open: it changes by itself with script, and is that of when the
// page came without script or where the stream is refused.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip } from './chromium.ts'
import { type Site, type Visitor, visit, withSite } from './site.ts'

const STREAM = '**/api/community/notifications/stream'
/** A page opens its stream after ten seconds. */
const STAYS_MILLISECONDS = 10_000

/** Mara follows a bug of Olaf; `comment` tells her of one more comment. */
async function people(site: Site, scripted: boolean) {
  const mara = await visit(site, { scripted, name: 'mara' })
  const olaf = await visit(site, { name: 'olaf' })
  const bug = { title: 'Crash on start', description: 'It stops', severity: 'low' }
  const made = await olaf.context.request.post('/api/community/bugs', { data: bug })
  const { id } = (await made.json()) as { id: string }
  const followed = await mara.context.request.put(`/api/community/follows/${id}`, { data: { state: 'following' } })
  assert.equal(followed.status(), 200)
  const comment = async (body: string) => {
    const response = await olaf.context.request.post(`/api/community/bugs/${id}/comments`, { data: { body } })
    assert.equal(response.status(), 201)
    await site.world.app.deliver()
  }
  return { mara, comment }
}

/** Requests for the stream, and errors of scripts. */
function watch({ page }: Visitor) {
  const seen = { streams: 0, errors: [] as string[] }
  page.on('request', (request) => {
    if (request.url().endsWith('/notifications/stream')) seen.streams++
  })
  page.on('pageerror', (error) => seen.errors.push(String(error)))
  return seen
}

const head = ({ page }: Visitor) => page.getByRole('link', { name: /^Notifications/ })
const countOf = (visitor: Visitor) => head(visitor).locator('[data-count]')

describe('the number of unread notifications', { skip }, () => {
  it('changes in a page that is open, up and down, and is heard', () =>
    withSite(async (site) => {
      const { mara, comment } = await people(site, true)
      const seen = watch(mara)
      await mara.page.clock.install()
      await mara.open('/community')
      assert.equal(await countOf(mara).isHidden(), true)
      assert.match((await head(mara).textContent())!, /none unread/)
      const opened = mara.page.waitForRequest(STREAM)
      await mara.page.clock.fastForward(STAYS_MILLISECONDS + 1)
      await opened
      await comment('One')
      await countOf(mara).getByText('1', { exact: true }).waitFor()
      await comment('Two')
      await countOf(mara).getByText('2', { exact: true }).waitFor()
      assert.match((await head(mara).textContent())!, /2\s*unread/)
      const read = await mara.context.request.post('/api/community/notifications/read', { data: { through: '9' } })
      assert.equal(read.status(), 200)
      await countOf(mara).waitFor({ state: 'hidden' })
      assert.match((await head(mara).textContent())!, /none unread/)
      assert.deepEqual(seen, { streams: 1, errors: [] })
      mara.checkComplaints()
    }))

  it('stays as it was where the stream is refused, and is right on the next page', () =>
    withSite(async (site) => {
      const { mara, comment } = await people(site, true)
      const seen = watch(mara)
      await comment('One')
      await mara.page.route(STREAM, (route) => route.fulfill({ status: 429, json: { error: 'Too many open streams' } }))
      await mara.page.clock.install()
      await mara.open('/community')
      const refused = mara.page.waitForResponse(STREAM)
      await mara.page.clock.fastForward(STAYS_MILLISECONDS + 1)
      assert.equal((await refused).status(), 429)
      await comment('Two')
      await mara.page.clock.fastForward(60_000)
      assert.equal(await countOf(mara).textContent(), '1')
      assert.deepEqual(seen, { streams: 1, errors: [] })
      await mara.open('/community/bugs')
      assert.equal(await countOf(mara).textContent(), '2')
    }))

  it('is that of when the page came without script', () =>
    withSite(async (site) => {
      const { mara, comment } = await people(site, false)
      const seen = watch(mara)
      await comment('One')
      await mara.open('/community')
      assert.equal(await countOf(mara).textContent(), '1')
      await comment('Two')
      assert.equal(await countOf(mara).textContent(), '1')
      await mara.open('/community')
      assert.equal(await countOf(mara).textContent(), '2')
      assert.deepEqual(seen, { streams: 0, errors: [] })
      mara.checkComplaints()
    }))
})
