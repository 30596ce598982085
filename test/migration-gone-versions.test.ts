// Hashes of versions that went before they were kept: the log knows them.
import assert from 'node:assert/strict'
import { onOldDatabase } from './old-databases.ts'

const leaf = (item: string, name: string, version: string, sha256: string) =>
  `insert into "logEntry" (position, type, "itemId", version, at, text, hash)
    values (null, 'publish', '${item}', '${version}', null, '{"type":"publish","name":"${name}","sha256":"${sha256}"}', null)`

onOldDatabase('knows hashes of what went before they were kept', '0121-gone-versions', async ({ db, run, upgrade }) => {
  await run(
    leaf('gone', 'workflow/digest', '1.0.0', 'aa'),
    leaf('gone', 'workflow/digest', '1.1.0-a+b', 'bb'),
    leaf('later', 'workflow/digest', '1.0.0', 'cc'),
    leaf('other', 'org/desk', '1.0.0', 'dd'),
    `insert into "logEntry" (position, type, "itemId", version, at, text, hash)
      values (null, 'delete', 'gone', null, null, '{"type":"delete","name":"workflow/digest"}', null)`,
  )
  await upgrade()
  const kept = await db.selectFrom('goneVersion').selectAll().orderBy('slug').orderBy('precedence').execute()
  assert.deepEqual(
    kept.map(({ kind, slug, precedence, version }) => [kind, slug, precedence, version]),
    [
      ['org', 'desk', '1.0.0', '1.0.0'],
      ['workflow', 'digest', '1.0.0', '1.0.0'],
      ['workflow', 'digest', '1.1.0-a', '1.1.0-a+b'],
    ],
  )
})
