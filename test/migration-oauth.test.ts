// What an authorization server has when keys of tokens and first uses of clients come to it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { sql } from 'kysely'
import * as ground from '../migrations/0001-ground.ts'
import * as oauth from '../migrations/0002-oauth.ts'
import * as boundTokens from '../migrations/0018-bound-tokens.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { oauthClient } from './oauth.ts'
import { temporaryDirectory } from './temporary.ts'
import { onEveryEngine } from './world.ts'

it('keeps clients and tokens from before: the ones for 90 days, the others as plain bearer tokens', async (t) => {
  const { db } = openSqlite(join(await temporaryDirectory(t), 'old.db'), { synchronous: 'OFF' })
  await ground.up(db)
  await oauth.up(db)
  for (const statement of [
    `insert into user (id, email, name, role, createdAt, updatedAt) values ('u', 'ann@example.com', 'Ann', 'member', 't', 't')`,
    `insert into oauthClient values ('c', '{}', '2026-01-01', '2026-01-02')`,
    `insert into signIn (id, userId, clientId, scope, createdAt, expiresAt) values ('s', 'u', 'c', 'openid', 't', 't')`,
    `insert into oauthToken (hash, kind, signInId, userId, clientId, scope, createdAt, expiresAt) values ('h', 'access', 's', 'u', 'c', 'openid', 't', 't')`,
  ]) {
    await sql.raw(statement).execute(db)
  }
  await boundTokens.up(db)
  assert.deepEqual(await db.selectFrom('oauthClient').select(['id', 'firstUsedAt']).execute(), [
    { id: 'c', firstUsedAt: '2026-01-02' },
  ])
  assert.deepEqual(await db.selectFrom('oauthToken').select(['hash', 'keyThumbprint']).execute(), [
    { hash: 'h', keyThumbprint: null },
  ])
  await db.destroy()
})

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
