// What the server keeps for itself: limits, mail, the audit log, jobs, settings, figures and stored files.
import type { Room } from './room.ts'

export const server: Room = {
  tables: {
    rateLimit: `"key" text not null primary key, "count" integer not null, "resetsAt" text not null`,
    outbox: `
      "id" text not null primary key, "recipient" text not null, "subject" text not null, "body" text, "createdAt" text not null,
      "attempts" integer not null default 0, "nextAttemptAt" text not null, "sentAt" text, "unsubscribeUrl" text, "replyTo" text
    `,
    seenMail: `"hash" text primary key, "seenAt" text not null`,
    bounce: `
      "id" text primary key, "email" text not null unique, "kind" text not null, "status" text, "softCount" integer not null,
      "since" text not null, "stoppedAt" text, "updatedAt" text not null
    `,
    audit: `
      "id" text not null primary key, "at" text not null, "actorId" text, "action" text not null, "targetType" text not null,
      "targetId" text not null, "detail" text, "reason" text, "address" text, "position" bigint, "previous" text, "hash" text
    `,
    auditHead: `"id" integer primary key, "position" bigint not null, "hash" text not null`,
    idempotencyKey: `
      "hash" text primary key, "accountId" text references "user" ("id") on delete cascade, "fingerprint" text not null,
      "answer" text not null, "createdAt" text not null, "expiresAt" text not null
    `,
    job: `
      "kind" text not null, "key" text not null, "runAt" text not null, "cursor" text not null, "attempts" integer not null,
      "leasedUntil" text not null, "error" text, "failedAt" text, "doneAt" text, primary key ("kind", "key")
    `,
    setting: `"name" text not null primary key, "value" text not null, "actorId" text, "changedAt" text not null`,
    settingChange: `
      "number" integer not null primary key, "id" text not null unique, "name" text not null, "valueBefore" text, "valueAfter" text,
      "actorId" text, "changedAt" text not null
    `,
    setup: `"id" integer not null primary key, "tokenHash" text, "doneAt" text`,
    sample: `"thingId" text primary key, "type" text not null, "fingerprint" text not null`,
    weekFigure: `
      "week" text not null primary key, "activeMembers" integer not null, "databaseBytes" long not null, "storedBytes" long not null
    `,
    clockDoubt: `"id" integer not null primary key, "at" text not null, "jumps" text not null`,
    machineAnswer: `"key" text not null primary key, "text" text not null, "createdAt" text not null, "expiresAt" text not null`,
    machineDay: `"day" text not null primary key, "tokens" integer not null`,
    storedBytes: `
      "accountId" text not null primary key, "bytes" bigint not null, "avatarBytes" bigint not null, "networkHash" text,
      "subnetHash" text
    `,
    namedFile: `"id" integer primary key, "name" text not null`,
    blobRemoval: `"name" text not null primary key, "id" text not null, "startedAt" text not null, "endedAt" text`,
    useFilling: `"id" integer not null primary key, "after" text not null, "doneAt" text`,
  },
  byKey: ['machineAnswer', 'machineDay'],
  indexes: {
    rateLimit: {
      rateLimit_expiry: '("resetsAt")',
    },
    outbox: {
      outbox_due: '("sentAt", "nextAttemptAt")',
      outbox_recipient: '("recipient")',
    },
    seenMail: {
      seenMail_seen: '("seenAt")',
    },
    bounce: {
      bounce_updated: '("updatedAt")',
    },
    audit: {
      audit_target: '("targetId", "id")',
      audit_actorId_id: '("actorId", "id")',
      audit_action_id: '("action", "id")',
      audit_position: 'unique ("position")',
    },
    idempotencyKey: {
      idempotencyKey_expiry: '("expiresAt")',
      idempotencyKey_account: '("accountId") where "accountId" is not null',
    },
    machineAnswer: {
      machineAnswer_expiry: '("expiresAt")',
    },
    storedBytes: {
      storedBytes_network: '("networkHash", "accountId", "bytes") where "networkHash" is not null',
      storedBytes_subnet: '("subnetHash", "accountId", "bytes") where "subnetHash" is not null',
    },
    blobRemoval: {
      blobRemoval_start: '("startedAt")',
    },
  },
  rows: [
    `insert into "auditHead" ("id", "position", "hash") values (1, 0, '')`,
    `insert into "job" ("kind", "key", "runAt", "cursor", "attempts", "leasedUntil") values
      ('log.backfill', '1', '', '', 0, ''), ('library.backfill', '1', '', '', 0, '')`,
    'insert into "setup" ("id") values (1)',
    `insert into "useFilling" ("id", "after") values (1, '')`,
  ],
}
