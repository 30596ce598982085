// Where clients may have people returned to (RFC 8252, 7).
import assert from 'node:assert/strict'
import { oauthClient, REDIRECT } from '../../../test/oauth.ts'
import { onEveryEngine } from '../../../test/world.ts'

onEveryEngine('redirect URIs', (it) => {
  it('matches loopback redirects of any registered client on any port, and nothing else (RFC 8252, 7.3)', async (world) => {
    const client = oauthClient(world)
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const clientId = await client.register({ redirect_uris: [`http://${host}:8080/cb`, REDIRECT] })
      const asked = (redirectUri: string) => client.authorize(world.alice, { clientId, redirectUri })
      for (const uri of [`http://${host}:9999/cb`, `http://${host}/cb`, REDIRECT]) {
        assert.equal((await asked(uri)).to?.pathname, '/oauth/consent', uri)
      }
      for (const uri of [
        `http://${host}:9999/other`,
        `https://${host}:8080/cb`,
        'https://client.example:444/callback',
      ]) {
        assert.equal((await asked(uri)).status, 400, uri)
      }
    }
  })

  it('takes private schemes (RFC 8252, 7.1)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register({ redirect_uris: ['cursor://anysphere.cursor/cb', 'com.example.app:/cb'] })
    const granted = await client.consent(world.alice, { clientId, redirectUri: 'com.example.app:/cb' })
    assert.equal((await client.exchange(granted)).status, 200)
  })

  it('refuses redirects that mean something to a browser or a system, and takes schemes of apps', async (world) => {
    const client = oauthClient(world)
    const answer = async (uri: string) => {
      const response = await client.postJson('/api/auth/oauth2/register', { redirect_uris: [uri] })
      return [response.status, ((await response.json()) as { error?: string }).error]
    }
    for (const scheme of [
      ...[
        'javascript',
        'JavaScript',
        'vbscript',
        'data',
        'blob',
        'file',
        'filesystem',
        'about',
        'chrome',
        'view-source',
      ],
      ...[
        'mailto',
        'tel',
        'sms',
        'ws',
        'wss',
        'ftp',
        'intent',
        'ms-settings',
        'ms-word',
        'search-ms',
        'web+x',
        'smb',
        'ssh',
      ],
      ...['x-safari-https', 'itms-services', 'admin', 'apt', 'snap', 'flatpak', 'myapp', 'ourtool'],
      ...['chrome-extension', 'moz-extension', 'x-apple.systempreferences', 'facetime', 'itms-apps', 'jar', 'resource'],
    ]) {
      assert.deepEqual(await answer(`${scheme}:x`), [400, 'invalid_redirect_uri'], scheme)
      assert.deepEqual(await answer(`${scheme}://x/y`), [400, 'invalid_redirect_uri'], scheme)
    }
    for (const uri of [
      ...[
        'https://client.example/\u0001',
        'https://client.example/\n',
        'java\tscript:alert(1)',
        'https://a.example/ b',
      ],
      ...[
        'https://client.example/%0d%0aX: 1',
        'https://client.example\\@evil.example/',
        'https://client.example/\u202e',
      ],
    ]) {
      assert.deepEqual(await answer(uri), [400, 'invalid_redirect_uri'], JSON.stringify(uri))
    }
    for (const uri of [
      ...['cursor://anysphere.cursor-retrieval/oauth/cb', 'vscode://vscode.github-authentication/did-authenticate'],
      ...['com.example.app:/cb', 'vscode-insiders://x/cb', 'windsurf://cb', 'http://127.0.0.1:1/cb', 'http://[::1]/cb'],
    ]) {
      assert.equal((await answer(uri))[0], 201, uri)
    }
  })

  it('keeps the scheme of a client from before the rule, unless a browser or a system has it', async (world) => {
    const client = oauthClient(world)
    const uris = ['oldapp://cb', 'x-safari-https://client.example/cb', 'snap://x', REDIRECT]
    const clientId = await client.register()
    const found = world.db.selectFrom('oauthClient').select('metadata').where('id', '=', clientId)
    const metadata = JSON.parse((await found.executeTakeFirstOrThrow()).metadata) as object
    const changed = JSON.stringify({ ...metadata, application_type: 'native', redirect_uris: uris })
    await world.db.updateTable('oauthClient').set({ metadata: changed }).where('id', '=', clientId).execute()
    const statuses = []
    for (const redirectUri of uris)
      statuses.push((await client.authorize(world.alice, { clientId, redirectUri })).status)
    assert.deepEqual(statuses, [303, 400, 400, 303])
  })
})

onEveryEngine(
  'redirect URIs with schemes of the operator',
  (it) => {
    it('takes them as well, and none that a system has', async (world) => {
      const client = oauthClient(world)
      const status = async (uri: string) =>
        (await client.postJson('/api/auth/oauth2/register', { redirect_uris: [uri] })).status
      assert.deepEqual(
        await Promise.all(['myapp://cb', 'OurTool://cb', 'other://cb', 'snap://cb'].map(status)),
        [201, 201, 400, 400],
      )
    })
  },
  { REDIRECT_SCHEMES: 'myapp, ourtool:, snap' },
)
