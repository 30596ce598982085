// What a program wrote by a request that it signed (Web Bot Auth) names the site of its keys, beside the client; what was not verified never does.
import assert from 'node:assert/strict'
import { exportJWK, generateKeyPair } from 'jose'
import { signatureHeaders } from 'web-bot-auth'
import { signerFromJWK } from 'web-bot-auth/crypto'
import { agentOf } from '../../test/agents.ts'
import { home, receiving } from '../../test/webhook-receiver.ts'
import { BASE_URL, onEveryEngine, type World } from '../../test/world.ts'

/** Files a bug with a token, and with what more is in the header. */
async function fileBug(world: World, token: string, headers: Record<string, string>) {
  const response = await world.app.fetch(
    new Request(`${BASE_URL}/api/community/bugs`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ title: 'The digest comes twice', description: 'Since June', severity: 'low' }),
    }),
  )
  assert.equal(response.status, 201)
  const { id } = (await response.json()) as { id: string }
  return world.anonymous.bugs.get({ id })
}

/** The headers of a signed request for bugs. */
async function signed(agent: string, key: JsonWebKey): Promise<Record<string, string>> {
  const headers = { 'Signature-Agent': `"${agent}"` }
  const request = new Request(`${BASE_URL}/api/community/bugs`, { method: 'POST', headers })
  const now = Date.now()
  const params = { created: new Date(now - 1_000), expires: new Date(now + 60_000) }
  const { Signature, 'Signature-Input': input } = await signatureHeaders(request, await signerFromJWK(key), params)
  return { ...headers, Signature: String(Signature), 'Signature-Input': String(input) }
}

const newKey = async () => {
  const { privateKey, publicKey } = await generateKeyPair('Ed25519', { extractable: true })
  return { secret: (await exportJWK(privateKey)) as JsonWebKey, jwk: await exportJWK(publicKey) }
}

onEveryEngine('the site that signed a request', (it) => {
  it('is named with what the request wrote, once it is verified, and goes with the account', async (world) => {
    const { alice, anonymous, db } = world
    const { accessToken, clientId } = await agentOf(world, alice)
    const [own, forged] = [await newKey(), await newKey()]
    await receiving(async (receiver) => {
      world.dependencies.reach = home
      receiver.answer = (_, response) => response.end(JSON.stringify({ keys: [own.jwk] }))
      const { origin: agent, host } = new URL(receiver.url)
      const first = await fileBug(world, accessToken, await signed(agent, own.secret))
      assert.equal(first.via?.signedBy, undefined, 'its keys are not there yet')
      const verified = { clientId, name: 'Night Clerk', verified: false, signedBy: host }
      const written = async () => fileBug(world, accessToken, await signed(agent, own.secret))
      let known = await written()
      for (let tries = 0; known.via?.signedBy === undefined && tries < 15; tries++) known = await written()
      assert.deepEqual(known.via, verified)
      const page = await (await anonymous.request(known.url)).text()
      assert.ok(page.includes(`(signed by ${host})`), 'beside the name')

      for (const headers of [
        {},
        { 'Signature-Agent': `"${agent}"` },
        await signed(agent, forged.secret),
        { ...(await signed(agent, own.secret)), 'Signature-Agent': '"https://bank.example"' },
      ] as Record<string, string>[]) {
        const { via } = await fileBug(world, accessToken, headers)
        assert.deepEqual(via, { clientId, name: 'Night Clerk', verified: false })
      }
      const { items } = await anonymous.agents.get({ clientId })
      assert.ok(items.length > 5, 'they are found by the client, signed or not')
    })
    const rows = await db.selectFrom('bug').select('viaClientId').execute()
    assert.ok(rows.some(({ viaClientId }) => viaClientId?.includes('\n')))
  })
})
