// Versions of items: what is known of each, who may publish one, how they turned out, and the log of what is public.
import type { Room } from './room.ts'

export const versions: Room = {
  tables: {
    itemVersion: `
      "itemId" text not null references "libraryItem" ("id") on delete cascade, "number" integer not null, "version" text not null,
      "precedence" text not null, "sha256" text not null, "size" integer not null, "createdAt" text not null, "yankedAt" text,
      "yankReason" text, "changelog" text, "license" text, "yankedByAdmin" integer not null default 0, "viaClientId" text,
      constraint "itemVersion_key" primary key ("itemId", "number"),
      constraint "itemVersion_precedence" unique ("itemId", "precedence")
    `,
    versionDetails: `
      "itemId" text not null references "libraryItem" ("id") on delete cascade, "version" text not null, "readme" text,
      "contents" text not null, "meta" text, primary key ("itemId", "version")
    `,
    versionScan: `
      "itemId" text not null references "libraryItem" ("id") on delete cascade, "version" text not null, "findings" text,
      "warnings" text not null, "scannedAt" text not null, "answer" text, "answeredAt" text, primary key ("itemId", "version")
    `,
    versionPermissions: `
      "itemId" text not null references "libraryItem" ("id") on delete cascade, "version" text not null, "revision" integer not null,
      "permissions" text not null, primary key ("itemId", "version")
    `,
    versionStatement: `
      "itemId" text not null references "libraryItem" ("id") on delete cascade, "version" text not null, "payload" text not null,
      "publisherId" text, "keyId" text, "signature" text, "isLogged" integer not null default 0, "approverId" text,
      primary key ("itemId", "version")
    `,
    publisherKey: `
      "id" text not null primary key, "accountId" text not null, "name" text not null, "publicKey" text not null,
      "createdAt" text not null, "revokedAt" text
    `,
    nameDomain: `
      "domain" text primary key, "publicKeys" text not null, "signedAt" text not null, "changes" integer not null,
      "dueAt" text not null, "askedAt" text, "namedAt" text
    `,
    trustedPublisher: `
      "id" text not null primary key, "accountId" text not null references "user" ("id") on delete cascade,
      "itemId" text references "libraryItem" ("id") on delete cascade, "kind" text not null, "slug" text not null,
      "issuer" text not null, "repository" text not null, "workflow" text not null, "ref" text, "environment" text,
      "repositoryId" text, "repositoryOwnerId" text, "createdAt" text not null, "lastUsedAt" text
    `,
    publishingGrant: `
      "grantId" text not null primary key references "grant" ("id") on delete cascade,
      "publisherId" text not null references "trustedPublisher" ("id") on delete cascade, "run" text not null
    `,
    stagedItem: `"itemId" text not null primary key references "libraryItem" ("id") on delete cascade, "since" text not null`,
    versionDownloader: `"key" text not null primary key, "day" text not null`,
    outcome: `
      "id" text primary key, "itemId" text not null, "number" integer not null, "day" text not null, "accountId" text not null,
      "outcome" text not null, "error" text, "os" text, "arch" text, "client" text, "clientVersion" text, "text" text,
      "network" text not null, "weight" integer not null, "hidden" integer not null default 0,
      foreign key ("itemId", "number") references "itemVersion" ("itemId", "number") on delete cascade
    `,
    versionOutcomes: `
      "itemId" text not null, "number" integer not null, "worked" integer not null, "failed" integer not null,
      "accounts" integer not null, "weight" integer not null, "rate" integer not null, "lower" integer not null,
      "errors" text not null, primary key ("itemId", "number"),
      foreign key ("itemId", "number") references "itemVersion" ("itemId", "number") on delete cascade
    `,
    staleOutcomes: `
      "itemId" text not null, "number" integer not null, "since" text not null, primary key ("itemId", "number"),
      foreign key ("itemId", "number") references "itemVersion" ("itemId", "number") on delete cascade
    `,
    staleRank: `"itemId" text primary key references "libraryItem" ("id") on delete cascade, "since" text not null`,
    logEntry: `
      "id" counted primary key, "position" long, "type" text not null, "itemId" text not null, "version" text, "at" text,
      "text" text not null, "hash" text
    `,
    logFilling: `"id" integer not null primary key, "after" text not null, "doneAt" text`,
    logTile: `
      "level" integer not null, "number" long not null, "hashes" text not null, "middle" text not null,
      primary key ("level", "number")
    `,
    logHead: `"id" integer not null primary key, "size" long not null, "root" text not null, "origin" text, "key" text`,
    logCheckpoint: `"size" long not null primary key, "note" text not null, "at" text not null`,
    logCosignature: `
      "size" long not null, "witness" text not null, "line" text not null, "at" text not null, primary key ("size", "witness")
    `,
  },
  byKey: ['itemVersion', 'versionDownloader'],
  indexes: {
    itemVersion: {
      itemVersion_artifact: '("sha256")',
    },
    versionStatement: {
      versionStatement_publisher: '("publisherId")',
      versionStatement_approver: '("approverId") where "approverId" is not null',
    },
    publisherKey: {
      publisherKey_account: '("accountId", "createdAt")',
      publisherKey_key: 'unique ("accountId", "publicKey")',
    },
    nameDomain: {
      nameDomain_due: '("dueAt")',
      nameDomain_asked: '("askedAt")',
    },
    trustedPublisher: {
      trustedPublisher_account: '("accountId")',
      trustedPublisher_item: '("itemId")',
      trustedPublisher_name: '("kind", "slug")',
    },
    publishingGrant: {
      publishingGrant_publisher: '("publisherId")',
    },
    versionDownloader: {
      versionDownloader_day: '("day")',
    },
    outcome: {
      outcome_newest: '("itemId", "number", "day", "id")',
      outcome_account: '("accountId", "id")',
      outcome_day: '("day", "id")',
      outcome_text: '("itemId", "day", "id") where "text" is not null and "hidden" = 0',
    },
    staleOutcomes: {
      staleOutcomes_waiting: '("since", "itemId", "number")',
    },
    staleRank: {
      staleRank_waiting: '("since", "itemId")',
    },
    logEntry: {
      logEntry_position: 'unique ("position")',
      logEntry_waiting: '("id") where "position" is null',
      logEntry_item: '("itemId", "id")',
    },
  },
  rows: [
    `insert into "logFilling" ("id", "after") values (1, '')`,
    // The root of a tree without leaves: the SHA-256 of nothing.
    `insert into "logHead" ("id", "size", "root")
      values (1, 0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')`,
  ],
}
