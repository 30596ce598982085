// The reference page in a browser: it shows the API, breaks no rule of its own policy, and loads nothing that is not ours.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engines } from '../databases.ts'
import { serve } from '../mcp/serve.ts'
import { freePort } from '../server.ts'
import { makeWorld } from '../world.ts'
import { skip, withBrowser } from './chromium.ts'

describe('the API reference', { skip }, () => {
  it('shows every part of the API and calls no other origin', async () => {
    const database = await engines['SQLite']!()
    const port = await freePort()
    const origin = `http://localhost:${port}`
    const { app } = await makeWorld(database, { BASE_URL: origin })
    const server = await serve(app, port)
    try {
      await withBrowser(async (browser) => {
        const page = await browser.newPage()
        const complaints: string[] = []
        const elsewhere: string[] = []
        page.on('console', (message) => {
          if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
        })
        page.on('pageerror', (error) => complaints.push(String(error)))
        page.on('request', (request) => {
          if (!/^(data:|blob:)/.test(request.url()) && new URL(request.url()).origin !== origin) {
            elsewhere.push(request.url())
          }
        })
        // Not every breach is printed: what a script tries and gives up is only told to the page.
        await page.exposeFunction('complain', (breach: string) => complaints.push(breach))
        await page.addInitScript(() =>
          document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
            (globalThis as unknown as { complain(breach: string): void }).complain(
              `${violatedDirective} ${blockedURI}`,
            ),
          ),
        )
        const answer = await page.goto(`${origin}/docs/api`)
        const policy = answer!.headers()['content-security-policy']!
        assert.doesNotMatch(policy.replace("style-src-attr 'unsafe-inline'", ''), /unsafe|https?:|\*/)
        await page.getByRole('heading', { name: 'Guildhall' }).waitFor()
        for (const part of ['bugs', 'library', 'oauth', 'mcp']) {
          await page.getByText(part, { exact: true }).first().waitFor({ state: 'attached' })
        }
        await page.goto(`${origin}/docs/api#tag/bugs/POST/community/bugs`)
        await page.getByRole('heading', { name: 'File a bug' }).waitFor()
        assert.deepEqual(complaints, [])
        assert.deepEqual(elsewhere, [])
      })
    } finally {
      await server.close()
      await database.remove()
    }
  })

  it('is sent compressed to clients that accept that, plain to the others, and cached', async () => {
    const database = await engines['SQLite']!()
    const { app } = await makeWorld(database)
    const ask = (headers: Record<string, string>) =>
      Promise.resolve(app.fetch(new Request('http://localhost:3000/docs/api/scalar.js', { headers })))
    try {
      const packed = await ask({ 'Accept-Encoding': 'gzip, br' })
      assert.equal(packed.headers.get('content-encoding'), 'gzip')
      const plain = await ask({})
      assert.equal(plain.headers.get('content-encoding'), null)
      assert.ok((await plain.arrayBuffer()).byteLength > 2 * (await packed.arrayBuffer()).byteLength)
      assert.equal((await ask({ 'If-None-Match': packed.headers.get('etag')! })).status, 304)
    } finally {
      await database.remove()
    }
  })
})
