// The length of an upload of an org, on the wire: declared, numeric and at most 1,048,576, or it is not read at all.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { listening } from '../../../test/stored.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { api } from '../../api.ts'
import { connect as connectClient } from '../../surfaces/client.ts'

const definition = JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] })
const MOST = 1_048_576

/** A request body of exactly so many bytes: JSON takes any white space behind it. */
const bodyOf = (bytes: number) => JSON.stringify({ orgJson: definition }).padEnd(bytes)

async function cookieOf({ app }: World, { email, account }: Person): Promise<string> {
  const { email: address } = await account()
  const body = JSON.stringify({ email: address, password: `${email.split('@')[0]} has a password` })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await app.fetch(
    new Request('http://localhost:3000/api/auth/sign-in/email', { method: 'POST', body, headers }),
  )
  return answer.headers.get('set-cookie')!.split(';')[0]!
}

/** Sends bytes as they are and gives the status and the body of the answer. */
async function send(port: number, cookie: string, headers: string[], body: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const head = [
    'POST /api/community/orgs HTTP/1.1',
    'Host: localhost',
    `Cookie: ${cookie}`,
    'Connection: close',
    'Content-Type: application/json',
    ...headers,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  const answer = await text(socket)
  return { status: Number(answer.split(' ')[1]), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) }
}

const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

onEveryEngine('the length of an org upload', (it) => {
  it('is declared, or the upload is refused whatever its real size', async (world) => {
    const cookie = await cookieOf(world, world.alice)
    const body = bodyOf(0)
    await listening(world, async (port) => {
      const declared = await send(port, cookie, [`Content-Length: ${body.length}`], body)
      assert.equal(declared.status, 201)
      const unsized = await send(port, cookie, ['Transfer-Encoding: chunked'], chunked(body))
      assert.deepEqual([unsized.status, /Content-Length/.test(unsized.body)], [400, true])
      const nothing = await send(port, cookie, [], '')
      assert.equal(nothing.status, 400)
      for (const wrong of ['abc', '-1', '1e3', '0x10', '']) {
        assert.equal((await send(port, cookie, [`Content-Length: ${wrong}`], body)).status, 400, wrong)
      }
      const both = ['Transfer-Encoding: chunked', `Content-Length: ${body.length}`]
      assert.equal((await send(port, cookie, both, chunked(body))).status, 400)
    })
    assert.equal((await world.anonymous.orgs.list({})).total, 1)
  })

  it('may be 1,048,576 and not one more', async (world) => {
    const cookie = await cookieOf(world, world.alice)
    await listening(world, async (port) => {
      assert.equal((await send(port, cookie, [`Content-Length: ${MOST}`], bodyOf(MOST))).status, 201)
      const over = await send(port, cookie, [`Content-Length: ${MOST + 1}`], bodyOf(MOST + 1))
      assert.deepEqual([over.status, JSON.parse(over.body)], [400, { error: `The body is larger than ${MOST} bytes` }])
    })
  })

  it('is looked at after the credential, and sent along by our own client', async (world) => {
    const anonymous = await world.app.fetch(new Request('http://localhost:3000/api/community/orgs', { method: 'POST' }))
    assert.equal(anonymous.status, 401)
    const cookie = await cookieOf(world, world.alice)
    await listening(world, async (port) => {
      const send = (request: Request) => {
        request.headers.set('Cookie', cookie)
        return fetch(request)
      }
      const client = connectClient(api, { baseUrl: `http://127.0.0.1:${port}`, fetch: send })
      assert.equal((await client.orgs.create({ orgJson: definition })).name, 'Desk')
    })
  })
})
