// The client library in a page of another origin: the example of its README signs in, and reads, writes and downloads.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { exampleWith, install, pack } from '../../client/test/examples.ts'
import { workflowFile } from '../library.ts'
import { AGENT, oauthClient } from '../oauth.ts'
import { temporaryDirectory } from '../temporary.ts'
import { skip } from './chromium.ts'
import { type Site, visit, withSite } from './site.ts'

const html = (script: string) =>
  `<!doctype html><title>App</title><script type="importmap">{"imports":{"@guildhall/client":"/client/main.js"}}</script><script type="module">${script}</script>`

/** Another origin, with a page that has this script, and the library as a browser loads it. */
async function serveApp({ script, dist }: { script: string; dist: string }) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const isLibrary = pathname.startsWith('/client/')
    response.setHeader('Content-Type', isLibrary ? 'text/javascript' : 'text/html')
    response.end(isLibrary ? readFileSync(join(dist, pathname.slice('/client'.length))) : html(script))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** What a page of the app computes with the library. */
const inApp = <T>(page: Page, script: string): Promise<T> =>
  page.evaluate(`(async () => { const guildhall = await import('/client/main.js'); ${script} })()`) as Promise<T>

describe('the client library in a browser', { skip }, () => {
  it('signs a person in from another origin, and calls the API as them', async (t) => {
    const folder = await temporaryDirectory(t)
    install(pack('client', folder), folder)
    const dist = join(folder, 'node_modules/@guildhall/client/dist')
    await withSite(async (site: Site) => {
      const { alice } = site.world
      const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
      const { page } = await visit(site, { name: 'mira' })
      const script = stripTypeScriptTypes(exampleWith('sessionStorage', site.origin))
      const app = await serveApp({ script, dist })
      t.after(app.close)
      await page.goto(app.address)
      await page.getByRole('button', { name: /allow/i }).click()
      await page.waitForFunction("document.title === 'Signed in as mira'")

      const { access_token } = await oauthClient(site.world).signIn(alice, {
        clientId: AGENT,
        scope: 'library:read library:write',
      })
      const client = (options: object) => `const client = guildhall.createClient(${JSON.stringify(options)})`
      const named = client({ url: site.origin, token: access_token })
      const list = `const names = []; for await (const { name } of client.library.all()) names.push(name); return names`
      assert.deepEqual(await inApp(page, `${named}; ${list}`), [item.name])
      const id = JSON.stringify({ id: item.id })
      const download = `const download = await client.library.download(${id}); return [await download.text(), download.sha256]`
      assert.deepEqual(await inApp(page, `${named}; ${download}`), [await workflowFile().text(), item.sha256])
      const publish = `const file = new Blob([await (await client.library.download(${id})).blob()])
        return (await client.library.publishVersion({ ...${id}, file })).version`
      assert.equal(await inApp(page, `${named}; ${publish}`), '1.0.1')
      const refused = `return client.library.download(${id}).catch(({ name, code }) => [name, code])`
      const anonymous = await inApp(page, `${client({ url: site.origin })}; ${refused}`)
      assert.deepEqual(anonymous, ['GuildhallError', 'unauthorized'])
    })
  })
})
