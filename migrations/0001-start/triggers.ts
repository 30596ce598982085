// What the database keeps itself, in the transaction that changes what it is about: counts of accounts and of stored bytes, marks of pictures,
// and the chain of the audit log.
import { type Engine, type Trigger, triggerOf } from './room.ts'

const count = (key: string, by: 1 | -1) =>
  `insert into counter (key, count) values (${key}, ${by})
    on conflict (key) do update set count = counter.count + excluded.count;`

const isMember = (row: string) => `(${row}."usernameKey" is not null and ${row}."blockedAt" is null)`
const countMember = (by: 1 | -1) => count(`'member/all/'`, by)

/** Accounts with a username that are not blocked. */
const members: readonly Trigger[] = [
  { name: 'memberAdded', when: 'after insert', condition: isMember('new'), body: countMember(1) },
  { name: 'memberRemoved', when: 'after delete', condition: isMember('old'), body: countMember(-1) },
  {
    name: 'memberJoined',
    when: 'after update of "usernameKey", "blockedAt"',
    condition: `${isMember('new')} and not ${isMember('old')}`,
    body: countMember(1),
  },
  {
    name: 'memberLeft',
    when: 'after update of "usernameKey", "blockedAt"',
    condition: `${isMember('old')} and not ${isMember('new')}`,
    body: countMember(-1),
  },
].map((trigger) => ({ ...trigger, table: 'user' }))

const keyOf = (row: string) =>
  `'account/all/' || ${row}.role || '/' || case when ${row}."blockedAt" is null then 'open' else 'blocked' end || '/'`
const countAccount = (row: 'new' | 'old') => count(keyOf(row), row === 'new' ? 1 : -1)

/** Accounts by role, open and blocked; on PostgreSQL in the order of their keys, as all that changes counts does. */
const accountsOn = (engine: Engine): Trigger[] => [
  { name: 'user_added', when: 'after insert', table: 'user', body: countAccount('new') },
  { name: 'user_removed', when: 'after delete', table: 'user', body: countAccount('old') },
  {
    name: 'user_moved',
    when: 'after update of role, "blockedAt"',
    table: 'user',
    condition: `${keyOf('new')} <> ${keyOf('old')}`,
    body:
      engine === 'sqlite'
        ? `${countAccount('old')} ${countAccount('new')}`
        : `if (${keyOf('new')} < ${keyOf('old')}) then ${countAccount('new')} ${countAccount('old')} ` +
          `else ${countAccount('old')} ${countAccount('new')} end if;`,
  },
]

const add = (account: string, size: string, from = 'where true') =>
  `insert into "storedBytes" ("accountId", bytes, "avatarBytes") select ${account}, ${size}, 0 ${from}
    on conflict ("accountId") do update set bytes = "storedBytes".bytes + excluded.bytes;`
const remove = (account: string, size: string) =>
  `update "storedBytes" set bytes = bytes - ${size} where "accountId" = ${account};`

/**
 * How many bytes of files each account stores. Of what belongs to something else the owner is known as long as that is there: what goes with
 * it is taken off before.
 */
const storedBytes: readonly Trigger[] = [
  {
    name: 'version_added',
    table: 'itemVersion',
    body: add('"ownerId"', 'new.size', 'from "libraryItem" where id = new."itemId"'),
  },
  {
    name: 'version_removed',
    table: 'itemVersion',
    body: remove('(select "ownerId" from "libraryItem" where id = old."itemId")', 'old.size'),
  },
  {
    name: 'item_removed',
    table: 'libraryItem',
    when: 'before delete',
    body: remove('old."ownerId"', '(select coalesce(sum(size), 0) from "itemVersion" where "itemId" = old.id)'),
  },
  {
    name: 'file_added',
    table: 'orgRunFile',
    body: add('"authorId"', 'new."sizeBytes"', 'from "orgRun" where id = new."runId"'),
  },
  {
    name: 'file_removed',
    table: 'orgRunFile',
    body: remove('(select "authorId" from "orgRun" where id = old."runId")', 'old."sizeBytes"'),
  },
  {
    name: 'run_removed',
    table: 'orgRun',
    when: 'before delete',
    body: remove('old."authorId"', '(select coalesce(sum("sizeBytes"), 0) from "orgRunFile" where "runId" = old.id)'),
  },
  { name: 'image_added', table: 'orgImage', body: add('new."uploaderId"', 'new.size') },
  { name: 'image_removed', table: 'orgImage', body: remove('old."uploaderId"', 'old.size') },
  { name: 'pending_added', table: 'pendingFile', body: add('new."userId"', 'new.size') },
  { name: 'pending_removed', table: 'pendingFile', body: remove('old."userId"', 'old.size') },
  { name: 'textImage_added', table: 'textImage', body: add('new."uploaderId"', 'new.size') },
  { name: 'textImage_removed', table: 'textImage', body: remove('old."uploaderId"', 'old.size') },
  // A proven address has a count of its own, and its network none any more.
  {
    name: 'verified',
    table: 'user',
    when: 'after update of "emailVerifiedAt"',
    condition: 'new."emailVerifiedAt" is not null',
    body: 'update "storedBytes" set "networkHash" = null, "subnetHash" = null where "accountId" = new.id;',
  },
].map(({ name, when = name.endsWith('_added') ? 'after insert' : 'after delete', ...rest }) => ({
  name: `storedBytes_${name}`,
  when,
  ...rest,
}))

/** Where a row goes that pictures belong to, they are marked. What was merged may come back, and has its row elsewhere until then. */
const textImages = ['bug', 'feature', 'post', 'release', 'comment', 'orgUpload'].map((table) => ({
  name: `textImage_${table}_removed`,
  when: 'after delete',
  table,
  body: `update "textImage" set gone = 1 where "thingId" = old.id
    and not exists (select 1 from "mergedThing" where id = old.id);`,
}))

/** How many notifications an event still has. */
const recipients: Trigger = {
  name: 'event_recipients',
  when: 'after delete',
  table: 'notification',
  body: 'update "event" set "recipients" = "recipients" - 1 where "id" = old."eventId";',
}

/** The names of files, as expressions, in tables where a column that is not null says that there is one. */
const namings = [
  { table: 'itemVersion', name: `'artifacts/' || new.sha256`, column: 'sha256' },
  { table: 'orgUpload', name: `'artifacts/' || new.sha256`, column: 'sha256' },
  { table: 'dataExport', name: `'artifacts/' || new.sha256`, column: 'sha256' },
  { table: 'orgImage', name: `'org-images/' || new.id`, column: 'id' },
  { table: 'textImage', name: `'text-images/' || new.id`, column: 'id' },
  { table: 'pendingFile', name: `'pending-files/' || new.id`, column: 'id' },
  { table: 'orgRunFile', name: `'org-runs/' || new.id`, column: 'id' },
  { table: 'user', name: `'avatars/' || new.id`, column: 'avatarUpdatedAt' },
]

/** Which stored files rows came to name: a continuous backup of SQLite keeps these before it ships the rows. */
const namedFiles = namings.flatMap(({ table, name, column }) =>
  ['insert', `update of "${column}"`].map((event) => ({
    name: `namedFile_${table}_${event.split(' ')[0]}`,
    when: `after ${event}`,
    table,
    condition: `new."${column}" is not null`,
    body: `insert into "namedFile" (name) values (${name});`,
  })),
)

const AUDITED = ['id', 'at', 'actorId', 'action', 'targetType', 'targetId', 'detail', 'reason', 'address']

/**
 * The chain of the audit log on PostgreSQL; what it hashes is written out in src/audit/chain.ts too. It is made at the end of the transaction
 * that adds a row: the lock on the head comes after all others, so that two transactions never wait for each other.
 */
function auditChain(): string[] {
  const given = (name: string) =>
    `case when new."${name}" is null then '-' else octet_length(convert_to(new."${name}", 'UTF8'))::text || ':' || new."${name}" end`
  const length = (value: string) => `octet_length(${value})::text || ':' || ${value}`
  const joined = AUDITED.map(given).join(` || ',' || `)
  return [
    `create function "audit_chain"() returns trigger language plpgsql as $$
      declare head record; digest text;
      begin
        select position, hash into strict head from "auditHead" where id = 1 for update;
        digest := encode(sha256(convert_to(
          ${length('(head.position + 1)::text')} || ',' || ${length('head.hash')} || ',' || ${joined}, 'UTF8')), 'hex');
        update audit set position = head.position + 1, previous = head.hash, hash = digest where id = new.id;
        update "auditHead" set position = head.position + 1, hash = digest where id = 1;
        return null;
      end $$`,
    `create constraint trigger "audit_chained" after insert on audit deferrable initially deferred
      for each row execute function "audit_chain"()`,
  ]
}

/** All of them, after all tables. */
export const triggersOf = (engine: Engine): string[] => [
  ...[...storedBytes, ...accountsOn(engine), recipients, ...members, ...textImages].flatMap((one) =>
    triggerOf(one, engine),
  ),
  ...(engine === 'sqlite' ? namedFiles.flatMap((one) => triggerOf(one, engine)) : auditChain()),
]
