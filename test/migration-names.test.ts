// Tables and columns get new names, and every row stays.
import assert from 'node:assert/strict'
import { onOldDatabase } from './old-databases.ts'

const rows = [
  `insert into "user" (id, email, "provenAt", name, role, "createdAt", "updatedAt") values ('u', 'ann@example.com', 't', 'Ann', 'member', 't', 't')`,
  `insert into "oauthClient" (id, metadata, "createdAt", "lastUsedAt") values ('c', '{}', 't', 't')`,
  `insert into "signIn" (id, "userId", "clientId", scope, "createdAt", "expiresAt") values ('s', 'u', 'c', 'openid', 't', 't')`,
  `insert into "oauthToken" (hash, kind, "signInId", "userId", "clientId", scope, answer, "answerFor", "createdAt", "expiresAt")
    values ('h', 'refresh', 's', 'u', 'c', 'openid', 'sealed', 'request', 't', 't')`,
  `insert into "libraryItem" (id, kind, slug, name, description, keywords, "ownerId", visibility, listed, gallery, version, sha256, size,
    meta, tags, "createdAt", "updatedAt") values ('i', 'workflow', 's', 'n', '', '', 'u', 'public', 1, 0, '1.0.0', 'x', 1, '{}', '[]', 't', 't')`,
  `insert into "itemReading" ("itemId", readme, contents) values ('i', '# Read me', '{}')`,
]

onOldDatabase('keeps every row under the new names', '0022-field-names', async ({ db, run, upgrade }) => {
  await run(...rows)
  await upgrade()
  assert.deepEqual(await db.selectFrom('user').select('emailVerifiedAt').execute(), [{ emailVerifiedAt: 't' }])
  assert.deepEqual(await db.selectFrom('oauthToken').select(['grantId', 'response', 'responseFor']).execute(), [
    { grantId: 's', response: 'sealed', responseFor: 'request' },
  ])
  assert.deepEqual(await db.selectFrom('versionDetails').select('readme').execute(), [{ readme: '# Read me' }])
  const accounts = () => db.selectFrom('counter').selectAll().where('key', 'like', 'account/%').orderBy('key').execute()
  assert.deepEqual(await accounts(), [{ key: 'account/all/member/open/', count: 1 }])
  await db.updateTable('user').set({ role: 'admin' }).execute()
  assert.deepEqual(await accounts(), [
    { key: 'account/all/admin/open/', count: 1 },
    { key: 'account/all/member/open/', count: 0 },
  ])
  await db.deleteFrom('grant').execute()
  assert.deepEqual(await db.selectFrom('oauthToken').select('hash').execute(), [])
})
