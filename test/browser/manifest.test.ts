// What browsers read of the site when they install it or add its search: read by Chromium's own parsers, not by ours.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip, withBrowser } from './chromium.ts'
import { visit, withSite } from './site.ts'

describe('what browsers read of the site', { skip }, () => {
  it('is a manifest that Chromium takes without a complaint', () =>
    withSite(async (site) => {
      const { page, context, open } = await visit(site, { scripted: true })
      await open('/')
      const { url, errors, data } = await (await context.newCDPSession(page)).send('Page.getAppManifest')
      assert.equal(url, `${site.origin}/manifest.webmanifest`)
      assert.deepEqual(errors, [])
      const { name, icons, start_url } = JSON.parse(data ?? '')
      assert.equal(start_url, '/')
      assert.ok(name.length > 0 && icons.length > 0)
      for (const { src } of icons) assert.equal((await fetch(new URL(src, url))).status, 200)
    }))

  it('is a description of the search that is XML with all that OpenSearch asks for', () =>
    withSite(async (site) => {
      await site.world.admin.settings.change({ changes: { SITE_NAME: 'Acme & Lab', SHORT_NAME: 'A & L' } })
      const text = await (await site.world.anonymous.request('/opensearch.xml')).text()
      await withBrowser(async (browser) => {
        const page = await browser.newPage()
        const read = await page.evaluate((source) => {
          const document = new DOMParser().parseFromString(source, 'application/xml')
          const named = (name: string) => [
            ...document.getElementsByTagNameNS('http://a9.com/-/spec/opensearch/1.1/', name),
          ]
          return {
            errors: document.getElementsByTagName('parsererror').length,
            root: document.documentElement.localName,
            names: named('ShortName').map((one) => one.textContent),
            about: named('Description').map((one) => one.textContent),
            templates: named('Url').map((one) => one.getAttribute('template')),
          }
        }, text)
        assert.deepEqual([read.errors, read.root, read.names], [0, 'OpenSearchDescription', ['A & L']])
        assert.deepEqual(read.about, ['Search Acme & Lab'])
        assert.equal(read.templates.length, 2)
        for (const template of read.templates)
          assert.match(template ?? '', /^https?:\/\/[^/]+\/search(?:\.atom)?\?q=\{searchTerms\}$/)
      })
    }))
})
