// The links of pages to their lists as CSV.
import assert from 'node:assert/strict'
import { buildSite } from '../src/surfaces/site/build.ts'
import { onEveryEngine, type Person } from './world.ts'

await buildSite(() => {})

const linksAt = async ({ request }: Pick<Person, 'request'>, path: string) => {
  const html = await (await request(path)).text()
  return [...html.matchAll(/href="(\/api\/[^"]*format=csv)"[^>]*>([^<]*)</g)].map(([, href = '', word = '']) => ({
    href: href.replaceAll('&amp;', '&'),
    word,
  }))
}

const TABLES = {
  '/admin/users?q=a&role=admin&page=0': ['/api/community/admin/users?q=a&role=admin&format=csv'],
  '/admin/audit?action=label.create': ['/api/community/admin/audit?action=label.create&format=csv'],
  '/admin/cases?state=closed': ['/api/community/moderation/cases?state=closed&format=csv'],
  '/admin/labels': ['/api/community/labels?format=csv'],
  '/admin/suggestions': ['/api/community/suggestions?format=csv'],
  '/admin/boards': ['/api/community/boards?format=csv'],
  '/admin/boards/labs': ['/api/community/boards/labs/members?format=csv'],
  '/admin/invitations': [
    '/api/community/admin/invitations?format=csv',
    '/api/community/admin/invitation-links?format=csv',
  ],
  '/admin/webhooks': ['/api/community/admin/webhooks?format=csv'],
  '/admin/settings': ['/api/community/admin/settings/changes?format=csv'],
  '/community/bugs?severity=low&page=1': ['/api/community/bugs?severity=low&format=csv'],
  '/community/features?board=labs': ['/api/community/features?board=labs&format=csv'],
  '/community/posts': [],
  '/community/changelog': [],
}

onEveryEngine('pages', (it) => {
  it('lead to their lists as CSV, with the filters of the page', async ({ admin }) => {
    await admin.boards.create({ slug: 'labs', name: 'Labs' })
    await admin.labels.create({ name: 'clock', color: '#123456' })
    for (const [page, links] of Object.entries(TABLES)) {
      const found = await linksAt(admin, page)
      assert.deepEqual(found.map(({ href }) => href).sort(), links.toSorted(), page)
      for (const { href, word } of found) {
        assert.equal(word, 'CSV')
        const answer = await admin.request(href)
        assert.equal(answer.status, 200, href)
        assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/)
      }
    }
    const of = `/admin/audit?actor=${(await admin.account()).id}`
    assert.match((await linksAt(admin, of))[0]!.href, /actorId=[\w-]{36}&format=csv$/)
  })
})
