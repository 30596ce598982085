// What came from elsewhere, and trackers that stay the same as what is here.
import type { Room } from './room.ts'

export const imports: Room = {
  tables: {
    import: `
      "id" text primary key, "source" text not null, "name" text not null, "state" text not null, "cursor" text not null,
      "options" text not null, "report" text not null, "done" text not null, "total" integer not null, "firstNumber" integer,
      "createdBy" text, "createdAt" text not null, "endedAt" text, "error" text
    `,
    importRecord: `
      "importId" text not null references "import" ("id") on delete cascade, "sortKey" text not null, "body" text not null,
      primary key ("importId", "sortKey")
    `,
    imported: `
      "scope" text not null, "type" text not null, "sourceId" text not null, "importId" text not null, "thingId" text not null,
      "number" integer, "ownNumber" integer, "url" text, primary key ("scope", "type", "sourceId")
    `,
    importedPerson: `
      "scope" text not null, "sourceId" text not null, "accountId" text, "nameKey" text not null, "claimedAt" text,
      primary key ("scope", "sourceId")
    `,
    importClaim: `
      "placeholderId" text primary key references "user" ("id") on delete cascade, "scope" text not null, "sourceId" text not null,
      "userId" text not null, "createdAt" text not null
    `,
    fullText: `"thingId" text primary key, "text" text not null`,
    tracker: `
      "id" text not null primary key, "source" text not null, "name" text not null, "nameKey" text not null, "boardId" text,
      "publish" integer not null, "token" text not null, "secret" text not null, "ownId" text not null, "ownLogin" text not null,
      "state" text not null, "since" text not null, "polledAt" text not null, "etag" text not null, "restUntil" text not null,
      "error" text, "errorAt" text, "createdBy" text, "createdAt" text not null, unique ("source", "nameKey")
    `,
    trackerAccount: `
      "userId" text not null references "user" ("id") on delete cascade, "service" text not null, "host" text not null,
      "personId" text not null, "login" text not null, "codeHash" text, "expiresAt" text, "createdAt" text not null, "linkedAt" text,
      primary key ("userId", "service")
    `,
    trackerPair: `
      "trackerId" text not null references "tracker" ("id") on delete cascade, "thingId" text not null, "type" text not null,
      "onId" text, "sourceId" text, "number" integer, "common" text not null, "triedAt" text, "lookedAt" text not null,
      primary key ("trackerId", "thingId")
    `,
    trackerPerson: `
      "trackerId" text not null references "tracker" ("id") on delete cascade, "personId" text not null, "login" text not null,
      "ownAccountId" text, "linkedAccountId" text, primary key ("trackerId", "personId")
    `,
    trackerWork: `
      "trackerId" text not null references "tracker" ("id") on delete cascade, "key" text not null, "told" text not null,
      "times" integer not null, "attempts" integer not null, "dueAt" text not null, "createdAt" text not null,
      primary key ("trackerId", "key")
    `,
  },
  indexes: {
    import: {
      import_created: '("createdAt", "id")',
    },
    imported: {
      imported_import: '("importId", "type", "sourceId")',
      imported_thing: '("thingId")',
      imported_number: '("scope", "number") where "number" is not null',
      imported_url: '("url") where "url" is not null',
    },
    importedPerson: {
      importedPerson_account: '("accountId") where "accountId" is not null',
      importedPerson_name: '("nameKey") where "accountId" is null',
    },
    importClaim: {
      importClaim_user: '("userId")',
    },
    trackerAccount: {
      trackerAccount_person: 'unique ("host", "personId") where "linkedAt" is not null',
      trackerAccount_code: 'unique ("codeHash") where "codeHash" is not null',
      trackerAccount_expiresAt: '("expiresAt") where "expiresAt" is not null',
    },
    trackerPair: {
      trackerPair_source: 'unique ("trackerId", "type", "sourceId") where "sourceId" is not null',
      trackerPair_on: '("trackerId", "onId") where "onId" is not null',
      trackerPair_thing: '("thingId")',
      trackerPair_looked: '("trackerId", "type", "lookedAt")',
    },
    trackerPerson: {
      trackerPerson_own: '("ownAccountId") where "ownAccountId" is not null',
      trackerPerson_linked: '("linkedAccountId") where "linkedAccountId" is not null',
    },
    trackerWork: {
      trackerWork_due: '("trackerId", "dueAt")',
    },
  },
}
