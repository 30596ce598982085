// Every column of the database that names accounts has a step of the erasure that clears it, or a reason why it stays.
import assert from 'node:assert/strict'
import { clearedAtTheEnd } from '../src/identity/erasure.ts'
import { erasureSteps } from '../src/jobs.ts'
import { onEveryEngine } from './world.ts'

/** What names of columns look like that hold the id, the address or the username of an account. */
const NAMES_AN_ACCOUNT =
  /user|account|author|owner|uploader|editor|actor|moderator|voter|(requested|merged)By|recipient$|email|reporter|assignee|repliedTo/i

/** SQLite's indexes of texts show as tables; they follow theirs. */
const INDEX = /^itemTextIndex/

const KEPT: Readonly<Record<string, string>> = {
  'trustedPublisher.repositoryOwnerId': 'an id at the issuer of a CI; the row goes with the account that named it',
  'audit.actorId': 'the audit log keeps ids: its chain proves that nothing was removed',
  'signalStream.authorization': 'a header that a receiver wants, sealed, and no account',
  'board.moderators': 'a rule with groups, teams and roles, and no account',
  'setting.actorId': 'an id that names no account then; null would say the operator',
  'settingChange.actorId': 'an id that names no account then; null would say the operator',
  'accountDeletion.requestedBy': 'says owner or admin, and no id',
  'versionOutcomes.accounts': 'a number',
  'user.emailVerifiedAt': 'goes with the row',
  'user.emailVerifiedBy': 'goes with the row',
  'user.username': 'goes with the row',
  'user.usernameKey': 'goes with the row',
}

onEveryEngine('the erasure of an account', (it) => {
  it('has a step for every column that names accounts', async ({ db }) => {
    const tables = (await db.introspection.getTables()).filter(({ name }) => !INDEX.test(name))
    const all = new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)))
    const cleared = new Set<string>([...(await erasureSteps()).flatMap(({ clears }) => clears), ...clearedAtTheEnd])
    const naming = [...all].filter((column) => NAMES_AN_ACCOUNT.test(column.split('.')[1]!))
    assert.ok(naming.length > 25, `${naming.length} columns`)
    const forgotten = naming.filter((column) => !cleared.has(column) && !Object.hasOwn(KEPT, column))
    assert.deepEqual(forgotten, [], 'declare a step that clears them (in a feature.ts), or say here why they stay')
    assert.deepEqual(
      [...cleared, ...Object.keys(KEPT)].filter((column) => !all.has(column)),
      [],
      'no such columns',
    )
  })

  it('has steps with names of their own', async () => {
    const names = (await erasureSteps()).map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
  })
})
