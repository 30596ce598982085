// The algorithm of ID tokens that a client was told.
import assert from 'node:assert/strict'
import { oauthClient } from './oauth.ts'
import { onEveryEngine } from './world.ts'

onEveryEngine('a client from before', (it) => {
  it('goes on with the algorithm of ID tokens that it was told when it registered', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const [stored] = await world.db.selectFrom('oauthClient').selectAll().execute()
    const metadata = JSON.parse(stored!.metadata) as Record<string, unknown>
    assert.equal(metadata['id_token_signed_response_alg'], 'RS256')
    const before = JSON.stringify({ ...metadata, id_token_signed_response_alg: 'EdDSA' })
    await world.db.updateTable('oauthClient').set({ metadata: before }).where('id', '=', clientId).execute()
    const { id_token } = await client.signIn(world.alice, { clientId, scope: 'openid' })
    assert.match(Buffer.from(id_token!.split('.')[0]!, 'base64url').toString(), /"alg":"EdDSA"/)
  })
})
