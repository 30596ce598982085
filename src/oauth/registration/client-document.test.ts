// Clients that are known by a document instead of a registration.
import assert from 'node:assert/strict'
import { AGENT, oauthClient, REDIRECT } from '../../../test/oauth.ts'
import { makeWorld, onEveryEngine } from '../../../test/world.ts'

onEveryEngine('a client known by its document', (it) => {
  const clientId = 'https://app.example/client.json'
  const metadata = { client_id: clientId, client_name: 'Documented', redirect_uris: [REDIRECT, 'http://localhost/cb'] }

  it('signs in like any other (Client ID Metadata Document, 3)', async (world) => {
    let fetched = 0
    const documented = await makeWorld(
      { db: world.db, url: world.databaseUrl },
      { BLOB_URL: world.dependencies.config.blobUrl },
      {
        fetchDocument: async () => {
          fetched++
          return Response.json(metadata)
        },
      },
    )
    const client = oauthClient(documented)
    const scope = 'community:read offline_access'
    const { to } = await client.authorize(documented.alice, { clientId, scope })
    const page = await (await documented.alice.request(to!.pathname + to!.search)).text()
    assert.match(page, /Documented wants to use your account/)
    assert.match(page, /described at app\.example/)
    const tokens = await client.signIn(documented.alice, { clientId, scope, redirectUri: 'http://localhost:4444/cb' })
    assert.equal(tokens.status, 200)
    assert.equal((await client.refresh(clientId, tokens.refresh_token)).status, 200)
    assert.equal(fetched, 1, 'the document is kept')
  })

  it('is refused when the document is another’s, has a secret, or cannot be had', async (world) => {
    for (const answer of [
      async () => Response.json({ ...metadata, client_id: 'https://other.example/client.json' }),
      async () => Response.json({ ...metadata, client_secret: 'x' }),
      ...['client_secret_post', 'client_secret_basic'].flatMap((method) => [
        async () => Response.json({ ...metadata, token_endpoint_auth_method: method }),
        async () => Response.json({ ...metadata, token_endpoint_auth_method: method, client_secret: 'x'.repeat(40) }),
      ]),
      async () => Response.json([]),
      async () => Response.json({ ...metadata, redirect_uris: [REDIRECT, 'javascript:alert(1)'] }),
      async () => Response.json({ ...metadata, redirect_uris: [`${REDIRECT}/\n`] }),
      async () => Response.json({ ...metadata, client_uri: `https://app.example/${'x'.repeat(4_100)}` }),
      async () => new Response('no JSON'),
      async () => new Response('gone', { status: 404 }),
      async () => Promise.reject(new Error('unreachable')),
    ]) {
      const documented = await makeWorld(
        { db: world.db, url: world.databaseUrl },
        { BLOB_URL: world.dependencies.config.blobUrl },
        { fetchDocument: answer },
      )
      const client = oauthClient(documented)
      assert.equal((await client.authorize(documented.anonymous, { clientId })).status, 400)
      assert.equal((await client.claim('alice@example.com', 'community:read', clientId)).status, 400)
    }
  })

  it('is not fetched from our own network', async (world) => {
    const client = oauthClient(world)
    for (const id of [
      'https://127.0.0.1/client.json',
      'https://localhost/client.json',
      'https://[::1]/c',
      'https://169.254.169.254/x',
    ]) {
      assert.equal((await client.authorize(world.anonymous, { clientId: id })).status, 400)
    }
    assert.notEqual(AGENT, clientId)
  })
})
