// A page that a member attached to a run, in a real browser: it is shown, and nothing in it has any effect.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { sqliteDatabase } from '../databases.ts'
import { listening } from '../stored.ts'
import { makeWorld, type World } from '../world.ts'
import { skip, withBrowser } from './chromium.ts'

const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** Every way a page could do something, each of which would ask `witness` or change the page. */
const hostilePage = (witness: string) => `<!doctype html><title>quiet</title>
<style>p { color: rgb(1, 2, 3) } @import url(${witness}/import); body { background: url(${witness}/background) }</style>
<p>Done</p><img id="own" src="${pixel}">
<script>document.title = 'script'; fetch('${witness}/fetch')</script>
<script src="${witness}/script"></script>
<img src="${witness}/image" onerror="document.title = 'onerror'">
<svg onload="document.title = 'onload'"></svg>
<iframe src="${witness}/frame"></iframe><object data="${witness}/object"></object>
<link rel="stylesheet" href="${witness}/style"><meta http-equiv="refresh" content="0; url=${witness}/refresh">
<a id="link" href="javascript:document.title='link'">Press</a>
<form id="form" action="${witness}/form"><button>Send</button></form>`

async function withWorld(work: (world: World) => Promise<void>): Promise<void> {
  const database = await sqliteDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-blobs-'))
  try {
    await work(await makeWorld(database, { BLOB_URL: `file:${folder}` }))
  } finally {
    await database.remove()
    await rm(folder, { recursive: true })
  }
}

/** A server that remembers what it was asked, and answers `/page` with the hostile page as it is. */
async function withWitness(work: (address: string, asked: readonly string[]) => Promise<void>): Promise<void> {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    if (request.url === '/page') return response.setHeader('Content-Type', 'text/html').end(hostilePage(address))
    asked.push(request.url!)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** Does what a reader could be brought to do, and waits until whatever it starts has had its time. */
async function useIt(page: Page, within: { locator: Page['locator'] } = page): Promise<void> {
  await within.locator('#link').click({ timeout: 2_000 })
  await within.locator('#form button').click({ timeout: 2_000 })
  await page.waitForTimeout(500)
}

async function attach({ alice }: World, name: string, content: string): Promise<string> {
  const { id } = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
  const run = await alice.orgRuns.add({ id, files: [new File([content], name)] })
  return `/api/community/org-run-files/${run.files[0]!.id}`
}

async function openPage(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(address, { waitUntil: 'load' })
  return page
}

describe('a page attached to a run, in Chromium', { skip }, () => {
  it('is shown and does nothing, where it would do a lot elsewhere', async () => {
    await withWitness((witness, asked) =>
      withWorld(async (world) => {
        const path = await attach(world, 'report.html', hostilePage(witness))
        await withBrowser((browser) =>
          listening(world, async (port) => {
            const page = await openPage(browser, `http://127.0.0.1:${port}${path}`)
            await useIt(page)
            assert.equal(await page.title(), 'quiet')
            assert.equal(page.url(), `http://127.0.0.1:${port}${path}`)
            assert.equal(await page.locator('p').evaluate((node) => getComputedStyle(node).color), 'rgb(1, 2, 3)')
            assert.equal(await page.locator('#own').evaluate((node) => (node as HTMLImageElement).naturalWidth), 1)
            assert.equal(await page.evaluate(() => window.origin), 'null')
            assert.equal(asked.join(), '')
            // The same page without our headers: so the witness would have seen it.
            await openPage(browser, `${witness}/page`)
            assert.ok(asked.includes('/script') && asked.includes('/image'), asked.join())
          }),
        )
      }),
    )
  })

  it('does nothing in a frame of our own pages either', async () => {
    await withWitness((witness, asked) =>
      withWorld(async (world) => {
        const path = await attach(world, 'report.html', hostilePage(witness))
        await withBrowser((browser) =>
          listening(world, async (port) => {
            const page = await (await browser.newContext()).newPage()
            const ours = `http://127.0.0.1:${port}/ours`
            const body = `<iframe src="${path}"></iframe>`
            await page.route(ours, (route) => route.fulfill({ contentType: 'text/html', body }))
            await page.goto(ours)
            const frame = page.frameLocator('iframe')
            await frame.locator('p').waitFor()
            await useIt(page, frame)
            assert.deepEqual([await page.title(), asked.join()], ['', ''])
          }),
        )
      }),
    )
  })

  it('is shown as plain text when it is Markdown', async () => {
    await withWorld(async (world) => {
      const text = '<script>document.title = "script"</script>'
      const path = await attach(world, 'report.md', text)
      await withBrowser((browser) =>
        listening(world, async (port) => {
          const page = await (await browser.newContext()).newPage()
          await page.goto(`http://127.0.0.1:${port}${path}`)
          assert.equal(await page.locator('pre').textContent(), text)
          assert.equal(await page.title(), '')
        }),
      )
    })
  })
})
