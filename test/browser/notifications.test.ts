// Following and being notified in a browser, with script and without.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip } from './chromium.ts'
import { visit, withSite } from './site.ts'

for (const scripted of [true, false]) {
  describe(`members, ${scripted ? 'with' : 'without'} script,`, { skip }, () => {
    it('follow a thing, are told of a comment, open it, and it is read', () =>
      withSite(async (site) => {
        const mara = await visit(site, { scripted, name: 'mara' })
        const olaf = await visit(site, { scripted, name: 'olaf' })
        const bug = { title: 'Crash on start', description: 'It stops', severity: 'low' }
        const made = await olaf.context.request.post('/api/community/bugs', { data: bug })
        const { id } = (await made.json()) as { id: string }
        await mara.open(`/community/bugs/${id}`)
        await mara.page.getByRole('button', { name: 'Follow', exact: true }).click()
        await mara.page.getByRole('button', { name: 'Unfollow' }).waitFor()
        await olaf.open(`/community/bugs/${id}`)
        await olaf.page.getByLabel('Your comment').fill('It stops here as well')
        await olaf.page.getByRole('button', { name: 'Comment', exact: true }).click()
        await olaf.page.getByText('It stops here as well').waitFor()
        await site.world.app.deliver()
        await mara.open('/community')
        const head = mara.page.getByRole('link', { name: /^Notifications/ })
        assert.match((await head.textContent())!, /1/)
        await head.click()
        await mara.page.getByText('It stops here as well').waitFor()
        await mara.page.getByRole('button', { name: 'Crash on start', exact: true }).click()
        await mara.page.waitForURL(/#comment-/)
        assert.equal(await mara.page.locator('[data-unread="0"]').count(), 1)
        for (const { checkComplaints } of [mara, olaf]) checkComplaints()
      }))

    it('follow a member, are told of a post, and end it on the page of what they follow', () =>
      withSite(async (site) => {
        const mara = await visit(site, { scripted, name: 'mara' })
        const olaf = await visit(site, { scripted, name: 'olaf' })
        await mara.open('/community/u/olaf')
        await mara.page.getByRole('button', { name: 'Follow', exact: true }).click()
        await mara.page.getByRole('button', { name: 'Unfollow' }).waitFor()
        await olaf.open('/community/posts/new')
        await olaf.page.getByLabel('Title').fill('News of the workshop')
        await olaf.page.getByLabel('Text', { exact: true }).fill('The first words')
        await olaf.page.getByRole('button', { name: 'Publish', exact: true }).click()
        await olaf.page.getByRole('heading', { name: 'News of the workshop' }).waitFor()
        await site.world.app.deliver()
        await mara.open('/notifications')
        await mara.page.getByText('The first words').waitFor()
        await mara.page.getByRole('link', { name: 'Following', exact: true }).click()
        await mara.page.getByRole('button', { name: 'Unfollow: olaf' }).click()
        await mara.page.getByText('You follow nothing here').waitFor()
        await mara.page.getByRole('link', { name: 'Notices', exact: true }).click()
        await mara.page.getByText('No notices').waitFor()
        for (const { checkComplaints } of [mara, olaf]) checkComplaints()
      }))
  })
}
