// The overview on the page for admins: figures that are readable without colours, and as CSV.
import assert from 'node:assert/strict'
import { onEveryEngine } from './world.ts'

onEveryEngine('the overview on its page', (it) => {
  it('shows admins charts with their figures as tables', async ({ admin, moderator, alice }) => {
    await alice.posts.create({ title: 'Hello', body: 'I am new here' })
    const page = await (await admin.request('/admin')).text()
    assert.equal((page.match(/<svg[^>]* role="img" aria-label="[^"]+"/g) ?? []).length, 5)
    assert.equal((page.match(/<caption/g) ?? []).length, 5)
    assert.match(page, /<pattern /)
    // Of what is not there the most is none, and not the height of the scale.
    assert.match(page, /Open bugs by age<\/strong>\s*<span[^>]*>most: 0</)
    assert.equal(/ style="/.test(page), false)
    const ofModerators = await (await moderator.request('/admin')).text()
    assert.equal(ofModerators.includes('<figure'), false)
  })

  it('gives admins the weeks as CSV, and no one else', async ({ admin, moderator, alice, anonymous }) => {
    await alice.posts.create({ title: 'Hello', body: 'I am new here' })
    await admin.account()
    const response = await admin.request('/admin/overview.csv')
    assert.match(response.headers.get('content-type') ?? '', /^text\/csv/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const lines = (await response.text()).split('\r\n')
    assert.equal(lines[0], 'week,joined,active,byPeople,byAgents,databaseBytes,storedBytes')
    assert.equal(lines.length, 14)
    assert.match(lines.at(-2) ?? '', /^\d{4}-\d\d-\d\d,2,,1,0,,$/)
    assert.equal((await moderator.request('/admin/overview.csv')).status, 403)
    assert.equal((await anonymous.request('/admin/overview.csv', { redirect: 'manual' })).status, 303)
  })
})
