// Web Bot Auth: requests that programs sign, by the signer of Cloudflare's library (web-bot-auth), which is not the verifier here.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportJWK, generateKeyPair } from 'jose'
import { signatureHeaders } from 'web-bot-auth'
import { signerFromJWK } from 'web-bot-auth/crypto'
import { home, type Receiver, receiving } from '../../../test/webhook-receiver.ts'
import { signerReader } from './signed-requests.ts'

const BASE = 'https://guild.example'

async function newSigner() {
  const { privateKey, publicKey } = await generateKeyPair('Ed25519', { extractable: true })
  return { signer: await signerFromJWK((await exportJWK(privateKey)) as JsonWebKey), jwk: await exportJWK(publicKey) }
}

type Signer = Awaited<ReturnType<typeof newSigner>>['signer']

interface SigningOptions {
  agent: string
  url?: string
  from?: number
  to?: number
  headers?: Record<string, string>
}

async function signedRequest(
  signer: Signer,
  { agent, url = `${BASE}/api/community/posts`, from = -1, to = 60, headers = {} }: SigningOptions,
) {
  const request = new Request(url, { headers: { 'Signature-Agent': `"${agent}"` } })
  const now = Date.now()
  const params = { created: new Date(now + from * 1000), expires: new Date(now + to * 1000) }
  const given = await signatureHeaders(request, signer, params)
  return new Request(url, {
    headers: {
      'Signature-Agent': `"${agent}"`,
      Signature: given['Signature'],
      'Signature-Input': given['Signature-Input'],
      ...headers,
    },
  })
}

function reader(reach: Parameters<typeof signerReader>[0]['reach'] = home) {
  let passed = 0
  const clock = { now: () => Date.now(), elapsed: () => performance.now() + passed }
  const config = { privateServices: [], baseUrl: BASE }
  const read = signerReader({ config, clock, log: { debug() {} }, ...(reach && { reach }) })
  const pass = (seconds: number) => {
    passed += seconds * 1000
  }
  return { read, pass }
}

/** Until the keys are there, which are fetched in the background. */
async function eventually(read: () => Promise<string | undefined>): Promise<string | undefined> {
  for (;;) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const publishing = (receiver: Receiver, keys: unknown) => {
  receiver.answer = (_, response) => response.end(JSON.stringify({ keys }))
}

describe('a request that a program signed', () => {
  it('is known by the site of its keys, which are fetched once, in the background', async () => {
    await receiving(async (receiver) => {
      const { signer, jwk } = await newSigner()
      publishing(receiver, [jwk])
      const agent = new URL(receiver.url).origin
      const { read } = reader()
      const request = await signedRequest(signer, { agent })
      assert.equal(await read(request), undefined, 'it does not wait')
      assert.equal(await eventually(() => read(request)), agent)
      assert.equal(await read(await signedRequest(signer, { agent })), agent)
      assert.deepEqual(
        receiver.arrived.map(({ path }) => path),
        ['/.well-known/http-message-signatures-directory'],
      )
    })
  })

  it('is not marked with another key, for another server, of another time, or without what must be signed', async () => {
    await receiving(async (receiver) => {
      const [own, other] = [await newSigner(), await newSigner()]
      publishing(receiver, [own.jwk])
      const agent = new URL(receiver.url).origin
      const { read } = reader()
      await eventually(async () => read(await signedRequest(own.signer, { agent })))
      const good = await signedRequest(own.signer, { agent })
      const forged = Object.assign(other.signer, { keyid: own.signer.keyid })
      const without = (name: string) => {
        const headers = new Headers(good.headers)
        headers.delete(name)
        return new Request(good.url, { headers })
      }
      const changed = (name: string, change: (value: string) => string) => {
        const headers = new Headers(good.headers)
        headers.set(name, change(headers.get(name) ?? ''))
        return new Request(good.url, { headers })
      }
      const tries: Record<string, Request> = {
        'another key': await signedRequest(forged, { agent }),
        'another server': await signedRequest(own.signer, { agent, url: 'https://other.example/' }),
        expired: await signedRequest(own.signer, { agent, from: -120, to: -60 }),
        'for two days': await signedRequest(own.signer, { agent, to: 2 * 86_400 }),
        'of the future': await signedRequest(own.signer, { agent, from: 50 }),
        'no signature': without('signature'),
        'no input': without('signature-input'),
        'another agent': changed('signature-agent', () => `"${agent.replace('localhost', '127.0.0.1')}"`),
        'another tag': changed('signature-input', (input) => input.replace('web-bot-auth', 'another')),
        'less that is signed': changed('signature-input', (input) => input.replace(/ ?"signature-agent"/, '')),
        'no structure': changed('signature-input', () => 'x'.repeat(500)),
        'too long': changed('signature-input', (input) => input + 'x'.repeat(3_000)),
      }
      for (const [what, request] of Object.entries(tries)) assert.equal(await read(request), undefined, what)
      assert.equal(await read(good), agent)
    })
  })

  it('fetches nothing from a private address, in another way than https, or more often than it should', async () => {
    await receiving(async (receiver) => {
      const { signer, jwk } = await newSigner()
      publishing(receiver, [jwk])
      const { origin } = new URL(receiver.url)
      const guarded = reader(null as never)
      for (const agent of [
        origin,
        origin.replace('localhost', '127.0.0.1'),
        origin.replace('https', 'http'),
        'file:///etc/passwd',
      ])
        assert.equal(await guarded.read(await signedRequest(signer, { agent })), undefined, agent)
      const { read, pass } = reader()
      receiver.answer = (_, response) => response.writeHead(500).end()
      for (let n = 0; n < 20; n++) await read(await signedRequest(signer, { agent: origin }))
      pass(1)
      await read(await signedRequest(signer, { agent: origin }))
      assert.ok(receiver.arrived.length <= 1, `${receiver.arrived.length} requests`)
    })
  })
})
