// How messages of the command line name a server.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Context } from '../src/command.ts'
import { serverName } from '../src/server-name.ts'
import { onTerminal } from './terminal.ts'

const url = 'https://guildhall.example'

/** The name of a server that answers so. */
const named = (answer: () => Response | Promise<Response>, signal = new AbortController().signal) =>
  serverName({ fetch: async () => answer(), signal } as Pick<Context, 'fetch' | 'signal'>, url)
const telling = (resource_name: unknown) => named(() => Response.json({ resource_name }))

describe('a server', () => {
  onTerminal('is called by its own name at a login and by whoami', async ({ world, run, json, login, server }) => {
    await world.admin.settings.change({ changes: { SITE_NAME: 'The Workshop' } })
    const { output, errors } = await login()
    assert.match(errors, /If alice@example\.com has an account at The Workshop \(http\S+\), a code is on its way/)
    assert.match(output, /^Signed in to The Workshop \(http\S+\) as profile default/)
    assert.match((await run(['whoami'])).output, /at The Workshop \(http\S+\), profile default/)
    assert.equal((await json<{ server: string }>(['whoami'])).server, server)
  })

  it('is called by its address where it tells no name', async () => {
    for (const name of [undefined, null, 7, '', ' \u202e ']) {
      const shown = await telling(name)
      assert.ok([url, `\ufffd (${url})`].includes(shown), shown)
    }
    for (const answer of [() => new Response('no', { status: 404 }), () => new Response('<html>')])
      assert.equal(await named(answer), url)
    assert.equal(await named(() => Promise.reject(new TypeError('fetch failed'))), url)
  })

  it('has a name of one short line that does nothing to a terminal', async () => {
    assert.equal(await telling('A\n\u001b[31mB'), `A \ufffd[31mB (${url})`)
    assert.equal(await telling('x'.repeat(61)), `${'x'.repeat(60)} (${url})`)
  })

  it('is not named once the command ends', async () => {
    const ended = AbortSignal.abort(new Error('Enough'))
    await assert.rejects(
      named(() => Promise.reject(ended.reason), ended),
      /Enough/,
    )
  })
})
