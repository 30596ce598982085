// Migrations come in two phases, so that the old and the new process run side by side (docs/data.md, Migrations).
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { describe, it } from 'node:test'
import type { Db } from '../src/database/schema.ts'
import { complaintsAbout, isKnown, type Phased, statementsOf } from './migration-phases.ts'
import { onOldDatabase } from './old-databases.ts'
import { before, filesBefore, readBefore, whyNoRelease } from './previous-release.ts'

const namesBefore = (pattern: RegExp) => filesBefore().filter((path) => pattern.test(path))

const skip = whyNoRelease()

describe('the rule of migrations', () => {
  it('lets a migration add what the release before does not miss', () => {
    for (const statement of [
      'create table "note" ("id" text primary key, "text" text not null)',
      'alter table "bug" add column "place" text',
      `alter table "bug" add column "place" text not null default 'here'`,
      'create index "bugPlace" on "bug" ("place")',
      'drop index "bugPlace"',
      'alter table "bug" drop constraint "bug_check"',
      'alter table "bug" alter column "place" drop not null',
    ]) {
      assert.deepEqual(complaintsAbout([statement]), [], statement)
    }
    const rebuilt = ['create table "bug_new" ("id" text)', 'drop table "bug"', 'alter table "bug_new" rename to "bug"']
    assert.deepEqual(complaintsAbout(rebuilt), [])
    const own = ['create table "note" ("id" text)', 'alter table "note" add column "text" text not null']
    assert.deepEqual(complaintsAbout(own), [])
  })

  it('refuses what the release before stumbles over', () => {
    for (const [statement, complaint] of [
      ['drop table "bug"', 'drops the table bug'],
      ['alter table "bug" drop column "title"', 'drops bug.title'],
      ['alter table "bug" rename to "defect"', 'renames bug or a column of it'],
      ['alter table "bug" rename column "title" to "name"', 'renames bug or a column of it'],
      ['alter table "bug" add column "place" text not null', 'adds bug.place, which must be given and has no default'],
      [
        'alter table bug alter column title set not null',
        'changes bug.title to what the release before does not write',
      ],
      ['alter table "bug" add column "a" text, drop column "title"', 'drops bug.title'],
    ] as const) {
      assert.deepEqual(complaintsAbout([statement]), [complaint], statement)
    }
  })

  it('lets a contracting migration drop what it declares, and no more', () => {
    const contract = [{ table: 'bug', column: 'title' }, { table: 'note' }]
    assert.deepEqual(complaintsAbout(['alter table "bug" drop column "title"', 'drop table "note"'], contract), [])
    assert.deepEqual(complaintsAbout(['alter table "bug" drop column "score"'], contract), ['drops bug.score'])
    assert.deepEqual(complaintsAbout(['drop table "bug"'], contract), ['drops the table bug'])
    const schema = `export interface Database {\n  bug: BugTable\n}\ninterface Written {\n  editedAt: string\n}\nexport interface BugTable extends Written {\n  title: string\n  place?: string\n}\n`
    for (const column of ['title', 'place', 'editedAt']) {
      assert.equal(isKnown(schema, { table: 'bug', column }), true, column)
    }
    assert.equal(isKnown(schema, { table: 'bug' }), true)
    assert.equal(isKnown(schema, { table: 'bug', column: 'gone' }), false)
    assert.equal(isKnown(schema, { table: 'note' }), false)
  })
})

describe('the migrations since the release before', { skip: skip ?? false }, () => {
  const known = new Set(namesBefore(/^migrations\//).map((path) => basename(path, '.ts')))
  const added = globSync('migrations/*.ts')
    .sort()
    .map((path) => basename(path, '.ts'))
    .filter((name) => !known.has(name))
  const schema = namesBefore(/^src\/database\/schema[\w-]*\.ts$/)
    .map(readBefore)
    .join('\n')

  const check = async (db: Db) => {
    for (const name of added) {
      const migration: Phased = await import(resolve(`migrations/${name}.ts`))
      assert.deepEqual(complaintsAbout(await statementsOf(migration, db), migration.contract), [], name)
      for (const removed of migration.contract ?? []) {
        assert.equal(
          isKnown(schema, removed),
          false,
          `${name}: ${before.version} still uses ${JSON.stringify(removed)}`,
        )
      }
    }
  }
  const [first] = added
  if (first) onOldDatabase('leave what it uses,', first, check)
})
