// Every table and column of the database is in the archive of an instance, or is declared to be left out and why; and no secret is in it.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonColumns } from '../src/operator/archive/checking-rows.ts'
import {
  changedColumns,
  columnsOf,
  kept,
  keptTables,
  leftOutColumns,
  leftOutRows,
  leftOutTables,
} from '../src/operator/archive/dispositions.ts'
import { openRows } from '../src/operator/opening-rows.ts'
import { isPostgres } from '../src/runtime/addresses.ts'
import { archiveOf, contentsOf, placeOf } from './archives.ts'
import { flows, settings } from './every-write.ts'
import { withFolder } from './server.ts'
import { onEveryEngine, type World } from './world.ts'

async function tablesOf({ databaseUrl }: World) {
  const rows = await openRows(databaseUrl, 'one state')
  return rows.tables().finally(() => rows.close())
}

const where = 'say in src/operator/archive/dispositions.ts whether an archive has it, or why not'

onEveryEngine('the archive of an instance', (it) => {
  it('has every column of every table, but for what is declared', async (world) => {
    const tables = await tablesOf(world)
    const decided = new Set([
      ...Object.keys(leftOutTables),
      ...keptTables.flatMap((table) => columnsOf(table).map((column) => `${table}.${column}`)),
      ...Object.keys(leftOutColumns),
    ])
    const found = tables.flatMap(({ name, columns }) =>
      Object.hasOwn(leftOutTables, name) ? [name] : columns.map((column) => `${name}.${column}`),
    )
    assert.deepEqual(
      found.filter((one) => !decided.has(one)),
      [],
      where,
    )
    const all = new Set(found)
    const onSqlite = new Set(isPostgres(world.databaseUrl) ? ['searchText.rowId'] : [])
    assert.deepEqual(
      [...decided].filter((one) => !all.has(one) && !onSqlite.has(one)),
      [],
      'no such tables or columns',
    )
    const twice = Object.keys(leftOutColumns).filter((one) => {
      const [table = '', column = ''] = one.split('.')
      return Object.hasOwn(kept, table) && columnsOf(table as keyof typeof kept).includes(column)
    })
    assert.deepEqual([...twice, ...keptTables.filter((table) => Object.hasOwn(leftOutTables, table))], [], 'both')
    assert.deepEqual(
      [...Object.keys(changedColumns), ...Object.keys(leftOutRows)].filter(
        (one) => !all.has(one) && !Object.hasOwn(kept, one),
      ),
      [],
      'changed, and not there',
    )
  })

  it('reads the JSON of every column that has some', async ({ db }) => {
    // The data model says so of a column in the line before it.
    const folder = join(import.meta.dirname, '../src/database')
    const files = (await readdir(folder)).filter((name) => /^schema.*\.ts$/.test(name))
    const said = new Set<string>()
    for (const file of files) {
      const text = await readFile(join(folder, file), 'utf8')
      const tables = new Map([...text.matchAll(/^ {2}(\w+): (\w+Table)$/gm)].map(([, table, type]) => [type, table]))
      for (const [, type, body = ''] of text.matchAll(/^export interface (\w+Table)\b[^{]*\{\n([\s\S]*?)^\}/gm)) {
        const table = tables.get(type) ?? ''
        if (!Object.hasOwn(kept, table)) continue
        for (const [, column] of body.matchAll(/^ {2}\/\*\*[^\n]*\bJSON\b[^\n]*\*\/\n {2}(\w+):/gm))
          said.add(`${table}.${column}`)
      }
    }
    assert.deepEqual([...said].sort(), Object.keys(jsonColumns).sort())
    assert.ok(db)
  })

  it('leaves out every column that is named like a secret', async (world) => {
    const SECRET = /hash|token|secret|sealed|password|passphrase|code|credential|signature|key/i
    const KEPT: Readonly<Record<string, string>> = {
      'audit.hash': 'the chain of the audit log',
      'auditHead.hash': 'the chain of the audit log',
      'counter.key': 'what is counted',
      'importRecord.sortKey': 'an order',
      'importedPerson.nameKey': 'the user name at the source, in lower case',
      'label.nameKey': 'the name in lower case',
      'libraryItem.keywords': 'words that are searched',
      'nameDomain.publicKeys': 'public',
      'publisherKey.publicKey': 'public',
      'scimGroup.displayNameKey': 'the name in lower case',
      'scimUser.userNameKey': 'the name in lower case',
      'user.credentialsValidFrom': 'a moment',
      'user.usernameKey': 'the username in lower case',
      'versionStatement.keyId': 'of a public key',
      'versionStatement.signature': 'signed for everybody to check',
    }
    const named = keptTables
      .flatMap((table) => columnsOf(table).map((column) => `${table}.${column}`))
      .filter((column) => SECRET.test(column.split('.')[1] ?? ''))
    assert.deepEqual(named.sort(), Object.keys(KEPT).sort())
    assert.ok((await tablesOf(world)).length > 0)
  })
})

/** Long enough that it is in no archive by chance. */
const LEAST = 16

/** The values of secrets, and of hashes of them, that are stored. */
async function secretsOf(world: World): Promise<Map<string, string>> {
  const secrets = new Map<string, string>()
  const rows = await openRows(world.databaseUrl, 'one state')
  try {
    for (const table of await rows.tables()) {
      const isOut = (column: string) =>
        Object.hasOwn(leftOutColumns, `${table.name}.${column}`) ||
        (Object.hasOwn(leftOutTables, table.name) &&
          /hash|secret|sealed|codeHash|response|credentialId|privateKey|body|answer|request|preview/i.test(column))
      for (const row of await rows.page(table, undefined, 1_000))
        for (const [at, value] of row.entries()) {
          const column = table.columns[at] ?? ''
          if (typeof value === 'string' && value.length >= LEAST && isOut(column))
            secrets.set(value, `${table.name}.${column}`)
        }
    }
  } finally {
    await rows.close()
  }
  return secrets
}

onEveryEngine(
  'the archive of an instance with credentials of every kind',
  (it) => {
    for (const name of ['people', 'credentials', 'webhooks'] as const)
      it(`has nothing of them: ${name}`, async (world) => {
        await flows[name]?.(world)
        await world.dependencies.settings.reload()
        const secrets = await secretsOf(world)
        assert.ok(new Set(secrets.values()).size > 3, [...new Set(secrets.values())].join(', '))
        // What a secret setting stores is sealed, and stays out all the same.
        await world.db
          .insertInto('setting')
          .values({
            name: 'EXTERNAL_CLIENT_SECRET',
            value: 'sealed with a key of this server',
            actorId: null,
            changedAt: '2026-01-01T00:00:00.000Z',
          })
          .execute()
        await withFolder(async (folder) => {
          const path = join(folder, 'archive')
          await archiveOf(placeOf(world), path)
          const text = JSON.stringify(await contentsOf(path))
          assert.deepEqual(
            [...secrets].filter(([value]) => text.includes(value)).map(([, column]) => column),
            [],
          )
          for (const known of ['sealed with a key of this server', ' has a password', '$argon2'])
            assert.equal(text.includes(known), false, known)
        })
      })
  },
  settings,
)
